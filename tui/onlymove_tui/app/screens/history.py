"""The list of games played, the latest first, to review or resume them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.records.record import parse_records
from textual import events
from textual.widget import Widget

from onlymove_tui.app.base_screen import LEAST_WIDTH, MARKED
from onlymove_tui.app.board.move_input import Confirmation
from onlymove_tui.app.panels import history_rows
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.screens.list_screen import ListScreen, PictureBeside, open_saved
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import FilledLines, Lines, Panel
from onlymove_tui.app.widgets.board_view import SmallBoard
from onlymove_tui.app.widgets.canvas import Row, row_width
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.store.exchange import describe_import, import_records
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import LISTED, STATES, Entry

BATCH = 200
EVERYTHING = -1
"""The number that means no limit in SQLite."""
LIST_WIDTHS = ((190, 100), (138, 82))
"""The width of the list by the width of the terminal, as (columns of the terminal, columns of the list). The first
shows every column. The second leaves out the time and the length."""
BOARD_WIDTH = 54
"""The width of the panel beside the list in other terminals. Any board fits into it at its smallest scale."""
QUESTION = "game, opponent, result or date"
SEARCHING_KEYS = (("Enter", "list"), ("Esc", "all games"))
FILTERS = (None, *STATES)
LONGEST_PASTE = 1_000_000
"""The number of characters in the records of some thousand games."""


def read_games(services: Services, state: str | None, sought: str, offset: int, limit: int) -> tuple[list[Entry], bool]:
    """Return the next games of the list from `offset` on, or all that match `sought`, and whether there may be more.
    Call it in a worker. Raises StoreTrouble."""
    store, wanted = services.store, state or LISTED
    if store is None:
        return [], False
    store.progress.compute_missing_figures(wanted, limit)
    if sought:
        found = store.list(EVERYTHING, wanted)
        title, levels = services.library.find_title, services.library.levels_of
        games = [game for game in found if history_rows.is_match(game, title(game.game), levels(game.game), sought)]
        return games, False
    games = store.list(limit, wanted, offset)
    return games, len(games) == limit


def take_pasted(store: GameStore, text: str, find_game: Callable[[GameId], AnyGame]) -> str:
    """Import records into the history, all or none, and say how many were new. Pasted lines may end in carriage
    returns. Call it in a worker. Raises BadRecord or StoreTrouble."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return describe_import(import_records(store, parse_records(lines, find_game)))


