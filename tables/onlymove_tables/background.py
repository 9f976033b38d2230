"""Solves small games in the background when they are first used, and builds outdated tables of the player again.

The first is for games that have no solver of their own and fewer than `SMALL` positions. The second is for every table
in the user's folder that was built for other rules, if there is no other table. A separate process solves the game, so
that the app stays responsive. A caller that needs values waits for that process, unless the table is a large one. How
large a game is shows only when it is solved. If it is too large, or cannot be solved from its rules, a file next to the
cached tables says so, and nobody tries again until the rules change.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from onlymove_engines import games
from onlymove_engines.core.analysis import Report, Tell, ignore_line, ignore_report
from onlymove_engines.core.budget import never_stop
from onlymove_engines.core.errors import MissingTable, OutdatedTable, RefusedRules, TableMismatch, Unsolvable
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.rules_analyst import is_solved_by_rules
from onlymove_engines.search.rules_solver import find_solver

from onlymove_tables import lock
from onlymove_tables.file_format import Header, read_header
from onlymove_tables.kernels import prepare
from onlymove_tables.open import (
    cache_folder,
    checked_header,
    find_tables,
    find_verdict,
    solving_file,
    user_folder,
    write_verdict,
)

SMALL = 100_000
"""The most positions of such a game, with symmetric ones counted once. Rules in plain Python need seconds for this
many."""

MAX_SECONDS = 30.0
"""Solving ends after this time, because the player did not ask for it and has to wait."""

MAX_GROWTH = 2
"""Whoever built a large table wanted it. So it is built again without a limit on time, up to this many times as many
positions as it had."""

LOOK_AGAIN_SECONDS = 0.1
SOLVING_MESSAGE = "solving the game (first run only)"


def has_table(game: AnyGame) -> bool:
    try:
        paths = find_tables(game)
    except MissingTable:
        return False
    for path in paths:
        with suppress(TableMismatch):
            checked_header(game, path)
            return True
    return False


def read_outdated(game: AnyGame) -> Header | None:
    """Return the header of the game's table in the user's folder if it was built for other rules."""
    path = user_folder() / f"{game.id}.tbl"
    if find_solver(game) is None:
        return None
    try:
        checked_header(game, path)
    except OutdatedTable:
        return read_header(path)[0]
    except TableMismatch:
        pass
    return None


def is_to_be_solved(game: AnyGame) -> bool:
    """Whether the game has no table that can be used, but can get one."""
    is_candidate = bool(game.facts.package) and (is_solved_by_rules(game) or read_outdated(game) is not None)
    return is_candidate and not has_table(game) and find_verdict(game) is None


def wait_for_table(
    game: AnyGame,
    stop: Callable[[], bool] = never_stop,
    tell: Tell = ignore_line,
    report: Report = ignore_report,
    start: lock.StartHolding = lock.start_holding,
    small: int = SMALL,
) -> bool:
    """If a small game has no table yet, or the player's own table is outdated, start a process that solves the game.
    Wait until that process ends, but not for a table with more than `small` positions. `tell` receives one line if
    nothing can be stored, and one if an outdated table has been built again. While that goes on, the note of
    `open_game` says so. Returns `False` if `stop` ended the wait. The process goes on even then."""
    if not is_to_be_solved(game):
        return True
    outdated = read_outdated(game)
    folders = (cache_folder(), user_folder())
    path = solving_file(game)
    try:
        if not all(folder.is_absolute() for folder in folders):
            raise OSError("there is no home folder")
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK):
                raise PermissionError(f"{folder} cannot be written")
        start(path, __name__, game.id)
    except OSError as trouble:
        tell(f"{game.id} will not be solved, because its table cannot be stored: {trouble}")
        return True
    if outdated is not None and outdated.count > small:
        return True
    while lock.is_held(path):
        if stop():
            return False
        report(SOLVING_MESSAGE, 0.0)
        time.sleep(LOOK_AGAIN_SECONDS)
    if outdated is not None and read_outdated(game) is None:
        tell(f"{user_folder() / f'{game.id}.tbl'}: it was built for other rules, and has been built again")
    return True


def solve(game: AnyGame, small: int = SMALL, max_seconds: float = MAX_SECONDS) -> None:
    """Solve a small game, or one with an outdated table, and store its table for this user. If that fails, store the
    reason. Raises OSError if nothing can be stored."""
    from onlymove_engines.search.rules_graph import TooManyPositions  # noqa: PLC0415 - only in the process that solves

    from onlymove_tables.build import build_into  # noqa: PLC0415

    begun = time.monotonic()
    outdated = read_outdated(game)
    most = small if outdated is None else max(small, MAX_GROWTH * outdated.count)

    def give_up_late(_what: str, _share: float) -> None:
        if most == small and time.monotonic() - begun > max_seconds:
            raise TooManyPositions(f"{game.id} would take more than {max_seconds:.0f} seconds to solve")

    try:
        build_into(game, user_folder(), report=give_up_late, most=most)
        return
    except OSError:
        raise
    except TooManyPositions as refusal:
        write_verdict(game, f"{refusal}. To solve it anyway, run `onlymove tables build {game.id}`")
    except RefusedRules as refusal:
        write_verdict(game, str(refusal), is_refusal=True)
    except Unsolvable as refusal:
        write_verdict(game, str(refusal))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with somebody's rules is not tried again and again
        write_verdict(game, f"{game.id}: its rules raised an error: {error!r}", is_refusal=True)


def main(game_id: GameId) -> None:
    os.nice(5)
    prepare()
    game = games.load(game_id)
    with suppress(OSError):
        if is_to_be_solved(game):
            solve(game)


if __name__ == "__main__":
    main(sys.argv[1])
