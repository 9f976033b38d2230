"""Entering a move target by target: one mechanism for cursor, mouse, digits and typed text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic

from onlymove_engines.core.rules import M, MovePath, Target


@dataclass(frozen=True)
class MoveEntry(Generic[M]):
    """A move being entered: the targets picked so far, among `options`, the paths of every legal move."""

    options: Mapping[MovePath, M]
    prefix: MovePath = ()

    def next_targets(self) -> tuple[Target, ...]:
        """What can be picked next, each target once, in the order of the legal moves."""
        depth = len(self.prefix)
        found = {p[depth]: None for p in self.options if len(p) > depth and p[:depth] == self.prefix}
        return tuple(found)

    def pick(self, target: Target) -> MoveEntry[M] | None:
        """The entry with `target` added, or `None` when no legal move goes on that way."""
        return replace(self, prefix=(*self.prefix, target)) if target in self.next_targets() else None

    def back(self) -> MoveEntry[M]:
        """One target less; unchanged when nothing has been picked."""
        return replace(self, prefix=self.prefix[:-1])

    @property
    def move(self) -> M | None:
        """The move that the picked targets complete, or `None`."""
        return self.options.get(self.prefix)

    def moves(self) -> tuple[M, ...]:
        """The moves that begin with the picked targets, each once."""
        depth = len(self.prefix)
        found = {move: None for path, move in self.options.items() if path[:depth] == self.prefix}
        return tuple(found)

    def by_target(self) -> dict[Target, tuple[M, ...]]:
        """For each target that can be picked next, the moves it leads to."""
        return {target: replace(self, prefix=(*self.prefix, target)).moves() for target in self.next_targets()}


NO_ENTRY: MoveEntry[Any] = MoveEntry({})
