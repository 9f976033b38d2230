"""What a player practises: rounds of drills, positions of the day, the lessons of a game, and the path through them.

The path leads from the lessons to a first game against the weakest level, and then to three rounds of drills that get
longer. Does not depend on screens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby, takewhile
from random import Random
from typing import ClassVar, Final, TypeAlias

from onlymove_engines.coach.drill import (
    THEMES,
    Drill,
    Origin,
    daily_drill,
    draw_positions,
    make_mistake_drill,
    read_setting,
    solves,
)
from onlymove_engines.coach.hint import LAST_STAGE
from onlymove_engines.coach.judge import Coaching, judge
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
from onlymove_engines.core.facts import Facts, GameId
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Move, Outcome, Seat
from onlymove_engines.core.words import choose_number, format_count
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, read_player
from onlymove_engines.play.session import Session
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.play.keys import Phrase, phrase
from onlymove_tui.play.phrases import DRILL_WORDS, describe_beginning
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import (
    DRILL_STAGES,
    NEW,
    NOTHING_LEARNED,
    DailyStore,
    Due,
    Learned,
    Mark,
    Milestone,
    Place,
    next_stage,
)

FRESH = 5
"""How many new positions are looked for at a time."""
NOBODY = Player(PlayerKind.ENGINE)
"""The other side in a drill or lesson. It is never asked for a move."""


RecordAnswer: TypeAlias = Callable[[Due, bool, bool], int | None]
"""A function that stores the first attempt at a drill: whether it was right, and whether a hint was given. Returns in
how many days the drill is asked again, or `None`. Raises OnlymoveError, and KeyError for a drill that is gone."""


@dataclass(eq=False)
class Practice:
    """A round of drills, those in `queue`. Without `record_answer`, nothing is stored. `attempts` holds the first
    attempt at each drill: right, wrong, or `None` if it was not tried. `days` says when each stored drill is asked
    again. If the round `is_daily`, it is a position of the day."""

    queue: list[Due]
    find_game: Callable[[GameId], AnyGame]
    coaching: Coaching
    record_answer: RecordAnswer | None = None
    is_daily: bool = False
    route: ClassVar[str] = "drill"
    """The name that opens its screen, if there are screens."""

    def __post_init__(self) -> None:
        self.queue = [*self.queue]
        self.place = 0
        self.attempts: list[bool | None] = [None] * len(self.queue)
        self.days: dict[int, int] = {}
        self.is_solved = False
        self.milestone: Milestone | None = None
        """The milestone that the player reaches at the end of the round, if the round is part of learning a game."""
        self.trouble = ""
        self._live: LiveGame | None = None
        self._unsaved: list[tuple[int, bool, bool]] = []

    @property
    def drill(self) -> Drill | None:
        return self.queue[self.place].drill if self.place < len(self.queue) else None

    @property
    def total(self) -> int:
        return len(self.queue)

    @property
    def is_answered(self) -> bool:
        return self.drill is not None and self.attempts[self.place] is not None

    @property
    def answers(self) -> list[bool]:
        return [attempt for attempt in self.attempts if attempt is not None]

    @property
    def is_complete(self) -> bool:
        return None not in self.attempts

    @property
    def streak(self) -> int:
        return len(list(takewhile(bool, reversed(self.answers))))

    @property
    def longest_streak(self) -> int:
        return max((len(list(run)) for is_right, run in groupby(self.answers) if is_right), default=0)

    def live_game(self) -> LiveGame:
        """Return the drill's position as a live game in which the other side never moves. May read files. Raises
        OnlymoveError for a drill that cannot be read, and IndexError after the last one."""
        if self._live is None:
            drill = self.queue[self.place].drill
            players = (HUMAN, NOBODY) if drill.seat == 0 else (NOBODY, HUMAN)
            session = Session.from_tree(read_setting(self.find_game(drill.game), drill.position), players)
            self._live = LiveGame(session, self.coaching, training=False)
        return self._live

    def answer(self, live: LiveGame, move: Move) -> Judgement | None:
        """Judge a move. Returns `None` while its value is not known. Only the first attempt counts."""
        drill, values = self.drill, live.node.values
        if drill is None or values is None:
            return None
        judgement = judge(values, move, live.coaching, drill.seat)
        self.is_solved = solves(drill, judgement)
        self._count(self.is_solved, live)
        return judgement

    def give_up(self, live: LiveGame) -> None:
        """Count the drill as missed, because the player has asked for the solution."""
        self._count(False, live)
        self.is_solved = True

    def _count(self, solved: bool, live: LiveGame) -> None:
        if self.drill is not None and not self.is_answered:
            stage = live.get_stage(self.drill.seat)
            known = solved and stage < LAST_STAGE
            self.attempts[self.place] = known
            self._unsaved.append((self.place, known, stage > 0))

    def save(self) -> str:
        """Write the new answers to disk. Returns an error text or an empty one. What fails is tried again next time."""
        answers, self._unsaved = self._unsaved, []
        failed, self.trouble = [], ""
        for place, known, with_hint in answers:
            try:
                days = None if self.record_answer is None else self.record_answer(self.queue[place], known, with_hint)
                if days is not None:
                    self.days[place] = days
            except KeyError:
                self.trouble = "this drill no longer exists"
            except OnlymoveError as trouble:
                self.trouble = str(trouble)
                failed.append((place, known, with_hint))
        self._unsaved[:0] = failed
        return self.trouble

    def begin(self) -> bool:
        """Go to the first drill that can be read, from the current one on. The others leave the round but stay stored.
        Returns `False` if there is none. May read files."""
        while self.drill is not None:
            try:
                return self.live_game() is not None
            except OnlymoveError as refusal:
                self.trouble = str(refusal)
                del self.queue[self.place]
                del self.attempts[self.place]
        return False

    def advance(self) -> bool:
        """Go to the next drill that can be read. Returns `False` if there is none. May read files."""
        if self.drill is not None:
            self.place += 1
        self.is_solved = False
        self._live = None
        return self.begin()

    def repeat(self) -> Practice:
        """Return another round with the drills that were missed, or with all drills if none was missed."""
        missed = [due for due, attempt in zip(self.queue, self.attempts, strict=True) if attempt is False]
        return Practice(missed or self.queue, self.find_game, self.coaching, self.record_answer, self.is_daily)

    def headline(self) -> str:
        made = self.answers
        return f"{sum(made)} of {len(made)} correct on the first try." if made else "You gave no answers."


def sort_weakest_first(answers: Mapping[Origin, tuple[int, int]]) -> list[Origin]:
    """Return the themes of new positions, the weakest first. `answers` gives (right, all) for each theme."""

    def share(theme: Origin) -> float:
        right, tries = answers.get(theme, (0, 0))
        return (right + 1) / (tries + 2)

    return sorted(THEMES, key=share)


def find_fresh(game: AnyGame, analyst: AnyAnalyst, random: Random, themes: Sequence[Origin]) -> list[Drill]:
    """Return some new positions on the first of these themes that has any. Empty if none has."""
    drawn = (list(draw_positions(game, analyst, random, theme, FRESH)) for theme in themes)
    return next(filter(None, drawn), [])


def collect_drills(store: GameStore | None, drills: Sequence[Drill]) -> int:
    """Store drills. Returns how many were new. A disk error must not end the game."""
    with suppress(OnlymoveError):
        return store.drills.add(drills) if store is not None and drills else 0
    return 0


def retry_mistake(live: LiveGame, node: AnyNode, seat: Seat) -> Practice:
    """Return a round with one drill: the position in which `seat` made the mistake that led to `node`. `live` provides
    the values that are known. Nothing is stored. The drill has the moves before it, because a picture may show them."""
    game, drill = live.game, make_mistake_drill(live.session.tree, node, seat, with_past=True)
    practice = Practice([Due(NEW, drill, 0, 0)], {game.id: game}.__getitem__, live.coaching)
    asked = practice.live_game()
    if live.is_analyst_settled:
        asked.set_analyst(live.analyst, live.source_note)
    if node.parent is not None and (values := node.parent.values) is not None:
        asked.store_values(asked.node, values)
    return practice


SIGNS: Mapping[Mark | None, str] = {Mark.RIGHT: "✓", Mark.HINTED: "(✓)", Mark.WRONG: "✗", None: "·"}


def daily_round(game: AnyGame, analyst: AnyAnalyst, day: date, coaching: Coaching, book: DailyStore) -> Practice | None:
    """Return a round with the position of the day, or `None` if there is none. Raises OnlymoveError."""
    drill = daily_drill(game, analyst, day.toordinal())
    if drill is None:
        return None

    def record_answer(_due: Due, solved: bool, with_hint: bool) -> None:
        book.save(day, game.id, solved, with_hint)

    practice = Practice([Due(NEW, drill, 0, 0)], {game.id: game}.__getitem__, coaching, record_answer, is_daily=True)
    practice.live_game()
    return practice


def result_line(all_facts: Sequence[Facts], day: date, marks: Mapping[GameId, Mark], streak: int) -> str:
    """Return a day's results to share without spoilers, such as `onlymove 2026-11-21 One Game ✓ Another ✗ 1 of 2`."""
    games = "  ".join(f"{facts.title} {SIGNS[marks.get(facts.id)]}" for facts in all_facts)
    right = sum(mark is not Mark.WRONG for mark in marks.values())
    run = f", {streak}-day streak" if streak > 1 else ""
    return f"onlymove {day.isoformat()}  {games}  {right} of {len(all_facts)}{run}"


