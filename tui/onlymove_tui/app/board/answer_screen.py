"""The base of screens that ask questions on a board. The player answers with moves, as in drills and lessons."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.match import Match

from onlymove_tui.app.board.board import BoardScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.store.learning import Milestone

if TYPE_CHECKING:
    from onlymove_tui.play.lessons import NextStep

NOTHING_CHOSEN: Row = (
    ("You have chosen nothing yet. ", Tone.DIM), ("q", Tone.KEY), (" goes back to the previous screen.", Tone.DIM),
)  # fmt: skip
"""The message when the player steps back and there is nothing to take back."""
T = TypeVar("T")


class AnswerScreen(BoardScreen, Generic[T]):
    """Takes the moves that are entered on its board as answers. `waiting_answer` is an answer that waits for values."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.waiting_answer: tuple[Seat, Move] | None = None

    def begin(self) -> None:
        raise NotImplementedError

    def judge_answer(self, move: Move) -> T | None:
        """Return the verdict on an answer, or `None` while the values that it needs are not known."""
        raise NotImplementedError

    def show_verdict(self, move: Move, verdict: T) -> None:
        raise NotImplementedError

    def on_mount(self) -> None:
        self.begin()

    def handle_move(self, seat: Seat, move: Move) -> None:
        verdict = self.judge_answer(move)
        self.waiting_answer = (seat, move) if verdict is None else None
        if verdict is not None:
            self.board.move_input.start()
            self.show_verdict(move, verdict)
            self.board.guard.restart()
        self.mark_changed()

    def judge_waiting(self) -> None:
        if self.waiting_answer is not None and self.match.node.values is not None:
            self.handle_move(*self.waiting_answer)

    def return_to_question(self, is_idle: bool) -> None:
        """Go back to the question, or take back one target, or if `is_idle` tell the player how to go back."""
        is_waiting, self.waiting_answer = self.waiting_answer is not None, None
        if not self.board.playback.return_to_end():
            if self.board.move_input.entry.prefix:
                self.board.message = ()
                self.board.move_input.drop_target()
            elif is_idle and not is_waiting:
                self.board.message = NOTHING_CHOSEN
        self.mark_changed()

    def reach(self, milestone: Milestone) -> None:
        """Store that the player has reached this milestone in learning the game."""
        if (store := self.services.store) is not None:
            reach = partial(store.lessons.reach, self.match.game.id, milestone)
            self.write(reach, self.show_learned, "over", keys_wait=True)

    def open_step(self, step: NextStep) -> None:
        self.app.pop_screen()
        super().open_step(step)
