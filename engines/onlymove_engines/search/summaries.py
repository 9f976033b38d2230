"""The rows of batch analysis of many positions, each with a value or with the reason why it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from onlymove_engines.core.analysis import AnyAnalyst, Summary
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import NoCompiler, OnlymoveError, Unreachable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.search.deepening import summarise_position


@dataclass(frozen=True, slots=True)
class Unproven:
    """Why the value of a position is not known, such as `not proven: searched to depth 3`."""

    why: str


Row: TypeAlias = Summary | Unproven


def require_reachable(analyst: AnyAnalyst, position: AnyPosition) -> None:
    """Raise Unreachable if the game has no values for the position, because no game leads to it."""
    if not analyst.is_reachable(position):
        raise Unreachable("unreachable: no game leads here")


def summarise_many(
    game: AnyGame,
    analyst: AnyAnalyst,
    positions: Sequence[AnyPosition],
    new_budget: Callable[[], Budget] | None = None,
) -> Iterator[Row]:
    """Yield a row for each position, in their order. With `new_budget`, each position has a budget of its own. Without
    it, the positions are looked up together, which is ten times as fast, and a search has no limit. Raises
    NoCompiler."""
    if new_budget is not None and len(positions) > 1:
        for position in positions:
            yield from summarise_many(game, analyst, [position], new_budget)
        return
    found: Sequence[Row]
    try:
        if new_budget is None:
            found = list(analyst.summarise(positions))
        else:
            found = [summarise_position(game, analyst, position, new_budget()) for position in positions]
    except (LookupError, OnlymoveError) as unsettled:
        if isinstance(unsettled, KeyError | IndexError | NoCompiler):
            raise
        if len(positions) > 1:  # Only some of them are not proven.
            found = [row for position in positions for row in summarise_many(game, analyst, [position])]
        else:
            why = str(unsettled)
            found = [Unproven(why if "not proven" in why else f"not proven: {why}")]
    yield from found
