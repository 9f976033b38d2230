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
from functools import partial
from itertools import groupby, takewhile
from random import Random
from typing import ClassVar, Final, Protocol, TypeAlias

from onlymove_engines.coach.drill import (
    THEMES,
    DailyLevel,
    Drill,
    Origin,
    counts_plies,
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
from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.budget import Budget
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
from onlymove_tui.play.phrases import DRILL_WORDS, describe_beginning, name_choice
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import (
    DRILL_STAGES,
    NEW,
    NOTHING_LEARNED,
    Answered,
    DailyResult,
    DailyStore,
    Due,
    Learned,
    Mark,
    Milestone,
    Place,
    StoredDrill,
    next_stage,
)

FRESH = 5
"""How many new positions are looked for at a time."""
NOBODY = Player(PlayerKind.ENGINE)
"""The other side in a drill or lesson. It is never asked for a move."""


class DrillBook(Protocol):
    """Where the drills of a round are stored. Methods raise OnlymoveError, and KeyError for a drill that is gone."""

    def record_answer(self, due: Due, solved: bool, with_hint: bool) -> Answered: ...

    def take_back(self, answered: Answered) -> None: ...

    def put_aside(self, due: Due) -> None: ...

    def remove(self, due: Due) -> None: ...


@dataclass(frozen=True, slots=True)
class Daily:
    """The position of a day, at a level, and where its result is stored."""

    day: date
    level: DailyLevel
    book: DailyStore


QUICK_BUDGET = Budget(nodes=20_000)
"""How much may be searched before a drill is shown. This takes well below a tenth of a second."""


def prepare_values(live: LiveGame, analyst: AnyAnalyst | None, note: str) -> None:
    """Give a drill its analyst and the values of its position, if they are known at once. Its first picture can then
    say what is to be kept. The goal of a drill with simultaneous moves is always the same. Raises OnlymoveError."""
    if analyst is None or live.is_simultaneous:
        return
    live.set_analyst(analyst, note)
    question = live.prepare_question(live.node)
    values = None if question is None else question(QUICK_BUDGET)
    if isinstance(values, Analysis) and values.is_complete:
        live.store_values(live.node, values)


def prepare_nothing(live: LiveGame) -> None:
    pass


@dataclass(eq=False)
class Practice:
    """A round of drills, those in `queue`. Without `drills` and `daily`, nothing is stored. With `daily`, the only
    drill is a position of the day. `prepare` may find the values of a new drill, so that its goal is known at once.

    `attempts` holds the first attempt at each drill: right, wrong, or `None` if it was not tried. `recorded` holds what
    was stored of it. `tries` counts the answers to the current drill. `is_given` means that the player has asked for
    its solution."""

    queue: list[Due]
    find_game: Callable[[GameId], AnyGame]
    coaching: Coaching
    drills: DrillBook | None = None
    daily: Daily | None = None
    prepare: Callable[[LiveGame], None] = prepare_nothing
    route: ClassVar[str] = "drill"
    """The name that opens its screen, if there are screens."""

    def __post_init__(self) -> None:
        self.queue = [*self.queue]
        self.place = 0
        self.attempts: list[bool | None] = [None] * len(self.queue)
        self.recorded: dict[int, Answered] = {}
        self.milestone: Milestone | None = None
        """The milestone that the player reaches at the end of the round, if the round is part of learning a game."""
        self.trouble = ""
        self._unsaved: list[Callable[[], None]] = []
        self._forget_drill()

    def _forget_drill(self) -> None:
        self.tries = 0
        self.is_solved = self.is_given = False
        self._live: LiveGame | None = None

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
        return bool(self.attempts) and None not in self.attempts

    @property
    def was_hard(self) -> bool:
        """Whether most answers were wrong."""
        return 2 * sum(self.answers) < len(self.answers)

    @property
    def may_be_changed(self) -> bool:
        """Whether the drill can be put aside or removed."""
        return self.drill is not None and self.drills is not None

    @property
    def is_put_aside(self) -> bool:
        """Whether the answer to the drill has put it aside."""
        return self.place in self.recorded and self.recorded[self.place].is_put_aside

    @property
    def may_be_taken_back(self) -> bool:
        """Whether the answer to the drill is the only one so far, and is stored. A position of the day can be answered
        only once, and after the solution there is nothing left to find."""
        return self.place in self.recorded and self.tries == 1 and not self.is_given

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
            self.prepare(self._live)
        return self._live

    def answer(self, live: LiveGame, move: Move) -> Judgement | None:
        """Judge a move. Returns `None` while its value is not known. Only the first attempt counts."""
        drill, values = self.drill, live.node.values
        if drill is None or values is None:
            return None
        judgement = judge(values, move, live.coaching, drill.seat)
        self.is_solved = solves(drill, judgement)
        self.tries += 1
        if self.is_solved and self.daily is not None and self.is_answered:
            self._unsaved.append(partial(self.daily.book.save_tries, self.daily.day, drill.game, self.tries))
        self._count(self.is_solved, live)
        return judgement

    def give_up(self, live: LiveGame) -> None:
        """Count the drill as missed, because the player has asked for the solution."""
        self._count(False, live)
        self.is_solved = self.is_given = True

    def _count(self, solved: bool, live: LiveGame) -> None:
        if self.drill is not None and not self.is_answered:
            stage = live.get_stage(self.drill.seat)
            known = solved and stage < LAST_STAGE
            self.attempts[self.place] = known
            self._unsaved.append(partial(self._record, self.place, self.queue[self.place], known, stage > 0))

    def _record(self, place: int, due: Due, known: bool, with_hint: bool) -> None:
        if self.daily is not None:
            self.daily.book.save(self.daily.day, due.drill.game, known, with_hint, self.daily.level)
        elif self.drills is not None:
            self.recorded[place] = answered = self.drills.record_answer(due, known, with_hint)
            self.queue[place] = replace(due, number=answered.number)

    def save(self) -> str:
        """Write the new answers to disk. Returns an error text or an empty one. What fails is tried again next time."""
        unsaved, self._unsaved, self.trouble = self._unsaved, [], ""
        failed = []
        for write in unsaved:
            try:
                write()
            except KeyError:
                self.trouble = "this drill no longer exists"
            except OnlymoveError as trouble:
                self.trouble = str(trouble)
                failed.append(write)
        self._unsaved[:0] = failed
        return self.trouble

    def take_back(self) -> None:
        """Make the drill what it was before its only answer, also on disk. Raises OnlymoveError."""
        if self.drills is None or not self.may_be_taken_back:
            return
        answered = self.recorded[self.place]
        self.drills.take_back(answered)
        del self.recorded[self.place]
        if not answered.before:
            self.queue[self.place] = replace(self.queue[self.place], number=NEW)
        self.attempts[self.place] = None
        self.tries, self.is_solved = 0, False

    def put_aside(self) -> bool:
        """Put the drill aside, and go to the next one. Returns `False` if there is none. Raises OnlymoveError."""
        if self.drills is not None:
            with suppress(KeyError):  # It is gone, so it is not asked again either.
                self.drills.put_aside(self.queue[self.place])
        return self._leave_out()

    def remove(self) -> bool:
        """Delete the drill, and go to the next one. Returns `False` if there is none. Raises OnlymoveError."""
        if self.drills is not None:
            self.drills.remove(self.queue[self.place])
        return self._leave_out()

    def _leave_out(self) -> bool:
        """Go to the next drill. This one leaves the round, but an answer to it still counts."""
        if self.is_answered:
            self.recorded.pop(self.place, None)
            return self.advance()
        del self.queue[self.place]
        del self.attempts[self.place]
        self._forget_drill()
        return self.begin()

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
        self._forget_drill()
        return self.begin()

    def repeat(self) -> Practice:
        """Return another round with the drills that were missed, or with all drills if none was missed. A position of
        the day is not stored again. Those that could not be saved yet are saved with the new round."""
        missed = [due for due, attempt in zip(self.queue, self.attempts, strict=True) if attempt is False]
        again = Practice(missed or self.queue, self.find_game, self.coaching, self.drills, prepare=self.prepare)
        again._unsaved = self._unsaved
        return again

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


def daily_round(
    game: AnyGame,
    analyst: AnyAnalyst,
    day: date,
    coaching: Coaching,
    book: DailyStore,
    learned: Learned,
    prepare: Callable[[LiveGame], None] = prepare_nothing,
) -> Practice | None:
    """Return a round with the position of the day at the player's level, or `None` if there is none. Raises
    OnlymoveError."""
    level = choose_daily_level(book.list_before(day, game.id, UNTIL_NEXT_LEVEL), learned)
    drill = daily_drill(game, analyst, day.toordinal(), level)
    if drill is None:
        return None
    daily, find_game = Daily(day, level, book), {game.id: game}.__getitem__
    practice = Practice([Due(NEW, drill, 0, 0)], find_game, coaching, daily=daily, prepare=prepare)
    practice.live_game()
    return practice


UNTIL_NEXT_LEVEL = 2
"""After so many positions of a level in a row, all solved at the first try without a hint, the player gets the next
level. After as many missed ones, it is the level below."""


def choose_daily_level(latest: Sequence[DailyResult], learned: Learned) -> DailyLevel:
    """Return the level of a player's next position of the day. `latest` are the results of the days before, the latest
    first. A player without results begins with easy positions, or after all rounds of drills with medium ones."""
    levels = list(DailyLevel)
    if not latest:
        return DailyLevel.MEDIUM if learned.reached.issuperset(DRILL_STAGES) else DailyLevel.EASY
    place, recent = levels.index(latest[0].level), latest[:UNTIL_NEXT_LEVEL]
    marks = {result.mark for result in recent}
    if len(recent) == UNTIL_NEXT_LEVEL and len(marks) == 1 and all(each.level is latest[0].level for each in recent):
        place += {Mark.RIGHT: 1, Mark.HINTED: 0, Mark.WRONG: -1}[latest[0].mark]
    return levels[max(0, min(len(levels) - 1, place))]


def describe_result(result: DailyResult) -> str:
    """Return how a position of the day went, such as `2 tries`, `1 try with a hint` or `not solved`."""
    if not result.tries:
        return "not solved"
    hint = " with a hint" if result.mark is Mark.HINTED else ""
    return f"{format_count(result.tries, 'try', 'tries')}{hint}"


def result_line(all_facts: Sequence[Facts], day: date, results: Mapping[GameId, DailyResult], streak: int) -> str:
    """Return a day's results as one line to share, which gives no position away, such as `onlymove 2026-11-21: One Game
    (easy) 2 tries, Another (hard) not solved, 3-day streak`. Empty if nothing was tried."""
    parts = [
        f"{facts.title} ({result.level.value}) {describe_result(result)}"
        for facts in all_facts
        if (result := results.get(facts.id)) is not None
    ]
    return f"onlymove {day.isoformat()}: {', '.join(parts)}, {streak}-day streak" if parts else ""


def read_result_line(daily: Daily, facts: Facts) -> str:
    """Return the line to share about one position of the day, after it was tried. Raises OnlymoveError."""
    return result_line([facts], daily.day, daily.book.read_results(daily.day), daily.book.streak(daily.day))


def return_text(practice: Practice) -> str:
    """Return when a drill is asked again, such as `You'll see this again today.` Empty if that is not known."""
    recorded = practice.recorded.get(practice.place)
    if recorded is None:
        return ""
    due = practice.queue[practice.place]
    if recorded.is_put_aside:
        return f"Missed {due.tries - due.solved + 1} times, so it is put aside."
    if recorded.days < 1 and not due.tries and practice.attempts[practice.place]:
        return "It was new, so you'll see it again today."
    return f"You'll see this again {_day_words(recorded.days)}."


def count_returns(days: Iterable[int]) -> str:
    """Return how many drills come back and when, such as `1 comes back today, 2 in 4 days.` Empty if there are none."""
    counts = sorted(Counter(max(0, day) for day in days).items())
    parts = [f"{count} {_day_words(day)}" for day, count in counts]
    if parts:
        parts[0] = f"{counts[0][1]} {'comes' if counts[0][1] == 1 else 'come'} back {_day_words(counts[0][0])}"
    return f"{', '.join(parts)}." if parts else ""


def _day_words(days: int) -> str:
    return f"in {days} days" if days > 1 else ("today", "tomorrow")[max(0, days)]


TAKEN_BACK = "Your answer is taken back and does not count."
NOTHING_TO_TAKE_BACK = "There is no first answer to take back here."
PUT_ASIDE = "Put aside. That drill is not asked again until you bring it back."
REMOVED = "Removed from your drills."
BROUGHT_BACK = "Brought back. That drill is due now."
STARTED_OVER = "Started over. That drill is due now, as if it were new."
NOT_STORED = "This position is not one of your stored drills."
HARD_ROUND = "That was a hard round, and nobody sees everything at once."
HARD_DAILY = "That was a hard one, and tomorrow there is another."


ASK_REMOVE = phrase("Remove this drill for good? Press {remove_drill} again to confirm.")
ASK_START_OVER = phrase("Forget all answers to this drill? Press {start_over} again to confirm.")


def describe_state(stored: StoredDrill) -> str:
    """Return when a drill is asked again: `due now`, `later today`, `in 3 days`, or `put aside`."""
    if stored.is_aside or stored.is_due:
        return "put aside" if stored.is_aside else "due now"
    return _day_words(stored.days) if stored.days > 0 else "later today"


def describe_answers(due: Due) -> str:
    """Return how often a drill was solved, such as `2 of 5 right`, or `not tried yet`."""
    return f"{due.solved} of {due.tries} right" if due.tries else "not tried yet"


def round_summary(practice: Practice) -> list[str]:
    """Return what to say after a round: how it went, a kind word if it went badly, and when the drills come back."""
    kind = (HARD_ROUND if practice.daily is None else HARD_DAILY) if practice.was_hard else ""
    streak = f"Longest streak: {practice.longest_streak}." if practice.longest_streak > 1 else ""
    back = [recorded.days for recorded in practice.recorded.values() if not recorded.is_put_aside]
    aside = len(practice.recorded) - len(back)
    put_aside = f"{aside} put aside, because you missed {'it' if aside == 1 else 'them'} so often." if aside else ""
    return [line for line in (practice.headline(), kind, streak, count_returns(back), put_aside) if line]


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
        is_choice = self.game.facts.simultaneous
        named = name_choice(self.game, answers[0]) if is_choice else self.to_text(live, answers[0])
        return f"{'The' if len(answers) == 1 else 'One'} answer {verb} {named}."

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
    themes = BY_LENGTH if counts_plies(game) else BY_RESULT
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
