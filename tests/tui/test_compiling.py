"""While the search is compiled, the board shows the progress, and an engine that can do so plays by the plain rules."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest
from onlymove_engines.core.analysis import Report, ignore_report
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.facts import GameId, Level
from onlymove_engines.core.game import AnyGame
from onlymove_engines.live.engine import prepare_thought
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, read_player
from onlymove_engines.play.session import Session
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import TIMERS, Timers
from onlymove_tui.app.services import AnalystFound

from tests.tui.pilots import (
    ENGINES,
    board,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    session,
    settle,
    store_at,
    text,
    wait_until,
)
from tests.tui.tiny_game import TinyAnalyst, tiny_game

BAD = ("right", "enter", "3")
FIRST_LEGAL = dataclasses.replace(
    tiny_game(), play=dataclasses.replace(tiny_game().play, plain_choice=lambda position, seat: ("L", 1))
)


@pytest.mark.parametrize(("game", "plies"), [(tiny_game(), 0), (FIRST_LEGAL, 1)])
async def test_a_board_does_not_wait_for_the_compiler_where_plain_rules_tell_a_move(game: AnyGame, plies: int) -> None:
    compiled = threading.Event()

    def compile_slowly(game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        report("compiling the engine (first run only)", 0.25)
        compiled.wait()
        return None, ""

    app = make_board_app(games=(game,), players=ENGINES)
    app.services.find_analyst = compile_slowly
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: session(app).node.ply or (plies == 0 and "25%" in notice(app)))
        assert (session(app).node.ply > 0) == (plies > 0)
        assert "(first run only): 25%" in notice(app)
        assert ("simple moves" in notice(app)) == (plies > 0)
        compiled.set()


async def test_the_full_engine_plays_from_the_first_move_if_nothing_has_to_be_compiled() -> None:
    opened_kernels = threading.Event()

    def load(game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        opened_kernels.wait()
        return TinyAnalyst(), ""

    app = make_board_app(games=(FIRST_LEGAL,), players=(Player(PlayerKind.ENGINE), HUMAN))
    app.services.find_analyst = load
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.1)
        early = session(app).list_moves()
        opened_kernels.set()
        assert not early
        await wait_until(pilot, session(app).list_moves)
        assert session(app).list_moves()[0] == ("R", 1), "the best move, not the simple one"


async def test_a_move_made_while_the_engine_is_compiled_is_played_and_judged_afterwards() -> None:
    begun, compiled = threading.Event(), threading.Event()

    def compile_slowly(game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        begun.wait()
        report("compiling the engine (first run only)", 0.0)
        compiled.wait()
        return TinyAnalyst(), ""

    app = make_board_app(games=(FIRST_LEGAL,))
    app.services.find_analyst = compile_slowly
    async with app.run_test(size=(80, 24)) as pilot:
        for key in BAD:
            await pilot.press(key)
        await wait_until(pilot, lambda: board(app).live.waiting)
        assert not session(app).list_moves(), "nobody knows yet that it takes long"
        begun.set()
        await wait_until(pilot, lambda: len(session(app).list_moves()) == 2)
        assert "Compiling the engine. Moves are judged as soon as the coach is ready." in notice(app)
        compiled.set()
        await settle(pilot)
        assert session(app).node.path()[1].judgements[0].flagged
        assert "The coach is ready. It judges your moves now, also those that you have made." in notice(app)
        assert "??" in text(app), "the list of moves marks the one that was bad"


@pytest.mark.parametrize(
    ("size", "training", "told"),
    [
        ((120, 40), True, "Compiling the engine: 25%. Until then it plays simple moves. Moves are judged as soon as"),
        ((80, 24), True, "Compiling the engine: 25%. Moves are judged as soon as the coach is ready."),
        ((60, 20), True, "Moves are judged as soon as the coach is ready."),
        ((80, 24), False, "Compiling the engine (first run only): 25%. Until then it plays simple moves."),
    ],
    ids=str,
)
async def test_the_line_says_when_moves_are_judged(size: tuple[int, int], training: bool, told: str) -> None:
    compiled = threading.Event()

    def compile_slowly(game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        report("compiling the engine (first run only)", 0.25)
        compiled.wait()
        return TinyAnalyst(), ""

    app = make_board_app(games=(FIRST_LEGAL,), training=training)
    app.services.find_analyst = compile_slowly
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: told in notice(app))
        compiled.set()


SEARCHING = dataclasses.replace(tiny_game(), facts=dataclasses.replace(tiny_game().facts, plays_by_search=True))
AT_ONCE, NEVER = (TIMERS._replace(compiling=after) for after in (0.001, 1e9))


def make_compiling_app(timers: Timers, **changes: Any) -> tuple[OnlymoveApp, list[GameId]]:
    """Return the menu of an app that may compile engines ahead, and the games for which it does."""
    app, asked = make_menu_app(**{"games": (SEARCHING,), "timers": timers, **changes}), list[GameId]()
    app.services.library.warms = True
    app.services.compile_ahead = asked.append
    return app, asked


async def test_the_engine_of_a_game_that_stays_marked_is_compiled_once() -> None:
    app, asked = make_compiling_app(AT_ONCE)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "end")
        await wait_until(pilot, lambda: asked)
        await press(pilot, "up", "down", "up", "down", "enter", "escape", "f1", "escape")
        assert [game for game in asked if game == "tiny"] == ["tiny"]


async def test_a_game_that_is_passed_by_is_not_compiled() -> None:
    app, asked = make_compiling_app(NEVER)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "end", "up", "down")
        assert asked == []


@pytest.mark.parametrize("key", ["enter", "f1", "l"], ids=["the form", "the rules", "the lessons"])
async def test_the_form_the_rules_and_the_lessons_have_the_engine_compiled_at_once(key: str) -> None:
    app, asked = make_compiling_app(NEVER, games=())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "end", key)
        assert asked == ["lightriders"]


@pytest.mark.parametrize("case", ["a guest", "the setting", "a table", "not warm"])
async def test_nothing_is_compiled_ahead_for_guests_nor_against_the_setting(case: str) -> None:
    changes: dict[str, Any] = {}
    if case == "a guest":
        changes["profile"] = "guest-0f3a"
    if case == "the setting":
        changes["settings"] = make_settings(compile_ahead=False)
    if case == "a table":
        changes["games"] = (tiny_game(),)
    app, asked = make_menu_app(**{"games": (SEARCHING,), "timers": AT_ONCE, **changes}), list[GameId]()
    app.services.library.warms = case != "not warm"
    app.services.compile_ahead = asked.append
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "end", "f1", "escape", "enter")
        assert "tiny" not in asked


async def test_the_engine_of_a_rated_game_waits_until_it_can_play_at_its_level(tmp_path: Path) -> None:
    compiled = threading.Event()

    def compile_slowly(game: AnyGame, report: Report = ignore_report) -> AnalystFound:
        report("compiling the engine (first run only)", 0.25)
        compiled.wait()
        return TinyAnalyst(), ""

    level = Level("weak", "Weak", "best", 80, 0, 0)
    game = dataclasses.replace(FIRST_LEGAL, facts=dataclasses.replace(FIRST_LEGAL.facts, levels=(level,)))
    players = (read_player(game, "weak"), HUMAN)
    app = make_board_app(games=(game,), players=players, is_rated=True, store=store_at(tmp_path / "games.sqlite3"))
    app.services.find_analyst = compile_slowly
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "25%. Then your opponent can move." in notice(app))
        assert not session(app).list_moves()
        compiled.set()
        await wait_until(pilot, session(app).list_moves)


async def test_a_rated_game_whose_engine_cannot_be_opened_waits(tmp_path: Path) -> None:
    level = Level("weak", "Weak", "best", 80, 0, 0)
    game = dataclasses.replace(FIRST_LEGAL, facts=dataclasses.replace(FIRST_LEGAL.facts, levels=(level,)))
    players = (read_player(game, "weak"), HUMAN)
    app = make_board_app(games=(game,), players=players, is_rated=True, store=store_at(tmp_path / "games.sqlite3"))
    app.services.find_analyst = lambda game, report=ignore_report: (None, "Engines play simple moves: no compiler")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Your opponent cannot play at its level now. q keeps this rated game for later." in notice(app)
        assert not session(app).list_moves()


def test_plain_rules_are_followed_the_more_often_the_stronger_the_engine() -> None:
    def share(strength: int) -> float:
        chosen = 0
        for seed in range(40):
            player = Player(PlayerKind.ENGINE, strength=strength)
            game = dataclasses.replace(
                FIRST_LEGAL, play=dataclasses.replace(FIRST_LEGAL.play, plain_choice=lambda position, seat: "plain")
            )
            chosen += (
                prepare_thought(Session(game, players=(player, player)), 0, None, Random(seed))(Budget()) == "plain"
            )
        return chosen / 40

    assert share(0) == 0.0
    assert 0.25 < share(50) < 0.75
    assert share(100) == 1.0
