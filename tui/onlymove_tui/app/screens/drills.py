"""What there is to practise: the drills that are due, by game, and fresh positions with only one move that holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from onlymove_engines.coach.drill import only_move_positions
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import GameId
from textual.widget import Widget

from onlymove_tui.app.messages import Gathered, Opened
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.widgets.bars import TitleBar
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.panel import Lines
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.drill_round import Practice

NAME_WIDTH = 22
FRESH = 5
"""How many new positions are looked for at a time."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One line: the due drills of a game (`None`: of all), or fresh positions of it."""

    game: GameId | None
    due: int = 0
    is_fresh: bool = False


class DrillsScreen(BaseScreen, screen_id="drills"):
    """A list; Enter begins a round."""

    def __init__(self) -> None:
        super().__init__()
        self.offers: list[Offer] = []
        self.message: Row = ()

    def content(self) -> Iterable[Widget]:
        """Title, list, a line."""
        yield TitleBar()
        yield Choices("list")
        yield Lines("message")

    def on_mount(self) -> None:
        """The list as things stand."""
        self.update_list()

    def on_screen_resume(self) -> None:
        """Drills have been answered meanwhile."""
        self.update_list()

    def update_list(self) -> None:
        """Due drills first, then fresh positions."""
        if not self.is_built:
            return
        try:
            self.offers = self.find_offers()
        except OnlymoveError as trouble:
            self.message = [(str(trouble), Tone.ERROR)]
        self.query_one(TitleBar).show([("Drills", Tone.TITLE), ("  positions to practise", Tone.DIM)])
        self.query_one(Choices).show([[self.row_of(offer)] for offer in self.offers])
        self.query_one("#message", Lines).show([[("   ", Tone.TEXT), *self.message]] if self.message else [])
        self.show_keys()

    def find_offers(self) -> list[Offer]:
        """What can be practised now. Raises StoreTrouble."""
        cards = self.services.cards()
        due: list[Offer] = []
        if self.services.store is not None:
            box = self.services.store.drills
            due = [Offer(card.id, count) for card in cards if (count := box.count_due(card.id))]
            if len(due) > 1:
                due.insert(0, Offer(None, sum(offer.due for offer in due)))
        return [*due, *(Offer(card.id, is_fresh=True) for card in cards if self.can_generate(card.id))]

    def can_generate(self, game_id: GameId) -> bool:
        """Whether one move can be the only one that holds: not where both move at once."""
        return not self.services.find_game(game_id).facts.simultaneous

    def row_of(self, offer: Offer) -> Row:
        """`A game   3 due`, `A game   5 new positions with only one move that holds`."""
        title = next((card.title for card in self.services.cards() if card.id == offer.game), "All games")
        if offer.is_fresh:
            return [(title.ljust(NAME_WIDTH), Tone.TEXT), ("new: only one move holds", Tone.DIM)]
        return [(title.ljust(NAME_WIDTH), Tone.TEXT), (f"{offer.due} due", Tone.KEY)]

    def action_step(self, by: int) -> None:
        """Up or down."""
        choices = self.query_one(Choices)
        choices.mark((choices.marked + by) % max(1, len(self.offers)))

    def on_opened(self, message: Opened) -> None:
        """A click begins."""
        self.query_one(Choices).mark(message.index)
        self.action_pick()

    def action_pick(self) -> None:
        """Begin a round with what is marked."""
        index = self.query_one(Choices).marked
        if not 0 <= index < len(self.offers):
            return
        offer = self.offers[index]
        if offer.is_fresh and offer.game is not None:
            self.message = [("Looking for positions with only one move that holds ...", Tone.DIM)]
            self.update_list()
            self.run_worker(partial(self._gather, offer.game), thread=True, exclusive=True, group="gather")
        else:
            self.begin(offer.game)

    def _gather(self, game_id: GameId) -> None:
        game = self.services.find_game(game_id)
        analyst, note = self.services.find_analyst(game)
        drills: list[Any] = []
        if analyst is not None and not note:
            drills = list(only_move_positions(game, analyst, self.services.random, FRESH))
        self.post_message(Gathered(game_id, drills, note))

    def on_gathered(self, message: Gathered) -> None:
        """Fresh drills were found: into the box, and begin."""
        self.message = ()
        if not message.drills:
            self.message = [(message.note or "None were found this time.", Tone.SLIP)]
            self.update_list()
            return
        self.services.collect_drills(message.drills)
        self.begin(message.game_id)

    def begin(self, game_id: GameId | None) -> None:
        """A round of what is due."""
        store = self.services.store
        queue = [] if store is None else store.drills.due(game_id)
        self.message = ()
        if queue and store is not None:
            practice = Practice(queue, self.services.find_game, self.services.coaching(), store.drills)
            try:
                self.services.begin_drills(practice)
            except OnlymoveError as refusal:
                self.message = [(str(refusal), Tone.ERROR)]
                self.update_list()
        else:
            self.update_list()

    def report(self, practice: Practice) -> None:
        """What came of a round."""
        self.message = [(practice.trouble or practice.headline(), Tone.ERROR if practice.trouble else Tone.STRONG)]
        self.update_list()
