"""Checks sentences about Light Riders: dead ends, space, who reaches which cell first, and what steps are worth.

The payoffs of all pairs of steps are given, and whether they are proven. Everything else is counted on the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np

from tests.reference.truth.kinds import Kinds

MOVES, HINTS, REMARKS = Kinds(), Kinds(), Kinds()
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
NAMED = {way[0]: way for way in WAYS} | {"x": "a crash"}
"""The names of steps in sentences."""
WORDS = {"STEPS": f"crashes|goes (?:{'|'.join(WAYS)})(?: or (?:{'|'.join(WAYS)}))*", "WAY": "|".join(WAYS)}
SLACK = 0.1
"""A mix of the other rider is nearly as good as the best if no step gets more than this above the value. Payoffs go
from -1 to 1."""
TOLERANCE = 0.04
"""The largest regret of a sound step if payoffs are estimates."""

Spot: TypeAlias = tuple[int, int]
Payoffs: TypeAlias = Mapping[str, Mapping[str, float]]


@dataclass
class Field:
    """A field before a round, as one rider sees it. `payoffs` are by its own step and the other's. `shares` and
    `theirs` are the mixes of best play."""

    text: str
    seat: int
    payoffs: Payoffs
    shares: Mapping[str, float]
    theirs: Mapping[str, float]
    is_proven: bool
    """Whether the value of best play is proven. Some payoffs may be estimates all the same."""
    estimated: frozenset[tuple[str, str]] = frozenset()
    """The pairs of steps, the rider's own first, whose payoffs are estimates."""
    gap: float = 0.0

    @cached_property
    def cells(self) -> dict[Spot, str]:
        """Return the character of each cell, by column and row."""
        width, _, cells = self.text.split(" ")
        return {(k % int(width), k // int(width)): sign for k, sign in enumerate(cells.split(","))}

    @cached_property
    def empty(self) -> set[Spot]:
        """Return the empty cells."""
        return {spot for spot, sign in self.cells.items() if sign == "."}

    def step_onto(self, way: str, seat: int) -> Spot | None:
        """Return the cell that a step leads to, or `None` for a crash."""
        x, y = next(spot for spot, sign in self.cells.items() if sign == "01"[seat])
        dx, dy = WAYS.get(way, (0, 0))
        return (x + dx, y + dy) if (x + dx, y + dy) in self.empty else None

    def steps(self, seat: int) -> set[str]:
        """Return the steps that a rider can choose."""
        return {way for way in WAYS if self.step_onto(way, seat)} or {"a crash"}

    def reach(self, way: str) -> set[Spot]:
        """Return the cells that can be reached after a step if the other rider stands still."""
        return flood(self.empty, self.step_onto(way, self.seat))

    def find_separate_cells(self, way: str, reply: str) -> tuple[set[Spot], set[Spot]] | None:
        """Return the cells that each rider can reach after both have moved, if none can be reached by both. Otherwise
        return `None`."""
        own, theirs = self.step_onto(way, self.seat), self.step_onto(reply, 1 - self.seat)
        if own is None or theirs is None or own == theirs:
            return None
        empty = self.empty - {own, theirs}
        found = flood(empty, own), flood(empty, theirs)
        return None if found[0] & found[1] else found

    def first_at(self, way: str, reply: str | None) -> int:
        """Return how many cells the rider reaches before the other, after its step and the other's reply. Without a
        reply, the other stands still."""
        own = self.step_onto(way, self.seat)
        standing = next(spot for spot, sign in self.cells.items() if sign == "01"[1 - self.seat])
        theirs = standing if reply is None else self.step_onto(reply, 1 - self.seat)
        if own is None or own == theirs:
            return 0
        empty, fronts, count = self.empty - {own, theirs}, ({own}, {theirs} if theirs else set[Spot]()), 0
        while fronts[0]:
            fronts = list_neighbours(fronts[0]) & empty, list_neighbours(fronts[1]) & empty
            count += len(fronts[0] - fronts[1])
            empty -= fronts[0] | fronts[1]
        return count

    def row(self, step: str, unproven: float) -> Mapping[str, float]:
        """Return what a step is worth against each step of the other rider, if its estimated payoffs are `unproven`. If
        the value itself is an estimate, return the estimates."""
        row = self.payoffs[step]
        return {b: unproven if self.is_proven and (step, b) in self.estimated else row[b] for b in row}

    @cached_property
    def guarantees(self) -> tuple[float, float]:
        """Return what the rider's mix gets at least, and what the other's allows at most, whatever is not proven."""
        sure, open_ = ({a: self.row(a, worth) for a in self.shares} for worth in (-1.0, 1.0))
        least = min(sum(self.shares[a] * sure[a][b] for a in self.shares) for b in self.theirs)
        return least, max(sum(self.theirs[b] * open_[a][b] for b in self.theirs) for a in self.shares)

    @property
    def worth(self) -> float:
        """Return the value of best play for the rider."""
        return sum(self.guarantees) / 2

    @property
    def is_best_play(self) -> bool:
        """Whether neither rider can get more than this with another step."""
        least, most = self.guarantees
        return most - least < 1e-6 + 2 * self.gap

    @cached_property
    def sound(self) -> set[str]:
        """Return the sound steps. In a win they always win. Otherwise, they lose nothing against best play or, if
        payoffs are estimates, hardly anything against some nearly best play of the other rider. If the value is proven,
        so is this."""
        return {step for step in self.shares if self.regret(step) <= self.tolerance}

    @property
    def tolerance(self) -> float:
        return max(1e-6, 4 * self.gap) if self.is_proven else TOLERANCE

    def is_settled(self, step: str) -> bool:
        """Whether estimated payoffs cannot change what a step gives away."""
        return self.regret(step) - self.regret(step, 1.0) <= self.tolerance

    def regret(self, step: str, unproven: float = -1.0) -> float:
        """Return what a step gives away, from 0 to 1. If the value is proven, that is the most that it may give away,
        or the least with `unproven` 1."""
        row = self.row(step, unproven)
        if self.is_proven and abs(self.worth - 1) < 1e-9:
            return (1 - min(row.values())) / 2
        if self.is_proven or len(self.shares) == 1:
            return (self.worth - sum(self.theirs[reply] * row[reply] for reply in row)) / 2
        return (self.worth - max(sum(share * row[b] for b, share in mix.items()) for mix in self.good_mixes())) / 2

    def good_mixes(self) -> Iterator[Mapping[str, float]]:
        """Yield the other rider's mix, and the corners of the set of its nearly best mixes. At a corner, one condition
        less than there are steps is met exactly."""
        replies = list(self.theirs)
        yield self.theirs
        limits = [([float(a == b) for b in replies], 0.0) for a in replies]
        limits += [([row[b] for b in replies], self.worth + SLACK) for row in self.payoffs.values()]
        for chosen in combinations(limits, len(replies) - 1):
            left = np.array([[1.0] * len(replies), *(line for line, _ in chosen)])
            if abs(np.linalg.det(left)) > 1e-9:
                mix = np.linalg.solve(left, np.array([1.0, *(right for _, right in chosen)]))
                rows = [
                    sum(part * row[b] for b, part in zip(replies, mix, strict=True)) for row in self.payoffs.values()
                ]
                if min(mix) > -1e-9 and max(rows) < self.worth + SLACK + 1e-9:
                    yield dict(zip(replies, map(float, mix), strict=True))


def list_neighbours(cells: set[Spot]) -> set[Spot]:
    return {(x + dx, y + dy) for x, y in cells for dx, dy in WAYS.values()}


def flood(empty: set[Spot], start: Spot | None) -> set[Spot]:
    """Return the empty cells that can be reached from a cell, without that cell."""
    found, front = set[Spot](), {start} if start else set[Spot]()
    while front:
        front = {cell for cell in list_neighbours(front) & empty if cell != start} - found
        found |= front
    return found


def fillable(cells: set[Spot], head: Spot) -> int:
    """Return how many of these cells a path from a head can visit at most. Its cells alternate between the colours of a
    chessboard."""
    other = sum((sum(cell) - sum(head)) % 2 for cell in cells)
    return min(2 * other, 2 * (len(cells) - other) + 1)


@dataclass
class Steered:
    """A step that a sentence is about."""

    field: Field
    step: str

    @property
    def way(self) -> str:
        """Return the name of the step."""
        return NAMED[self.step]

    @property
    def row(self) -> Mapping[str, float]:
        """Return the payoff of the step against each step of the other rider."""
        return self.field.payoffs[self.step]

    @property
    def proven(self) -> Mapping[str, float]:
        """Return the proven ones of these payoffs."""
        return find_proven(self.field, self.step)


def find_proven(field: Field, step: str) -> Mapping[str, float]:
    return {reply: worth for reply, worth in field.payoffs[step].items() if (step, reply) not in field.estimated}


# Sentences about a step.


def read_steps(steps: str) -> set[str]:
    """Return the steps in `goes left or up` or `crashes`."""
    return {"a crash"} if steps == "crashes" else set(steps.removeprefix("goes ").split(" or "))


@MOVES.says(r"This is a dead end: there is no cell to move to next\.")
def dead_end(steered: Steered) -> bool:
    spaces = {way: len(steered.field.reach(way)) for way in steered.field.steps(steered.field.seat)}
    return spaces[steered.way] == 0 < max(spaces.values())


@MOVES.says(r"This way leads to only (?P<few>\d+) (?P<word>cells?), another way to (?P<many>\d+)\.")
def little_space(steered: Steered, few: str, word: str, many: str) -> bool:
    spaces = {way: len(steered.field.reach(way)) for way in steered.field.steps(steered.field.seat)}
    is_so = (spaces[steered.way], max(spaces.values())) == (int(few), int(many)) and int(few) < int(many)
    return is_so and (word == "cell") == (few == "1")


@MOVES.says(r"This move loses whatever the other rider does\.")
def loses_always(steered: Steered) -> bool:
    return steered.proven == steered.row and set(steered.row.values()) == {-1.0}


@MOVES.says(r"If the other rider (?P<steps>STEPS), this move loses for certain\.")
def loses_against(steered: Steered, steps: str) -> bool:
    lost = {NAMED[reply] for reply, worth in steered.proven.items() if worth == -1.0}
    return read_steps(steps) == lost and len(lost) < len(steered.row)


@MOVES.says(r"Another move is never worse than this one and sometimes better\.")
def another_is_better(steered: Steered) -> bool:
    proven = (find_proven(steered.field, step) for step in steered.field.payoffs)
    rows = [row for row in proven if len(row) == len(steered.row) and row != steered.row]
    return steered.proven == steered.row and any(all(row[b] >= steered.row[b] for b in row) for row in rows)


@MOVES.says(
    r"If the other rider (?P<steps>STEPS), the riders are separated: this rider has (?P<own>\d+) (?P<word>cells?)"
    r"(?: \(at most (?P<most>\d+) of them usable\))? and the other has (?P<theirs>\d+)\."
)
def are_apart(steered: Steered, steps: str, own: str, word: str, most: str | None, theirs: str) -> bool:
    (reply,) = read_steps(steps)
    field, head = steered.field, steered.field.step_onto(steered.way, steered.field.seat)
    found = field.find_separate_cells(steered.way, reply) if reply in field.steps(1 - field.seat) else None
    if found is None or head is None:
        return False
    sizes = len(found[0]), len(found[1])
    is_so = sizes == (int(own), int(theirs)) and sizes[0] < sizes[1] and (word == "cell") == (own == "1")
    return is_so and fillable(found[0], head) == int(most or own)


@MOVES.says(
    r"If the other rider (?P<steps>STEPS), this move reaches (?P<few>\d+) (?P<word>cells?) first, "
    r"and another move reaches (?P<many>\d+)\."
)
def is_first_at(steered: Steered, steps: str, few: str, word: str, many: str) -> bool:
    (reply,) = read_steps(steps)
    field = steered.field
    counts = {way: field.first_at(way, reply) for way in field.steps(field.seat)}
    is_so = (counts[steered.way], max(counts.values())) == (int(few), int(many)) and int(few) < int(many)
    return is_so and reply in field.steps(1 - field.seat) and (word == "cell") == (few == "1")


# Verdicts on a step.

BANDS = {"an inaccuracy": (0.0, 0.12), "a mistake": (0.05, 0.3), "a blunder": (0.2, 1.001)}
"""What a step gives away, by its grade: from the least for proven payoffs to the most for estimates."""


@MOVES.says(r"Best move\.")
def best(steered: Steered) -> bool:
    shares = steered.field.shares
    return steered.step in steered.field.sound and shares[steered.step] == max(shares.values())


@MOVES.says(r"A good choice: it gives nothing away\.")
def gives_nothing_away(steered: Steered) -> bool:
    return steered.step in steered.field.sound and steered.field.worth > -0.5


@MOVES.says(r"(?P<how>Already|As good as) (?P<what>won|lost), whatever is played\.")
def is_over_anyway(steered: Steered, how: str, what: str) -> bool:
    """Every step wins or loses for certain, or is expected to."""
    field = steered.field
    if (how == "Already") != field.is_proven or len(field.shares) == 1 or (what == "won") != (field.worth > 0):
        return False
    if field.is_proven:
        return abs(field.worth) == 1 and field.sound == {*field.shares}
    rows = [sum(field.theirs[reply] * payoff for reply, payoff in row.items()) for row in field.payoffs.values()]
    return min(map(abs, rows)) >= 0.9 - 1e-9 and len({row > 0 for row in rows}) == 1


@MOVES.says(r"No other move was better\.")
def no_better(steered: Steered) -> bool:
    return steered.step in steered.field.sound


@MOVES.says(r"The only move that gives nothing away\.")
def only_sound(steered: Steered) -> bool:
    field = steered.field
    others = [field.regret(step, 1.0) for step in field.shares if step != steered.step]
    return field.is_proven and field.sound == {steered.step} and min(others, default=0.0) > field.tolerance


@MOVES.says(r"There was nothing to decide\.")
def nothing_to_decide(steered: Steered) -> bool:
    return len(steered.field.shares) == 1


@MOVES.says(r"That was (?P<grade>an inaccuracy|a mistake|a blunder)\.")
def was_bad(steered: Steered, grade: str) -> bool:
    least, most = BANDS[grade]
    field = steered.field
    worst = field.regret(steered.step)
    sure = field.regret(steered.step, 1.0) if field.is_proven else worst
    return steered.step not in field.sound and worst >= least and sure < most


@MOVES.says(r"Inaccuracy, possibly a mistake: the search is not certain\.")
def maybe_bad(steered: Steered) -> bool:
    return not steered.field.is_proven and steered.step not in steered.field.sound


@MOVES.says(r"Another move was sure to win\. Whether this one does is not known\.")
def may_win(steered: Steered) -> bool:
    field = steered.field
    is_won = field.is_proven and abs(field.worth - 1) < 1e-9
    return is_won and bool(field.sound - {steered.step}) and not field.is_settled(steered.step)


@MOVES.says(r"Whether this move gives anything away is not known\.")
def may_be_sound(steered: Steered) -> bool:
    return steered.field.is_proven and not steered.field.is_settled(steered.step)


# Lines of a hint.

EVERY = r"(?P<every> There is only one move\.| Every move is sound\.)?"


@HINTS.says(r"You (?P<result>win|lose) against best play\.(?P<every> There is only one move\.)?")
def is_decided(field: Field, result: str, every: str | None) -> bool:
    is_so = field.is_proven and field.worth == (1.0 if result == "win" else -1.0)
    return is_so and field.is_best_play and is_every(field, every)


@HINTS.says(r"Every move (?:(?P<wins>wins whatever your opponent plays)|loses against best play)\.")
def is_decided_by_every_move(field: Field, wins: str | None) -> bool:
    rows = [set(row.values()) for row in field.payoffs.values()]
    if wins:
        return field.is_proven and not field.estimated and len(rows) > 1 and set().union(*rows) == {1.0}
    return field.is_proven and field.is_best_play and field.worth == -1.0 and len(rows) > 1


@HINTS.says(rf"With best play you score (?P<about>about )?(?P<share>\d+) % of the points\.{EVERY}")
def is_worth(field: Field, about: str | None, share: str, every: str | None) -> bool:
    is_so = abs(50 + 50 * field.worth - int(share)) < 0.5001 and (about is None) == field.is_proven
    return is_so and field.is_best_play and is_every(field, every)


def is_every(field: Field, words: str | None) -> bool:
    """Whether all steps are sound if the hint says so, and not all are if it says nothing."""
    is_open = field.sound == set(field.shares)
    return is_open == bool(words) and ("only one" in (words or "")) == (len(field.shares) == 1)


@HINTS.says(
    r"(?P<sound>\d+) of (?P<count>\d+) moves are (?P<surely>surely )?sound\. "
    r"(?P<mix>Best play picks one at random|Best play always picks the same one)\."
)
def so_many_are_sound(field: Field, sound: str, count: str, surely: str | None, mix: str) -> bool:
    is_mixed = sum(share > 0 for share in field.shares.values()) > 1
    is_so = (len(field.sound), len(field.shares)) == (int(sound), int(count)) and len(field.sound) > 1
    return is_so and are_all_settled(field) != bool(surely) and is_mixed == (mix == "Best play picks one at random")


@HINTS.says(r"1 of (?P<count>\d+) moves is (?P<surely>surely )?sound\.")
def one_is_sound(field: Field, count: str, surely: str | None) -> bool:
    return (len(field.sound), len(field.shares)) == (1, int(count)) and are_all_settled(field) != bool(surely)


def are_all_settled(field: Field) -> bool:
    """Whether it is known of every step if it is sound, or no step is proven to be."""
    return not field.is_proven or all(map(field.is_settled, field.shares))


def spaces(field: Field) -> tuple[set[str], set[str], set[str]]:
    """Return all steps, those with the most space if the other rider stands still, and the sound ones. Space is the
    number of cells that the rider reaches first."""
    ways = field.steps(field.seat)
    first = {way: field.first_at(way, None) for way in ways}
    return ways, {way for way in ways if first[way] == max(first.values())}, {NAMED[step] for step in field.sound}


@HINTS.says(r"Don't go for the larger space here\.")
def space_is_not_the_point(field: Field) -> bool:
    ways, most, sound = spaces(field)
    return most != ways and not most & sound


@HINTS.says(r"Every direction leaves you the same space\.")
def space_is_the_same(field: Field) -> bool:
    ways, most, _ = spaces(field)
    return most == ways


@HINTS.says(r"(?P<named>(?:WAY|Up|Down|Left|Right)(?: or (?:WAY))+) leads to the larger space\.")
def these_have_the_space(field: Field, named: str) -> bool:
    ways, most, sound = spaces(field)
    return set(re.split(" or ", named.lower())) == most != ways and bool(most & sound)


@HINTS.says(r"Go for the larger space\.")
def go_to_the_space(field: Field) -> bool:
    ways, most, sound = spaces(field)
    return sound <= most != ways


@HINTS.says(r"One of the sound moves leads to the larger space\.")
def one_takes_the_space(field: Field) -> bool:
    _, most, sound = spaces(field)
    return len(most & sound) == 1 < len(sound)


# What the last stage says about a step.


@REMARKS.says(r"(?P<share>\d+) %(?: of the time)?(?P<too>,? (?:but a sound choice|also sound))?")
def so_often(steered: Steered, share: str, too: str | None) -> bool:
    part = steered.field.shares[steered.step]
    is_so = steered.field.is_best_play and abs(100 * part - int(share)) < 0.5001
    return is_so and steered.step in steered.field.sound and bool(too) == (part == 0)
