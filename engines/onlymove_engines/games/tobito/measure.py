"""Heat as players are shown it: beside the moves that hold a draw. `codes` says how it is kept, docs what it counts."""

from __future__ import annotations

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import Measure

from .analyst import TobitoAnalyst
from .codes import WHOLE
from .live import TobitoLiveAnalyst
from .rules import Position


def heat_of(analyst: AnyAnalyst, position: Position) -> tuple[int, int] | None:
    """Top's and Bottom's heat in units of 1 / WHOLE, by any analyst of the game."""
    assert isinstance(analyst, TobitoAnalyst | TobitoLiveAnalyst)
    return analyst.heat(position)


def heat_shown(analyst: AnyAnalyst, position: Position) -> tuple[float, float] | None:
    """The same as numbers to read."""
    heat = heat_of(analyst, position)
    return None if heat is None else (heat[0] / WHOLE, heat[1] / WHOLE)


HEAT: Measure[Position] = Measure("Heat", "more and nearer wins", heat_shown)
