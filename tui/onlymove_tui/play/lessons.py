"""The lessons of a game, task by task, and what comes after them on its learning path: a first game against the weakest
level, and three rounds of drills that get longer. Depends on neither screens nor files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from onlymove_engines.coach.drill import Drill, Origin, draw_positions
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.lessons import (
    REACHED,
    Step,
    Task,
    find_lessons,
    find_outcome,
    find_seat,
    is_right,
    list_rounds,
    start_task,
)
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Outcome, Seat
from onlymove_engines.match.match import Match
from onlymove_engines.play.players import HUMAN, read_player
from onlymove_engines.play.session import Session

from onlymove_tui.play.drills import NOBODY, Practice
from onlymove_tui.play.phrases import DRILL_WORDS, describe_beginning, spell_count
from onlymove_tui.store.learning import DRILL_STAGES, Learned, Milestone, next_stage


class Course:
    """Goes through the lessons of `game`. It begins with the first step that is not `done`. Each time the player
    finishes another step, `save_steps` gets the number of finished steps. Raises BadLesson for lessons that cannot be
    taught."""

    def __init__(
        self, game: AnyGame, coaching: Coaching, done: int = 0, save_steps: Callable[[int], None] = lambda _: None
    ) -> None:
        self.game = game
        self.coaching = coaching
        self.save_steps = save_steps
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
    def is_played_out(self) -> bool:
        """Whether the task is a whole game against the engine."""
        return bool(self.task.against)

    @property
    def headline(self) -> str:
        return f"Step {self.place[0] + 1} of {len(self.steps)}: {self.step.title}"

    @property
    def seat(self) -> Seat:
        return find_seat(self.game, self.task, start_task(self.game, self.task).here.position)

    def match(self) -> Match:
        """Return the task as a match. Unless the task is a whole game, the other side never moves."""
        opponent = read_player(self.game, self.task.against) if self.is_played_out else NOBODY
        players = (HUMAN, opponent) if self.seat == 0 else (opponent, HUMAN)
        session = Session.from_line(start_task(self.game, self.task), players)
        return Match(session, self.coaching, training=False)

    def answer(self, match: Match, move: Move) -> bool | None:
        """Return whether a move does what the task asks, or `None` while that is not known."""
        task, values = self.task, match.node.values
        if task.needs_values and values is None:
            return None
        right = is_right(self.game, task, match.node.position, move, values)
        if right:
            self.solve()
        return right

    def find_answers(self, match: Match) -> Sequence[Move]:
        """Return the right answers to an unsolved task. Empty if the task is a whole game, or while none is known."""
        task, values, position = self.task, match.node.values, match.node.position
        if self.is_solved or self.is_played_out or (task.needs_values and values is None):
            return ()
        moves = match.session.moves_of(self.seat)
        return [move for move in moves if is_right(self.game, task, position, move, values)]

    def describe_hint(self, match: Match) -> str:
        """Say how many moves solve an unsolved task, and where they begin if that does not give them away."""
        answers, moves = self.find_answers(match), match.session.moves_of(self.seat)
        if not answers:
            return "The answer is not known yet."
        if len(answers) == len(moves):
            return "Every move is right here."
        count = f"{len(answers)} of {len(moves)} moves {'is' if len(answers) == 1 else 'are'} right."
        begun = match.session.make_entry(self.seat).group_by_target()
        targets = [target for target, led_to in begun.items() if not set(answers).isdisjoint(led_to)]
        tells = len(targets) < len(begun) < len(moves)
        return f"{count} {describe_beginning(self.game, targets)}" if tells else count

    def spell(self, match: Match, move: Move) -> str:
        if self.game.facts.simultaneous:
            return str(move)
        return self.game.voice.reasons.noun + self.game.describe_move(match.node.position, move)

    def finish(self, match: Match) -> bool:
        """Return whether a whole game has ended as the task asks. If so, the task is done."""
        result = match.session.result
        if result is None or result.outcome_for(self.seat) not in REACHED[self.task.result]:
            return False
        self.solve()
        return True

    def solve(self) -> None:
        """Mark the task as done. If it is the last task of its step, the step is done too."""
        self.is_solved = True
        if self.place[1] == len(self.step.tasks) - 1:
            self.save_steps(self.place[0] + 1)

    def choose_shown_move(self, position: AnyPosition, move: Move) -> Move:
        """Return the move to show for an answer. A simultaneous move includes the worst reply, or the task's own."""

        def rank(each: Move) -> int:
            outcome = find_outcome(self.game, position, each, self.seat)
            return len(Outcome) if outcome is None else outcome

        return min(list_rounds(self.game, self.task, position, move), key=rank)

    def describe_end(self) -> str:
        if not self.skipped:
            return "You have done every lesson of this game."
        return f"That was the last step. You skipped {spell_count(self.skipped, 'task')}."

    def advance(self) -> bool:
        """Go to the next task, even if this one is not done. Returns `False` if this was the last one."""
        self.skipped += not self.is_solved
        step, task = self.place
        if task + 1 < len(self.step.tasks):
            self.place = step, task + 1
        elif step + 1 < len(self.steps):
            self.place = step + 1, 0
        else:
            return False
        self.is_solved = False
        return True


NextStep: TypeAlias = Course | Match | Practice

ROUND = 3
BY_LENGTH: Final = (Origin.WIN_IN_ONE, Origin.WIN_IN_THREE, Origin.ONLY_MOVE)
"""The themes of the rounds in games that count plies."""
BY_RESULT: Final = (Origin.CONVERT, Origin.HOLD, Origin.ONLY_MOVE)
"""The themes in games that count points, or in which both sides move at once."""


class NothingToLearn(OnlymoveError):
    """Raised when there is nothing more to learn. The message says why."""


def find_theme(game: AnyGame, stage: Milestone) -> Origin | None:
    """Return the theme of a stage's drills, or `None` for a stage without drills."""
    themes = BY_RESULT if game.facts.simultaneous or game.facts.has_margin else BY_LENGTH
    return themes[DRILL_STAGES.index(stage)] if stage in DRILL_STAGES else None


def first_game(game: AnyGame, seed: int) -> Session[object, object]:
    """Return a game against the weakest level from the usual start. The person moves first."""
    engine = read_player(game, game.facts.levels[0].id if game.facts.levels else "random")
    return Session(game, game.start({}, seed), (HUMAN, engine))


def find_drills(game: AnyGame, analyst: AnyAnalyst, random: Random, stage: Milestone) -> list[Drill]:
    """Return positions for a stage's round of drills. Empty for a stage without drills."""
    theme = find_theme(game, stage)
    return [] if theme is None else list(draw_positions(game, analyst, random, theme, ROUND))


def next_keys(game: AnyGame, learned: Learned | None, key: str = "l") -> tuple[tuple[str, str], ...]:
    """Return the key that leads to the next step, with its name, such as `next: win in 1`, or no key after the last."""
    stage = None if learned is None else next_stage(learned)
    if stage is None:
        return ()
    theme = find_theme(game, stage)
    other = "a first game" if stage is Milestone.FIRST_GAME else "lessons"
    return ((key, f"next: {other if theme is None else DRILL_WORDS[theme]}"),)
