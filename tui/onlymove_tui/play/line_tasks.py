"""Runs drills and lessons line by line. It shows a position and a task, reads a move, and says whether it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeAlias

from onlymove_engines.coach.lessons import Task
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Move
from onlymove_engines.play.session import parse_choice

from onlymove_tui.play.drills import Practice
from onlymove_tui.play.lessons import Course
from onlymove_tui.play.line_mode import LineBoard, LineMode, Voice
from onlymove_tui.play.phrases import (
    describe_lost,
    describe_mistake,
    goal_text,
    name_move,
    origin_text,
    praise,
    return_text,
    round_summary,
    streak_text,
)

FindAnalyst: TypeAlias = Callable[[AnyGame], tuple[AnyAnalyst | None, str]]
"""A function that returns a game's analyst, and what is wrong with its table (empty if nothing is)."""
ENTER = "Press Enter to continue."
AFTER_LESSONS = "Next, play a first game (onlymove play), and then harder and harder drills (onlymove drill --fresh)."


class TaskLines(LineBoard):
    """Shows one task after another. Enter continues after a task that is solved, and `next` after any task."""

    solved_line = ""

    def __init__(self, tasks: Practice | Course, find_analyst: FindAnalyst, voice: Voice) -> None:
        super().__init__(tasks.match(), voice)
        self.tasks = tasks
        self.find_analyst = find_analyst
        self.commands |= {"": lambda: self.next() if tasks.is_solved else None, "next": self.next}

    def begin_task(self) -> None:
        self.use_match(self.tasks.match())
        self.match.set_analyst(*self.find_analyst(self.game))

    def take(self, text: str) -> None:
        if self.tasks.is_solved:
            self.write(f"{self.solved_line} {ENTER}")
            return
        move = parse_choice(self.session, self.chooser(), text)
        self.find_out()
        answer = self.check_answer(move)
        self.write("The value of this move is not known." if answer is None else answer)

    def check_answer(self, move: Move) -> str | None:
        """Return what to tell the player about this answer, or `None` while its value is not known."""
        raise NotImplementedError

    def next(self) -> None:
        raise NotImplementedError


class DrillLines(TaskLines):
    """A round of drills. Without `names_goal`, the player is not told what result to aim for."""

    help_line = (
        "Type a move, or one of: board, words, moves, rules, hint, solution, values, why, next, position, help, quit."
    )
    solved_line = "This drill is solved."

    def __init__(self, practice: Practice, find_analyst: FindAnalyst, voice: Voice, names_goal: bool = True) -> None:
        super().__init__(practice, find_analyst, voice)
        self.practice = practice
        self.names_goal = names_goal
        self.answered: Move | None = None
        self.commands |= {"solution": self.show_solution, "why": self.why}

    def run(self, lines: Iterable[str]) -> None:
        self.ask()
        self.answer_all(lines, lambda: self.practice.drill is not None)
        self.write_all(round_summary(self.practice))

    def ask(self) -> None:
        drill = self.practice.drill
        assert drill is not None, "there is one to ask"
        self.begin_task()
        self.answered = None
        self.find_out()
        place = f"Drill {self.practice.place + 1} of {self.practice.total}"
        heading = ", ".join(filter(None, (place, streak_text(self.practice.streak), self.game.facts.title)))
        self.write(f"{heading}. {origin_text(self.match, drill, self.names_goal)}".strip())
        self.show()
        if self.names_goal:
            self.write(f"{self.game.seats[drill.seat]}: {goal_text(self.match, drill)}.")

    def check_answer(self, move: Move) -> str | None:
        judgement = self.practice.answer(self.match, move)
        if judgement is None:
            return None
        self.answered = move
        self.save()
        spelled = name_move(self.game, self.node.position, move)
        if self.practice.is_solved:
            return f"{spelled} is correct. {praise(judgement)} {self.return_line()}"
        reply = self.find_reply(move)
        found = self.explanation((self.node, self.chooser(), move))
        why = " ".join(found.select_by_reply(reply))
        return f"{spelled}: {describe_mistake(describe_lost(judgement), reply, why)} Try again."

    def return_line(self) -> str:
        return f"{return_text(self.practice)} {ENTER}".strip()

    def find_reply(self, move: Move) -> str:
        """Return the best reply to a wrong move. Empty if there is none or it cannot be found."""
        search = self.match.assistance.prepare_refutation(self.node, move)
        with suppress(OnlymoveError):
            if search is not None and (replies := search(self.budget()).texts[1:2]):
                return self.game.voice.reasons.noun + replies[0]
        return ""

    def show_solution(self) -> None:
        """Show the best moves. The drill counts as missed."""
        self.practice.give_up(self.match)
        self.show_values()
        self.save()
        self.write(self.return_line())

    def show_values(self) -> None:
        """Show what every move is worth, once the drill is solved."""
        if self.practice.is_solved:
            super().show_values()
        else:
            self.write("Find a move first. Type hint for help, or solution to see the answer.")

    def why(self) -> None:
        if self.answered is None:
            self.write("Type a move first.")
        else:
            self.explain(self.node, self.answered)

    def save(self) -> None:
        if trouble := self.practice.save():
            self.write(trouble)

    def next(self) -> None:
        if self.practice.advance():
            self.ask()
        elif self.practice.trouble:
            self.write(self.practice.trouble)


