"""A question on a board that a move answers, as drills and lessons ask them."""

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
"""What the key that steps back says where there is no step to take back."""
T = TypeVar("T")


class Answering(Generic[T]):
    """Takes the moves that are entered on `board`. `judge` returns what is to be said of an answer, or `None` while the
    values that it takes are not known; `settle` gets the answer and its verdict. `unjudged` waits for values."""

    def __init__(self, board: Board, judge: Callable[[Move], T | None], settle: Callable[[Move, T], None]) -> None:
        self.board = board
        self.judge = judge
        self.settle = settle
        self.unjudged: tuple[Seat, Move] | None = None

    def take(self, seat: Seat, move: Move) -> None:
        verdict = self.judge(move)
        self.unjudged = (seat, move) if verdict is None else None
        if verdict is not None:
            self.board.entering.begin()
            self.settle(move, verdict)
            self.board.guard_answer()
        self.board.screen.changed()

    def judge_waiting(self) -> None:
        """More values are known: judge the answer that has waited for them."""
        if self.unjudged is not None and self.board.match.values() is not None:
            self.take(*self.unjudged)

    def step_back(self, is_idle: bool) -> None:
        """Back to the question, or one target less. With neither, say how to go on to a player who `is_idle`."""
        is_waiting, self.unjudged = self.unjudged is not None, None
        if not self.board.playback.leave():
            if self.board.entering.prefix:
                self.board.entering.back()
            elif is_idle and not is_waiting:
                self.board.message = NOTHING_CHOSEN
        self.board.screen.changed()
