"""Pages to read: the live keys of a screen, the rules of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import resources

from onlymove_engines.core.game import AnyGame
from textual import events
from textual.screen import Screen
from textual.widget import Widget

from onlymove_tui.app.commands import BY_ID, COMMANDS
from onlymove_tui.app.keys import key_name
from onlymove_tui.app.panels.prose import rows_of
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.widgets.bars import TitleBar
from onlymove_tui.app.widgets.canvas import Canvas, Row
from onlymove_tui.app.widgets.tones import Tone

KEYS_WIDTH = 18


class Paper(Canvas):
    """Rows that can be scrolled."""

    def __init__(self, write: Callable[[int], Sequence[Row]]) -> None:
        super().__init__(id="list")
        self.write = write
        self.top = 0

    def scroll(self, by: int) -> None:
        """Down by so many lines, never past either end."""
        last = max(0, len(self.write(self.size.width)) - self.size.height)
        self.top = max(0, min(last, self.top + by))
        self.repaint()

    def rows(self) -> Sequence[Row]:
        """The part in sight."""
        rows = self.write(self.size.width or 80)
        return rows[self.top : self.top + self.size.height] if self.size.height else rows


class PageScreen(BaseScreen, screen_id="help"):
    """Something to read; any way back leads to where one came from."""

    def __init__(self, heading: Row, write: Callable[[int], Sequence[Row]]) -> None:
        super().__init__()
        self.heading = heading
        self.write = write

    def content(self) -> Iterable[Widget]:
        """A title and the text."""
        yield TitleBar()
        yield Paper(self.write)

    def on_mount(self) -> None:
        """Show the title."""
        self.query_one(TitleBar).show(self.heading)

    def action_step(self, by: int) -> None:
        """One line."""
        self.query_one(Paper).scroll(by)

    def action_page(self, by: int) -> None:
        """One page."""
        paper = self.query_one(Paper)
        paper.scroll(by * max(1, paper.size.height - 2))

    def action_edge(self, by: int) -> None:
        """To either end."""
        self.query_one(Paper).scroll(by * 10_000)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel turns the page."""
        self.action_step(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel turns the page back."""
        self.action_step(-3)


def live_commands(screen: Screen[object]) -> list[tuple[str, str, str, str]]:
    """(id, keys, help, action) of every command that works on `screen` now, each once, in the order of `commands`."""
    keys: dict[str, list[str]] = {}
    for active in screen.active_bindings.values():
        name = active.binding.id
        if name in BY_ID and active.enabled:
            keys.setdefault(name, []).append(key_name(active.binding.key))
    return [
        (command.id, " ".join(dict.fromkeys(keys[command.id])), command.help, command.target)
        for command in COMMANDS
        if command.id in keys
    ]


def keys_page(screen: Screen[object]) -> PageScreen:
    """The live bindings of a screen."""
    rows: list[Row] = [
        [(keys.ljust(KEYS_WIDTH), Tone.KEY), (help_line, Tone.TEXT)]
        for _, keys, help_line, _ in live_commands(screen)
    ]  # fmt: skip
    return PageScreen([("Keys", Tone.TITLE), ("  of this screen", Tone.DIM)], lambda _: rows)


def rules_page(game: AnyGame) -> PageScreen:
    """The game's own page."""
    markdown = help_text(game)
    return PageScreen(
        [(game.title, Tone.TITLE), (f"  {game.solved}", Tone.DIM)], lambda width: rows_of(markdown, min(width, 78))
    )


def help_text(game: AnyGame) -> str:
    """The drawer's `help.md`; without one the pitch."""
    if game.folder:
        page = resources.files(game.folder) / "help.md"
        if page.is_file():
            return page.read_text("utf-8")
    return f"# {game.title}\n\n{game.pitch}\n"
