"""Estimates of leaves: the figures compared with plain counts, chambers with their definition, and the fit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders._kernel import chambers, evaluation, field
from onlymove_engines.games.lightriders._kernel.evaluation import CHAMBERS, FITTED, FLOOD, compare_fills
from onlymove_engines.games.lightriders._kernel.search import serial_at_root
from onlymove_engines.games.lightriders.live import Lookahead, find_heads, find_longest_path
from onlymove_engines.games.lightriders.rules import Cell, LightRidersRules, Position
from onlymove_engines.games.lightriders.territory import find_regions, measure_distances
from onlymove_laws.law import parametrize_amount

from benchmarks.fitting.lightriders import (
    Player,
    figures_of,
    first_weights,
    fit,
    gradients,
    leads_of,
    read_figures,
    read_sample,
    standardise,
    unstandardise,
)
from tests.games.lightriders.separation import make_separated_fields

RULES = LightRidersRules()
MakeField = Callable[..., Position]
Minds = Callable[[Position], Lookahead]


def flood_from_heads(position: Position, tools: Lookahead) -> Any:
    """Return the searches' tools after the flood from both heads."""
    tools.load(position)
    field.flood(tools.tools.boards[0], *find_heads(position, 0), tools.tools)
    return tools.tools


def test_the_figures_agree_with_plain_counting(make_field: MakeField, lookahead: Minds) -> None:
    dice = random.Random(31)
    seen = 0
    for _ in range(150):
        position = make_field(dice, 3, dice.choice([9, 24]), 0.25)
        figures = figures_of(lookahead(position), position)
        if figures is None:
            continue
        seen += 1
        own = find_regions(position)
        for seat in (0, 1):
            output = dict(zip(NAMES, figures[seat].tolist(), strict=True))
            assert output | plain_figures(position, seat, own[seat]) == output, (position, seat)
    assert seen > 75


NAMES = (
    *("reach", "cells", "degrees", "front", "ones", "twos", "threes", "second", "largest", "disputed"),
    *("main", "beyond", "next", "side", "other side", "quiet", "chambers", "contact", "exposed", "busy", "fronts"),
    *("ways", "edge", "centre", "steps"),
    *("to 2", "to 5", "to 8", "to 11", "to 14", "meeting"),
)


