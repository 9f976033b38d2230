"""Without numba, games that have a table play from it, and everything that needs numba says so in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from onlymove_engines import games

IDS = [facts.id for facts in games.list_games()]
SEARCHED = [game_id for game_id in IDS if games.load(game_id).facts.plays_by_search]

TALK = "ugi\nisready\nposition startpos\ngo nodes 10\nquit\n"
LINES = "hint\nquit\n"
COMMANDS = {
    "text": (["analyse", "{}"], ""),
    "json": (["analyse", "{}", "--format", "json"], ""),
    "tsv": (["analyse", "{}", "--format", "tsv"], ""),
    "play": (["play", "{}", "--plain"], LINES),
    "engine": (["engine", "{}"], TALK),
}

COMMAND_LINES = """
import contextlib, io, json, sys, traceback
sys.modules["numba"] = None
from onlymove_tui.cli import run

def outcome(arguments, typed):
    sys.stdin, out, err = io.StringIO(typed), io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = run(arguments)
        except BaseException:
            code = traceback.format_exc()
    return code, out.getvalue(), err.getvalue()

print(json.dumps([outcome(*job) for job in json.loads(sys.argv[1])]))
"""

BUILD = """
import contextlib, io, json, sys
sys.modules["numba"] = None
import onlymove_tables.build as build

def outcome(game_id):
    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        return build.main([game_id]), err.getvalue()

print(json.dumps([outcome(game_id) for game_id in json.loads(sys.argv[1])]))
"""

BOARDS = """
import asyncio, json, sys
from pathlib import Path
sys.modules["numba"] = None
import onlymove_tables.open
from onlymove_engines.live import limits
from tests.tui.pilots import ENGINES, board, make_board_app, notice, session, settle, wait_until

limits.MOVE_SECONDS = limits.ROUND_SECONDS = limits.SEARCH_SECONDS = 0.05

async def shown(game_id, has_table):
    if not has_table:
        onlymove_tables.open.package_folder = lambda: Path("/nowhere")
    app = make_board_app(game=game_id, games=(), players=ENGINES)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: session(app).node.ply)
        return session(app).node.ply, notice(app)

print(json.dumps([asyncio.run(shown(*board)) for board in json.loads(sys.argv[1])]))
"""


def run_script(script: str, question: object, home: Path) -> list[list[object]]:
    """Run a script without numba, with an empty home folder, and return its answers."""
    folders = {f"XDG_{name}_HOME": str(home / name) for name in ("CACHE", "DATA", "CONFIG", "STATE")}
    command = [sys.executable, "-c", script, json.dumps(question)]
    done = subprocess.run(command, env=os.environ | folders, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[object]] = json.loads(done.stdout)
    return found


def test_a_command_answers_or_names_what_is_missing_in_one_line(tmp_path: Path) -> None:
    """Games with a table need no compiler, except for rows of text."""
    asked = [(game_id, name) for game_id in IDS for name in COMMANDS]
    jobs = [([word.format(game_id) for word in COMMANDS[name][0]], COMMANDS[name][1]) for game_id, name in asked]
    for (game_id, name), (code, out, err) in zip(asked, run_script(COMMAND_LINES, jobs, tmp_path), strict=True):
        where = f"{name} {game_id}: {code} {err}"
        if code == 2:
            assert game_id in SEARCHED or name == "tsv", where
            assert str(err).count("\n") == 1, where
            assert "numba" in str(err), where
        else:
            assert (code, err) == (0, ""), where
            assert {"engine": "bestmove", "json": '"moves"'}.get(name, "") in str(out), where
            assert out, where


def test_tables_that_cannot_be_built_are_one_line_and_exit_code_2(tmp_path: Path) -> None:
    solved = [game_id for game_id in IDS if games.load(game_id).solved.solver is not None]
    for game_id, (code, err) in zip(solved, run_script(BUILD, solved, tmp_path), strict=True):
        assert code == 2, f"{game_id}: {err}"
        assert str(err).startswith("no search without numba: "), game_id
        assert str(err).count("\n") == 1, f"{game_id}: {err}"


def test_without_table_and_compiler_a_game_in_lines_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    hidden = (
        "import onlymove_tables.open, pathlib; onlymove_tables.open.package_folder = lambda: pathlib.Path('/nowhere')"
    )
    jobs = [(["play", game_id, "--plain"], LINES) for game_id in IDS]
    found = run_script(
        COMMAND_LINES.replace("from onlymove_tui.cli", f"{hidden}\nfrom onlymove_tui.cli"), jobs, tmp_path
    )
    for game_id, (code, out, err) in zip(IDS, found, strict=True):
        assert (code, out) == (2, ""), f"{game_id}: {out}{err}"
        assert str(err).count("\n") == 1, f"{game_id}: {err}"


def test_in_the_app_a_game_continues_and_names_what_is_missing(tmp_path: Path) -> None:
    """Two engines play in the app: a game with a table, the same game without it, and a game that is searched."""
    asked = [(IDS[0], True), (IDS[0], False), (SEARCHED[0], True)]
    for (game_id, has_table), (ply, output) in zip(asked, run_script(BOARDS, asked, tmp_path), strict=True):
        assert int(str(ply)) > 0, f"{game_id}: nobody moves, and the lines say: {output}"
        assert ("numba" in str(output)) == (game_id in SEARCHED or not has_table), f"{game_id}: {output}"
