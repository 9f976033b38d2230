"""Reasons why a step is bad. Every sentence is checked on a grid of letters."""

from __future__ import annotations

import random
import re

from onlymove_engines.coach.judge import judge_mixed
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Mixed
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.coach import find_reasons
from onlymove_engines.games.lightriders.rules import RULES, Position

from tests.games.lightriders.conftest import MakeField

Spot = tuple[int, int]
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
MIN_TOLD = 0.9
"""The least share of flagged steps that get a reason, on fields that are solved."""


def board(position: Position) -> dict[Spot, str]:
    return {(at % position.width, at // position.width): sign for at, sign in enumerate(position.cells)}


def flood(empty: set[Spot], start: Spot) -> set[Spot]:
    """Return the empty cells that can be reached from a cell."""
    found, front = set[Spot](), [start]
    while front:
        x, y = front.pop()
        near = {(x + dx, y + dy) for dx, dy in WAYS.values()} & empty - found
        found |= near
        front += near
    return found


def step_onto(position: Position, seat: int, way: str) -> Spot:
    x, y = next(spot for spot, sign in board(position).items() if sign == "01"[seat])
    return x + WAYS[way][0], y + WAYS[way][1]


def find_cells_behind(position: Position, seat: int, way: str) -> set[Spot]:
    """Return the cells that can be reached after a step of one rider alone."""
    spot = step_onto(position, seat, way)
    empty = {each for each, sign in board(position).items() if sign == "."}
    return flood(empty - {spot}, spot) if spot in empty else set()


def find_separate_cells(position: Position, seat: int, way: str, reply: str) -> tuple[set[Spot], set[Spot]]:
    """Return the cells that each rider can reach after both have moved."""
    own, theirs = step_onto(position, seat, way), step_onto(position, 1 - seat, reply)
    empty = {each for each, sign in board(position).items() if sign == "."} - {own, theirs}
    return flood(empty, own), flood(empty, theirs)


def races(position: Position, seat: int, way: str, reply: str) -> int:
    """Return how many cells a rider reaches before the other, after both have moved."""
    empty = {each for each, sign in board(position).items() if sign == "."}
    fronts = [
        {step_onto(position, seat, way)},
        {step_onto(position, 1 - seat, reply)} if reply in WAYS else set[Spot](),
    ]
    fronts = [front & empty for front in fronts] if fronts[0] != fronts[1] else [set[Spot](), set[Spot]()]
    empty -= {step_onto(position, seat, way)} | fronts[1]
    count = 0
    while any(fronts):
        near = [{(x + dx, y + dy) for x, y in front for dx, dy in WAYS.values()} & empty for front in fronts]
        fronts, count = near, count + len(near[0] - near[1])
        empty -= near[0] | near[1]
    return count


def count_fillable(cells: set[Spot], head: Spot) -> int:
    """Return how many of these cells a path from a head can visit at most. Its cells alternate between two colours."""
    first = sum((sum(cell) - sum(head)) % 2 == 1 for cell in cells)
    return min(2 * first, 2 * (len(cells) - first) + 1)


def is_true(position: Position, seat: int, step: str, mixed: Mixed, sentence: str) -> bool:
    way = next(name for name in WAYS if name[0] == step)
    areas = {name: len(find_cells_behind(position, seat, name)) for name in WAYS}
    payoffs = {reply: mixed.payoff(seat, step, reply) for reply in mixed.strategies[1 - seat]}
    if sentence.startswith("This is a dead end"):
        return areas[way] == 0 < max(areas.values())
    if found := re.fullmatch(r"This way leads to only (\d+) cells?, another way to (\d+)\.", sentence):
        return (areas[way], max(areas.values())) == (int(found[1]), int(found[2]))
    if sentence == "This move loses whatever the other rider does.":
        return mixed.exact and set(payoffs.values()) == {-1.0}
    if found := re.fullmatch(r"If the other rider (.+), this move loses for certain\.", sentence):
        named = {name[0] if name in WAYS else "x" for name in found[1].removeprefix("goes ").split(" or ")}
        return mixed.exact and named == {reply for reply, payoff in payoffs.items() if payoff == -1.0} != set(payoffs)
    if sentence == "Another move is never worse than this one and sometimes better.":
        rows = [{reply: mixed.payoff(seat, each, reply) for reply in payoffs} for each in mixed.strategies[seat]]
        return mixed.exact and any(row != payoffs and all(row[r] >= payoffs[r] for r in row) for row in rows)
    race = (
        r"If the other rider (?:goes )?(\w+), this move reaches (\d+) cells? first, "
        r"and another move reaches (\d+)\."
    )
    if found := re.fullmatch(race, sentence):
        counts = {name: races(position, seat, name, found[1]) for name in WAYS if name[0] in mixed.strategies[seat]}
        return (counts[way], max(counts.values())) == (int(found[2]), int(found[3])) and int(found[2]) < int(found[3])
    pattern = (
        r"If the other rider goes (\w+), the riders are separated: "
        r"this rider has (\d+) cells?(?: \(at most (\d+) of them usable\))? and the other has (\d+)\."
    )
    found = re.fullmatch(pattern, sentence)
    assert found is not None, sentence
    mine, theirs = find_separate_cells(position, seat, way, found[1])
    most = count_fillable(mine, step_onto(position, seat, way))
    is_less = len(mine) == int(found[2]) < len(theirs) == int(found[4])
    return not mine & theirs and is_less and most == int(found[3] or len(mine))


def sentences_checked(position: Position, seat: int, step: str, mixed: Mixed) -> int:
    """Check that every sentence is true. Return how many there are."""
    sentences = [claim.sentence for claim in find_reasons(position, seat, step, mixed)]
    for sentence in sentences:
        assert is_true(position, seat, step, mixed, sentence), f"{position} {seat} {step}: {sentence}"
    return len(sentences)


def list_choices(position: Position) -> list[tuple[int, str]]:
    """Return each rider with each step that it can choose."""
    return [(seat, step) for seat in (0, 1) for step in RULES.moves_of(position, seat) if step != "x"]


def test_sentences_about_steps_are_true_and_explain_nearly_all_flagged_ones(make_field: MakeField) -> None:
    analyst, dice = LightRidersAnalyst(), random.Random(16)
    counts = []
    for _ in range(90):
        position = make_field(dice, 3, 5, 0.2)
        mixed = analyst.mixed(position)
        for seat, step in list_choices(position):
            found = sentences_checked(position, seat, step, mixed)
            counts += [found] if judge_mixed(mixed, seat, step).flagged else []
    assert len(counts) > 40
    assert sum(map(bool, counts)) >= MIN_TOLD * len(counts), f"{counts.count(0)} of {len(counts)} are not told why"


def test_sentences_about_an_estimated_position_state_only_proven_facts(make_field: MakeField) -> None:
    analyst, dice = LightRidersAnalyst(), random.Random(17)
    fields = [make_field(dice, 10, 12, 0.1) for _ in range(20)]
    looks = [(position, analyst.mixed(position, Budget(depth=1))) for position in fields]
    told_of = [sentences_checked(p, *each, mixed) for p, mixed in looks if not mixed.exact for each in list_choices(p)]
    assert sum(told_of) > 20
