"""What there is to practise: the drills that are due, by game, and fresh positions with only one move that holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from onlymove_engines.coach.drill import Drill, only_move_positions
from onlymove_engines.core.game import GameId
from textual.message import Message

from onlymove_tui.app.screens.list_screen import ListScreen
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.canvas import Row
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


@dataclass
class OffersRead(Message):
    """What can be practised now."""

    offers: Sequence[Offer]


@dataclass
class RoundReady(Message):
    """A round of drills is there, and its first position is understood; or `note` says why there is none."""

    practice: Practice | None
    note: str = ""


def read_offers(services: Services) -> OffersRead:
    """Due drills first, then fresh positions, where one move can be the only one that holds: not where both move at
    once. For a worker. Raises StoreTrouble."""
    cards, store = services.cards(), services.store
    due: list[Offer] = []
    if store is not None:
        due = [Offer(card.id, count) for card in cards if (count := store.drills.count_due(card.id))]
    if len(due) > 1:
        due.insert(0, Offer(None, sum(offer.due for offer in due)))
    able = [card.id for card in cards if not services.find_game(card.id).facts.simultaneous]
    return OffersRead([*due, *(Offer(game, is_fresh=True) for game in able)])


def due_round(services: Services, game_id: GameId | None, only: Sequence[Drill] = ()) -> RoundReady:
    """A round of what is due, or of `only` these; for a worker. Raises OnlymoveError when its first position is not
    understood."""
    store = services.store
    if store is None:
        return RoundReady(None, "No games are kept here, so there are no drills.")
    wanted = {(drill.position, drill.seat) for drill in only}
    queue = [due for due in store.drills.due(game_id) if not only or (due.drill.position, due.drill.seat) in wanted]
    if not queue:
        return RoundReady(None)
    practice = Practice(queue, services.find_game, services.coaching(), store.drills)
    practice.match()
    return RoundReady(practice)


def fresh_round(services: Services, game_id: GameId) -> RoundReady:
    """Look for positions in which one move alone holds, put them into the box, and begin; for a worker."""
    game = services.find_game(game_id)
    analyst, note = services.find_analyst(game)
    drills = [] if analyst is None or note else list(only_move_positions(game, analyst, services.random, FRESH))
    if not drills:
        return RoundReady(None, note or "None were found this time.")
    services.collect_drills(drills)
    return due_round(services, game_id)


class DrillsScreen(ListScreen, screen_id="drills"):
    """A list; Enter begins a round."""

    heading = (("Drills", Tone.TITLE), ("  positions to practise", Tone.DIM))

    def __init__(self) -> None:
        super().__init__()
        self.offers: Sequence[Offer] = ()

    def ask(self) -> None:
        """Drills may have been answered meanwhile."""
        self.fetch(partial(read_offers, self.services), "read", keys_wait=not self.offers)

    def on_offers_read(self, message: OffersRead) -> None:
        """The list is known."""
        self.offers = message.offers
        self.redraw()

    def draw(self) -> None:
        """A line for each offer."""
        self.choices.show([[self.row_of(offer)] for offer in self.offers])

    def row_of(self, offer: Offer) -> Row:
        """`A game   3 due`, `A game   new: only one move holds`."""
        title = "All games" if offer.game is None else self.services.title_of(offer.game)
        if offer.is_fresh:
            return [(title.ljust(NAME_WIDTH), Tone.TEXT), ("new: only one move holds", Tone.DIM)]
        return [(title.ljust(NAME_WIDTH), Tone.TEXT), (f"{offer.due} due", Tone.KEY)]

    def action_pick(self) -> None:
        """Begin a round with what is marked."""
        index = self.choices.marked
        if not 0 <= index < len(self.offers):
            return
        offer = self.offers[index]
        if offer.is_fresh and offer.game is not None:
            self.say("Looking for positions with only one move that holds ...", Tone.DIM)
            self.fetch(partial(fresh_round, self.services, offer.game), "round")
        else:
            self.fetch(partial(due_round, self.services, offer.game), "round", keys_wait=True)

    def on_round_ready(self, message: RoundReady) -> None:
        """Begin, or say why not."""
        self.say(message.note, Tone.SLIP)
        if message.practice is None:
            self.ask()
        elif self.is_current:
            self.services.begin_drills(message.practice)

    def report(self, practice: Practice) -> None:
        """What came of a round."""
        self.say(practice.trouble or practice.headline(), Tone.ERROR if practice.trouble else Tone.STRONG)
