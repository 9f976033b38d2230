"""Kills games, lessons, drills and retries with -9 at random moments. Everything that was shown must be on disk, and no
store may be damaged.

`make kills` runs it, or `python -m tests.terminal.kills --lines 2000 --app 300 --tasks 300`. In line mode, the printed
text tells what was played or solved. In the app, the screen does.
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
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import dropwhile, islice, takewhile
from pathlib import Path
from random import Random
from typing import Final

import pytest
from onlymove_engines import games
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.lessons import find_lessons
from onlymove_engines.coach.values import find_values
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.tree import AnyNode, AnyTree
from onlymove_engines.records.record import Record, format_record
from onlymove_tables.kernels import prepare
from onlymove_tables.open import open_game
from onlymove_tui.cli import run
from onlymove_tui.play.line_mode import task_line
from onlymove_tui.play.training import Course
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Learned

from .harness import Pty, step_to

MAX_GAME_LENGTH = 60
"""The most lines that a player types before the kill."""
MAX_DELAY = 0.05
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
        self.stopped = ""

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
        wanted = self.stopped if asked == "keep" else asked
        if "not played yet" in line:
            self.stopped = words[0]
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
        tree, here = self.session.tree, self.session.node
        to_text = self.session.game.notation.format_position
        near = [*here.path()[::-1], *reversed(tree.nodes)]
        found = [node for node in near if to_text(node.position) == position]
        assert found, f"a position that was never shown: {position}"
        self.session.go_to(found[0])

    def play(self, text: str) -> None:
        """Play a printed move."""
        with suppress(OnlymoveError):
            self.session.play(self.session.game.notation.parse_move(self.session.position, text))


def is_whole(shown: AnyNode, tree: AnyTree) -> bool:
    """Whether every move that leads to `shown` is in `line`."""
    node = tree.root
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
        for left in reversed(range(random.randrange(1, MAX_GAME_LENGTH))):
            asked = random.choice(COMMANDS) if random.random() < 0.25 else choice(follower.session, random)
            with suppress(BrokenPipeError):
                os.write(to, f"{asked}\nposition\n".encode())
            if not left:
                time.sleep(random.random() * MAX_DELAY)
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


def store_path(home: Path) -> Path:
    return home / "data" / "onlymove" / "games.sqlite3"


def look_at_store(follower: Follower, home: Path, name: str, findings: Findings) -> None:
    """Check that everything shown is in the store, and that the store is not damaged."""
    shown = len(follower.session.tree.nodes) - 1
    path = store_path(home)
    if not path.exists():
        if shown:
            findings.lost.append(f"{name}: {shown} plies shown, no store")
        return
    check = sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0]
    if check != "ok":
        findings.damaged.append(f"{name}: {check}")
        return
    store = GameStore(path)
    saved = [store.load(entry.number).session.tree for entry in store.list(1)]
    store.close()
    played = (node for node in follower.session.tree.nodes if node.parent is not None)
    lost = [node for node in played if not any(is_whole(node, tree) for tree in saved)]
    if lost:
        moves = " ".join(str(step.move) for step in lost[0].path()[1:])
        findings.lost.append(f"{name}: shown but not saved: {moves}")


# The app.


def open_app(home: Path, settings: Mapping[str, str], *arguments: str) -> Pty:
    environ = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "XDG_CACHE_HOME") if name in os.environ}
    environ |= {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "STATE")}
    environ |= {"HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", "ONLYMOVE_ANIMATION": "off"}
    environ |= settings
    return Pty([sys.executable, "-m", "onlymove_tui", *arguments], environ)


def kill_in_the_app(game: AnyGame, seed: int, home: Path, findings: Findings) -> None:
    """Play a game in the app, and kill it at a random moment. The moves in the list must be in the store."""
    random = Random(seed)
    settings = {"ONLYMOVE_ON_BAD": random.choice(("ask", "flag", "undo")), "ONLYMOVE_STRENGTH": "20"}
    terminal = open_app(home, settings, "play", game.id, "--seed", str(seed))
    try:
        terminal.wait_for(lambda text: any(words in text for words in ("to move", "choose", "move at once")))
        for _ in range(random.randrange(3, 40)):
            terminal.send(random.choice(("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\r", "\r", "u", "r", "h", "t")))
            terminal.settle(random.choice((0.02, 0.05, 0.1)), 0.3)
        time.sleep(random.random() * MAX_DELAY)
        terminal.signal(signal.SIGKILL)
        terminal.has_ended()
        shown = read_move_list(terminal)
    finally:
        terminal.close()
    findings.games += 1
    path = store_path(home)
    if sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0] != "ok":
        findings.damaged.append(f"{game.id} seed {seed}: damaged")
        return
    store = GameStore(path)
    entries = store.list(1)
    saved = store.load(entries[0].number).session if entries else None
    store.close()
    known = set() if saved is None else list_shown_moves(saved)
    # A move with other tries beside it has an extra sign at its end, which may be part of a move in other games.
    missing = [text for text in shown if not {text, text.removesuffix("+")} & known]
    if missing:
        findings.lost.append(f"{game.id} seed {seed}: {' '.join(missing)} shown but not saved")


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
        for node in session.tree.nodes
        if node.parent is not None
    }


# Lessons, drills and retries.


def is_damaged(home: Path, name: str, findings: Findings) -> bool:
    if not store_path(home).exists():
        return False
    with closing(sqlite3.connect(store_path(home))) as store:
        check = store.execute("PRAGMA integrity_check").fetchone()[0]
    if check != "ok":
        findings.damaged.append(f"{name}: {check}")
    return bool(check != "ok")


def count_saved(home: Path, query: str) -> int:
    """Return the number that a query finds, or 0 if the store or its tables were not made yet."""
    if not store_path(home).exists():
        return 0
    with closing(sqlite3.connect(store_path(home))) as store, suppress(sqlite3.OperationalError):
        return int(store.execute(query).fetchone()[0])
    return 0


TASKS_DONE = "SELECT total(task) FROM lesson_step"
DRILLS_ANSWERED = "SELECT total(tries) FROM drill"


def compare(shown: int, saved: int, name: str, findings: Findings) -> None:
    """Note a step or an answer that was shown and not saved. One more may be saved, because its words come later."""
    if not shown <= saved <= shown + 1:
        findings.lost.append(f"{name}: {shown} shown and {saved} saved")


class Pupil:
    """Knows the right and the wrong answers to the tasks of a game's lessons, of which the first ones are done."""

    def __init__(self, game: AnyGame, done: int, random: Random) -> None:
        places = {}
        for number, step in enumerate(find_lessons(game)):
            places[number] = min(done, len(step.tasks))
            done -= places[number]
        self.course = Course(game, Coaching(), Learned(places=places))
        self.random = random
        self.analyst = open_game(game).analyst

    def choose(self) -> str:
        """Return an answer to the current task, which is often a right one."""
        live = self.course.live_game()
        if self.course.task.needs_values:
            live.store_values(live.node, find_values(live.session.tree, live.node, self.analyst, UNLIMITED))
        moves = [*live.session.moves_of(self.course.seat)]
        right = [*self.course.find_answers(live)]
        return self.course.game.notation.format_move(
            live.node.position, self.random.choice(right if self.random.random() < 0.7 else moves)
        )


