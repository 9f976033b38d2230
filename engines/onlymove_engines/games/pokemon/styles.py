"""The engine's ways of playing Pokémon Tic-Tac-Toe. Both of them keep every win and every draw."""

from __future__ import annotations

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import Style
from onlymove_engines.core.value import Seat
from onlymove_engines.search.chances import FASTEST, ProblemSetter

from .analyst import PokemonAnalyst
from .codes import trap_of
from .rules import RULES, Placement, Position


def find_trap(analyst: AnyAnalyst, position: Position, _seat: Seat) -> int:
    """Return how likely the side to move is to go wrong in the rest of a drawn game, in 240ths, or 0 without a table.
    docs/engines/pokemon.md defines and measures it."""
    code = analyst.code(position) if isinstance(analyst, PokemonAnalyst) else None
    return trap_of(code or 0)


PRACTICAL: ProblemSetter[Position, Placement] = ProblemSetter(RULES, find_trap)

STYLES: tuple[Style[Position, Placement], ...] = (
    Style("practical", "Practical", "Keeps the result and plays where you are most likely to slip.", PRACTICAL.choose),
    FASTEST,
)
