"""Tries docs/hosting.md on a real sshd. The recipes are read from the page. Their paths and names are replaced, and
they are given to a server with accounts that are made for the test. The tests then check that the results are as the
page says. Other tests check what it says about shared games (tests/lobby and `make shared-games`), a kiosk
(test_kiosk.py), a connection that drops (test_ssh.py), and signals and terminals that accept no bytes
(test_lifeline.py)."""

from __future__ import annotations

import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_tui.lobby.challenges import ID_SIGNS
from onlymove_tui.lobby.record_file import VERSION, Joining, format_line
from onlymove_tui.store.profiles import GUEST_SECONDS
from onlymove_tui.store.settings import Settings

from .accounts import Accounts, administer, as_account, install, needs_root
from .boards import FIRST, LEAVE, RIGHT
from .harness import Pty, step_to
from .hosts import environ_of, processes
from .recipes import KERNELS, PAGE, PROGRAM, PUBLIC_KEY, ROOMS, recipes, rows, settings_of_sshd
from .sshd import Sshd, make_key

pytestmark = [pytest.mark.terminal, needs_root]

DATA, CONFIG = Path(".local/share/onlymove"), Path(".config/onlymove")


class Hosting:
    """The server that the page describes, and its accounts: ada is a player, `all` has profiles, guest is for guests,
    and free and dan have a shell."""

    def __init__(self, folder: Path, accounts: Accounts) -> None:
        self.folder, self.accounts = folder, accounts
        self.program = str(install(folder / "opt"))
        self.keys = folder / "keys"
        self.keys.mkdir()
        self.ada = self.accounts.add("ada", is_player=True)
        self.all, self.guest, self.free, self.dan = map(self.accounts.add, ("all", "guest", "free", "dan"))
        for name in (self.ada, self.guest, self.free, self.dan):
            self.allow(name, make_key(folder / name))
        (profiles,) = recipes("One account, a profile for each key")
        self.profiles = PUBLIC_KEY.findall(profiles)
        self.allow(self.all, PUBLIC_KEY.sub(lambda found: make_key(folder / found[1]), self.adapt_recipe(profiles)))
        (players,), (guests,) = recipes("One account for each player"), recipes("Guests")
        (making,) = recipes("Let players meet")
        administer(*shlex.split(making.replace(ROOMS, str(folder / "rooms"))))
        environ = f"ONLYMOVE_ROOMS={folder}/rooms ONLYMOVE_KERNELS={folder}/none"
        lines = [f"AuthorizedKeysFile {self.keys}/%u", f"SetEnv {environ}", *settings_of_sshd()]
        self.sshd = Sshd(folder, "\n".join([*lines, self.adapt_recipe(players), self.adapt_recipe(guests)]))

    def adapt_recipe(self, recipe: str) -> str:
        """Return a recipe with the names of this test."""
        recipe = recipe.replace(PROGRAM, self.program).replace("Match User guest", f"Match User {self.guest}")
        return recipe.replace("Match Group players", f"Match Group {self.accounts.group}")

    def allow(self, account: str, keys: str) -> None:
        """Let the owners of these keys log in to the account."""
        (self.keys / account).write_text(keys + "\n")

    def login(self, account: str, key: str = "", **environ: str) -> Pty:
        """Log in, and return the terminal when the app shows its menu."""
        terminal = self.sshd.session(account, self.folder / (key or account), environ)
        terminal.wait_for(FIRST.title)
        terminal.settle()
        return terminal

    def run(self, account: str, command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run `ssh -T host COMMAND` with typed input, and return the result."""
        line = [*self.sshd.command(account, self.folder / account, "-T", "-o", "SetEnv=LC_ALL=C.UTF-8"), command]
        return subprocess.run(line, input=typed, capture_output=True, text=True, timeout=600, check=False)

    def app(self, account: str) -> int:
        """Return the number of the account's only app process."""
        found = [pid for pid, user, args in processes() if user == account and "onlymove_tui --kiosk" in args]
        assert len(found) == 1, found
        return found[0]


@pytest.fixture(scope="module")
def host() -> Iterator[Hosting]:
    with tempfile.TemporaryDirectory(prefix="hosting-") as folder:
        Path(folder).chmod(0o755)
        with closing(Accounts(Path(folder))) as accounts:
            found = Hosting(Path(folder), accounts)
            yield found
            found.sshd.close()


@pytest.fixture
def sessions() -> Iterator[list[Pty]]:
    """Collect the sessions of a test, and close them after it."""
    opened: list[Pty] = []
    yield opened
    for terminal in opened:
        terminal.close()


def leave(terminal: Pty) -> int:
    """Leave the app, and return the exit code that the client sees."""
    terminal.send(LEAVE)
    assert terminal.has_ended()
    return int(terminal.process.returncode)


def play_a_ply(terminal: Pty) -> None:
    """Begin a game and play one move."""
    terminal.press("\r", 0.2)
    terminal.press("\r", 0.2)
    terminal.wait_for("to move")
    for _ in range(12):
        terminal.press("\r", 0.2)
        if re.search(r"\s\d+\.+ \S", terminal.text()):
            return
    pytest.fail(f"no move was made\n{terminal.text()}")


# One account for each player.


def test_only_what_a_terminal_says_about_itself_is_trusted(host: Hosting, sessions: list[Pty]) -> None:
    sessions.append(host.login(host.ada, COLORTERM="truecolor", ONLYMOVE_KIOSK="false", ONLYMOVE_PROFILE="bob"))
    assert b"\x1b[38;2;" in sessions[-1].stream
    assert b"\x1b[?1003h" not in sessions[-1].stream, "no mouse reports over a line"
    assert not sessions[-1].text().isascii()
    output = environ_of(host.app(host.ada))
    assert "ONLYMOVE_KIOSK" not in output
    assert "ONLYMOVE_PROFILE" not in output
    assert leave(sessions[-1]) == exit_code("Ctrl+Q")
    sessions.append(host.login(host.ada, LANG="C", NO_COLOR="1"))
    assert sessions[-1].text().isascii()
    assert not re.search(rb"\x1b\[[0-9;]*[34]8;", sessions[-1].stream), "no colours"


def test_settings_hold_over_a_connection_too(host: Hosting, sessions: list[Pty]) -> None:
    file = host.accounts.home(host.ada) / CONFIG / "settings.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('mouse = "on"\ntheme = "ansi"\n')
    sessions.append(host.login(host.ada, COLORTERM="truecolor"))
    file.unlink()
    assert b"\x1b[?1003h" in sessions[-1].stream
    assert b"\x1b[38;2;" not in sessions[-1].stream, "the colours are those of the player's terminal"
    assert not sessions[-1].read(1.0), "an idle app sends nothing"


# One account for all.


def test_a_profile_for_each_key_is_for_one_login_at_a_time(host: Hosting, sessions: list[Pty]) -> None:
    ada, bob = host.profiles
    (host.accounts.home(host.all) / ".ssh").mkdir()
    (host.accounts.home(host.all) / ".ssh" / "rc").write_text("touch ran\n")
    first = host.login(host.all, ada)
    sessions.append(first)
    play_a_ply(first)
    sessions.append(host.login(host.all, bob))
    assert "Resume" not in sessions[-1].text(), "that is somebody else's game"
    sessions.append(host.sshd.session(host.all, host.folder / ada))
    assert first.has_ended()
    assert read_quotation("A second login asks the first").encode() in first.stream
    assert first.process.returncode == exit_code("a second login")
    sessions[-1].wait_for(f"Resume {FIRST.title}")
    assert not (host.accounts.home(host.all) / "ran").exists(), "something else has begun before the app"
    for name in host.profiles:
        assert (host.accounts.home(host.all) / DATA / "profiles" / name / "games.sqlite3").exists()


def read_quotation(beginning: str) -> str:
    """Return what the app says, as quoted in the sentence of the page that begins like this."""
    found = re.search(re.escape(beginning) + r"[^(]*\(\"([^\"]+)\"\)", PAGE.read_text("utf-8").replace("\n", " "))
    assert found, f"docs/hosting.md does not say: {beginning}"
    return found[1]


def test_profiles_have_their_own_things_and_share_what_is_large(host: Hosting) -> None:
    output = {name: host.run(host.free, f"{host.program} --profile {name} locate").stdout for name in host.profiles}
    one, two = (
        dict(line.split(None, 1) for line in text.splitlines() if line[:8] != "shipped ") for text in output.values()
    )
    for thing in ("settings", "games"):
        assert f"profiles/{host.profiles[0]}/" in one[thing]
        assert f"profiles/{host.profiles[1]}/" in two[thing]
    for thing in ("tables", "cache", "kernels"):
        assert one[thing] == two[thing]
    assert one["shared"].split() == ["kernels", f"{host.folder}/none"]


# Guests.


def test_guests_see_nothing_of_each_other_and_are_forgotten(host: Hosting, sessions: list[Pty]) -> None:
    first = host.login(host.guest)
    sessions.append(first)
    play_a_ply(first)
    assert leave(first) == 0
    (left,) = (host.accounts.home(host.guest) / DATA / "profiles").iterdir()
    second = host.login(host.guest)
    sessions.append(second)
    assert "Resume" not in second.text()
    assert left.exists(), "kept for a day"
    for path in (left, *left.rglob("*")):
        os.utime(path, (time.time() - GUEST_SECONDS - 60,) * 2)
    sessions.append(host.login(host.guest))
    assert not left.exists(), "removed by a later guest's login"
    assert second.process.poll() is None


# What ends a session.


def exit_code(what: str) -> int:
    """Return the exit code that the page gives for this event."""
    (found,) = (cells[-1] for cells in rows("what happens") if what in cells[0])
    return int(found)


def test_a_key_ends_a_session_as_the_page_says(host: Hosting, sessions: list[Pty]) -> None:
    terminal = host.login(host.ada)
    sessions.append(terminal)
    terminal.send("q")
    assert terminal.has_ended()
    assert terminal.process.returncode == exit_code("`q` in the menu")


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL]
)
def test_signals_end_a_session_as_the_page_says(host: Hosting, sessions: list[Pty], number: signal.Signals) -> None:
    terminal = host.login(host.ada)
    sessions.append(terminal)
    os.kill(host.app(host.ada), number)
    assert terminal.has_ended()
    what = "kill -9" if number == signal.SIGKILL else f"({number.name}"
    assert terminal.process.returncode == exit_code(what)


