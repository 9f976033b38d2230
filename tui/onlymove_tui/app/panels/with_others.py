"""What is said under the board of a game with somebody elsewhere: whose turn it is, who is there, what is asked for.
State in, rows out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from onlymove_engines.core.rules import Result, Target
from onlymove_engines.core.value import Seat
from onlymove_engines.match.explanation import Refutation
from onlymove_engines.match.match import Match

from onlymove_tui.app.panels import docked, telling
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.table import Docked
from onlymove_tui.meeting.shared_game import shared_of
from onlymove_tui.meeting.spoken_lines import Wish

ASKED = "Asked; the other side may agree or not."
OVER_KEYS = (("e", "review"), ("a", "again"), ("A", "other side"), ("q", "menu"))
LOOKED_ON_KEYS = (OVER_KEYS[0], OVER_KEYS[-1])
WISHES = {Wish.DRAW: "offers a draw.", Wish.UNDO: "asks to take back."}
ANSWERS = docked.key_row(("y", "agree"), ("n", "decline"))


def terms(match: Match) -> Row:
    """The house rule, and that this is no training."""
    rule = match.session.line.house_rule
    named = "" if rule is None else f"{rule.title.lower()}  "
    return [(f"{named}{'with somebody elsewhere' if shared_of(match).table.own else 'looking on'}", Tone.DIM)]


def name_at(match: Match, seat: Seat) -> str:
    """Who sits there, as one knows him; `you` for oneself."""
    player = match.session.players[seat]
    return player.name if player.is_elsewhere else "you"


class Shown(Protocol):
    """Which moment of a game is on the board."""

    @property
    def refutation(self) -> Refutation | None: ...
    @property
    def is_past(self) -> bool: ...
    @property
    def result(self) -> Result | None: ...


def lines(
    match: Match,
    shown: Shown,
    prefix: Sequence[Target],
    message: Row,
    asks_again: str,
    usual: Docked,
    new_drills: int,
) -> Docked:
    """What every board says of the past; else of the end, of a request, of whose turn it is."""
    if shown.refutation is not None or shown.is_past:
        return usual
    shared = shared_of(match)
    own = shared.table.own
    if shown.result is not None:
        keys = LOOKED_ON_KEYS if own is None else OVER_KEYS
        asked: Row = [(f"{asks_again} wants to play again: a", Tone.STRONG)] if asks_again else ()
        return docked.over_lines(match, shown.result, new_drills, message or asked, keys)
    if (request := shared.request()) is not None and own is not None:
        who = name_at(match, 1 - own.seat)
        return docked.asking([(f"{who} {WISHES[request.wish]}", Tone.STRONG)], ANSWERS)
    return Docked([turn(match, prefix), message or status(match)])


def turn(match: Match, prefix: Sequence[Target]) -> Row:
    """Whose turn it is."""
    if match.seat is not None:
        return docked.turn_line(match, prefix, False)
    mover = match.session.to_move
    if mover is None:
        waiting = [seat for seat in (0, 1) if seat not in shared_of(match).table.standing.fixed]
        names = " and ".join(name_at(match, seat) for seat in waiting)
        return [(f"{names} still choose{'s' if len(waiting) == 1 else ''}" if names else "Both have chosen", Tone.DIM)]
    name, tone = telling.seat_name(match, mover), telling.seat_tone(match.game, mover)
    return [(name, tone), (f" to move: {name_at(match, mover)}", Tone.TEXT)]


def status(match: Match) -> Row:
    """What is wrong with a record; who is away, also if he has been asked for something; what one has asked for."""
    if damage := shared_of(match).table.damage:
        return [(f"{damage[0].upper()}{damage[1:]}.", Tone.ERROR)]
    own = shared_of(match).table.own
    away = [seat for seat in (0, 1) if (own is None or seat != own.seat) and not shared_of(match).table.is_here(seat)]
    names = " and ".join(name_at(match, seat) for seat in away)
    if not names:
        return () if shared_of(match).own_request() is None else [(ASKED, Tone.DIM)]
    clock = ", and the clock runs" if match.timing is not None else ""
    return [(f"{names} {'is' if len(away) == 1 else 'are'} away; the game waits{clock}.", Tone.DIM)]
