"""What a board shows of a game: the current position, an earlier one, best play after a move, or an animation. Looking
changes nothing in the game. This module does not depend on screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onlymove_engines.coach.values import Refutation
from onlymove_engines.core.rules import Result, Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.core.value import Seat
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.play.situations import Shown

LONG_SECONDS = 1.0
"""The shortest animation that gets a line about it. A shorter one is over before the line can be read."""


class Playback:
    """Shows a `node` on the path to `last_node`, a step of a `refutation`, or the `frames` of an animation, each for
    some seconds (`frame_seconds`)."""

    def __init__(self, live: LiveGame) -> None:
        self.live = live
        self.node = self.last_node = live.node
        self.refutation: Refutation | None = None
        self.frames: Sequence[Scene] = ()
        self.frame_seconds = 0.0

    @property
    def takes_long(self) -> bool:
        """Whether an animation is shown that takes so long that a line says so."""
        return bool(self.frames) and len(self.frames) * self.frame_seconds >= LONG_SECONDS

    def animate(self, frames: Sequence[Scene], seconds: float) -> None:
        self.frames, self.frame_seconds = frames, seconds

    def end_animation(self) -> None:
        self.frames = ()

    @property
    def shown(self) -> Shown:
        return Shown(self.node, self.last_node, self.refutation, bool(self.frames), self.takes_long)

    @property
    def is_live(self) -> bool:
        """Whether the board shows the end of the path, without an animation or refutation."""
        return self.node is self.last_node and self.refutation is None and not self.frames

    @property
    def is_past(self) -> bool:
        return self.node is not self.last_node

    @property
    def result(self) -> Result | None:
        """The result of the game, once its last move has been shown on the board."""
        return None if self.frames else self.live.session.result

    @property
    def shows_end(self) -> bool:
        """Whether the board shows a position in which the game, or best play, has ended."""
        if self.refutation is not None:
            return self.refutation.shows_end
        return self.live.session.tree.result_at(self.node) is not None

    @property
    def mover(self) -> Seat | None:
        """The side to move on the board, or whose move is animated. `None` after the end, or if both move at once."""
        line, node = self.refutation, self.node
        if line is not None:
            at = max(0, line.step - bool(self.frames))
            is_over = at == len(line.moves) and line.result is not None
            return None if is_over else self.live.game.rules.to_move(line.positions[at])
        if self.frames and node.parent is not None:
            return node.parent.to_move
        return None if self.live.session.tree.result_at(node) is not None else node.to_move

    def show_current(self, node: AnyNode) -> None:
        self.node = self.last_node = node
        self.refutation = None

    def show_node(self, node: AnyNode) -> None:
        if node not in self.last_node.path():
            self.last_node = node.end()
        self.node = node
        self.refutation = None

    def show_ply(self, ply: int) -> None:
        """Show the position after `ply` plies. If there is none, show the nearer end of the path."""
        path = self.last_node.path()
        self.show_node(path[max(0, min(len(path) - 1, ply))])

    def return_to_end(self) -> bool:
        """Leave the refutation, or else return to the end of the path. Returns whether either was necessary."""
        has_left = self.refutation is not None or self.is_past
        if self.refutation is not None:
            self.refutation = None
        else:
            self.node = self.last_node
        return has_left

    def view_refutation(self, line: Refutation) -> View[object, object]:
        """Return what the game package needs to draw a step of best play."""
        view = self.live.session.tree.view(line.start)
        positions = (*view.positions, *line.positions[1 : line.step + 1])
        return replace(view, positions=positions, moves=(*view.moves, *line.moves[: line.step]), is_over=line.shows_end)

    @property
    def last_targets(self) -> tuple[Target, ...]:
        """The two targets to mark for the last move on the board."""
        if self.refutation is not None:
            return self.trace_refutation(self.refutation)
        parent = self.node.parent
        return () if parent is None else self.live.game.painter.trace(parent.position, self.node.move)

    def trace_refutation(self, line: Refutation) -> tuple[Target, ...]:
        step = line.step
        return self.live.game.painter.trace(line.positions[step - 1], line.moves[step - 1]) if step else ()
