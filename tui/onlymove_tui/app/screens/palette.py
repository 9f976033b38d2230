"""Any command by name: what works on the screen underneath, and every game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from textual.widget import Widget

from onlymove_tui.app.base_screen import LEAST_WIDTH, BaseScreen
from onlymove_tui.app.commands import BY_ID
from onlymove_tui.app.panels.history_rows import rank
from onlymove_tui.app.panels.markdown import paragraph
from onlymove_tui.app.screens.list_screen import ListScreen
from onlymove_tui.app.screens.pages import live_commands
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import Lines
from onlymove_tui.app.widgets.canvas import Row, width_of
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.app.widgets.fields import Typing

KEYS_WIDTH = 18
QUESTION = "what do you want to do?"
ALSO: Final[Mapping[str, str]] = {
    "quit": "exit leave", "quit_menu": "exit leave", "settings": "options", "history": "load", "resume": "continue",
    "rules": "how to play", "players": "opponent", "drills": "puzzles", "drill_these": "puzzles",
    "rematch": "restart", "flip": "rotate", "values": "evaluation", "die": "die dice", "delete": "remove",
    "undo": "take back", "review": "analyse", "palette": "find",
}  # fmt: skip
"""What else commands are called by those who look for them."""


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """One line: what it says, its keys, and what it does: a command by its id, or a call. `names` are other words that
    find it."""

    text: str
    keys: str
    action: str | Callable[[], None]
    names: str = ""


def item_of(name: str, keys: str, help_line: str) -> PaletteItem:
    """A command as a line: found by its word in the footer, too, and by what else it is called."""
    return PaletteItem(help_line, keys, name, f"{BY_ID[name].word} {name.replace('_', ' ')} {ALSO.get(name, '')}")


def found(items: Sequence[PaletteItem], sought: str) -> list[PaletteItem]:
    """The items that are meant by what is typed, the likeliest first."""
    ranks = [(rank(sought, item.text, item.names), item) for item in items]
    meant = [(place, item) for place, item in ranks if place is not None]
    return [item for _, item in sorted(meant, key=lambda pair: pair[0])]


class PaletteScreen(ListScreen, screen_id="palette"):
    """Type a few letters, Enter does it."""

    heading = (("Commands", Tone.TITLE),)

    def __init__(self, underneath: BaseScreen, extra: Iterable[PaletteItem] = ()) -> None:
        super().__init__()
        self.underneath = underneath
        commands = [item_of(*command) for command in live_commands(underneath) if command[0] != "palette"]
        self.all = [*commands, *extra]
        self.found: Sequence[PaletteItem] = self.all
        self.typing = Typing(self.run_marked)

    def main(self) -> Iterable[Widget]:
        """What is looked for, what there is."""
        yield Lines("search")
        yield Choices("list")

    def footer(self) -> list[tuple[str, str]]:
        """Typing goes on as long as the palette is open."""
        return self.command_words()

    def takes_key(self, key: str, character: str | None) -> bool:
        """Arrows move the mark, Esc leaves, everything else is typed."""
        if key in ("up", "down", "escape"):
            return False
        return super().takes_key(key, character)

    def show_typing(self) -> None:
        """The best matches first."""
        if self.typing is None or not self.is_current:
            return
        meant = found(self.all, sought) if (sought := self.typing.text.strip()) else self.all
        if meant != self.found:
            self.found = meant
            self.choices.mark(0)
        self.redraw()

    def draw(self) -> None:
        """What is looked for, and what was found."""
        if self.typing is not None:
            rest: Row = () if self.typing.text else [(QUESTION, Tone.DIM)]
            room = self.query_one("#search").size.width or LEAST_WIDTH
            self.query_one("#search", Lines).show([[*self.typing.row(room - width_of(rest)), *rest]])
        self.choices.show([self.lines_of(item) for item in self.found])

    def lines_of(self, item: PaletteItem) -> list[Row]:
        """What it does, in as many lines as that takes, and its keys beside the first."""
        room = (self.choices.size.width or LEAST_WIDTH) - INDENT
        first, *rest = paragraph(item.text, room - KEYS_WIDTH - 1)
        gap = " " * (room - KEYS_WIDTH - width_of(first))
        return [[*first, (gap, Tone.TEXT), (item.keys, Tone.KEY)], *rest]

    def silence(self) -> Sequence[Row]:
        """Nothing fits."""
        return () if self.found else [[("No command is called that.", Tone.DIM)]]

    def run_marked(self, sought: str) -> str:
        """Enter was pressed: close, and run the marked action on the screen underneath."""
        index = self.choices.marked
        if not 0 <= index < len(self.found):
            return "nothing"
        self.app.pop_screen()
        self.app.call_next(self.run, self.found[index].action)
        return ""

    def action_pick(self) -> None:
        """A click does it."""
        self.run_marked("")

    async def run(self, action: str | Callable[[], None]) -> None:
        """The action, where it belongs."""
        if callable(action):
            action()
        else:
            await self.underneath.do(BY_ID[action])