class LessonLines(TaskLines):
    """Runs the lessons of a game, line by line."""

    help_line = "Type a move, or one of: board, words, moves, rules, hint, next, position, help, quit."
    solved_line = "You have already done this task."

    def __init__(self, course: Course, find_analyst: FindAnalyst, voice: Voice) -> None:
        found = find_analyst(course.game)
        super().__init__(course, lambda _: found, voice)
        self.course = course
        self.commands |= {"hint": self.hint}
        self.is_over = False
        self.is_at_end = False
        """Whether the player has gone past the last task."""
        self.hinted: Task | None = None
        """The last task for which a hint was given."""

    def run(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.ask()
        self.answer_all(self.lines, lambda: not self.is_over)

    def ask(self) -> None:
        """Show the task. If it is a game against the engine, play it, and play it again until it ends as the task
        asks."""
        is_asked = False
        while not is_asked:
            self.begin_task()
            if self.course.task is self.course.step.tasks[0]:
                self.write(f"{self.course.headline}. {self.course.step.text}")
            if not self.course.is_played_out:
                self.show()
            self.write(self.course.task.ask)
            is_asked = not self.course.is_played_out or self.play_out()

    def play_out(self) -> bool:
        """Play a game against the engine. Returns whether the task is done or the player has given up."""
        game = LineMode(self.match, self.voice)
        game.run(iter(lambda: "quit" if self.session.is_over else next(self.lines, "quit"), "quit"))
        if self.course.finish(self.match):
            self.write(f"{self.course.task.right} {ENTER}")
        elif self.session.is_over:
            self.write("Not yet. Try again, or type quit.")
            return False
        else:
            self.is_over = True
        return True

    def hint(self) -> None:
        self.find_out()
        if self.course.is_solved:
            self.write(f"{self.solved_line} {ENTER}")
        elif self.hinted is self.course.task and self.course.find_answers(self.match):
            self.write("That was the whole hint. Type next to see the answer and go on.")
        else:
            self.write(self.course.describe_hint(self.match))
            self.hinted = self.course.task

    def check_answer(self, move: Move) -> str | None:
        is_right = self.course.answer(self.match, move)
        if is_right is None:
            return None
        spelled, task = self.game.describe_move(self.node.position, move), self.course.task
        if is_right:
            return f"{spelled} is correct. {task.right} {ENTER}"
        return f"{spelled}: not yet. {task.wrong} Try again."

    def next(self) -> None:
        if answers := self.course.find_answers(self.match):
            which = "The" if len(answers) == 1 else "One"
            self.write(f"{which} answer was {self.course.spell(self.match, answers[0])}.")
        if self.course.advance():
            self.ask()
        else:
            self.write(f"{self.course.describe_end()} {AFTER_LESSONS}")
            self.is_over = self.is_at_end = True
