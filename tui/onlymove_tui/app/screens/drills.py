"""The list of drills: those that are due, new positions by theme, and how many become due in the next days."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import TypeAlias

from onlymove.pictures.colours import Tone
from onlymove_engines.coach.drill import Drill, Origin, draw_misleading
from onlymove_engines.core.facts import GameId
from textual.widget import Widget

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.panels.progress_rows import DAYS, due_day_rows
from onlymove_tui.app.screens.list_screen import ListScreen, draw_session, show_picture, show_usual_start
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.bars import FilledLines, Panel
from onlymove_tui.app.widgets.board_view import NO_PICTURE, Picture, SmallBoard
from onlymove_tui.app.widgets.canvas import Row, Run
from onlymove_tui.play.phrases import DRILL_WORDS
from onlymove_tui.play.training import FRESH, Practice, daily_round, find_fresh, result_line, sort_weakest_first

NAME_WIDTH = 22


@dataclass(frozen=True, slots=True)
class DrillOffer:
    """A line of the list: due drills of a game (`None`: of all games), its position of the day, or new ones."""

    game: GameId | None
    due: int = 0
    themes: Sequence[Origin] = ()
    is_daily: bool = False

    @property
    def kind(self) -> tuple[object, ...]:
        return self.game, self.is_daily, bool(self.themes)


@dataclass(frozen=True, slots=True)
class DrillOffers:
    """The drills that the list offers. `ahead` says how many become due on each day from `today` on, and `later` how
    many of today's are not due yet. `streak` is the number of days in a row on which the player has practised.
    `result` is the line about today's positions of the day, if any was tried."""

    offers: Sequence[DrillOffer]
    ahead: Sequence[int] = ()
    later: int = 0
    streak: int = 0
    today: date = field(default_factory=date.today)
    result: str = ""


Round: TypeAlias = Practice | str
"""A round of drills with its first position loaded, or why there is none."""


def read_offers(services: Services) -> DrillOffers:
    """Return due drills, positions of the day, and new positions, the weakest theme first. Raises StoreTrouble."""
    all_facts, store = services.library.list_facts(), services.store
    if store is None:
        return DrillOffers([DrillOffer(facts.id, themes=sort_weakest_first({})) for facts in all_facts])
    counts, answers = store.drills.count_due_by_game(), store.drills.count_answers
    due = [DrillOffer(facts.id, counts[facts.id]) for facts in all_facts if facts.id in counts]
    if len(due) > 1:
        due.insert(0, DrillOffer(None, sum(offer.due for offer in due)))
    fresh = [DrillOffer(facts.id, themes=sort_weakest_first(answers(facts.id))) for facts in all_facts]
    today = store.find_today()
    results = store.daily.read_results(today)
    daily = [DrillOffer(facts.id, is_daily=True) for facts in all_facts if facts.id not in results]
    result = result_line(all_facts, today, results, store.daily.streak(today))
    ahead, streak = store.drills.count_due_by_day(DAYS), store.drills.streak()
    later = max(0, ahead[0] - sum(counts.values()))
    return DrillOffers([*due, *daily, *fresh], ahead, later, streak, today, result)


def make_due_round(services: Services, game_id: GameId | None, only: Sequence[Drill] = ()) -> Round:
    """Make a round of all due drills, or of those in `only` that are due or new, in a worker."""
    store = services.store
    if store is None:
        return "Games are not saved here, so there are no drills."
    games = [facts.id for facts in services.library.list_facts()] if game_id is None else [game_id]
    queue = store.drills.filter_open(only) if only else store.drills.list_due(games)
    find_game, coaching = services.library.find_game, services.preferences.coaching()
    practice = Practice(queue, find_game, coaching, store.drills, prepare=services.look_up)
    return practice if practice.begin() else practice.trouble


def make_fresh_round(services: Services, game_id: GameId, theme: Origin) -> Round:
    """Find positions on a theme, and make a round of them. Call it in a worker."""
    game = services.library.find_game(game_id)
    analyst, note = services.find_analyst(game)
    drills = [] if analyst is None or note else find_fresh(game, analyst, services.random, [theme])
    if not drills:
        return note or "No position found. Try again."
    return make_due_round(services, game_id, drills)


def make_misleading_round(services: Services, game_id: GameId) -> Round:
    """Make a round of positions in which the game's advice is wrong. Call it in a worker."""
    drills = draw_misleading(services.library.find_game(game_id), services.random, FRESH)
    if not drills:
        return "This game has no advice to practise."
    return make_due_round(services, game_id, drills)


def round_of_today(services: Services, game_id: GameId) -> Round:
    """Make a round of a game's position of the day. Call it in a worker. Raises OnlymoveError."""
    game, store = services.library.find_game(game_id), services.store
    analyst, note = services.find_analyst(game)
    if analyst is None or note or store is None:
        return note or "Nothing is saved here."
    coaching, learned = services.preferences.coaching(), store.lessons.read_game(game_id)
    practice = daily_round(game, analyst, store.find_today(), coaching, store.daily, learned, prepare=services.look_up)
    return practice or "There is no position of the day for this game."


def draw_due(services: Services, game_id: GameId | None) -> Picture:
    due = make_due_round(services, game_id)
    return NO_PICTURE if isinstance(due, str) else draw_session(due.live_game().session, services.ascii_only)


