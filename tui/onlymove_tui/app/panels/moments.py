"""The moments that matter: a move that is held, the end of a game. State in, rows out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from onlymove_engines.coach.drill import from_mistakes
from onlymove_engines.coach.figures import decisions, figures
from onlymove_engines.coach.made import Made, sides
from onlymove_engines.coach.tutor import Held
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Seat
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.panels import telling, worth
from onlymove_tui.app.panels.numbering import named
from onlymove_tui.app.widgets.canvas import Row, Run, folded
from onlymove_tui.app.widgets.table import Told
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.phrases import ending

LABEL, LONGEST = 11, 10
"""Columns of the name of a class, and of the longest bar."""
NEW_LINE: Row = ()


# A held move.


def what_is_lost(match: Match, seat: Seat, judgement: Judgement) -> str:
    """`Win in 5 -> Loss in 8`, with points `Win by 12 -> Loss by 4`, or how many points."""
    if judgement.before is None or judgement.before.margin is None:
        return judgement.lost()
    return worth.change(match.game, match.node.position, seat, judgement)


def held_card(match: Match, held: Held, reasons: Sequence[Row], hints: Sequence[Row], width: int) -> Told:
    """What a held move gives away, as large as a panel can say it; below why, and hints."""
    lost = what_is_lost(match, held.seat, held.judgement)
    band: list[Row] = [
        [(_text(row).center(width), Tone.ALARM)] for row in ([], *folded([(lost, Tone.ALARM)], width - 2), [])
    ]
    verdict = folded([(f"{held.judgement.glyph}  {held.judgement.verdict()}", Tone.ERROR)], width)
    gap = [NEW_LINE] if hints else []
    return Told("Held, not played yet", [*band, *verdict, *reasons, *gap, *hints], is_alarm=True)


def _text(row: Row) -> str:
    return "".join(text for text, _ in row)


# The end of a game.


def end_card(match: Match, path: Sequence[AnyNode], width: int, is_brief: bool, rating: str = "") -> Told:
    """The result, what it did to the `rating`, what was kept, a bar a class, where it turned; of both sides where
    people played both, and then in words if it has to be `is_brief`."""
    result = match.session.result
    found = sides(match.session.players, path)
    if is_brief and len(found) > 1:
        return Told("The game", telling.summary(match, path))
    rows: list[Row] = [] if result is None else list(folded([(ending(match.game, result), Tone.STRONG)], width))
    rows += telling.wrapped(rating, width, Tone.STRONG)
    for seat, made in found.items():
        rows.append(
            [(telling.seat_name(match, seat), telling.seat_tone(match.game, seat))] if len(found) > 1 else NEW_LINE
        )
        rows += figure_rows(match, path, made, width)
    return Told("The game", rows)


def figure_rows(match: Match, path: Sequence[AnyNode], made: Sequence[Made], width: int) -> list[Row]:
    """Somebody's figures: what was kept, a bar for each class among the same decisions, where it turned."""
    found, decided = figures(made), decisions(made)
    if not decided:
        return [telling.NO_DECISIONS]
    rows: list[Row] = [[(f"Kept the value {found.kept} of {found.decisions}", Tone.STRONG)]]
    rows += [_bar(grade, count, decided) for grade, count in _by_gravity(decided)]
    if only := sum(judgement.only for judgement in decided):
        rows.append([(f"{only} only move{'s' if only > 1 else ''} found", Tone.BEST)])
    last = [] if found.turning_point is None else [f"turned at {named(match.game, path[found.turning_point])}"]
    if found.accuracy is not None:
        last.append(f"accuracy {found.accuracy:.0f} %")
    return [*rows, *telling.wrapped(", ".join(last), width, Tone.DIM)]


def _by_gravity(decided: Sequence[Judgement]) -> list[tuple[Grade, int]]:
    counts = Counter(judgement.grade for judgement in decided)
    return sorted(counts.items(), key=lambda item: item[0].gravity)


def _bar(grade: Grade, count: int, decided: Sequence[Judgement]) -> Row:
    most = max(count for _, count in _by_gravity(decided))
    length = max(1, round(count * min(LONGEST, most) / most))
    run: Run = ("█" * length, telling.tone_of(Judgement(grade)))
    return [(f"{grade.title:<{LABEL}}", Tone.TEXT), run, (f" {count}", Tone.STRONG)]


def turning_ply(match: Match, path: Sequence[AnyNode]) -> int | None:
    """The ply of the first move by which a person changed the result."""
    found = [figures(made).turning_point for made in sides(match.session.players, path).values()]
    return min((ply for ply in found if ply is not None), default=None)


def has_drills(match: Match) -> bool:
    """Whether there is something to drill in the game: the same as is put into the box."""
    return bool(from_mistakes(match.session, match.values))