class Typist:
    """Types lines to a process and reads its answers, and kills it at a random moment."""

    def __init__(self, game: AnyGame, child: int, to: int, back: int, random: Random) -> None:
        self.game = game
        self.child = child
        self.to = to
        self.reader = Reader(back)
        self.random = random
        self.left = random.randrange(1, 20)

    def ask(self, typed: str = "") -> list[str]:
        """Type a line, and ask for the position. Return what is printed, which ends with the position if the process
        still lives then."""
        with suppress(BrokenPipeError):
            os.write(self.to, f"{typed}\nposition\n".encode() if typed else b"position\n")
        self.left -= 1
        if not self.left:
            time.sleep(self.random.random() * MAX_DELAY)
            os.kill(self.child, signal.SIGKILL)
        return self.reader.lines(lambda line: is_position(self.game, line))


def kill_in_lessons(game: AnyGame, seed: int, home: Path, findings: Findings) -> None:
    """Go through a game's lessons line by line. The process is killed at a random moment, again and again, and the next
    one has to go on after the last task that was done."""
    random, name, done = Random(seed), f"lessons of {game.id} seed {seed}", 0
    while not (pupil := Pupil(game, done, random)).course.is_played_out:
        course = pupil.course
        with play_in_lines(["learn", game.id], home) as (child, to, back):
            typist = Typist(game, child, to, back, random)
            begun = typist.ask()
            if begun and task_line(course.task.ask) not in begun:
                findings.lost.append(f"{name}: {done} tasks are done, but the next process shows {begun}")
            while typist.reader.is_open and not course.is_played_out:
                if any(" is correct. " in line for line in typist.ask(pupil.choose())):
                    done += 1
                    typist.ask("next")
                    course.solve()
                    course.advance()
        findings.games += 1
        if is_damaged(home, name, findings):
            return
        saved = count_saved(home, TASKS_DONE)
        compare(done, saved, name, findings)
        done = saved


