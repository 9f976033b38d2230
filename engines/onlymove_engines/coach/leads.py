"""By how much a side is ahead in what its game measures besides values, after each of the moves that hold a draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.game import Game
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Outcome, other
from onlymove_engines.play.conventions import Conventions


def measured(game: Game[P, M], position: P, moves: Iterable[M], analyst: AnyAnalyst) -> Mapping[M, tuple[float, float]]:
    """Both sides' measure after each of `moves`, the first player's first; nothing where the game has none, or not
    each is on record."""
    found = dict[M, tuple[float, float]]()
    for move in moves:
        both = None if game.measure is None else game.measure.of(analyst, game.rules.play(position, move))
        if both is None:
            return {}
        found[move] = both
    return found


def leads(law: Conventions[P, M], past: Sequence[P], known: Analysis[M], analyst: AnyAnalyst) -> Mapping[M, float]:
    """How much more of it the side to move has than the other after each move that holds a draw, the most first; of
    one that ends the game by repetition nothing, as nothing is reached from there. Empty where there is no draw to
    hold, or only one move holds it."""
    top, position, game = known.best_value(), past[-1], law.game
    seat = game.rules.to_move(position)
    if game.measure is None or seat is None or top is None or top.outcome is not Outcome.DRAW:
        return {}
    closing = law.closing(past)
    going_on = [move for move in known.keeping() if game.rules.play(position, move) not in closing]
    both = measured(game, position, going_on, analyst) if len(known.keeping()) > 1 else {}
    ahead = {move: sides[seat] - sides[other(seat)] for move, sides in both.items()}
    return dict(sorted(ahead.items(), key=lambda item: -item[1]))
