"""Finds out whether a game can be played out, because nothing that either side plays makes a difference any more."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, alternating
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyPosition
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Move, Value
from onlymove_engines.play.tree import AnyNode, AnyTree

CALM = 4
"""For the next so many moves of both sides, nothing that is played may make a difference. Games in which a few seeds
walk round have long endings of this kind. In others only the last moves before a full board are like this, and a drawn
opening in which nothing matters for three moves is none."""
MAX_POSITIONS = 3000
"""How many positions are looked at: some more than four seeds in twelve pits have, with two sides to move."""


def find_common_value(values: Analysis[Move]) -> Value | None:
    """Return the value of all moves if they lead to the same result and the same points, or `None`."""
    known = [*values.moves.values()]
    first = known[0] if known else None
    if first is None or any(one is None or (one.outcome, one.margin) != (first.outcome, first.margin) for one in known):
        return None
    return first


def find_rest(tree: AnyTree, node: AnyNode, analyst: AnyAnalyst, budget: Budget) -> Sequence[Move]:
    """Return moves that play the game out from `node`, such that nothing is to be decided at any of them. The game ends
    as the values at the node promise. Empty if something can be decided in the next `CALM` moves, if the values are not
    known, if no such end is found, or if it is one move away."""
    if tree.house_rule is not None or not isinstance(node.values, Analysis):
        return ()
    value = find_common_value(node.values)
    if value is None or not is_calm(tree, node, analyst, budget):
        return ()
    way = find_way_out(tree, node, analyst, budget)
    end = tree.conventions.result([*node.positions(), *play_all(tree, node, way)])
    return way if len(way) > 1 and end is not None and keeps_promise(tree, node, value, end) else ()


def play_all(tree: AnyTree, node: AnyNode, moves: Sequence[Move]) -> list[AnyPosition]:
    """Return the positions after each of these moves from `node`."""
    positions: list[AnyPosition] = []
    for move in moves:
        positions.append(tree.game.rules.play(positions[-1] if positions else node.position, move))
    return positions


def keeps_promise(tree: AnyTree, node: AnyNode, value: Value, end: Result) -> bool:
    """Whether a game has ended as a value at `node` said."""
    seat = node.to_move or 0
    promised = tree.game.add_points_made(node.position, seat, value)
    points = None if end.score is None else end.score[seat] - end.score[1 - seat]
    return end.outcome_for(seat) is promised.outcome and points == promised.margin


def is_calm(tree: AnyTree, node: AnyNode, analyst: AnyAnalyst, budget: Budget) -> bool:
    """Whether all moves are alike in every position that can come up in fewer than `CALM` moves. Looks deep first,
    because a difference is found sooner there."""
    rules, setter = tree.game.rules, alternating(analyst)
    reached = {node.position: CALM}
    """Positions with the number of moves that are still to be looked at from there."""
    waiting = [node.position]
    while waiting and len(reached) <= MAX_POSITIONS:
        position = waiting.pop()
        moves, left = rules.legal_moves(position), reached[position] - 1
        if moves and find_common_value(setter.analyse(position, budget)) is None:
            return False
        for child in (rules.play(position, move) for move in moves if left):
            if reached.get(child, 0) < left:
                reached[child] = left
                waiting.append(child)
    return len(reached) <= MAX_POSITIONS


def find_way_out(tree: AnyTree, node: AnyNode, analyst: AnyAnalyst, budget: Budget) -> Sequence[Move]:
    """Return the fewest moves that end the game and lead only through positions in which all moves are alike. Empty if
    none are found."""
    rules, setter, past = tree.game.rules, alternating(analyst), node.positions()
    ways: dict[AnyPosition, tuple[Move, ...]] = {node.position: ()}
    waiting = deque([node.position])
    while waiting and len(ways) <= MAX_POSITIONS:
        position = waiting.popleft()
        if find_common_value(setter.analyse(position, budget)) is None:
            continue
        for move in rules.legal_moves(position):
            child, way = rules.play(position, move), (*ways[position], move)
            if child in past or not rules.legal_moves(child):
                if tree.conventions.result([*past, *play_all(tree, node, way)]) is not None:
                    return way
            elif child not in ways:
                ways[child] = way
                waiting.append(child)
    return ()