ANSWERED = ("is correct.", "Try again.", "You'll see this")


def kill_in_drills(game: AnyGame, seed: int, home: Path, findings: Findings) -> None:
    """Answer fresh drills line by line, rightly and wrongly, and kill the process at a random moment."""
    random, name, shown, is_first = Random(seed), f"drills of {game.id} seed {seed}", 0, True
    with play_in_lines(["drill", "--fresh", game.id], home) as (child, to, back):
        typist = Typist(game, child, to, back, random)
        lines = typist.ask()
        while typist.reader.is_open and lines:
            position = game.notation.parse_position(lines[-1])
            move = random.choice(game.rules.legal_moves(position))
            told = " ".join(typist.ask(random.choice(("solution", game.notation.format_move(position, move)))))
            shown += is_first and any(words in told for words in ANSWERED)
            is_first = False
            if "Try again." not in told:
                lines, is_first = typist.ask("next"), True
    findings.games += 1
    if not is_damaged(home, name, findings):
        compare(shown, count_saved(home, DRILLS_ANSWERED), name, findings)


def kill_soon(terminal: Pty, random: Random) -> str:
    """Kill the app within a moment, and return what its screen shows then."""
    if random.random() < 0.5:
        terminal.settle(0.01, random.random() * MAX_DELAY)
    terminal.signal(signal.SIGKILL)
    terminal.has_ended()
    return terminal.text()


STEP = re.compile(r"step (\d+) of \d+")
IS_DONE = re.compile(r"Enter next")
IS_ANSWERED = re.compile(r"Enter next|try again")
"""The keys of a task that is done, and those of one that was answered."""


def kill_on_the_lesson_screen(game: AnyGame, seed: int, home: Path, findings: Findings) -> None:
    """The same in the app. Often it is killed as soon as it calls an answer right."""
    random, name, done = Random(seed), f"lesson screen of {game.id} seed {seed}", 0
    while not (pupil := Pupil(game, done, random)).course.is_played_out:
        course, left = pupil.course, random.randrange(1, 8)
        terminal = open_app(home, {})
        try:
            terminal.wait_for("Play a person")
            step_to(terminal, game.facts.title)
            terminal.send("l")
            terminal.wait_for("First game")
            terminal.send("\r")
            terminal.wait_for(f"step {course.place[0] + 1} of")
            while True:
                terminal.wait_for(lambda text: not IS_ANSWERED.search(text))
                terminal.send("m")
                terminal.wait_for("Enter accept")
                terminal.send(f"{pupil.choose()}\r")
                while not IS_ANSWERED.search(terminal.text()):
                    if "Too quick" in terminal.text():
                        terminal.send("\r")
                    terminal.read(0.05)
                is_right = IS_DONE.search(terminal.text())
                if is_right:
                    done += 1
                    course.solve()
                left -= 1
                if not left:
                    break
                terminal.send("\r" if is_right else "\x7f")
                if is_right and not (course.advance() and not course.is_played_out):
                    break
            kill_soon(terminal, random)
        finally:
            terminal.close()
        findings.games += 1
        if is_damaged(home, name, findings):
            return
        saved = count_saved(home, TASKS_DONE)
        compare(done, saved, name, findings)
        done = saved


