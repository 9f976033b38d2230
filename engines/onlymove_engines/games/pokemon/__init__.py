"""Pokémon Tic-Tac-Toe: its card."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.game import Facts, Game
from onlymove_engines.core.value import Outcome, Value
from onlymove_engines.games import title_card

from .index import INDEX, SYMMETRIES
from .notation import NOTATION, SIZES
from .rules import RULES, START, Placement, Position
from .scene import NAMES, PokemonPainter


def start(_options: Mapping[str, str], _seed: int) -> Position:
    """The empty board, Squirtle to move: the game has one beginning."""
    return START


def score(_position: Position, value: Value) -> int:
    """The seed's score for the side to move: 1000 - plies for a win, the negative for a loss, 0 for a draw."""
    if value.outcome is Outcome.DRAW:
        return 0
    return int(value.outcome) * (1000 - (value.remoteness or 0))


_CARD = title_card("pokemon")

POKEMON: Game[Position, Placement] = Game(
    id=_CARD.id,
    title=_CARD.title,
    pitch=_CARD.pitch,
    solved=_CARD.solved,
    seats=NAMES,
    facts=Facts(max_moves=27, max_plies=12),
    rules=RULES,
    notation=NOTATION,
    painter=PokemonPainter(),
    start=start,
    folder=__name__,
    symmetries=SYMMETRIES,
    index=INDEX,
    score=score,
    direct_keys={str(number): target for number, target in enumerate(SIZES, start=1)},
)

GAMES = (POKEMON,)
