"""`meet`: a game with a person at another login of this host, line by line."""

from __future__ import annotations

import os
import random
import select
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing

import click
from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.match.clock import read_control

from onlymove_tui.app.matches import Matches
from onlymove_tui.app.preferences import Preferences
from onlymove_tui.lobby.accounts import NoLobby, find_own_person
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge, Terms, join_or_wait
from onlymove_tui.lobby.commitments import SecretsFolder
from onlymove_tui.lobby.line_mode import SharedLineMode
from onlymove_tui.lobby.lobby import OLDER, Lobby, LobbyEntry, find_lobby_folder, has_older, lobby_entries
from onlymove_tui.lobby.record_file import RecordTrouble
from onlymove_tui.lobby.shared_game import shared_of
from onlymove_tui.store.games import Autosave
from onlymove_tui.store.profiles import find_places

from .console import GAME, board_option, effective, make_voice, open_store, profile_of, show

LOOK_SECONDS = 0.1
LIST_SECONDS = 1.0
"""How often whoever waits looks who else does."""
PATIENCE_SECONDS = 5.0
"""After so long somebody who waits in another way, on a screen, is gone to; nobody takes longer to let one sit down."""


ASKED = "ask"
"""What the option of a code stands for where it is written alone."""
MOST_IN_VAIN = 2
"""So many tables of another account that came to nothing are tried, no more."""
CODE_TYPED_WHERE = (
    "others on this host can read your command, so it must not hold a code: write --code alone, at the end, and type"
    " the code when you are asked, or send it as the first line of the input"
)


class NoTable(OnlymoveError):
    """Nobody waits there."""


def refuse_code(_: click.Context, __: click.Parameter, value: str) -> bool:
    """Whether the player wants to type a code. Raises UsageError for one that is in the command itself."""
    if value not in ("", ASKED):
        raise click.UsageError(CODE_TYPED_WHERE)
    return value == ASKED


@click.command("meet")
@click.argument("game", type=GAME)
@click.option(
    "--code", "has_code", is_flag=False, flag_value=ASKED, default="", metavar="", callback=refuse_code,
    help="Sit down at a table that asks for a code: type it when you are asked, or send it as the first line.",
)  # fmt: skip
@board_option
@click.pass_context
def meet_command(ctx: click.Context, /, game: AnyGame, has_code: bool, draws: bool) -> int:
    """Play GAME with a person at another login of this host, line by line.

    Goes on with your game of that kind, sits down where somebody waits for one, or waits for somebody.
    """
    settings, profile = effective(ctx.obj), profile_of(ctx.obj)
    found, lines = find_places(profile), poll_lines()
    room = Lobby(find_lobby_folder(found.rooms), SecretsFolder(found.seats), find_own_person(profile), games.load)
    code = ask_for_code(lines) if has_code else ""
    number = find_own_game(room, game) or Waiter(room, game, code).wait(lines)
    if number is None:
        return 1
    with closing(open_store(ctx)) as store:
        matches = Matches(Preferences(settings), random.Random(), store, room=room)
        match = matches.at_table(number, Autosave)
        with closing(shared_of(match)):
            SharedLineMode(match, make_voice(ctx, draws)).run(lines)
    return 0


def ask_for_code(lines: Iterable[str | None]) -> str:
    """The code that the player types. Raises NoTable if there is none."""
    show("Type the code of the table.")
    code = next((line for line in lines if line is not None), "")
    if not code or code == "quit":
        raise NoTable("no code was typed")
    return code


