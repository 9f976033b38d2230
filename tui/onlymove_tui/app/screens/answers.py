"""Moves that are entered on a board as answers to a question, as in drills and lessons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from onlymove.pictures.colours import Tone
from onlymove_engines.core.value import Move, Seat

from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.play.keys import Key
from onlymove_tui.play.situations import Answered

TOO_QUICK = "Too quick: look at the position first."
T = TypeVar("T")


class Answers(Generic[T]):
    """Takes the moves of a board as answers. `judge` returns the verdict on one, or `None` while the values that it
    needs are not known. `show` shows a verdict. `waiting` is an answer that waits for values."""

    def __init__(self, screen: BoardScreen, judge: Callable[[Move], T | None], show: Callable[[Move, T], None]) -> None:
        self.screen, self.judge, self.show = screen, judge, show
        self.waiting: tuple[Seat, Move] | None = None

    def take(self, seat: Seat, move: Move) -> None:
        """Judge an answer and show the verdict, or let the answer wait for the values it needs."""
        verdict = self.judge(move)
        self.waiting = (seat, move) if verdict is None else None
        if verdict is not None:
            self.screen.state.move_input.start()
            self.show(move, verdict)
            self.screen.guard.restart()
        self.screen.mark_changed()

    def take_waiting(self) -> None:
        """Judge the answer that waits, if the values are known now."""
        if self.waiting is not None and self.screen.live.node.values is not None:
            self.take(*self.waiting)

    def withdraw(self) -> None:
        """Take back the answer that waits, so that another one can be chosen."""
        self.waiting = None
        if self.screen.state.move_input.entry.prefix:
            self.screen.drop_target()
        self.screen.mark_changed()

    def say_nothing_chosen(self) -> None:
        """Say that there is nothing to take back, and how to leave."""
        leave = Key(self.screen.way_back)
        words = ("You have chosen nothing yet. ", leave, " goes back to the previous screen.")
        self.screen.say(words, Tone.DIM)

    def find_state(self, is_shown: bool, is_wrong: bool = False, seeks_line: bool = False) -> Answered:
        return Answered(self.waiting is not None, is_shown, is_wrong, seeks_line)
