"""Opens a challenge, and plays in one of the ways that once made the opponent lose on time.

`python -m tests.terminal.cheats WAY GAME CLOCK ROOMS` runs until the game ends. In the way `slow` the program is
honest, but its clock is wrong, because `faketime` starts it. In the other ways, it writes lines with old times.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec
from onlymove_engines import games
from onlymove_tui.lobby.accounts import find_own_person
from onlymove_tui.lobby.challenges import OpenChallenge, Terms
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.record_file import Answering, Committing, RecordLine, Revealing, SecretsFolder
from onlymove_tui.lobby.shared_game import SharedGame

LOOK_SECONDS = 0.05
SIZES = {"size": "6x6"}


def open_rooms(rooms: Path, name: str) -> Lobby:
    return Lobby(rooms, SecretsFolder(rooms.parent / f"secrets-{name}"), find_own_person(name), games.load)


def begin(lobby: Lobby, game_id: str, clock: str, seat: int) -> SharedGame:
    """Open a challenge, wait for a player who joins, and return the game."""
    game = games.load(game_id)
    options = {option.id: SIZES[option.id] for option in game.play.options if option.id in SIZES}
    start = game.notation.format_position(game.start(options, 1))
    opened = OpenChallenge.open(lobby, Terms(game_id, start, seat, clock=clock))
    while not opened.look():
        time.sleep(LOOK_SECONDS)
    opened.close()
    return lobby.resume_game(opened.challenge_id)


def write_falsely(shared: SharedGame, line: RecordLine) -> None:
    """Write a line that says it is an hour old."""
    own, theirs, then = shared.get_own(), shared.readers[1], time.time() - 3600
    theirs.look()
    own.writer.write_message(msgspec.structs.replace(line, time=then, seen=then, read=len(theirs.lines)))


def act_slowly(shared: SharedGame, _: SharedGame) -> None:
    """Make the first move. Any further moves are up to the opponent."""
    shared.look()
    if shared.standing.ply == 0:
        shared.send_move(shared.standing.session.moves_of(0)[0])


def act_on_undo(shared: SharedGame, _: SharedGame) -> None:
    """Answer the first move, and agree to take it back."""
    shared.look()
    standing = shared.standing
    if (request := shared.find_request()) is not None:
        write_falsely(shared, Answering(asked=request.line, agrees=True))
    elif standing.epoch == 0 and standing.ply == 1:
        shared.send_move(standing.session.moves_of(1)[0])


def act_in_rounds(shared: SharedGame, seen: SharedGame) -> None:
    """Commit to a choice in the first round, and reveal it, each time after the opponent."""
    standing, own = seen.standing, shared.get_own()
    if standing.ply > 0:
        shared.look()
        return
    text = shared.game.notation.format_move(standing.session.position, standing.session.moves_of(own.seat)[0])
    if len(standing.fixed) == 1:
        write_falsely(shared, Committing(epoch=0, ply=0, fixed=own.secrets.fix(own.seat, 0, 0, text)))
    elif len(standing.shown) == 1:
        write_falsely(shared, Revealing(epoch=0, ply=0, nonce=own.secrets.nonce(own.seat, 0, 0), move=text))


WAYS = {"slow": (0, act_slowly), "undo": (1, act_on_undo), "rounds": (0, act_in_rounds)}


def main() -> None:
    way, game_id, clock, rooms = sys.argv[1:]
    seat, act = WAYS[way]
    lobby = open_rooms(Path(rooms), "eve")
    shared = begin(lobby, game_id, clock, seat)
    seen = lobby.open_game(shared.opening.challenge_id, shared.person(seat).uid)
    while not seen.standing.is_over:
        act(shared, seen)
        time.sleep(LOOK_SECONDS)
        seen.look()


if __name__ == "__main__":
    main()
