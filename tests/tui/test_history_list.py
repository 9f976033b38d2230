"""The list of games: its columns, searching by typing, and the stored figures."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.coach.figures import count_figures, list_solo_choices
from onlymove_engines.core.facts import Level
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Win
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_tui.app.screens import history
from onlymove_tui.app.screens.history import HistoryScreen, describe_opponent, has_words
from onlymove_tui.app.widgets.bars import KeyBar, Lines
from onlymove_tui.app.widgets.board_view import SmallBoard
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.store.entries import Entry, GameDetails
from onlymove_tui.store.games import GameStore
from textual.events import Paste

from tests.tui.pilots import FRIENDS, make_menu_app, press, press_at_once, settle, text
from tests.tui.saved_sessions import GAME_IDS, random_session
from tests.tui.tiny_game import tiny_game

BEST = Judgement(Grade.BEST, Win(3), Win(3))
SLIP = Judgement(Grade.MISSED_WIN, Win(3), Draw(), flagged=True)

PASTED = '[Game "tiny"]\n[Result "*"]\n\n1. R1 L1 *\n'


def save(games: GameStore, strength: int, *judged: Judgement, loser: int = 0) -> int:
    """Save a game that a person began against an engine and that ended by resignation."""
    session: Session[Any, Any] = Session(tiny_game(), players=(HUMAN, Player(PlayerKind.ENGINE, strength=strength)))
    for judgement in judged:
        session.play(session.legal_moves()[0]).judgements[0] = judgement
        session.play(session.legal_moves()[0])
    session.resign(loser)
    return games.save(session, GameDetails())


def lines(app: Any) -> list[str]:
    """Return the lines of the list."""
    shown: list[str] = app.screen.query_one(Choices).text().splitlines()
    return shown


def figures_of(entry: Entry) -> tuple[int | None, int, int]:
    """Return what the list says about the judgements."""
    return entry.decisions, entry.kept, entry.slips


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_list_has_the_figures_of_the_games(tmp_path: Path, game_id: str) -> None:
    store = GameStore(tmp_path / "games.sqlite3")
    for seed in range(8):
        session = random_session(game_id, seed, 20)
        if session.result is None:
            session.resign(0)
        number = store.save(session, GameDetails())
        entry = next(entry for entry in store.list() if entry.number == number)
        people = session.human_seats
        if len(people) != 1:
            assert entry.decisions is None
            continue
        made = list_solo_choices(session.node.path())
        expected = count_figures(made)
        assert figures_of(entry) == (expected.decisions, expected.kept, expected.decisions - expected.kept)
    store.close()


def test_a_game_judged_later_keeps_its_place_in_the_list(tmp_path: Path) -> None:
    ticks = count()
    store = GameStore(
        tmp_path / "games.sqlite3",
        lambda _: tiny_game(),
        clock=lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(ticks)),
    )
    number = save(store, 70, BEST)
    save(store, 100, BEST)
    saved = store.load(number)
    saved.session.node.path()[1].judgements[0] = SLIP
    store.save(saved.session, saved.details, number)
    assert [entry.number for entry in store.list()] == [number + 1, number]
    assert figures_of(store.list()[1]) == (1, 0, 1)
    store.close()


@pytest.mark.parametrize(
    ("width", "columns"),
    [(60, "date game result good"), (80, "date game result good slips opponent"),
     (160, "date game result good slips opponent"),
     (200, "date time game result good slips opponent length")],
    ids=str,
)  # fmt: skip
async def test_wider_lists_have_more_columns(games: GameStore, width: int, columns: str) -> None:
    save(games, 70, BEST, SLIP)
    app = make_menu_app(store=games)
    async with app.run_test(size=(width, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        assert app.screen.query_one("#head", Lines).text().split() == columns.split()
        assert "50 %" in lines(app)[0]


async def test_the_facts_beside_the_list_are_whole_however_late_the_board_is(
    games: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(games, 100, SLIP, SLIP)
    monkeypatch.setattr(history, "show_saved", lambda *_: None)
    app = make_menu_app(store=games)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        assert "0 of 2 moves were good at the first try, 2 slips" in " ".join(text(app).split())


async def test_the_end_of_the_marked_game_is_shown_beside_the_list(games: GameStore) -> None:
    save(games, 70, BEST)
    save(games, 100, SLIP, SLIP)
    app = make_menu_app(store=games)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        board = app.screen.query_one(SmallBoard).size
        assert min(board.width - 52, board.height - 20) >= 0, "any board has room at its smallest"
        first = app.screen.query_one(SmallBoard).text()
        assert first.strip()
        assert "0 of 2 moves were good at the first try, 2 slips" in " ".join(text(app).split())
        await press(pilot, "down")
        assert app.screen.query_one(SmallBoard).text() != first
        assert "1 of 1 move was good at the first try, no slip" in " ".join(text(app).split())


async def test_games_are_looked_for_by_typing(games: GameStore) -> None:
    save(games, 70, BEST)
    save(games, 100, BEST, loser=1)
    ended: Session[Any, Any] = Session(tiny_game(), players=FRIENDS)
    ended.agree_draw()
    games.save(ended, GameDetails())
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "e", "/")
        assert "game, opponent, result or date" in text(app)
        await press_at_once(pilot, *"engine")
        assert len(lines(app)) == 2, "the list follows every key"
        await press(pilot, *" won", "enter")
        assert [("won" in line, "engine 100" in line) for line in lines(app)] == [(True, True)]
        assert "engine won" in text(app), "what is looked for stays in sight"
        await press(pilot, "escape")
        assert isinstance(app.screen, HistoryScreen), "one step back: all games again"
        assert len(lines(app)) == 3
        await press(pilot, "/", *"nothing like it")
        assert "No games match 'nothing like it'." in text(app)
        await press(pilot, "escape")
        assert len(lines(app)) == 3, "Esc looks for nothing any more"
        await press(pilot, "/")
        assert "Enter list" in text(app)
        assert "Esc all games" in text(app)
        await press(pilot, *"two heaps", "down", "enter", "x")
        assert "x confirm  Esc cancel" in text(app), "a question has only the keys that answer it"
        assert app.screen.query_one(Choices).marked == 1, "arrows move the mark meanwhile"
        await press(pilot, "q", "q", "q")
        assert not isinstance(app.screen, HistoryScreen)


async def test_an_empty_list_offers_no_key_for_a_game_and_says_which_games_it_lacks(games: GameStore) -> None:
    save(games, 70, BEST, loser=0)
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        assert {"open", "delete"} <= {word for _, word in app.screen.query_one(KeyBar).footer()}
        await press(pilot, "f", "f")
        assert "No won games." in text(app)
        assert not {"open", "delete"} & {word for _, word in app.screen.query_one(KeyBar).footer()}
        await press(pilot, "/", *"two heaps")
        assert "No won games match 'two heaps'." in text(app)


def test_the_opponent_is_listed_with_as_much_detail_as_fits(games: GameStore) -> None:
    levels = (Level("novice", "Novice", "bold", 20, 0, 0),)
    for style, strength in (("bold", 20), ("bold", 80), ("practical", 100), ("bold", 0), ("", 70)):
        players = (HUMAN, Player(PlayerKind.ENGINE, style, strength))
        game: Session[Any, Any] = Session(tiny_game(), players=players)
        game.play(game.legal_moves()[0])
        games.save(game, GameDetails())
    entries = games.list()[::-1]
    assert [describe_opponent(entry, levels) for entry in entries] == [
        "Novice",
        "bold 80",
        "practical 100",
        "random",
        "engine 70",
    ]
    assert describe_opponent(entries[2], levels, 11) == "engine 100"
    assert [has_words(entries[2], "Two Heaps", levels, sought) for sought in ("practical", "engine 100", "bold")] == [
        True, True, False,
    ]  # fmt: skip


async def test_pasted_records_are_taken_in(games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "e")
        for pasted, output in (
            (PASTED, "Imported 1 game."),
            (PASTED, "Imported 0 games; 1 was already there."),
            (
                f"{PASTED}\n% \x1b[2J",
                "Imported 0 games; 1 was already there. Characters that could control the terminal",
            ),
            ("a shopping list", "a record must begin with [Game"),
            (PASTED.replace("R1", "R9"), "R9"),
            ("x" * 1_000_001, "Too much to paste"),
        ):
            app.post_message(Paste(pasted))
            await settle(pilot)
            assert output in text(app), pasted[:80]
        assert games.count() == 1


async def test_a_refused_paste_is_explained_in_full_with_its_line(games: GameStore) -> None:
    app = make_menu_app(store=games, games=())
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "e")
        app.post_message(Paste('[Game "tobito"]\r\r1. a5b4 a1a2 2. zz\r'))
        await settle(pilot)
        output = "Line 3: move 2. zz: a move is two cells, 'b1b2', then '+a2' for each piece jumped."
        assert output in " ".join(text(app).split())


async def test_a_search_may_be_pasted(games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "e", "slash")
        app.post_message(Paste(PASTED))
        await settle(pilot)
        assert games.count() == 0