class HistoryScreen(ListScreen, screen_id="history"):
    """Lists the player's games. It reads more of them as the player goes down."""

    def __init__(self) -> None:
        super().__init__()
        self.games: list[Entry] = []
        self.state: str | None = None
        self.sought = ""
        self.is_read = self.has_more = False
        self.confirming = Confirmation(self.services.clock, self.call_after_refresh, self.set_timer)
        self.picture = PictureBeside(self)

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(SmallBoard(), FilledLines("facts"), id="picture-panel")

    def compose_main(self) -> Iterable[Widget]:
        yield Lines("search")
        yield Lines("head")
        yield Choices("list")

    def on_resize(self, event: events.Resize) -> None:
        columns = next((columns for least, columns in LIST_WIDTHS if event.size.width >= least), None)
        space = event.size.width - BOARD_WIDTH if self.is_framed else "1fr"
        self.query_one("#main-panel").styles.width = space if columns is None else columns

    def show_marked(self) -> None:
        if not self.is_framed:
            self.query_one("#facts", FilledLines).show([])
            return
        game = self.marked_game()
        title = "" if game is None else self.services.library.find_title(game.game)
        self.query_one("#picture-panel", Panel).set_title(title, "" if game is None else history_rows.count_moves(game))
        if game is not None:
            self.picture.show_saved(game)
        self.query_one("#facts", FilledLines).show_filled(partial(self.fact_rows, game))

    def fact_rows(self, game: Entry | None, width: int) -> list[Row]:
        if game is None:
            return []
        word, tone = history_rows.outcome_run(game)
        when = f"{game.changed.astimezone():%Y-%m-%d %H:%M}"
        opponent = history_rows.describe_opponent(game, self.services.library.levels_of(game.game))
        facts: list[Row] = [[(word, tone), (f"  against {opponent}" if game.own is not None else "", Tone.TEXT)]]
        facts += paragraph_rows(history_rows.SIDES_CHANGED, width) if game.changed_hands else []
        facts += paragraph_rows(history_rows.describe_decisions(game), width) if game.decisions else []
        return [*facts, [(when, Tone.DIM)]]

    def ask(self) -> None:
        self.ask_for(0, max(BATCH, len(self.games)))

    def ask_for(self, offset: int, limit: int) -> None:
        state, sought = self.state, self.sought

        def take(found: tuple[list[Entry], bool]) -> None:
            """Show the games found, unless the player has asked for another list in the meantime. The selection stays
            where it is."""
            if (state, sought) == (self.state, self.sought):
                self.games[0 if sought else offset :], self.has_more = found
                self.is_read = True
                self.mark_changed()

        find = partial(read_games, self.services, state, sought, offset, limit)
        self.fetch(find, take, "read", keys_wait=self.typing is None)

    def draw(self) -> None:
        self.show_title([("Games", Tone.TITLE), (f"  {self.state or 'all'}", Tone.DIM)])
        self.query_one("#search", Lines).show(self.search_rows())
        space = (self.choices.size.width or LEAST_WIDTH) - INDENT
        columns = history_rows.fit_columns(
            history_rows.list_columns(self.services.library.find_title, self.services.library.levels_of), space
        )
        head: Row = [(" " * INDENT, Tone.TEXT), *history_rows.list_row(columns, None)]
        self.query_one("#head", Lines).show([head] if self.games else [])
        self.choices.show([[history_rows.list_row(columns, game)] for game in self.games])

    def idle_rows(self) -> Sequence[Row]:
        these = f"No {self.state} games" if self.state else "No games"
        nothing = (
            f"{these}." if self.state else "The games you play appear here. You can also paste the record of a game."
        )
        words = f"{these} match {self.sought!r}." if self.sought else nothing
        return [[(words, Tone.DIM)]] if self.is_read and not self.games else ()

    def search_rows(self) -> list[Row]:
        space = self.query_one("#main-panel").content_size.width or LEAST_WIDTH
        if self.typing is None:
            return [[(self.sought, Tone.STRONG)]] if self.sought else []
        rest: Row = () if self.typing.text else [(QUESTION, Tone.DIM)]
        return [[*self.typing.row(space - INDENT - row_width(rest)), *rest]]

    def footer(self) -> list[tuple[str, str]]:
        return super().footer() if self.typing is None else list(SEARCHING_KEYS)

    def action_search(self) -> None:
        self.type_text(lambda _: "", self.sought)

    def takes_key(self, key: str, character: str | None) -> bool:
        """During a search, Up and Down still move the selection, and Esc ends the search."""
        if self.typing is not None and key in ("up", "down"):
            return False
        if self.typing is not None and key == "escape":
            self.typing.press("ctrl+u")
            self.seek()
        return super().takes_key(key, character)

    def show_typing(self) -> None:
        self.seek()
        self.mark_changed()

    def seek(self) -> None:
        sought = self.sought if self.typing is None else self.typing.text.strip()
        if sought != self.sought:
            self.sought = sought
            self.read_anew()

    def read_anew(self) -> None:
        self.games, self.is_read, self.message = [], False, ()
        self.choices.mark(0)
        self.mark_changed()
        self.ask()

    def action_leave(self) -> None:
        """Go back from a search to all games, or else to the screen below."""
        if self.sought:
            self.sought = ""
            self.read_anew()
        else:
            super().action_leave()

    def action_step(self, by: int) -> None:
        """Move the selection, but not beyond either end. Near the end, load more games."""
        choices = self.choices
        choices.marked = max(0, min(len(choices.entries) - 1, choices.marked + by))
        self.mark_changed(MARKED)
        if self.has_more and choices.marked >= len(self.games) - 1:
            self.ask_for(len(self.games), BATCH)

    def action_page(self, by: int) -> None:
        self.action_step(by * max(1, self.choices.size.height - 2))

    def action_edge(self, by: int) -> None:
        self.action_step(by * 1_000_000)

    def check_actions(self) -> dict[str, bool]:
        """A game can be picked or deleted unless the list is empty. While the list is being read, keys wait for it."""
        return dict.fromkeys(("pick", "delete"), not self.is_read or self.marked_game() is not None)

    def action_filter(self) -> None:
        self.state = FILTERS[(FILTERS.index(self.state) + 1) % len(FILTERS)]
        self.read_anew()

    def marked_game(self) -> Entry | None:
        index = self.choices.marked
        return self.games[index] if 0 <= index < len(self.games) else None

    def action_pick(self) -> None:
        game = self.marked_game()
        self.confirming.asked = ""
        if game is not None:
            open_saved(self, game.number, game.is_over or game.imported)

    def action_delete(self) -> None:
        game, store = self.marked_game(), self.services.store
        if game is None or store is None:
            return
        if self.confirming.confirm("delete"):
            self.message = ()
            self.write(partial(store.delete, game.number), partial(self.drop, game), "delete", keys_wait=True)
        else:
            self.say("Delete this game for good? Press x again to confirm.", Tone.STRONG)

    def drop(self, deleted: Entry, _: object) -> None:
        self.games = [game for game in self.games if game.number != deleted.number]
        self.mark_changed()

    def takes_paste(self, text: str) -> None:
        store = self.services.store
        if self.typing is not None or store is None:
            super().takes_paste(text)
        elif len(text) > LONGEST_PASTE:
            self.say("Too much to paste. Use `onlymove import FILE`.", Tone.SLIP)
        else:
            take = partial(take_pasted, store, text, self.services.library.find_game)
            self.write(take, self.show_taken, "import", keys_wait=True)

    def show_taken(self, text: str) -> None:
        self.read_anew()
        self.say(text, Tone.STRONG)

    def before_key(self, key: str) -> bool:
        if self.confirming.asked and self.find_command(key) != self.confirming.asked:
            self.confirming.asked = ""
            self.say("")
        return False
