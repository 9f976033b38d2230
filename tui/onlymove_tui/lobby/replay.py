"""Finds out from two records how a game stands: the order of their lines, what each line changes, and what it costs.

The result depends only on the lines, and on how long a player who is away has kept the other waiting. Both players and
all spectators therefore see the same game, even if one of them has read more than another. A line that the rules do not
allow is skipped, so nobody can break the game by what they write.

A line comes after every line that its writer had read. If neither writer had read the other's line, moves come first,
then resignations, answers and requests. So nobody can answer a request that a move has cancelled. If both lines are of
one kind, the opener's line comes first.

The times in a record count only for its writer. A line costs its writer the time since the writer's app first showed
the decision, or since the writer's line before. Nothing that one side writes can take time from the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.live.clock import TimeControl, read_control
from onlymove_engines.play.session import AnySession, Session, parse_choice
from onlymove_engines.play.tree import AnyTree, GameTree, find_house_rule

from onlymove_tui.lobby.record_file import (
    Answering,
    Asking,
    Committing,
    DecisionMessage,
    Message,
    Moving,
    Opening,
    RecordLine,
    RequestKind,
    Resigning,
    Revealing,
    commitment,
)

RANKS: dict[type[Message | None], int] = {
    Moving: 0,
    Committing: 0,
    Revealing: 0,
    Resigning: 1,
    Answering: 2,
    Asking: 3,
}
LAST = 4

Record: TypeAlias = Sequence[RecordLine | None]
OrderedLine: TypeAlias = tuple[int, int, RecordLine]
"""The side that wrote the line (0: the opener), its number in that side's record, and the line."""


def merge_records(records: tuple[Record, Record], begin: tuple[int, int]) -> Iterator[OrderedLine]:
    """Yield the lines of both records in order, starting at the line numbers `begin`. If the writer of a line had read
    more of the other record than is known here, that line and all later ones wait."""
    at = list(begin)
    # How many lines of the other record the writer of each line had read. The numbers never go down.
    known = [list(accumulate((0 if line is None else line.read for line in record), max)) for record in records]
    while True:
        heads = [side for side in (0, 1) if at[side] < len(records[side])]
        ready = [side for side in heads if known[side][at[side]] <= at[1 - side]]
        if not ready and len(heads) < 2:
            return
        # Two lines cannot both come after each other. If they claim to, take them in the usual order.
        side = min(ready or heads, key=lambda side: (RANKS.get(type(records[side][at[side]]), LAST), side))
        message = records[side][at[side]]
        if message is not None:
            yield side, at[side], message
        at[side] += 1


class ReplayedClock:
    """The clock of a replayed game. `left` are the seconds that each seat has left after its last line. The clocks of
    the `running` seats go on from there."""

    def __init__(self, control: TimeControl | None) -> None:
        self.control = control
        bank = 0.0 if control is None else control.seconds
        self.left = [bank, bank]
        self.running: set[Seat] = set()

    def start(self, seats: Iterable[Seat]) -> None:
        """Start the clocks of these seats, which are to move, and stop all others."""
        self.running = set() if self.control is None else set(seats)

    def add(self, seat: Seat) -> None:
        """Add the increment for a move. In a time control without a bank, the seat gets its full time again."""
        if self.control is not None:
            each = self.control.increment
            self.left[seat] = self.control.seconds if each is None else self.left[seat] + each

    def find_late(self, waited: tuple[float, float]) -> Seat | None:
        """Return the seat for which the other has waited longer than it has time left, or `None`. Nobody waits for the
        other while both clocks run."""
        waited_for = self.running if len(self.running) == 1 else ()
        return next((seat for seat in waited_for if waited[seat] >= self.left[seat]), None)