def plain_figures(position: Position, seat: int, own: set[Cell]) -> dict[str, int]:
    """Return all figures except those of the plans, which have their own test."""
    steps, theirs = measure_distances(position, seat), measure_distances(position, 1 - seat)
    head, facing = find_heads(position, seat)
    beside = [sum(near in own for near in position.list_neighbours(cell)) for cell in own]
    y, x = divmod(head, position.width)
    right, below = position.width - 1 - x, position.height - 1 - y
    front = {cell for cell in own if any(n in theirs and n not in own for n in position.list_neighbours(cell))}
    far = {cell for cell in own if max(abs(cell % position.width - x), abs(cell // position.width - y)) > 2}
    sides = find_pieces(far, position.list_neighbours)
    growth = {f"to {last}": sum(last - 3 < steps[cell] <= last for cell in own) for last in (2, 5, 8, 11, 14)}
    return growth | {
        "reach": len(own),
        "front": len(front),
        "side": max(map(len, sides), default=0),
        "other side": sorted([0, 0, *map(len, sides)])[-2],
        "quiet": sum(len(side) for side in sides if not side & front),
        "busy": sum(bool(side & front) for side in sides),
        "fronts": max(0, count_pieces_less_holes(front, position)),
        "ones": beside.count(1),
        "twos": beside.count(2),
        "threes": beside.count(3),
        "ways": sum(position.cells[near] == "." for near in position.list_neighbours(head)),
        "edge": min(x, y, right, below),
        "centre": abs(x - right) + abs(y - below),
        "steps": sum(steps[cell] for cell in own),
        "meeting": (min(steps[near] for near in position.list_neighbours(facing) if near in steps) + 2) // 2,
    }


def find_pieces(cells: set[Any], around: Callable[[Any], Iterable[Any]]) -> list[set[Any]]:
    """Return the connected pieces of these cells."""
    left, pieces = set(cells), []
    while left:
        piece = [left.pop()]
        for cell in piece:
            found = left.intersection(around(cell))
            left -= found
            piece.extend(found)
        pieces.append(set(piece))
    return pieces


def count_pieces_less_holes(front: set[Cell], position: Position) -> int:
    """Count the pieces of a front, joined at corners as well, less the holes in them, which are not."""
    width, height = position.width, position.height
    inside = {(cell % width, cell // width) for cell in front}
    outside = {(x, y) for x in range(-1, width + 1) for y in range(-1, height + 1)} - inside

    def around(cell: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = cell
        return [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]

    def around_corners(cell: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = cell
        return [*around(cell), (x - 1, y - 1), (x - 1, y + 1), (x + 1, y - 1), (x + 1, y + 1)]

    return len(find_pieces(inside, around_corners)) - (len(find_pieces(outside, around)) - 1)


@parametrize_amount("count", 30, 400)
def test_the_figures_of_chambers_agree_with_cutting(make_field: MakeField, lookahead: Minds, count: int) -> None:
    dice = random.Random(37)
    for number in range(count):
        position = make_field(dice, 3, 17 if number % 10 == 0 else 8, 0.25)
        figures = figures_of(lookahead(position), position)
        if figures is None:
            continue
        for seat, own in enumerate(find_regions(position)):
            theirs = measure_distances(position, 1 - seat)
            touch = {cell for cell in own if any(n in theirs and n not in own for n in position.list_neighbours(cell))}
            output = dict(zip(NAMES, figures[seat].tolist(), strict=True))
            branches = chambers_beyond(position, find_heads(position, seat)[0], own, own)
            assert any(output | found == output for found in plan_figures(position, branches, touch)), (position, seat)


def plan_figures(position: Position, branches: list[Chamber], touch: set[Cell]) -> Iterator[dict[str, int]]:
    """Yield the figures of the chambers, once for each first chamber that the best plan may have."""
    every = [chamber for branch in branches for chamber in branch.list_chambers()]
    plans = [branch.plan(position, touch) for branch in branches]
    best = max(plans, default=(0, 0, False))
    common = {
        "chambers": 1 + len(every),
        "contact": int(best[2]),
        "largest": max((chamber.plan_inside(position, touch)[0] for chamber in every), default=0),
        "disputed": sum(chamber.plan_inside(position, touch)[0] for chamber in every if chamber.cells & touch),
        "second": sorted([0, 0, *(cells for cells, _, _ in plans)])[-2],
    }
    yield from [common | dict.fromkeys(("main", "beyond", "next", "exposed"), 0)] * (not branches)
    for branch, plan in zip(branches, plans, strict=True):
        if plan == best:
            behind = sorted([0, 0, *(other.plan(position, touch)[0] for other in branch.behind)])
            main = {"main": branch.plan_inside(position, touch)[0], "exposed": int(bool(branch.cells & touch))}
            yield common | main | {"beyond": behind[-1], "next": behind[-2]}


@parametrize_amount("count", 15, 200)
def test_trading_the_riders_changes_the_sign_of_every_evaluation(
    make_field: MakeField, lookahead: Minds, count: int
) -> None:
    dice = random.Random(32)
    for mode in (FLOOD, CHAMBERS, FITTED):
        for _ in range(count):
            position = make_field(dice)
            tools = lookahead(position)
            value = tools.value(serial_at_root, position, 0, 0, mode)
            assert tools.value(serial_at_root, position, 1, 0, mode) == pytest.approx(-value, abs=1e-12), (
                position,
                mode,
            )
            assert -1.0 <= value <= 1.0


def test_an_official_start_is_worth_zero_to_both_riders(lookahead: Minds) -> None:
    for seed in range(20):
        position = official_start(16, 16, seed)
        for mode in (FLOOD, CHAMBERS, FITTED):
            assert lookahead(position).value(serial_at_root, position, 0, 0, mode) == pytest.approx(0, abs=1e-12)


@parametrize_amount("count", 30, 400)
def test_chambers_are_cut_and_plans_chosen_as_defined(make_field: MakeField, lookahead: Minds, count: int) -> None:
    dice = random.Random(33)
    for number in range(count):
        largest, walls = (
            (8, 0.3) if number % 10 else (17, 0.15)
        )  # fields of more than 256 cells are walked cell by cell
        position = make_field(dice, 3, largest, walls)
        work = flood_from_heads(position, lookahead(position))
        for seat, own in enumerate(find_regions(position)):
            head = find_heads(position, 0)[seat]
            touch = {cell for cell in own if field.is_set(work.touch[seat], cell)}
            plan = best_plan(position, head, own, touch)
            assert chambers.plan(seat, head, chambers.BATTLEFRONT, work) == plan[:2], (position, seat)
            plain = best_plan(position, head, own, set())[0]
            assert chambers.plan(seat, head, chambers.PLAIN, work)[0] == plain, (position, seat)


def test_a_territory_of_many_corridors_is_cut_as_defined(lookahead: Minds) -> None:
    rows = ["." * 16 if y % 2 == 0 else "x" * 15 + "." if y % 4 == 1 else "." + "x" * 15 for y in range(16)]
    rows[14] = "." * 15 + "x"
    position = Position(16, 16, "0" + "".join(rows)[1:-1] + "1")
    work = flood_from_heads(position, lookahead(position))
    corridor = find_regions(position)[0]
    assert len(corridor) > 64
    assert chambers.plan(0, 0, chambers.PLAIN, work)[0] == len(corridor)


Plan = tuple[int, int, bool]


@dataclass(frozen=True)
class Chamber:
    """A chamber behind a gate: the cells that no other single cell cuts off, and the chambers behind its own cells."""

    gate: Cell
    cells: set[Cell]
    degrees: int
    behind: list[Chamber]

    def plan_inside(self, position: Position, touch: set[Cell]) -> Plan:
        """Return the plan that stays in this chamber."""
        return chessboard(position, self.gate, self.cells), self.degrees, bool(self.cells & touch)

    def plan(self, position: Position, touch: set[Cell]) -> Plan:
        """Return the best plan from this chamber on."""
        best = alone = self.plan_inside(position, touch)
        for chamber in self.behind:
            cells, more, contact = chamber.plan(position, touch)
            if contact:
                steps = distance(position, self.gate, chamber.gate)
                best = max(best, (cells + steps, more + 2 * steps, True))
            else:
                best = max(best, (cells + alone[0], more + alone[1], alone[2]))
        return best

    def list_chambers(self) -> Iterator[Chamber]:
        """Yield this chamber and all behind it."""
        yield self
        for chamber in self.behind:
            yield from chamber.list_chambers()


def best_plan(position: Position, head: Cell, own: set[Cell], touch: set[Cell]) -> Plan:
    """Return the best plan: its cells, their neighbours, and whether it touches the other's reach. Ties are decided by
    the next number."""
    branches = chambers_beyond(position, head, own, own)
    return max((branch.plan(position, touch) for branch in branches), default=(0, 0, False))


def chambers_beyond(position: Position, gate: Cell, beyond: set[Cell], own: set[Cell]) -> list[Chamber]:
    """Return the chambers right behind the gate."""
    found = []
    for part in pieces(position, position.list_neighbours(gate), beyond):
        hidden = {cut: part - {cut} - find_reachable(position, gate, part - {cut}) for cut in part}
        cells = part - set().union(*hidden.values())
        degrees = sum(near in own for cell in cells for near in position.list_neighbours(cell))
        behind = [chamber for cut in cells for chamber in chambers_beyond(position, cut, hidden[cut], own)]
        found.append(Chamber(gate, cells, degrees, behind))
    return found


def distance(position: Position, one: Cell, other: Cell) -> int:
    """Return the steps between two cells on an open field."""
    (y, x), (v, u) = divmod(one, position.width), divmod(other, position.width)
    return abs(x - u) + abs(y - v)


def pieces(position: Position, entrances: Iterable[Cell], cells: set[Cell]) -> list[set[Cell]]:
    """Return the connected parts of `cells` that contain one of the entrances."""
    found: list[set[Cell]] = []
    for entrance in entrances:
        if entrance in cells and not any(entrance in part for part in found):
            found.append({entrance} | find_reachable(position, entrance, cells))
    return found


def find_reachable(position: Position, start: Cell, cells: set[Cell]) -> set[Cell]:
    """Return the cells of `cells` that can be reached from the start."""
    found: set[Cell] = set()
    front = {start}
    while front:
        front = {near for cell in front for near in position.list_neighbours(cell) if near in cells} - found
        found |= front
    return found


def chessboard(position: Position, gate: Cell, cells: set[Cell]) -> int:
    """Return the most cells of a path from the gate that changes colour with every step."""
    colour = sum(divmod(gate, position.width)) % 2
    same = sum(sum(divmod(cell, position.width)) % 2 == colour for cell in cells)
    other = len(cells) - same
    return min(2 * other, 2 * same + 1)


def test_separated_riders_are_compared_by_who_fills_longer(make_field: MakeField, lookahead: Minds) -> None:
    right = decided = 0
    for position in make_separated_fields(random.Random(34), make_field, 400):
        tools = lookahead(position)
        mine, theirs = (find_longest_path(tools, position, head).least for head in find_heads(position, 0))
        value = compare_fills(*find_heads(position, 0), flood_from_heads(position, lookahead(position)))
        if abs(value) == 1.0 or (value == 0.0 and tools.tools.stat[field.BELIEVED] == 0):
            assert value == np.sign(mine - theirs), position
        decided += mine != theirs
        right += value * (mine - theirs) > 0
    assert right > 0.97 * decided, (right, decided)


def test_the_fit_follows_the_slopes_of_its_loss() -> None:
    dice = np.random.default_rng(35)
    weights = [part.astype(float) for part in first_weights(dice, 32, 30)]
    sums, gaps, targets = dice.normal(size=(40, 32)), dice.normal(size=(40, 30)), dice.uniform(size=40)

    def loss() -> float:
        leads, _ = leads_of(weights, sums, gaps)
        return float(np.mean(np.logaddexp(0.0, leads) - targets * leads))

    slopes = gradients(weights, sums, gaps, targets)
    for part, index in ((0, (3, 5)), (1, (29, 2)), (2, (4,)), (3, (9, 7)), (4, (1,)), (5, (6, 0))):
        before = weights[part][index]
        weights[part][index] = before + 1e-6
        above = loss()
        weights[part][index] = before - 1e-6
        assert slopes[part][index] == pytest.approx((above - loss()) / 2e-6, abs=1e-6)
        weights[part][index] = before


def test_a_fit_learns_who_reaches_more_and_the_kernel_reads_it() -> None:
    dice = np.random.default_rng(36)
    figures = dice.integers(1, 60, (1_000, 2, 31)).astype(np.float32)
    figures[:, 1, -1] = figures[:, 0, -1]
    learnt = fit(figures, (figures[:, 0, 0] > figures[:, 1, 0]).astype(np.float32), rate=8e-3)
    units = field.make_tools(4, 4, 1).sums
    leads = np.array([compute_lead(pair, learnt, units) for pair in figures])
    clear = abs(figures[:, 0, 0] - figures[:, 1, 0]) > 10
    assert np.mean((leads > 0) == (figures[:, 0, 0] > figures[:, 1, 0]), where=clear) > 0.97
    assert leads[0] == -compute_lead(figures[0, ::-1], learnt, units)


def compute_lead(figures: Any, net: Any, units: Any) -> float:
    """Return what the kernel computes from both riders' figures and the rounds until the fronts meet."""
    read = np.zeros((2, field.UNITS), np.int16)
    read[:, : field.FIGURES] = figures[:, :-1]
    return float(evaluation.compute_lead(read, int(figures[0, -1]), net, units))


def test_the_kernel_reads_the_net_as_it_was_fitted() -> None:
    dice = np.random.default_rng(38)
    figures = dice.integers(1, 60, (50, 2, 31)).astype(np.float32)
    figures[:, 1, -1] = figures[:, 0, -1]
    weights = first_weights(dice, 32, 30)
    (sums, gaps), scale = standardise(figures)
    plain, units = unstandardise(weights, scale), field.make_tools(4, 4, 1).sums
    for pair, lead in zip(figures, leads_of(weights, sums, gaps)[0], strict=True):
        assert compute_lead(pair, plain, units) == pytest.approx(lead, abs=1e-4)


def test_games_of_the_fit_end_and_are_seen_by_the_net() -> None:
    samples = list(Player("3").play_game(5)) + list(Player("4").play_game(5))
    figures, targets = read_figures(samples)
    assert figures.shape == (len(targets), 2, 31)
    assert len(targets) > 40
    assert 0.0 <= min(targets) <= max(targets) <= 1.0
    assert [str(read_sample(str(one))) for one in samples] == [str(one) for one in samples]


def test_the_same_seed_makes_the_same_samples() -> None:
    first, again = (list(map(str, Player("6").play_game(5))) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("side", range(4, 20))
def test_the_net_and_its_sums_start_with_a_cache_line(side: int) -> None:
    """Otherwise the search takes a tenth longer, and numpy puts arrays anywhere."""
    tools = field.make_tools(side, side, 1)
    sums = tools.sums
    assert tools.net.ctypes.data % 64 == 0
    assert sums.shape == (2 * field.BLOCKS + 2, field.UNITS)
    assert sums.dtype == np.float32
    assert not sums.any()
    assert sums.ctypes.data % 64 == 0
