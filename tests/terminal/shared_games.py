"""Plays whole games of every kind between two SSH sessions on loopback, and kills them with -9 at random moments. A
third session watches.

`make shared-games` runs it, or `python -m tests.terminal.shared_games --kills 200`. The script reads the records as
anybody may, types the moves, and compares. Every move shown on one of the three screens must be in the final game,
both players' stores must hold it, and no process may be left. A hidden choice must not be in any file before both
sides have chosen.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_tui.lobby.accounts import find_own_person
from onlymove_tui.lobby.lobby import Lobby, list_entries
from onlymove_tui.lobby.presence import ENDING as LIFE_SIGN
from onlymove_tui.lobby.record_file import SecretsFolder
from onlymove_tui.lobby.shared_game import SharedGame
from onlymove_tui.store.games import GameStore

from .harness import Pty, step_to
from .hosts import AccountHost, Host
from .kills import SMALL, list_shown_moves, read_move_list

KILLS_A_GAME = 24
MAX_DELAY = 0.25
"""The most seconds between typing a move and a kill. By then, everybody has seen the move."""
GAME_SECONDS = 600.0
HASH = re.compile(r'"fixed":"[0-9a-f]{64}"')


@dataclass
class Findings:
    """What the kills have shown. `seen_after` are the seconds from a move on disk to the other side's screen."""

    kills: int = 0
    games: int = 0
    plies: int = 0
    wrong: list[str] = field(default_factory=list)
    seen_after: list[float] = field(default_factory=list)
    peeks: int = 0
    """How often the other side has tried to read a hidden choice."""


