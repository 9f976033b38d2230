"""Solves a game from its rules a second time, to verify a table.

It uses other methods than the solver, and shares with it only the meaning of a table's keys and numbers. It finds
positions depth first, with plain dictionaries. It then goes over all positions again and again until no value changes.
In games with points, it treats each margin as a separate game that is won by that many points more than endless play
gives, or not.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Report, ignore_report
from onlymove_engines.core.errors import Unsolvable
from onlymove_engines.core.game import AnyGame, AnyPosition, list_images
from onlymove_engines.search.endless import find_endless_lead
from onlymove_engines.search.position_keys import Known, make_sections, narrow, pack

REPORTED = 5_000
"""The number of positions between two progress reports."""
NEVER = -1
NO_MOVE = -(1 << 62)
"""Below any margin."""


@dataclass
class Walk:
    """All positions in the order in which they were visited.

    `known` are the positions as integers or texts, and `orbits` says how many symmetric positions each stands for.
    `first` and `children` list the moves, and `signs` are 1 for moves after which the same side moves again, and -1 for
    others. `ended` is the outcome if the game is over. `points` are the points of the side to move and of the other
    side, and `endless` the margin to come for the side to move if positions repeat. Both are empty without points.
    """

    known: list[Known]
    orbits: Array
    first: Array
    children: Array
    signs: Array
    ended: Array
    points: Array
    endless: Array


def walk(game: AnyGame, starts: Sequence[AnyPosition], most: int | None, report: Report, are_numbers: bool) -> Walk:
    """Find every position that the rules lead to from these starts, depth first. Raises Unsolvable."""
    rules = game.rules
    to_text: Any = int if are_numbers else game.notation.format_position
    numbers: dict[Known, int] = {}
    ahead: list[tuple[int, AnyPosition]] = []
    sizes = array("i")

    def number(position: AnyPosition) -> int:
        images = {to_text(image): image for image in list_images(position, game.solved.symmetries)}
        known = min(images)
        if known not in numbers:
            numbers[known] = len(numbers)
            sizes.append(len(images))
            ahead.append((numbers[known], images[known]))
        return numbers[known]

    for start in starts:
        number(start)
    order, degrees, children, signs, ended = array("i"), array("i"), array("i"), array("b"), array("b")
    points, endless = array("q"), array("q")
    while ahead:
        here, position = ahead.pop()
        after = [rules.play(position, move) for move in rules.legal_moves(position)]
        seat, result = rules.to_move(position) or 0, rules.result(position)
        children.extend(map(number, after))
        signs.extend(1 if rules.to_move(child) == seat else -1 for child in after)
        order.append(here)
        degrees.append(len(after))
        ended.append(0 if result is None else int(result.outcome_for(seat)))
        if game.play.points is not None:
            own, others = game.play.points(position)[:: -1 if seat else 1]
            points.extend((own, others))
            endless.append(find_endless_lead(game, position, seat) - own + others if after else 0)
        if len(order) % REPORTED == 0:
            report(f"verifying: {len(numbers):,} positions", len(order) / len(numbers))
        if most is not None and len(numbers) > most:
            raise Unsolvable(f"{game.facts.title} has more than {most:,} positions")
    looked = np.array(order, np.int64)
    place = np.empty(len(looked), np.int64)
    place[looked] = np.arange(len(looked))
    names = list(numbers)
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.array(degrees, np.int64))))
    return Walk(
        [names[one] for one in order],
        np.array(sizes, np.int64)[looked],
        first,
        place[np.array(children, np.int64)],
        np.array(signs, np.int8),
        np.array(ended, np.int8),
        np.array(points, np.int64).reshape(-1, 2),
        np.array(endless, np.int64),
    )


def run_race(
    first: Array, children: Array, signs: Array, won: Array, beaten: Array, may_lose: Array
) -> tuple[Array, Array]:
    """Let two sets of positions grow in sweeps over all positions, until nothing changes.

    In the first set, the side to move can reach its aim, because a move leads to a position in which the other side is
    beaten, or in which it moves again and can reach its aim. In the second it is beaten, because every move lets the
    other side reach its aim. The sets begin with `won` and `beaten`. Return, for each set, the sweep in which a
    position was added, or NEVER.
    """
    won_in, beaten_in = np.where(won, 0, NEVER), np.where(beaten, 0, NEVER)
    degrees = np.diff(first)
    inner = np.flatnonzero(degrees > 0)
    sweep, is_growing = 0, len(inner) > 0
    while is_growing:
        sweep += 1
        is_won, is_lost = won_in != NEVER, beaten_in != NEVER
        gains = np.where(signs > 0, is_won[children], is_lost[children])
        fails = np.where(signs > 0, is_lost[children], is_won[children])
        reach = np.add.reduceat(gains.astype(np.int64), first[inner]) > 0
        forced = np.add.reduceat(fails.astype(np.int64), first[inner]) == degrees[inner]
        is_open = ~is_won[inner] & ~is_lost[inner]
        winners, losers = inner[reach & is_open], inner[forced & may_lose[inner] & is_open]
        won_in[winners], beaten_in[losers] = sweep, sweep
        is_growing = len(winners) + len(losers) > 0
    return won_in, beaten_in


def derive_table(
    game: AnyGame, starts: Sequence[AnyPosition], most: int | None = None, report: Report = ignore_report
) -> dict[str, Array]:
    """Return all sections of the table with all positions that these starts lead to. Raises Unsolvable."""
    are_numbers = type(game.default_start()) is int
    found = walk(game, starts, most, report, are_numbers)
    try:
        packed = pack(found.known, are_numbers)
    except OverflowError:
        found = walk(game, starts, most, report, are_numbers=False)
        packed = pack(found.known, are_numbers=False)
    order = np.argsort(packed)
    sections = make_sections(packed[order])
    columns = outcomes(found) if game.play.points is None else margins(found)
    if game.solved.symmetries:
        columns["orbits"] = found.orbits
    return sections | {name: narrow(column[order], name == "margins") for name, column in columns.items()}


def outcomes(found: Walk) -> dict[str, Array]:
    """Return the codes of the positions: 0 for a draw in an unfinished game, 1 for a finished draw, 2 + 2n for a loss
    in n plies and 3 + 2n for a win in n plies."""
    over = np.diff(found.first) == 0
    won, lost = over & (found.ended == 1), over & (found.ended == -1)
    won_in, lost_in = run_race(found.first, found.children, found.signs, won, lost, np.ones(len(over), np.bool_))
    codes = np.where(lost_in != NEVER, 2 + 2 * lost_in, over)
    return {"codes": np.where(won_in != NEVER, 3 + 2 * won_in, codes)}


def margins(found: Walk) -> dict[str, Array]:
    """Return the margin to come and the rank of each position."""
    size = len(found.ended)
    worth, ranks = np.zeros(size, np.int64), np.zeros(size, np.int64)
    total, lead = found.points.sum(axis=1), found.points[:, 0] - found.points[:, 1]
    goes_on = np.diff(found.first) > 0
    for level in sorted(set(total.tolist()), reverse=True):
        nodes = np.flatnonzero((total == level) & goes_on)
        place = {node: row for row, node in enumerate(nodes.tolist())}
        inside, ahead, signs, best = [0], list[int](), list[int](), list[int]()
        for node in place:
            top, edges = NO_MOVE, slice(found.first[node], found.first[node + 1])
            for child, sign in zip(found.children[edges].tolist(), found.signs[edges].tolist(), strict=True):
                if child in place:
                    ahead.append(place[child])
                    signs.append(sign)
                else:
                    top = max(top, int(sign * (worth[child] + lead[child]) - lead[node] - found.endless[node]))
            inside.append(len(ahead))
            best.append(top)
        first, children, exits = np.array(inside), np.array(ahead, np.int64), np.array(best, np.int64)
        own = np.array(signs, np.int64)
        more = np.zeros(len(nodes), np.int64)
        """By how much the margin differs from the one that endless play gives."""
        for aim in sorted({abs(one) for one in best if one != NO_MOVE} - {0}, reverse=True):
            # Positions in which a side gets more than this are already known. They are in the sets from the beginning
            # and keep their margin.
            ahead_of, behind = more > aim, more < -aim
            held = (exits <= -aim) & ~behind
            fails = np.where(own > 0, behind[children], ahead_of[children])
            closed = np.array([fails[b:e].all() for b, e in pairwise(inside)], np.bool_)
            won_in, lost_in = run_race(first, children, own, ahead_of | (exits >= aim), behind | (held & closed), held)
            for sign, since, known in ((1, won_in, ahead_of), (-1, lost_in, behind)):
                rows = np.flatnonzero((since != NEVER) & ~known)
                more[rows], ranks[nodes[rows]] = sign * aim, since[rows] + 1
        worth[nodes] = more + found.endless[nodes]
    return {"margins": worth, "ranks": ranks}
