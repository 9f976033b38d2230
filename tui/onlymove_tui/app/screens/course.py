"""The course of a game: saving, looking, engines thinking, moves on their way. Workers hold no widget and only post."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

from onlymove_engines.coach.drill import from_mistakes
from onlymove_engines.coach.tutor import Verdict
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.value import Seat
from textual.timer import Timer
from textual.worker import get_current_worker

from onlymove_tui.app.messages import Collected, Looked, Replied, Seated
from onlymove_tui.app.panels import telling
from onlymove_tui.app.screens.display import Display
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.knowledge import Question
from onlymove_tui.play.match import Match

BETWEEN_ENGINES = 0.5
"""Seconds that two engines leave between their moves, so that one can follow."""
GETTING_READY = "Getting the search ready; on a new machine this takes a while, once."


class Course(Display):
    """A game that goes on by itself as far as it can, and waits for people where it must."""

    def __init__(self, match: Match, autosave: Any = None) -> None:
        super().__init__(match)
        self.autosave = autosave
        self.asked = self.trouble = ""
        self.wants_hint = False
        self.thinking: set[Seat] = set()
        self.replies: list[Replied] = []
        self.clock: Timer | None = None
        self.collected = match.session.is_over

    def on_mount(self) -> None:
        """Fetch who knows the values, and begin at once without waiting for it."""
        self.begin()
        self.fetch_analyst()
        if self.match.game.facts.plays_by_search and self.services.warms:
            self.say(GETTING_READY, Tone.DIM)

    def on_seated(self, message: Seated) -> None:
        """From now on values can be asked for."""
        self.match.take_analyst(message.analyst, message.note)
        if message.note or self.message == [(GETTING_READY, Tone.DIM)]:
            self.message = [(message.note, Tone.SLIP)] if message.note else ()
        self.look()
        self.engines()
        self.release_waiting()
        self.refresh_all()

    def begin(self) -> None:
        """The position has changed: forget what belonged to the last one, save, ask whoever is to move."""
        self.workers.cancel_group(self, "engine")
        self.thinking.clear()
        self.replies.clear()
        self.hint = self.why = self.viewed = None
        self.asked = self.die = ""
        self.wants_hint = False
        self.take_entry()
        self.tell_trouble()
        self.collect()
        self.look()
        self.engines()
        self.refresh_all()

    def tell_trouble(self) -> None:
        """When the disk fails, play goes on and the line says so."""
        if self.match.trouble != self.trouble:
            self.trouble = self.match.trouble
            self.message = [(self.trouble, Tone.ERROR)] if self.trouble else ()

    def look(self) -> None:
        """Have the values of the moves here found, if they are not known yet."""
        question = self.match.question()
        if question is None or self.match.session.is_over:
            return
        self.run_worker(partial(self._look, self.match.node.id, question), thread=True, group="look", exclusive=True)

    def _look(self, node_id: int, question: Question) -> None:
        worker = get_current_worker()
        budget = Budget.seconds(self.match.knowledge.patience, monotonic, lambda: worker.is_cancelled)
        try:
            found = Looked(node_id, question(budget))
        except OnlymoveError as refusal:
            found = Looked(node_id, None, str(refusal))
        if not worker.is_cancelled:
            self.post_message(found)

    def on_looked(self, message: Looked) -> None:
        """Values are known: judge what was played there, and the move that waited for them."""
        self.match.learn(message.node_id, message.values)
        if message.values is None:
            self.say(message.failure, Tone.ERROR)
        self.release_waiting()
        if self.wants_hint and message.node_id == self.match.node.id:
            self.action_hint()
        self.refresh_all()

    def action_hint(self) -> None:
        """The next rung of the hint ladder; asked for before the values were known."""

    def release_waiting(self) -> None:
        """Offer again what a person chose before it could be taken."""
        verdict = self.match.release()
        if verdict is not None:
            self.answer(verdict)

    def engines(self) -> None:
        """Set every engine thinking that owes a move."""
        if not self.match.knowledge.is_settled and self.match.game.open_analyst is not None:
            return
        between_engines = not self.match.session.human_seats()
        for seat in self.match.engines_to_choose():
            if seat in self.thinking or (between_engines and self.paused):
                continue
            self.thinking.add(seat)
            think = partial(self._think, self.match.thought(seat), self.match.node.id, seat, self.match.turn)
            if between_engines:
                self.set_timer(BETWEEN_ENGINES, partial(self.start_engine, think, self.match.turn))
            else:
                self.start_engine(think, self.match.turn)

    def start_engine(self, think: Callable[[], None], turn: int) -> None:
        """Let an engine think unless the game has gone another way meanwhile."""
        if turn == self.match.turn:
            self.run_worker(think, thread=True, group="engine")

    def _think(self, thought: Callable[[Budget], Any], node_id: int, seat: Seat, turn: int) -> None:
        worker = get_current_worker()
        move = thought(Budget.seconds(self.match.knowledge.patience, monotonic, lambda: worker.is_cancelled))
        if not worker.is_cancelled:
            self.post_message(Replied(node_id, seat, move, turn))

    def on_replied(self, message: Replied) -> None:
        """An engine has chosen; dropped when the game has gone another way."""
        if message.turn != self.match.turn or message.node_id != self.match.node.id:
            return
        if self.frames:
            self.replies.append(message)
            return
        self.thinking.discard(message.seat)
        if self.match.take_reply(message.seat, message.move) is not None:
            self.moved()
        else:
            self.release_waiting()
            self.refresh_all()

    def offer(self, seat: Seat, move: Any) -> None:
        """A person's move: played, held, returned, or kept waiting until it can be judged."""
        self.message = ()
        try:
            verdict = self.match.offer(seat, move)
        except OnlymoveError as refusal:
            self.say(str(refusal), Tone.ERROR)
            self.take_entry()
            self.refresh_all()
            return
        if verdict is not None:
            self.answer(verdict)
        self.refresh_all()

    def answer(self, verdict: Verdict) -> None:
        """What comes of a move that was offered."""
        if verdict.held is not None:
            self.hint = None
        elif verdict.returned:
            self.take_entry()
            self.say(f"Taken back: {verdict.judgement.lost()}. Try again.", Tone.LOSS)
        elif verdict.node is None:
            self.say(f"{self.waiting_name()} has chosen.", Tone.DIM)
            self.take_entry()
            self.engines()
        else:
            if self.match.training and verdict.judgement.grade.is_graded:
                self.message = [(verdict.judgement.verdict(), telling.tone_of(verdict.judgement))]
            self.moved()

    def waiting_name(self) -> str:
        """The side that has made its hidden choice."""
        seats = [seat for seat in self.match.session.human_seats() if seat in self.match.session.pending]
        return telling.seat_name(self.match, seats[-1]) if seats else "Your side"

    def moved(self) -> None:
        """A move is on the board: show it on its way, and go on."""
        frames = self.services.animated and list(self.match.game.painter.between(self.match.session.view(
            flipped=self.flipped, ascii_only=self.services.ascii_only)))  # fmt: skip
        self.begin()
        if frames:
            self.frames = frames
            self.clock = self.set_interval(self.services.frame_seconds, self.next_frame)
            # The end is not told before the move that brings it has been seen.
            if self.match.session.is_over:
                self.refresh_all()
            else:
                self.show_board()

    def next_frame(self) -> None:
        """One picture on; after the last one the board stands still and waiting replies are taken."""
        self.frames = self.frames[1:]
        if not self.frames:
            self.stand_still()
        else:
            self.show_board()

    def stand_still(self) -> None:
        """End an animation now."""
        self.frames = []
        if self.clock is not None:
            self.clock.stop()
            self.clock = None
        self.refresh_all()
        replies, self.replies = self.replies, []
        for reply in replies:
            self.on_replied(reply)

    def rethink(self) -> None:
        """Forget the held move; the position is as it was before."""
        self.match.rethink()
        self.hint, self.message = None, ()
        self.begin()

    def collect(self) -> None:
        """When the game is over, its mistakes become drills, once."""
        if self.match.session.is_over and not self.collected:
            self.collected = True
            found = from_mistakes(self.match.game, self.match.node.path(), self.match.session.human_seats())
            self.fetch(lambda: Collected(self.services.collect_drills(found)), "collect")

    def on_collected(self, message: Collected) -> None:
        """The drills are in the box."""
        self.new_drills = message.new
        self.refresh_all()
