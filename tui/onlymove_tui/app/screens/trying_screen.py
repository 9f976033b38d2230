"""A board on which moves may be tried, from any moment of a game: seen at once with what they lead to, gone on from,
or taken back. The game itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.trial import Trial
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.board.early_keys import STEPS
from onlymove_tui.app.commands import BY_ID
from onlymove_tui.app.keys import key_name
from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.paint import Marks

CURSOR = dict(zip(("previous_move", "next_move", "branch_up", "branch_down"), STEPS.values(), strict=True))
"""What goes through a game moves the cursor while a move is tried, but for the printable twins of the arrows."""
TWINS = ("left_square_bracket", "right_square_bracket")
CHOICE = ("enter", "space")

TRYING_KEYS = (("Enter", "choose"), ("Esc", "take back"))
OVER_HERE = "The game is over here: go back a move first."
STILL_OF_USE = ("panel", "type_move", "values", "play_on", "help")
"""What the footer names after them."""


class TryingScreen(BoardScreen):
    """`base` is the moment from which moves are tried, with the end of the way it lies on; `None`: none are."""

    base: tuple[AnyNode, AnyNode] | None = None
    trial: Trial | None = None

    # Beginning and ending.

    def action_try_move(self) -> None:
        """From the shown moment on a cursor enters moves; again: no more."""
        if self.base is not None:
            self.stop_trying()
        else:
            self.begin_trying()
        self.refresh_all()

    def begin_trying(self) -> None:
        """From the shown moment of the game. The first time the board is handed to a copy of it."""
        self.thinking.stop_refuting()
        self.playback.go(self.playback.at)
        if self.playback.at.result is not None:
            self.say(OVER_HERE, Tone.DIM)
            return
        at, tip = self.playback.at.id, self.playback.tip.id
        if self.trial is None:
            trial, flipped = Trial(self.match), self.flipped
            self.sit_down(trial.match)
            self.trial, self.flipped = trial, flipped
            if self.match.knowledge.is_settled:
                self.inquire()
            else:
                self.thinking.fetch_analyst()
        node = self.match.session.line.node
        self.base = (node(at), node(tip))
        self.message = ()
        self.lay(node(at))

    def lay(self, node: AnyNode) -> None:
        """Show `node`, and have the next move entered there."""
        assert self.trial is not None, "trying has begun"
        self.playback.follow(node)
        self.entering.match = self.trial.lay(node)
        self.entering.begin()
        self.thinking.look(node)

    def stop_trying(self) -> None:
        """Back to where it began; what was tried stays as variations."""
        if self.base is not None:
            at, tip = self.base
            self.base = None
            self.playback.follow(tip)
            self.playback.go(at)
            self.entering.clear()

    def step_back(self) -> bool:
        """One target less, one tried move less, or no more trying. Returns whether there was anything to take back."""
        if self.base is None:
            return False
        at = self.playback.at
        if self.entering.prefix:
            self.entering.back()
        elif at is not self.base[0] and at.parent is not None:
            self.lay(at.parent)
        else:
            self.stop_trying()
        self.message = ()
        self.refresh_all()
        return True

    # Entering.

    def take_move(self, seat: Seat, move: Move) -> None:
        assert self.trial is not None, "trying has begun"
        node = self.trial.play(seat, move)
        if node is None:
            self.entering.begin()
        else:
            self.lay(node)
        self.refresh_all()

    def why_not(self) -> str:
        if self.base is None:
            return "t tries a move."
        return "" if self.entering.match.seat is not None else OVER_HERE

    def on_pointed(self, message: Pointed) -> None:
        """A click begins trying by itself; then it chooses, as on any board."""
        if self.base is None and self.playback.refutation is None and not self.playback.frames:
            self.begin_trying()

    def action_type_move(self) -> None:
        if self.base is None:
            self.begin_trying()
            self.refresh_all()
        if self.base is not None:
            super().action_type_move()

    def before_key(self, key: str) -> bool:
        """While a move is tried the arrows move the cursor, and Enter and Space choose."""
        if super().before_key(key):
            return True
        if self.base is None or self.is_gated or self.playback.refutation is not None:
            return False
        if key in CHOICE and self.entering.aim is not None:
            self.pick(self.entering.aim)
            return True
        step = CURSOR.get(self.command_of(key) or "")
        if step is None or key in TWINS:
            return False
        self.action_cursor(*step)
        return True

    def command_words(self) -> list[tuple[str, str]]:
        if self.base is None or self.playback.refutation is not None:
            return super().command_words()
        keys = self.live_keys()
        return [*TRYING_KEYS, *((key_name(keys[name]), BY_ID[name].word) for name in STILL_OF_USE if name in keys)]

    @property
    def way(self) -> Sequence[AnyNode]:
        """Until a move is tried, the game."""
        if self.base is not None and self.playback.at is self.base[0]:
            return self.base[1].path()
        return self.playback.path

    # Going through the game ends it.

    def action_walk_to(self, end: int) -> None:
        self.stop_trying()
        super().action_walk_to(end)

    def action_mistake(self, by: int) -> None:
        self.stop_trying()
        super().action_mistake(by)

    def look_at(self, ply: int) -> None:
        self.stop_trying()
        super().look_at(ply)

    def marks(self) -> Marks:
        """The cursor and the choices, while a move is tried."""
        last, entry = self.playback.last_targets, self.entering.entry
        if self.base is None or self.playback.refutation is not None:
            return Marks(last=last)
        return Marks(self.entering.aim, entry.prefix, entry.next_targets(), () if entry.prefix else last)
