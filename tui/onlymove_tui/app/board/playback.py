"""What of a game is on the board: where it stands, an earlier moment, best play after a move, a move on its way.

Looking changes nothing in the game. Knows no screen; its owner gives it time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Protocol

from onlymove_engines.core.rules import Result, Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.match.advice import Refutation
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode

LONG_SECONDS = 1.0
"""A move that takes less is over before a line about it is read."""


class Clock(Protocol):
    """Something that goes on by itself until it is stopped."""

    def stop(self) -> None: ...


class Playback:
    """A place `at` on the way to `tip`; or a step of a `refutation` that begins at `start`; or in-between `frames`.

    `every` calls something every so many seconds; `turn` is called for every picture, `arrived` after the last one.
    """

    def __init__(
        self,
        match: Match,
        every: Callable[[float, Callable[[], None]], Clock],
        turn: Callable[[], None],
        arrived: Callable[[], None],
    ) -> None:
        self.match = match
        self.at = self.tip = self.start = match.node
        self.refutation: Refutation | None = None
        self.frames: Sequence[Scene] = ()
        self.seconds = 0.0
        """How long the pictures of a move on its way take together."""
        self._every, self._turn, self._arrived = every, turn, arrived
        self._clock: Clock | None = None

    @property
    def is_live(self) -> bool:
        """Whether the board shows the end of the way, standing still."""
        return self.at is self.tip and self.refutation is None and not self.frames

    @property
    def is_past(self) -> bool:
        return self.at is not self.tip

    @property
    def result(self) -> Result | None:
        """How the game has ended, once its last move has been seen on the board."""
        return None if self.frames else self.match.session.result

    @property
    def path(self) -> list[AnyNode]:
        return self.tip.path()

    # Going.

    def follow(self, node: AnyNode) -> None:
        """The game stands at `node` now: show it, and forget what else was shown."""
        self.at = self.tip = node
        self.refutation = None

    def go(self, node: AnyNode) -> None:
        """To this node; if it is not on the way, the way leads through it from now on."""
        if node not in self.path:
            self.tip = node.end()
        self.at = node
        self.refutation = None

    def go_to(self, ply: int) -> None:
        """To the moment after so many plies, or the nearer end."""
        path = self.path
        self.go(path[max(0, min(len(path) - 1, ply))])

    def step(self, by: int) -> bool:
        """Along the refutation. Returns whether one is shown."""
        if self.refutation is not None:
            self.refutation = self.refutation.step_by(by)
        return self.refutation is not None

    def find(self, by: int, wanted: Callable[[AnyNode], bool]) -> AnyNode | None:
        """The next (`by` 1) or last (-1) node from here on the way that is `wanted`."""
        path = self.path
        here = path.index(self.at)
        ahead = path[here + 1 :] if by > 0 else path[:here][::-1]
        return next(filter(wanted, ahead), None)

    def step_through(self, start: AnyNode, refutation: Refutation) -> None:
        self.start, self.refutation = start, refutation

    def leave(self) -> bool:
        """Out of the refutation, or else out of the past. Returns whether there was anything to leave."""
        has_left = self.refutation is not None or self.is_past
        if self.refutation is not None:
            self.refutation = None
        else:
            self.at = self.tip
        return has_left

    # On its way.

    def animate(self, frames: Sequence[Scene], seconds: float) -> None:
        """Show in-between pictures, each for so long."""
        self.frames, self.seconds = frames, len(frames) * seconds
        if frames:
            self._clock = self._every(seconds, self._next)

    def _next(self) -> None:
        if len(self.frames) > 1:
            self.frames = self.frames[1:]
            self._turn()
        else:
            self.stand_still()

    @property
    def takes_long(self) -> bool:
        """Whether a move is on its way for so long that a player wants to know how to go on."""
        return bool(self.frames) and self.seconds >= LONG_SECONDS

    def stand_still(self) -> None:
        self.frames = ()
        if self._clock is not None:
            self._clock.stop()
            self._clock = None
        self._arrived()

    # What is drawn.

    def view(
        self,
        flipped: bool,
        chosen: tuple[Target, ...],
        overlay: bool,
        ascii_only: bool,
        options: dict[str, Hashable],
    ) -> View[object, object]:
        """What the game package is asked to draw. Targets that were chosen belong to the end of the way only."""
        line = self.refutation
        view = self.match.session.line.view(
            self.at if line is None else self.start,
            flipped=flipped,
            chosen=chosen if self.is_live else (),
            overlay=overlay,
            ascii_only=ascii_only,
            options=options,
        )
        if line is None:
            return view
        positions = (*view.positions, *line.positions[1 : line.step + 1])
        return replace(view, positions=positions, moves=(*view.moves, *line.moves[: line.step]), is_over=False)

    @property
    def last_targets(self) -> tuple[Target, ...]:
        """Both ends of the last move on the board."""
        line, node = self.refutation, self.at
        if line is not None:
            step = line.step
            return self.match.game.painter.trace(line.positions[step - 1], line.moves[step - 1]) if step else ()
        return () if node.parent is None else self.match.game.painter.trace(node.parent.position, node.move)
