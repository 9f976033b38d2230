"""A saved game whose package was removed, or whose rules now reject it, does not hide the rest of the history, and
nothing of it is lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games import UnknownGame
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.records.record import Record, format_record, parse_records
from onlymove_tui.app.screens.history import HistoryScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.cli import run
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.exchange import Importer, export_games
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import find_places

from tests.heap_game import settle as settle_home
from tests.tui.pilots import FRIENDS, make_menu_app, press, settle, text
from tests.tui.saved_sessions import GAME_IDS, random_session
from tests.tui.tiny_game import tiny_game

load = games.load
WHY = f"unknown game 'tiny'; choose from {', '.join(facts.id for facts in games.list_games())}"
MOVE = "b5b4"
RECORD = '[Game "{}"]\n[Result "*"]\n\n1. {} *\n'


def tiny_too(game_id: GameId) -> AnyGame:
    """Every game."""
    return tiny_game() if game_id == "tiny" else load(game_id)


def finish_game(game: AnyGame) -> AnySession:
    """Return a game in which one move was played and then the first player resigned."""
    session: AnySession = Session(game, players=FRIENDS)
    session.play(session.legal_moves()[0])
    session.resign(0)
    return session


def fill(path: Path) -> None:
    """Save a finished game of Tobito and one of the tiny game, and then an unfinished one of each, the tiny game's
    last."""
    store = GameStore(path, tiny_too)
    for game in (games.load("tobito"), tiny_game()):
        store.save(finish_game(game), GameDetails())
    for game in (games.load("tobito"), tiny_game()):
        session: AnySession = Session(game, players=FRIENDS)
        session.play(session.legal_moves()[0])
        store.save(session, GameDetails())
    store.drills.add([Drill("tiny", "3,4 0", 0, Origin.MISTAKE)])
    store.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a player whose tiny game was removed."""
    settle_home(tmp_path, monkeypatch)
    find_places().games.parent.mkdir(parents=True, exist_ok=True)
    fill(find_places().games)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_games_are_exported_and_the_gone_ones_are_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export"]) == 0
    out, err = capsys.readouterr()
    assert [record.game.id for record in parse_records(out, tiny_too)] == ["tobito", "tiny", "tobito", "tiny"]
    first, second = err.splitlines()
    assert first.startswith("onlymove: Exported game 2 (tiny, ")
    assert first.endswith(f") exactly as it is stored: {WHY}.")
    assert second.startswith("onlymove: Exported game 4 (tiny, ")
    assert run(["export", "--game", "tiny"]) == 0
    assert capsys.readouterr().out.count("[Game ") == 2
    assert run(["export", "--game", "none"]) == 2
    assert "nknown game 'none'" in capsys.readouterr().err


def test_the_last_game_that_can_be_read_is_reviewed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Tobito: ")
    assert err.startswith("onlymove: Left out game 2 (tiny, ")


def test_a_file_is_reviewed_without_the_games_that_are_gone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tobito, tiny = RECORD.format("tobito", MOVE), RECORD.format("tiny", 'L1 {[Game "orbito"] is no tag} (1. L2)')
    (home / "both.txt").write_text(f"{tiny}\n{tobito}\n{tiny}")
    assert run(["review", "both.txt"]) == 2
    out, err = capsys.readouterr()
    assert out.count("Tobito: ") == 1
    assert err.splitlines()[:2] == [f"onlymove: 'both.txt': line {line}: {WHY}." for line in (1, 11)]
    (home / "tiny.txt").write_text(tiny)
    assert run(["review", "tiny.txt"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "onlymove: 'tiny.txt': no readable games found."
    assert run(["import", "both.txt"]) == 2, "all of a file or nothing"
    assert capsys.readouterr() == ("", f"onlymove: {as_sentence(WHY)}\n")


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_game_exported_as_stored_reads_back(game_id: GameId, path: Path) -> None:
    store = GameStore(path)
    for seed in range(8):
        store.save(random_session(game_id, seed, 20), GameDetails())
    imported = Record(random_session(game_id, 9, 6).tree, {"Date": "1994.05.??", "First": "Ada", "Round": "3"})
    Importer(store).add([imported])
    written = [found.text for found in export_games(store)]

    def refuse_game(_: GameId) -> AnyGame:
        raise UnknownGame(WHY)

    store.close()
    store = GameStore(path, refuse_game)
    stored = list(export_games(store))
    assert all(found.fault for found in stored)
    for record, again in zip(written, stored, strict=True):
        (before,), (after,) = parse_records(record, load), parse_records(again.text, load)
        assert format_record(Record(after.tree, before.tags)) == format_record(before)
        assert after.tags.keys() == before.tags.keys()
        assert after.tags["Date"] == before.tags["Date"]
    store.close()


def test_damaged_rows_of_a_gone_game_are_left_out_and_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(find_places().games)) as connection, connection:
        connection.execute("UPDATE node SET judgements = 'x' WHERE game = 2")
        connection.execute("UPDATE node SET move = 'b9b9' WHERE game = 1 AND id = 1")
    assert run(["export"]) == 2
    out, err = capsys.readouterr()
    assert out.count("[Game ") == 3
    first, second, _ = err.splitlines()
    assert "game 1 (tobito, " in first
    assert "exactly as it is stored: saved Tobito game, move 1 'b9b9'" in first
    assert "game 2 (tiny, " in second
    assert "Left out" in second
    (home / "one.txt").write_text(RECORD.format("tobito", MOVE))
    assert run(["import", "one.txt"]) == 0, "a game that the rules refuse does not stand in the way of another"


async def test_the_app_continues_without_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    fill(tmp_path / "games.sqlite3")
    store = GameStore(tmp_path / "games.sqlite3")
    app = make_menu_app(store=store, games=())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "Resume Tobito" in text(app)
        assert "due" not in text(app), "no drill that cannot be practised is announced"
        await press(pilot, "e")
        assert isinstance(app.screen, HistoryScreen)
        assert [game.game for game in app.screen.lines] == ["tiny", "tobito", "tiny", "tobito"]
        await press(pilot, "down", "down", "enter")
        assert isinstance(app.screen, HistoryScreen)
        assert "Unknown game 'tiny'; choose from" in " ".join(text(app).split())
        await press(pilot, "down", "enter")
        assert isinstance(app.screen, ReviewScreen)
        await press(pilot, "escape", "ctrl+p", *"export all", "enter")
        (path,) = (tmp_path / "data" / "onlymove" / "exports").iterdir()
        assert path.read_text("utf-8").count("[Game ") == 4
        assert "Exported (2 could not be read and were copied as stored): " in text(app)
    store.close()
