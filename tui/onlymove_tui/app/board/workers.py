"""The workers of a board: they find values, hints, engines' moves, refutations and drills, and save the game.

They decide nothing, and hold no widget. What a worker finds is passed to a function in the app's own thread, unless the
board shows another match by then, or, where that matters, the game has gone on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import NamedTuple, TypeAlias, TypeVar

from onlymove_engines.coach.drill import make_mistake_drills
from onlymove_engines.coach.explore import Below
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.values import Known
from onlymove_engines.core.analysis import AlternatingAnalyst, AnyAnalyst, Report
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.assistance import Explanation, Refutation, SeatMove
from onlymove_engines.match.match import Match, Question
from onlymove_engines.play.line import AnyNode
from textual.worker import get_current_worker

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.board.background import read_below
from onlymove_tui.app.messages import Found
from onlymove_tui.play.drills import collect_drills

BETWEEN_ENGINES = 0.5
"""The seconds between the moves of two engines, so that a player can follow."""

ONE_MOMENT, NO_HINT = "Working out an explanation...", "No hint is available now."

NewBudget: TypeAlias = Callable[[], Budget]
"""Makes the budget for one more question; it ends when the worker is cancelled."""
T = TypeVar("T")
UseResult: TypeAlias = Callable[[T], None]
"""Uses what a worker has found."""


class FoundValues(NamedTuple):
    """The values of the moves at a node, or `None` and why the search failed."""

    node: AnyNode
    values: Known | None
    failure: str = ""


class EngineMove(NamedTuple):
    """An engine's move, hidden in a simultaneous round. It counts only while the match is in this `turn`."""

    seat: Seat
    move: Move
    turn: int