def return_text(practice: Practice) -> str:
    """Return when a drill is asked again, such as `You'll see this again today.` Empty if that is not known."""
    days = practice.days.get(practice.place)
    if days is None:
        return ""
    if days < 1 and not practice.queue[practice.place].tries and practice.attempts[practice.place]:
        return "It was new, so you'll see it again today."
    return f"You'll see this again {_day_words(days)}."


def count_returns(days: Iterable[int]) -> str:
    """Return how many drills come back and when, such as `1 comes back today, 2 in 4 days.` Empty if there are none."""
    counts = sorted(Counter(max(0, day) for day in days).items())
    parts = [f"{count} {_day_words(day)}" for day, count in counts]
    if parts:
        parts[0] = f"{counts[0][1]} {'comes' if counts[0][1] == 1 else 'come'} back {_day_words(counts[0][0])}"
    return f"{', '.join(parts)}." if parts else ""


def _day_words(days: int) -> str:
    return f"in {days} days" if days > 1 else ("today", "tomorrow")[max(0, days)]


def round_summary(practice: Practice) -> list[str]:
    streak = f"Longest streak: {practice.longest_streak}." if practice.longest_streak > 1 else ""
    return [line for line in (practice.headline(), streak, count_returns(practice.days.values())) if line]


def find_next_lesson(steps: Sequence[Step], learned: Learned) -> int | None:
    """Return the number of the first lesson step that the player has neither finished nor skipped, or `None`."""
    return next(
        (
            number
            for number, step in enumerate(steps)
            if number not in learned.steps and learned.places.get(number, 0) < len(step.tasks)
        ),
        None,
    )


