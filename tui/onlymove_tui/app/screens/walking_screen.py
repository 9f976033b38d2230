"""A walk through the solved game: what is known of the position on the board, which move is marked, down and back up.

What is shown of it, and what can be done from there, is for its subclass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from onlymove_engines.coach.explore import Below, Explored
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyPosition, GameId
from onlymove_engines.core.value import Move

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.messages import Compiling, Opened
from onlymove_tui.app.panels import nodes
from onlymove_tui.app.panels.nodes import Branch
from onlymove_tui.app.screens.node_reading import (
    BelowFound,
    GameFound,
    KnownNode,
    Measured,
    NodeFound,
    OwnFound,
    Reached,
    reach,
    read_below,
    read_game,
    read_node,
    read_own,
)
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.store.progress import Tally

MOST_KEPT = 100
"""Nodes that are remembered, some megabytes at most: going back asks nobody."""
TYPED = "a typed position"
SEARCHING, COMPILING = "Working out the values.", "Compiling the search: {:.0%}."
AT_THE_TOP = "This is where you began."


class WalkingScreen(BaseScreen):
    """`move` is the marked one. With `is_searching` there is no table, and no key waits for a value."""

    def __init__(self, game_id: GameId, trail: Exploration | None = None) -> None:
        super().__init__()
        self.game_id = game_id
        self.trail = trail
        self.move: Move | None = None
        self.known: dict[AnyPosition, KnownNode] = {}
        self.lower: dict[AnyPosition, Sequence[Below | None]] = {}
        self.measured: dict[AnyPosition, Measured] = {}
        self.own: Mapping[AnyPosition, Tally] = {}
        self.message: Row = ()
        self.waiting = ""
        self.is_searching = False

    def begin(self) -> None:
        """Have found what is to be shown."""
        if self.trail is None:
            self.fetch(partial(read_game, self.services, self.game_id), "game", keys_wait=True)
        else:
            self.set_out(self.trail)

    def on_game_found(self, message: GameFound) -> None:
        """Begin at the usual start."""
        self.set_out(Exploration(message.game, message.game.default_start()))

    def set_out(self, trail: Exploration) -> None:
        """From here; the player's own games are gone through meanwhile."""
        self.trail = trail
        self.fetch(partial(read_own, self.services, trail.game), "own")
        self.arrive()

    def on_own_found(self, message: OwnFound) -> None:
        """Where the player has been."""
        self.own = message.own
        self.redraw()

    def redraw(self) -> None:
        """Show it as it is now."""

    # What is known.

    def arrive(self, move: Move | None = None) -> None:
        """The walk stands elsewhere, with this move to be marked."""
        self.move, self.message = move, ()
        self.call_off("below", "node")
        if self.trail is None or not self.look(self.trail):
            self.look_below()
            self.hold_mark()
            self.redraw()

    def hold_mark(self) -> None:
        """What is marked now stays marked when its value has come: somebody may be about to choose it."""
        if self.move is None and self.node is None:
            self.move = next((branch.move for branch in self.branches()), None)

    def look(self, trail: Exploration) -> bool:
        """Have the position looked at, if that is to be found out. Returns whether that is a matter of a moment, for
        which keys wait and the screen stays as it is."""
        if trail.result is not None or trail.position in self.known:
            return False
        is_quick, self.waiting = not (trail.game.facts.plays_by_search or self.is_searching), SEARCHING
        self.fetch(
            partial(read_node, self.services, trail.game, trail.position, self.tell_share), "node", keys_wait=is_quick
        )
        return is_quick

    def tell_share(self, _: str, share: float) -> None:
        """From the worker, how far compiling is."""
        self.post_message(Compiling(share))

    def look_below(self) -> None:
        """Have counted what stands below, unless that is known."""
        trail, node = self.trail, self.node
        if trail is not None and isinstance(node, Explored) and trail.position not in self.lower:
            self.fetch(partial(read_below, self.services, trail.game, node), "below")

    def on_compiling(self, message: Compiling) -> None:
        """What the game searches with is being compiled, once on this machine."""
        self.waiting = COMPILING.format(message.share)
        self.redraw()

    def on_node_found(self, message: NodeFound) -> None:
        """The moves are known by what they lead to."""
        self.waiting = ""
        if message.known is not None:
            while len(self.known) >= MOST_KEPT:
                oldest = next(iter(self.known))
                self.known.pop(oldest)
                self.lower.pop(oldest, None)
                self.measured.pop(oldest, None)
            self.known[message.position] = message.known
            self.measured[message.position] = message.measured
        if message.note:
            self.is_searching, self.message = True, [(message.note, Tone.SLIP)]
        self.look_below()
        self.redraw()

    def on_below_found(self, message: BelowFound) -> None:
        self.lower[message.position] = message.lower
        self.redraw()

    @property
    def node(self) -> KnownNode | None:
        """What is known of the position on the board."""
        return None if self.trail is None else self.known.get(self.trail.position)

    def branches(self) -> list[Branch]:
        """The moves of the list."""
        trail = self.trail
        return [] if trail is None else nodes.branches_of(trail.game, trail.position, self.node, self.own)

    def marked(self, branches: Sequence[Branch]) -> int:
        """The place of the marked move."""
        return next((place for place, branch in enumerate(branches) if branch.move == self.move), 0)

    # Going.

    def action_step(self, by: int) -> None:
        """Another move."""
        branches = self.branches()
        if branches:
            self.mark((self.marked(branches) + by) % len(branches), branches)

    def action_group(self, by: int) -> None:
        """To the first move that leads to something else."""
        branches = self.branches()
        firsts = [n for n, branch in enumerate(branches) if n == 0 or branch.worth != branches[n - 1].worth]
        here = self.marked(branches)
        ahead = [first for first in firsts if (first > here if by > 0 else first < here)]
        if ahead:
            self.mark(ahead[0] if by > 0 else ahead[-1], branches)

    def mark(self, place: int, branches: Sequence[Branch]) -> None:
        """Mark the move at this place."""
        self.move, self.message = branches[place].move, ()
        self.redraw()

    def on_opened(self, message: Opened) -> None:
        """A click marks a move, and on the marked one goes down; none on the list of a position that was left."""
        if self.is_waiting:
            return
        branches = self.branches()
        if message.index == self.marked(branches):
            self.action_descend()
        else:
            self.mark(message.index, branches)

    def action_descend(self) -> None:
        """Along the marked move."""
        branches = self.branches()
        if self.trail is not None and branches:
            self.trail.down(branches[self.marked(branches)].move)
            self.arrive()

    def action_ascend(self) -> None:
        """Back along the move that led here."""
        if self.trail is None or not self.trail.can_go_back:
            self.say(AT_THE_TOP, Tone.DIM)
            return
        self.arrive(self.trail.back())

    def action_to_start(self) -> None:
        """To where the walk began."""
        if self.trail is not None:
            first = next(iter(self.trail.walk.moves), None)
            self.trail.home()
            self.arrive(first)

    def jump(self, position: AnyPosition, name: str) -> None:
        """To any position, which is called that."""
        if self.trail is not None:
            self.trail.jump(position, name)
            self.arrive()

    def action_type_move(self) -> None:
        self.message = ()
        self.type_text(self.take_text)

    def take_text(self, text: str) -> str:
        """A move was typed, or a position; why it is neither, or nothing."""
        trail = self.trail
        if trail is None or not text:
            return ""
        notation = trail.game.notation
        try:
            trail.down(notation.parse_move(trail.position, text))
        except OnlymoveError as refusal:
            try:
                position = notation.parse_position(text)
            except OnlymoveError:
                return str(refusal)
            self.fetch(partial(reach, self.services, trail.game, position, TYPED), "jump", keys_wait=True)
            return ""
        self.arrive()
        return ""

    def on_reached(self, message: Reached) -> None:
        """A position was typed that the game answers."""
        self.jump(message.position, message.name)
