"""The games that were played, the latest first: open one to go through it, or to go on with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from textual.message import Message
from textual.widget import Widget

from onlymove_tui.app.panels import history_rows
from onlymove_tui.app.screens.base_screen import LEAST_WIDTH
from onlymove_tui.app.screens.opening_screen import OpeningScreen
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.app.widgets.panel import Lines, Panel
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import STATES, Entry, Filter, GameNumber

BATCH = 200
FILTERS = (None, *STATES)


@dataclass
class GamesRead(Message):
    """Games of a state, from the top of the list or going on from `offset`; `has_more`: there may be others."""

    state: str | None
    offset: int
    games: list[Entry]
    has_more: bool


@dataclass
class GameDeleted(Message):
    """A game is gone."""

    number: GameNumber


def read_games(store: GameStore | None, state: str | None, offset: int, limit: int) -> GamesRead:
    """The next games of the list; for a worker. Raises StoreTrouble."""
    games = [] if store is None else store.list(limit, Filter(state=state), offset)
    return GamesRead(state, offset, games, has_more=len(games) == limit)


def delete_game(store: GameStore, number: GameNumber) -> GameDeleted:
    """Take a game away for good; for a worker. Raises StoreTrouble."""
    store.delete(number)
    return GameDeleted(number)


class HistoryScreen(OpeningScreen, screen_id="history"):
    """A list that grows as one goes down it."""

    def __init__(self) -> None:
        super().__init__()
        self.games: list[Entry] = []
        self.state: str | None = None
        self.is_read = self.has_more = False
        self.doomed: GameNumber | None = None

    def main(self) -> Iterable[Widget]:
        """The names of the columns, the games."""
        yield Lines("head")
        yield Choices("list")

    def show_marked(self) -> None:
        """How the marked game stands, or how it ended."""
        if not self.is_framed:
            return
        game = self.marked_game()
        title = "" if game is None else self.services.title_of(game.game)
        self.query_one("#picture-panel", Panel).name_it(title, "" if game is None else history_rows.moves(game))
        facts: list[Row] = []
        if game is not None:
            self.picture_saved(game)
            facts = [[(history_rows.opposed(game), Tone.DIM)]]
        self.query_one("#facts", Lines).show(facts)

    def ask(self) -> None:
        """The list from its top, as long as it has been read so far."""
        self.ask_for(0, max(BATCH, len(self.games)))

    def ask_for(self, offset: int, limit: int) -> None:
        """So many games from there on."""
        self.fetch(partial(read_games, self.services.store, self.state, offset, limit), "read", keys_wait=True)

    def on_games_read(self, message: GamesRead) -> None:
        """The mark stays where it is, unless another list has been asked for."""
        if message.state == self.state:
            self.is_read, self.has_more = True, message.has_more
            self.games[message.offset :] = message.games
            self.redraw()

    def draw(self) -> None:
        """The list as far as it was read."""
        self.show_title([("Games", Tone.TITLE), (f"  {self.state or 'all'}", Tone.DIM)])
        room = (self.choices.size.width or LEAST_WIDTH) - INDENT
        columns = history_rows.shown(history_rows.columns(self.services.title_of), room)
        head: Row = [(" " * INDENT, Tone.TEXT), *history_rows.heading(columns)]
        self.query_one("#head", Lines).show([head] if self.games else [])
        self.choices.show([[history_rows.game_row(columns, game)] for game in self.games])

    def silence(self) -> Sequence[Row]:
        """An empty list says so."""
        return [[("No games here yet.", Tone.DIM)]] if self.is_read and not self.games else ()

    def action_step(self, by: int) -> None:
        """Up or down, never past either end; near the end more games are fetched."""
        choices = self.choices
        choices.mark(choices.marked + by)
        if self.has_more and choices.marked >= len(self.games) - 1:
            self.ask_for(len(self.games), BATCH)

    def action_page(self, by: int) -> None:
        """One page."""
        self.action_step(by * max(1, self.choices.size.height - 2))

    def action_edge(self, by: int) -> None:
        """To either end."""
        self.action_step(by * 1_000_000)

    def action_filter(self) -> None:
        """All, unfinished, won, drawn, lost, all."""
        self.state = FILTERS[(FILTERS.index(self.state) + 1) % len(FILTERS)]
        self.games, self.is_read, self.message = [], False, ()
        self.choices.mark(0)
        self.redraw()
        self.ask()

    def marked_game(self) -> Entry | None:
        """The game on the marked line."""
        index = self.choices.marked
        return self.games[index] if 0 <= index < len(self.games) else None

    def action_pick(self) -> None:
        """Go on with an unfinished game, go through a finished one."""
        game = self.marked_game()
        if game is not None:
            self.open_saved(game.number, game.is_over or game.imported)

    def action_delete(self) -> None:
        """Take a game away, after asking once."""
        game, store = self.marked_game(), self.services.store
        if game is None or store is None:
            return
        if self.doomed == game.number:
            self.doomed, self.message = None, ()
            self.write(partial(delete_game, store, game.number), "delete", keys_wait=True)
        else:
            self.doomed = game.number
            self.say("Delete this game? x again takes it away for good.", Tone.STRONG)

    def on_game_deleted(self, message: GameDeleted) -> None:
        """Its line goes."""
        self.games = [game for game in self.games if game.number != message.number]
        self.redraw()

    def before_key(self, key: str) -> bool:
        """Any key but the same again withdraws the question."""
        if self.doomed is not None and not self.is_key_of(key, "delete"):
            self.doomed = None
            self.say("")
        return False
