"""The rule about repeated positions. A table of a game that can go in circles depends on this file, so it holds nothing
else: every change here outdates the tables that players have built for such games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from onlymove_engines.core.rules import P, Result


@dataclass(frozen=True, slots=True)
class Repetition(Generic[P]):
    """A position that occurs for the `times`-th time in a game ends it with `result`. Positions are the same if
    everything that matters is the same: the board, the side to move, and captures if they count. `leads_back(here,
    there)` may be false only if no line that went from `there` to `here` can return, as after points were made."""

    times: int
    result: Callable[[P], Result]
    leads_back: Callable[[P, P], bool] = lambda _here, _there: True


def drawn_by_repetition(_: object) -> Result:
    return Result(None, reason="the same position came up three times")


THREEFOLD: Repetition[Any] = Repetition(3, drawn_by_repetition)
