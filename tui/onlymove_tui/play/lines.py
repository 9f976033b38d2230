"""What a game in lines prints of hints, values and endings: facts in, lines out."""

from __future__ import annotations

from onlymove_engines.coach.figures import figures
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.in_line import Known
from onlymove_engines.coach.worth import share
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Mixed
from onlymove_engines.play.session import AnySession

from onlymove_tui.play.phrases import ending


def introduction(session: AnySession) -> str:
    """Who plays what."""
    seats = []
    for name, player in zip(session.game.seats, session.players, strict=True):
        who = "you" if player.is_human else f"engine, strength {player.strength}"
        seats.append(f"{name}: {who}")
    return f"{session.game.title}. {'. '.join(seats)}. Type help for what can be typed."


def hint_lines(found: Hint) -> list[str]:
    """One stage of the hint; places that would be marked on a board are named."""
    where = [f"Look at {', '.join(found.targets)}."] if found.targets and not found.moves else []
    return [*found.texts(), *where]


def value_lines(game: AnyGame, position: AnyPosition, known: Known) -> list[str]:
    """What every move is worth, a line each; in a simultaneous game a line for each own move."""
    if isinstance(known, Mixed):
        return [
            f"{own}: " + "  ".join(f"against {theirs} {share(value)}" for theirs, value in row.items())
            for own, row in known.matrix.items()
        ]
    lines = []
    for move, value in known.moves.items():
        worth = value if value is not None else known.estimates.get(move)
        words = "not known" if worth is None else worth.sentence()
        lines.append(f"{game.said(position, move)}  {words}")
    return lines


def summary_lines(session: AnySession) -> list[str]:
    """How a finished game ended, and how well each person played."""
    result, game = session.result, session.game
    assert result is not None, "the game is over"
    lines = [ending(game, result)]
    for seat in session.human_seats():
        lines.append(f"{game.seats[seat]}: {figures(session.node.path(), seat).headline()}")
    return lines
