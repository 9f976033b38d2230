"""The app in a real terminal: what it sends, at which sizes and in which colours it works, and how much memory it
takes."""

from __future__ import annotations

import os
import re
import subprocess
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import alternating
from onlymove_tables.open import open_game

from tests.amounts import limit_values

from .boards import DOWN, FIRST, LEAVE, LEFT, RIGHT, UP, is_a_board, open_board, open_menu
from .conftest import Spawn
from .harness import Pty

pytestmark = pytest.mark.terminal

MOUSE = b"\x1b[?1003h"
"""Asks the terminal to report the mouse."""
CONSTRAINTS = (Path(__file__).parents[2] / "constraints.txt").read_text("utf-8")
(PINNED,) = re.findall(r"(?m)^textual==(.+)$", CONSTRAINTS)
counts_bytes = pytest.mark.skipif(
    version("textual") not in PINNED,
    reason=f"every version sends other bytes: they are counted with Textual {PINNED}",
)

COMPILING = 180.0
"""How many seconds a busy machine may take to compile the kernels, once."""


def colours(stream: bytes) -> set[str]:
    """Return the parameters of all colour commands in the stream."""
    return {part for found in re.findall(rb"\x1b\[([0-9;]*)m", stream) for part in found.decode().split(";")}


def test_no_color_leaves_attributes_and_the_terminals_own_two(spawn: Spawn) -> None:
    terminal = open_board(spawn, environ={"NO_COLOR": "1"})
    open_everything(terminal)
    used = colours(bytes(terminal.stream))
    assert used <= {"", "0", "1", "2", "3", "4", "7", "9", "22", "23", "24", "27", "29", "39", "49"}, used
    assert "7" in used, "without colours the cursor is reverse"


@pytest.mark.slow
def test_colours_are_used_where_they_are_welcome(spawn: Spawn) -> None:
    assert "38" in colours(bytes(open_board(spawn, environ={"NO_COLOR": ""}).stream)), "an empty NO_COLOR means nothing"


def open_everything(terminal: Pty) -> None:
    """Open everything that draws: hints, values, help, the command palette, rules, settings and history. Also enter a
    move."""
    for keys in (RIGHT, DOWN, "\r", "\x7f", "h", "h", "h", "v", "o", "f", "m", "x\x1b", "?", "\x1b", "\x10", "\x1b"):
        terminal.send(keys)
        terminal.settle(0.2)
    for keys in ("i", "\x1b", "s", "\x1b", "q", "e", "\x1b", "p", "\x1b", "s", "\x1b"):
        terminal.send(keys)
        terminal.settle(0.2)


def high_bytes(terminal: Pty) -> list[bytes]:
    """Return the parts of the stream that are not ASCII."""
    return [piece for piece in bytes(terminal.stream).split(b"\x1b") if max(piece, default=0) >= 0x80]


@pytest.mark.parametrize(
    "environ", limit_values([{"LC_ALL": "C", "LANG": "C"}, {"TERM": "linux"}, {"ONLYMOVE_ASCII": "on"}])
)
def test_ascii_is_chosen_automatically_for_terminals_that_need_it(spawn: Spawn, environ: dict[str, str]) -> None:
    assert high_bytes(open_board(spawn, environ=environ)) == []


def test_in_ascii_no_byte_is_above_127_on_any_screen(spawn: Spawn) -> None:
    terminal = open_board(spawn, "--ascii")
    open_everything(terminal)
    assert high_bytes(terminal) == []


def searched_before_solved() -> list[str]:
    """List all games, beginning with those that are played by search."""
    return sorted(
        (facts.id for facts in games.list_games()), key=lambda game_id: games.load(game_id).solved.solver is not None
    )


def uses_arrow_keys(game_id: str) -> bool:
    """Whether the arrow keys choose moves in this game and do not move a cursor."""
    return "right" in games.load(game_id).play.direct_keys


