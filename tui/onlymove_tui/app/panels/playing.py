"""A game that goes on as its players may see it: marks, notes, the docked lines. State in, rows out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.tutor import Held
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Mixed
from onlymove_engines.match.disclosure import may_be_explained, may_be_explored
from onlymove_engines.match.match import Match

from onlymove_tui.app.board.entering import Entering
from onlymove_tui.app.board.guard import Guard
from onlymove_tui.app.board.playback import Playback
from onlymove_tui.app.panels import docked, telling, worth
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.app.widgets.table import Docked, Told

WHILE_PLAYING = frozenset(
    {"hint", "values", "type_move", "training", "resign", "draw", "swap", "die", "pause", "players"}
)
"""Commands that make no sense once the game is over."""

OBJECTIVES = {Objective.RESULT: "the result", Objective.MARGIN: "every point"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a player has asked to see of the decision at hand; gone with it. `is_latest`: later than for values."""

    hint: Hint | None = None
    payoffs: bool = False
    is_latest: bool = False


NOTHING = Asked()


def game_title(match: Match) -> Row:
    """The game and how it is solved, which says nothing of a game that begins elsewhere."""
    game, start = match.game, match.session.line.root.position
    is_usual = match.is_simultaneous or start == game.default_start()
    return [(game.title, Tone.TITLE), (f"  {game.solved if is_usual else 'from another start'}", Tone.DIM)]


def terms(match: Match) -> Row:
    """The house rule, whether bad moves are held, and what is played for."""
    rule = match.session.line.house_rule
    named = "" if rule is None else f"{rule.title.lower()}  "
    objective = f", for {OBJECTIVES[match.coaching.objective]}" if match.game.facts.has_margin else ""
    return [(f"{named}training {'on' if match.training else 'off'}{objective}", Tone.DIM)]


class Shown(Protocol):
    """A board on which moves are entered."""

    match: Match
    playback: Playback
    entering: Entering
    guard: Guard
    asked: Asked
    message: Row
    values_shown: bool

    @property
    def line_width(self) -> int: ...

    def has_class(self, *names: str) -> bool: ...

    def live_keys(self) -> dict[str, str]: ...


def entry_marks(on: Shown, with_values: bool) -> Marks:
    """Cursor, choices and whatever was asked to be shown. What one of two people chooses unseen is not marked."""
    seat, values, entry = on.match.seat, on.match.values(), on.entering.entry
    labels = {}
    if with_values and values is not None and seat is not None:
        labels = worth.value_labels(on.match.game, on.match.node.position, values, entry, seat)
    return Marks(
        cursor=None if seat is None else on.entering.aim,
        chosen=() if on.match.is_blind else entry.prefix,
        legal=entry.next_targets(),
        last=() if entry.prefix else on.playback.last_targets,
        hint=() if on.asked.hint is None else on.asked.hint.targets,
        values=labels,
    )


def held_marks(on: Shown) -> Marks:
    """A move that is held, wherever it goes wrong."""
    return Marks(threat=on.entering.prefix, hint=() if on.asked.hint is None else on.asked.hint.targets)


def advice_rows(on: Shown, with_values: bool, width: int) -> Sequence[Row]:
    """The hint, and the payoffs where both move at once."""
    match, hint = on.match, on.asked.hint
    rows = [] if hint is None else worth.hint_rows(hint, width, not on.entering.takes_digits)
    values, is_told = match.values(), hint is not None and hint.is_last
    if isinstance(values, Mixed) and (with_values or on.asked.payoffs or is_told):
        rows += worth.payoff_rows(values, match.speaking_seat, on.live_keys().get("die", ""))
    return rows


def notes(on: Shown, with_values: bool, width: int, is_brief: bool, rating: str) -> Told:
    """The end of the game, and what it did to the `rating`; what a held move gives away; hints."""
    held, hints = on.match.tutor.held, advice_rows(on, with_values, width)
    if on.playback.result is not None:
        card = docked.end_card(on.match, on.playback.path, width, is_brief, rating)
        return replace(card, is_first=on.playback.is_live)
    if held is not None and on.playback.is_live:
        reasons = held_reasons(on.match, held)
        lines = telling.reason_rows(on.match, reasons, width) if may_be_explained(on.match) and not is_brief else ()
        return docked.held_card(on.match, held, lines, hints, width)
    return Told("Coach", hints, is_first=on.asked.is_latest)


