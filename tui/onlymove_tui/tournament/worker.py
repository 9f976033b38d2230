"""One game of a match, played wherever a worker is: from a plan and a number to a record. Needs no preparation.

A result says what it was made with, so that a worker with other tables or another program is found out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from onlymove_engines import __version__, games
from onlymove_engines.core.analysis import AnyAnalyst, Tell, alternating, unread
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.records.record import Record, format_record
from onlymove_engines.search.jit import require_compiler
from onlymove_tables.kernels import prepare
from onlymove_tables.kernels.compiler import wait_for_kernels
from onlymove_tables.open import load_first, open_analyst, open_table

from onlymove_tui.tournament.contestant import Limits
from onlymove_tui.tournament.entrants import entrants
from onlymove_tui.tournament.plan import Plan
from onlymove_tui.tournament.referee import Finished, Referee
from onlymove_tui.tournament.starts import derived, start_of

ONE_AT_A_TIME = threading.Lock()
"""A worker may have several threads; its CPU clock is one."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played: its number, its record, and what it was made with."""

    number: int
    record: str
    made_with: str


@dataclass(frozen=True, slots=True)
class Workshop:
    """What every game of one kind needs."""

    game: AnyGame
    open_analyst: Callable[[], AnyAnalyst]
    made_with: str


def play(plan: Plan, number: int) -> Played:
    """The game of this number. Raises OnlymoveError where it cannot be played here: no table, no compiler."""
    with ONE_AT_A_TIME:
        shop = workshop(plan.game)
        if shop.game.facts.plays_by_search or plan.limits != Limits(nodes=plan.limits.nodes):
            warmed(plan.game)
        finished = conduct(plan, number, shop)
    return Played(number, format_record(Record(finished.line, tags(plan, number, shop, finished))), shop.made_with)


def conduct(plan: Plan, number: int, shop: Workshop) -> Finished:
    """The referee's part of it."""
    game, pair = shop.game, number // 2
    start = start_of(game, plan.seed, pair, plan.start, plan.opening_plies)
    sides = entrants(game, seated(plan, number), shop.open_analyst, plan.limits)
    is_asked = plan.terms.adjudicate is not None and not game.facts.simultaneous
    probe = alternating(shop.open_analyst()).probe if is_asked else None
    referee = Referee(game, start, sides, plan.terms, probe)
    return referee.conduct((derived(plan.seed, pair, number % 2, 0), derived(plan.seed, pair, number % 2, 1)))


def seated(plan: Plan, number: int) -> tuple[str, str]:
    """Who has seat 0 and who seat 1."""
    first, second = plan.players
    return (second, first) if plan.seat_of_first(number) else (first, second)


def tags(plan: Plan, number: int, shop: Workshop, finished: Finished) -> dict[str, str]:
    """What the record says besides the game."""
    first, second = seated(plan, number)
    told = {"First": first, "Second": second, "Match": str(plan), "Referee": shop.made_with}
    names = ("FirstProgram", "SecondProgram")
    told |= {name: told for name, told in zip(names, finished.identities, strict=True) if told}
    told |= {"Seed": str(plan.seed), "Pair": str(number // 2 + 1)}
    if finished.clocks is not None:
        told |= {"Clocks": ", ".join(finished.clocks)}
    faults = (f"{seat} {fault.kind.value}" for seat, fault in sorted(finished.faults.items()))
    return told | ({"Fault": ", ".join(faults)} if finished.faults else {})


@cache
def workshop(game_id: GameId) -> Workshop:
    """The game, its table opened once. Raises MissingTable, TableMismatch or NoCompiler."""
    prepare()
    game = games.load(game_id)
    if game.facts.plays_by_search:
        require_compiler()
    sections = None if game.solver is None else open_table(game)
    return Workshop(game, lambda: open_analyst(game, sections), made_with(game))


def made_with(game: AnyGame, tell: Tell = unread) -> str:
    """Program and table: what has to be the same everywhere that a match is played. `tell` is called about a table that
    is passed over."""
    program = f"onlymove {__version__}"
    return program if game.solver is None else f"{program}, table {load_first(game, tell)[0].sha256[:16]}"


def same_in_all(plan: Plan, tell: Tell = unread) -> dict[str, str]:
    """The tags that all records of a match have alike; `tell` as in `made_with`."""
    return {"Game": plan.game, "Match": str(plan), "Referee": made_with(games.load(plan.game), tell)}


@cache
def warmed(game_id: GameId) -> None:
    """Kernels are compiled or loaded before a clock runs, and not on anybody's time; of the workers of a machine one
    has them compiled, the others wait for it."""
    prepare()
    game = games.load(game_id)
    wait_for_kernels(game)
    game.warm()
