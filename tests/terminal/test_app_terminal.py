"""The app in a real terminal: where it refuses, how it leaves, what it sends, and at which sizes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_tables import shelf
from onlymove_tui.store.games import GameStore

from .conftest import APP, Spawn
from .harness import Pty

FIRST = games.title_cards()[0]
LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"


def opened(spawn: Spawn, *arguments: str, environ: Mapping[str, str] | None = None) -> Pty:
    """The menu, painted."""
    terminal = spawn(*arguments, environ=environ)
    terminal.wait_for(FIRST.title)
    terminal.settle()
    return terminal


def at_a_board(spawn: Spawn, *arguments: str, environ: Mapping[str, str] | None = None) -> Pty:
    """Enter, Enter: the first game's board."""
    terminal = opened(spawn, *arguments, environ=environ)
    terminal.send("\r")
    terminal.wait_for("Start the game")
    terminal.send("\r")
    terminal.wait_for("to move")
    terminal.settle()
    return terminal


def play_a_ply(terminal: Pty, home: Mapping[str, str], profile: str = "") -> None:
    """Choose whatever the cursor is on until a move stands."""
    for _ in range(12):
        terminal.press("\r", 0.3)
        if saved_plies(home, profile):
            return
    pytest.fail(f"no move was saved\n{terminal.text()}")


def refused(environ: Mapping[str, str]) -> tuple[int, str]:
    """Exit code and stderr of the app without a terminal, at once."""
    done = subprocess.run(
        APP, env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10, check=False
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_without_a_terminal_one_line_and_exit_2(home: dict[str, str]) -> None:
    code, said = refused(home)
    assert code == 2
    assert said.count("\n") == 1
    assert "needs a terminal" in said
    assert "--plain" in said


@pytest.mark.parametrize("term", ["dumb", "", None])
def test_a_dumb_terminal_is_refused_with_a_pointer_to_plain(spawn: Spawn, term: str | None) -> None:
    terminal = spawn(environ={} if term is None else {"TERM": term}, without=["TERM"] if term is None else [])
    assert terminal.has_ended()
    assert terminal.process.returncode == 2
    said = bytes(terminal.stream)
    assert b"--plain" in said
    assert b"\x1b" not in said
    assert said.strip().count(b"\n") == 0


def test_a_bad_setting_is_one_line_with_file_line_and_key(spawn: Spawn, home: dict[str, str]) -> None:
    settings = Path(home["XDG_CONFIG_HOME"]) / "onlymove" / "settings.toml"
    settings.parent.mkdir(parents=True)
    for text, place, why in (
        ('# mine\nmouse = "maybe"\n', f"{settings}:2: mouse", "must be auto, on or off"),
        ('theme = "mauve"\n', f"{settings}:1: theme", "no such theme"),
        ('\n[keymap]\nundoo = "z"\n', f"{settings}:3: keymap.undoo", "perhaps undo"),
    ):
        settings.write_text(text)
        terminal = spawn(columns=300)
        assert terminal.has_ended()
        assert terminal.process.returncode == 2
        said = bytes(terminal.stream).decode().strip()
        assert said.startswith(f"onlymove: {place}: "), said
        assert why in said
        assert "\n" not in said
        assert settings.read_text() == text, "nothing is lost"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGHUP, 129), (signal.SIGTERM, 143)])
def test_a_signal_in_a_game_saves_and_restores_the_terminal(
    spawn: Spawn, home: dict[str, str], number: signal.Signals, code: int
) -> None:
    terminal = at_a_board(spawn)
    play_a_ply(terminal, home)
    terminal.signal(number)
    assert terminal.has_ended()
    assert terminal.process.returncode == code
    assert terminal.modes_now() == terminal.modes
    left_on = {mode for mode, state in re.findall(rb"\x1b\[\?(\d+)([hl])", terminal.stream) if state == b"h"}
    off_again = {mode for mode, state in re.findall(rb"\x1b\[\?(\d+)([hl])", terminal.stream) if state == b"l"}
    assert left_on - off_again == set(), "every mode that was switched on was switched off"
    assert bytes(terminal.stream).rindex(b"\x1b[?25h") > bytes(terminal.stream).rindex(b"\x1b[?25l")
    assert opened(spawn).wait_for("Resume")


