"""Kills games with -9 at random moments. Everything that was shown must be on disk, and no store may be damaged.

`make kills` runs it, or `python -m tests.terminal.kills --lines 2000 --app 300`. In line mode, the printed text tells
what was played. In the app, the move list on the screen does.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import select
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import dropwhile, islice, takewhile
from pathlib import Path
from random import Random

from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.line import AnyLine, AnyNode
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session
from onlymove_tables.kernels import prepare
from onlymove_tui.cli import run
from onlymove_tui.store.games import GameStore

from .harness import Pty

LONGEST_GAME = 60
"""The most lines that a player types before the kill."""
LONGEST_DELAY = 0.05
"""The most seconds between the last line and the kill. An answer takes a tenth of that."""
SMALL = "6x6"
"""The size of the field, where it can be chosen. On this one, values are proven at once."""
COMMANDS = ("undo", "redo", "hint", "keep", "rethink", "values", "draw", "board")
VALUE = re.compile(r"[WL]\d+|D|win|draw|loss|[+-]\d+|-?\d?\.\d+")
"""Matches a value that the list shows beside a move."""
ENGINE = Player(PlayerKind.ENGINE)


@dataclass
class Findings:
    """What the kills have shown."""

    games: int = 0
    lost: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    def report(self, what: str) -> None:
        """Print a line for everything that is wrong, and the totals."""
        for line in (*self.lost, *self.damaged):
            sys.stdout.write(f"{line}\n")
        sys.stdout.write(
            f"{what}: {self.games} kills, {len(self.lost)} games with lost plies, {len(self.damaged)} damaged\n"
        )


# Line mode.


class Follower:
    """Follows a game by the printed lines."""

    def __init__(self, session: AnySession) -> None:
        self.session = session
        self.held = ""

    def follow(self, asked: str, output: list[str]) -> None:
        """Follow one command and what was printed for it. A position at the end says where the game is now."""
        for number, line in enumerate(output):
            self.hear(asked if number == 0 else "", line)
        if output and is_position(self.session.game, output[-1]):
            self.stand_at(output[-1])

    def hear(self, asked: str, line: str) -> None:
        """Follow one printed line, after `asked` was typed."""
        words = line.split()
        if not words:
            return
        wanted = self.held if asked == "keep" else asked
        if "not played yet" in line:
            self.held = words[0]
        elif words[0] == "Round":
            self.play("".join(part.split()[-1] for part in line.rstrip(".").split(",")))
        elif len(words) > 2 and words[-2] == "plays":
            self.play(words[-1])
        elif self.is_move(words[0], wanted) and "Taken back" not in line and not self.session.game.facts.simultaneous:
            self.play(wanted)

    def is_move(self, output: str, wanted: str) -> bool:
        """Whether a printed word is the wanted move, in any spelling."""
        read = self.session.game.notation.parse_move
        with suppress(OnlymoveError):
            return bool(read(self.session.position, output) == read(self.session.position, wanted))
        return False

    def stand_at(self, position: str) -> None:
        """Go to the nearest node with the printed position, after an undo or redo."""
        line, here = self.session.line, self.session.node
        spell = self.session.game.notation.format_position
        near = [*here.path()[::-1], *reversed(line.nodes)]
        found = [node for node in near if spell(node.position) == position]
        assert found, f"a position that was never shown: {position}"
        self.session.go_to(found[0])

    def play(self, text: str) -> None:
        """Play a printed move."""
        with suppress(OnlymoveError):
            self.session.play(self.session.game.notation.parse_move(self.session.position, text))


def is_whole(shown: AnyNode, line: AnyLine) -> bool:
    """Whether every move that leads to `shown` is in `line`."""
    node = line.root
    for step in shown.path()[1:]:
        following = [child for child in node.children if child.move == step.move]
        if not following:
            return False
        node = following[0]
    return True


def play_lines(arguments: list[str], here: int, there: int, home: Path) -> None:
    """Play a game in line mode on two pipes, as the child process."""
    os.environ.update({f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "STATE")})
    os.dup2(here, 0)
    os.dup2(there, 1)
    sys.stdin, sys.stdout = os.fdopen(0, "r"), os.fdopen(1, "w", buffering=1)
    os._exit(run(arguments))


@contextmanager
def play_in_lines(arguments: list[str], home: Path) -> Iterator[tuple[int, int, int]]:
    """Start a game in line mode in its own process. Yield its id, and the ends of the pipes to it and from it."""
    here, to = os.pipe()
    back, there = os.pipe()
    child = os.fork()
    if child == 0:
        play_lines(arguments, here, there, home)
    os.close(here)
    os.close(there)
    try:
        yield child, to, back
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(to)
        os.close(back)


class Reader:
    """Reads the lines that come back. `is_open` says whether there may be more."""

    def __init__(self, back: int) -> None:
        self.back = back
        self.is_open = True
        self._rest = b""

    def lines(self, is_last: Callable[[str], bool], seconds: float = 30.0) -> list[str]:
        """Return the complete lines that come, up to the last line of an answer or the end."""
        found: list[str] = []
        while self.is_open and not (found and is_last(found[-1])):
            if not select.select([self.back], [], [], seconds)[0]:
                break
            some = os.read(self.back, 1 << 16)
            self.is_open = bool(some)
            *whole, self._rest = (self._rest + some).split(b"\n")
            found += [line.decode() for line in whole]
        return found


def kill_in_lines(game: AnyGame, seed: int, home: Path, findings: Findings) -> None:
    """Play a game in line mode, and kill it at a random moment."""
    random = Random(seed)
    players = random.choice(((HUMAN, ENGINE), (ENGINE, HUMAN), (HUMAN, HUMAN)))
    seats = ",".join(player.kind.value for player in players)
    options = {option.id: SMALL for option in game.play.options if option.id == "size"}
    arguments = ["play", game.id, "--plain", "--seats", seats, "--seed", str(seed)]
    arguments += ["--strength", "30"] if ENGINE in players else []
    arguments += [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    follower = Follower(Session(game, game.start(options, seed), players))
    with play_in_lines([*arguments, "--training", random.choice(("ask", "flag", "off"))], home) as (child, to, back):
        reader = Reader(back)
        os.write(to, b"position\n")
        follower.follow("board", reader.lines(lambda line: is_position(game, line)))
        for left in reversed(range(random.randrange(1, LONGEST_GAME))):
            asked = random.choice(COMMANDS) if random.random() < 0.25 else choice(follower.session, random)
            with suppress(BrokenPipeError):
                os.write(to, f"{asked}\nposition\n".encode())
            if not left:
                time.sleep(random.random() * LONGEST_DELAY)
                os.kill(child, signal.SIGKILL)
            follower.follow(asked, reader.lines(lambda line: is_position(game, line)))
            if not reader.is_open:
                break
    findings.games += 1
    look_at_store(follower, home, f"{game.id} seed {seed}", findings)


def is_position(game: AnyGame, line: str) -> bool:
    """Whether a line is a position, as `position` prints it."""
    try:
        game.notation.parse_position(line)
    except OnlymoveError:
        return False
    return True


def choice(session: AnySession, random: Random) -> str:
    """Return a random move to type."""
    seat = session.to_move
    if seat is None:
        seat = session.human_seats[0]
    moves = session.moves_of(seat)
    return session.game.notation.format_move(session.position, random.choice(list(moves))) if moves else "board"


def look_at_store(follower: Follower, home: Path, name: str, findings: Findings) -> None:
    """Check that everything shown is in the store, and that the store is not damaged."""
    shown = len(follower.session.line.nodes) - 1
    path = home / "data" / "onlymove" / "games.sqlite3"
    if not path.exists():
        if shown:
            findings.lost.append(f"{name}: {shown} plies shown, no store")
        return
    check = sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0]
    if check != "ok":
        findings.damaged.append(f"{name}: {check}")
        return
    store = GameStore(path)
    saved = [store.load(entry.number).session.line for entry in store.list(1)]
    store.close()
    played = (node for node in follower.session.line.nodes if node.parent is not None)
    lost = [node for node in played if not any(is_whole(node, line) for line in saved)]
    if lost:
        moves = " ".join(str(step.move) for step in lost[0].path()[1:])
        findings.lost.append(f"{name}: shown but not saved: {moves}")


# The app.


def kill_in_the_app(game_id: str, seed: int, home: Path, findings: Findings) -> None:
    """Play a game in the app, and kill it at a random moment. The moves in the list must be in the store."""
    random = Random(seed)
    environ = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "XDG_CACHE_HOME") if name in os.environ}
    environ |= {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "STATE")}
    environ |= {"HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", "ONLYMOVE_ANIMATION": "off"}
    environ |= {"ONLYMOVE_ON_BAD": random.choice(("ask", "flag", "undo")), "ONLYMOVE_STRENGTH": "20"}
    terminal = Pty([sys.executable, "-m", "onlymove_tui", "play", game_id, "--seed", str(seed)], environ)
    try:
        terminal.wait_for(lambda text: any(words in text for words in ("to move", "choose", "move at once")))
        for _ in range(random.randrange(3, 40)):
            terminal.send(random.choice(("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\r", "\r", "u", "r", "h", "t")))
            terminal.settle(random.choice((0.02, 0.05, 0.1)), 0.3)
        time.sleep(random.random() * LONGEST_DELAY)
        terminal.signal(signal.SIGKILL)
        terminal.has_ended()
        shown = read_move_list(terminal)
    finally:
        terminal.close()
    findings.games += 1
    path = home / "data" / "onlymove" / "games.sqlite3"
    if sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0] != "ok":
        findings.damaged.append(f"{game_id} seed {seed}: damaged")
        return
    store = GameStore(path)
    entries = store.list(1)
    saved = store.load(entries[0].number).session if entries else None
    store.close()
    known = set() if saved is None else list_shown_moves(saved)
    # A move with other tries beside it has an extra sign at its end, which may be part of a move in other games.
    missing = [text for text in shown if not {text, text.removesuffix("+")} & known]
    if missing:
        findings.lost.append(f"{game_id} seed {seed}: {' '.join(missing)} shown but not saved")


def read_move_list(terminal: Pty) -> list[str]:
    """Return the moves in the list beside the board, without their marks. The list begins after the players and an
    empty line."""
    places = [line[52:78] for line in terminal.text().split("\n")]
    below = islice(dropwhile(str.strip, places), 1, None)
    rows = [place.split() for place in takewhile(lambda place: place[:5].strip().isdigit(), below)]
    words = (word.strip("▸") for row in rows for word in row[1:] if word.strip("▸!?./+"))
    return [word for word in words if not VALUE.fullmatch(word)]


def list_shown_moves(session: AnySession) -> set[str]:
    """Return every move of a game as it is shown, including tried ones."""
    return {
        session.game.describe_move(node.parent.position, node.move)
        for node in session.line.nodes
        if node.parent is not None
    }


def main() -> None:
    """Run the kills and report what was found. The exit code is 1 if anything was lost or damaged."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--lines", type=int, default=2000)
    ask.add_argument("--app", type=int, default=300)
    ask.add_argument("--seed", type=int, default=0)
    wanted = ask.parse_args()
    prepare()
    known = games.list_games()
    lines, app = Findings(), Findings()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(wanted.lines):
            game = games.load(known[number % len(known)].id)
            try:
                kill_in_lines(game, wanted.seed + number, Path(folder, f"lines-{number}"), lines)
            except AssertionError as error:
                lines.lost.append(f"{game.id} seed {wanted.seed + number}: {error}")
        lines.report("line mode")
        for number in range(wanted.app):
            kill_in_the_app(known[number % len(known)].id, wanted.seed + number, Path(folder, f"app-{number}"), app)
        app.report("app")
    sys.exit(bool(lines.lost or lines.damaged or app.lost or app.damaged))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
