"""Rounds of drills and the positions of the day: what is asked, the answers, and when a drill is asked again. Does not
depend on screens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import groupby, takewhile
from random import Random
from typing import TypeAlias

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
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import Facts, GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session

from onlymove_tui.store.drills import NEW, DailyStore, Due, Mark
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Milestone

FRESH = 5
"""How many new positions are looked for at a time."""
NOBODY = Player(PlayerKind.ENGINE)
"""The other side in a drill or lesson. It is never asked for a move."""


RecordAnswer: TypeAlias = Callable[[Due, bool, bool], int | None]
"""A function that stores the first attempt at a drill: whether it was right, and whether a hint was given. Returns in
how many days the drill is asked again, or `None` if it is not. Raises OnlymoveError, and KeyError for a drill that no
longer exists."""


class Practice:
    """A round of drills, those in `queue`. Without `record_answer`, nothing is stored. `attempts` holds the first
    attempt at each drill: right, wrong, or `None` if it was not tried. `days` says when each stored drill is asked
    again. If the round `is_daily`, it is a position of the day."""

    def __init__(
        self,
        queue: Sequence[Due],
        find_game: Callable[[GameId], AnyGame],
        coaching: Coaching,
        record_answer: RecordAnswer | None = None,
        is_daily: bool = False,
    ) -> None:
        self.queue = list(queue)
        self.find_game = find_game
        self.coaching = coaching
        self.record_answer = record_answer
        self.is_daily = is_daily
        self.place = 0
        self.attempts: list[bool | None] = [None] * len(self.queue)
        self.days: dict[int, int] = {}
        self.is_solved = False
        self.milestone: Milestone | None = None
        """The milestone that the player reaches at the end of the round, if the round is part of learning a game."""
        self.trouble = ""
        self._match: Match | None = None
        self._unsaved: list[tuple[int, bool, bool]] = []

    @property
    def drill(self) -> Drill | None:
        return self.queue[self.place].drill if self.place < len(self.queue) else None

    @property
    def total(self) -> int:
        return len(self.queue)

    @property
    def is_new(self) -> bool:
        """Whether the current drill was never tried before this round."""
        return self.place < len(self.queue) and not self.queue[self.place].tries

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

    def match(self) -> Match:
        """Return the drill's position as a match in which the other side never moves. May read files. Raises
        OnlymoveError for a drill that cannot be read, and IndexError after the last one."""
        if self._match is None:
            drill = self.queue[self.place].drill
            players = (HUMAN, NOBODY) if drill.seat == 0 else (NOBODY, HUMAN)
            session = Session.from_line(read_setting(self.find_game(drill.game), drill.position), players)
            self._match = Match(session, self.coaching, training=False)
        return self._match

    def answer(self, match: Match, move: Move) -> Judgement | None:
        """Judge a move. Returns `None` while its value is not known. Only the first attempt counts."""
        drill, values = self.drill, match.node.values
        if drill is None or values is None:
            return None
        judgement = match.judge(values, drill.seat, move)
        self.is_solved = solves(drill, judgement)
        self._count(self.is_solved, match)
        return judgement

    def give_up(self, match: Match) -> None:
        """Count the drill as missed, because the player has asked for the solution."""
        self._count(False, match)
        self.is_solved = True

    def _count(self, solved: bool, match: Match) -> None:
        if self.drill is not None and not self.is_answered:
            stage = match.get_stage(self.drill.seat)
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
                return self.match() is not None
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
        self._match = None
        return self.begin()

    def repeat(self) -> Practice:
        """Return another round with the drills that were missed, or with all drills if none was missed."""
        missed = [due for due, attempt in zip(self.queue, self.attempts, strict=True) if attempt is False]
        return Practice(missed or self.queue, self.find_game, self.coaching, self.record_answer, self.is_daily)

    def headline(self) -> str:
        made = self.answers
        return f"{sum(made)} of {len(made)} correct on the first try." if made else "You gave no answers."


def sort_weakest_first(answers: Mapping[Origin, tuple[int, int]]) -> list[Origin]:
    """Return the themes of new positions, the one with the smallest share of right answers first. `answers` gives
    (right, all) for each theme."""

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


def retry_mistake(match: Match, node: AnyNode, seat: Seat) -> Practice:
    """Return a round with one drill: the position in which `seat` made the mistake that led to `node`. `match` provides
    the values that are known. Nothing is stored. The drill has the moves before it, because a picture may show them."""
    game, drill = match.game, make_mistake_drill(match.session.line, node, seat, with_past=True)
    practice = Practice([Due(NEW, drill, 0, 0)], {game.id: game}.__getitem__, match.coaching)
    asked = practice.match()
    if match.is_analyst_settled:
        asked.set_analyst(match.analyst, match.source_note)
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
    practice.match()
    return practice


def result_line(all_facts: Sequence[Facts], day: date, marks: Mapping[GameId, Mark], streak: int) -> str:
    """Return a day's results to share without spoilers, such as `onlymove 2026-11-21 One Game ✓ Another ✗ 1 of 2`."""
    games = "  ".join(f"{facts.title} {SIGNS[marks.get(facts.id)]}" for facts in all_facts)
    right = sum(mark is not Mark.WRONG for mark in marks.values())
    run = f", {streak}-day streak" if streak > 1 else ""
    return f"onlymove {day.isoformat()}  {games}  {right} of {len(all_facts)}{run}"
