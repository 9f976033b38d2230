"""Counts sequences of moves by the plain rules, to check other implementations of the rules."""

from __future__ import annotations

from collections import Counter

from onlymove_engines.core.analysis import Report, ignore_report
from onlymove_engines.core.game import AnyGame, AnyPosition


def perft(game: AnyGame, position: AnyPosition, depth: int, report: Report = ignore_report) -> int:
    """Count the sequences of `depth` legal moves from `position`. A position that several sequences reach is visited
    only once."""
    rules = game.rules
    paths: Counter[AnyPosition] = Counter({position: 1})
    for ply in range(1, depth):
        later: Counter[AnyPosition] = Counter()
        for seen, (found, count) in enumerate(paths.items()):
            if seen % 1000 == 0:
                report(f"move {ply}", seen / len(paths))
            for move in rules.legal_moves(found):
                later[rules.play(found, move)] += count
        paths = later
    return sum(count * len(rules.legal_moves(found)) for found, count in paths.items()) if depth else 1
