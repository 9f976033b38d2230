"""Everything at a board that takes time: who knows the values, what moves are worth, hints, engines, refutations.

The only place of a board with workers. They hold no widget and only post; an answer to what nobody asks any more is
dropped here. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import TypeAlias

from onlymove_engines.coach.drill import from_mistakes
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.explanation import SeatMove, key_of
from onlymove_engines.match.knowledge import Question
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
from onlymove_tui.app.keeping import Keeping
from onlymove_tui.app.messages import (
    Answer,
    Collected,
    Compiling,
    Explained,
    Hinted,
    Looked,
    Refuted,
    Replied,
    Saved,
    Seated,
    Trouble,
    Weighed,
)
from onlymove_tui.app.screens.base_screen import BaseScreen
from textual.message import Message
from textual.worker import get_current_worker

BETWEEN_ENGINES = 0.5
"""Seconds that two engines leave between their moves, so that one can follow."""

ONE_MOMENT, NO_HINT = "One moment: finding out what there is to say.", "No hint now."

NewBudget: TypeAlias = Callable[[], Budget]
"""The time for one more question; it ends when the worker is told to stop."""


class Thinking:
    """The workers of one match. `busy` are the engines that were asked and have not answered, `refuting` is the move
    that a refutation is looked for; `wants_hint`: a hint was asked for before there was anything to say."""

    def __init__(self, screen: BaseScreen, match: Match) -> None:
        self.screen = screen
        self.match = match
        self.busy: set[Seat] = set()
        self.wants_hint = False
        self.refuting: tuple[AnyNode, Move] | None = None
        self.has_collected = match.session.is_over
        self.is_saving = False
        self.trouble = ""

    def begin(self) -> None:
        """The game stands elsewhere: what was asked before is not wanted any more, but for the values of moves: they
        judge what has been played."""
        self._stop("explain", "weigh", *map(engine_group, self.busy))
        self.busy.clear()
        self.stop_hinting()
        self.stop_refuting()

    def takes(self, answer: Answer) -> bool:
        """Whether an answer is about this match as it stands, and not about one that was on the board before."""
        return answer.match is self.match and answer.turn in (None, self.match.turn)

    def _stop(self, *groups: str) -> None:
        for group in groups:
            self.screen.workers.cancel_group(self.screen, group)

    # Values.

    def fetch_analyst(self) -> None:
        """Find out who knows the game's values: `Seated`."""
        find, game = self.screen.services.find_analyst, self.match.game
        post = self.screen.post_message

        def report(_: str, share: float) -> None:
            post(Compiling(share))

        self._ask("analyst", lambda _: [Seated(self.match, None, *find(game, report))])

    def look(self, node: AnyNode) -> None:
        """Find what the moves at `node` are worth, if that is to be found out: `Looked`."""
        self._study(f"look {node.id}", [node])

    def study(self, nodes: Iterable[AnyNode]) -> None:
        """The same for many, one after the other."""
        self._study("study", nodes)

    def _study(self, group: str, nodes: Iterable[AnyNode]) -> None:
        wanted = [(node.id, question) for node in nodes if (question := self.match.question(node)) is not None]
        if wanted:
            self._ask(group, partial(self._found, wanted))

    def _found(self, wanted: Sequence[tuple[int, Question]], budget: NewBudget) -> Iterable[Looked]:
        for node_id, question in wanted:
            try:
                yield Looked(self.match, None, node_id, question(budget()))
            except OnlymoveError as refusal:
                yield Looked(self.match, None, node_id, None, str(refusal))

    # Advice.

    def hint(self, straight: bool = False) -> str:
        """Find the next rung of the hint ladder, or the last one: `Hinted`. Returns nothing then; else why there is
        none, or why it has to wait until values have come."""
        knowledge, climb = self.match.knowledge, self.match.climb(straight)
        self.wants_hint = climb is None and self.match.seat is not None
        if climb is not None:
            self._ask("hint", lambda _: [Hinted(self.match, self.match.turn, climb())])
            return ""
        if self.wants_hint and knowledge.is_settled and knowledge.analyst is None:
            return f"No hint: {knowledge.note}"
        return ONE_MOMENT if self.wants_hint else NO_HINT

    def stop_hinting(self) -> None:
        """Nobody waits for a hint any more."""
        self.wants_hint = False
        self._stop("hint")

    def refute(self, start: AnyNode, move: Move) -> bool:
        """Find best play after `move` from `start`: `Refuted`. Returns whether there is anybody to ask."""
        search = self.match.advice.refutation(start, move)
        if search is None:
            return False
        self.refuting = (start, move)
        self._ask("refute", lambda budget: [Refuted(self.match, None, start, search(budget()))])
        return True

    def explain(self, choices: Iterable[SeatMove]) -> None:
        """Find out why each of these moves is bad, where that is not known: `Explained`."""
        wanted = [(key_of(choice), find) for choice in choices if (find := self.match.explanation(choice))]
        if wanted:
            match = self.match
            self._ask("explain", lambda budget: (Explained(match, None, key, find(budget())) for key, find in wanted))

    def explain_move(self, node: AnyNode, move: Move) -> None:
        """The same for a move of the side that moves at `node`."""
        seat = self.match.game.rules.to_move(node.position)
        if seat is not None:
            self.explain([(node, seat, move)])

    def weigh(self) -> None:
        """Find out which move is hardest to answer where the game stands: `Weighed`."""
        find, node_id = self.match.advice.chances(), self.match.node.id
        if find is not None:
            self._ask("weigh", lambda budget: [Weighed(self.match, None, node_id, find(budget()))])

    def takes_refutation(self, answer: Refuted) -> bool:
        """Whether this refutation is the one that is waited for."""
        return self.takes(answer) and self.refuting == (answer.start, answer.refutation.moves[0])

    def stop_refuting(self) -> None:
        """Nobody waits for a refutation any more."""
        self.refuting = None
        self._stop("refute")

    # Engines.

    def engines(self, is_paused: bool = False) -> None:
        """Set every engine thinking that owes a move: `Replied`. A pause holds only two of them."""
        game, knowledge = self.match.game, self.match.knowledge
        if not knowledge.is_settled and game.open_analyst is not None and game.plain_choice is None:
            return
        between_engines = not self.match.session.human_seats()
        for seat in self.match.engines_to_choose():
            if seat in self.busy or (between_engines and is_paused):
                continue
            self.busy.add(seat)
            start = partial(self._start_engine, seat, self.match.turn)
            if between_engines:
                self.screen.set_timer(BETWEEN_ENGINES, start)
            else:
                start()

    def takes_reply(self, reply: Replied) -> bool:
        """Whether an engine's answer is still wanted. It has answered then."""
        if self.takes(reply):
            self.busy.discard(reply.seat)
        return self.takes(reply)

    def _start_engine(self, seat: Seat, turn: int) -> None:
        if turn == self.match.turn:
            thought = self.match.thought(seat)
            self._ask(engine_group(seat), lambda budget: [Replied(self.match, turn, seat, thought(budget()))])

    # Keeping.

    def is_saved(self) -> bool:
        """Whether the match is on disk as it stands. If not, it is put there: `Saved`."""
        keeping = self.match.keeper
        if isinstance(keeping, Keeping) and keeping.is_behind and not self.is_saving:
            self.is_saving = True
            self.screen.write(lambda: Saved(keeping.write()), "save", keys_wait=True)
        return not self.is_saving

    def saved(self, trouble: str) -> str:
        """Writing has ended. Returns what is to be told about it: trouble that is new."""
        self.is_saving = False
        old, self.trouble = self.trouble, trouble
        return trouble if trouble != old else ""

    def finish_saving(self) -> None:
        """Wait for what is being written."""
        if isinstance(self.match.keeper, Keeping):
            self.match.keeper.write()

    # Drills.

    def collect(self) -> None:
        """Put the mistakes of a game that has just ended into the box of drills, once: `Collected`."""
        session = self.match.session
        if session.is_over and not self.has_collected:
            self.has_collected = True
            found = from_mistakes(session, self.match.values)
            put = self.screen.services.collect_drills
            self.screen.write(lambda: Collected(put(found)), "collect")

    # Workers.

    def _ask(self, group: str, find: Callable[[NewBudget], Iterable[Message]]) -> None:
        """Have a worker post what `find` gives; only the latest question of a group is answered."""
        self.screen.run_worker(partial(self._answer, find), thread=True, exclusive=True, group=group)

    def _answer(self, find: Callable[[NewBudget], Iterable[Message]]) -> None:
        worker = get_current_worker()

        def budget() -> Budget:
            return Budget.seconds(self.match.knowledge.patience, monotonic, lambda: worker.is_cancelled)

        try:
            for message in find(budget):
                if worker.is_cancelled:
                    return
                self.screen.post_message(message)
        except OnlymoveError as refusal:
            self.screen.post_message(Trouble(str(refusal)))


def engine_group(seat: Seat) -> str:
    """The workers of the engine at `seat`."""
    return f"engine {seat}"