def saved_plies(home: Mapping[str, str], profile: str = "") -> int:
    """How many plies the last unfinished game on disk has."""
    inner = f"profiles/{profile}/" if profile else ""
    store = GameStore(Path(home["XDG_DATA_HOME"]) / "onlymove" / f"{inner}games.sqlite3")
    found = store.latest_unfinished()
    store.close()
    return 0 if found is None else found.plies


def test_a_closed_terminal_ends_the_app(spawn: Spawn, home: dict[str, str]) -> None:
    terminal = at_a_board(spawn)
    play_a_ply(terminal, home)
    terminal.hang_up()
    assert terminal.has_ended()
    assert terminal.process.returncode == 129


def test_quitting_leaves_the_terminal_as_it_was(spawn: Spawn) -> None:
    terminal = at_a_board(spawn)
    terminal.send("q")
    assert terminal.has_ended()
    assert terminal.process.returncode == 0
    assert terminal.modes_now() == terminal.modes
    assert bytes(terminal.stream).rindex(b"\x1b[?1049l") > bytes(terminal.stream).rindex(b"\x1b[?1049h")


@pytest.mark.parametrize("game_id", [card.id for card in games.title_cards() if not games.load(card.id).table])
def test_quitting_does_not_wait_for_a_search(spawn: Spawn, game_id: str) -> None:
    terminal = spawn("play", game_id)
    terminal.wait_for("to move")
    terminal.press("\r")
    terminal.send("q")
    assert terminal.has_ended(5)
    assert terminal.process.returncode == 0
    assert terminal.modes_now() == terminal.modes


def colours(stream: bytes) -> set[str]:
    """Every parameter of a colour command in the stream."""
    return {part for found in re.findall(rb"\x1b\[([0-9;]*)m", stream) for part in found.decode().split(";")}


def test_no_color_leaves_attributes_and_the_terminals_own_two(spawn: Spawn) -> None:
    terminal = at_a_board(spawn, environ={"NO_COLOR": "1"})
    tour(terminal)
    used = colours(bytes(terminal.stream))
    assert used <= {"", "0", "1", "2", "3", "4", "7", "9", "22", "23", "24", "27", "29", "39", "49"}, used
    assert "7" in used, "without colours the cursor is reverse"


def test_colours_are_used_where_they_are_welcome(spawn: Spawn) -> None:
    assert "38" in colours(bytes(at_a_board(spawn, environ={"NO_COLOR": ""}).stream)), "an empty NO_COLOR means nothing"


def tour(terminal: Pty) -> None:
    """Through everything that draws: keys, hints, values, help, palette, rules, settings, history, a typed move."""
    for keys in (RIGHT, DOWN, "\r", "\x7f", "h", "h", "h", "v", "o", "f", "m", "x\x1b", "?", "\x1b", "\x10", "\x1b"):
        terminal.send(keys)
        terminal.settle(0.2)
    for keys in ("i", "\x1b", "s", "\x1b", "g", "e", "\x1b", "s", "\x1b"):
        terminal.send(keys)
        terminal.settle(0.2)


def high_bytes(terminal: Pty) -> list[bytes]:
    """The pieces of the stream that are not ASCII."""
    return [piece for piece in bytes(terminal.stream).split(b"\x1b") if max(piece, default=0) >= 0x80]


@pytest.mark.parametrize("environ", [{"LC_ALL": "C", "LANG": "C"}, {"TERM": "linux"}, {"ONLYMOVE_ASCII": "on"}])
def test_ascii_comes_by_itself_where_the_terminal_wants_it(spawn: Spawn, environ: dict[str, str]) -> None:
    assert high_bytes(at_a_board(spawn, environ=environ)) == []