class Waiter:
    """Somebody who wants a game of a kind: at a table of his own until somebody comes, or at another's until he may sit
    down. `left` are tables that came to nothing, `in_vain` counts them by account."""

    def __init__(self, room: Lobby, game: AnyGame, code: str = "") -> None:
        self.room = room
        self.game = game
        self.code = code
        self.left: set[tuple[int, str]] = set()
        self.in_vain: Counter[int] = Counter()
        self.listed = 0.0
        self.has_told_of_older = False
        self.place = self.find()

    def there(self) -> list[LobbyEntry]:
        """The tables of this kind: one's own, then those of others. An account that has opened many comes after one
        that has opened few."""
        self.listed = self.room.clock()
        there = [one for one in lobby_entries(self.room) if one.opening.game == self.game.id]
        of_account = Counter(one.uid for one in there)
        there = [one for one in there if (one.uid, one.table) not in self.left and not self.is_given_up(one.uid)]
        return sorted(there, key=lambda one: (not one.is_mine, of_account[one.uid]))

    def is_given_up(self, uid: int) -> bool:
        """Whether too many tables of an account came to nothing. One's own is never given up: many may share it."""
        return uid != self.room.who.uid and self.in_vain[uid] >= MOST_IN_VAIN

    def is_free(self, one: LobbyEntry) -> bool:
        """Whether somebody else waits there, for anybody or for whoever knows the code."""
        return one.is_open and one.opening.has_code == bool(self.code)

    def find(self) -> OpenChallenge | JoinedChallenge:
        """Where to wait. Raises OnlymoveError."""
        there = self.there()
        for one in there:
            if one.is_mine and not one.has_begun and (one.is_joining or not one.opening.wanted):
                return join_or_wait(self.room, one.table, one.uid)
        for one in there:
            if not self.is_free(one):
                continue
            try:
                return JoinedChallenge.join(self.room, one.table, one.uid, self.code)
            except NoLobby:
                raise
            except OnlymoveError:
                self.leave(one.uid, one.table)
        if self.code:
            is_wrong = "that is not the code of a table at which somebody waits"
            raise NoTable(is_wrong if self.left else "nobody waits at a table with a code")
        start = self.game.notation.format_position(self.game.start({}, random.randrange(2**31)))
        return OpenChallenge.open(self.room, Terms(self.game.id, start, random.randrange(2)))

    def leave(self, uid: int, table: str) -> None:
        self.left.add((uid, table))
        self.in_vain[uid] += 1

    def wait(self, lines: Iterable[str | None]) -> str | None:
        """Until the game begins: the number of its table, or `None` when the player waits no longer; then the table is
        gone. Raises OnlymoveError."""
        try:
            self.tell()
            for line in lines:
                if self.look():
                    return self.place.table
                if line == "quit":
                    break
                if line:
                    self.tell()
            self.place.withdraw()
        except KeyboardInterrupt:
            self.place.withdraw()
            raise
        finally:
            self.place.close()
        return None

    def tell(self) -> None:
        """Who is waited for, on what terms, and what can be typed."""
        opening = self.place.opening
        whom = opening.name if isinstance(self.place, JoinedChallenge) else opening.wanted or "somebody"
        control = read_control(opening.clock)
        clock = "" if control is None else f" Clock: {control.in_words()}."
        show(f"Waiting for {whom}.{clock} Type quit to leave.")
        if has_older(self.room) and not self.has_told_of_older:
            self.has_told_of_older = True
            show(OLDER)

    def look(self) -> bool:
        """Whether the game has begun; where it will not here, another place is taken. Raises OnlymoveError."""
        try:
            if self.place.look():
                return True
            has_failed = self.is_in_vain()
        except RecordTrouble:
            if isinstance(self.place, OpenChallenge):
                raise
            has_failed = True
        if has_failed:
            if isinstance(self.place, JoinedChallenge):
                self.leave(self.place.opener, self.place.table)
            self.place.withdraw()
            self.place.close()
            self.place = self.find()
            self.tell()
        return False

    def is_in_vain(self) -> bool:
        """Whether there is a better place than this one: another table, or any where an opener lets nobody sit down."""
        place = self.place
        if isinstance(place, OpenChallenge):
            return self.is_beaten(place)
        is_late = abs(self.room.clock() - self.listed) > PATIENCE_SECONDS
        if self.code:
            # Where several tables ask for a code, this may be the wrong one; the only one may well be the right one.
            return is_late and any(self.is_free(one) for one in self.there())
        return is_late or not place.is_alive

    def is_beaten(self, place: OpenChallenge) -> bool:
        """Whether somebody else waits in the same way and did so before: of two who came at the same moment the later
        one goes over. To whoever stays where he is all the same one goes after a while."""
        opening, now = place.opening, self.room.clock()
        if opening.wanted or opening.has_code or abs(now - self.listed) < LIST_SECONDS:
            return False
        own = (opening.time, place.table)
        return any(
            (one.opening.time, one.table) < own or now - one.opening.time > PATIENCE_SECONDS
            for one in self.there()
            if self.is_free(one)
        )


def find_own_game(room: Lobby, game: AnyGame) -> str | None:
    """The number of a table at which one plays such a game already. Raises OnlymoveError."""
    mine = (one.table for one in lobby_entries(room) if one.opening.game == game.id and one.is_mine and one.has_begun)
    return next(mine, None)


def poll_lines() -> Iterator[str | None]:
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
