"""The board that play, review and drills share: what is on it, how it is looked at, how a move is entered on it.

It owns what is entered, what is played back and who thinks. What becomes of a whole move is for each of the three.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.line import AnyNode
from textual import events
from textual.widget import Widget

from onlymove_tui.app.board.early_keys import STEPS
from onlymove_tui.app.board.entering import Entering
from onlymove_tui.app.board.playback import Playback
from onlymove_tui.app.board.thinking import Thinking
from onlymove_tui.app.messages import Hinted, Jumped, Looked, Pointed, Refuted, Saved, Seated
from onlymove_tui.app.panels import advice, docked, moves
from onlymove_tui.app.panels.playing import NOTHING, Asked
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.paint import NO_MARKS, Marks
from onlymove_tui.app.widgets.table import Docked, Table
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.match import Match
from onlymove_tui.play.refutation import Refutation

UNHINDERED = ("quit", "pause", "type_move")
"""Commands that end an animation and still do their work; any other key only ends it."""


class BoardScreen(BaseScreen):
    """A board, its side panel, two docked lines and the footer. What an action is for is in `commands`."""

    names_engines: ClassVar[bool] = True
    shows_everything: ClassVar[bool] = False

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.overlay = False
        self.values_shown = False
        self.panel_shown = False
        self.table = Table()
        self.sit_down(match)

    def sit_down(self, match: Match) -> None:
        """This match is on the board from now on."""
        self.match = match
        self.playback = Playback(match, self.set_interval, self.show_board, self.arrived)
        self.entering = Entering(match, self.scene, self.take_move)
        self.thinking = Thinking(self, match)
        self.flipped = match.is_turned
        self.asked = NOTHING
        self.message: Row = ()

    def content(self) -> Iterable[Widget]:
        yield self.table

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.refresh_all)

    def on_saved(self, message: Saved) -> None:
        """What has changed is on disk: it may be seen now."""
        if trouble := self.thinking.saved(message.failure):
            self.say(trouble, Tone.ERROR)
        self.refresh_all()

    def keep(self) -> None:
        self.thinking.finish_saving()

    # What is shown.

    def view(self) -> View[object, object]:
        """What the drawer is asked to draw."""
        seat = self.match.near_seat if self.match.seat is None else self.match.seat
        options: dict[str, Hashable] = {"seat": seat, "cursor": self.entering.cursor}
        return self.playback.view(self.flipped, self.entering.prefix, self.overlay, self.services.ascii_only, options)

    def scene(self, scale: int = 1) -> Scene:
        return self.match.game.painter.scene(replace(self.view(), scale=scale))

    def marks(self) -> Marks:
        """What is marked on the board."""
        return Marks(last=self.playback.last_targets)

    def heading(self) -> tuple[Row, Row]:
        """Both ends of the title line."""
        return (), ()

    def notes(self) -> Sequence[Row]:
        """What there is to read at the side."""
        return [] if self.playback.refutation is None else advice.refutation_rows(self.playback.refutation)

    def docked(self) -> Docked:
        """What stands under the board."""
        return Docked([self.message])

    def may_show(self) -> bool:
        """Whether what there is to show is on disk. If not, a worker puts it there, and it is shown then."""
        return self.is_built and self.thinking.is_saved()

    def refresh_all(self) -> None:
        """Everything that may have changed."""
        if self.may_show():
            self.table.show_title(*self.heading())
            self.show_board()
            self.table.show_side(moves.side(self, self.notes()))
            self.show_docked()
            self.show_keys()

    def show_board(self) -> None:
        """Board and marks, or the in-between picture of a move on its way."""
        if self.may_show():
            frames = self.playback.frames
            self.table.show_board(*((lambda _: frames[0], NO_MARKS) if frames else (self.scene, self.marks())))

    def show_on_its_way(self, view: View[object, object]) -> None:
        """Show the last move of `view` on its way, where moves are shown so."""
        if self.services.animated:
            frames = self.match.game.painter.between(replace(view, scale=self.table.scale))
            self.playback.animate(frames, self.services.frame_seconds)

    def show_docked(self) -> None:
        """The docked lines; while something is typed, that."""
        if self.may_show():
            self.table.show_docked(docked.typing_lines(self.typing, self.size.width) if self.typing else self.docked())

    def show_typing(self) -> None:
        """In the docked lines; the footer names the keys that it takes."""
        self.show_docked()
        self.show_keys()

    def say(self, text: str, tone: Tone = Tone.TEXT) -> None:
        self.message = [(text, tone)] if text else ()
        self.show_docked()

    def show_asked(self, asked: Asked) -> None:
        self.asked = asked
        self.refresh_all()

    # Looking differently.

    def action_flip(self) -> None:
        self.flipped = not self.flipped
        self.show_board()

    def action_overlay(self) -> None:
        self.overlay = not self.overlay
        self.refresh_all()

    def action_values(self) -> None:
        self.values_shown, self.message = not self.values_shown, ()
        self.refresh_all()

    def action_panel(self) -> None:
        self.panel_shown = not self.panel_shown
        self.set_class(self.panel_shown, "-panel")

    def action_walk(self, by: int) -> None:
        if self.playback.step(by):
            self.refresh_all()
        else:
            self.look_at(self.playback.at.ply + by)

    def action_walk_to(self, end: int) -> None:
        self.look_at(0 if end < 0 else self.playback.tip.ply)

    def on_jumped(self, message: Jumped) -> None:
        self.look_at(message.ply)

    def look_at(self, ply: int) -> None:
        """Show the moment after so many plies, and wait for no refutation any more."""
        self.thinking.stop_refuting()
        self.message = ()
        self.playback.go_to(ply)
        self.refresh_all()

    def action_mistake(self, by: int) -> None:
        """To the next or previous move that was flagged and may be seen."""
        found = self.playback.find(by, lambda node: moves.is_mistake(self.match, node, self.shows_everything))
        if found is None:
            self.say("No mistake that way.", Tone.DIM)
        else:
            self.look_at(found.ply)

    def action_rules(self) -> None:
        self.services.show_rules(self.match.game.id)

    def action_new(self) -> None:
        self.services.new_game(self.match.game.id)

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
        """A key ends an animation; then digits and the game's own keys pick what they name."""
        if self.is_gated:
            return False
        if self.playback.frames:
            self.playback.stand_still()
            served = UNHINDERED if self.entering.is_steered else (*UNHINDERED, *STEPS)
            return not any(self.is_key_of(key, command) for command in served)
        if self.why_not():
            return False
        target = self.entering.target_of(key)
        if target is not None:
            self.pick(target)
        return target is not None or self.entering.choose(key, self.asked.hint)

    def action_type_move(self) -> None:
        self.message = ()
        self.type_text(self.take_text)

    def take_text(self, text: str) -> str:
        """Play what was typed, or say why not; nothing changes then."""
        return (self.why_not() or self.entering.read(text)) if text else ""

    def arrived(self) -> None:
        """A move has been seen on its way."""
        self.refresh_all()

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
            self.say(answer.hint.lines[0] if self.has_class("-narrow") and answer.hint.lines else "", Tone.HINT)
            self.show_asked(replace(self.asked, hint=answer.hint))

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
