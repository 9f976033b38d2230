"""The commands `drill`, `daily` and `learn`: positions to solve, line by line."""

from __future__ import annotations

import random
from contextlib import closing
from datetime import date
from functools import partial

import click
from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, draw_misleading
from onlymove_engines.core.game import AnyGame

from onlymove_tui.app.launch import Preferences
from onlymove_tui.cli.console import GAME, Caller, board_option, load_games, read_lines, seek_analyst
from onlymove_tui.play.line_mode import DrillLines, LessonLines
from onlymove_tui.play.training import (
    FRESH,
    Course,
    Practice,
    daily_round,
    find_drills,
    find_fresh,
    result_line,
    sort_weakest_first,
)
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import DRILL_STAGES, Milestone
from onlymove_tui.store.settings import Goal


@click.command("drill")
@click.argument("game", type=GAME, required=False)
@click.option(
    "--fresh",
    is_flag=True,
    help="Practise new positions of GAME: easy kinds first, then the kinds that you know least.",
)
@click.option("--against", metavar="ADVICE", help="Practise positions of GAME in which this advice is wrong.")
@board_option
@click.pass_obj
def drill_command(caller: Caller, /, game: AnyGame | None, fresh: bool, against: str | None, draws: bool) -> int:
    """Practise the drills that are due, of GAME or of all games. Each is asked again after a while."""
    settings = caller.read_settings()
    with closing(caller.open_store()) as store:
        found, stage = find_fresh_drills(store, game) if fresh else ([], None)
        if against is not None:
            if game is None:
                raise click.UsageError("--against needs a GAME")
            found += draw_misleading(game, random.Random(), FRESH, against)
        new = store.drills.filter_open(found)
        known = {due.drill for due in new}
        wanted = [facts.id for facts in games.list_games()] if game is None else [game.id]
        queue = [*new, *(due for due in store.drills.list_due(wanted) if due.drill not in known)]
        practice = Practice(queue, games.load, Preferences(settings).coaching(), store.drills.record_answer)
        if not practice.begin():
            click.echo(f"Due drills could not be read: {practice.trouble}" if queue else "No drill is due.")
            return 1
        voice = caller.make_voice(settings, draws)
        names_goal = settings.settings.drill_goal is Goal.SHOWN
        DrillLines(practice, seek_analyst, voice, names_goal).run(read_lines())
        if game is not None and stage is not None and practice.is_complete:
            store.lessons.reach(game.id, stage)
    return 0


def find_fresh_drills(store: GameStore, game: AnyGame | None) -> tuple[list[Drill], Milestone | None]:
    """Return some new positions, and the round of drills that they are for a player who has finished the game's
    lessons. It is `None` if the lessons are not finished or no round is left. Raises UsageError."""
    if game is None:
        raise click.UsageError("--fresh needs a GAME")
    analyst, _ = seek_analyst(game)
    reached = store.lessons.read_game(game.id).reached
    left = [stage for stage in DRILL_STAGES if Milestone.LESSONS in reached and stage not in reached]
    found = find_drills(game, analyst, random.Random(), left[0]) if left else []
    themes = sort_weakest_first(store.drills.count_answers(game.id))
    return found or find_fresh(game, analyst, random.Random(), themes), left[0] if left else None


@click.command("daily")
@click.argument("game", type=GAME, required=False)
@board_option
@click.pass_obj
def daily_command(caller: Caller, /, game: AnyGame | None, draws: bool) -> None:
    """Solve today's position of GAME, or of every game. Your first try counts. At the end you get a line to share."""
    settings, today = caller.read_settings(), date.today()
    names_goal = settings.settings.drill_goal is Goal.SHOWN
    voice, lines = caller.make_voice(settings, draws), read_lines()
    with closing(caller.open_store()) as store:
        book = store.daily
        for one in load_games() if game is None else [game]:
            if one.id in book.read_marks(today):
                continue
            practice = daily_round(one, seek_analyst(one)[0], today, Preferences(settings).coaching(), book)
            if practice is None:
                continue
            DrillLines(practice, seek_analyst, voice, names_goal).run(lines)
            if practice.drill is not None:
                break
        click.echo(result_line(games.list_games(), today, book.read_marks(today), book.streak(today)))


@click.command("learn")
@click.argument("game", type=GAME)
@click.option("--again", is_flag=True, help="Start from the first step, even if you have done some.")
@board_option
@click.pass_obj
def learn_command(caller: Caller, /, game: AnyGame, again: bool, draws: bool) -> int:
    """Learn GAME step by step, in about two minutes. You continue where you left off."""
    settings = caller.read_settings()
    with closing(caller.open_store()) as store:
        done = 0 if again else store.lessons.read_game(game.id).steps
        course = Course(game, Preferences(settings).coaching(), done)
        course.save_steps = partial(store.lessons.finish_step, game.id, len(course.steps))
        if not course.steps:
            click.echo(f"{game.facts.title} has no lessons.")
            return 1
        voice = caller.make_voice(settings, draws)
        lessons = LessonLines(course, seek_analyst, voice)
        lessons.run(read_lines())
        if lessons.is_at_end:
            store.lessons.reach(game.id, Milestone.LESSONS)
    return 0
