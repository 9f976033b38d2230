"""The workers of a board. They answer its questions, and find engines' moves and drills.

Workers decide nothing and hold no widget. What a worker finds is passed to a function in the app's own thread. It is
dropped if the board shows another live game by then, or if the game has gone on and that matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import NamedTuple, TypeAlias, TypeVar

from onlymove_engines.coach.drill import make_mistake_drills
from onlymove_engines.coach.values import Known, Search
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.tree import AnyNode
from textual.worker import get_current_worker

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.play.training import collect_drills

BETWEEN_ENGINES = 0.5
"""The seconds between the moves of two engines, so that a player can follow."""

ONLY_HERE = "You can get a hint only for the current position."

NewBudget: TypeAlias = Callable[[], Budget]
"""A function that makes the budget for one more question. The budget ends when the worker is cancelled."""
T = TypeVar("T")
UseResult: TypeAlias = Callable[[T], None]
"""A function that uses what a worker has found."""


class FoundValues(NamedTuple):
    """The values of the moves at a node. If the search failed, they are `None`, and `failure` says why."""

    node: AnyNode
    values: Known | None
    failure: str = ""


class EngineMove(NamedTuple):
    """An engine's move, which is hidden in a simultaneous round. It counts only while the game is in this `turn`."""

    seat: Seat
    move: Move
    turn: int


class BoardWorkers:
    """The workers of one live game. `busy` holds the seats of engines that are thinking, and `refuting` the move whose
    refutation is being searched for. `wants_hint` means that the player asked for a hint before the values were
    known."""

    def __init__(self, host: BaseScreen, live: LiveGame) -> None:
        self.host = host
        self.live = live
        self.busy: set[Seat] = set()
        self.wants_hint = False
        self.refuting: tuple[AnyNode, Move] | None = None
        self.has_collected = live.session.is_over
        self.is_closed = False

    def cancel_questions(self) -> None:
        """Cancel the questions about the last position. Questions about values go on, because the values are needed to
        judge the moves played. The search for why the last move was bad goes on too, because an engine may reply
        first."""
        self.host.cancel_workers("weigh", "hint", "refute", *(f"engine {seat}" for seat in self.busy))
        self.busy.clear()
        self.wants_hint, self.refuting = False, None

    def close(self) -> None:
        self.cancel_questions()
        self.host.cancel_workers("explain")
        self.is_closed = True

    def stop_hinting(self) -> None:
        self.wants_hint = False
        self.host.cancel_workers("hint")

    def stop_refuting(self) -> None:
        self.refuting = None
        self.host.cancel_workers("refute")

    def start_engines(self, take: UseResult[EngineMove]) -> None:
        """Start every engine that has to choose a move. Only games between two engines can be paused."""
        live, game = self.live, self.live.game
        plays_simply = live.is_preparing and game.play.plain_choice is not None
        if not live.is_analyst_settled and game.solved.open_analyst is not None and not plays_simply:
            return
        between_engines = not self.live.session.human_seats
        for seat in self.live.list_choosing_engines():
            if seat in self.busy or (between_engines and live.is_paused):
                continue
            self.busy.add(seat)
            start = partial(self._start_engine, seat, self.live.turn, take)
            if between_engines:
                self.host.set_timer(BETWEEN_ENGINES, start)
            else:
                start()

    def _start_engine(self, seat: Seat, turn: int, take: UseResult[EngineMove]) -> None:
        if turn != self.live.turn:
            return
        thought = self.live.prepare_thought(seat)
        self.ask(f"engine {seat}", lambda budget: [EngineMove(seat, thought(budget()), turn)], take, turn)

    def collect_drills(self, take: UseResult[int]) -> None:
        """Make drills of the mistakes in a finished game, once. `take` gets the number of new drills."""
        session = self.live.session
        if session.is_over and not self.has_collected:
            self.has_collected = True
            found, store = make_mistake_drills(session), self.host.services.store
            self.host.write(partial(collect_drills, store, found), take, "collect")

    def ask(
        self, group: str, find: Callable[[NewBudget], Iterable[T]], take: UseResult[T], turn: int | None = None
    ) -> None:
        """Run `find` in a worker, and pass what it yields to `take`. With a `turn`, this happens only while the game is
        in that turn. A newer question in the same group cancels an older one."""

        def take_current(found: T) -> None:
            if not self.is_closed and turn in (None, self.live.turn):
                take(found)

        self.host.fetch_each(partial(find, self.new_budget), take_current, group)

    def new_budget(self) -> Budget:
        return make_budget(self.live.question_seconds)


def make_budget(seconds: float) -> Budget:
    """Return a budget that also ends when the current worker is cancelled."""
    worker = get_current_worker()
    return Budget.seconds(seconds, monotonic, lambda: worker.is_cancelled)


def answer_questions(questions: Sequence[tuple[AnyNode, Search[Known]]], budget: NewBudget) -> Iterable[FoundValues]:
    for node, question in questions:
        try:
            yield FoundValues(node, question(budget()))
        except OnlymoveError as refusal:
            yield FoundValues(node, None, str(refusal))
