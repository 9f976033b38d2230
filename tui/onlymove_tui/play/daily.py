"""The positions of a day, one a game, the same for everybody: rounds of drills, and a line that tells the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from onlymove_engines.coach.daily import daily_drill
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.games import TitleCard
from onlymove_engines.match.terms import Coaching

from onlymove_tui.play.drill_round import Practice
from onlymove_tui.store.daily import DailyBook, DailyBox, Mark
from onlymove_tui.store.drills import NEW, Due

SIGNS: Mapping[Mark | None, str] = {Mark.RIGHT: "✓", Mark.HINTED: "(✓)", Mark.WRONG: "✗", None: "·"}


def daily_round(game: AnyGame, analyst: AnyAnalyst, day: date, coaching: Coaching, book: DailyBook) -> Practice | None:
    """The position of a day as a round of one; `None` where the game has none. Takes seconds in a searched game.
    Raises OnlymoveError."""
    drill = daily_drill(game, analyst, day.toordinal())
    if drill is None:
        return None
    find: Callable[[GameId], AnyGame] = {game.id: game}.__getitem__
    practice = Practice([Due(NEW, drill, 0, 0)], find, coaching, DailyBox(book, day, game.id))
    practice.match()
    return practice


def result_line(cards: Sequence[TitleCard], day: date, marks: Mapping[GameId, Mark], streak: int) -> str:
    """A day without spoilers, to be pasted: `onlymove 2026-11-21  One Game ✓  Another ✗  1 of 2, 3 days in a row`."""
    games = "  ".join(f"{card.title} {SIGNS[marks.get(card.id)]}" for card in cards)
    right = sum(mark is not Mark.WRONG for mark in marks.values())
    run = f", {streak} days in a row" if streak > 1 else ""
    return f"onlymove {day.isoformat()}  {games}  {right} of {len(cards)}{run}"
