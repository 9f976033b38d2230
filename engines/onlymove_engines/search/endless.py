"""What a game is worth that goes round in circles for ever: the same as what its rule about repetition gives."""

from __future__ import annotations

from onlymove_engines.core.game import Game
from onlymove_engines.core.repetition import THREEFOLD, Repetition
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Seat, other


def find_repetition(game: Game[P, M]) -> Repetition[P] | None:
    """Return the rule about repetition. If a game can cycle but has none, the third occurrence is a draw. `None` if
    positions cannot repeat."""
    return game.play.repetition or (THREEFOLD if game.facts.can_cycle else None)


def find_endless_lead(game: Game[P, M], position: P, seat: Seat) -> int:
    """Return by how many points `seat` leads at the end if a position is repeated and this one occurs in between. A
    draw without a score is a lead of 0. So is every repetition in a game without points, where it must be a draw."""
    repetition = find_repetition(game)
    if repetition is None:
        return game.lead(position, seat)
    score = repetition.result(position).score
    return 0 if score is None else score[seat] - score[other(seat)]
