"""A lobby in its own folder, with players of this account, and a clock that tests control."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games import UnknownGame
from onlymove_tui.lobby.accounts import LIMITS, Limits, find_own_person
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge, Terms, new_id
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.presence import Clocks
from onlymove_tui.lobby.record_file import VERSION, FileClock, SecretsFolder
from onlymove_tui.lobby.shared_game import SharedGame

from tests.tui.tiny_duel import tiny_duel
from tests.tui.tiny_game import tiny_game

GAMES = {game.id: game for game in (tiny_game(), tiny_duel())}


class Time:
    """A clock that only tests move."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def make_clock() -> Time:
    """Return a clock that is 30 s behind the system's, so that tests notice records with the system's time."""
    return Time(time.time() - 30)


class ScriptedFiles(FileClock):
    """The clock of a file system, moved by tests. No program can set the time when a file was last changed, so the time
    when its contents were last changed stands for it."""

    def __init__(self, clock: Time) -> None:
        self.clock = clock

    def read(self, found: os.stat_result) -> float:
        return found.st_mtime

    def touch(self, file: int) -> None:
        os.utime(file, (self.clock(), self.clock()))


def make_clocks(clock: Time) -> Clocks:
    """Return the clocks of a machine on which all of them agree."""
    return Clocks(clock, clock, ScriptedFiles(clock))


def find_game(game_id: GameId) -> AnyGame:
    """Return one of the small games of the tests. Raises UnknownGame."""
    if game_id not in GAMES:
        raise UnknownGame(f"no game '{game_id}'")
    return GAMES[game_id]


def open_lobby(folder: Path, name: str, clock: Time, limits: Limits = LIMITS) -> Lobby:
    """Return the lobby as a profile of this account sees it."""
    return open_on_machine(folder, name, make_clocks(clock), limits)


def open_on_machine(folder: Path, name: str, clocks: Clocks, limits: Limits = LIMITS) -> Lobby:
    """Return the lobby as a profile sees it on a machine with these clocks."""
    secrets = SecretsFolder(folder / name / "seats")
    return Lobby(folder / "rooms", secrets, find_own_person(name), find_game, clocks, limits)


def make_terms(game_id: str = "tiny", **terms: object) -> Terms:
    """Return the terms of a game from its default start. The player who opens it moves first."""
    game = GAMES[game_id]
    return Terms(**{"game": game_id, "start": game.notation.format_position(game.default_start()), "seat": 0, **terms})  # type: ignore[arg-type]


def begin_game(first: Lobby, second: Lobby, terms: Terms) -> tuple[SharedGame, SharedGame]:
    """Return both sides of a shared game that has begun."""
    opened = OpenChallenge.open(first, terms)
    joined = JoinedChallenge.join(second, opened.challenge_id, first.who.uid, opened.code)
    assert opened.look()
    assert joined.look()
    opened.close()
    joined.close()
    return first.resume_game(opened.challenge_id), second.resume_game(opened.challenge_id)


def forge_challenge(lobby: Lobby, **terms: object) -> str:
    """Write a record in which a stranger opens a challenge. Return its id."""
    challenge_id = new_id()
    line = {"do": "open", "time": 1.0, "version": VERSION, "table": challenge_id, "name": "eve", "seat": 0}
    line |= {"game": "tiny", "start": "3,4 0"} | terms
    lobby.folders.check()
    path = lobby.folders.make_own() / f"{challenge_id}.table"
    path.write_text(json.dumps(line) + "\n")
    path.chmod(0o644)
    return challenge_id


def show_all_alive(lobby: Lobby) -> None:
    """Make everybody with a record in the lobby look alive at the time of the test."""
    for path in list_records(lobby):
        os.utime(path, (lobby.clock(),) * 2)


def list_records(lobby: Lobby) -> list[Path]:
    """Return every file of the lobby."""
    return sorted(path for path in lobby.folders.place.rglob("*") if not path.is_dir())
