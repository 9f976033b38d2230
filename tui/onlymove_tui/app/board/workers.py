"""The questions that a board has workers answer, about values, hints and engines' moves.

Workers hold no widget. What starts them decides which engines think. What a worker finds is posted as one of the
messages below. An `Answer` comes too late if the board shows another live game by then, or if the game has gone on and
that matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeAlias

from onlymove_engines.coach.figures import SeatMove
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.reasons import Explanation
from onlymove_engines.coach.values import Known, Refutation, Search
from onlymove_engines.core.analysis import AnyAnalyst, Report
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.tree import AnyNode
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from onlymove_tui.app.finding import start_finding
from onlymove_tui.app.panels.game_rows import FINDING_VALUES
from onlymove_tui.app.services import AnalystFound
from onlymove_tui.play.phrases import NO_HINT

BETWEEN_ENGINES = 0.5
"""The seconds between the moves of two engines, so that a player can follow."""

NewBudget: TypeAlias = Callable[[], Budget]
"""A function that makes the budget for one more question. The budget ends when the worker is cancelled."""


@dataclass
class Answer(Message, bubble=False):
    """Posted when a worker has found something about a live game."""

    live: LiveGame

    def is_late(self, live: LiveGame) -> bool:
        """Whether this does not matter any more on a board that shows `live`."""
        return self.live is not live


@dataclass
class AnswerInTurn(Answer):
    """An answer that counts only while the game is in this turn."""

    turn: int

    def is_late(self, live: LiveGame) -> bool:
        return super().is_late(live) or self.turn != live.turn


@dataclass
class AnalystOpened(Answer):
    """The analyst of the game is open, or cannot be used and is `None`. `note` says where values come from, if not from
    the table."""

    analyst: AnyAnalyst | None
    note: str


@dataclass
class Preparing(Answer):
    """The values have to wait: `what` is being done, and this `share` of it is done."""

    what: str
    share: float


@dataclass
class ValuesFound(Answer):
    """The values of the moves at a node. If the search failed, they are `None`, and `failure` says why."""

    node: AnyNode
    values: Known | None
    failure: str = ""


@dataclass
class HintFound(AnswerInTurn):
    hint: Hint


@dataclass
class ExplanationFound(Answer):
    """The reasons why a choice was bad or good."""

    choice: SeatMove
    explanation: Explanation


@dataclass
class LineFound(Answer):
    """Best play after `move` in the position at `start`."""

    start: AnyNode
    move: Move
    line: Refutation


@dataclass
class EngineMoved(AnswerInTurn):
    """An engine's move. In a simultaneous round, it stays hidden until both sides have chosen."""

    seat: Seat
    move: Move


@dataclass
class HardestFound(Answer):
    """What is hardest to find in the position at `node`."""

    node: AnyNode
    hardest: str


@dataclass
class RestFound(Answer):
    """The moves that play the game out from `node`, because no move makes a difference. Empty if some move does."""

    node: AnyNode
    moves: Sequence[Move]


