"""Entering a move: cursor, mouse, digits, the game's own keys and typed text all fill one path of targets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from onlymove_engines.coach.hint import Hint
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.move_entry import NO_ENTRY
from onlymove_engines.core.value import Seat
from textual.widget import Widget
from textual.widgets import Input

from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.screens.looking_back import LookingBack
from onlymove_tui.app.widgets.paint import nearest, neighbour
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.match import Match

ARROWS = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}


class MoveInput(Input):
    """A typed move. Its cursor does not blink, so that an idle screen stays silent."""

    def __init__(self) -> None:
        super().__init__(id="typed", compact=True, select_on_focus=False)
        self.cursor_blink = False

    def key_escape(self) -> None:
        """Give the keys back to the board."""
        self.screen.set_class(False, "-typing")
        self.screen.set_focus(None)


class Entering(LookingBack):
    """A board on which moves are entered. What becomes of a whole move is `offer`'s to say."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.hint: Hint | None = None

    def offer(self, seat: Seat, move: Any) -> None:
        """A person has chosen a whole move."""
        raise NotImplementedError

    def stand_still(self) -> None:
        """End an animation now."""
        self.frames = []

    @property
    def can_enter(self) -> bool:
        """Whether the next key may be part of a move."""
        return self.is_live and self.match.tutor.held is None and self.match.waiting is None

    def content(self) -> Iterable[Widget]:
        """The board and, docked, a line for typed moves."""
        yield from super().content()
        yield MoveInput()

    def take_entry(self) -> None:
        """A fresh entry for whoever chooses here."""
        seat = self.match.seat
        self.entry = NO_ENTRY if seat is None else self.match.session.entry(seat)
        self.place_cursor()

    def place_cursor(self) -> None:
        """The cursor stays where it is if that can be picked, else goes to the nearest target that can."""
        scene = self.match.game.painter.scene(self.view())
        targets = [target for target in self.entry.next_targets() if scene.place(target) is not None]
        self.cursor = nearest(scene, self.cursor, targets) or self.cursor

    @property
    def is_steered(self) -> bool:
        """Whether the arrows choose at once, so that there is nothing to move a cursor over."""
        return any(arrow in self.match.game.direct_keys for arrow in ARROWS.values())

    def action_cursor(self, dx: int, dy: int) -> None:
        """Move the cursor among the targets; steer where arrows steer; walk where the past is looked at."""
        if self.viewed is not None or self.why is not None:
            if dx:
                self.action_walk(dx)
            return
        if not self.can_enter:
            return
        direct = self.match.game.direct_keys.get(ARROWS[dx, dy])
        if direct is not None:
            self.pick(direct)
            return
        scene = self.match.game.painter.scene(self.view())
        self.cursor = neighbour(scene, self.cursor, self.entry.next_targets(), dx, dy)
        self.show_board()

    def pick(self, target: str) -> None:
        """One more target of the move; the last one plays it."""
        seat = self.match.seat
        if seat is None or not self.can_enter:
            return
        entry = self.entry.pick(target)
        if entry is None:
            self.say(f"{target} cannot be chosen now.", Tone.ERROR)
            return
        self.entry = entry
        if entry.move is not None:
            self.offer(seat, entry.move)
            return
        self.message = ()
        self.place_cursor()
        self.refresh_all()

    def on_pointed(self, message: Pointed) -> None:
        """A click chooses, as Enter does."""
        if self.frames:
            self.stand_still()
            return
        self.cursor = message.target
        self.pick(message.target)

    def on_key(self, event: Any) -> None:
        """Digits and the game's own keys pick what they name."""
        if self.is_gated or not self.is_live:
            return
        target = self.match.game.direct_keys.get(event.key)
        if target is not None and target in self.entry.next_targets():
            event.stop()
            self.pick(target)
        elif event.key.isdigit() and self.hint is not None and 0 < int(event.key) <= len(self.hint.moves):
            event.stop()
            seat = self.match.seat
            if seat is not None and self.match.tutor.held is None:
                self.offer(seat, self.hint.moves[int(event.key) - 1])

    def action_type_move(self) -> None:
        """Open the line for a typed move."""
        typed = self.query_one(MoveInput)
        typed.value = ""
        typed.placeholder = "a move in the game's notation, Enter plays it"
        self.set_class(True, "-typing")
        typed.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Play what was typed, or say why not; nothing changes then."""
        self.query_one(MoveInput).key_escape()
        seat = self.match.seat
        if seat is None or self.match.tutor.held is not None:
            self.say("It is not your turn.", Tone.ERROR)
            return
        try:
            move = self.match.parse_choice(seat, message.value.strip())
        except OnlymoveError as refusal:
            self.say(str(refusal), Tone.ERROR)
            return
        self.offer(seat, move)
