"""A room in a folder of its own, with people of this account who meet in it, and a time that only tests make go on."""

from __future__ import annotations

import json
import os
from pathlib import Path

from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games import UnknownGame
from onlymove_tui.lobby.accounts import find_own_person
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge, Terms, new_id
from onlymove_tui.lobby.commitments import SecretsFolder
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.messages import VERSION
from onlymove_tui.lobby.shared_game import SharedGame

from tests.tui.tiny_duel import tiny_duel
from tests.tui.tiny_game import tiny_game

CARDS = {game.id: game for game in (tiny_game(), tiny_duel())}


class Time:
    """Stands still until it is told to go on; begins now, since files have their times from the system."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def find_game(game_id: GameId) -> AnyGame:
    """The small games of the tests. Raises UnknownGame."""
    if game_id not in CARDS:
        raise UnknownGame(f"no game '{game_id}'")
    return CARDS[game_id]


def room_of(folder: Path, name: str, clock: Time) -> Lobby:
    """The room as a profile of this account sees it."""
    return Lobby(folder / "rooms", SecretsFolder(folder / name / "seats"), find_own_person(name), find_game, clock)


def wanted(game_id: str = "tiny", **terms: object) -> Terms:
    """A game from its usual start; the opener sits first."""
    game = CARDS[game_id]
    return Terms(**{"game": game_id, "start": game.notation.format_position(game.default_start()), "seat": 0, **terms})  # type: ignore[arg-type]


def begun(first: Lobby, second: Lobby, terms: Terms) -> tuple[SharedGame, SharedGame]:
    """Both at a table at which the game has begun."""
    opened = OpenChallenge.open(first, terms)
    joined = JoinedChallenge.join(second, opened.challenge_id, first.who.uid, opened.code)
    assert opened.look()
    assert joined.look()
    opened.close()
    joined.close()
    return first.resume_game(opened.challenge_id), second.resume_game(opened.challenge_id)


def forge(room: Lobby, **terms: object) -> str:
    """A record that a stranger has written: a table that he opens."""
    table = new_id()
    line = {"do": "open", "time": 1.0, "version": VERSION, "table": table, "name": "eve", "seat": 0}
    line |= {"game": "tiny", "start": "3,4 0"} | terms
    room.folders.check()
    path = room.new_record(f"{table}.table")
    path.write_text(json.dumps(line) + "\n")
    path.chmod(0o644)
    return table


def stay(room: Lobby) -> None:
    """Everybody whose record is in the place gives a sign of life now, by the time of the test."""
    for path in records(room):
        os.utime(path, (room.clock(),) * 2)


def records(room: Lobby) -> list[Path]:
    """Every file in the place where people meet."""
    return sorted(path for path in room.folders.place.rglob("*") if not path.is_dir())
