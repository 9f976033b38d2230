"""What tells moves of the same worth apart: a number for each side that is no value and proves nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.rules import P


@dataclass(frozen=True, slots=True)
class Measure(Generic[P]):
    """`title` names it, `words` say what a side has that has more of it, such as `more and nearer wins`.

    `of` gives the first and the second player's in a position, 0 or more; `None` where the analyst has none on record.
    """

    title: str
    words: str
    of: Callable[[AnyAnalyst, P], tuple[float, float] | None]
