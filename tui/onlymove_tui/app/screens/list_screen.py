"""The base of screens that are a list with one selected line and a line for messages."""

from __future__ import annotations

from onlymove_tui.app.base_screen import MARKED, BaseScreen
from onlymove_tui.app.messages import Opened


class ListScreen(BaseScreen):
    """The base of lists. A subclass shows its lines in `draw`, fetches their data in `ask`, and acts on the selected
    line in `action_pick`. `ask` is called whenever the screen is shown, and must not wait for an answer."""

    def on_screen_resume(self) -> None:
        self.ask()

    def ask(self) -> None:
        """Fetch the data of the lines in a worker."""

    def action_step(self, by: int) -> None:
        self.step(by)
        self.mark_changed(MARKED)

    def action_edge(self, end: int) -> None:
        """Select the first line (-1) or the last one (1)."""
        self.action_step((0 if end < 0 else len(self.choices.entries) - 1) - self.choices.marked)

    def on_opened(self, message: Opened) -> None:
        self.choices.mark(message.index)
        self.action_pick()

    def action_pick(self) -> None:
        """Act on the selected line. Enter calls this."""