class Game:
    """One game: three sessions, and the records as anybody can read them."""

    def __init__(self, host: Host, game: AnyGame, seed: int, findings: Findings, most: int) -> None:
        self.host = host
        self.game = game
        self.random = Random(seed)
        self.findings = findings
        self.most = most
        self.what = f"{game.id} seed {seed}"
        self.players = host.names[:2]
        self.pair = " and ".join(self.players)
        self.shown: set[str] = set()
        folder = host.folder
        self.lobby = Lobby(folder / "rooms", SecretsFolder(folder / "nobody"), find_own_person("dan"), games.load)
        self.sessions: dict[str, Pty] = {}
        self.shared_game = self.begin()

    def begin(self) -> SharedGame:
        """Open a challenge, join it and watch it, by keys."""
        before = {one.challenge_id for one in list_entries(self.lobby)}
        for name in self.host.names:
            self.sessions[name] = self.host.login(name)
        for terminal in self.sessions.values():
            terminal.wait_for("Play a person")
            terminal.send("o")
            terminal.wait_for("Open a challenge")
        ada, bob, cat = self.sessions.values()
        step_to(ada, f"Open a challenge: {self.game.facts.title}")
        ada.send("\r")
        ada.wait_for("Open the challenge")
        sizes = [option.title for option in self.game.play.options if option.id == "size"]
        if sizes:
            step_to(ada, sizes[0])
            ada.press("m")
            ada.press("\x7f" * 8 + SMALL + "\r")
            step_to(ada, "Open the challenge")
        ada.press("\r")
        ada.wait_for("Waiting")
        step_to(bob, f"{self.host.names[0]} is waiting")
        bob.press("\r")
        ada.wait_for(is_begun)
        bob.wait_for(is_begun)
        step_to(cat, "to watch")
        cat.press("\r")
        cat.wait_for("watching")
        (opened,) = (one for one in list_entries(self.lobby) if one.challenge_id not in before)
        return self.lobby.open_game(opened.challenge_id, opened.uid)

    def play(self) -> None:
        """Make random moves and kills until the game is over. Then compare everything."""
        deadline = time.monotonic() + GAME_SECONDS
        kills = 0
        while not self.shared_game.standing.is_over and time.monotonic() < deadline:
            self.move()
            if kills < self.most and self.random.random() < 0.5 and not self.shared_game.standing.is_over:
                kills += 1
                self.kill(self.random.choice(self.players if self.random.random() < 0.9 else self.host.names[2:]))
            self.look()
        if not self.shared_game.standing.is_over:
            self.findings.wrong.append(f"{self.what}: does not come to an end\n{self.screens()}")
        self.findings.games += 1
        self.findings.plies += self.shared_game.standing.ply
        self.compare()

    def move(self) -> None:
        """Type a move for a side that has to choose. If its session was killed before, this is repeated later."""
        self.shared_game.look()
        standing = self.shared_game.standing
        seats = [seat for seat in self.list_choosers() if seat not in standing.fixed]
        if not seats or standing.is_over:
            time.sleep(0.05)
            return
        seat = self.random.choice(seats)
        terminal = self.sessions[self.shared_game.person(seat).name]
        session = self.shared_game.standing.session
        move = self.random.choice(list(session.moves_of(seat)))
        text = self.game.notation.format_move(session.position, move)
        self.check_secrets(seats)
        terminal.send("m")
        terminal.settle(0.05, 1.0)
        terminal.send(f"{text}\r")
        typed = time.monotonic()
        while time.monotonic() < typed + 3.0 and self.shared_game.standing is standing:
            self.read_terminals()
            self.shared_game.look()
            if self.random.random() < 0.02 and self.most:
                break
        if self.shared_game.standing is standing:
            terminal.send("\x1b")
        elif self.shared_game.standing.ply > standing.ply and len(seats) == 1:
            self.time_to_be_seen(terminal, move)

    def list_choosers(self) -> list[int]:
        """Return the sides that have to choose."""
        mover = self.shared_game.standing.session.to_move
        return [0, 1] if mover is None else [mover]

    def time_to_be_seen(self, mover: Pty, move: object) -> None:
        """Now and then, measure how long a move on disk takes to appear on the other side's screen."""
        if self.most and self.random.random() < 0.7:
            return
        others = [self.sessions[name] for name in self.players if self.sessions[name] is not mover]
        begun = time.monotonic()
        lines = [len(read_move_list(other)) for other in others]
        while time.monotonic() < begun + 2.0:
            for other in others:
                other.read(0.005)
            if [len(read_move_list(other)) for other in others] > lines:
                self.findings.seen_after.append(time.monotonic() - begun)
                return

    def check_secrets(self, seats: list[int]) -> None:
        """Check that no file that the other side can read contains a hidden choice, while only one side has chosen."""
        standing = self.shared_game.standing
        if not self.game.facts.simultaneous or len(seats) != 1:
            return
        self.findings.peeks += 1
        reader, fixed = self.shared_game.person(seats[0]).name, self.shared_game.person(1 - seats[0]).name
        here = f'"epoch":{standing.epoch},"ply":{standing.ply},'
        challenge_id = self.shared_game.opening.challenge_id
        files = [*(self.host.folder / "rooms").rglob(f"{challenge_id}*")]
        records = [path.read_text() for path in files if path.suffix != LIFE_SIGN]
        assert len(records) == 2, "of each side one"
        lines = [line for record in records for line in record.splitlines() if here in line]
        is_hash = all(HASH.search(line) and '"move"' not in line for line in lines if '"ask"' not in line)
        if not is_hash or self.host.peek(reader, fixed):
            self.findings.wrong.append(f"{self.what}: a hidden choice can be read before both are fixed")

    def kill(self, name: str) -> None:
        """Kill a session's app at a random moment, and log in again."""
        time.sleep(self.random.random() * MAX_DELAY)
        for pid in self.host.apps(name):
            os.kill(pid, signal.SIGKILL)
            self.findings.kills += 1
        old = self.sessions[name]
        old.has_ended(5.0)
        self.note(old)
        old.close()
        terminal = self.sessions[name] = self.host.login(name)
        terminal.wait_for("Play a person")
        terminal.send("o")
        terminal.wait_for(lambda text: self.pair in text or self.is_over())
        if not self.is_over():
            step_to(terminal, self.pair)
            terminal.send("\r")
            # A move typed earlier may have ended the game, which is then no longer in the list.
            terminal.wait_for(lambda text: "shared game" in text or "watching" in text or self.is_over())

    def is_over(self) -> bool:
        """Whether the game is over, according to the records."""
        self.shared_game.look()
        return self.shared_game.standing.is_over

    def read_terminals(self) -> None:
        """Read what the screens show."""
        for terminal in self.sessions.values():
            terminal.read(0.01)

    def look(self) -> None:
        """Note the moves that the screens show. They must be in the final game."""
        self.read_terminals()
        self.shared_game.look()
        for terminal in self.sessions.values():
            self.note(terminal)

    def note(self, terminal: Pty) -> None:
        """Note the moves in the list beside a board."""
        if "shared game" in terminal.text() or "watching" in terminal.text():
            self.shown |= set(read_move_list(terminal))

    def compare(self) -> None:
        """Check that all end with the same game, that both stores hold it, and that no shown move is missing."""
        for terminal in self.sessions.values():
            terminal.settle(0.5, 5.0)
            self.note(terminal)
        session = self.shared_game.standing.session
        known = list_shown_moves(session)
        # A move that is read while it is drawn may lack its end, such as the pieces put down after a jump.
        whole = {text: f"{text.removesuffix('+')}+" for text in self.shown}
        missing = [
            text
            for text, begin in whole.items()
            if not any(move in (text, begin[:-1]) or move.startswith(begin) for move in known)
        ]
        if missing:
            self.findings.wrong.append(f"{self.what}: {' '.join(missing)} shown and gone")
        for terminal in self.sessions.values():
            terminal.send("\x11")
            terminal.has_ended(10.0)
            terminal.close()
        for name in self.players:
            self.resume_and_leave(name)
            store = GameStore(self.host.games_of(name))
            number = store.find_by_challenge(self.shared_game.opening.challenge_id)
            saved = None if number is None else store.load(number).session
            if saved is None or saved.list_moves() != session.list_moves() or saved.result != session.result:
                self.findings.wrong.append(f"{self.what}: {name}'s history has another game")
            store.close()
        if left := self.host.apps():
            self.findings.wrong.append(f"{self.what}: {len(left)} processes are left")

    def resume_and_leave(self, name: str) -> None:
        """Let a player who was killed after the last move come back and see the end."""
        terminal = self.host.login(name)
        terminal.wait_for("Play a person")
        terminal.settle(0.3, 3.0)
        if f"Resume {self.game.facts.title}" in terminal.text():
            terminal.send("r")
            terminal.wait_for("review")
            terminal.settle(0.5, 5.0)
        terminal.send("\x11")
        terminal.has_ended(10.0)
        terminal.close()

    def screens(self) -> str:
        """Return the text of all screens."""
        return "\n".join(terminal.text() for terminal in self.sessions.values())