@counts_bytes
@pytest.mark.parametrize(("columns", "rows", "most"), [(80, 24, 144), (120, 40, 256)])
@pytest.mark.parametrize(
    "game_id", limit_values(facts.id for facts in games.list_games() if not uses_arrow_keys(facts.id))
)
def test_a_cursor_step_costs_few_bytes(spawn: Spawn, game_id: str, columns: int, rows: int, most: int) -> None:
    environ = {"COLORTERM": "truecolor", "ONLYMOVE_ANIMATION": "off"}
    terminal = spawn("play", game_id, environ=environ, columns=columns, rows=rows)
    terminal.wait_for(is_a_board)
    terminal.settle(1.0)
    steps = []
    for key in (RIGHT, DOWN, LEFT, UP) * 3:
        before, shown = len(terminal.stream), terminal.text().splitlines()[-3:-1]
        terminal.send(key)
        terminal.settle(0.15)
        output = terminal.text().splitlines()[-3:-1]
        # If a cell cannot be chosen, the lines above the footer say why. The next step removes the sentence.
        words = sum(
            len(max(pair, key=len).replace(" ", "\x1b[C"))
            for pair in zip(shown, output, strict=True)
            if len(set(pair)) > 1
        )
        steps.append(len(terminal.stream) - before - words)
    assert max(steps) > 0, "some step moves the cursor"
    assert max(steps) <= most, steps


@counts_bytes
@pytest.mark.parametrize("game_id", limit_values(facts.id for facts in games.list_games()))
def test_a_board_is_painted_with_20_kilobytes_a_move_with_3_and_a_banner_with_4(spawn: Spawn, game_id: str) -> None:
    environ = {"COLORTERM": "truecolor", "ONLYMOVE_ANIMATION": "off"}
    terminal = spawn("play", game_id, "--seats", "human,human", environ=environ)
    terminal.wait_for("h hint")
    terminal.settle(1.0)
    assert len(terminal.stream) <= 20480
    for _ in range(6):
        sent = len(terminal.press(UP if uses_arrow_keys(game_id) else "\r"))
        assert sent <= (4096 if "take back" in terminal.text() else 3072), f"{sent} bytes for\n{terminal.text()}"


@counts_bytes
def test_the_first_paint_is_at_most_20_kilobytes_and_a_switch_of_screens_16_and_then_silence(spawn: Spawn) -> None:
    terminal = open_menu(spawn, environ={"COLORTERM": "truecolor"})
    terminal.settle(1.0)
    assert len(terminal.stream) <= 20480
    assert MOUSE in terminal.stream
    for key in ("p", "e", "d", "s", "?"):
        assert 0 < len(terminal.press(key)) <= 16384, key
        assert count_idle_bytes(terminal, 2) == 0, key
        assert 0 < len(terminal.press("\x7f")) <= 16384, f"{key} and back"


def count_idle_bytes(terminal: Pty, seconds: float) -> int:
    terminal.wait_until_stable()
    before = len(terminal.stream)
    terminal.settle(seconds, seconds)
    return len(terminal.stream) - before


def test_a_board_is_drawn_with_its_own_glyphs_and_sends_nothing_while_nobody_plays(spawn: Spawn) -> None:
    terminal = open_board(spawn)
    assert count_idle_bytes(terminal, 3) == 0
    assert not terminal.text().isascii()


def test_idle_for_half_a_minute_sends_nothing_and_costs_nothing(spawn: Spawn) -> None:
    """In the menu, at a board and while a move is typed, all at the same time."""
    typing = open_board(spawn)
    typing.press("m")
    terminals = {"menu": open_menu(spawn), "board": open_board(spawn), "typing a move": typing}
    for terminal in terminals.values():
        terminal.settle(2.0)
        terminal.wait_until_stable()
    before = {where: (len(one.stream), processor_seconds(one)) for where, one in terminals.items()}
    time.sleep(30)
    for where, terminal in terminals.items():
        terminal.settle(0.0)
        sent, used = before[where]
        assert len(terminal.stream) == sent, where
        assert processor_seconds(terminal) - used < 0.32, f"{where}: less than one percent"


def processor_seconds(terminal: Pty) -> float:
    """Return how much processor time the process has used so far. It comes from /proc or, where that is missing, from
    ps."""
    status = Path(f"/proc/{terminal.process.pid}/stat")
    if status.exists():
        fields = status.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    command = ["ps", "-o", "time=", "-p", str(terminal.process.pid)]
    minutes, _, seconds = subprocess.run(command, capture_output=True, text=True, check=True).stdout.rpartition(":")
    return float(seconds) + 60 * float(minutes.rpartition(":")[2] or 0)


