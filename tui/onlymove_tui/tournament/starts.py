"""Where the games of a match begin, and the seeds of everything in them that is left to chance."""

from __future__ import annotations

import hashlib
from random import Random

from onlymove_engines.core.game import AnyGame, AnyPosition

TRIES = 100
"""Random openings that end the game are drawn again, so often."""


def derived(*parts: object) -> int:
    """A seed that follows from `parts` and from nothing else, on every machine."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8])


def start_of(game: AnyGame, seed: int, pair: int, given: str = "", opening_plies: int = 0) -> AnyPosition:
    """The start of a pair: the `given` position, else the game's own, which may be drawn by lot; after so many random
    legal plies (rounds where both move at once). Raises BadNotation for a position that cannot be read."""
    drawn = game.start({}, derived(seed, pair, "start"))
    start: AnyPosition = game.notation.parse_position(given) if given else drawn
    dice = Random(derived(seed, pair, "opening"))
    for _ in range(TRIES):
        position = start
        for _ in range(opening_plies):
            moves = game.rules.legal_moves(position)
            if not moves:
                break
            position = game.rules.play(position, dice.choice(moves))
        if game.rules.legal_moves(position):
            return position
    return start
