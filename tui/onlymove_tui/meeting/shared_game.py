"""A game that is shared with another login, as a match sees it: what is done here goes into the records, and the game
stands where the records say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.match.clock import TimeControl
from onlymove_engines.match.match import Match
from onlymove_engines.match.terms import Coaching, Keeper
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players
from onlymove_engines.play.session import AnySession

from onlymove_tui.meeting.course import Request
from onlymove_tui.meeting.spoken_lines import Wish
from onlymove_tui.meeting.table import Table

LONGEST_NAME = 24
"""Letters of a name that are shown beside a board."""


class SharedGame:
    """The remote side of a match. `table` reads and writes the records. A spectator chooses nothing. What writes raises
    LogTrouble."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def read(self) -> tuple[Sequence[Move], Result | None, Mapping[Seat, Move]]:
        standing, own, chosen = self.table.standing, self.table.own, self.table.chosen()
        hidden = {} if own is None or chosen is None else {own.seat: chosen}
        return standing.moves, standing.agreed, hidden

    def send_move(self, move: Move) -> None:
        self.table.move(move)

    def send_resignation(self) -> None:
        self.table.resign()

    def ask_for_draw(self) -> None:
        self.table.ask(Wish.DRAW)

    # Requests.

    def request(self) -> Request | None:
        """What the other side asks for."""
        own = self.table.own
        return None if own is None else self.table.standing.requests.get(other(own.seat))

    def own_request(self) -> Request | None:
        """What the other side has been asked for."""
        own = self.table.own
        return None if own is None else self.table.standing.requests.get(own.seat)

    def ask_undo(self, match: Match) -> bool:
        """Ask the other side to go back to one's own last decision. Returns whether there is one."""
        target = None if match.session.is_over else self._own_decision(match)
        if target is not None:
            self.table.ask(Wish.UNDO, target.ply)
        return target is not None

    def _own_decision(self, match: Match) -> AnyNode | None:
        """The nearest earlier moment at which one chose."""
        own, rules = self.table.own, match.game.rules
        earlier = list(match.node.lineage())[1:]
        return next((node for node in earlier if own and rules.to_move(node.position) in (None, own.seat)), None)

    def answer(self, match: Match, agrees: bool) -> bool:
        """Answer the other side's request. Returns whether the game stands elsewhere now."""
        self.table.answer(agrees)
        return match.follow()


class SharedClock:
    """A clock that the records keep: they know whose time runs, and who has lost on it."""

    late: Seat | None = None

    def __init__(self, table: Table, control: TimeControl) -> None:
        self.table = table
        self.control = control

    @property
    def left(self) -> tuple[float, float]:
        """Seconds that each side has."""
        return self.table.left() or (0.0, 0.0)

    def start(self, seat: Seat | None, ply: int) -> None:
        """The records know whose time runs."""

    def lose(self, seat: Seat) -> None:
        """The records know who has lost."""


def shared_match(table: Table, session: AnySession, coaching: Coaching, keeper: Keeper | None, random: Random) -> Match:
    """The game that is read from a table's records, without training."""
    match = Match(session, coaching, False, keeper, random, SharedGame(table))
    if (control := table.standing.clock.control) is not None:
        match.timing = SharedClock(table, control)
    return match


def shared_of(match: Match) -> SharedGame:
    """The remote side of a match that is shared with another login."""
    assert isinstance(match.remote, SharedGame), "it is shared"
    return match.remote


def players_at(table: Table, by: int) -> Players:
    """Who sits there: oneself, and others by the names that the account `by` knows them by."""
    own = None if table.own is None else table.own.seat
    first, second = (
        HUMAN if seat == own else Player(PlayerKind.ELSEWHERE, name=table.person(seat).named(by)[:LONGEST_NAME])
        for seat in (0, 1)
    )
    return first, second