def test_in_ascii_no_byte_is_above_127_wherever_one_goes(spawn: Spawn) -> None:
    terminal = at_a_board(spawn, "--ascii")
    tour(terminal)
    assert high_bytes(terminal) == []


def test_outside_ascii_the_board_is_drawn_with_its_own_glyphs(spawn: Spawn) -> None:
    assert not at_a_board(spawn).text().isascii()


def steered(game_id: str) -> bool:
    """Whether arrows move in this game, instead of a cursor."""
    return "right" in games.load(game_id).direct_keys


@pytest.mark.parametrize("game_id", [card.id for card in games.title_cards() if not steered(card.id)])
def test_a_cursor_step_is_at_most_128_bytes(spawn: Spawn, game_id: str) -> None:
    terminal = spawn("play", game_id, environ={"COLORTERM": "truecolor", "ONLYMOVE_ANIMATION": "off"})
    terminal.wait_for("to move")
    terminal.settle(1.0)
    steps = []
    for key in (RIGHT, DOWN, LEFT, UP) * 3:
        before = len(terminal.stream)
        terminal.send(key)
        terminal.settle(0.15)
        steps.append(len(terminal.stream) - before)
    assert max(steps) > 0, "some step moves the cursor"
    assert max(steps) <= 128, steps


def test_the_first_paint_is_at_most_20_kilobytes(spawn: Spawn) -> None:
    terminal = opened(spawn, environ={"COLORTERM": "truecolor"})
    terminal.settle(1.0)
    assert len(terminal.stream) <= 20480


def idle_bytes(terminal: Pty, seconds: float) -> int:
    terminal.stable()
    before = len(terminal.stream)
    terminal.settle(seconds, seconds)
    return len(terminal.stream) - before


def test_an_idle_board_sends_nothing(spawn: Spawn) -> None:
    assert idle_bytes(at_a_board(spawn), 3) == 0


@pytest.mark.terminal
@pytest.mark.parametrize("where", ["menu", "board", "typing a move"])
def test_idle_for_half_a_minute_sends_nothing_and_costs_nothing(spawn: Spawn, where: str) -> None:
    terminal = opened(spawn) if where == "menu" else at_a_board(spawn)
    if where == "typing a move":
        terminal.press("m")
    terminal.settle(2.0)
    before = processor_seconds(terminal)
    assert idle_bytes(terminal, 30) == 0
    assert processor_seconds(terminal) - before < 0.32, "less than one percent"


def processor_seconds(terminal: Pty) -> float:
    """What the process has used so far, by the kernel; by ps where the kernel shows no files."""
    status = Path(f"/proc/{terminal.process.pid}/stat")
    if status.exists():
        fields = status.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    command = ["ps", "-o", "time=", "-p", str(terminal.process.pid)]
    minutes, _, seconds = subprocess.run(command, capture_output=True, text=True, check=True).stdout.rpartition(":")
    return float(seconds) + 60 * float(minutes.rpartition(":")[2] or 0)


@pytest.mark.parametrize("game_id", [card.id for card in games.title_cards()])
def test_a_game_stays_within_its_memory(spawn: Spawn, game_id: str) -> None:
    """120 MB where the table answers, 200 MB where a search does."""
    game = games.load(game_id)
    analyst, _ = shelf.analyst(game)
    by_table = not game.facts.simultaneous and analyst.probe(game.default_start()) is not None
    terminal = spawn("play", game_id, environ={"ONLYMOVE_ON_BAD": "flag"})
    terminal.wait_for("to move")
    terminal.settle(1.0)
    for key in ("h", "v", *"\r" * 4):
        terminal.send(key)
        terminal.settle(0.2)
    assert terminal.memory() <= (120e6 if by_table else 200e6)


