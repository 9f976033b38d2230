"""How an engine chooses: a style decides what is best, a strength 0..100 how often it finds it.

100 always plays a best move of its style, 0 any legal move alike. Between, moves are drawn with weights that fall
with what they give away, so that mistakes are plausible. Never asked by hints or grades.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

from onlymove_engines.core.analysis import Analysis, AnyAnalysis, AnyAnalyst, alternating, simultaneous
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, AnyPosition, Style, Turn, alike
from onlymove_engines.core.judgement import POINT_COST
from onlymove_engines.core.rules import M
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, Value

AnyStyle: TypeAlias = Style[Any, Any]
AnyTurn: TypeAlias = Turn[Any, Any]

FULL_STRENGTH = 100

# The weight of a move is exp(-steepness * cost): at strength 50 a move that gives away half a point is drawn
# e^-2 = 0.14 times as often as a best one.
STEEPNESS_AT_HALF = 4.0
# Expected score per own ply lost to slowness, small beside a change of result.
SLOWNESS_COST = 0.01
SLOWNESS_LIMIT = 0.1
# A keeping move that the style does not like best.
TASTE_COST = 0.02


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


def steepness(strength: int) -> float:
    """How sharply weights fall with cost: 0 at strength 0, growing without bound towards 100."""
    return STEEPNESS_AT_HALF * strength / (FULL_STRENGTH - strength)


def cost(best: Value, value: Value) -> float:
    """The expected score (0..1) that a move of `value` gives away where `best` could be had, slowness included."""
    lost = (best.outcome - value.outcome) / 2
    if lost > 0:
        return lost
    points = (best.margin or 0) - (value.margin or 0)
    plies = abs((best.remoteness or 0) - (value.remoteness or 0))
    return points * POINT_COST + min(SLOWNESS_LIMIT, plies * SLOWNESS_COST)


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
        analysis = self._analysis(
            moves, budget, look or (lambda budget: alternating(self.analyst).analyse(position, budget))
        )
        allowed = set(moves)
        turn: AnyTurn = Turn(position, seat, analysis, self.analyst, budget)
        liked: list[M] = [move for move in self.style.choose(turn) if move in allowed]
        if self.strength >= FULL_STRENGTH:
            return random.choice(liked or list(moves))
        return _draw(_costs(analysis, moves, liked), steepness(self.strength), random)

    def _analysis(self, moves: Sequence[M], budget: Budget, look: Callable[[Budget], AnyAnalysis]) -> Analysis[M]:
        if self.strength >= FULL_STRENGTH and not self.style.needs_analysis:
            return Analysis(None, dict.fromkeys(moves))
        found = look(budget)
        return replace(found, moves={move: found.moves.get(move) for move in moves})

    def choose_hidden(
        self, position: AnyPosition, seat: Seat, moves: Sequence[Move], random: Random, budget: Budget = UNLIMITED
    ) -> Move:
        """The move it commits to in a simultaneous round, drawn from its mix.

        Below full strength the mix is blurred: with the square of the strength as its share the mix itself is
        drawn from, else moves with weights that fall with their regret.
        """
        if self.strength <= 0 or len(moves) == 1:
            return random.choice(list(moves))
        share = (self.strength / FULL_STRENGTH) ** 2
        if self.strength >= FULL_STRENGTH or random.random() < share:
            turn: AnyTurn = Turn(position, seat, Analysis(None, dict.fromkeys(moves)), self.analyst, budget)
            mix: Mapping[Move, float] = self.style.choose(turn)
            return random.choices(list(mix), list(mix.values()))[0]
        mixed: Mixed = simultaneous(self.analyst).mixed(position, budget)
        costs = {move: max(0.0, mixed.regret(seat, move)) for move in moves}
        return _draw(costs, steepness(self.strength), random)


def _costs(analysis: Analysis[M], moves: Sequence[M], liked: Sequence[M]) -> dict[M, float]:
    top = analysis.best_value()
    favourites = set(liked)
    costs: dict[M, float] = {}
    best_estimate = max((guess.expected for guess in analysis.estimates.values()), default=0.0)
    for move in moves:
        value = analysis.moves[move]
        taste = 0.0 if move in favourites else TASTE_COST
        if top is not None and value is not None:
            costs[move] = cost(top, value) + taste
        elif move in analysis.estimates:
            costs[move] = (best_estimate - analysis.estimates[move].expected) / 2 + taste
        else:
            costs[move] = 0.0 if move in favourites else 0.5
    return costs


def _draw(costs: Mapping[M, float], sharpness: float, random: Random) -> M:
    weights = [math.exp(-sharpness * lost) for lost in costs.values()]
    return random.choices(list(costs), weights)[0]
