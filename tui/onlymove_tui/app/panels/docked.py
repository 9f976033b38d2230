"""The lines under a board, and what there is to read at its great moments: a held move, the end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from onlymove_engines.coach.drill import from_mistakes
from onlymove_engines.coach.figures import decisions, figures
from onlymove_engines.coach.made import Made, sides
from onlymove_engines.coach.tutor import Held
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result, Target
from onlymove_engines.core.value import Seat
from onlymove_engines.match.explanation import Refutation, fitting
from onlymove_engines.match.match import Match
from onlymove_engines.match.seats import is_between_engines
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.panels import telling, worth
from onlymove_tui.app.panels.telling import named, place_of
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import is_hint
from onlymove_tui.app.widgets.canvas import Row, Run, folded, width_of
from onlymove_tui.app.widgets.table import Docked, Told
from onlymove_tui.app.widgets.typing import Typing
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


def key_row(*keys: tuple[str, str], gap: str = "   ") -> Row:
    """`Enter keep   u rethink`."""
    row: list[Run] = []
    for key, word in keys:
        row += [(gap if row else "", Tone.TEXT), (key, Tone.KEY), (f" {word}", Tone.TEXT)]
    return row


HELD_KEYS = key_row(("Enter", "keep"), ("u", "rethink"), ("h", "hint"), ("w", "why"))
FRESHLY_HELD_KEYS: Row = [(" " * len("Enter keep"), Tone.TEXT), *HELD_KEYS[3:]]
"""Nothing jumps when the key that keeps the move appears."""
OVER_KEYS = (("e", "review"), ("a", "again"), ("A", "other side"), ("u", "undo"))
DRILL_KEY = ("d", "drills")
REFUTATION_KEYS = key_row(("w", "next"), ("[", "back"), ("u", "to the game"))
REVIEW_KEYS = key_row(("w", "next"), ("[", "back"), ("Backspace", "to the review"))
PAST_KEYS = key_row(("[", "earlier"), ("]", "later"), ("End", "to the game"))


def asking(question: Row, keys: Row) -> Docked:
    """A banner with the keys that answer it."""
    return Docked([question, keys], is_banner=True, names_keys=True)


def held_lines(match: Match, held: Held, message: Row, reasons: Sequence[str], may_keep: bool, width: int) -> Docked:
    """What a held move gives away, and what can be done about it: kept only once that can have been read. Of the
    reasons the first that has room, while nothing else is said."""
    lost = what_is_lost(match, held.seat, held.judgement)
    first: list[Run] = [(f"{held.judgement.glyph}  {lost}", Tone.ERROR), ("  ", Tone.TEXT), *message]
    if not message:
        first.append((fitting(reasons, width - width_of(first)), Tone.TEXT))
    return asking(first, HELD_KEYS if may_keep else FRESHLY_HELD_KEYS)


def refutation_lines(game: AnyGame, refutation: Refutation, keys: Row = REFUTATION_KEYS) -> Docked:
    """Where in the refutation the board is."""
    return asking(worth.refutation_line(game, refutation), keys)


def past_lines(match: Match, at: AnyNode) -> Docked:
    """Which earlier moment is looked at."""
    place = place_of(match.game, at, match.node)
    where: Row = [("At " if at.parent is None else "After ", Tone.STRONG), (place, Tone.STRONG)]
    return Docked([where, PAST_KEYS], names_keys=True)


def over_lines(match: Match, result: Result, new_drills: int, message: Row, keys: Sequence[tuple[str, str]]) -> Docked:
    """How the game has ended, or what came of a command since; and what can be done now."""
    keys = (DRILL_KEY, *keys) if has_drills(match) else keys
    drills = f"  {new_drills} new drill{'s' if new_drills > 1 else ''}" if new_drills else ""
    who, colon, why = ending(match.game, result).partition(":")
    first: Row = [(who, Tone.STRONG), (colon + why, Tone.STRONG), (drills, Tone.HINT)]
    return asking(message or first, key_row(*keys, gap="  "))


def with_time(rows: Sequence[Row], time: Row) -> Sequence[Row]:
    """The time that is left, before the first line; before a hint, where that may stand alone."""
    if not time or not rows:
        return rows
    at = len(rows) - 1 if is_hint(rows[-1]) else 0
    return [[*time, ("   ", Tone.TEXT), *row] if n == at else row for n, row in enumerate(rows)]


def typing_lines(typing: Typing, width: int) -> Docked:
    """The move that is being typed, and why it was refused. The keys are in the footer."""
    why: Row = [(typing.why, Tone.ERROR)] if typing.why else [("in the game's notation", Tone.DIM)]
    return Docked([[("Move  ", Tone.KEY), *typing.row(width - 8)], why])


def turn_line(match: Match, prefix: Sequence[Target], is_paused: bool) -> Row:
    """Whose turn it is, and what has been entered so far."""
    if match.session.is_over:
        return []
    if match.waiting is not None:
        return waiting_line(match)
    seat = match.seat
    if seat is None:
        return engines_line(match, is_paused)
    name, tone = telling.seat_name(match, seat), telling.seat_tone(match.game, seat)
    row: list[Run] = [(name, tone), (" chooses" if match.is_simultaneous else " to move", Tone.TEXT)]
    if match.is_simultaneous and not match.is_blind:
        row = [("Both choose; you are ", Tone.TEXT), (name, tone)]
    row += steering(match.game)
    if prefix:
        row.append((f"   {' - '.join(prefix)} - ?", Tone.CURRENT))
    return row


def steering(game: AnyGame) -> Row:
    """That a way is chosen by an arrow alone, where it is."""
    return [("   the arrows steer", Tone.DIM)] if "up" in game.direct_keys else []


def waiting_line(match: Match) -> Row:
    """A move that was made waits until it can be judged."""
    prepares = match.knowledge.analyst is None and match.game.facts.plays_by_search
    what = "Getting ready, once. " if prepares else "Judging it. "
    return [(what, Tone.DIM), ("Backspace", Tone.KEY), (" takes it back", Tone.DIM)]


def engines_line(match: Match, is_paused: bool) -> Row:
    """An engine is to move, or both are."""
    between_engines = is_between_engines(match.session)
    if between_engines and is_paused:
        return [("Paused: ", Tone.STRONG), ("p", Tone.KEY), (" goes on", Tone.DIM)]
    mover = match.session.to_move
    who = "The engines are" if mover is None else f"{telling.seat_name(match, mover)} is"
    thinking: Row = [(f"{who} thinking", Tone.DIM)]
    return [*thinking, ("   p", Tone.KEY), (" pause", Tone.DIM)] if between_engines else thinking
