"""Tries ways to get out of a kiosk, each at a real terminal or over a real sshd. None works. Nothing is started but the
app and its compiler, nothing is written outside the player's own folders, nothing is put on the clipboard, no file or
folder is shown, and pasted or typed text never reaches the terminal as a command."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from .boards import FIRST
from .conftest import Spawn
from .harness import Pty
from .test_ssh import Server, apps_of, server  # noqa: F401 - the fixture

pytestmark = pytest.mark.terminal

ESC = "\x1b"
REFUSED = "request failed"
"""What ssh says if the server refuses the request."""
QUIET = 0.4
"""After a key, the screen is final when it has not changed for so many seconds."""
COMPILER = "onlymove_tables.kernels"
OWNED = f"{ESC}]0;owned{chr(7)}"
"""Sets the title of the window. It stands for any command that a terminal obeys."""
RECORD = f'[Game "{FIRST.id}"]\n[First "{OWNED}"]\n[Event "{ESC}]52;c;b3duZWQ=\x07"]\n[Result "*"]\n\n*\n'

AT_THE_KEYBOARD: Mapping[str, str] = {
    "suspend": "\x1a",
    "interrupt": "\x03",
    "quit with a core": "\x1c",
    "end of input": "\x04",
    "flow control": "\x13\x11",
    "literal next": "\x16\x1a",
    "a delayed suspend": "\x19",
    "a shell from the palette": "\x10shell\r",
    "suspending from the palette": "\x10suspend\r",
    "a screenshot from the palette": "\x10screenshot\r",
    "an export from the palette": "\x10export\r",
    "a copy from the palette": "\x10copy\r",
    "an editor's way out": ":!sh\r",
    "a pager's way out": "!sh\r",
    "a less command": "v|sh\r",
    "a file to open": "o/etc/passwd\r",
    "a path as a move": "m/etc/passwd\r",
    "a substitution as a move": "m$(id>/tmp/owned)\r",
    "markup as a move": "m[@click=app.quit]x[/]\r",
    "a title as a move": f"m{ESC}]0;owned\x07\r",
    "a pasted command line": f"{ESC}[200~; id > owned\n{ESC}[201~",
    "a paste that ends early": f"{ESC}[200~x{ESC}[201~{OWNED}{ESC}[201~",
    "a paste without an end": f"{ESC}[200~" + "A" * 3_000 + f"{ESC}[201~",
    "a long move": "m" + "9" * 3_000 + "\r",
    "an answer to an unasked question": f"{ESC}[?62;4c{ESC}[>0;276;0c",
    "a clipboard report": f"{ESC}]52;c;L2V0Yy9wYXNzd2Q=\x07",
    "a colour report": f"{ESC}]11;rgb:0000/0000/0000{ESC}\\",
    "a device control string": f"{ESC}P$q q{ESC}\\",
    "a window report": f"{ESC}[8;999999;999999t",
    "mouse clicks far outside": f"{ESC}[<0;9999;9999M{ESC}[<0;-1;-1M",
    "function keys": "".join(f"{ESC}[{n}~" for n in range(11, 35)),
    "null and delete": "\x00\x7f\xff",
}
"""What a player might try, and the keys to press."""

RECORDS: Mapping[str, str] = {
    "a record with a title in it": f"{ESC}[200~{RECORD}{ESC}[201~",
    "a record of no game": f'{ESC}[200~[Game "../../etc/passwd"]\n\n*\n{ESC}[201~',
    "a record with markup": f'{ESC}[200~[Game "{FIRST.id}"]\n[First "[@click=app.quit]x[/]"]\n\n*\n{ESC}[201~',
}
"""Texts to paste into the list of games."""

SURROUNDINGS: Mapping[str, Mapping[str, str]] = {
    "a locale from elsewhere": {"LANG": "../../../../etc/passwd", "LC_ALL": "/etc/passwd.UTF-8"},
    "a terminal from elsewhere": {"TERM": "../../../etc/passwd"},
    "a terminal that runs commands": {"TERM": "$(id>/tmp/owned)"},
    "a colour that is a command": {"COLORTERM": "`id`"},
    "no colours but a path": {"NO_COLOR": "/etc/passwd"},
}
"""Environment variables that a client may send."""

OVER_SSH: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "a shell": ((), ("sh", "-c", "id")),
    "a command after the app's": ((), ("x; id",)),
    "options of the app": ((), ("onlymove", "--profile", "ada", "tables", "list")),
    "copying a file": ((), ("scp", "-f", "/etc/passwd")),
    "the file transfer subsystem": (("-s",), ("sftp",)),
    "a forward to elsewhere": (("-L", "48231:127.0.0.1:22"), ()),
    "a forward from elsewhere": (("-o", "ExitOnForwardFailure=no", "-R", "0:127.0.0.1:22"), ()),
    "a proxy": (("-D", "48232"), ()),
    "the agent": (("-A",), ()),
    "a window system": (("-X",), ()),
    "another library": (("-o", "SendEnv=LD_PRELOAD", "-o", "SetEnv=LD_PRELOAD=/tmp/owned.so"), ()),
    "another Python": (("-o", "SetEnv=PYTHONSTARTUP=/tmp/owned.py PYTHONPATH=/tmp/owned"), ()),
    "no kiosk": (("-o", "SetEnv=ONLYMOVE_KIOSK=false ONLYMOVE_PROFILE=ada"), ()),
    "another driver": (("-o", "SetEnv=TEXTUAL_DRIVER=os:system TEXTUAL=devtools,debug"), ()),
}
"""Options for ssh, and the command that it is asked to run."""


def test_the_list_is_long_enough() -> None:
    assert sum(map(len, (AT_THE_KEYBOARD, RECORDS, SURROUNDINGS, OVER_SSH))) >= 40


def files_of(home: Mapping[str, str]) -> set[Path]:
    """Return all files in the home folder that are not in the app's own folders."""
    own = [Path(folder) for name, folder in home.items() if name.startswith("XDG_")]
    return {path for path in Path(home["HOME"]).rglob("*") if not any(path.is_relative_to(folder) for folder in own)}


