"""Any command by name: what works on the screen underneath, and every game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.fuzzy import Matcher
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from onlymove_tui.app.messages import Opened
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.screens.pages import live_commands
from onlymove_tui.app.widgets.bars import TitleBar
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.tones import Tone

NAME_WIDTH = 52


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """One line: what it says, its keys, and the action it runs."""

    text: str
    keys: str
    action: str


class SearchInput(Input):
    """What is looked for; its cursor does not blink."""

    def __init__(self) -> None:
        super().__init__(id="search", compact=True, placeholder="what do you want to do?")
        self.cursor_blink = False


class PaletteScreen(BaseScreen, screen_id="palette"):
    """Type a few letters, Enter does it."""

    AUTO_FOCUS = "#search"

    def __init__(self, underneath: Screen[object], extra: Iterable[PaletteItem] = ()) -> None:
        super().__init__()
        self.underneath = underneath
        commands = [
            PaletteItem(help_line, keys, action)
            for name, keys, help_line, action in live_commands(underneath)
            if name != "palette"
        ]
        self.all = [*commands, *extra]
        self.found = self.all

    def content(self) -> Iterable[Widget]:
        """Title, what is looked for, what there is."""
        yield TitleBar()
        yield SearchInput()
        yield Choices("list")

    def on_mount(self) -> None:
        """Everything at first."""
        self.query_one(TitleBar).show([("Commands", Tone.TITLE)])
        self.show_found(self.all)

    def show_found(self, found: list[PaletteItem]) -> None:
        """These lines, the first one marked."""
        self.found = found
        self.query_one(Choices).show(
            [[[(entry.text.ljust(NAME_WIDTH), Tone.TEXT), (f" {entry.keys}", Tone.KEY)]] for entry in found], 0
        )

    def on_input_changed(self, message: Input.Changed) -> None:
        """The best matches first."""
        if not message.value.strip():
            self.show_found(self.all)
            return
        matcher = Matcher(message.value)
        scored = [(matcher.match(entry.text), entry) for entry in self.all]
        self.show_found([entry for score, entry in sorted(scored, key=lambda pair: -pair[0]) if score > 0])

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Do it."""
        self.run_marked()

    def on_opened(self, message: Opened) -> None:
        """A click does it."""
        self.query_one(Choices).mark(message.index)
        self.run_marked()

    def run_marked(self) -> None:
        """Close, and run the action on the screen underneath."""
        index = self.query_one(Choices).marked
        self.app.pop_screen()
        if 0 <= index < len(self.found):
            self.app.call_next(self.run, self.found[index].action)

    async def run(self, action: str) -> None:
        """The action, where it belongs."""
        owner = self.app if action.startswith("app.") else self.underneath
        await self.app.run_action(action.removeprefix("app."), owner)

    def action_step(self, by: int) -> None:
        """Up or down."""
        choices = self.query_one(Choices)
        choices.mark((choices.marked + by) % max(1, len(choices.entries)))
