"""`drill`, `daily` and `learn`: positions to solve, line by line."""

from __future__ import annotations

import random
import time
from contextlib import closing
from datetime import date
from functools import partial

import click
from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, some_misleading
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame

from onlymove_tui.app.preferences import Preferences
from onlymove_tui.cli.console import GAME, draws_ascii, effective, get_game, profile_of, read_lines, seek_analyst, show
from onlymove_tui.play.drills import FRESH, Practice, daily_round, find_fresh, result_line, weakest_first
from onlymove_tui.play.lessons import Course
from onlymove_tui.play.line_mode import Voice
from onlymove_tui.play.line_tasks import DrillLines, LessonLines
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import places
from onlymove_tui.store.settings import Goal


class NoSuchDrill(OnlymoveError):
    """The game has no drills of the kind that was asked for."""


@click.command("drill")
@click.argument("game", type=GAME, required=False)
@click.option("--fresh", is_flag=True, help="First new positions of GAME, of the kind you know least.")
@click.option("--against", metavar="ADVICE", help="First positions of GAME in which this advice misleads.")
@click.option("--board", "draws", is_flag=True, help="Draw positions instead of describing them.")
@click.pass_context
def drill_command(ctx: click.Context, /, game: AnyGame | None, fresh: bool, against: str | None, draws: bool) -> int:
    """Go through the drills that are due, of GAME or of all games. What is tried comes back."""
    settings = effective(ctx.obj)
    with closing(GameStore.open(places(profile_of(ctx.obj)).games, games.load)) as store:
        found = find_fresh_drills(store, game) if fresh else []
        found += [] if against is None else find_misleading(game, against)
        new = store.drills.open_to(found)
        known = {due.drill for due in new}
        wanted = [card.id for card in games.title_cards()] if game is None else [game.id]
        queue = [*new, *(due for due in store.drills.due(wanted) if due.drill not in known)]
        practice = Practice(queue, games.load, Preferences(settings).coaching(), store.drills)
        if not practice.begin():
            show(f"No drill is due that is understood: {practice.trouble}" if queue else "No drill is due.")
            return 1
        voice = Voice(show, time.monotonic, draws, draws_ascii(ctx.obj))
        names_goal = settings.settings.drill_goal is Goal.SHOWN
        DrillLines(practice, seek_analyst, voice, names_goal).run(read_lines())
    return 0


def find_fresh_drills(store: GameStore, game: AnyGame | None) -> list[Drill]:
    """Some new positions. Raises NoSuchDrill."""
    if game is None:
        raise NoSuchDrill("--fresh: say of which game")
    analyst, _ = seek_analyst(game)
    return find_fresh(game, analyst, random.Random(), weakest_first(store.drills.answers(game.id)))


def find_misleading(game: AnyGame | None, advice: str) -> list[Drill]:
    """Some positions in which a piece of advice misleads. Raises NoSuchDrill or UnknownAdvice."""
    if game is None:
        raise NoSuchDrill("--against: say of which game")
    return list(some_misleading(game, random.Random(), FRESH, advice))


@click.command("daily")
@click.argument("game", type=GAME, required=False)
@click.option("--board", "draws", is_flag=True, help="Draw positions instead of describing them.")
@click.pass_context
def daily_command(ctx: click.Context, /, game: AnyGame | None, draws: bool) -> None:
    """The position of today, of GAME or of all games; the first attempt counts. Ends with a line to share."""
    settings, today = effective(ctx.obj), date.today()
    names_goal = settings.settings.drill_goal is Goal.SHOWN
    voice, lines = Voice(show, time.monotonic, draws, draws_ascii(ctx.obj)), read_lines()
    with closing(GameStore.open(places(profile_of(ctx.obj)).games, games.load)) as store:
        book = store.daily
        for card in games.title_cards():
            if card.id in book.marks(today) or (game is not None and card.id != game.id):
                continue
            found = get_game(card.id)
            if found is None:
                continue
            practice = daily_round(found, seek_analyst(found)[0], today, Preferences(settings).coaching(), book)
            if practice is None:
                continue
            DrillLines(practice, seek_analyst, voice, names_goal).run(lines)
            if practice.drill is not None:
                break
        show(result_line(games.title_cards(), today, book.marks(today), book.streak(today)))


@click.command("learn")
@click.argument("game", type=GAME)
@click.option("--again", is_flag=True, help="From the first step, also if some are done.")
@click.option("--board", "draws", is_flag=True, help="Draw positions instead of describing them.")
@click.pass_context
def learn_command(ctx: click.Context, /, game: AnyGame, again: bool, draws: bool) -> int:
    """Learn GAME step by step, in about two minutes. Goes on where you left off."""
    settings = effective(ctx.obj)
    with closing(GameStore.open(places(profile_of(ctx.obj)).games, games.load)) as store:
        done = 0 if again else store.lessons.done().get(game.id, 0)
        course = Course(game, Preferences(settings).coaching(), done, partial(store.lessons.keep, game.id))
        if not course.steps:
            show(f"{game.title} has no lessons.")
            return 1
        voice = Voice(show, time.monotonic, draws, draws_ascii(ctx.obj))
        LessonLines(course, seek_analyst, voice).run(read_lines())
    return 0
