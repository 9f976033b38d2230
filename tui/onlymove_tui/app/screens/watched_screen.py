"""A board that is looked at: what is on it, what stands beside and under it, and how one goes through its moves.

Looking changes nothing in the game. Knows nothing of how moves are entered.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.match.disclosure import may_be_explored
from onlymove_engines.match.explanation import NOTHING_PROVEN, Explanation
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
from textual import events
from textual.widget import Widget

from onlymove_tui.app.board.playback import Playback
from onlymove_tui.app.board.thinking import Thinking
from onlymove_tui.app.commands import BY_ID
from onlymove_tui.app.messages import Jumped, Saved
from onlymove_tui.app.panels import beside, docked, telling, worth
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import FULL_HEIGHT
from onlymove_tui.app.widgets.canvas import Row, width_of
from onlymove_tui.app.widgets.paint import NO_MARKS, Marks
from onlymove_tui.app.widgets.table import Docked, Table, Told
from onlymove_tui.play.exploring import Exploration

PANELS = BY_ID["panel"].word
GAP = "   "


class WatchedScreen(BaseScreen):
    """A board, the panels beside it, two docked lines and the footer. What an action is for is in `commands`."""

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
        self.thinking = Thinking(self, match)
        self.flipped = match.is_turned
        self.message: Row = ()

    def content(self) -> Iterable[Widget]:
        yield self.table

    def on_resize(self, event: events.Resize) -> None:
        """Other room for everything; pictures of a move on its way are of the old size."""
        self.table.share(*event.size)
        if self.playback.frames:
            self.playback.stand_still()
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
        return self.viewed((), None)

    def viewed(self, chosen: tuple[Target, ...], cursor: Target | None) -> View[object, object]:
        """The same with what is being entered."""
        seat = self.match.near_seat if self.match.seat is None else self.match.seat
        options: dict[str, Hashable] = {"seat": seat, "cursor": cursor}
        return self.playback.view(self.flipped, chosen, self.overlay, self.services.ascii_only, options)

    def scene(self, scale: int = 1) -> Scene:
        return self.match.game.painter.scene(replace(self.view(), scale=scale))

    def marks(self) -> Marks:
        """What is marked on the board."""
        return Marks(last=self.playback.last_targets)

    def heading(self) -> tuple[Row, Row]:
        """Both ends of the title line."""
        return (), ()

    def notes(self) -> Told:
        """What there is to read beside the board."""
        line = self.playback.refutation
        if line is None:
            return Told("Coach")
        why = worth.reason_rows(self.reasons(), self.note_room[0])
        return Told("Best play after it", [*worth.refutation_rows(line), *why])

    def reasons(self) -> Sequence[str]:
        """What may be said of the move after which best play is shown."""
        return ()

    @property
    def refuted_move(self) -> Explanation:
        """Why it is bad, as far as that is known."""
        line, start = self.playback.refutation, self.playback.start
        seat = self.match.game.rules.to_move(start.position)
        if line is None or seat is None:
            return NOTHING_PROVEN
        return self.match.advice.explanation((start, seat, line.moves[0]))

    def told(self) -> Told:
        """The same, and what the overlay shows in numbers while it is on."""
        found, words = self.notes(), self.match.game.overlay_words
        if not self.overlay or words is None:
            return found
        lines = [
            row for line in words(self.playback.at.position) for row in telling.wrapped(line, self.table.note_width)
        ]
        title = found.title if found.rows else self.match.game.overlay_title.capitalize()
        return replace(found, title=title, rows=(*found.rows, *lines))

    @property
    def way(self) -> Sequence[AnyNode]:
        """The moments whose moves and values are listed."""
        return self.playback.path

    @property
    def line_width(self) -> int:
        """Columns of a line under the board."""
        return self.size.width - 1

    @property
    def note_room(self) -> tuple[int, bool]:
        """Columns of what there is to read, and whether it has to be brief."""
        return self.table.note_width, not self.table.room.is_framed

    @property
    def shows_worth(self) -> bool:
        """Whether what every move leads to may be seen beside the board."""
        return self.values_shown and self.playback.refutation is None

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
            self.table.show_side(beside.side(self, self.told(), self.table.note_width))
            self.show_docked()

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
        """The docked lines; while something is typed, that. The footer's keys go with them."""
        if self.may_show():
            shown = docked.typing_lines(self.typing, self.size.width) if self.typing else self.docked()
            time = telling.time_row(self.match) if self.table.room.is_folded else ()
            rows = docked.with_time(self.with_live_keys(shown.rows), time)
            is_low = self.size.height < FULL_HEIGHT
            self.table.show_docked(replace(shown, rows=self.with_footer(rows) if is_low and shown.names_keys else rows))
            self.show_keys()

    def with_footer(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Lines that take the footer's place on a low screen, with its words at the end of the last that has room.
        Where none has, the first leaves out its last parts: the panels say them too."""
        said = [run for key, word in self.command_words() for run in ((GAP, Tone.TEXT), *docked.key_row((key, word)))]
        room = self.size.width - width_of(said)
        if all(width_of(row) >= room for row in rows):
            first = rows[0]
            kept = next((first[:end] for end in range(len(first), 0, -1) if width_of(first[:end]) < room), first)
            rows = [kept, *rows[1:]]
        ends = [n for n, row in enumerate(rows) if width_of(row) < room]
        return [[*row, *said] if ends and n == ends[-1] else row for n, row in enumerate(rows)]

    def show_typing(self) -> None:
        """In the docked lines; the footer names the keys that it takes."""
        self.show_docked()

    def command_words(self) -> list[tuple[str, str]]:
        """Where the docked lines name the keys, only the way to the panels is left, if they are folded."""
        words = super().command_words()
        return [(key, word) for key, word in words if word == PANELS] if self.docked().names_keys else words

    def say(self, text: str, tone: Tone = Tone.TEXT) -> None:
        self.message = [(text, tone)] if text else ()
        self.show_docked()

    def arrived(self) -> None:
        """A move has been seen on its way."""
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
        self.call_after_refresh(self.refresh_all)

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
        found = self.playback.find(by, lambda node: beside.is_mistake(self.match, node, self.shows_everything))
        if found is None:
            self.say("No mistake that way.", Tone.DIM)
        else:
            self.look_at(found.ply)

    def action_rules(self) -> None:
        self.services.show_rules(self.match.game.id)

    def action_explore(self) -> None:
        """The solved game from the shown position on."""
        if may_be_explored(self.match):
            self.services.explore(self.match.game.id, Exploration.to(self.match.game, self.playback.at))

    def action_new(self) -> None:
        self.services.new_game(self.match.game.id)
