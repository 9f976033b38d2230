"""`daily`: the positions of today that were not tried yet, line by line, and how they went."""

from __future__ import annotations

import time
from contextlib import closing
from datetime import date

import click
from onlymove_engines import games
from onlymove_engines.core.game import AnyGame

from onlymove_tui.app.preferences import Preferences
from onlymove_tui.play.drills import daily_round, result_line
from onlymove_tui.play.line_drills import DrillLines
from onlymove_tui.play.line_mode import Voice
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import places
from onlymove_tui.store.settings import Goal

from .console import GAME, draws_ascii, effective, get_game, profile_of, read_lines, seek_analyst, show


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
