"""The app, line mode and UGI play the same random games and agree about everything."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import AnyGame
from onlymove_engines.live import limits
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import AnySession
from onlymove_engines.protocols.ugi import MARKS, Ugi
from onlymove_engines.records.record import parse_records
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_laws.law import parametrize_amount
from onlymove_tables.open import open_game
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.play.line_mode import LineMode, Voice
from textual.pilot import Pilot

from .pilots import board, make_board_app, make_settings, press, press_at_once, settle
from .same_game import Action, Outcome, Script, format_line, make_script, outcome

FOR_EVER = 1e6


@pytest.fixture(autouse=True)
def _let_searches_end(_set_time_limits: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that stops early on a busy machine would know less than the others. On these small fields, all searches
    come to an end."""
    monkeypatch.setattr(limits, "MOVE_SECONDS", FOR_EVER)
    monkeypatch.setattr(limits, "ROUND_SECONDS", FOR_EVER)


KEYS = {"undo": "u", "redo": "r", "hint": "h", "keep": "y", "rethink": "backspace"}
TWICE = {"resign": "R", "draw": "D", "values": "v"}


def analyst_of(game: AnyGame) -> AnyAnalyst:
    return open_game(game).analyst


async def play_in_app(pilot: Pilot[int], app: OnlymoveApp, script: Script) -> Outcome:
    """Play the script by keys on a board."""
    app.services.preferences.settings = msgspec.structs.replace(app.services.preferences.settings, on_bad=script.on_bad)
    live = LiveGame(script.session(), script.make_coaching(), script.training, random=Random(script.seed))
    app.open("play", live)
    await settle(pilot)
    for action in script.actions:
        await type_action(pilot, action)
    return outcome(board(app).live.session)


async def type_action(pilot: Pilot[int], action: Action) -> None:
    command, text = action
    if command == "move":
        await press_at_once(pilot, "m", *text, "enter")
    elif command in TWICE:
        await press(pilot, TWICE[command], TWICE[command])
    else:
        await press(pilot, KEYS[command])


def play_in_lines(script: Script, analyst: AnyAnalyst) -> Outcome:
    """Play the script in line mode."""
    live = LiveGame(script.session(), script.make_coaching(), script.training, random=Random(script.seed))
    live.set_analyst(analyst)
    output: list[str] = []
    LineMode(live, Voice(output.append, lambda: 0.0)).run(text or command for command, text in script.actions)
    return outcome(live.session)


def ask_ugi(script: Script, session: AnySession) -> list[str]:
    """Return what UGI answers about a game after its moves."""
    speaker = Ugi(script.game, LiveAnalyst(script.game), lambda: 0.0, lambda: False)
    start, moves = format_line(session)
    output = list(
        speaker.replies(f"position fen {start} moves {' '.join(moves)}" if moves else f"position fen {start}")
    )
    for asked in ("gameover", "p1turn", "result"):
        output += speaker.replies(f"query {asked}")
    return output


def check_ugi(script: Script, played: Outcome) -> None:
    """Check that UGI agrees about the rules and repetition. It has no house rules, resignations or agreements."""
    if script.game.facts.simultaneous or script.rule:
        return
    (record,) = parse_records(played.record, games.load)
    node = record.tree.here
    turn = script.game.rules.to_move(node.position) == 0
    assert ask_ugi(script, AnySession.from_tree(record.tree)) == [
        f"response {'true' if node.result else 'false'}",
        f"response {'true' if turn else 'false'}",
        f"response {MARKS[node.result.winner] if node.result else 'none'}",
    ]


async def check_all(game: AnyGame, count: int) -> None:
    analyst = analyst_of(game)
    app = make_board_app(make_settings(), game="", games=())
    async with app.run_test(size=(80, 24)) as pilot:
        for seed in range(count):
            script, wanted = make_script(game, analyst, seed)
            where = f"{game.id}, seed {seed}: {script.players} {script.rule} {script.on_bad} {script.actions}"
            check_ugi(script, wanted)
            assert play_in_lines(script, analyst) == wanted, where
            assert await play_in_app(pilot, app, script) == wanted, where


@pytest.mark.parametrize("game_id", [facts.id for facts in games.list_games()])
@parametrize_amount("count", 1, 40)
async def test_every_front_end_makes_the_same_of_a_game(game_id: str, count: int) -> None:
    await check_all(games.load(game_id), count)
