"""The list of games: a pitch, what is known, the player's own record; and the game that waits to be finished."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.scene import Role
from textual import events
from textual.widget import Widget

from onlymove_tui.app.messages import Opened, Trouble
from onlymove_tui.app.panels.prose import wrapped
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, TitleBar
from onlymove_tui.app.widgets.canvas import Row, spread
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.panel import Lines
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.store.settings import Switch

NAME_WIDTH = 22
BANNER: tuple[Row, ...] = (
    [("   █▀█ █▀▄ █   █ █ █▄ ▄█ █▀█ █ █ █▀▀", Role.FIRST)],
    [("   █▄█ █ █ █▄▄ ▀█▀ █ ▀ █ █▄█ ▀▄▀ ██▄", Role.SECOND)],
)


class MenuScreen(BaseScreen, screen_id="menu"):
    """What the app opens with. Enter, Enter: a game has begun."""

    def __init__(self) -> None:
        super().__init__()
        self.unfinished: Any = None
        self.due = 0
        self.trouble = ""

    def content(self) -> Iterable[Widget]:
        """A title, the list, one line about what is marked."""
        yield TitleBar()
        yield Lines("banner")
        yield Choices("games")
        yield Lines("pitch")
        yield Lines("message")

    def on_mount(self) -> None:
        """Begin on the first line."""
        self.update_list()

    def on_screen_resume(self) -> None:
        """A game may have been played meanwhile."""
        self.update_list()

    def on_resize(self, event: events.Resize) -> None:
        """Lines depend on the width."""
        self.call_after_refresh(self.update_list)

    def update_list(self) -> None:
        """The list as things stand."""
        if not self.is_built:
            return
        records = self.fetch_records()
        waiting: Row = [(f"{self.due} drill{'s' if self.due > 1 else ''} due", Tone.KEY)] if self.due else []
        heading: Row = [("onlymove", Tone.TITLE), ("  play and train on solved games", Tone.DIM)]
        self.query_one(TitleBar).show(heading, waiting)
        entries: list[list[Row]] = []
        if self.unfinished is not None:
            title = self.services.title_of(self.unfinished.game)
            plies = f"{self.unfinished.plies} move{'s' if self.unfinished.plies != 1 else ''} played"
            entries.append([[(f"Resume {title}".ljust(NAME_WIDTH), Tone.STRONG), (plies, Tone.DIM)], []])
        for card in self.services.cards():
            record = records.get(card.id, "")
            known: Row = [(card.title.ljust(NAME_WIDTH), Tone.TEXT), (card.solved, Tone.KEY)]
            width = self.query_one(Choices).size.width - 4
            entries.append([spread(known, [(record, Tone.STRONG)], width)])
        self.query_one("#banner", Lines).show(BANNER if self.has_room else [])
        self.query_one(Choices).show(entries)
        self.show_pitch()
        self.query_one("#message", Lines).show(self.last_lines(bool(records)))
        self.show_keys()

    def last_lines(self, has_played: bool) -> list[Row]:
        """What is wrong with the store; for a newcomer, how to get a board that lines up."""
        if self.trouble:
            return [[(self.trouble, Tone.ERROR)]]
        if has_played or self.unfinished is not None or self.services.ascii_only:
            return []
        question, advice = "   Do these line up?   ", "   If not, "
        return [
            [(question, Tone.DIM), ("┃●○◆┃▗▖┃", Tone.STRONG), (advice, Tone.DIM), ("a", Tone.KEY),
             (" draws ASCII", Tone.DIM)],
            [(" " * len(question), Tone.DIM), ("┃   ┃  ┃", Tone.STRONG)],
        ]  # fmt: skip

    def action_ascii(self) -> None:
        """Plain ASCII, or not."""
        wanted = Switch.OFF if self.services.ascii_only else Switch.ON
        self.services.change_setting("ascii", wanted)
        self.update_list()
        self.refresh(layout=True)

    def fetch_records(self) -> dict[str, str]:
        """Won, drawn, lost by game; and the unfinished game."""
        store = self.services.store
        if store is None:
            return {}
        self.trouble = store.trouble
        try:
            self.unfinished = store.latest_unfinished()
            self.due = store.drills.count_due()
            return {game: str(tally) for game, tally in store.record().items()}
        except OnlymoveError as trouble:
            self.trouble = str(trouble)
            return {}

    def action_step(self, by: int) -> None:
        """Up or down."""
        choices = self.query_one(Choices)
        choices.mark((choices.marked + by) % max(1, len(choices.entries)))
        self.show_pitch()

    def show_pitch(self) -> None:
        """What the marked game is, in a sentence."""
        game_id = self.marked_game()
        pitch = next((card.pitch for card in self.services.cards() if card.id == game_id), "Where you left it.")
        self.query_one("#pitch", Lines).show(
            [[("   ", Tone.TEXT), *line] for line in wrapped(pitch, max(20, self.app.size.width - 8))]
        )

    @property
    def has_room(self) -> bool:
        """Whether the name can be drawn large."""
        return self.app.size.height >= FULL_HEIGHT and not self.services.ascii_only

    def on_trouble(self, message: Trouble) -> None:
        """A setting could not be kept."""
        self.trouble = message.text
        self.update_list()

    def on_opened(self, message: Opened) -> None:
        """A click opens at once."""
        self.query_one(Choices).mark(message.index)
        self.action_pick()

    def marked_game(self) -> str | None:
        """The id of the marked game; `None` on the line that resumes."""
        index = self.query_one(Choices).marked - (self.unfinished is not None)
        cards = self.services.cards()
        return cards[index].id if 0 <= index < len(cards) else None

    def action_pick(self) -> None:
        """Resume, or set up a game of the marked kind."""
        game_id = self.marked_game()
        if game_id is None:
            self.action_resume()
        else:
            self.services.new_game(game_id)

    def action_resume(self) -> None:
        """The last unfinished game."""
        if self.unfinished is None:
            return
        try:
            self.services.resume(*self.services.saved_match(self.unfinished.number))
        except (OnlymoveError, KeyError) as refusal:
            self.trouble = str(refusal)
            self.query_one("#message", Lines).show([[(self.trouble, Tone.ERROR)]])

    def action_drills(self) -> None:
        """What there is to practise."""
        self.services.show_drills()

    def action_history(self) -> None:
        """All games."""
        self.services.show_history()

    def action_progress(self) -> None:
        """How the player is doing."""
        self.services.show_progress()

    def action_settings(self) -> None:
        """How the app behaves."""
        self.services.show_settings()

    def action_rules(self) -> None:
        """The rules of the marked game."""
        game_id = self.marked_game()
        if game_id is not None:
            self.services.show_rules(game_id)

    def is_possible(self, action: str) -> bool:
        """Nothing to resume, nothing offered."""
        return action != "resume" or self.unfinished is not None
