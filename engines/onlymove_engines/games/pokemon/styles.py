"""How the engine likes to play. Both styles keep every win and every draw."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import Style, Turn, alike
from onlymove_engines.core.value import Seat
from onlymove_engines.search.chances import ProblemSetter
from onlymove_engines.search.lookup import worth_trying

from .analyst import PokemonAnalyst
from .codes import trap_of
from .rules import RULES, Placement, Position


def trap(analyst: AnyAnalyst, position: Position, _seat: Seat) -> int:
    """The table's figure for the whole rest of a drawn game, in 240ths: how likely the side to move goes wrong; 0
    without a table. Defined and measured in docs/engines/pokemon.md."""
    code = analyst.code(position) if isinstance(analyst, PokemonAnalyst) else None
    return trap_of(code or 0)


PRACTICAL: ProblemSetter[Position, Placement] = ProblemSetter(RULES, trap)


def fastest(turn: Turn[Position, Placement]) -> Mapping[Placement, float]:
    """The shortest win, any draw, the longest defence; beside unknown moves what is not known to lose."""
    return alike(worth_trying(turn.analysis))


STYLES: tuple[Style[Position, Placement], ...] = (
    Style("practical", "Practical", "Keeps the result and plays where you are most likely to slip.", PRACTICAL.choose),
    Style("fastest", "Fastest", "Wins as fast and loses as slowly as it can; in a draw any move that holds.", fastest),
)
