"""The game that comes of two records: what counts of what was said, and where it has led.

A pure function of the lines, the same for both players and whoever looks on. What may be played and how a game ends is
the line's to know, as everywhere; what does not fit is passed over, and nothing that anybody writes ends the game but
what the rules of the table say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.match.clock import read_control
from onlymove_engines.match.seats import parse_choice
from onlymove_engines.play.conventions import find_house_rule
from onlymove_engines.play.line import AnyLine, Line
from onlymove_engines.play.session import AnySession, Session

from onlymove_tui.meeting.hidden import fixed
from onlymove_tui.meeting.order import Told
from onlymove_tui.meeting.spoken_lines import (
    Answering,
    Asking,
    Claiming,
    Committing,
    Deciding,
    Moving,
    Opening,
    Resigning,
    Revealing,
    SpokenLine,
    Wish,
)
from onlymove_tui.meeting.table_clock import TableClock

BROKEN = "did not show the move that was fixed"


@dataclass(frozen=True, slots=True)
class Request:
    """What a side has asked for and not been answered yet, in which line of its record."""

    wish: Wish
    line: int
    back_to: int


@dataclass(frozen=True, slots=True)
class TableStanding:
    """Where a game at a table stands: its moves; a result that was agreed on or comes of the table's rules (how the
    game's own rules end it the line knows); what is fixed and hidden in this round, by side, and what of it has been
    shown; what each side asks for."""

    moves: tuple[Move, ...]
    agreed: Result | None
    is_over: bool
    epoch: int
    fixed: Mapping[Seat, str]
    shown: Mapping[Seat, Move]
    requests: Mapping[Seat, Request]
    clock: TableClock

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return len(self.moves)


def line_of(game: AnyGame, opening: Opening) -> AnyLine:
    """The line of a game as it was opened. Raises OnlymoveError for a start or a rule that there is not."""
    return Line(game, game.notation.parse_position(opening.start), find_house_rule(game, opening.rule))


class Course:
    """`began` is when the game did; `told` is handed the lines in their order. `line` is its own from now on."""

    def __init__(self, line: AnyLine, opening: Opening, began: float) -> None:
        line.stand_at(line.root)
        line.agreed = None
        self.session: AnySession = Session.of(line)
        self.table = opening.table
        self.version = opening.version
        self.seats = (opening.seat, other(opening.seat))
        self.clock = TableClock(read_control(opening.clock))
        self.epoch = 0
        self.fixed: dict[Seat, str] = {}
        self.shown: dict[Seat, Move] = {}
        self.requests: dict[Seat, Request] = {}
        self._go_on(began)

    def standing(self) -> TableStanding:
        """Where all that was told has led."""
        session = self.session
        agreed, fixed = session.line.agreed, dict(self.fixed)
        return TableStanding(
            tuple(session.moves()),
            agreed,
            session.is_over,
            self.epoch,
            fixed,
            dict(self.shown),
            dict(self.requests),
            self.clock,
        )

    def take(self, told: Told) -> None:
        """One more line. After the end none counts, nor does one about a decision that the game is not at."""
        side, number, said = told
        is_elsewhere = isinstance(said, Deciding) and (said.epoch, said.ply) != (self.epoch, self.session.node.ply)
        if not self.session.is_over and not is_elsewhere:
            self._hear(self.seats[side], number, said)
            if self.session.is_over:
                self.clock.freeze(said.time)
                self.requests.clear()

    def _hear(self, seat: Seat, number: int, said: SpokenLine) -> None:
        match said:
            case Moving():
                self._move(seat, said)
            case Committing():
                self._commit(seat, said)
            case Revealing():
                self._reveal(seat, said)
            case Asking():
                self._ask(seat, number, said)
            case Answering():
                self._answer(seat, said)
            case Resigning():
                (self.session.lose_on_time if said.is_late else self.session.resign)(seat)
            case Claiming():
                if self.clock.is_late(other(seat), said.time):
                    self.session.lose_on_time(other(seat))

    def _go_on(self, at: float) -> None:
        """Another decision: what belonged to the last one is gone."""
        for left_behind in (self.fixed, self.shown, self.requests):
            left_behind.clear()
        mover = self.session.to_move
        self.clock.start((0, 1) if mover is None else (mover,), at)

    # Moves.

    def _move(self, seat: Seat, said: Moving) -> None:
        if self.session.to_move != seat or (move := self._legal(seat, said.move)) is None:
            return
        at = self._chosen(seat, said.time)
        if at is not None:
            self.clock.add(seat)
            self.session.play(move)
            self._go_on(at)

    def _legal(self, seat: Seat, text: str) -> Move | None:
        try:
            move = parse_choice(self.session, seat, text)
            self.session.check(seat, move)
        except OnlymoveError:
            return None
        return move

    def _chosen(self, seat: Seat, stamp: float) -> float | None:
        """When a choice was made; `None` if that was too late."""
        at = self.clock.stop(seat, stamp)
        if self.clock.has_overstepped(seat):
            self.session.lose_on_time(seat)
            return None
        return at

    def _commit(self, seat: Seat, said: Committing) -> None:
        if self.session.to_move is not None or seat in self.fixed:
            return
        at = self._chosen(seat, said.time)
        if at is not None:
            self.fixed[seat] = said.fixed
            if len(self.fixed) == 2:
                # Whoever does not show his choice now loses time as if he had not made it.
                self.clock.start((0, 1), at)

    def _reveal(self, seat: Seat, said: Revealing) -> None:
        if len(self.fixed) < 2 or seat in self.shown:
            return
        move = self._legal(seat, said.move)
        hidden = fixed(self.table, seat, said.epoch, said.ply, said.nonce, said.move)
        if move is None or hidden != self.fixed[seat]:
            self.session.line.agreed = Result(other(seat), reason=f"{self.session.game.seats[seat]} {BROKEN}")
            return
        at = self._chosen(seat, said.time)
        if at is None:
            return
        self.shown[seat] = move
        if len(self.shown) == 2:
            for chooser, choice in self.shown.items():
                self.clock.add(chooser)
                self.session.commit(chooser, choice)
            self._go_on(at)

    # Asking.

    def _ask(self, seat: Seat, number: int, said: Asking) -> None:
        theirs = self.requests.get(other(seat))
        if said.wish is Wish.DRAW and theirs is not None and theirs.wish is Wish.DRAW:
            self.session.agree_draw()
        elif seat in self.requests and self.version > 1:
            return  # one request at a time: it stands until it is answered or the game goes on
        elif said.wish is Wish.DRAW or said.back_to < said.ply:
            self.requests[seat] = Request(said.wish, number, said.back_to)

    def _answer(self, seat: Seat, said: Answering) -> None:
        asker = other(seat)
        request = self.requests.get(asker)
        if request is None or request.line != said.asked:
            return
        if not said.agrees:
            del self.requests[asker]
        elif request.wish is Wish.DRAW:
            self.session.agree_draw()
        else:
            self.session.line.stand_at(self.session.node.path()[request.back_to])
            self.epoch += 1
            self._go_on(said.time)
