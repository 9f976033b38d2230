"""How a player is doing: every game in a line, the marked one in full."""

from __future__ import annotations

from collections.abc import Iterable

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import GameId
from textual import events
from textual.widget import Widget

from onlymove_tui.app.messages import Opened
from onlymove_tui.app.panels.progress_rows import list_row, page
from onlymove_tui.app.screens.base_screen import LEAST_WIDTH, BaseScreen
from onlymove_tui.app.widgets.bars import TitleBar
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.panel import Lines
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.store.progress import DrillCount, Progress

INDENT = 3

NOTHING = Progress({}, (), (), DrillCount())
EMPTY: Row = (("No finished game against the engine yet.", Tone.DIM),)


class ProgressScreen(BaseScreen, screen_id="progress"):
    """Read anew whenever it is opened or come back to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[GameId, Progress] = {}
        self.message: Row = ()

    def content(self) -> Iterable[Widget]:
        """Title, games, the marked game, a line."""
        yield TitleBar()
        yield Choices("games")
        yield Lines("detail")
        yield Lines("message")

    def on_mount(self) -> None:
        """As things stand."""
        self.query_one(TitleBar).show([("Progress", Tone.TITLE), ("  the value you kept, last 10 games", Tone.DIM)])
        self.update_list()

    def on_screen_resume(self) -> None:
        """Drills may have been answered meanwhile."""
        self.update_list()

    def on_resize(self, event: events.Resize) -> None:
        """Some lines depend on the width."""
        self.call_after_refresh(self.update_list)

    def update_list(self) -> None:
        """Every game in a line."""
        if not self.is_built:
            return
        cards = self.services.cards()
        self.found = {card.id: self.read(card.id) for card in cards}
        rows = [list_row(card.title, self.found[card.id], self.services.ascii_only) for card in cards]
        self.query_one(Choices).show([[row] for row in rows])
        self.show_page()
        self.query_one("#message", Lines).show([[(" " * INDENT, Tone.TEXT), *self.message]] if self.message else [])
        self.show_keys()

    def read(self, game: GameId) -> Progress:
        """How it goes in one game; nothing, and a line that says why, when the disk does not do its part."""
        try:
            return NOTHING if self.services.store is None else self.services.store.progress(game)
        except OnlymoveError as trouble:
            self.message = [(str(trouble), Tone.ERROR)]
            return NOTHING

    def show_page(self) -> None:
        """The marked game in full."""
        choices = self.query_one(Choices)
        marked = list(self.found.values())[choices.marked]
        rows = page(marked, (choices.size.width or LEAST_WIDTH) - INDENT)
        indented = [[(" " * INDENT, Tone.TEXT), *row] for row in rows or [EMPTY]]
        self.query_one("#detail", Lines).show(indented)

    def action_step(self, by: int) -> None:
        """Up or down."""
        choices = self.query_one(Choices)
        choices.mark((choices.marked + by) % len(choices.entries))
        self.show_page()

    def on_opened(self, message: Opened) -> None:
        """A click marks."""
        self.query_one(Choices).mark(message.index)
        self.show_page()

    def action_drills(self) -> None:
        """What there is to practise."""
        self.services.show_drills()
