"""A match of which one seat, or for a looker-on both, is played elsewhere: what is done here is said at the table, and
the game stands where the table says. Nothing is found out about it before it is over.
"""

from __future__ import annotations

from random import Random

from onlymove_engines.coach.tutor import Verdict
from onlymove_engines.core.judgement import UNKNOWN
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.match.clock import GameClock
from onlymove_engines.match.knowledge import Question
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


class TableMatch(Match):
    """`table` is where the other side is met. Training is off, and whoever looks on chooses nothing."""

    def __init__(
        self, table: Table, session: AnySession, coaching: Coaching, keeper: Keeper | None, random: Random
    ) -> None:
        super().__init__(session, coaching, False, keeper, random)
        self.table = table
        if (control := table.standing.clock.control) is not None:
            self.timing = SharedClock(control, lambda: 0.0, None)
            self.timing.table = table
        self.follow()

    # What the table says.

    def follow(self) -> bool:
        """The game stands where the table says. Returns whether it stood elsewhere before, or had not ended."""
        standing, line = self.table.standing, self.session.line
        node = line.root
        for move in standing.moves:
            node = line.add(node, move)
            node.players = node.players or self.session.players
        is_new = node is not self.node or line.agreed != standing.agreed
        self.session.pending.clear()
        if is_new:
            line.stand_at(node)
            line.agreed = standing.agreed
            self._changed()
        chosen, own = self.table.chosen(), self.table.own
        if chosen is not None and own is not None:
            self.session.pending[own.seat] = chosen
        return is_new

    def request(self) -> Request | None:
        """What the other side asks for."""
        own = self.table.own
        return None if own is None else self.table.standing.requests.get(other(own.seat))

    def own_request(self) -> Request | None:
        """What the other side has been asked for."""
        own = self.table.own
        return None if own is None else self.table.standing.requests.get(own.seat)

    def answer(self, agrees: bool) -> bool:
        """Answer it. Returns whether the game stands elsewhere now. Raises LogTrouble."""
        self.table.answer(agrees)
        return self.follow()

    def ask_undo(self) -> bool:
        """Ask the other side to go back to one's own last decision. Returns whether there is one. Raises LogTrouble."""
        target = None if self.session.is_over else self._own_decision()
        if target is not None:
            self.table.ask(Wish.UNDO, target.ply)
        return target is not None

    def _own_decision(self) -> AnyNode | None:
        """The nearest earlier moment at which one chose."""
        own, rules = self.table.own, self.game.rules
        earlier = list(self.node.lineage())[1:]
        return next((node for node in earlier if own and rules.to_move(node.position) in (None, own.seat)), None)

    # What is done here.

    def question(self, node: AnyNode | None = None) -> Question | None:
        return super().question(node) if self.session.is_over else None

    def offer(self, seat: Seat, move: Move) -> Verdict | None:
        """A choice is said at the table, and played if that completes it. Raises LogTrouble too."""
        self.session.check(seat, move)
        before = self.node
        self.table.move(move)
        self.follow()
        return Verdict(UNKNOWN, node=None if self.node is before else self.node)

    def undo(self) -> bool:
        """Nothing is taken back without the other side."""
        return False

    def redo(self) -> bool:
        return False

    def resign(self, seat: Seat, is_late: bool = False) -> None:
        """Give the game up. Who is late the table knows. Raises LogTrouble."""
        if not is_late:
            self.table.resign()
            self.follow()

    def offer_draw(self, seat: Seat) -> bool:
        """Ask for a draw. Returns whether the game is drawn now: both have asked. Raises LogTrouble."""
        self.table.ask(Wish.DRAW)
        self.follow()
        return self.session.is_over


class SharedClock(GameClock):
    """A clock that the table keeps."""

    table: Table

    def start(self, seat: Seat | None, ply: int) -> None:
        """The table knows whose time runs."""

    def lose(self, seat: Seat) -> None:
        """And who has lost on it."""

    @property
    def left(self) -> tuple[float, float]:
        return self.table.left() or (0.0, 0.0)

    @property
    def late(self) -> Seat | None:
        return None


def players_at(table: Table, by: int) -> Players:
    """Who sits there: oneself, and others by the names that the account `by` knows them by."""
    own = None if table.own is None else table.own.seat
    first, second = (
        HUMAN if seat == own else Player(PlayerKind.ELSEWHERE, name=table.person(seat).named(by)[:LONGEST_NAME])
        for seat in (0, 1)
    )
    return first, second
