"""After an unexpected error, the player sees one line and a private log has the details. Values of variables appear
nowhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.crash import CODE, MAX_BYTES, report_crash
from textual.worker import WorkerFailed

from tests.tui.pilots import make_board_app, make_settings, press, settle, weak_store_at


def make_error(text: str = "in /etc/secret\x1b[2J", kind: type[Exception] = ValueError) -> Exception:
    """Return an error that was raised while a variable held something private."""
    held = "hush" * 2
    assert held
    try:
        raise kind(text)
    except kind as error:
        return error


def test_a_player_reads_one_line_that_says_where_the_details_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "state" / "onlymove.log"
    assert report_crash(make_error(), log, is_kiosk=False) == CODE
    output = capfd.readouterr().err
    assert output == (
        f"onlymove had to stop because of an internal error (ValueError: in /etc/secret?[2J). Details are in {log}\n"
    )
    kept = log.read_text()
    assert "Traceback" in kept
    assert "in make_error" in kept
    assert "hushhush" not in kept
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", [ValueError, MemoryError])
def test_a_kiosk_shows_no_path(tmp_path: Path, capfd: pytest.CaptureFixture[str], kind: type[Exception]) -> None:
    report_crash(make_error(kind=kind), tmp_path / "onlymove.log", is_kiosk=True)
    output = capfd.readouterr().err
    assert output.count("\n") == 1
    assert "/" not in output
    assert "Games outside lessons are saved, and the details are in its log." in output
    assert ("memory" in output) == (kind is MemoryError)


def test_details_that_cannot_be_written_are_no_second_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "blocked").write_text("")
    report_crash(make_error(), tmp_path / "blocked" / "onlymove.log", is_kiosk=False)
    assert "Details could not be written" in capfd.readouterr().err


def test_a_log_does_not_grow_without_end(tmp_path: Path) -> None:
    log = tmp_path / "onlymove.log"
    for _ in range(3):
        report_crash(make_error("first"), log, is_kiosk=True)
    assert log.read_text().count("ValueError: first") == 3
    log.write_text("x" * (MAX_BYTES + 1))
    report_crash(make_error("last"), log, is_kiosk=True)
    assert "x" * 100 not in log.read_text()
    assert "ValueError: last" in log.read_text()


async def press_keys(app: OnlymoveApp, *keys: str) -> None:
    """Run the app and press keys, such as `s`, which leads to the settings."""
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *keys)


async def test_the_app_keeps_what_was_played_and_prints_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The disk is full when the move is played, and no longer when the error comes."""
    error, store = make_error(), weak_store_at(tmp_path / "games.sqlite3")

    def fail(*_: object) -> None:
        store.is_full = False
        raise error

    app = make_board_app(make_settings(training=False), store=store)
    app.services.open = fail
    store.is_full = True
    with pytest.raises(ValueError, match="secret"):
        await press_keys(app, *"mR1", "enter", "s")
    (entry,) = store.list()
    assert store.peek(entry.number).session.list_moves()[0] == ("R", 1)
    assert app.fault is error
    assert app.return_code == CODE
    assert capfd.readouterr() == ("", "")


async def test_a_workers_error_is_the_apps() -> None:
    error = make_error()

    def fail() -> None:
        raise error

    app = make_board_app()

    def begin(*_: object) -> None:
        app.screen.run_worker(fail, thread=True)

    app.services.open = begin
    with pytest.raises(WorkerFailed, match="secret"):
        await press_keys(app, "s")
    assert app.fault is error


@pytest.mark.parametrize("flags", [[], ["--kiosk"]])
def test_a_command_says_no_more(tmp_path: Path, flags: list[str]) -> None:
    """The command runs as a process, so that anything printed by Python itself is noticed."""
    code = (
        "import sys; from onlymove_tui import __main__ as program, cli\n"
        "def fail(arguments):\n    secret = 'hush' * 2\n    raise ValueError('in /etc/secret')\n"
        f"cli.run = fail; sys.argv[1:] = {flags!r}; program.main()"
    )
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environ, check=False)
    log = tmp_path / "onlymove" / "onlymove.log"
    assert (done.returncode, done.stdout) == (CODE, "")
    assert done.stderr.count("\n") == 1
    assert (str(log) in done.stderr) == (not flags)
    assert "ValueError: in /etc/secret" in log.read_text()
