"""The lessons of a game, one task after the other, and how far the player has come. Knows no screen and no file."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.lessons import Step, Task, find_lessons, find_seat, is_reached, is_right, start_task
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import moves_of
from onlymove_engines.core.value import Move, Outcome, Seat, other
from onlymove_engines.match.match import Match
from onlymove_engines.play.players import HUMAN, read_player
from onlymove_engines.play.session import Session

from onlymove_tui.play.drills import NOBODY


class Course:
    """Goes through the lessons of `game`, from the first step that is not `done` yet. `keep` is called with the number
    of steps that are done when one more is. Raises BadLesson for lessons that cannot be taught."""

    def __init__(
        self, game: AnyGame, coaching: Coaching, done: int = 0, keep: Callable[[int], None] = lambda _: None
    ) -> None:
        self.game = game
        self.coaching = coaching
        self.keep = keep
        self.steps = find_lessons(game)
        self.place = (done if done < len(self.steps) else 0, 0)
        self.is_solved = False
        self.skipped = 0

    @property
    def step(self) -> Step:
        return self.steps[self.place[0]]

    @property
    def task(self) -> Task:
        return self.step.tasks[self.place[1]]

    @property
    def is_first_task(self) -> bool:
        """Whether a step begins here, so that its text is to be read."""
        return self.place[1] == 0

    @property
    def is_played_out(self) -> bool:
        """Whether the task is a game against the engine."""
        return bool(self.task.against)

    @property
    def is_last(self) -> bool:
        return self.place == (len(self.steps) - 1, len(self.step.tasks) - 1)

    @property
    def headline(self) -> str:
        """`Step 2 of 7: Jumping`"""
        return f"Step {self.place[0] + 1} of {len(self.steps)}: {self.step.title}"

    @property
    def seat(self) -> Seat:
        return find_seat(self.game, self.task, start_task(self.game, self.task).here.position)

    def match(self) -> Match:
        """The task as a match: against the engine where it is played out, else one in which nobody answers."""
        opponent = read_player(self.game, self.task.against) if self.is_played_out else NOBODY
        players = (HUMAN, opponent) if self.seat == 0 else (opponent, HUMAN)
        session = Session.from_line(start_task(self.game, self.task), players)
        return Match(session, self.coaching, training=False)

    def answer(self, match: Match, move: Move) -> bool | None:
        """Whether a move is what the task asks for; `None` while that is not known."""
        task, values = self.task, match.values()
        if task.needs_values and values is None:
            return None
        right = is_right(self.game, task, match.node.position, move, values)
        if right:
            self.solve()
        return right

    def find_answer(self, match: Match) -> Move | None:
        """A right answer to a task that is not solved. `None` for a game that is played out, and while unknown."""
        task, values, position = self.task, match.values(), match.node.position
        if self.is_solved or self.is_played_out or (task.needs_values and values is None):
            return None
        moves = match.session.moves_of(self.seat)
        return next((move for move in moves if is_right(self.game, task, position, move, values)), None)

    def spell(self, match: Match, move: Move) -> str:
        """A move of the player in a task, as a player reads it."""
        if self.game.facts.simultaneous:
            return str(move)
        return self.game.describe_move(match.node.position, move)

    def finish(self, match: Match) -> bool:
        """Whether a game that was played out has ended as the task asks."""
        result = match.session.result
        reached = result is not None and is_reached(self.task, result.outcome_for(self.seat))
        if reached:
            self.solve()
        return reached

    def solve(self) -> None:
        """The task is done; with the last of a step so is the step."""
        self.is_solved = True
        if self.place[1] == len(self.step.tasks) - 1:
            self.keep(self.place[0] + 1)

    def shown(self, position: AnyPosition, move: Move) -> Move:
        """The move to show for an answer: where both move at once with the reply that the task names, or else with the
        one that is worst for the player."""
        if not self.game.facts.simultaneous:
            return move
        seat, task = self.seat, self.task
        replies = [
            reply for reply in moves_of(self.game.rules, position, other(seat)) if task.other in ("", str(reply))
        ]
        rounds = [(move, reply) if seat == 0 else (reply, move) for reply in replies]

        def rank(both: Move) -> int:
            result = self.game.rules.result(self.game.rules.play(position, both))
            return len(Outcome) if result is None else result.outcome_for(seat)

        return min(rounds, key=rank)

    def farewell(self) -> str:
        """What is said after the last task."""
        if not self.skipped:
            return "You have done every lesson of this game."
        return f"That was the last step. You skipped {self.skipped} task{'' if self.skipped == 1 else 's'}."

    def advance(self) -> bool:
        """To the next task, whether or not this one is done. Returns whether there is one."""
        self.skipped += not self.is_solved
        if self.is_last:
            return False
        step, task = self.place
        self.place = (step, task + 1) if task + 1 < len(self.step.tasks) else (step + 1, 0)
        self.is_solved = False
        return True