def children(pid: int) -> list[str]:
    """Return the commands that a process and its children have started, except those that compile kernels."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    family, found = {str(pid)}, []
    for _ in range(4):
        family |= {child for child, parent, _ in rows if parent in family}
    for child, _, command in rows:
        if child in family and child != str(pid) and COMPILER not in command and "<defunct>" not in command:
            found.append(command)
    return found


def check_nothing_came_of_it(terminal: Pty, home: Mapping[str, str], before: set[Path], idea: str) -> None:
    """Check that none of the things happened that the docstring of this file rules out."""
    output = bytes(terminal.stream).decode("utf-8", "replace")
    assert not children(terminal.process.pid), idea
    assert files_of(home) == before, idea
    assert not Path("/tmp/owned").exists(), idea
    assert "owned\x07" not in output, f"{idea}: the terminal obeyed"
    assert f"{ESC}]52;" not in output, f"{idea}: the clipboard"
    assert not re.search(r"root:|uid=\d|Traceback|/etc/passwd:", terminal.text()), f"{idea}\n{terminal.text()}"
    assert home["HOME"] not in terminal.text(), f"{idea}: a path is shown"


def type_keys(terminal: Pty, keys: str) -> None:
    """Type keys that may have no effect."""
    terminal.send(keys)
    terminal.settle(QUIET)


def on_board(spawn: Spawn) -> Pty:
    terminal = spawn("--kiosk")
    terminal.wait_for(FIRST.title)
    terminal.wait_until_stable()
    terminal.press("\r")
    terminal.press("\r")
    terminal.wait_for("to move")
    return terminal


def test_no_key_leads_out(spawn: Spawn, home: dict[str, str]) -> None:
    before, terminal = files_of(home), on_board(spawn)
    for idea, keys in AT_THE_KEYBOARD.items():
        type_keys(terminal, keys)
        check_nothing_came_of_it(terminal, home, before, idea)
        if terminal.process.poll() is not None:
            assert terminal.process.returncode == 0, f"{idea}: it ended otherwise than by its own keys"
            terminal = on_board(spawn)
        else:
            type_keys(terminal, f"{ESC}{ESC}")


def test_no_record_that_is_pasted_leads_out(spawn: Spawn, home: dict[str, str]) -> None:
    before, terminal = files_of(home), spawn("--kiosk")
    terminal.wait_for(FIRST.title)
    terminal.wait_until_stable()
    type_keys(terminal, "e")
    for idea, keys in RECORDS.items():
        type_keys(terminal, keys)
        check_nothing_came_of_it(terminal, home, before, idea)
        type_keys(terminal, "\r")
        type_keys(terminal, "\r")
        check_nothing_came_of_it(terminal, home, before, f"{idea}, opened")
        type_keys(terminal, "q")
    assert terminal.process.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize("idea", SURROUNDINGS)
def test_no_surroundings_lead_out(spawn: Spawn, home: dict[str, str], idea: str) -> None:
    before = files_of(home)
    terminal = spawn("--kiosk", environ=SURROUNDINGS[idea])
    terminal.wait_for(lambda text: "onlymove" in text)
    terminal.wait_until_stable()
    check_nothing_came_of_it(terminal, home, before, idea)


@pytest.mark.slow
def test_nothing_that_a_client_asks_for_leads_out(spawn: Spawn, server: Server, home: dict[str, str]) -> None:  # noqa: F811
    before = files_of(home)
    for idea, (options, command) in OVER_SSH.items():
        terminal = spawn(command=[*server.login("-tt", *options), *command])
        terminal.wait_for(lambda text: FIRST.title in text or REFUSED in text)
        terminal.wait_until_stable(0.3)
        output = bytes(terminal.stream).decode("utf-8", "replace")
        assert not re.search(r"root:|uid=\d|Traceback", output), f"{idea}\n{output}"
        apps = apps_of(server)
        assert bool(apps) is (REFUSED not in output), idea
        for app in apps.values():
            assert "--kiosk" in app or COMPILER in app, f"{idea}: {app}"
        assert not find_strange_variables(apps), idea
        terminal.close()
    assert files_of(home) == before


def find_strange_variables(pids: Iterable[str]) -> set[str]:
    """Return the environment variables of these processes that may come from the client."""
    known = ("LD_PRELOAD", "PYTHONSTARTUP", "ONLYMOVE_", "TEXTUAL")
    return {
        entry.decode()
        for pid in pids
        for entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        if entry.decode("utf-8", "replace").startswith(known)
    }


@pytest.mark.parametrize("text", ['speed = "warp"\n', 'theme = "mauve"\n', "= =\n"])
def test_a_damaged_settings_file_does_not_prevent_a_login(spawn: Spawn, home: dict[str, str], text: str) -> None:
    file = Path(home["XDG_CONFIG_HOME"]) / "onlymove" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    terminal = spawn("--kiosk")
    terminal.wait_for("so the defaults apply.")
    terminal.wait_for(FIRST.title)
    assert str(file.parent) not in terminal.text()
    alone = spawn()
    assert alone.has_ended()
    assert alone.process.returncode == 2
    assert "settings.toml:1" in alone.text().replace("\n", "")
