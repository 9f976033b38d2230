"""Values that take the history into account are exact. This is tested by following every line of small games to its
end."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

import pytest
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.judgement import Grade
from onlymove_engines.core.repetition import THREEFOLD, Repetition
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Seat
from onlymove_engines.play.tree import Conventions
from onlymove_laws.law import parametrize_amount

from tests.literal_game import Over, Tree, literal_game
from tests.reference.every_line import EveryLine, PlainAnalyst
from tests.reference.purse_game import RankedAnalyst, count_lead, purse_game
from tests.reference.random_game import Place, draw_game, solve_from_rules

MAX_POSITIONS = 10
"""A search of all lines is quick in games of at most this size."""


def count_place_lead(position: Place, seat: Seat) -> int:
    """Return the points of `seat` minus those of the other side in a random game."""
    lead = position.first - position.second
    return -lead if seat else lead


def random_line(law: Conventions[P, M], start: P, random: Random, longest: int) -> list[P]:
    """Return the positions of a random game, cut off before it ends."""
    past = [start]
    for _ in range(random.randint(1, longest)):
        children = [law.game.rules.play(past[-1], move) for move in law.list_allowed(past)]
        going_on = [child for child in children if law.result([*past, child]) is None]
        if not going_on:
            break
        past.append(random.choice(going_on))
    return past


def round_tree(random: Random, size: int) -> Tree:
    """Return a tree with this many positions for each side, which lead to each other, and three ends."""
    names = [f"{seat}{i}" for i in range(size) for seat in "ab"]
    tree: dict[str, tuple[int, dict[str, str]] | Over] = {}
    for name in names:
        seat = "ab".index(name[0])
        there = [other for other in names if other[0] != name[0]]
        moves = dict(zip("xyz", random.sample(there, random.randint(1, 3)), strict=False))
        if random.random() < 0.35:
            moves["c"] = random.choice(["won", "won", "lost", "drawn"]) + str(1 - seat)
        tree[name] = (seat, moves)
    for seat in (0, 1):
        tree |= {f"won{seat}": Over(0, seat), f"lost{seat}": Over(1, seat), f"drawn{seat}": Over(None, seat)}
    return tree


@pytest.mark.parametrize(("times", "size"), [(2, 4), (3, 3)])
@parametrize_amount("games", 25, 400)
def test_values_of_moves_agree_with_a_search_of_all_lines(times: int, size: int, games: int) -> None:
    random, changed = Random(times), 0
    for _ in range(games):
        repetition: Repetition[str] = replace(THREEFOLD, times=times)
        game = literal_game(round_tree(random, size), "a0")
        game = replace(game, play=replace(game.play, repetition=repetition))
        law, analyst = Conventions(game), PlainAnalyst(game)
        past = random_line(law, "a0", random, 20)
        found, expected = analyse_after(law, past, analyst), EveryLine(law).moves(past)
        assert found.moves == expected, f"{game.rules}: {past}"
        assert found.value == max(expected.values())
        changed += found.moves != analyst.analyse(past[-1]).moves
    assert changed > games // 20, f"only {changed} lines changed a value"


@pytest.mark.parametrize("kind", [PlainAnalyst, RankedAnalyst])
@parametrize_amount("games", 20, 400)
def test_points_to_come_agree_with_a_search_of_all_lines(kind: type[PlainAnalyst[str, str]], games: int) -> None:
    random, changed = Random(5), 0
    for _ in range(games):
        game = purse_game(random)
        law, analyst = Conventions(game), kind(game, count_lead)
        past = random_line(law, game.default_start(), random, 20)
        found, expected = analyse_after(law, past, analyst), EveryLine(law, count_lead).moves(past)
        assert found.moves == expected, f"{game.rules}: {past}"
        assert found.value == max(expected.values())
        changed += found.moves != analyst.analyse(past[-1]).moves
    assert changed > games // 20, f"only {changed} lines changed a value"


@parametrize_amount("seeds", range(120), range(2000))
def test_values_agree_with_a_search_of_all_lines_where_a_side_moves_twice_in_a_row(seeds: range) -> None:
    changed, compared = 0, 0
    for seed in seeds:
        of, random = draw_game(seed, most_cells=3), Random(seed)
        if len(of.positions) > MAX_POSITIONS:
            continue
        assert of.game.play.repetition is not None
        twice = replace(of.game.play, repetition=replace(of.game.play.repetition, times=2))
        law, analyst = Conventions(replace(of.game, play=twice)), solve_from_rules(of.game)
        past = random_line(law, of.game.default_start(), random, 20)
        lines = EveryLine(law, count_place_lead) if of.has_points else EveryLine(law)
        found, expected = analyse_after(law, past, analyst), lines.moves(past)
        assert found.moves == expected, f"{seed}: {past}"
        assert found.value == max(expected.values()), f"{seed}: {past}"
        changed += found.moves != analyst.analyse(past[-1]).moves
        compared += 1
    assert changed > compared // 20, f"only {changed} of {compared} lines changed a value"


@parametrize_amount("games", 120, 500)
def test_values_beyond_the_budget_are_unknown_and_bounded(games: int) -> None:
    random, unknown = Random(8), 0
    for _ in range(games):
        game = purse_game(random)
        law, analyst = Conventions(game), PlainAnalyst(game, count_lead)
        past, looks = random_line(law, game.default_start(), random, 20), count()
        allowed = random.choice((0, 0, 0, 1, 2))
        found = analyse_after(law, past, analyst, Budget(stop=lambda: next(looks) >= allowed))  # noqa: B023 - used at once
        expected = EveryLine(law, count_lead).moves(past)
        for move, value in found.moves.items():
            if value is None:
                unknown += 1
                assert found.limits[move] >= expected[move], f"{game.rules}: {past}, {move}"
                assert judge(found, move).grade is Grade.UNKNOWN
            else:
                assert value == expected[move], f"{game.rules}: {past}, {move}"
        if (best := found.best_value()) is not None:
            assert best == max(expected.values()), f"{game.rules}: {past}"
    assert unknown > games // 50


@parametrize_amount("games", 25, 300)
def test_only_as_much_is_settled_as_a_best_move_takes(games: int) -> None:
    random, spared = Random(9), 0
    for _ in range(games):
        game = purse_game(random)
        law, analyst = Conventions(game), RankedAnalyst(game, count_lead)
        past = random_line(law, game.default_start(), random, 20)
        found = analyse_after(law, past, analyst, every=False)
        assert found.best_value() == max(EveryLine(law, count_lead).moves(past).values()), f"{game.rules}: {past}"
        spared += not found.is_complete
    assert spared > games // 15
