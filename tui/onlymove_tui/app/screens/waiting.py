"""Waiting at a table until the game begins: for somebody to come, or to be let sit down. It can be left at any time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.match.clock import read_control
from textual.timer import Timer
from textual.widget import Widget

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.messages import Trouble
from onlymove_tui.app.screens.people import TableOpened, TablesFound, find_tables
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import Lines
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge
from onlymove_tui.lobby.shared_game import LONGEST_NAME

LOOK_SECONDS = 0.3
LIST_SECONDS = 2.0
LEAVING: Row = (("Esc leaves; the table stays in the list.", Tone.DIM),)


class WaitingScreen(BaseScreen, screen_id="waiting"):
    """`table` is looked at until the game has begun, then the board is opened."""

    def __init__(self, table: OpenChallenge | JoinedChallenge) -> None:
        super().__init__()
        self.table = table
        self.looking: Timer | None = None

    def main(self) -> Iterable[Widget]:
        """What is waited for."""
        yield Lines("facts")

    def on_mount(self) -> None:
        """Say what is waited for, and look whether it has come."""
        title = self.services.library.title_of(self.table.opening.game)
        self.show_title([(title, Tone.TITLE), ("  waiting", Tone.DIM)])
        self.query_one("#facts", Lines).show(self.rows())
        self.show_keys()
        self.looking = self.set_interval(LOOK_SECONDS, self.look)
        self.set_interval(LIST_SECONDS, self.ask)

    def on_unmount(self) -> None:
        """Whoever comes back later finds the table as it is then."""
        self.table.close()

    def rows(self) -> Sequence[Row]:
        """Who is waited for, and on what terms."""
        table, opening = self.table, self.table.opening
        clock = "" if (control := read_control(opening.clock)) is None else f"Clock: {control.said()}."
        if isinstance(table, JoinedChallenge):
            who: list[Row] = [[(f"Waiting for {opening.name[:LONGEST_NAME]} to begin.", Tone.STRONG)]]
        elif table.code:
            who = [[("Waiting for whoever knows the code  ", Tone.STRONG), (table.code, Tone.KEY)]]
        else:
            who = [[(f"Waiting for {opening.wanted or 'anybody on this host'}.", Tone.STRONG)]]
        return [*who, [], *([[(clock, Tone.TEXT)], []] if clock else []), LEAVING]

    def look(self) -> None:
        """Whether the game has begun."""
        try:
            has_begun = self.table.look()
        except OnlymoveError as refusal:
            self.stop_looking()
            self.say(f"{str(refusal).capitalize()}.", Tone.ERROR)
            return
        if has_begun:
            self.stop_looking()
            number = self.table.table
            self.table.close()
            self.fetch(lambda: TableOpened(*self.services.matches.at_table(number)), "open", keys_wait=True)

    def ask(self) -> None:
        """Whether who is waited for is there; whether somebody else waits in the same way, since two who wait for each
        other would do so for ever."""
        room, table = self.services.room, self.table
        if room is None or self.looking is None:
            return
        if isinstance(table, OpenChallenge):
            self.fetch(partial(find_tables, room), "tables")
        else:
            self.say(
                "" if table.is_alive else f"{table.opening.name[:LONGEST_NAME]} is away, and may come back or not."
            )

    def on_tables_found(self, message: TablesFound) -> None:
        """Say so."""
        game = self.table.opening.game
        who = next((one.first for one in message.tables if one.opening.game == game and one.is_free), "")
        if self.looking is not None:
            self.say(f"{who[:LONGEST_NAME]} waits, too: x, then join." if who else "")

    def stop_looking(self) -> None:
        """There is nothing to wait for any more."""
        if self.looking is not None:
            self.looking.stop()
            self.looking = None

    def on_table_opened(self, message: TableOpened) -> None:
        """The board instead of this."""
        self.open("play", message.match, message.autosave)

    def on_trouble(self, message: Trouble) -> None:
        """The table cannot be sat down at."""
        self.say(message.text, Tone.ERROR)

    def say(self, text: str, tone: Tone = Tone.TEXT) -> None:
        """Under what is waited for."""
        self.query_one("#message", Lines).show([[("   ", Tone.TEXT), (text, tone)]])

    def action_close_table(self) -> None:
        """Wait for nobody any more."""
        if self.looking is not None:
            self.stop_looking()
            self.table.withdraw()
        self.action_leave()