RETRY_KEYS = ("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\r", "\r", "\x7f", "h", "s", "q", "n", "t", "v")


def kill_in_a_retry(game: AnyGame, seed: int, home: Path, findings: Findings) -> None:
    """Review a game of random moves in the app, look for better moves at its mistakes, and kill the app. The game must
    stay as it was."""
    random, name = Random(seed), f"retry in {game.id} seed {seed}"
    session = Session(game, game.start({option.id: SMALL for option in game.play.options if option.id == "size"}, seed))
    while not session.is_over and session.node.ply < MAX_GAME_LENGTH:
        session.play(random.choice([*game.rules.legal_moves(session.position)]))
    home.mkdir(parents=True)
    (home / "game").write_text(format_record(Record(session.tree, {"First": "me", "Second": "you"})))
    with play_in_lines(["import", str(home / "game")], home) as (_, _, back):
        Reader(back).lines(lambda line: line.startswith("Imported"))
    terminal = open_app(home, {})
    try:
        terminal.wait_for("Play a person")
        for key, wanted in (("e", "games"), ("\r", "the start")):
            terminal.send(key)
            terminal.wait_for(wanted)
        while "the start" in terminal.text():  # The values are not known at once, nor where the mistakes are.
            terminal.press("n")
        terminal.send("t")
        # A move that does not change the result, only how long the game lasts, has no retry. Moves are tried instead.
        terminal.wait_for(lambda text: "s solution" in text or "Trying: " in text)
        for _ in range(random.randrange(30)):
            terminal.send(random.choice(RETRY_KEYS))
            terminal.settle(random.choice((0.02, 0.1)), 0.3)
        kill_soon(terminal, random)
    finally:
        terminal.close()
    findings.games += 1
    if is_damaged(home, name, findings):
        return
    store = GameStore(store_path(home))
    saved = [store.load(entry.number).session for entry in store.list()]
    store.close()
    # The keys may have left the review and begun another game.
    if (session.list_moves(), session.result) not in [(one.list_moves(), one.result) for one in saved]:
        findings.lost.append(f"{name}: the reviewed game has changed")


KILLS: Final = {
    "lines": (kill_in_lines, 2000),
    "app": (kill_in_the_app, 300),
    "lessons": (kill_in_lessons, 100),
    "drills": (kill_in_drills, 100),
    "lesson-screens": (kill_on_the_lesson_screen, 20),
    "retries": (kill_in_a_retry, 40),
}
"""Where to kill, and how often."""


def main() -> None:
    """Run the kills and report what was found. The exit code is 1 if anything was lost or damaged."""
    ask = argparse.ArgumentParser(description=__doc__)
    for name, (_, usual) in KILLS.items():
        ask.add_argument(f"--{name}", type=int, default=usual)
    ask.add_argument("--seed", type=int, default=0)
    wanted = vars(ask.parse_args())
    prepare()
    known = [games.load(facts.id) for facts in games.list_games()]
    is_wrong = False
    with tempfile.TemporaryDirectory() as folder:
        for name, (kill, _) in KILLS.items():
            findings = Findings()
            for number in range(wanted[name.replace("-", "_")]):
                game, seed = known[number % len(known)], wanted["seed"] + number
                try:
                    kill(game, seed, Path(folder, f"{name}-{number}"), findings)
                except (AssertionError, pytest.fail.Exception) as error:
                    findings.lost.append(f"{game.id} seed {seed}: {error}")
            findings.report(name)
            is_wrong = is_wrong or bool(findings.lost or findings.damaged)
    sys.exit(is_wrong)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
