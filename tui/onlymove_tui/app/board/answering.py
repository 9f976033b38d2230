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
"""The message for the key that steps back when there is nothing to take back."""
T = TypeVar("T")


class Answering(Generic[T]):
    """Takes the moves entered on `board` as answers. `judge` returns the verdict on an answer, or `None` while the
    values it needs are not known; `settle` gets the answer and its verdict. `unjudged` is an answer that waits for
    values."""

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
        """Judge the answer that waited for values, if they are known now."""
        if self.unjudged is not None and self.board.match.values() is not None:
            self.take(*self.unjudged)

    def step_back(self, is_idle: bool) -> None:
        """Go back to the question, or drop one target. If neither is possible, tell a player who `is_idle` how to go
        back."""
        is_waiting, self.unjudged = self.unjudged is not None, None
        if not self.board.playback.leave():
            if self.board.entering.prefix:
                self.board.entering.back()
            elif is_idle and not is_waiting:
                self.board.message = NOTHING_CHOSEN
        self.board.screen.changed()