def test_below_60_by_20_a_gate_swallows_keys_but_not_quit(spawn: Spawn, home: dict[str, str]) -> None:
    terminal = at_a_board(spawn)
    board = terminal.stable()
    terminal.resize(59, 20)
    terminal.wait_for(lambda text: "60" in text and "to move" not in text)
    terminal.stable()
    for keys in ("\r", "\r", "u", "R"):
        terminal.send(keys)
        terminal.settle(0.1)
    terminal.resize(80, 24)
    terminal.wait_for("to move")
    assert terminal.stable() == board, "nothing was played behind the gate"
    terminal.resize(40, 10)
    terminal.settle(0.6)
    terminal.send("q")
    assert terminal.has_ended()
    assert terminal.process.returncode == 0


@pytest.mark.parametrize("size", [(60, 20), (79, 24), (120, 40)])
def test_a_board_fits_its_terminal_after_a_resize(spawn: Spawn, size: tuple[int, int]) -> None:
    terminal = at_a_board(spawn)
    terminal.resize(*size)
    terminal.read(5.0)
    resized = terminal.stable()
    terminal.press("\x0c")
    assert terminal.stable() == resized, "what is on the screen is what a full repaint draws"
    assert "to move" in resized


@pytest.mark.parametrize("term", ["screen", "screen-256color", "tmux-256color", "linux", "xterm", "xterm-256color"])
def test_every_usual_terminal_is_readable(spawn: Spawn, term: str) -> None:
    """No text in the colour of what is behind it, at the colours this terminal has."""
    terminal = at_a_board(spawn, environ={"TERM": term})
    terminal.press("h")
    assert FIRST.title in terminal.text()
    hidden = [
        (row, column, cell.data)
        for row, line in terminal.screen.buffer.items()
        for column, cell in line.items()
        if cell.data.strip() and cell.fg == cell.bg and cell.fg != "default"
    ]
    assert hidden == []


def test_a_kiosk_leaves_when_nobody_plays(spawn: Spawn) -> None:
    script = (
        "import onlymove_tui.store.settings_file as f, onlymove_tui.lifeline as l, sys;"
        "hold = l.Lifeline.hold; l.Lifeline.hold = lambda self, idle: hold(self, idle and idle / 60);"
        "sys.argv = ['onlymove', '--kiosk']; from onlymove_tui.__main__ import main; main()"
    )
    terminal = spawn(command=(sys.executable, "-c", script), environ={"ONLYMOVE_IDLE_MINUTES": "2"})
    terminal.wait_for(FIRST.title)
    begun = time.monotonic()
    assert terminal.has_ended()
    assert time.monotonic() - begun > 0.5
    assert terminal.process.returncode == 0
    assert "Nobody was playing" in terminal.text()


def test_a_second_login_of_a_profile_takes_over_with_nothing_lost(spawn: Spawn, home: dict[str, str]) -> None:
    first = at_a_board(spawn, "--profile", "ada")
    play_a_ply(first, home, "ada")
    second = opened(spawn, "--profile", "ada")
    assert first.has_ended()
    assert first.process.returncode == 0
    assert "goes on in another login" in first.text()
    assert "Resume" in second.text()
    assert saved_plies(home, "ada") > 0
    assert saved_plies(home) == 0


def test_stopped_and_continued_the_app_draws_itself_again(spawn: Spawn) -> None:
    terminal = at_a_board(spawn)
    board = terminal.stable()
    terminal.signal(signal.SIGTSTP)
    terminal.stable()
    assert terminal.modes_now() == terminal.modes, "the shell has its terminal back"
    terminal.screen.reset()
    terminal.signal(signal.SIGCONT)
    terminal.read(5.0)
    assert terminal.stable() == board


def test_the_mouse_is_left_alone_over_ssh(spawn: Spawn) -> None:
    far = opened(spawn, environ={"SSH_CONNECTION": "127.0.0.1 1 127.0.0.1 22"})
    near = opened(spawn)
    assert b"\x1b[?1003h" not in far.stream
    assert b"\x1b[?1003h" in near.stream