def test_a_dropped_connection_ends_a_session_as_the_page_says(host: Hosting, sessions: list[Pty]) -> None:
    """The exit code goes to the program that started the app. Here this is a shell that survives the connection."""
    output = host.accounts.home(host.free) / "code"
    script = f"trap : HUP; {host.program} --kiosk; echo $? > {output}"
    terminal = Pty(
        [*host.sshd.command(host.free, host.folder / host.free, "-tt"), script], os.environ | {"TERM": "xterm-256color"}
    )
    sessions.append(terminal)
    terminal.wait_for(FIRST.title)
    terminal.settle()
    terminal.process.kill()
    deadline = time.monotonic() + 10
    while not (output.exists() and output.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert int(output.read_text()) == exit_code("the connection drops")


# Without a terminal.


def test_the_lines_without_a_terminal_play_drill_and_review(host: Hosting) -> None:
    """This needs an account with a shell. With a forced command, that command runs whatever the client asks for."""
    play, _, drill, step = lines_to_type(host)
    game = games.load(shlex.split(play)[2])
    move = game.notation.format_move(game.default_start(), game.rules.legal_moves(game.default_start())[0])
    done = host.run(host.free, play, f"{move}\nresign\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert move in done.stdout
    assert "\x1b" not in done.stdout
    reviewed = host.run(host.free, step, "quit\n")
    assert (reviewed.returncode, reviewed.stderr) == (0, "")
    assert game.facts.title in reviewed.stdout
    drilled = host.run(host.free, drill, "quit\n")
    assert drilled.stderr == ""
    assert (drilled.returncode, drilled.stdout) == (1, "No drill is due.\n")
    assert "needs a terminal" in host.run(host.free, host.program).stderr


def lines_to_type(host: Hosting) -> list[str]:
    """Return the commands that the page lets a client run: a game, a game with a person, drills, and a review."""
    (block,) = recipes("Without a terminal")
    lines = [re.fullmatch(r"ssh -T host onlymove (.+)", line) for line in block.splitlines()]
    asked = [f"{host.program} {line[1]}" for line in lines if line is not None]
    assert len(asked) == len(lines) == 4, block
    return asked


def test_two_accounts_meet_line_by_line(host: Hosting, sessions: list[Pty]) -> None:
    meet = lines_to_type(host)[1]
    for account in (host.free, host.dan):
        command = [*host.sshd.command(account, host.folder / account, "-T"), meet]
        sessions.append(Pty(command, os.environ | {"TERM": "xterm-256color"}, 120, 60))
        sessions[-1].wait_for("Waiting for")
    for terminal in sessions:
        terminal.wait_for("to move.")
    game = games.load(shlex.split(meet)[2])
    mover, other = sorted(sessions, key=lambda terminal: f"{game.seats[0]}: you." not in terminal.text())
    start = game.default_start()
    mover.send(f"{game.notation.format_move(start, game.rules.legal_moves(start)[0])}\n")
    for terminal in sessions:
        terminal.wait_for(f"{game.seats[0]} plays")
    other.send("resign\n")
    for terminal in sessions:
        terminal.wait_for(f"{game.seats[0]} wins: {game.seats[1]} resigned.")
        assert terminal.has_ended()
        assert terminal.process.returncode == 0


def test_a_code_is_typed_and_no_third_account_keeps_two_from_meeting(host: Hosting, sessions: list[Pty]) -> None:
    """The third account has filled the lobby, taken the names of their folders, and keeps trying codes."""
    place = host.folder / "rooms"
    number = {name: pwd.getpwnam(name).pw_uid for name in (host.ada, host.free, host.dan)}
    own = place / str(number[host.dan])

    def fill() -> None:
        own.mkdir(0o755, exist_ok=True)
        for name in {str(uid) for uid in number.values()} - {path.name for path in place.iterdir()}:
            (place / name).mkdir()
        for challenge_id in range(2000):
            (place / f"{make_id(challenge_id)}.table").touch()
            (own / f"{make_id(challenge_id)}.table").write_bytes(b"{}\n" * 1000)

    def try_codes(challenge_id: str) -> None:
        for joiner in map(make_id, range(100)):
            joining = Joining(version=VERSION, challenge_id=challenge_id, joiner=joiner, name="dan")
            (own / f"{challenge_id}.{joiner}.seat").write_bytes(format_line(joining))

    assert as_account(host.dan, fill) == "None"
    terminal = host.login(host.ada)
    sessions.append(terminal)
    terminal.send("o")
    terminal.wait_for("Open a challenge")
    step_to(terminal, f"Open a challenge: {FIRST.title}")
    terminal.send("\r")
    terminal.wait_for("Open the challenge")
    step_to(terminal, "Open to")
    terminal.press(RIGHT + "\r")
    terminal.wait_for("Waiting for a player with the code")
    found = re.search(r"player with the code  (\w+)", terminal.text())
    assert found
    (record,) = (path for path in place.rglob("*.table") if path.stat().st_uid == number[host.ada] and is_waiting(path))
    assert as_account(host.dan, lambda: try_codes(record.name.removesuffix(".table"))) == "None"
    refused = host.run(host.free, f"{host.program} meet {FIRST.id} --code {found[1]}")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    asked = f"{host.program} meet {FIRST.id} --code"
    sessions.append(Pty([*host.sshd.command(host.free, host.folder / host.free, "-T"), asked], os.environ, 120, 60))
    sessions[-1].wait_for("Type the code")
    sessions[-1].send(f"{found[1]}\n")
    sessions[-1].wait_for("to move.")
    assert not [args for _, _, args in processes() if found[1] in args], "nobody reads the code there"
    sessions[-1].send("resign\n")
    for session in sessions:
        session.wait_for("resigned")


def make_id(number: int) -> str:
    """Turn a number into the id of a challenge or of a joining player."""
    return "".join(ID_SIGNS[number >> 5 * sign & 31] for sign in range(16))


def is_waiting(record: Path) -> bool:
    """Whether this is the record of a challenge with a code that nobody has joined."""
    return '"has_code":true' in record.read_text() and "accept" not in record.read_text()


# Settings for everybody.


def test_settings_for_everybody_win_over_a_players_file(host: Hosting) -> None:
    (recipe,) = recipes("Settings for everybody")
    command = host.adapt_recipe(recipe).removeprefix("ForceCommand ").strip()
    given = dict(re.findall(r"ONLYMOVE_(\w+)=(\S+)", command))
    assert given
    file = host.accounts.home(host.free) / CONFIG / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text('animation = "on"\nidle_minutes = 99\n')
    output = host.run(host.free, f"{command} config").stdout
    alone = host.run(host.free, f"{host.program} config").stdout
    file.unlink()
    for name, value in given.items():
        assert re.search(rf"^{name.lower()}\s+\S*{value}\b", output, re.MULTILINE), output
        assert not re.search(rf"^{name.lower()}\s+\S*{value}\b", alone, re.MULTILINE), alone
    (minutes,) = re.findall(r"`idle_minutes` \((\d+)\)", PAGE.read_text("utf-8").replace("\n", " "))
    assert Settings().idle_minutes == int(minutes)


@pytest.mark.slow
def test_an_idle_session_ends_as_the_page_says(host: Hosting, sessions: list[Pty]) -> None:
    """The limit is a minute, the shortest possible."""
    (recipe,) = recipes("Settings for everybody")
    command = host.adapt_recipe(recipe).removeprefix("ForceCommand ").strip()
    command = re.sub(r"IDLE_MINUTES=\d+", "IDLE_MINUTES=1", command)
    terminal = Pty(
        [*host.sshd.command(host.free, host.folder / host.free, "-tt"), command],
        os.environ | {"TERM": "xterm-256color"},
    )
    sessions.append(terminal)
    terminal.wait_for(FIRST.title)
    assert terminal.has_ended(80)
    assert terminal.process.returncode == exit_code("nobody presses a key")
    assert "quit because it was idle" in terminal.text()


# Compiled once for all accounts.


@pytest.mark.slow
def test_kernels_that_an_administrator_has_compiled_are_used_by_an_account(host: Hosting) -> None:
    (recipe,) = recipes("Compile once for all accounts")
    folder = Path(tempfile.mkdtemp(dir=host.folder))
    folder.chmod(0o755)
    command = recipe.strip().replace(PROGRAM, host.program).replace(KERNELS, str(folder / "kernels"))
    done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for game, _, path in (line.partition(": ") for line in done.stdout.splitlines()):
        assert Path(path).is_relative_to(folder)
        line = f"env ONLYMOVE_KERNELS={folder}/kernels {host.program} play {game} --plain --seats engine,engine"
        played = host.run(host.free, f"{line} --think 0.01 < /dev/null | head -3")
        assert played.returncode == 0, played.stderr
        assert "ompil" not in played.stderr, f"{game}: {played.stderr}"
        assert not list((host.accounts.home(host.free) / ".cache").rglob("*.nbi")), f"{game} was compiled again"
    shutil.rmtree(folder)