@pytest.mark.parametrize("game_id", limit_values(searched_before_solved(), 2))
def test_a_game_stays_within_its_memory(spawn: Spawn, game_id: str) -> None:
    """The limit is 120 MB if the table answers, and 200 MB if a search does."""
    game = games.load(game_id)
    analyst = open_game(game).analyst
    by_table = not game.facts.simultaneous and alternating(analyst).probe(game.default_start()) is not None
    terminal = spawn("play", game_id, environ={"ONLYMOVE_ON_BAD": "flag", "ONLYMOVE_ANIMATION": "off"})
    terminal.wait_for(is_a_board)
    terminal.send("h")
    terminal.wait_for(lambda text: "Hint 1 of" in text or "Hint: best moves" in text, patience=COMPILING)
    for key in ("v", *"\r" * 4):
        terminal.send(key)
        terminal.settle(0.2)
    assert terminal.memory() <= (120e6 if by_table else 200e6)
    assert terminal.code_of("libllvmlite") <= 20e6, "the compiler's code is given back"


def test_below_60_by_20_a_gate_swallows_keys_but_not_quit(spawn: Spawn, home: dict[str, str]) -> None:
    terminal = open_board(spawn)
    board = terminal.wait_until_stable()
    terminal.resize(59, 20)
    terminal.wait_for(lambda text: "60" in text and "to move" not in text)
    terminal.wait_until_stable()
    for keys in ("\r", "\r", "u", "R"):
        terminal.send(keys)
        terminal.settle(0.1)
    terminal.resize(80, 24)
    terminal.wait_for(is_a_board)
    assert terminal.wait_until_stable() == board, "nothing was played behind the gate"
    terminal.resize(40, 10)
    terminal.settle(0.6)
    terminal.send(LEAVE)
    assert terminal.has_ended()
    assert terminal.process.returncode == 0


def test_a_board_fits_its_terminal_after_a_resize(spawn: Spawn) -> None:
    terminal = open_board(spawn)
    for size in ((60, 20), (79, 24), (120, 40)):
        terminal.resize(*size)
        terminal.read(5.0)
        resized = terminal.wait_until_stable()
        terminal.press("\x0c")
        assert terminal.wait_until_stable() == resized, f"{size}: what is on the screen is what a full repaint draws"
        assert "to move" in resized, size


@pytest.mark.parametrize(
    "term", limit_values(["linux", "tmux-256color", "screen", "screen-256color", "xterm", "xterm-256color"])
)
def test_every_usual_terminal_is_readable(spawn: Spawn, term: str) -> None:
    """With the colours of this terminal, no text has the colour of its background."""
    terminal = open_board(spawn, environ={"TERM": term})
    terminal.press("h")
    assert FIRST.title in terminal.text()
    hidden = [
        (row, column, cell.data)
        for row, line in terminal.screen.buffer.items()
        for column, cell in line.items()
        if cell.data.strip() and cell.fg == cell.bg and cell.fg != "default"
    ]
    assert hidden == []


def test_the_mouse_is_left_alone_over_ssh(spawn: Spawn) -> None:
    """In a local terminal the mouse is used, as the test of the first paint checks."""
    far = open_menu(spawn, environ={"SSH_CONNECTION": "127.0.0.1 1 127.0.0.1 22"})
    assert MOUSE not in far.stream


def test_keys_that_come_at_once_act_in_their_order(spawn: Spawn) -> None:
    """Esc is among them. It closes what the key before it opened, even if that page is not shown yet."""
    terminal = spawn()
    terminal.wait_for("Enter choose")
    terminal.send("n\x10\x1bs\x10Theme")
    terminal.wait_for("Theme:")


def test_lessons_and_drills_open_the_app_in_a_terminal(spawn: Spawn) -> None:
    terminal = spawn("learn", "tobito")
    terminal.wait_for("First game")
    terminal.send("\r")
    terminal.wait_for("step 1 of")
    terminal = spawn("drill")
    terminal.wait_for("position of the day")
    terminal = spawn("daily")
    terminal.wait_for("position of the day")
    terminal = spawn("daily", "pokemon")
    terminal.wait_for("the position of the day")
    terminal = spawn("learn", "tobito", "--plain")
    terminal.wait_for("Type map to see all parts.")
    terminal = spawn("learn", "tobito", "--board")
    terminal.wait_for("--board works only with --plain")


def test_the_terminal_says_that_the_app_is_being_opened(spawn: Spawn) -> None:
    """Loading it can take seconds on a busy machine. The line is gone before the app draws, and when it has ended."""
    stream = bytes(open_menu(spawn).stream)
    said, erased, opened = (stream.index(part) for part in (b"Opening onlymove...", b"\r\x1b[K", b"\x1b[?1049h"))
    assert said < erased < opened