def held_reasons(match: Match, held: Held) -> Sequence[str]:
    """What may be said of a held move, as far as it is known."""
    found = match.advice.explanation((match.node, held.seat, held.move))
    return found.discreet if may_be_explained(match) else ()


def game_lines(on: Shown, is_paused: bool, new_drills: int, compiled: float | None, way_out: str) -> Docked:
    """What is looked at; else how the game ended; else what is held; else whose turn it is."""
    match, playback, held = on.match, on.playback, on.match.tutor.held
    if playback.refutation is not None:
        return docked.refutation_lines(match.game, playback.refutation)
    if playback.is_past:
        return docked.past_lines(match, playback.at)
    if playback.result is not None:
        keys = (*docked.OVER_KEYS, ("q", way_out))
        return docked.over_lines(match, playback.result, new_drills, on.message, keys)
    if held is not None:
        reasons = held_reasons(match, held)
        return docked.held_lines(match, held, on.message, reasons, on.guard.is_open, on.line_width)
    message = on.message or news(on, compiled)
    return Docked([docked.turn_line(match, on.entering.prefix, is_paused), message])


def news(on: Shown, compiled: float | None) -> Row:
    """What there is to say while nothing else is said."""
    match = on.match
    if compiled is not None:
        meanwhile = "" if match.game.plain_choice is None else " Till then engines play by plain rules."
        return ((f"Compiling the search, once on this machine: {compiled:.0%}.{meanwhile}", Tone.DIM),)
    if on.values_shown and match.seat is not None and (row := telling.lack_of_values(match, match.node)):
        return row
    if on.values_shown and match.seat is not None and (said := match.advice.hardest.get(match.node.id)):
        return [(said, Tone.HINT)]
    return telling.round_row(match)


def why_not(match: Match, playback: Playback) -> str:
    """Why no move can be entered now; empty where one can."""
    if match.session.is_over:
        return "The game is over."
    if not playback.is_live:
        return "The game stands elsewhere: Esc, then u goes there."
    if match.is_held:
        return "A move is held: Esc, then Enter keeps, u rethinks."
    if match.waiting is not None:
        return "Your move is being looked at."
    return "" if match.seat is not None else "It is not your turn yet."


def people(on: Shown) -> int:
    """How many of the players are."""
    return len(on.match.session.human_seats())


def is_fresh(on: Shown) -> bool:
    """Whether a held move has not been seen yet: no key keeps it."""
    return on.playback.is_live and on.match.is_held and not on.guard.is_open


def is_steered(on: Shown) -> bool:
    """Whether arrows play, and there is nothing to choose."""
    return on.playback.is_live and on.entering.is_steered and not on.match.is_held


APPLIES: Mapping[str, Callable[[Shown], bool]] = {
    "overlay": lambda on: bool(on.match.game.overlay_title),
    "objective": lambda on: on.match.game.facts.has_margin,
    "values": lambda on: on.match.is_simultaneous or not on.match.is_held,
    "die": lambda on: on.match.game.facts.simultaneous,
    "pause": lambda on: not people(on),
    "rematch": lambda on: on.match.session.is_over,
    "explore": lambda on: may_be_explored(on.match),
    "drill_these": lambda on: on.match.session.is_over and docked.has_drills(on.match),
    "resign": lambda on: people(on) > 0,
    "draw": lambda on: people(on) > 0,
    "swap": lambda on: people(on) == 1,
    "choose": lambda on: (
        not (on.match.session.is_over and on.playback.is_live) and not is_fresh(on) and not is_steered(on)
    ),
    "training": lambda on: not is_fresh(on),
    "panel": lambda on: on.has_class("-narrow"),
}
"""When a command applies; those that are not named always do."""


def is_possible(on: Shown, command: str) -> bool:
    """Whether a command applies to this game now. Asked of every key at every key: each costs only its own answer."""
    if command in WHILE_PLAYING and on.match.session.is_over:
        return False
    return command not in APPLIES or APPLIES[command](on)
