"""The board that play, review and drills share: how a move is entered on it, what answers to questions change.

What becomes of a whole move is for each of the three.
"""

from __future__ import annotations

from dataclasses import replace

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.explanation import Key, Refutation
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
from textual import events

from onlymove_tui.app.board.early_keys import STEPS
from onlymove_tui.app.board.entering import Entering
from onlymove_tui.app.board.guard import Guard
from onlymove_tui.app.messages import Explained, Hinted, Looked, Pointed, Refuted, Seated
from onlymove_tui.app.panels.playing import NOTHING, Asked
from onlymove_tui.app.screens.base_screen import FULL_WIDTH
from onlymove_tui.app.screens.watched_screen import WatchedScreen
from onlymove_tui.app.themes import Tone

UNSEEN = ("choose", "back", "undo", "redo", "swap", "rematch", "rematch_swapped", "drill_these")
"""Commands that during an animation only end it: nobody has seen yet what they would act on."""


class BoardScreen(WatchedScreen):
    """It owns what is entered, and hands on what workers have found out."""

    def sit_down(self, match: Match) -> None:
        super().sit_down(match)
        self.entering = Entering(match, self.scene, self.take_move)
        self.guard = Guard(self.services.clock, self.set_timer, self.show_docked)
        self.asked = NOTHING

    def view(self) -> View[object, object]:
        return self.viewed(self.entering.prefix, self.entering.cursor)

    def show_asked(self, asked: Asked) -> None:
        self.asked = asked
        self.refresh_all()

    # Entering a move.

    def take_move(self, seat: Seat, move: Move) -> None:
        """A person has entered a whole move. On a board that nobody plays on nothing becomes of it."""

    def why_not(self) -> str:
        """Why no move can be entered now; empty where one can."""
        return "No move can be entered here."

    def pick(self, target: Target) -> None:
        """One more target of the move."""
        if not self.why_not():
            self.message = ()
            if why := self.entering.pick(target):
                self.say(why, Tone.ERROR)
            self.refresh_all()

    def on_pointed(self, message: Pointed) -> None:
        """A click chooses, as Enter does; during an animation it only ends that."""
        if self.playback.frames:
            self.playback.stand_still()
        elif not self.why_not():
            self.entering.cursor = message.target
            self.pick(message.target)

    def action_cursor(self, dx: int, dy: int) -> None:
        """Move the cursor among the targets; steer where arrows steer."""
        if (target := self.entering.steered_to(dx, dy)) is not None:
            self.pick(target)
        elif not self.why_not():
            self.entering.move_cursor(dx, dy)
            self.show_board()

    def before_key(self, key: str) -> bool:
        """A key ends an animation, and then does what acts on nothing unseen; digits and the game's own keys pick what
        they name."""
        if self.is_gated:
            return False
        if self.playback.frames:
            self.playback.stand_still()
            refused = (*UNSEEN, *STEPS) if self.entering.is_steered else UNSEEN
            return self.is_key_of(key, *refused) or self.entering.names(key) is not None
        if self.why_not():
            return False
        target = self.entering.names(key)
        if target is not None:
            self.pick(target)
        return target is not None or self.entering.choose(key, self.asked.hint)

    def action_type_move(self) -> None:
        self.message = ()
        self.type_text(self.take_text)

    def take_text(self, text: str) -> str:
        """Play what was typed, or say why not; nothing changes then."""
        return (self.why_not() or self.entering.read(text)) if text else ""

    def let_it_be_seen(self) -> None:
        """No answer to what is asked now counts before it has stood on the screen for a while."""
        self.guard.ask()
        self.call_after_refresh(self.guard.paint)

    def on_resize(self, event: events.Resize) -> None:
        """Where there is room beside the board again, a hint is read there."""
        if self.message and self.message[0][1] is Tone.HINT and event.size.width >= FULL_WIDTH:
            self.message = ()

    # What workers have found out.

    def on_seated(self, answer: Seated) -> None:
        """From now on values can be asked for."""
        if self.thinking.takes(answer):
            self.match.take_analyst(answer.analyst, answer.note)
            if answer.note:
                self.say(answer.note, Tone.SLIP)
            self.inquire()
            self.refresh_all()

    def inquire(self) -> None:
        """Have found out what is of interest here."""

    def on_looked(self, answer: Looked) -> None:
        """Values are known, or cannot be: moves that were played there are judged."""
        if self.thinking.takes(answer):
            self.match.learn(answer.node_id, answer.values)
            if answer.failure:
                self.say(answer.failure, Tone.ERROR)
            self.learned()
            self.refresh_all()

    def learned(self) -> None:
        """Go on with what waited for values."""

    def on_hinted(self, answer: Hinted) -> None:
        """A hint has come. On a narrow screen its first line is read under the board."""
        if self.thinking.takes(answer):
            self.say(answer.hint.texts()[0] if self.has_class("-narrow") else "", Tone.HINT)
            self.show_asked(replace(self.asked, hint=answer.hint, is_latest=True))

    def on_explained(self, answer: Explained) -> None:
        """It is known why a move is bad."""
        if self.thinking.takes(answer):
            self.match.advice.explanations[answer.key] = answer.explanation
            self.explained(answer.key)
            self.refresh_all()

    def explained(self, key: Key) -> None:
        """Go on with what waited for that."""

    def on_refuted(self, answer: Refuted) -> None:
        """Best play after a move has been found, and is still waited for."""
        if self.thinking.takes_refutation(answer):
            self.thinking.stop_refuting()
            self.say("")
            self.refuted(answer.start, answer.refutation)
            self.refresh_all()

    def refuted(self, start: AnyNode, refutation: Refutation) -> None:
        """Show best play after a move."""
        self.playback.step_through(start, refutation)
