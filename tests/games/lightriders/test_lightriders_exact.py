"""Small fields are solved: the distribution of values is verified, and strategies guarantee their value."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from onlymove_engines.coach.judge import judge_mixed
from onlymove_engines.core.value import Mixed
from onlymove_engines.games.lightriders import SYMMETRIES
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.live import ExactSearch
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position
from onlymove_engines.search.matrix_game import solve
from onlymove_laws.law import parametrize_amount

from tests.amounts import limit_values

from .conftest import find_exact_value

RULES = LightRidersRules()


def open_starts(size: int) -> Iterator[Position]:
    """Yield every ordered pair of start cells on an open field."""
    for first in range(size * size):
        for second in range(size * size):
            if first != second:
                cells = ["."] * (size * size)
                cells[first], cells[second] = "0", "1"
                yield Position(size, size, "".join(cells))


def orbit(position: Position) -> dict[Position, int]:
    """Return the images of a position under the symmetries of the field, with the sign that each gives its value."""
    found, front = {position: 1}, [position]
    while front:
        at = front.pop()
        for symmetry in SYMMETRIES:
            image = symmetry.position(at)
            if image not in found:
                found[image] = -found[at] if symmetry.swaps_seats else found[at]
                front.append(image)
    return found


@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_values_of_all_ordered_starts_are_as_verified(size: int, riders_facts: dict[str, Any]) -> None:
    search = ExactSearch()
    counts: Counter[str] = Counter()
    seen: set[Position] = set()
    for position in open_starts(size):
        if position in seen:
            continue
        value = find_exact_value(search, position)
        images = orbit(position)
        seen |= images.keys()
        for sign in images.values():
            counts[str(Fraction(sign * value).limit_denominator(60))] += 1
    assert counts == riders_facts["values"][f"{size}x{size}"]


@pytest.mark.parametrize("size", limit_values([4, 5, 6], 2))
def test_mirrored_and_rotated_starts_are_worth_nothing(size: int) -> None:
    search = ExactSearch()
    for y in range(size):
        for x in range(size // 2):
            for other in ((size - 1 - x, y), (size - 1 - x, size - 1 - y)):
                if size == 6 and (x, y) not in ((0, 1), (1, 1), (1, 2)):
                    continue
                cells = ["."] * (size * size)
                cells[y * size + x], cells[other[1] * size + other[0]] = "0", "1"
                value = find_exact_value(search, Position(size, size, "".join(cells)))
                assert value == pytest.approx(0, abs=1e-9)


@cache
def solve_by_rules(position: Position) -> float:
    """Return the value for rider 0 by the plain rules and the plain matrix solver, to the end of the game."""
    result = RULES.result(position)
    if result is not None:
        return float(result.outcome_for(0))
    rows, columns = RULES.moves_of(position, 0), RULES.moves_of(position, 1)
    return solve([[solve_by_rules(RULES.play(position, (a, b))) for b in columns] for a in rows]).value


def test_the_compiled_solver_is_plain_backward_induction(make_field: Callable[..., Position]) -> None:
    dice, search = random.Random(8), ExactSearch()
    for _ in range(300):
        position = make_field(dice, 3, 5, 0.4)
        if position.cells.count(".") <= 10:
            assert find_exact_value(search, position) == pytest.approx(solve_by_rules(position), abs=1e-9), position


def test_strategies_guarantee_the_value_against_every_reply(make_field: Callable[..., Position]) -> None:
    dice, analyst = random.Random(9), LightRidersAnalyst()
    for _ in range(300):
        position = make_field(dice, 3, 6, 0.25)
        found = analyst.mixed(position)
        assert found.exact, position
        for seat in (0, 1):
            assert sum(found.strategies[seat].values()) == pytest.approx(1)
            for reply in RULES.moves_of(position, 1 - seat):
                sure = sum(share * found.payoff(seat, own, reply) for own, share in found.strategies[seat].items())
                assert sure >= found.value_for(seat) - 1e-9, (position, seat, reply)


def test_late_positions_of_large_fields_are_proven_too() -> None:
    walls = ["x"] * (16 * 16)
    for cell in (17, 18, 19, 33, 34, 35, 49, 50, 51):
        walls[cell] = "."
    walls[17], walls[51] = "0", "1"
    small = Position(3, 3, "0.......1")
    found = LightRidersAnalyst().mixed(Position(16, 16, "".join(walls)))
    assert found.exact
    assert found.expected == pytest.approx(LightRidersAnalyst().mixed(small).expected)


def regret(found: Mixed, position: Position, seat: int, move: str) -> float:
    """Return the expected score, from 0 to 1, that a move gives away: the value minus what the move gets against the
    mix. In a certain win, it is the value minus what the move gets against the best reply."""
    other = found.strategies[1 - seat]
    sign = 1 if seat == 0 else -1
    rounds = {reply: (move, reply) if seat == 0 else (reply, move) for reply in other}
    reached = sum(share * sign * found.matrix[rounds[reply][0]][rounds[reply][1]] for reply, share in other.items())
    if sign * found.expected == 1:
        reached = min(sign * found.matrix[a][b] for a, b in rounds.values())
    return (sign * found.expected - reached) / 2


@parametrize_amount("moves_in_all", 300, 10_000)
def test_flagged_exactly_by_regret_and_never_a_move_of_an_equilibrium(
    make_field: Callable[..., Position], moves_in_all: int
) -> None:
    dice, analyst = random.Random(10), LightRidersAnalyst()
    judged = 0
    while judged < moves_in_all:
        position = make_field(dice, 4, 6, 0.2)
        found = analyst.mixed(position)
        for seat in (0, 1):
            moves = RULES.moves_of(position, seat)
            for move in moves:
                judged += 1
                lost = regret(found, position, seat, move)
                verdict = judge_mixed(found, seat, move)
                expected = len(moves) > 1 and lost >= 0.05 - 1e-9
                assert verdict.flagged == expected, (position, seat, move, lost)
                if found.strategies[seat][move] > 1e-9:
                    assert not verdict.flagged, (position, seat, move)