def is_begun(text: str) -> bool:
    """Whether the board of a shared game is shown."""
    return "shared game" in text


def kill(kills: int, seed: int, host: Host, only: str = "") -> Findings:
    """Play a game of every kind, and more until there were enough kills."""
    findings = Findings()
    known = [facts for facts in games.list_games() if only in ("", facts.id)]
    number = 0
    try:
        while findings.kills < kills or number < len(known):
            game = games.load(known[number % len(known)].id)
            most = min(KILLS_A_GAME, kills - findings.kills) if kills else 0
            before = len(findings.wrong)
            played = Game(host, game, seed + number, findings, most)
            played.play()
            number += 1
            output = "; ".join(findings.wrong[before:]) or "all the same"
            output += f"; {played.shared_game.standing.session.result}"
            sys.stdout.write(f"{game.id}: {findings.plies} plies, {findings.kills} kills by now, {output}\n")
            sys.stdout.flush()
    finally:
        host.close()
    return findings


def main() -> None:
    """Run the kills and report what was found. The exit code is 1 if anything was lost or seen differently."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--kills", type=int, default=200)
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("--accounts", action="store_true", help="an account for each player; as root")
    ask.add_argument("--game", default="", help="of this kind only")
    asked = ask.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="shared-games-"))
    folder.chmod(0o755)
    try:
        host = AccountHost(folder) if asked.accounts else Host(folder)
        found = kill(asked.kills, asked.seed, host, asked.game)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for line in found.wrong:
        sys.stdout.write(f"{line}\n")
    seen = sorted(found.seen_after)
    if seen:
        half, most = (seen[int(len(seen) * share)] for share in (0.5, 0.95))
        sys.stdout.write(f"a move is on the other screen after {half * 1000:.0f} ms, 95 % after {most * 1000:.0f} ms\n")
    sys.stdout.write(f"{found.peeks} times the other side tried to read a choice that was not shown yet\n")
    sys.stdout.write(f"{found.games} games, {found.plies} plies, {found.kills} kills, {len(found.wrong)} wrong\n")
    sys.exit(bool(found.wrong))


if __name__ == "__main__":
    main()
