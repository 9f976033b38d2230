"""What the commands of the program find when a test runs them: the games that are installed, the lines that a player
has typed, and other streams."""

from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper
from typing import TextIO

import pytest
from onlymove_engines import games
from onlymove_engines.core.facts import Facts, GameId
from onlymove_engines.core.game import AnyGame

LOAD, LIST = games.load, games.list_games


def install_games(monkeypatch: pytest.MonkeyPatch, *added: AnyGame, alone: bool = False) -> None:
    """Install games of the tests beside the program's own, as the last in the menu. With `alone`, commands that go
    through all games find only these."""
    by_id = {game.id: game for game in added}

    def load(game_id: GameId) -> AnyGame:
        return by_id[game_id] if game_id in by_id else LOAD(game_id)

    def list_games() -> tuple[Facts, ...]:
        own = () if alone else tuple(facts for facts in LIST() if facts.id not in by_id)
        return (*own, *(game.facts for game in added))

    monkeypatch.setattr(games, "load", load)
    monkeypatch.setattr(games, "list_games", list_games)


def replace_stream(monkeypatch: pytest.MonkeyPatch, name: str, stream: TextIO) -> None:
    """Let commands use this stream as `stdin`, `stdout` or `stderr`."""
    monkeypatch.setattr(sys, name, stream)


def give_input(monkeypatch: pytest.MonkeyPatch, typed: str | bytes | TextIO) -> None:
    """Let the next command read this from its input, and then find the end of it."""
    if isinstance(typed, str):
        typed = typed.encode("utf-8", "surrogateescape")
    if isinstance(typed, bytes):
        typed = TextIOWrapper(BytesIO(typed), encoding="utf-8", errors="replace")
    replace_stream(monkeypatch, "stdin", typed)
