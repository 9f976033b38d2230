"""Two processes play whole shared games and are killed with -9 at random moments. A third one watches.

`python -m tests.lobby.kills --kills 200`. All of them must see the same. If two games were seen after the same number
of undos, one must continue the other. At the end all three must be equal.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_tui.lobby.accounts import find_own_person
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge, Terms
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.record_file import RequestKind, SecretsFolder
from onlymove_tui.lobby.shared_game import SharedGame

NAMES = ("ada", "bob")
LOOKER_ON = "cat"
MAX_LIFE = 0.4
"""The most seconds until the next kill. A game takes a few seconds, so that every part of one is hit."""
MAX_GAME_LENGTH = 120.0
SMALL = "6x6"


@dataclass
class Findings:
    """What the kills have shown."""

    kills: int = 0
    games: int = 0
    plies: int = 0
    wrong: list[str] = field(default_factory=list)


def open_lobby(folder: Path, name: str) -> Lobby:
    """Return the lobby as one of the three sees it."""
    return Lobby(folder / "rooms", SecretsFolder(folder / name), find_own_person(name), games.load)


def format_state(shared_game: SharedGame) -> str:
    """Return the state of a game as a line: the undos, whether it is over, any agreement, and the moves."""
    standing = shared_game.standing
    agreed = "" if standing.agreed is None else standing.agreed.reason
    return f"{standing.epoch}|{int(standing.is_over)}|{agreed}|{' '.join(map(repr, standing.moves))}\n"


def play_and_note(folder: Path, name: str, number: str, seed: int, seen: Path) -> None:
    """Play at random until the game is over, and write down what is seen before going on. This runs in a process of its
    own."""
    lobby, random = open_lobby(folder, name), Random(seed)
    shared_game = lobby.open_game(number, os.geteuid()) if name == LOOKER_ON else lobby.resume_game(number)
    with seen.open("a") as output:
        output.write(format_state(shared_game))
        output.flush()
        while not shared_game.standing.is_over:
            if shared_game.look():
                output.write(format_state(shared_game))
                output.flush()
            if shared_game.own is not None and not shared_game.standing.is_over and act(shared_game, random):
                output.write(format_state(shared_game))
                output.flush()
            time.sleep(0.005)
        output.write(format_state(shared_game))


def act(shared_game: SharedGame, random: Random) -> bool:
    """Make a random move, answer a request or, now and then, make one. Return whether anything was done."""
    assert shared_game.own is not None
    standing, own = shared_game.standing, shared_game.own.seat
    if 1 - own in standing.requests and random.random() < 0.5:
        shared_game.answer(random.random() < 0.5)
        return True
    if random.random() < 0.01 and own not in standing.requests and standing.ply:
        shared_game.ask(RequestKind.UNDO if random.random() < 0.9 else RequestKind.DRAW, random.randrange(standing.ply))
        return True
    moves = () if own in standing.fixed else shared_game.standing.session.moves_of(own)
    if not moves or random.random() < 0.7:
        return False
    shared_game.send_move(random.choice(moves))
    return True


def play(game: AnyGame, seed: int, folder: Path, findings: Findings, most: int) -> None:
    """Play one game, and kill its players until it is over or there were enough kills."""
    random, context = Random(seed), multiprocessing.get_context("fork")
    first, second = (open_lobby(folder, name) for name in NAMES)
    options = {option.id: SMALL for option in game.play.options if option.id == "size"}
    start = game.notation.format_position(game.start(options, seed))
    opened = OpenChallenge.open(first, Terms(game.id, start, random.randrange(2), clock=random.choice(("", "5+3"))))
    joined = JoinedChallenge.join(second, opened.challenge_id, os.geteuid())
    assert opened.look()
    assert joined.look()
    opened.close()
    joined.close()
    seen = {name: folder / f"{name}.seen" for name in (*NAMES, LOOKER_ON)}

    def begin(name: str) -> multiprocessing.process.BaseProcess:
        output = (folder, name, opened.challenge_id, random.randrange(10**6), seen[name])
        process = context.Process(target=play_and_note, args=output)
        process.start()
        return process

    running = {name: begin(name) for name in seen}
    deadline = time.monotonic() + MAX_GAME_LENGTH
    while any(process.is_alive() for process in running.values()) and time.monotonic() < deadline:
        time.sleep(random.random() * MAX_LIFE)
        name = random.choice(NAMES if random.random() < 0.9 else (LOOKER_ON,))
        if findings.kills < most and running[name].is_alive():
            os.kill(running[name].pid or 0, signal.SIGKILL)
            running[name].join()
            findings.kills += 1
            running[name] = begin(name)
    for name, process in running.items():
        process.join(max(0.0, deadline - time.monotonic()))
        if process.is_alive():
            findings.wrong.append(f"{game.id} seed {seed}: {name} does not come to an end")
            process.kill()
            process.join()
    findings.games += 1
    compare(f"{game.id} seed {seed}", [path.read_text() for path in seen.values()], findings)


def compare(what: str, output: Sequence[str], findings: Findings) -> None:
    """Check that all have seen one game, with the same end."""
    whole = [[line for line in text.split("\n")[:-1] if line.count("|") == 3] for text in output]
    ends = {lines[-1] for lines in whole}
    if len(ends) != 1:
        findings.wrong.append(f"{what}: {len(ends)} different ends")
    longest: dict[str, list[str]] = {}
    for line in sorted((line for lines in whole for line in lines), key=len):
        epoch, _, _, moves = line.split("|", 3)
        words = moves.split(" ")
        before = longest.setdefault(epoch, words)
        if words[: len(before)] != before and moves and before != [""]:
            findings.wrong.append(f"{what}: seen and gone: {' '.join(before)}")
        longest[epoch] = words
    findings.plies += len(next(iter(ends)).split("|")[3].split())


def kill(kills: int, seed: int, folder: Path) -> Findings:
    """Play games of every kind in turn, until there were enough kills."""
    findings, known = Findings(), games.list_games()
    number = 0
    while findings.kills < kills or number < len(known):
        game = games.load(known[number % len(known)].id)
        place = folder / f"game-{number}"
        with suppress(FileExistsError):
            place.mkdir()
        play(game, seed + number, place, findings, kills)
        number += 1
    return findings


def main() -> None:
    """Run the kills and report what was found. The exit code is 1 if anything was lost or seen differently."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--kills", type=int, default=200)
    ask.add_argument("--seed", type=int, default=0)
    asked = ask.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = kill(asked.kills, asked.seed, Path(folder))
    for line in found.wrong:
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{found.games} games, {found.plies} plies, {found.kills} kills, {len(found.wrong)} wrong\n")
    sys.exit(bool(found.wrong))


if __name__ == "__main__":
    main()