class Questions:
    """The questions about one live game. The answers are posted to `host`. `busy` holds the seats of engines that are
    thinking, and `refuting` the move whose refutation is being searched for. `wants_hint` means that the player asked
    for a hint before the values were known."""

    def __init__(self, host: Widget, live: LiveGame) -> None:
        self.host = host
        self.live = live
        self.busy: set[Seat] = set()
        self.wants_hint = False
        self.refuting: tuple[AnyNode, Move] | None = None

    def cancel(self) -> None:
        """Cancel the questions about the last position. Questions about values go on, because the values are needed to
        judge the moves played. The search for why the last move was bad goes on too, because an engine may reply
        first."""
        self._cancel("weigh", "hint", "refute", *(f"engine {seat}" for seat in self.busy))
        self.busy.clear()
        self.wants_hint, self.refuting = False, None

    def close(self) -> None:
        self.cancel()
        self._cancel("explain")

    def stop_hinting(self) -> None:
        self.wants_hint = False
        self._cancel("hint")

    def stop_refuting(self) -> None:
        self.refuting = None
        self._cancel("refute")

    def _cancel(self, *groups: str) -> None:
        for group in groups:
            self.host.workers.cancel_group(self.host, group)

    def ask_for_analyst(self, find: Callable[[AnyGame, Report], AnalystFound]) -> None:
        """Have `find` look for the analyst of the game. While that takes long, `Preparing` is posted."""
        live, host = self.live, self.host

        def report(what: str, share: float) -> None:
            host.post_message(Preparing(live, what, share))

        self._ask("analyst", lambda _: [AnalystOpened(live, *find(live.game, report))])

    def ask_for_values(self, *nodes: AnyNode, group: str = "study") -> None:
        """Find the values of the moves at these nodes, one after the other."""
        if questions := [(node, question) for node in nodes if (question := self.live.prepare_question(node))]:
            self._ask(group, partial(answer_questions, self.live, questions))

    def ask_for_hint(self, straight: bool) -> str:
        """Find the next stage of the hint, or with `straight` the last one. Return why there is no hint yet."""
        live = self.live
        search = live.prepare_hint(straight)
        turn, self.wants_hint = live.turn, search is None and live.session.choosing_seat is not None
        if search is not None:
            self._ask("hint", lambda _: [HintFound(live, turn, search())])
            return ""
        if self.wants_hint and live.is_analyst_settled and live.analyst is None:
            return f"There is no hint: {live.source_note}"
        return FINDING_VALUES if self.wants_hint else NO_HINT

    def ask_for_explanations(self, choices: Iterable[SeatMove]) -> None:
        live = self.live
        if searches := [(choice, search) for choice in choices if (search := live.prepare_explanation(choice))]:
            self._ask(
                "explain",
                lambda budget: (ExplanationFound(live, choice, search(budget())) for choice, search in searches),
            )

    def ask_for_refutation(self, start: AnyNode, move: Move) -> bool:
        """Find best play after a move. Return whether an analyst can find it."""
        live, search = self.live, self.live.prepare_refutation(start, move)
        if search is None:
            return False
        self.refuting = (start, move)
        self._ask("refute", lambda budget: [LineFound(live, start, move, search(budget()))])
        return True

    def ask_for_hardest(self) -> None:
        live, node = self.live, self.live.node
        if (search := live.prepare_hardest()) is not None:
            self._ask("weigh", lambda budget: [HardestFound(live, node, search(budget()))])

    def ask_for_rest(self) -> None:
        live, node = self.live, self.live.node
        if (search := live.prepare_rest()) is not None:
            self._ask("rest", lambda budget: [RestFound(live, node, search(budget()))])

    def start_engines(self) -> None:
        """Start every engine that has to choose a move. Only games between two engines can be paused. In a rated game,
        the engine waits until it can play at its level."""
        live, game = self.live, self.live.game
        plays_simply = live.is_preparing and game.play.plain_choice is not None
        is_ready = live.analyst is not None if live.is_rated else live.is_analyst_settled or plays_simply
        if not is_ready and game.solved.open_analyst is not None:
            return
        between_engines = not self.live.session.human_seats
        for seat in self.live.list_choosing_engines():
            if seat in self.busy or (between_engines and live.is_paused):
                continue
            self.busy.add(seat)
            start = partial(self._start_engine, seat, self.live.turn)
            if between_engines:
                self.host.set_timer(BETWEEN_ENGINES, start)
            else:
                start()

    def _start_engine(self, seat: Seat, turn: int) -> None:
        live = self.live
        if turn != live.turn:
            return
        thought = live.prepare_thought(seat)
        self._ask(f"engine {seat}", lambda budget: [EngineMoved(live, turn, seat, thought(budget()))])

    def new_budget(self) -> Budget:
        return make_budget(self.live.question_seconds)

    def _ask(self, group: str, find: Callable[[NewBudget], Iterable[Message]]) -> None:
        start_finding(self.host, group, partial(find, self.new_budget))


def make_budget(seconds: float) -> Budget:
    """Return a budget that also ends when the current worker is cancelled."""
    worker = get_current_worker()
    return Budget.seconds(seconds, monotonic, lambda: worker.is_cancelled)


def answer_questions(
    live: LiveGame, questions: Sequence[tuple[AnyNode, Search[Known]]], budget: NewBudget
) -> Iterable[ValuesFound]:
    for node, question in questions:
        try:
            yield ValuesFound(live, node, question(budget()))
        except OnlymoveError as refusal:
            yield ValuesFound(live, node, None, str(refusal))
