"""How an engine chooses: a style decides what is best, a strength 0..100 how often it finds it.

100 always plays a best move of its style, 0 any legal move alike. Between, moves are drawn with weights that fall
with what they seem to give away: the weaker, the less it sees of what is far away, so that mistakes are plausible.
Never asked by hints or grades.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp
from random import Random
from typing import Any, TypeAlias

from onlymove_engines.core.analysis import Analysis, AnyAnalysis, AnyAnalyst, alternating, simultaneous
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, AnyPosition, Style, Turn, alike
from onlymove_engines.core.judgement import POINT_COST
from onlymove_engines.core.rules import M
from onlymove_engines.core.value import Estimate, Mixed, Move, Outcome, Seat, Value

AnyStyle: TypeAlias = Style[Any, Any]
AnyTurn: TypeAlias = Turn[Any, Any]

FULL_STRENGTH = 100

SHARPNESS = 20.0
"""The weight of a move is exp(-sharpness * cost), at skill 1: giving away half a point costs a factor of e^10."""
SIGHT = 3.0
"""Plies in which what a result seems worth falls to half, at skill 1."""
CONCENTRATION = 1 / 40
"""How soon skill outgrows strength: at strength 80 it is 0.9, at 95 1.4, at 99 3.5. With these three numbers playing
strength rises about evenly with strength in every solved game; docs/levels.md has the measurement."""
LEVEL_NODES = 200
"""Of a move below full strength where both sides move at once: no more than on docs/levels.md, whatever the time."""
TASTE_COST = 0.02
"""Of a move that the style does not like best."""


def best_known(turn: AnyTurn) -> Mapping[Move, float]:
    """The co-best moves; where not all are proven those that win, else those that are not known to lose."""
    known = turn.analysis.moves
    winning = [move for move, value in known.items() if value is not None and value.outcome is Outcome.WIN]
    hopeful = [move for move, value in known.items() if value is None or value.outcome is not Outcome.LOSS]
    return alike(turn.analysis.best() or winning or hopeful or known)


def own_mix(turn: AnyTurn) -> Mapping[Move, float]:
    """The mix of one equilibrium."""
    return simultaneous(turn.analyst).mixed(turn.position, turn.budget).strategies[turn.seat]


EXACT: AnyStyle = Style("exact", "Exact", "", best_known)
MIXING: AnyStyle = Style("exact", "Exact", "", own_mix)
"""How a game without styles of its own is played, and one in which both sides move at once."""


def find_style(game: AnyGame, style_id: str) -> AnyStyle:
    """The style with this id, or the game's first when the id is empty. Raises KeyError for an unknown id."""
    if not game.styles:
        return MIXING if game.facts.simultaneous else EXACT
    if not style_id:
        return game.styles[0]
    for style in game.styles:
        if style.id == style_id:
            return style
    raise KeyError(style_id)


def skill(strength: int) -> float:
    """How well a strength below the full one finds moves: 0 at 0, about 1 at 85, growing without bound towards 100."""
    share = strength / FULL_STRENGTH
    return share + CONCENTRATION * share / (1 - share)


def promise(value: Value | None, estimate: Estimate | None, skill: float) -> float:
    """The expected score, 0..1, that a move seems to have for a player of this skill.

    A win or loss that is far away looks like a draw, the more so the less the skill; seeds and the like are counted,
    whoever they make win. What nobody knows looks like a draw.
    """
    if value is None:
        return 0.5 if estimate is None else (1 + estimate.expected) / 2
    if value.margin is not None:
        return 0.5 + value.margin * POINT_COST
    clarity = 1.0 if value.remoteness is None else 2 ** ((1 - value.remoteness) / (SIGHT * skill))
    return (1 + value.outcome * clarity) / 2


@dataclass(frozen=True)
class Opponent:
    """An engine in a player: who knows the values, how it likes to play and how strong it is (0..100)."""

    analyst: AnyAnalyst
    style: AnyStyle
    strength: int = FULL_STRENGTH

    def choose(
        self,
        position: AnyPosition,
        seat: Seat,
        moves: Sequence[M],
        random: Random,
        budget: Budget = UNLIMITED,
        look: Callable[[Budget], AnyAnalysis] | None = None,
    ) -> M:
        """The move of `seat` among `moves`, those that may be played. `look` finds what they are worth in the game
        under way; without it the analyst is asked. Lots are drawn from `random`."""
        if self.strength <= 0 or len(moves) == 1:
            return random.choice(list(moves))
        is_sure = self._is_sure(random) if not self.style.needs_analysis else self.strength >= FULL_STRENGTH
        analysis = Analysis(None, dict.fromkeys(moves))
        if self.style.needs_analysis or not is_sure:
            found = look(budget) if look is not None else alternating(self.analyst).analyse(position, budget)
            analysis = replace(found, moves={move: found.moves.get(move) for move in moves})
        allowed = set(moves)
        turn: AnyTurn = Turn(position, seat, analysis, self.analyst, budget)
        liked: list[M] = [move for move in self.style.choose(turn) if move in allowed]
        if is_sure:
            return random.choice(liked or list(moves))
        return _draw(_costs(analysis, moves, liked, skill(self.strength)), skill(self.strength), random)

    def _is_sure(self, random: Random) -> bool:
        """Whether it plays what its own search finds this time: always at full strength, below as often as the square
        of the strength, else by what moves seem to be worth."""
        return self.strength >= FULL_STRENGTH or random.random() < (self.strength / FULL_STRENGTH) ** 2

    def choose_hidden(
        self, position: AnyPosition, seat: Seat, moves: Sequence[Move], random: Random, budget: Budget = UNLIMITED
    ) -> Move:
        """The move it commits to in a simultaneous round, drawn from its mix, or from weights that fall with regret.

        Below full strength it looks so many rounds ahead as its sight reaches, by nodes and never by the clock, so that
        it is as strong on any machine.
        """
        if self.strength <= 0 or len(moves) == 1:
            return random.choice(list(moves))
        if self.strength < FULL_STRENGTH:
            budget = self._in_sight(budget)
        if self._is_sure(random):
            turn: AnyTurn = Turn(position, seat, Analysis(None, dict.fromkeys(moves)), self.analyst, budget)
            mix: Mapping[Move, float] = self.style.choose(turn)
            return random.choices(list(mix), list(mix.values()))[0]
        mixed: Mixed = simultaneous(self.analyst).mixed(position, budget)
        costs = {move: max(0.0, mixed.regret(seat, move)) for move in moves}
        return _draw(costs, skill(self.strength), random)

    def _in_sight(self, budget: Budget) -> Budget:
        """As much of the budget as a player of this strength makes use of."""
        rounds = ceil(SIGHT * skill(self.strength))
        depth = rounds if budget.depth is None else min(rounds, budget.depth)
        nodes = LEVEL_NODES if budget.nodes is None else min(LEVEL_NODES, budget.nodes)
        return Budget(nodes=nodes, depth=depth, stop=budget.stop)


def _costs(analysis: Analysis[M], moves: Sequence[M], liked: Sequence[M], skill: float) -> dict[M, float]:
    promises = {move: promise(analysis.moves[move], analysis.estimates.get(move), skill) for move in moves}
    top, favourites = max(promises.values()), set(liked)
    return {move: top - seems + TASTE_COST * (move not in favourites) for move, seems in promises.items()}


def _draw(costs: Mapping[M, float], skill: float, random: Random) -> M:
    weights = [exp(-SHARPNESS * skill * lost) for lost in costs.values()]
    return random.choices(list(costs), weights)[0]