class BoardWorkers:
    """The workers of one match. `busy` has the seats of engines that are thinking, and `refuting` the move whose
    refutation is being searched. `wants_hint`: a hint was asked for before the values were known."""

    def __init__(self, host: BaseScreen, match: Match) -> None:
        self.host = host
        self.match = match
        self.busy: set[Seat] = set()
        self.wants_hint = False
        self.refuting: tuple[AnyNode, Move] | None = None
        self.has_collected = match.session.is_over
        self.is_closed = False

    def cancel_questions(self) -> None:
        """Cancel every question of the last position, except for values: they judge what was played."""
        self.host.cancel_workers("explain", "weigh", *map(engine_group, self.busy))
        self.busy.clear()
        self.stop_hinting()
        self.stop_refuting()

    def close(self) -> None:
        """Drop all answers about this match: another one is on the board."""
        self.cancel_questions()
        self.is_closed = True

    # Values.

    def fetch_analyst(self, take: Callable[[AnyAnalyst | None, str], None], report: Report) -> None:
        """Find the analyst of the game; `report` is told what a long preparation does, and the share that is done."""
        find, game, post = self.host.services.find_analyst, self.match.game, self.host.post_message

        def post_share(what: str, share: float) -> None:
            post(Found(partial(report, what, share)))

        self._ask("analyst", lambda _: [find(game, post_share)], lambda found: take(*found))

    def find_values(self, nodes: Iterable[AnyNode], take: UseResult[FoundValues], group: str = "study") -> None:
        """Find what the moves at these nodes are worth, one node after the other, unless that is known."""
        wanted = [(node, question) for node in nodes if (question := self.match.prepare_question(node)) is not None]
        if wanted:
            self._ask(group, partial(_look_all, wanted), take)

    def count_below(
        self, node: AnyNode, analyst: AlternatingAnalyst, take: UseResult[tuple[int, Sequence[Below | None]]]
    ) -> None:
        """Count how narrow the next plies from a node are."""
        game = self.match.game
        find = partial(read_below, game, node.position, analyst)
        self._ask(f"below {node.id}", lambda new_budget: [(node.id, find(new_budget()))], take)

    # Advice.

    def find_hint(self, take: UseResult[Hint], straight: bool = False) -> str:
        """Find the next stage of the hint, or with `straight` the last one. Return an empty text then; else why there
        is no hint, or that it has to wait for values."""
        knowledge, climb = self.match.knowledge, self.match.prepare_hint(straight)
        self.wants_hint = climb is None and self.match.seat is not None
        if climb is not None:
            self._ask("hint", lambda _: [climb()], take, self.match.turn)
            return ""
        if self.wants_hint and knowledge.is_settled and knowledge.analyst is None:
            return f"No hint: {knowledge.source_note}"
        return ONE_MOMENT if self.wants_hint else NO_HINT

    def stop_hinting(self) -> None:
        self.wants_hint = False
        self.host.cancel_workers("hint")

    def find_refutation(self, start: AnyNode, move: Move, take: UseResult[Refutation]) -> bool:
        """Find best play after `move` from `start`. Return whether there is an analyst to ask."""
        search = self.match.assistance.prepare_refutation(start, move)
        if search is None:
            return False
        self.refuting = wanted = (start, move)

        def take_wanted(found: Refutation) -> None:
            if self.refuting == wanted:
                self.stop_refuting()
                take(found)

        self._ask("refute", lambda budget: [search(budget())], take_wanted)
        return True

    def stop_refuting(self) -> None:
        self.refuting = None
        self.host.cancel_workers("refute")

    def find_explanations(self, choices: Iterable[SeatMove], take: UseResult[tuple[SeatMove, Explanation]]) -> None:
        """Find out why each of these moves is bad, unless that is known."""
        wanted = [(choice, find) for choice in choices if (find := self.match.prepare_explanation(choice))]
        if wanted:
            self._ask("explain", lambda budget: ((key, find(budget())) for key, find in wanted), take)

    def find_hardest(self, take: UseResult[str]) -> None:
        """Find out in words which move is hardest to answer in the current position."""
        find = self.match.assistance.prepare_hardest()
        if find is not None:
            self._ask("weigh", lambda budget: [find(budget())], take)

    # Engines.

    def start_engines(self, take: UseResult[EngineMove], is_paused: bool = False) -> None:
        """Start every engine that has to choose a move. Only games between two engines can be paused."""
        game, knowledge = self.match.game, self.match.knowledge
        if not knowledge.is_settled and game.solved.open_analyst is not None and game.play.plain_choice is None:
            return
        between_engines = not self.match.session.human_seats()
        for seat in self.match.engines_to_choose():
            if seat in self.busy or (between_engines and is_paused):
                continue
            self.busy.add(seat)
            start = partial(self._start_engine, seat, self.match.turn, take)
            if between_engines:
                self.host.set_timer(BETWEEN_ENGINES, start)
            else:
                start()

    def _start_engine(self, seat: Seat, turn: int, take: UseResult[EngineMove]) -> None:
        if turn != self.match.turn:
            return
        thought = self.match.prepare_thought(seat)
        self._ask(engine_group(seat), lambda budget: [EngineMove(seat, thought(budget()), turn)], take, turn)

    # Drills.

    def collect_drills(self, take: UseResult[int]) -> None:
        """Make drills of the mistakes of a game that has just ended, once; pass the number of new ones to `take`."""
        session = self.match.session
        if session.is_over and not self.has_collected:
            self.has_collected = True
            found, store = make_mistake_drills(session), self.host.services.store
            self.host.write(partial(collect_drills, store, found), take, "collect")

    # Workers.

    def _ask(
        self, group: str, find: Callable[[NewBudget], Iterable[T]], take: UseResult[T], turn: int | None = None
    ) -> None:
        """Pass what `find` yields in a worker to `take`; with a `turn`, only while the match is in it. A newer question
        in the same group cancels an older one."""

        def take_current(found: T) -> None:
            if not self.is_closed and turn in (None, self.match.turn):
                take(found)

        self.host.fetch_each(lambda: find(self._new_budget), take_current, group)

    def _new_budget(self) -> Budget:
        worker = get_current_worker()
        return Budget.seconds(self.match.knowledge.question_seconds, monotonic, lambda: worker.is_cancelled)


def _look_all(wanted: Sequence[tuple[AnyNode, Question]], budget: NewBudget) -> Iterable[FoundValues]:
    for node, question in wanted:
        try:
            yield FoundValues(node, question(budget()))
        except OnlymoveError as refusal:
            yield FoundValues(node, None, str(refusal))


def engine_group(seat: Seat) -> str:
    return f"engine {seat}"
