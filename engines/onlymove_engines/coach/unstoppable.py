"""What nothing stops: aims that are reached at once, whatever is played against them; by the rules alone.

Asked only where no position that stood before would end the game.
"""

from __future__ import annotations

from collections.abc import Iterable

from onlymove_engines.core.game import Game
from onlymove_engines.core.rules import M, P

MOST_TRIED = 8
"""Aims that are tried as the first of two."""


def unstoppable(game: Game[P, M], position: P) -> tuple[str, ...]:
    """One or two aims of the side that is not to move of which it reaches one at once after every move at `position`;
    empty where there are none so few, or one has no name."""
    rules = game.rules
    children = [rules.play(position, move) for move in rules.legal_moves(position)]
    if not children or any(rules.result(child) is not None for child in children):
        return ()
    known: dict[P, frozenset[str]] = {}

    def left(aims: frozenset[str]) -> Iterable[P]:
        return (child for child in children if not aims & reached(child))

    def reached(child: P) -> frozenset[str]:
        if child not in known:
            known[child] = aims_of(game, child)
        return known[child]

    for first in sorted(reached(children[0]))[:MOST_TRIED]:
        missed = next(iter(left(frozenset({first}))), None)
        if missed is None:
            return (first,)
    for first in sorted(reached(children[0]))[:MOST_TRIED]:
        missed = next(iter(left(frozenset({first}))))
        for second in sorted(reached(missed)):
            if next(iter(left(frozenset({first, second}))), None) is None:
                return (first, second)
    return ()


def aims_of(game: Game[P, M], position: P) -> frozenset[str]:
    """What the side to move can win by at once."""
    rules, seat = game.rules, game.rules.to_move(position)
    found = set[str]()
    for move in rules.legal_moves(position):
        end = rules.result(rules.play(position, move))
        if end is not None and end.winner == seat:
            found.add(game.claims.aim(position, move))
    return frozenset(found - {""})
