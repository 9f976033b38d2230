"""The player's progress, with a line for each game and all details of the selected one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from onlymove_engines.core.facts import GameId
from textual.widget import Widget

from onlymove_tui.app.base_screen import LEAST_WIDTH, MARKED
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.panels.progress_rows import full_progress_rows, list_row
from onlymove_tui.app.screens.list_screen import ListScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Lines, Panel
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.progress import DrillCount, Progress

NOTHING = Progress({}, (), (), DrillCount())
LINES_AROUND = 5
"""The number of lines around list and page: title, gaps, a rule and keys."""
EMPTY = "No finished games against the engine yet."


def read_progress(store: GameStore | None, games: Sequence[GameId]) -> Mapping[GameId, Progress]:
    """Read the progress in each game. Call it in a worker. Raises StoreTrouble."""
    if store is not None:
        store.progress.compute_missing_figures()
    return {game: NOTHING if store is None else store.progress.read(game) for game in games}


class ProgressScreen(ListScreen, screen_id="progress"):
    """Lists the progress in each game. It is read again whenever the screen is shown."""

    title_row = (("Progress", Tone.TITLE), ("  good first tries in your last 10 games", Tone.DIM))

    def __init__(self) -> None:
        super().__init__()
        self.found: Mapping[GameId, Progress] | None = None

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(Lines("detail"), id="detail-panel")

    def ask(self) -> None:
        games = [facts.id for facts in self.services.library.list_facts()]
        self.fetch(partial(read_progress, self.services.store, games), self.show_progress, "read")

    def show_progress(self, found: Mapping[GameId, Progress]) -> None:
        self.found = found
        self.mark_changed()

    def draw(self) -> None:
        self.choices.show([[self.row_of(facts.id)] for facts in self.services.library.list_facts()])

    def row_of(self, game: GameId) -> Row:
        title = self.services.library.find_title(game)
        if self.found is None:
            return [(title, Tone.TEXT)]
        return list_row(title, self.found[game], self.services.ascii_only)

    def show_marked(self) -> None:
        rows: Sequence[Row] = ()
        if self.found is not None:
            facts = self.services.library.list_facts()[self.choices.marked]
            marked = facts.id
            panel = self.query_one("#detail-panel", Panel)
            panel.set_title(self.services.library.find_title(marked))
            width = panel.content_size.width or LEAST_WIDTH - 2 * INDENT
            rows = full_progress_rows(
                self.found[marked], width, self.count_free_lines(), self.services.ascii_only, facts.levels
            ) or [[(run, Tone.DIM) for run, _ in row] for row in paragraph_rows(EMPTY, width)]
        self.query_one("#detail", Lines).show(rows)

    def count_free_lines(self) -> int:
        if self.is_framed:
            return (self.query_one("#detail-panel", Panel).content_size.height or FULL_HEIGHT) - 1
        return self.app.size.height - len(self.services.library.list_facts()) - LINES_AROUND

    def action_pick(self) -> None:
        self.mark_changed(MARKED)