class Course:
    """Goes through the lessons of `game`, from `step` on, or without it from the step at which the player has left
    (`learned`). In a step that was left between two tasks, it goes on with the next of them. `save_place` gets how far
    the player is, whenever that changes. Raises BadLesson for lessons that cannot be taught."""

    route = "lesson"

    def __init__(
        self, game: AnyGame, coaching: Coaching, learned: Learned = NOTHING_LEARNED, step: int | None = None
    ) -> None:
        self.game = game
        self.coaching = coaching
        self.save_place: Callable[[Place], None] = lambda _: None
        self.steps = find_lessons(game)
        self.learned = learned
        """What the player has learned, with what was done in this course."""
        self.place = (0, 0)
        """The numbers of the step and of its task, from 0."""
        self.is_solved = False
        self.skipped = 0
        if self.steps:
            self.go_to((find_next_lesson(self.steps, learned) or 0) if step is None else step)

    def begin_again(self) -> None:
        """Go to the first task of the first step."""
        self.place, self.is_solved, self.skipped = (0, 0), False, 0

    def go_to(self, step: int) -> None:
        """Go to a step: to its first task, unless the step was left between two tasks."""
        task = self.learned.places.get(step, 0)
        self.place = step, task if 0 < task < len(self.steps[step].tasks) else 0
        self.is_solved = False

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

    def live_game(self) -> LiveGame:
        """Return the task as a live game. Unless the task is a whole game, the other side never moves."""
        opponent = read_player(self.game, self.task.against) if self.is_played_out else NOBODY
        players = (HUMAN, opponent) if self.seat == 0 else (opponent, HUMAN)
        session = Session.from_tree(start_task(self.game, self.task), players)
        return LiveGame(session, self.coaching, training=False)

    def answer(self, live: LiveGame, move: Move) -> bool | None:
        """Return whether a move does what the task asks, or `None` while that is not known."""
        task, values = self.task, live.node.values
        if task.needs_values and values is None:
            return None
        right = is_right(self.game, task, live.node.position, move, values)
        if right:
            self.solve()
        return right

    def find_answers(self, live: LiveGame) -> Sequence[Move]:
        """Return the right answers to an unsolved task. Empty if the task is a whole game, or while none is known."""
        task, values, position = self.task, live.node.values, live.node.position
        if self.is_solved or self.is_played_out or (task.needs_values and values is None):
            return ()
        moves = live.session.moves_of(self.seat)
        return [move for move in moves if is_right(self.game, task, position, move, values)]

    def describe_hint(self, live: LiveGame, is_shown: bool = False) -> Phrase:
        """Say how many moves solve an unsolved task, and where they begin if that does not give them away. If that
        `is_shown` already, say how to see the answer."""
        answers, moves = self.find_answers(live), live.session.moves_of(self.seat)
        if not answers:
            return "The answer is not known yet."
        if is_shown:
            return phrase("That was the whole hint. Press {next_task} to see the answer.")
        if len(answers) == len(moves):
            return "Every move is right here."
        count = f"{len(answers)} of {len(moves)} moves {'is' if len(answers) == 1 else 'are'} right."
        begun = live.session.make_entry(self.seat).group_by_target()
        targets = [target for target, led_to in begun.items() if not set(answers).isdisjoint(led_to)]
        tells = len(targets) < len(begun) < len(moves)
        return f"{count} {describe_beginning(self.game, targets)}" if tells else count

    def describe_answer(self, live: LiveGame, answers: Sequence[Move], verb: str = "is") -> str:
        """Name the first of these right answers, as in `One answer is a4.`"""
        return f"{'The' if len(answers) == 1 else 'One'} answer {verb} {self.to_text(live, answers[0])}."

    def to_text(self, live: LiveGame, move: Move) -> str:
        if self.game.facts.simultaneous:
            return str(move)
        return self.game.voice.reasons.noun + self.game.describe_move(live.node.position, move)

    def finish(self, live: LiveGame) -> bool:
        """Return whether a whole game has ended as the task asks. If so, the task is done."""
        result = live.session.result
        if result is None or result.outcome_for(self.seat) not in REACHED[self.task.result]:
            return False
        self.solve()
        return True

    def solve(self) -> None:
        """Mark the task as done. If it is the last task of its step, the step is done too."""
        self.is_solved = True
        self._pass_task()

    def _pass_task(self) -> None:
        """Remember that the step goes on after this task."""
        step, task = self.place
        learned, is_done = self.learned, self.is_solved and task + 1 == len(self.step.tasks)
        steps, places = learned.steps | ({step} if is_done else set()), {**learned.places, step: task + 1}
        self.learned = replace(learned, steps=steps, places=places)
        self.save_place(Place(step, task + 1, is_done))

    def choose_shown_move(self, position: AnyPosition, move: Move) -> Move:
        """Return the move to show for an answer. A simultaneous move includes the worst reply, or the task's own."""

        def rank(each: Move) -> int:
            outcome = find_outcome(self.game, position, each, self.seat)
            return len(Outcome) if outcome is None else outcome

        return min(list_rounds(self.game, self.task, position, move), key=rank)

    def describe_end(self) -> str:
        left = len({*range(len(self.steps))} - self.learned.steps)
        if self.skipped:
            return f"That was the last step. You skipped {format_count(self.skipped, 'task')}."
        if left:
            are = choose_number(left, "is", "are")
            return f"That was the last step. {format_count(left, 'other step')} {are} not done yet."
        return "You have done every lesson of this game."

    def advance(self) -> bool:
        """Go to the next task, even if this one is not done. Returns `False` if this was the last one."""
        if not self.is_solved:
            self.skipped += 1
            self._pass_task()
        step, task = self.place
        if task + 1 < len(self.step.tasks):
            self.place, self.is_solved = (step, task + 1), False
        elif step + 1 < len(self.steps):
            self.go_to(step + 1)
        else:
            return False
        return True


NextStep: TypeAlias = Course | LiveGame | Practice

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


def next_keys(game: AnyGame, learned: Learned | None, command: str = "learn") -> tuple[tuple[str, str], ...]:
    """Return the command for the next step, with that step's name, such as `next: win in 1`. Empty after the last."""
    stage = None if learned is None else next_stage(learned)
    if stage is None:
        return ()
    theme = find_theme(game, stage)
    other = "a first game" if stage is Milestone.FIRST_GAME else "lessons"
    return ((command, f"next: {other if theme is None else DRILL_WORDS[theme]}"),)
