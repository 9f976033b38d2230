"""`meet`: a game with a person at another login of this host, line by line."""

from __future__ import annotations

import os
import random
import select
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import click
from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame

from onlymove_tui.app.matches import Matches
from onlymove_tui.app.preferences import Preferences
from onlymove_tui.meeting.kept import Drawer
from onlymove_tui.meeting.listing import Listed, tables
from onlymove_tui.meeting.people import oneself
from onlymove_tui.meeting.room import MeetingRoom, find_room
from onlymove_tui.meeting.table_lines import TableLines
from onlymove_tui.meeting.waiting import JoinedTable, OpenTable, Wanted
from onlymove_tui.play.spoken import Voice
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.paths import places

from .console import GAME, draws_ascii, effective, profile_of, show

LOOK_SECONDS = 0.1


class NoTable(OnlymoveError):
    """Nobody waits there."""


@click.command("meet")
@click.argument("game", type=GAME)
@click.option("--code", default="", metavar="CODE", help="Sit down at the table that asks for this code.")
@click.option("--board", "draws", is_flag=True, help="Draw positions instead of describing them.")
@click.pass_context
def meet_command(ctx: click.Context, /, game: AnyGame, code: str, draws: bool) -> int:
    """Play GAME with a person at another login of this host, line by line.

    Goes on with your game of that kind, sits down where somebody waits for one, or waits for somebody.
    """
    settings, profile = effective(ctx.obj), profile_of(ctx.obj)
    found, lines = places(profile), typed()
    room = MeetingRoom(find_room(found.rooms), Drawer(found.seats), oneself(profile), games.load)
    number = wait_at(place_for(room, game, code), lines)
    if number is None:
        return 1
    with closing(GameStore.open(found.games, games.load)) as store:
        matches = Matches(Preferences(settings), random.Random(), store)
        matches.room = room
        match, _ = matches.at_table(number, lambda autosave: autosave)
        with closing(match.table):
            TableLines(match, Voice(show, time.monotonic, draws, draws_ascii(ctx.obj))).run(lines)
    return 0


def place_for(room: MeetingRoom, game: AnyGame, code: str) -> OpenTable | JoinedTable | str:
    """A table to wait at, or the number of one at which the game has begun. Raises OnlymoveError."""
    there = [one for one in tables(room) if one.opening.game == game.id]
    for one in there:
        if one.is_mine:
            return own_place(room, one)
    for one in there:
        if not one.has_begun and one.is_alive and one.opening.has_code == bool(code):
            return JoinedTable.join(room, one.table, code)
    if code:
        raise NoTable("nobody waits at a table with a code")
    seed = random.randrange(2**31)
    start = game.notation.format_position(game.start({}, seed))
    return OpenTable.open(room, Wanted(game.id, start, random.randrange(2)))


def own_place(room: MeetingRoom, one: Listed) -> OpenTable | JoinedTable | str:
    """Where one sits already."""
    kept = room.drawer.get(one.table)
    if one.has_begun or kept is None:
        return one.table
    return JoinedTable.join(room, one.table) if kept.joiner else OpenTable(room, kept)


def wait_at(place: OpenTable | JoinedTable | str, lines: Iterator[str | None]) -> str | None:
    """Until the game begins: the number of its table, or `None` when the player waits no longer; then it is gone."""
    if isinstance(place, str):
        return place
    whom = place.opening.name if isinstance(place, JoinedTable) else place.opening.wanted or "somebody"
    show(f"Waiting for {whom}. Type quit to leave.")
    with closing(place):
        for line in lines:
            if place.look():
                return place.table
            if line == "quit":
                break
        place.withdraw()
    return None


def typed() -> Iterator[str | None]:
    """The player's lines, and `None` whenever none has come for a moment."""
    file, rest = sys.stdin.fileno(), b""
    while True:
        if not select.select([file], [], [], LOOK_SECONDS)[0]:
            yield None
            continue
        data = os.read(file, 1 << 16)
        if not data:
            yield from [rest.decode("utf-8", "replace").strip()] if rest else ()
            return
        *whole, rest = (rest + data).split(b"\n")
        yield from (line.decode("utf-8", "replace").strip() for line in whole)
