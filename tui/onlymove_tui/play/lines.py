"""What the line-by-line game says about moves, positions and endings: facts in, lines out."""

from __future__ import annotations

from typing import Any

from onlymove_engines.coach.figures import figures
from onlymove_engines.coach.hint import hint, mixed_hint
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Mixed, Seat
from onlymove_engines.play.session import Session

from onlymove_tui.play.phrases import ending


def spoken(text: str, judgement: Judgement) -> str:
    """A move that stands, with its verdict: `b1b2 ?? You just threw away the draw. Draw -> Loss in 8`."""
    if judgement.grade is Grade.UNKNOWN:
        return f"{text} (not judged: no exact value is known here)"
    words = [text, judgement.glyph, judgement.verdict()]
    if judgement.flagged:
        words.append(judgement.lost())
    return " ".join(word for word in words if word)


def hint_lines(
    game: AnyGame, position: Any, before: Analysis[Any] | Mixed, seat: Seat, stage: int, analyst: Any
) -> list[str]:
    """One stage of the hint; places that would be marked on a board are named."""
    if isinstance(before, Mixed):
        found = mixed_hint(before, seat, stage)
    else:
        remarks = game.remarks(position, before, analyst) if game.remarks is not None else None
        found = hint(game, position, before, stage, remarks)
    where = [f"Look at {', '.join(found.targets)}."] if found.targets and not found.moves else []
    return [*found.lines, *where]


def value_lines(game: AnyGame, position: Any, before: Analysis[Any] | Mixed) -> list[str]:
    """What every move is worth, a line each; in a simultaneous game a line for each own move."""
    if isinstance(before, Mixed):
        return [
            f"{own}: " + "  ".join(f"{theirs} {value:+z.2f}" for theirs, value in row.items())
            for own, row in before.matrix.items()
        ]
    lines = []
    for move, value in before.moves.items():
        known = value if value is not None else before.estimates.get(move)
        words = "not known" if known is None else known.sentence()
        lines.append(f"{game.notation.format_move(position, move)}  {words}")
    return lines


def summary_lines(session: Session[Any, Any]) -> list[str]:
    """How a finished game ended, and how well each person played."""
    result, game = session.result, session.game
    assert result is not None, "the game is over"
    lines = [ending(game, result)]
    for seat in session.human_seats():
        lines.append(f"{game.seats[seat]}: {figures(session.node.path(), seat).headline()}")
    return lines
