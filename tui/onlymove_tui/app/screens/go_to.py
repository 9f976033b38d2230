"""The list of positions to which the explorer can jump: extremes of the whole table, and random positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from onlymove_engines.coach.drill import WANTED, Wanted, find_random_position, list_wanted
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.solution import ExtremePositions, Kind
from onlymove_engines.match.limits import POSITION_SECONDS

from onlymove_tui.app.board.workers import make_budget
from onlymove_tui.app.screens.list_screen import ListScreen
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.play.exploring import START

Place = Kind | str | None
"""A line of the list: an extreme, the name of a random position, or `None` for the standard start."""
THE_START = "Standard opening position"
RANDOM = "Random: "
WORDS: Mapping[Kind, tuple[str, str]] = {
    Kind.LONGEST_WIN: ("Longest win", "in {} plies"),
    Kind.NARROWEST_DRAW: ("Narrowest draw", "only one of {} moves draws"),
    Kind.MOST_MISLEADING: ("Most misleading", "a win, but {} moves lose"),
}
FARTHEST = "next capture in {} half-moves"
"""The words for the longest win in a game with points."""


Extremes: TypeAlias = Mapping[Kind, ExtremePositions]


def read_extremes(game: AnyGame) -> Extremes:
    """Read the extreme positions of the game's table. Empty if they were not counted. Call it in a worker. Raises
    OnlymoveError."""
    from onlymove_tables.open import find_counted  # noqa: PLC0415 - numpy and the tables wait for a board

    solution = find_counted(game)
    return {} if solution is None else solution.named


def find_position(services: Services, game: AnyGame, wanted: Wanted) -> tuple[AnyPosition | None, str]:
    """Return a random position of a kind, or `None` and the reason why there is none. Call it in a worker."""
    analyst, note = services.find_analyst(game)
    if analyst is None:
        return None, note
    return find_random_position(game, analyst, services.random, wanted, make_budget(POSITION_SECONDS)), ""


class GoToScreen(ListScreen, screen_id="goto"):
    """Lists positions. Enter passes the selected one and its name to `go_to`."""

    title_row = (("Go to", Tone.TITLE), ("  positions of the solved game", Tone.DIM))

    def __init__(self, game: AnyGame, go_to: Callable[[AnyPosition, str], None]) -> None:
        super().__init__()
        self.game = game
        self.go_to = go_to
        self.named: Extremes = {}
        self.places: Sequence[Place] = ()

    def ask(self) -> None:
        if not self.places:
            self.fetch(partial(read_extremes, self.game), self.show_places, "read", keys_wait=True)

    def show_places(self, named: Extremes) -> None:
        self.named, self.places = named, (None, *named, *list_wanted(self.game))
        self.mark_changed()

    def draw(self) -> None:
        entries: list[list[Row]] = [[row] for row in map(self.row_of, self.places)]
        for place in (len(self.named), 0):
            if place + 1 < len(entries):
                entries[place] = [*entries[place], []]
        self.choices.show(entries)

    def row_of(self, place: Place) -> Row:
        if place is None:
            return [(THE_START, Tone.TEXT)]
        if isinstance(place, str):
            return [(f"{RANDOM}{place}", Tone.TEXT)]
        named, (title, words) = self.named[place], WORDS[place]
        if place is Kind.LONGEST_WIN and self.game.facts.has_margin:
            words = FARTHEST
        return [(f"{title:<18}", Tone.TEXT), (words.format(named.figure), Tone.DIM)]

    def idle_rows(self) -> Sequence[Row]:
        place = self.places[self.choices.marked] if self.places else None
        if not isinstance(place, Kind):
            return ()
        count = self.named[place].count
        such = "No other position in the game is like this" if count == 1 else f"The game has {count:,} such positions"
        return [[(f"{such}, not counting symmetric ones.", Tone.DIM)]]

    def action_step(self, by: int) -> None:
        super().action_step(by)
        self.say("")

    def action_pick(self) -> None:
        if not self.places:
            return
        place, game = self.places[self.choices.marked], self.game
        if isinstance(place, str):
            self.say("Drawing ...", Tone.DIM)
            take = partial(self.show_drawn, place)
            self.fetch(partial(find_position, self.services, game, WANTED[place]), take, "lot", keys_wait=True)
        elif place is None:
            self.arrive(game.default_start(), START)
        else:
            text = self.services.random.choice(self.named[place].positions)
            self.arrive(game.notation.parse_position(text), WORDS[place][0].lower())

    def show_drawn(self, name: str, drawn: tuple[AnyPosition | None, str]) -> None:
        position, note = drawn
        if position is None:
            self.say(note or "No position found. Try again.", Tone.SLIP)
        else:
            self.arrive(position, name)

    def arrive(self, position: AnyPosition, name: str) -> None:
        self.action_leave()
        self.go_to(position, name)
