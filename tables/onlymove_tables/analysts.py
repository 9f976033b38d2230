"""Opens the analyst of a game for whoever asks for values: the app, a command, a match or a program.

All of them go through the same steps in the same order. Compiled kernels are stored on disk. The kernels that a search
needs are compiled. A small game without a table is solved, and so is one with an outdated table of the player. Then the
table is opened, or a search replaces it. The callers differ only in what they wait for, who is told and who may stop
the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from onlymove_engines.core.analysis import Report, Tell, ignore_line, ignore_report
from onlymove_engines.core.budget import never_stop
from onlymove_engines.core.game import AnyGame

from onlymove_tables.background import wait_for_table
from onlymove_tables.kernels import prepare
from onlymove_tables.open import Opened, open_game, require_sound_rules


class Wait(IntEnum):
    """What a caller waits for. Each step includes those before it."""

    TABLE = 1
    """A small game is solved first."""
    KERNELS = 2
    """If the game is played by search, its kernels are compiled first too."""


class StoppedWaiting(Exception):
    """`stop` ended the wait. What was waited for goes on, and the game can be opened later."""


def open_for(
    game: AnyGame,
    wait: Wait = Wait.TABLE,
    stop: Callable[[], bool] = never_stop,
    tell: Tell = ignore_line,
    report: Report = ignore_report,
) -> Opened:
    """Return the game's analyst after waiting for what it needs. `tell` receives a line about each thing that cannot be
    used or stored, but not about a missing table: `Opened.refusal` says that. `report` receives the progress of the
    wait. Raises StoppedWaiting if `stop` ended the wait, NoCompiler if only a compiled search could find the values and
    there is no compiler, and RefusedRules if the rules are wrong or not supported."""
    prepare_for(game, wait, stop, tell, report)
    return open_game(game, tell)


def prepare_for(
    game: AnyGame,
    wait: Wait = Wait.TABLE,
    stop: Callable[[], bool] = never_stop,
    tell: Tell = ignore_line,
    report: Report = ignore_report,
) -> None:
    """Do all that `open_for` does before it opens the table. Raises StoppedWaiting, and RefusedRules if the rules of
    the game are wrong or not supported."""
    prepare()
    if wait >= Wait.KERNELS and game.facts.plays_by_search:
        from onlymove_tables.kernels.compiler import wait_for_kernels  # noqa: PLC0415 - only where there is a search

        if not wait_for_kernels(game, stop, tell, report):
            raise StoppedWaiting
    if not wait_for_table(game, stop, tell, report):
        raise StoppedWaiting
    require_sound_rules(game)