BROKEN = "did not reveal the move that they had chosen"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was not answered yet. `line` is the number of its line in the record."""

    kind: RequestKind
    line: int
    back_to: int

    @property
    def sentence(self) -> str:
        """Return what the other side does by asking. The name of that side comes before it."""
        return "offers a draw." if self.kind is RequestKind.DRAW else "asks to take back a move."


def start_line(game: AnyGame, opening: Opening) -> AnyTree:
    """Return the game that the opener offered, without moves. Raises OnlymoveError if its start or rule is unknown."""
    return GameTree(game, game.notation.parse_position(opening.start), find_house_rule(game, opening.rule))


NOT_AWAY = (0.0, 0.0)


class Replay:
    """The state of a game after the lines of both records. `moves` are the moves so far. `agreed` is a result by
    agreement, by the clock or by a broken commitment. Results by the rules are in the line instead. `epoch` is the
    number of undos. For each seat, `fixed` holds the hidden choice of this round and `shown` the choice that was
    revealed. `requests` are the open requests of both sides.

    `began` are the latest times in both records before the game, the opener's first. `waited` is how long each seat,
    being away, has kept the other waiting since the last line. `absentee` is the seat that has lost by that."""

    def __init__(
        self, tree: AnyTree, opening: Opening, began: tuple[float, float], lines: Iterable[OrderedLine] = (),
        waited: tuple[float, float] = NOT_AWAY,
    ) -> None:  # fmt: skip
        tree.go_to(tree.root)
        self.session: AnySession = Session.from_tree(tree)
        self._challenge_id = opening.challenge_id
        self._seats = (opening.seat, other(opening.seat))
        self._written = dict(zip(self._seats, began, strict=True))
        self.clock = ReplayedClock(read_control(opening.clock))
        self.epoch = 0
        self.fixed: dict[Seat, str] = {}
        self.shown: dict[Seat, Move] = {}
        self.requests: dict[Seat, Request] = {}
        self._begin_decision()
        for side, number, message in lines:
            if self.session.is_over:
                break
            self._take(self._seats[side], number, message)
        self.absentee = None if self.session.is_over else self.clock.find_late(waited)
        if self.absentee is not None:
            self.clock.left[self.absentee] = 0.0
            self.session.lose_on_time(self.absentee)
        if self.session.is_over:
            self.clock.start(())
            self.requests.clear()
        self.moves: tuple[Move, ...] = tuple(self.session.list_moves())
        self.agreed = tree.agreed
        self.is_over = self.session.is_over

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def decision(self) -> tuple[int, int, bool]:
        """What is to be decided: the undos and moves before it, and whether both sides have to reveal their choices."""
        return self.epoch, self.session.node.ply, len(self.fixed) == 2

    def _take(self, seat: Seat, number: int, message: RecordLine) -> None:
        """Apply a line, unless it is about another decision or its writer is out of time."""
        is_current = not isinstance(message, DecisionMessage) or (message.epoch, message.ply) == self.decision[:2]
        before = self._written[seat]
        at = self._written[seat] = max(before, message.time)
        if not is_current:
            return
        if seat in self.clock.running and message.seen is not None:
            self.clock.left[seat] -= at - min(at, max(before, message.seen))
            if self.clock.left[seat] <= 0:
                self.session.lose_on_time(seat)
                return
        self._apply(seat, number, message)

    def _apply(self, seat: Seat, number: int, message: RecordLine) -> None:
        match message:
            case Moving():
                self._move(seat, message)
            case Committing():
                self._commit(seat, message)
            case Revealing():
                self._reveal(seat, message)
            case Asking():
                self._ask(seat, number, message)
            case Answering():
                self._answer(seat, message)
            case Resigning():
                (self.session.lose_on_time if message.is_late else self.session.resign)(seat)

    def _begin_decision(self) -> None:
        """Begin the next decision: drop the choices and requests of the last one, and start the clocks."""
        for finished in (self.fixed, self.shown, self.requests):
            finished.clear()
        mover = self.session.to_move
        self.clock.start((0, 1) if mover is None else (mover,))

    def _move(self, seat: Seat, message: Moving) -> None:
        if self.session.to_move == seat and (move := self._legal(seat, message.move)) is not None:
            self.clock.add(seat)
            self.session.play(move)
            self._begin_decision()

    def _legal(self, seat: Seat, text: str) -> Move | None:
        try:
            move = parse_choice(self.session, seat, text)
            self.session.check_move(seat, move)
        except OnlymoveError:
            return None
        return move

    def _commit(self, seat: Seat, message: Committing) -> None:
        if self.session.to_move is not None or seat in self.fixed:
            return
        self.fixed[seat] = message.fixed
        # Once both have chosen, a player who does not reveal the choice loses time.
        self.clock.start((0, 1) if len(self.fixed) == 2 else (other(seat),))

    def _reveal(self, seat: Seat, message: Revealing) -> None:
        if len(self.fixed) < 2 or seat in self.shown:
            return
        move = self._legal(seat, message.move)
        hidden = commitment(self._challenge_id, seat, message.epoch, message.ply, message.nonce, message.move)
        if move is None or hidden != self.fixed[seat]:
            self.session.end(Result(other(seat), reason=f"{self.session.game.seats[seat]} {BROKEN}"))
            return
        self.shown[seat] = move
        self.clock.start((other(seat),))
        if len(self.shown) == 2:
            for chooser, choice in self.shown.items():
                self.clock.add(chooser)
                self.session.commit(chooser, choice)
            self._begin_decision()

    def _ask(self, seat: Seat, number: int, message: Asking) -> None:
        theirs, is_for_draw = self.requests.get(other(seat)), message.wish is RequestKind.DRAW
        if is_for_draw and theirs is not None and theirs.kind is RequestKind.DRAW:
            self.session.agree_draw()
        elif seat not in self.requests and (is_for_draw or message.back_to < message.ply):
            # Only one request at a time. It stays open until it is answered or the game goes on.
            self.requests[seat] = Request(message.wish, number, message.back_to)

    def _answer(self, seat: Seat, message: Answering) -> None:
        asker = other(seat)
        request = self.requests.get(asker)
        if request is None or request.line != message.asked:
            return
        if not message.agrees:
            del self.requests[asker]
        elif request.kind is RequestKind.DRAW:
            self.session.agree_draw()
        else:
            self.session.go_to(self.session.node.path()[request.back_to])
            self.epoch += 1
            self._begin_decision()
