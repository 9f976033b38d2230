"""The starts that the options of a game offer: all are solved up to the limit, whatever the length of their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pytest
from onlymove_engines.core.analysis import AlternatingAnalyst, alternating
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import GameOver, IllegalMove, Unsolvable
from onlymove_engines.core.game import AnyGame, Option, Play
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Outcome
from onlymove_engines.search.rules_graph import TooManyPositions
from onlymove_engines.search.rules_solver import RulesSolver
from onlymove_tables.build import build_table
from onlymove_tables.open import LETTERS, open_analyst

from tests.small_games import Words, game_of

MAX_TAKEN = {"free": 2, "careful": 1}


@dataclass(frozen=True)
class Heap:
    """How many counters are left, who moves, and how many counters a player may take."""

    left: int
    seat: int
    most: int


class HeapRules:
    """Who takes the last counter wins."""

    def to_move(self, position: Heap) -> int:
        return position.seat

    def legal_moves(self, position: Heap) -> Sequence[int]:
        return range(1, min(position.most, position.left) + 1)

    def play(self, position: Heap, move: int) -> Heap:
        if not position.left:
            raise GameOver("the game is over")
        if move not in self.legal_moves(position):
            raise IllegalMove("too many")
        return replace(position, left=position.left - move, seat=1 - position.seat)

    def result(self, position: Heap) -> Result | None:
        return None if position.left else Result(1 - position.seat)


def to_text(position: Heap) -> str:
    return "|" * position.left + " AB"[position.seat + 1] + (" c" if position.most == 1 else "")


def read(text: str) -> Heap:
    board, _, ending = text.partition(" ")
    return Heap(len(board) - 1, "AB".index(board[-1]), 1 if ending else 2)


def heaps(*options: Option) -> AnyGame:
    def start(chosen: Mapping[str, str], seed: int) -> Heap:
        first = seed if chosen.get("place") == "random" else 0
        return Heap(int(chosen.get("size", "4")) + first, 0, MAX_TAKEN[chosen.get("way", "free")])

    rules = HeapRules()
    game = game_of("heaps", rules, Heap(4, 0, 2), Words(rules, to_text, read))
    return replace(game, start=start, play=Play(options=options))


SIZE = Option("size", "Counters", ("4", "9"), "4")
WAY = Option("way", "How many to take", ("free", "careful"), "free")


def solve(game: AnyGame, most: int | None = None) -> tuple[RulesSolver, AlternatingAnalyst]:
    solver = RulesSolver(game, most)
    sections = solver.build()
    derived = solver.derive()
    assert all(np.array_equal(sections[name], derived[name]) for name in sections)
    columns = {name: memoryview(data.tobytes()).cast(LETTERS[data.dtype.str[1:]]) for name, data in sections.items()}
    return solver, alternating(open_analyst(game, columns))


def test_starts_with_longer_texts_are_solved() -> None:
    """Taking one or two, a player loses with a multiple of three. Taking one each, a player loses with an even heap."""
    solver, analyst = solve(heaps(SIZE, WAY))
    assert solver.left_out == []
    for size in range(10):
        for most, cycle in ((2, 3), (1, 2)):
            value = analyst.probe(Heap(size, 0, most))
            if value is None:
                assert (size, most) == (8, 2) or size % 2 == 0, "reached only by the other player"
                continue
            assert (value.outcome is Outcome.LOSS) == (size % cycle == 0), (size, most)
    assert not analyst.is_reachable(Heap(10, 0, 2))


def test_a_start_with_too_many_positions_is_left_out_and_named() -> None:
    game = heaps(SIZE, WAY)
    complete = RulesSolver(heaps(WAY)).build()
    solver, analyst = solve(game, most=len(complete["codes"]))
    assert [to_text(start) for start in cast(list[Heap], solver.left_out)] == ["|||||||||A", "|||||||||A c"]
    found = analyst.analyse(Heap(9, 0, 1), Budget(nodes=1000))
    assert found.value is not None
    assert "which leaves out the start '|||||||||A' and '|||||||||A c', but a search has proven" in found.note
    assert analyst.is_reachable(Heap(9, 0, 2)), "a game leads there, although the table does not have it"
    assert analyst.analyse(Heap(4, 0, 1)).note == ""


def test_too_many_positions_from_the_default_start_are_refused() -> None:
    with pytest.raises(TooManyPositions, match="heaps has more than 3 positions"):
        RulesSolver(heaps(SIZE), most=3).build()


def test_more_starts_than_can_be_solved_are_refused_in_one_line() -> None:
    many = [Option(f"o{number}", "Nothing", ("a", "b", "c", "d"), "a") for number in range(7)]
    with pytest.raises(Unsolvable, match=r"heaps: its options give 16,384 starts\. At most 4,096 can be solved"):
        RulesSolver(heaps(*many)).build()


@pytest.mark.parametrize(
    "option", [Option("place", "Start", ("plain", "random"), "plain"), Option("size", "Size", ("4",), "4", free=True)]
)
def test_no_position_is_called_unreachable_if_games_may_begin_anywhere(option: Option) -> None:
    _, analyst = solve(heaps(option))
    assert analyst.is_reachable(Heap(50, 0, 2))


def test_a_build_says_which_start_is_left_out(tmp_path: Any) -> None:
    told: list[str] = []
    build_table(heaps(SIZE), tmp_path / "heaps.tbl", most=9, tell=told.append)
    assert told == ["heaps: the start |||||||||A is not solved: it has too many positions"]
