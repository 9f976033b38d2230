"""A screen that is a list: lines of which one is marked, one line that says something."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from onlymove_tui.app.base_screen import MARKED, BaseScreen
from onlymove_tui.app.messages import Opened
from onlymove_tui.app.widgets.choices import Choices


class ListScreen(BaseScreen):
    """Subclasses say what the lines are in `draw`, have what they tell fetched in `ask`, and do something in `pick`.

    `ask` is called whenever the screen is opened or come back to, and must not wait for an answer.
    """

    def main(self) -> Iterable[Widget]:
        """The list."""
        yield Choices("list")

    def on_screen_resume(self) -> None:
        """Something may have changed meanwhile."""
        self.ask()

    def ask(self) -> None:
        """Have what the lines tell fetched."""

    def action_step(self, by: int) -> None:
        self.step(by)
        self.changed(MARKED)

    def action_edge(self, end: int) -> None:
        """To the first line (-1) or the last (1)."""
        self.action_step((0 if end < 0 else len(self.choices.entries) - 1) - self.choices.marked)

    def on_opened(self, message: Opened) -> None:
        """A click does what Enter does."""
        self.choices.mark(message.index)
        self.action_pick()

    def action_pick(self) -> None:
        """What Enter does with the marked line."""
