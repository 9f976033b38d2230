"""A round of drills in lines: says the position and the task, reads a move, says what it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeAlias

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Move
from onlymove_engines.play.session import parse_choice

from onlymove_tui.play.drills import Practice
from onlymove_tui.play.line_mode import Spoken, Voice
from onlymove_tui.play.phrases import comes_back, in_a_row, mistaken, origin, praise, round_over, task

Seek: TypeAlias = Callable[[AnyGame], tuple[AnyAnalyst | None, str]]


class DrillLines(Spoken):
    """One drill after the other; `find_analyst` says who knows a game's values. Without `names_goal` what is to be done
    is part of the question."""

    help_line = "type a move, or: board, words, moves, hint, solution, values, why, next, position, help, quit"

    def __init__(self, practice: Practice, find_analyst: Seek, voice: Voice, names_goal: bool = True) -> None:
        super().__init__(practice.match(), voice)
        self.practice = practice
        self.names_goal = names_goal
        self.find_analyst = find_analyst
        self.answered: Move | None = None
        self.commands |= {"solution": self.solution, "why": self.why, "next": self.next}

    def run(self, lines: Iterable[str]) -> None:
        self.ask()
        self.answer_all(lines, lambda: self.practice.drill is not None)
        self.write_all(round_over(self.practice))

    def ask(self) -> None:
        drill = self.practice.drill
        assert drill is not None, "there is one to ask"
        self.match.take_analyst(*self.find_analyst(self.game))
        self.answered = None
        self.find_out()
        place = f"Drill {self.practice.place + 1} of {self.practice.total}"
        said = ", ".join(filter(None, (place, in_a_row(self.practice.streak), self.game.title)))
        self.write(f"{said}. {origin(self.match, drill, self.names_goal)}".strip())
        self.show()
        if self.names_goal:
            self.write(f"{self.game.seats[drill.seat]}: {task(self.match)}.")

    def answer(self, line: str) -> None:
        """An empty line goes on from a solved drill."""
        if line:
            super().answer(line)
        elif self.practice.is_solved:
            self.next()

    def take(self, text: str) -> None:
        if self.practice.is_solved:
            self.write("The drill is solved. Enter goes on.")
            return
        move = parse_choice(self.session, self.chooser(), text)
        judgement = self.practice.answer(self.match, move)
        if judgement is None:
            self.write("Nobody knows what this move is worth.")
            return
        self.answered = move
        self.record()
        spelled = self.game.said(self.node.position, move)
        if self.practice.is_solved:
            self.write(f"{spelled}: right. {praise(judgement)} {self.goes_on()}")
        else:
            reply = self.reply_to(move)
            found = self.explanation((self.node, self.chooser(), move))
            why = " ".join(found.of_reply(reply, self.game.claims.noun))
            self.write(f"{spelled}: {mistaken(judgement.lost(), reply, why)} Try again.")

    def goes_on(self) -> str:
        return f"{comes_back(self.practice.days.get(self.practice.place))} Enter goes on.".strip()

    def reply_to(self, move: Move) -> str:
        """What best play answers to a wrong move, where that can be found out and there is something to answer."""
        search = self.match.advice.refutation(self.node, move)
        with suppress(OnlymoveError):
            return "" if search is None else "".join(search(self.budget()).texts[1:2])
        return ""

    def solution(self) -> None:
        """The best moves; the drill counts as not known."""
        self.practice.give_up(self.match)
        self.values()
        self.record()
        self.write(self.goes_on())

    def values(self) -> None:
        """What every move is worth, once that gives nothing away."""
        if self.practice.is_solved:
            super().values()
        else:
            self.write("First find a move; hint helps, solution tells.")

    def why(self) -> None:
        if self.answered is None:
            self.write("First type a move.")
        else:
            self.explain(self.node, self.answered)

    def record(self) -> None:
        if trouble := self.practice.record():
            self.write(trouble)

    def next(self) -> None:
        if self.practice.advance():
            self.sit_down(self.practice.match())
            self.ask()
        elif self.practice.trouble:
            self.write(self.practice.trouble)
