"""The list of games: a pitch, what is known, the player's own record; and the game that waits to be finished."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from onlymove_engines.core.game import GameId
from onlymove_engines.core.scene import Role
from onlymove_engines.games import TitleCard
from textual.message import Message
from textual.widget import Widget

from onlymove_tui.app.panels.prose import paragraph
from onlymove_tui.app.screens.base_screen import LEAST_WIDTH
from onlymove_tui.app.screens.opening_screen import OpeningScreen
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, TitleBar
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.app.widgets.panel import Lines
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.progress import Tally
from onlymove_tui.store.rows import Entry
from onlymove_tui.store.settings import Switch

NAME_WIDTH = 22
BANNER: tuple[Row, ...] = (
    [("   █▀█ █▀▄ █   █ █ █▄ ▄█ █▀█ █ █ █▀▀", Role.FIRST)],
    [("   █▄█ █ █ █▄▄ ▀█▀ █ ▀ █ █▄█ ▀▄▀ ██▄", Role.SECOND)],
)


@dataclass
class MenuRead(Message):
    """What the store says: results by game, the game that waits to be finished, how many drills are due; or why what
    is played now is not kept."""

    records: Mapping[GameId, Tally] = field(default_factory=dict)
    unfinished: Entry | None = None
    due: int = 0
    trouble: str = ""


def read_menu(store: GameStore | None) -> MenuRead:
    """Ask the store; for a worker. Raises StoreTrouble."""
    if store is None:
        return MenuRead()
    return MenuRead(store.record(), store.latest_unfinished(), store.drills.count_due(), store.trouble)


class MenuScreen(OpeningScreen, screen_id="menu"):
    """What the app opens with. Enter, Enter: a game has begun."""

    heading = (("onlymove", Tone.TITLE), ("  play and train on solved games", Tone.DIM))

    def __init__(self) -> None:
        super().__init__()
        self.known: MenuRead | None = None

    def content(self) -> Iterable[Widget]:
        """A title, the list, one line about what is marked."""
        yield TitleBar()
        yield Lines("banner")
        yield Choices("games")
        yield Lines("pitch")
        yield Lines("message")

    def ask(self) -> None:
        """A game may have been played meanwhile. The first time the mark may still move, so keys wait."""
        store = self.services.store
        self.fetch(lambda: read_menu(store), "read", keys_wait=self.known is None)

    def on_menu_read(self, message: MenuRead) -> None:
        """The store has answered. The mark stays on its game when a line above it comes or goes."""
        marked = self.marked_game()
        self.known = message
        self.message = [(message.trouble, Tone.ERROR)] if message.trouble else ()
        self.redraw()
        ids = [card.id for card in self.services.cards()]
        if marked in ids and self.choices.marked:
            self.choices.mark(ids.index(marked) + (self.unfinished is not None))
        self.show_pitch()

    @property
    def unfinished(self) -> Entry | None:
        """The game that waits to be finished."""
        return None if self.known is None else self.known.unfinished

    def draw(self) -> None:
        """The games, above them the one that waits."""
        due = 0 if self.known is None else self.known.due
        waiting: Row = [(f"{due} drill{'s' if due > 1 else ''} due", Tone.KEY)] if due else []
        self.query_one(TitleBar).show(self.heading, waiting)
        self.query_one("#banner", Lines).show(BANNER if self.has_room else [])
        self.choices.show([*self.resume_lines(), *map(self.game_lines, self.services.cards())])
        self.show_pitch()

    def resume_lines(self) -> list[list[Row]]:
        """The game that waits, with a gap under it."""
        if (game := self.unfinished) is None:
            return []
        played = f"{game.moves} move{'s' if game.moves > 1 else ''} played" if game.moves else "at its start"
        title = f"Resume {self.services.title_of(game.game)}"
        return [[[(f"{title}  ".ljust(NAME_WIDTH), Tone.STRONG), (played, Tone.DIM)], []]]

    def game_lines(self, card: TitleCard) -> list[Row]:
        """Its name, what is known, the player's record: in one line where that fits."""
        tally = None if self.known is None else self.known.records.get(card.id)
        record = "" if tally is None else str(tally)
        room = (self.choices.size.width or LEAST_WIDTH) - INDENT - NAME_WIDTH - 1
        name = (card.title.ljust(NAME_WIDTH), Tone.TEXT)
        if len(card.solved) + 2 + len(record) <= room:
            gap = " " * (room - len(card.solved) - len(record))
            return [[name, (card.solved, Tone.KEY), (gap, Tone.TEXT), (record, Tone.STRONG)]]
        first, *rest = [(line, Tone.KEY) for line in textwrap.wrap(card.solved, room)]
        rest += [(record, Tone.STRONG)] if record else []
        return [[name, first], *([(" " * NAME_WIDTH, Tone.TEXT), line] for line in rest)]

    def silence(self) -> Sequence[Row]:
        """For a newcomer, how to get a board that lines up."""
        is_new = self.known is not None and not self.known.records and self.unfinished is None
        if not is_new or self.services.ascii_only:
            return ()
        question, advice = "Do these line up?   ", "   If not, "
        return [
            [(question, Tone.DIM), ("┃●○◆┃▗▖┃", Tone.STRONG), (advice, Tone.DIM), ("a", Tone.KEY),
             (" draws ASCII", Tone.DIM)],
            [(" " * len(question), Tone.DIM), ("┃   ┃  ┃", Tone.STRONG)],
        ]  # fmt: skip

    def action_ascii(self) -> None:
        """Plain ASCII, or not."""
        self.services.change_setting("ascii", (Switch.OFF if self.services.ascii_only else Switch.ON).value)
        self.redraw()
        self.refresh(layout=True)

    def action_step(self, by: int) -> None:
        """Up or down."""
        super().action_step(by)
        self.show_pitch()

    def show_pitch(self) -> None:
        """What the marked game is, in a sentence."""
        game_id = self.marked_game()
        pitch = next((card.pitch for card in self.services.cards() if card.id == game_id), "Where you left it.")
        lines = paragraph(pitch, max(20, self.app.size.width - 8))
        self.query_one("#pitch", Lines).show([[(" " * INDENT, Tone.TEXT), *line] for line in lines])

    @property
    def has_room(self) -> bool:
        """Whether the name can be drawn large."""
        return self.app.size.height >= FULL_HEIGHT and not self.services.ascii_only

    def marked_game(self) -> GameId | None:
        """The id of the marked game; `None` on the line that resumes."""
        index = self.choices.marked - (self.unfinished is not None)
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
        if self.unfinished is not None:
            self.open_saved(self.unfinished.number, is_over=False)

    def action_drills(self) -> None:
        """What there is to practise."""
        self.services.show_drills()

    def action_history(self) -> None:
        """All games."""
        self.services.show_history()

    def action_progress(self) -> None:
        """How the player is doing."""
        self.services.show_progress()

    def action_rules(self) -> None:
        """The rules of the marked game."""
        game_id = self.marked_game()
        if game_id is not None:
            self.services.show_rules(game_id)

    def is_possible(self, action: str) -> bool:
        """Nothing to resume, nothing offered."""
        return action != "resume" or self.unfinished is not None
