"""A question on a board that the player answers with a move, as in drills and lessons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from onlymove_engines.core.value import Move, Seat

from onlymove_tui.app.board.board import Board
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row

NOTHING_CHOSEN: Row = (
    ("You have chosen nothing yet. ", Tone.DIM), ("q", Tone.KEY), (" goes back to the previous screen.", Tone.DIM),
)  # fmt: skip
"""The message when the player steps back and there is nothing to take back."""
T = TypeVar("T")


class AnswerInput(Generic[T]):
    """Takes the moves that are entered on `board` as answers. `judge` returns the verdict on an answer, or `None` while
    the values that it needs are not known. `settle` gets the answer and its verdict. `waiting_answer` is an answer that
    waits for values."""

    def __init__(self, board: Board, judge: Callable[[Move], T | None], settle: Callable[[Move, T], None]) -> None:
        self.board = board
        self.judge = judge
        self.settle = settle
        self.waiting_answer: tuple[Seat, Move] | None = None

    def handle_answer(self, seat: Seat, move: Move) -> None:
        verdict = self.judge(move)
        self.waiting_answer = (seat, move) if verdict is None else None
        if verdict is not None:
            self.board.move_input.start()
            self.settle(move, verdict)
            self.board.guard.restart()
        self.board.screen.mark_changed()

    def judge_waiting(self) -> None:
        if self.waiting_answer is not None and self.board.match.node.values is not None:
            self.handle_answer(*self.waiting_answer)

    def step_back(self, is_idle: bool) -> None:
        """Go back to the question, or take back one target. If neither is possible and `is_idle`, tell the player how
        to go back."""
        is_waiting, self.waiting_answer = self.waiting_answer is not None, None
        if not self.board.playback.return_to_end():
            if self.board.move_input.entry.prefix:
                self.board.drop_target()
            elif is_idle and not is_waiting:
                self.board.message = NOTHING_CHOSEN
        self.board.screen.mark_changed()
