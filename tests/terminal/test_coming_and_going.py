"""The app in a real terminal: where it refuses to start, and how it ends."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from onlymove_engines import games

from .boards import FIRST, LEAVE, is_a_board, open_board, open_menu, play_a_ply, saved_plies
from .conftest import APP, Spawn
from .harness import Pty

pytestmark = pytest.mark.terminal

ERASED = "\r\x1b[K"
"""Erases the line that says that the program is opening."""


def run_without_terminal(environ: Mapping[str, str]) -> tuple[int, str]:
    """Run the app without a terminal. It must end at once. Return its exit code and its error output."""
    done = subprocess.run(
        APP, env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10, check=False
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_without_a_terminal_one_line_and_exit_2(home: dict[str, str]) -> None:
    code, output = run_without_terminal(home)
    assert code == 2
    assert output.count("\n") == 1
    assert "needs a terminal" in output
    assert "--plain" in output


@pytest.mark.parametrize("term", ["dumb", "", None])
def test_a_dumb_terminal_is_refused_with_a_pointer_to_plain(spawn: Spawn, term: str | None) -> None:
    terminal = spawn(environ={} if term is None else {"TERM": term}, without=["TERM"] if term is None else [])
    assert terminal.has_ended()
    assert terminal.process.returncode == 2
    output = bytes(terminal.stream)
    assert b"--plain" in output
    assert b"\x1b" not in output
    assert output.strip().count(b"\n") == 0


def test_a_bad_setting_is_one_line_with_file_line_and_key(spawn: Spawn, home: dict[str, str]) -> None:
    settings = Path(home["XDG_CONFIG_HOME"]) / "onlymove" / "settings.toml"
    settings.parent.mkdir(parents=True)
    for text, place, why in (
        ('# mine\nmouse = "maybe"\n', f"{settings}:2: mouse", "must be auto, on or off"),
        ('theme = "mauve"\n', f"{settings}:1: theme", "unknown theme"),
        ('\n[keymap]\nundoo = "z"\n', f"{settings}:3: keymap.undoo", "Did you mean undo?"),
    ):
        settings.write_text(text)
        terminal = spawn(columns=300)
        assert terminal.has_ended()
        assert terminal.process.returncode == 2
        output = bytes(terminal.stream).decode().rpartition(ERASED)[2].strip()
        assert output.startswith(f"onlymove: {place}: "), output
        assert why in output
        assert "\n" not in output
        assert settings.read_text() == text, "nothing is lost"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGHUP, 129),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow),  # alike, and every signal ends a bare app in
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow),  # test_lifeline.py
    ],
)
def test_a_signal_in_a_game_saves_and_restores_the_terminal(
    spawn: Spawn, home: dict[str, str], number: signal.Signals, code: int
) -> None:
    terminal = open_board(spawn)
    play_a_ply(terminal, home)
    terminal.signal(number)
    assert terminal.has_ended()
    assert terminal.process.returncode == code
    assert terminal.modes_now() == terminal.modes
    left_on = {mode for mode, state in re.findall(rb"\x1b\[\?(\d+)([hl])", terminal.stream) if state == b"h"}
    off_again = {mode for mode, state in re.findall(rb"\x1b\[\?(\d+)([hl])", terminal.stream) if state == b"l"}
    assert left_on - off_again == set(), "every mode that was switched on was switched off"
    assert bytes(terminal.stream).rindex(b"\x1b[?25h") > bytes(terminal.stream).rindex(b"\x1b[?25l")
    assert spawn().wait_for("Resume")


def test_a_closed_terminal_ends_the_app(spawn: Spawn, home: dict[str, str]) -> None:
    terminal = open_board(spawn)
    play_a_ply(terminal, home)
    terminal.hang_up()
    assert terminal.has_ended()
    assert terminal.process.returncode == 129


def test_esc_and_a_letter_in_one_burst_are_two_keys(spawn: Spawn) -> None:
    terminal = open_board(spawn)
    terminal.send("mb5\x1bq")
    terminal.wait_for(lambda text: "quit" in text)
    terminal.send("q")
    if not terminal.has_ended(1.0):
        terminal.send("q")
    assert terminal.has_ended(), "Esc gives the typed move up, q goes back to the menu, and q quits there"


@pytest.mark.parametrize(
    "game_id", [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is None]
)
def test_quitting_does_not_wait_for_a_search(spawn: Spawn, game_id: str) -> None:
    terminal = spawn("play", game_id)
    terminal.wait_for(is_a_board)
    terminal.press("\r")
    terminal.send(LEAVE)
    assert terminal.has_ended(5)
    assert terminal.process.returncode == 0
    assert terminal.modes_now() == terminal.modes


def test_a_kiosk_leaves_when_nobody_plays(spawn: Spawn) -> None:
    script = (
        "import onlymove_tui.store.settings as f, onlymove_tui.terminal.driver as l, sys;"
        "hold = l.ShutdownHandler.hold; l.ShutdownHandler.hold = lambda self, idle: hold(self, idle and idle / 60);"
        "sys.argv = ['onlymove', '--kiosk']; from onlymove_tui.__main__ import main; main()"
    )
    terminal = spawn(command=(sys.executable, "-c", script), environ={"ONLYMOVE_IDLE_MINUTES": "2"})
    terminal.wait_for(FIRST.title)
    begun = time.monotonic()
    assert terminal.has_ended()
    assert time.monotonic() - begun > 0.5
    assert terminal.process.returncode == 0
    assert "quit because it was idle" in terminal.text()


def test_a_second_login_of_a_profile_takes_over_with_nothing_lost(spawn: Spawn, home: dict[str, str]) -> None:
    first = open_board(spawn, "--profile", "ada")
    play_a_ply(first, home, "ada")
    second = open_menu(spawn, "--profile", "ada")
    assert first.has_ended()
    assert first.process.returncode == 0
    assert "continues in another session" in first.text()
    second.wait_for("Resume")
    assert saved_plies(home, "ada") > 0
    assert saved_plies(home) == 0


def test_stopped_and_continued_the_app_draws_itself_again_and_leaves_the_terminal_as_it_was(spawn: Spawn) -> None:
    terminal = open_board(spawn)
    board = terminal.wait_until_stable()
    terminal.signal(signal.SIGTSTP)
    terminal.wait_until_stable()
    assert terminal.modes_now() == terminal.modes, "the shell has its terminal back"
    terminal.screen.reset()
    terminal.signal(signal.SIGCONT)
    terminal.read(5.0)
    assert terminal.wait_until_stable() == board
    terminal.send(LEAVE)
    assert terminal.has_ended()
    assert terminal.process.returncode == 0
    assert terminal.modes_now() == terminal.modes
    assert bytes(terminal.stream).rindex(b"\x1b[?1049l") > bytes(terminal.stream).rindex(b"\x1b[?1049h")


def start_from_shell(spawn: Spawn, *arguments: str) -> Pty:
    """Start the app from a shell with job control, and return its terminal with the menu."""
    terminal = spawn(command=("bash", "--norc", "--noprofile", "-i"), environ={"PS1": "shell: "})
    terminal.wait_for("shell:")
    terminal.send(f"{' '.join([*APP, *arguments])}\r")
    terminal.wait_for(FIRST.title)
    return terminal


def test_ctrl_z_goes_back_to_the_shell_until_fg(spawn: Spawn) -> None:
    terminal = start_from_shell(spawn)
    menu = terminal.wait_until_stable()
    terminal.send("\x1a")
    terminal.wait_for("Stopped")
    terminal.send("clear; fg\r")
    terminal.wait_for(FIRST.title)
    assert terminal.wait_until_stable() == menu
    terminal.send("q")
    terminal.wait_for("shell:")


def test_ctrl_z_does_nothing_in_a_kiosk(spawn: Spawn) -> None:
    terminal = start_from_shell(spawn, "--kiosk")
    menu = terminal.wait_until_stable()
    terminal.send("\x1a")
    assert terminal.wait_until_stable() == menu


def hear_hangups() -> None:
    """Stop ignoring hang-ups in a child process. Under `nohup make test`, it would inherit that from the tests."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_game_in_lines_loses_nothing_when_it_is_ended(
    spawn: Spawn, home: dict[str, str], number: signal.Signals
) -> None:
    """Line mode runs without a terminal of its own, as with `ssh -T`. The app then continues the game."""
    game = games.load(FIRST.id)
    start = game.default_start()
    move = game.rules.legal_moves(start)[0]
    after = game.notation.format_position(game.rules.play(start, move))
    command = [*APP, "play", FIRST.id, "--plain", "--seats", "human,human", "--training", "off"]
    with subprocess.Popen(
        command,
        env=home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=hear_hangups,  # noqa: PLW1509 - the tests have one thread
    ) as plain:
        assert plain.stdin is not None
        assert plain.stdout is not None
        plain.stdin.write(f"{game.notation.format_move(start, move)}\nposition\n".encode())
        plain.stdin.flush()
        while plain.stdout.readline().decode().strip() != after:
            assert plain.poll() is None
        plain.send_signal(number)
    assert plain.returncode == -number
    assert saved_plies(home) == 1
    assert spawn().wait_for(f"Resume {FIRST.title}")