def begin_round(screen: BaseScreen, find: Callable[[], Round], tone: Tone = Tone.DIM, nothing: str = "") -> None:
    """Find a round in a worker and open it. If there is none, show the reason, or `nothing` if there is no reason."""

    def begin(found: Round) -> None:
        if isinstance(found, str):
            screen.say(found or nothing, tone)
            return
        screen.say("")
        if screen.is_current:
            screen.open("drill", found)

    screen.fetch(find, begin, "round", keys_wait=True)


class DrillsScreen(ListScreen[DrillOffer], screen_id="drills"):
    """Lists drills. Enter begins a round. Left and Right choose the theme of new positions."""

    footer_names = ("pick", "theme", "all_drills", "copy_result", "leave", "help")
    title_row = (("Drills", Tone.TITLE), ("  positions to practise", Tone.DIM))

    def __init__(self) -> None:
        super().__init__()
        self.known = DrillOffers(())
        self.themes: dict[GameId | None, Origin] = {}

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(SmallBoard(), id="picture-panel")
        yield Panel(FilledLines("detail"), id="days-panel", title="Coming days")

    def on_mount(self) -> None:
        self.follow_calendar(lambda: self.known.today)

    def ask(self) -> None:
        def take(known: DrillOffers) -> None:
            """Show these drills. The selection stays on its line even if drills have become due above it."""
            kinds, marked = [offer.kind for offer in known.offers], self.marked_line
            self.known, self.lines = known, known.offers
            if marked is not None and marked.kind in kinds:
                self.choices.marked = kinds.index(marked.kind)
            self.mark_changed()

        self.fetch(partial(read_offers, self.services), take, "read", keys_wait=not self.known.offers)

    def find_theme(self, offer: DrillOffer) -> Origin:
        """Return the theme chosen in this line. At first it is the player's weakest."""
        return self.themes.get(offer.game, offer.themes[0])

    def draw(self) -> None:
        self.query_one("#days-panel", Panel).display = bool(self.known.ahead)
        self.query_one("#detail", FilledLines).show_filled(self.day_rows)
        super().draw()

    def day_rows(self, width: int) -> Sequence[Row]:
        known = self.known
        rows = due_day_rows(known.ahead, known.today, width) if known.ahead else []
        if known.later:
            drills = "1 more drill comes" if known.later == 1 else f"{known.later} more drills come"
            rows += [[(f"{drills} back later today.", Tone.TEXT)]]
        if known.streak:
            rows += [[(f"{known.streak}-day streak", Tone.STRONG)]]
        return [*rows, *paragraph_rows(known.result, width)] if known.result else rows

    def show_marked(self) -> None:
        if (offer := self.marked_line) is None:
            return
        about = f"drill 1 of {offer.due}" if offer.due > 1 else ""
        self.query_one("#picture-panel", Panel).set_title(self.find_title(offer), about)
        if offer.due:
            show_picture(self, offer.game or "", f"due {offer.due}", partial(draw_due, self.services, offer.game))
        elif offer.game is not None:
            show_usual_start(self, offer.game)

    def find_title(self, offer: DrillOffer) -> str:
        return "All games" if offer.game is None else self.services.library.find_title(offer.game)

    def group_of(self, line: DrillOffer) -> object:
        return line.is_daily, bool(line.themes)

    def rows_of(self, line: DrillOffer) -> Sequence[Row]:
        name: Run = self.find_title(line).ljust(NAME_WIDTH), Tone.TEXT
        if line.is_daily:
            return [[name, ("position of the day", Tone.HINT)]]
        if not line.themes:
            return [[name, (f"{line.due} due now", Tone.KEY)]]
        words = f"new: {DRILL_WORDS[self.find_theme(line)]}"
        shown = f"◂ {words} ▸" if line is self.marked_line else f"  {words}"
        return [[(self.find_title(line).ljust(NAME_WIDTH - 2), Tone.TEXT), (shown, Tone.DIM)]]

    def check_actions(self) -> dict[str, bool]:
        is_new = self.marked_line is not None and bool(self.marked_line.themes)
        return {"theme": is_new, "copy_result": bool(self.known.result)}

    def action_theme(self, by: int) -> None:
        if (offer := self.marked_line) is not None:
            place = offer.themes.index(self.find_theme(offer)) + by
            self.themes[offer.game] = offer.themes[place % len(offer.themes)]
            self.mark_changed()

    def action_step(self, by: int) -> None:
        self.step(by)
        self.mark_changed()

    def action_copy_result(self) -> None:
        self.copy(self.known.result, "your result")

    def action_pick(self) -> None:
        if (offer := self.marked_line) is None:
            return
        find = partial(make_due_round, self.services, offer.game)
        if offer.is_daily and offer.game is not None:
            self.say("Looking for today's position...", Tone.DIM)
            find = partial(round_of_today, self.services, offer.game)
        elif offer.themes and offer.game is not None:
            self.say("Looking for positions...", Tone.DIM)
            find = partial(make_fresh_round, self.services, offer.game, self.find_theme(offer))
        begin_round(self, find, Tone.SLIP)

    def report(self, practice: Practice) -> None:
        self.say(practice.trouble or practice.headline(), Tone.ERROR if practice.trouble else Tone.STRONG)
