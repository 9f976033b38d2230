"""What the moves that may be played are worth in a game under way, its history and its house rule included.

All that judges, hints, plays or explains at a game asks here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from onlymove_engines.coach.light import Light
from onlymove_engines.core.analysis import Analysis, Analyst, AnyAnalysis, AnyAnalyst, SimultaneousAnalyst
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Estimate, Margin, Mixed, Outcome, Value
from onlymove_engines.play.conventions import Conventions
from onlymove_engines.play.line import AnyLine, AnyNode

Known: TypeAlias = AnyAnalysis | Mixed

JUDGED_NODES = 120_000
"""What moves are judged by where both move at once and values are estimates: some 0.6 s of a core."""


def look(line: AnyLine, node: AnyNode, analyst: AnyAnalyst, budget: Budget = UNLIMITED) -> Known:
    """What is known of the moves that may be played from a node of a game.

    A search that takes all it gets looks into so many nodes, not for so long: a busy machine changes no verdict.
    """
    if isinstance(analyst, SimultaneousAnalyst):
        return analyst.mixed(node.position, budget if budget.nodes is not None else replace(budget, nodes=JUDGED_NODES))
    return analyse_after(line.conventions, node.positions(), analyst, budget)


def analyse_after(
    law: Conventions[P, M],
    past: Sequence[P],
    analyst: Analyst[P, M],
    budget: Budget = UNLIMITED,
    every: bool = True,
) -> Analysis[M]:
    """As `Analyst.analyse`, of the moves that may be played after the positions `past` (oldest first, the current one
    last) and in their light; no moves where the game has ended.

    Without `every` no more is settled than it takes to know a best move.
    """
    position, rules = past[-1], law.game.rules
    base, seat = analyst.analyse(position, budget), rules.to_move(position)
    assert seat is not None, "games with simultaneous moves have no history to look at"
    if (ended := law.result(past)) is not None:
        return replace(base, value=ended.value_for(seat), moves={}, estimates={})
    light = Light(law, past, analyst, budget)
    children = {move: rules.play(position, move) for move in law.allowed(past)}
    promised = {move: base.moves[move] for move in children}
    promised |= {move: end.value_for(seat).stepped_back() for move, end in law.stuck_after(past).items()}
    moves = settled(light, children, promised, every)
    won = [move for move, value in moves.items() if isinstance(value, Margin) and value.outcome is Outcome.WIN]
    ends_won = frozenset(move for move in won if law.result([children[move]]) is not None)
    nearer = frozenset(move for move in moves if light.is_nearer(children[move], promised[move]))
    base = replace(base, ends_won=ends_won, nearer=nearer, past_counts=bool(light.closing))
    if moves == base.moves:
        return base
    unknown = {move for move, value in moves.items() if value is None}
    guesses = {move: guess for move, guess in base.estimates.items() if move in unknown}
    limits = {move: limit for move in unknown if (limit := light.limit(children[move], promised[move])) is not None}
    found = replace(base, value=None, moves=moves, estimates=guesses, limits=limits)
    return replace(found, value=found.best_value() or (base.value if isinstance(base.value, Estimate) else None))


def settled(
    light: Light[P, M], children: Mapping[M, P], promised: Mapping[M, Value | None], every: bool
) -> dict[M, Value | None]:
    """What the moves are worth. What promises most comes first, and then what is near: what is far may cost the whole
    budget."""
    found: dict[M, Value | None] = dict.fromkeys(children)
    best: Value | None = None
    for move in sorted(children, key=lambda move: light.prospect(children[move], promised[move])):
        limit = light.limit(children[move], promised[move])
        if every or best is None or limit is None or limit > best:
            value = found[move] = light.value(children[move], promised[move])
            best = value if best is None or (value is not None and value > best) else best
    return found
