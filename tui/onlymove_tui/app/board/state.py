"""What the player of a board sees, is entering, and has asked for. The situation is found from it. It knows no
screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from onlymove.pictures.painting import Marks
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.values import Refutation
from onlymove_engines.core.rules import MoveEntry, Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live.live_game import LiveGame, is_marked

from onlymove_tui.app.board.move_input import MoveInput
from onlymove_tui.app.board.playback import Playback
from onlymove_tui.app.panels import game_rows, value_rows
from onlymove_tui.play.situations import Marking

NOTHING_EARLIER, NOTHING_LATER = "There are no earlier moves.", "There are no more moves."


@dataclass(frozen=True, slots=True)
class Requests:
    """What the player has asked to see of the current decision. `is_latest` means that the player asked for this after
    asking for the values."""

    hint: Hint | None = None
    payoffs: bool = False
    is_latest: bool = False


NO_REQUESTS = Requests()


class Look(Protocol):
    """How all boards are drawn."""

    shows_overlay: bool | None
    """Whether the overlay of a game is shown, as the player has chosen. `None` if the player has not chosen."""

    @property
    def ascii_only(self) -> bool:
        """Whether only ASCII characters may be drawn."""


class BoardState:
    """What the player of a live game sees, is entering, and has asked for. `flipped` and `values_shown` are the
    player's view options. A complete move is passed to `handle_move`."""

    def __init__(self, live: LiveGame, look: Look, handle_move: Callable[[Seat, Move], None]) -> None:
        self.look = look
        self.handle_move = handle_move
        self.values_shown = False
        self.is_learning = False
        """Whether the player is in a lesson or a first game."""
        self.preparation = ""
        """What delays the values on the first run and how far it is, such as `Compiling the engine: 25%`, or an empty
        text."""
        self.show_live_game(live)

    def show_live_game(self, live: LiveGame) -> None:
        """Begin again with another live game. The values remain shown or hidden."""
        self.live = live
        self.playback = Playback(live)
        self.move_input = MoveInput(live.session, self.draw, self.handle_move)
        self.requests = NO_REQUESTS
        self.flipped = live.is_turned

    @property
    def overlay(self) -> bool:
        """Whether the overlay is shown: on all boards or none, but not at the end of a game, and in a game with others
        only after it. Until the player has chosen, a game may show it to those who learn it."""
        chosen, may_be_shown = self.look.shows_overlay, self.live.remote is None or self.live.session.is_over
        is_wanted = self.is_learning and self.live.game.play.overlay_when_new if chosen is None else chosen
        return is_wanted and may_be_shown and not self.playback.shows_end

    def make_view(self, scale: int = 1) -> View[object, object]:
        """Return what the painter needs to draw the current moment. Only the path's end shows chosen targets."""
        playback, entry, is_live = self.playback, self.move_input.entry, self.playback.is_live
        if playback.refutation is not None:
            view = playback.view_refutation(playback.refutation)
        else:
            view = self.live.session.tree.view(playback.node)
        return replace(
            view, flipped=self.flipped, overlay=self.overlay, ascii_only=self.look.ascii_only, scale=scale,
            chosen=entry.prefix if is_live else (), seat=self.live.session.speaking_seat,
            cursor=self.move_input.cursor, is_asked=is_live and bool(entry.options),
        )  # fmt: skip

    def draw(self, scale: int = 1) -> Scene:
        return self.live.game.painter.scene(self.make_view(scale))

    def draw_line(self, line: Refutation, scale: int) -> Scene:
        """Draw a step of best play, as beside the board."""
        view = self.playback.view_refutation(line)
        view = replace(view, flipped=self.flipped, ascii_only=self.look.ascii_only, scale=scale)
        return self.live.game.painter.scene(view)

    def draw_last_move(self, scale: int) -> Sequence[Scene]:
        """Draw the pictures of the last move, as an animation."""
        return self.live.game.painter.between(self.make_view(scale))

    def mark_entry(self, marking: Marking, with_values: bool, in_plain_words: bool) -> Marks:
        """Mark the last move, and where a move can be entered also the cursor, the choices, and what the player has
        asked for. If two people play, a secret choice of either is not marked. If the picture already shows a piece at
        its new place, no number covers it. Every step of a stopped move is marked as a threat."""
        seat, values, entry = self.live.session.choosing_seat, self.live.node.values, self.move_input.entry
        if marking is Marking.LAST_MOVE:
            return Marks(last=self.playback.last_targets)
        if marking is Marking.THREAT:
            return Marks(threat=entry.prefix, hint=self._hinted_targets(MoveEntry(entry.options)))
        labels = {}
        if with_values and values is not None and seat is not None:
            game, position = self.live.game, self.live.node.position
            labels = value_rows.value_labels(game, position, values, entry, seat, in_plain_words)
        return Marks(
            cursor=None if seat is None else self.move_input.cursor,
            chosen=() if self.live.session.is_blind or self.move_input.is_steered else entry.prefix,
            legal=entry.next_targets(),
            last=() if entry.prefix else self.playback.last_targets,
            hint=self._hinted_targets(entry),
            values=labels,
        )

    def _hinted_targets(self, entry: MoveEntry[Move]) -> tuple[Target, ...]:
        """Return the hinted targets that can be picked next. Once the player has begun a move, only a hint that lists
        moves marks anything. Of a long list, only the first moves are marked."""
        hint = self.requests.hint
        if hint is None:
            return ()
        if not hint.moves:
            return () if entry.prefix else hint.targets
        return tuple(
            target
            for target, moves in entry.group_by_target().items()
            if not set(moves).isdisjoint(hint.moves[: value_rows.NUMBERED])
        )

    def walk(self, by: int) -> str:
        """Go forwards or back in best play or in the game. If the game has no move there, return a text that says
        so."""
        playback = self.playback
        if playback.refutation is not None:
            playback.refutation = playback.refutation.step_by(by)
            return ""
        before = playback.node
        playback.show_ply(before.ply + by)
        return "" if playback.node is not before else NOTHING_LATER if by > 0 else NOTHING_EARLIER

    def walk_to_mistake(self, by: int, everything: bool) -> str:
        """Show the next or the last mistake. If there is none, return a text that says so. With `everything`, it does
        not matter who has answered what."""
        playback = self.playback
        path, here = playback.last_node.path(), playback.node.ply
        marked = [node.ply for node in path if is_marked(self.live, node, everything)]
        ahead = [ply for ply in marked if (ply - here) * by > 0]
        if not ahead:
            return game_rows.no_mistakes_text(self.live, by, everything, bool(marked))
        playback.show_ply(ahead[0 if by > 0 else -1])
        return ""
