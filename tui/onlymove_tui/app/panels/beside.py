"""What stands beside a board: players, moves, who is winning, the values so far, what there is to read.

State in, rows out; which of it may be seen is decided here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from onlymove_engines.match.disclosure import is_revealed
from onlymove_engines.match.match import Match
from onlymove_engines.match.seats import is_with_others
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.board.playback import Playback
from onlymove_tui.app.panels import moves, worth
from onlymove_tui.app.panels.moments import turning_ply
from onlymove_tui.app.panels.numbering import named
from onlymove_tui.app.panels.telling import piece_tone, player_rows
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.table import Side, Told
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.app.widgets.value_strip import Strip

ASK: Row = (("v", Tone.KEY), (" shows what every move leads to", Tone.DIM))
NOT_WHILE_HELD: Row = (("Not while a move is held", Tone.DIM),)
AFTERWARDS: Row = (("Told when the game is over", Tone.DIM),)
NOTHING_TO_CHOOSE: Row = (("Nothing is chosen here", Tone.DIM),)


class Watched(Protocol):
    """A board with something beside it. `shows_everything`: judgements are shown without regard to who has answered
    what; `names_engines`: who sits there, not only where; `shows_worth`: what every move leads to may be seen; `way`:
    the moments that are listed."""

    match: Match
    playback: Playback
    shows_everything: ClassVar[bool]
    names_engines: ClassVar[bool]

    @property
    def shows_worth(self) -> bool: ...
    @property
    def way(self) -> Sequence[AnyNode]: ...


def side(on: Watched, coach: Told, width: int) -> Side:
    """Everything beside the board; what there is to read has `width` columns."""
    match, playback, everything = on.match, on.playback, on.shows_everything
    path = on.way
    return Side(
        player_rows(match, playback.result, on.names_engines, width),
        moves.plies_of(match, path, everything),
        path.index(playback.at),
        not match.is_simultaneous,
        winning(on, playback.at, width),
        strip(on) if everything or is_revealed(match) else None,
        coach,
        every_move(on, width),
    )


def winning(on: Watched, node: AnyNode, width: int) -> Row:
    """Who is winning, where that may be seen."""
    is_told = on.shows_everything or on.shows_worth or on.playback.result is not None
    return worth.who_wins(on.match, node, width) if is_told and on.playback.refutation is None else ()


def strip(on: Watched) -> Strip:
    """The values of the way, the shown moment pointed at and named; at the end of a game the moment it turned."""
    match, playback, path = on.match, on.playback, on.way
    above, below = match.game.seats
    tones = (piece_tone(match.game, 0), piece_tone(match.game, 1))
    here, turned = path.index(playback.at), turning_ply(match, path)
    is_end = playback.result is not None and not playback.is_past
    marked, said = (turned, "turned at ") if is_end and turned is not None else (here, "")
    caption = said + named(match.game, path[marked])
    return Strip(
        moves.columns_of(match, path, on.shows_everything), here, marked, caption, f"↑ {above}  ↓ {below}", tones
    )


def every_move(on: Watched, width: int) -> Told:
    """What each move from the shown moment leads to, where that may be seen."""
    at, rows = on.playback.at, list[Row]()
    if on.shows_worth:
        following = next((node for node in on.way if node.parent is at), None)
        played = None if following is None else following.move
        rows = worth.moves_by_worth(on.match, at, on.match.values(at), width, played)
    return Told("Every move", rows, otherwise=instead(on))


def instead(on: Watched) -> Row:
    """What stands there while no values do: the key that shows them, where it does."""
    if not on.match.session.is_over and is_with_others(on.match.session):
        return AFTERWARDS
    if on.shows_worth or on.match.session.is_over:
        return NOTHING_TO_CHOOSE
    return NOT_WHILE_HELD if on.match.is_held and not on.match.is_simultaneous else ASK
