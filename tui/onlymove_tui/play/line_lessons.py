"""The lessons of a game in lines: says a task, reads a move, says whether it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.session import parse_choice

from onlymove_tui.play.lessons import Course
from onlymove_tui.play.line_mode import LineMode, Spoken, Voice

Seek: TypeAlias = Callable[[AnyGame], tuple[AnyAnalyst | None, str]]
GO_ON = "Play a game, or practise with drills."


class LessonLines(Spoken):
    """One task after the other; `find_analyst` says who knows the game's values."""

    help_line = "type a move, or: board, words, moves, hint, next, position, help, quit"

    def __init__(self, course: Course, find_analyst: Seek, voice: Voice) -> None:
        super().__init__(course.match(), voice)
        self.course = course
        self.analyst = find_analyst(course.game)
        self.is_over = False
        self.commands |= {"next": self.next}

    def run(self, lines: Iterable[str]) -> None:
        reader = iter(lines)
        self.ask()
        while not self.is_over:
            if self.course.is_played_out and not self.course.is_solved:
                if not self.play_out(reader):
                    return
            elif (line := next(reader, "quit")) == "quit":
                return
            else:
                self.answer(line)

    def ask(self) -> None:
        self.sit_down(self.course.match())
        self.match.take_analyst(*self.analyst)
        if self.course.is_first_task:
            self.write(f"{self.course.headline}. {self.course.step.text}")
        if not self.course.is_played_out:
            self.show()
        self.write(self.course.task.ask)

    def answer(self, line: str) -> None:
        """An empty line goes on from a task that is done."""
        if line:
            super().answer(line)
        elif self.course.is_solved:
            self.next()

    def take(self, text: str) -> None:
        if self.course.is_solved:
            self.write("This is done. Enter goes on.")
            return
        move = parse_choice(self.session, self.chooser(), text)
        self.find_out()
        right = self.course.answer(self.match, move)
        spelled = self.game.said(self.node.position, move)
        if right is None:
            self.write("Nobody knows what this move is worth.")
        elif right:
            self.write(f"{spelled}: right. {self.course.task.right} Enter goes on.")
        else:
            self.write(f"{spelled}: not yet. {self.course.task.wrong} Try again.")

    def play_out(self, reader: Iterator[str]) -> bool:
        """Play the task to its end, again until it is done. Returns whether the lessons go on."""

        def until_over() -> Iterator[str]:
            while not self.match.session.is_over and (line := next(reader, "quit")) != "quit":
                yield line

        LineMode(self.match, self.voice).run(until_over())
        if self.course.finish(self.match):
            self.write(f"{self.course.task.right} Enter goes on.")
        elif not self.match.session.is_over:
            return False
        else:
            self.write("Not yet. Try it again, or quit.")
            self.ask()
        return True

    def next(self) -> None:
        if self.course.advance():
            self.ask()
        else:
            self.write(f"{self.course.farewell()} {GO_ON}")
            self.is_over = True
