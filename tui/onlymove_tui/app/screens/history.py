"""The games that were played, the latest first: open one to go through it, or to go on with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from onlymove_engines.core.errors import OnlymoveError
from textual import events
from textual.widget import Widget

from onlymove_tui.app.messages import Opened
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.widgets.bars import TitleBar
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.panel import Lines
from onlymove_tui.app.widgets.tones import AnyTone, Tone
from onlymove_tui.store.rows import STATES, Filter

BATCH = 200
MOMENT, DAY = "%Y-%m-%d %H:%M", "%Y-%m-%d"
FILTERS = (None, *STATES)


class HistoryScreen(BaseScreen, screen_id="history"):
    """A list that grows as one goes down it."""

    def __init__(self) -> None:
        super().__init__()
        self.games: list[Any] = []
        self.state: str | None = None
        self.message: Row = ()
        self.doomed: int | None = None

    def content(self) -> Iterable[Widget]:
        """Title, games, a line."""
        yield TitleBar()
        yield Choices("list")
        yield Lines("message")

    def on_mount(self) -> None:
        """The latest games."""
        self.read(anew=True)

    def on_resize(self, event: events.Resize) -> None:
        """Lines depend on the width."""
        self.call_after_refresh(self.show_games)

    def read(self, anew: bool) -> None:
        """The next games of the list, or the list from its top."""
        if anew:
            self.games = []
        try:
            more = (
                self.services.store.list(BATCH, Filter(state=self.state), len(self.games))
                if self.services.store
                else []
            )
            self.games += more
        except OnlymoveError as trouble:
            self.message = [(str(trouble), Tone.ERROR)]
        self.show_games(0 if anew else None)

    def show_games(self, marked: int | None = None) -> None:
        """The list as it stands."""
        heading: Row = [("Games", Tone.TITLE), (f"  {self.state or 'all'}", Tone.DIM)]
        self.query_one(TitleBar).show(heading)
        self.query_one(Choices).show([[self.row_of(game)] for game in self.games], marked)
        empty: Row = [("No games here yet.", Tone.DIM)]
        line = self.message or (() if self.games else empty)
        self.query_one("#message", Lines).show([[("   ", Tone.TEXT), *line]] if line else [])
        self.show_keys()

    def row_of(self, game: Any) -> Row:
        """One game: when, which, how it ended; where there is room, the time of day and against whom."""
        is_narrow = self.has_class("-narrow")
        title = next((card.title for card in self.services.cards() if card.id == game.game), game.game)
        tone: AnyTone = Tone.DIM
        unfinished = "open" if game.imported else "going on"
        word = unfinished if not game.is_over else "drawn" if game.winner is None else "over"
        if game.is_over and game.own is not None and game.winner is not None:
            word, tone = ("won", Tone.WIN) if game.winner == game.own else ("lost", Tone.LOSS)
        score = "" if game.score is None else f" {game.score[0]}-{game.score[1]}"
        return [
            (f"{game.changed.astimezone():{DAY if is_narrow else MOMENT}}  ", Tone.DIM),
            (title.ljust(20), Tone.TEXT),
            (f"{word}{score}".ljust(12), tone),
            (f"{game.plies:>3} move{' ' if game.plies == 1 else 's'}", Tone.DIM),
            ("" if is_narrow else f"  {opposed(game)}", Tone.DIM),
        ]

    def action_step(self, by: int) -> None:
        """Up or down; near the end more games are fetched."""
        choices = self.query_one(Choices)
        choices.mark(choices.marked + by)
        if choices.marked >= len(self.games) - 1 and len(self.games) % BATCH == 0 and self.games:
            self.read(anew=False)

    def action_page(self, by: int) -> None:
        """One page."""
        self.action_step(by * max(1, self.query_one(Choices).size.height - 2))

    def action_edge(self, by: int) -> None:
        """To either end."""
        self.action_step(by * 1_000_000)

    def action_filter(self) -> None:
        """All, unfinished, won, drawn, lost, all."""
        self.state = FILTERS[(FILTERS.index(self.state) + 1) % len(FILTERS)]
        self.message = ()
        self.read(anew=True)

    def on_opened(self, message: Opened) -> None:
        """A click opens."""
        self.query_one(Choices).mark(message.index)
        self.action_open()

    def action_open(self) -> None:
        """Go on with an unfinished game, go through a finished one."""
        index = self.query_one(Choices).marked
        if not 0 <= index < len(self.games):
            return
        game = self.games[index]
        try:
            if game.is_over or game.imported:
                self.services.review(*self.services.saved_match(game.number))
            else:
                self.services.resume(*self.services.saved_match(game.number))
        except (OnlymoveError, KeyError) as refusal:
            self.message = [(str(refusal), Tone.ERROR)]
            self.show_games()

    def action_delete(self) -> None:
        """Take a game away, after asking once."""
        index = self.query_one(Choices).marked
        if not 0 <= index < len(self.games):
            return
        number = self.games[index].number
        if self.doomed != number:
            self.doomed = number
            self.message = [("Delete this game? x again takes it away for good.", Tone.STRONG)]
        elif self.services.store is not None:
            self.services.store.delete(number)
            self.games.pop(index)
            self.message = ()
        self.show_games()

    def before_key(self, key: str) -> bool:
        """Any key but the same again withdraws the question."""
        if self.doomed is not None and not self.is_key_of(key, "delete"):
            self.doomed, self.message = None, ()
            self.show_games()
        return False


def opposed(game: Any) -> str:
    """Who sat there, in a word or two: `engine 70`, `two people`, `imported`."""
    engines = [player.strength for player in game.players if not player.is_human]
    if game.imported:
        return "imported"
    return f"engine {engines[0]}" if len(engines) == 1 else "two engines" if engines else "two people"
