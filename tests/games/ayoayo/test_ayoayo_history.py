"""Ayòayò in the light of a game's history: margins where positions that stood before would end the game."""

from random import Random

import numpy as np
import pytest
from onlymove_engines.coach.in_line import analyse_after
from onlymove_engines.core.analysis import Sections
from onlymove_engines.games.ayoayo import GAME, rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.index import closed_board, closed_number, seen_by
from onlymove_engines.games.ayoayo.notation import format_position
from onlymove_engines.games.ayoayo.rules import Position
from onlymove_engines.play.conventions import Conventions

from tests.games.ayoayo import _kernel
from tests.games.ayoayo.infinite import Nodes, boards_with, nodes

LAW = Conventions(GAME)
FAVOURED = 1
"""The side that the independent solver counts for."""


class Layer:
    """All closed boards with so many seeds, each with either side to move, solved anew for every history.

    A second way to the values of `analyse_after`: the attractors over the whole layer that the tests of other
    conventions use, with the positions that stood before as ends.
    """

    def __init__(self, seeds: int, margins: np.ndarray) -> None:
        self.seeds, self.numbers = seeds, boards_with(seeds)
        self.nodes: Nodes = nodes(self.numbers, margins, margins)

    def node(self, position: Position) -> int:
        """The number of the node of a position."""
        number = closed_number(seen_by(position.pits, position.to_move))
        assert number is not None
        place = int(np.searchsorted(self.numbers, number))
        return place if position.to_move == FAVOURED else len(self.numbers) + place

    def margins_after(self, past: list[Position]) -> np.ndarray:
        """What is to come for the favoured side at every node when these positions end the game."""
        size = len(self.nodes.rows)
        ends = [self.node(position) for position in LAW.closing(past)]
        margins = np.full(size, -self.seeds, np.int16)
        left, queue, nothing = np.zeros(size, np.int8), np.empty(size, np.int32), np.zeros(size, np.int16)
        for t in range(-self.seeds + 2, self.seeds + 1, 2):
            state = np.zeros(size, np.int8)
            state[ends] = _kernel.WON if t <= 0 else _kernel.LOST
            _kernel.divide(t, nothing, *self.nodes.graph, state, left, queue)
            margins[(state == _kernel.HELD) | (state == _kernel.WON)] = t
        return margins


def haunted(seeds: int, random: Random) -> list[Position]:
    """A random board, last, after positions that quiet play could lead to from there, as if they had stood before."""
    numbers = boards_with(seeds)
    captured = random.choice([(24, 24 - seeds), (24 - seeds, 24), (20, 28 - seeds)])
    position = Position(closed_board(int(random.choice(numbers))), captured, FAVOURED)
    past: dict[Position, None] = {}
    for _ in range(random.randint(1, 12)):
        here = position
        for _ in range(random.randint(1, 5)):
            children = [rules.play(here, move) for move in rules.legal_moves(here)]
            quiet = [child for child in children if child.captured == captured and rules.result(child) is None]
            if not quiet:
                break
            here = random.choice(quiet)
        past[here] = None
    return [*(here for here in past if here != position), position]


def disagreements(analyst: AyoayoAnalyst, margins: np.ndarray, seeds: int, boards: int) -> tuple[int, int]:
    """(moves whose value the history changed, moves that stayed unknown); fails where the two ways differ."""
    random, changed, unknown, solved = Random(seeds), 0, 0, Layer(seeds, margins)
    while boards:
        past = haunted(seeds, random)
        promised = analyst.analyse(past[-1])
        if not any(value is not None and value.margin for value in promised.moves.values()):
            continue
        boards -= 1
        found, worth = analyse_after(LAW, past, analyst), solved.margins_after(past)
        for move, value in found.moves.items():
            child, table = rules.play(past[-1], move), promised.moves[move]
            assert table is not None
            expected = int(worth[solved.node(child)]) if child.captured == past[-1].captured else table.margin
            if value is None:
                unknown += 1
                continue
            assert value.margin == expected, f"{[format_position(p) for p in past]}, pit {move + 1}"
            changed += value != table
    return changed, unknown


@pytest.mark.parametrize(("seeds", "boards"), [(4, 40), (8, 25)])
def test_margins_in_a_game_are_those_of_an_independent_solver(
    analyst: AyoayoAnalyst, sections: Sections, seeds: int, boards: int
) -> None:
    changed, unknown = disagreements(analyst, sections["margin"], seeds, boards)
    assert changed > 5
    assert unknown == 0
