"""Plays one game of a match in a worker, from a plan and a game number to a record. A plan is everything that the games
depend on: two runs of one plan play the same games.

`LiveGame` drives the game, as it drives all others. If the game is ended by a fault, by adjudication or by the limit on
plies, its line gets an agreed result, so that the record shows it. Every result names the program and table that were
used, so a worker with others is found out.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, TypeAlias

from onlymove_engines import __version__, games
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.analysis import AnyAnalyst, Tell, alternating, ignore_line
from onlymove_engines.core.errors import IllegalMove
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import Result
from onlymove_engines.core.text import clean_line
from onlymove_engines.core.value import Move, Outcome, Seat, Value, other
from onlymove_engines.core.words import format_count
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.tree import AnyTree, find_house_rule
from onlymove_engines.play.typed import read_position
from onlymove_engines.records.record import Record, format_record
from onlymove_tables.analysts import open_for
from onlymove_tables.background import has_table
from onlymove_tables.kernels import prepare
from onlymove_tables.kernels.compiler import wait_for_kernels
from onlymove_tables.open import load_first

from onlymove.tournament.contestants import NO_LIMITS, Contestant, Limits, make_contestants
from onlymove.tournament.processes import Fault, FaultKind

MAX_PLIES = 1000
"""A game is a draw after this many plies. No game between strong players lasts so long."""

TRIES = 100
"""How often another random opening is tried after one that ended the game."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Two players by name, and how they play. Games 2k and 2k + 1 form pair k. In the first of them the first player
    has seat 0. Every game begins at `start` (empty: the game's own start), followed by `opening_plies` random plies.
    With `adjudicate`, a game ends as soon as the table knows a win within that many plies. In a game with points, it
    ends as soon as the table knows the result."""

    game: GameId
    players: tuple[str, str]
    limits: Limits = NO_LIMITS
    house_rule: str = ""
    adjudicate: int | None = None
    max_plies: int = MAX_PLIES
    seed: int = 0
    start: str = ""
    opening_plies: int = 0

    def __str__(self) -> str:
        """Return the plan in one harmless line. Different plans have different lines."""
        parts = [f"{self.players[0]} against {self.players[1]}", f"seed {self.seed}"]
        parts += [f"limit {self.limits}"] if self.limits != NO_LIMITS else []
        parts += [f"from {self.start}"] if self.start else []
        parts += [f"{self.opening_plies} random moves"] if self.opening_plies else []
        parts += [f"rule {self.house_rule}"] if self.house_rule else []
        parts += [] if self.adjudicate is None else [f"adjudicated at {format_count(self.adjudicate, 'move')}"]
        parts += [f"at most {format_count(self.max_plies, 'move')}"] if self.max_plies != MAX_PLIES else []
        return clean_line("; ".join(parts))

    def seat_players(self, number: int) -> tuple[str, str]:
        first, second = self.players
        return (second, first) if number % 2 else (first, second)

    def start_of(self, game: AnyGame, pair: int) -> AnyPosition:
        """Return the position from which both games of a pair begin: the given one, or the game's own (which may be
        random), after the random plies. In simultaneous games a ply is a round. Raises BadNotation."""
        begin: AnyPosition = game.start({}, derive_seed(self.seed, pair, "start"))
        if self.start:
            begin = read_position(game, self.start)
        dice = Random(derive_seed(self.seed, pair, "opening"))
        for _ in range(TRIES):
            position = begin
            for _ in range(self.opening_plies):
                moves = game.rules.legal_moves(position)
                if not moves:
                    break
                position = game.rules.play(position, dice.choice(moves))
            if game.rules.legal_moves(position):
                return position
        return begin


def derive_seed(*parts: object) -> int:
    """Return a seed that depends only on `parts` and is the same on every machine."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8])


Probe: TypeAlias = Callable[[Any], Value | None]
"""A function that returns the proven value of a position for the side to move, or `None`."""

REFEREE = "Referee"
"""The tag of a record with the program and table that played the game."""

ENGINES = (Player(PlayerKind.ENGINE), Player(PlayerKind.ENGINE))

ONE_AT_A_TIME = threading.Lock()
"""A worker may have several threads but has only one CPU clock."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game: its line with the result, the faults, both programs, and their clocks (`None` if not timed)."""

    tree: AnyTree
    faults: Mapping[Seat, Fault]
    identities: tuple[str, str]
    clocks: tuple[str, str] | None

    @property
    def result(self) -> Result:
        assert self.tree.result is not None, "the referee ends every game"
        return self.tree.result


@dataclass(frozen=True, slots=True)
class MatchContext:
    """What all games of a match share: the game, how to open its analyst, and the program and table (`made_with`)."""

    game: AnyGame
    open_analyst: Callable[[], AnyAnalyst]
    made_with: str


def conduct(
    plan: Plan,
    game: AnyGame,
    start: AnyPosition,
    contestants: tuple[Contestant, Contestant],
    seeds: tuple[int, int],
    probe: Probe | None = None,
) -> Finished:
    """Play a game to its end, without starting a process. `probe` returns what the table knows. A side that fails with
    a Fault loses, and if both fail it is a draw. All other errors are raised."""
    session: AnySession = Session(game, start, ENGINES, find_house_rule(game, plan.house_rule))
    live = LiveGame(session, Coaching(), training=False)
    faults: dict[Seat, Fault] = {}

    def choose(seat: Seat) -> Move:
        """Return a contestant's move. After a fault the move has no meaning."""
        try:
            move = contestants[seat].choose(session, seat)
            session.check_move(seat, move)
            return move
        except Fault as fault:
            faults[seat] = fault
        except IllegalMove as refusal:
            faults[seat] = Fault(FaultKind.ILLEGAL, str(refusal))
        return None

    try:
        for seat, contestant in enumerate(contestants):
            try:
                contestant.begin(game, start, seat, seeds[seat])
            except Fault as fault:
                faults[seat] = fault
        while not faults and (seats := live.list_choosing_engines()):
            chosen = [(seat, choose(seat)) for seat in seats]
            if faults:
                break
            for seat, move in chosen:
                live.play_reply(seat, move)
            if not session.is_over and (result := cut_short(session, plan, probe)) is not None:
                live.end(result)
    finally:
        for contestant in contestants:
            contestant.end()
    if faults and not session.is_over:
        reason = "; ".join(f"{game.seats[seat]}: {fault.kind.value}: {fault.text}" for seat, fault in faults.items())
        winner = None if len(faults) > 1 else other(next(iter(faults)))
        live.end(Result(winner, reason=reason))
    first, second = contestants
    clocks = (first.clock, second.clock) if first.is_timed or second.is_timed else None
    return Finished(session.tree, faults, (first.identity, second.identity), clocks)


def cut_short(session: AnySession, plan: Plan, probe: Probe | None) -> Result | None:
    """Return the result with which the plan ends an unfinished game, or `None`. The plan ends a game because the table
    knows the result, or because the game lasts too long. The result is known if the value is known in points, or if a
    win is near enough. In games without points, drawn positions are played on, because many games are drawn from the
    start and the players have to hold the draw."""
    seat = session.to_move
    if plan.adjudicate is not None and probe is not None and seat is not None:
        value = probe(session.position)
        if value is not None and (
            value.margin is not None or (value.remoteness is not None and value.remoteness <= plan.adjudicate)
        ):
            winner = {Outcome.WIN: seat, Outcome.LOSS: other(seat), Outcome.DRAW: None}[value.outcome]
            return Result(winner, reason="adjudicated by the table")
    if session.node.ply >= plan.max_plies:
        return Result(None, reason=f"drawn after {format_count(plan.max_plies, 'move')}")
    return None


def play(plan: Plan, number: int) -> str:
    """Play the game with this number and return its record. Raises OnlymoveError, for example without a table."""
    with ONE_AT_A_TIME:
        context = open_context(plan.game)
        if context.game.facts.plays_by_search or plan.limits != Limits(nodes=plan.limits.nodes):
            load_kernels(plan.game)
        finished = conduct_numbered(context, plan, number)
    tags = dict(zip(("First", "Second"), plan.seat_players(number), strict=True))
    tags |= {"Match": str(plan), REFEREE: context.made_with}
    programs = zip(("FirstProgram", "SecondProgram"), finished.identities, strict=True)
    tags |= {name: program for name, program in programs if program}
    tags |= {"Seed": str(plan.seed), "Pair": str(number // 2 + 1)}
    if finished.clocks is not None:
        tags["Clocks"] = ", ".join(finished.clocks)
    if finished.faults:
        tags["Fault"] = ", ".join(f"{seat} {fault.kind.value}" for seat, fault in sorted(finished.faults.items()))
    return format_record(Record(finished.tree, tags))


def try_to_play(plan: Plan, number: int) -> str | Exception:
    """Return the record of a game, or the error that keeps it from being played."""
    try:
        return play(plan, number)
    except Exception as error:  # noqa: BLE001 - the program that plays the match raises it
        return error


def conduct_numbered(context: MatchContext, plan: Plan, number: int) -> Finished:
    game, pair = context.game, number // 2
    sides = make_contestants(game, plan.seat_players(number), context.open_analyst, plan.limits)
    is_asked = plan.adjudicate is not None and not game.facts.simultaneous
    probe = alternating(context.open_analyst()).probe if is_asked else None
    seeds = (derive_seed(plan.seed, pair, number % 2, 0), derive_seed(plan.seed, pair, number % 2, 1))
    return conduct(plan, game, plan.start_of(game, pair), sides, seeds, probe)


def check_plan(plan: Plan) -> None:
    """Raise OnlymoveError if the match cannot be played here, before a worker finds out."""
    game = games.load(plan.game)
    find_house_rule(game, plan.house_rule)
    plan.start_of(game, 0)
    make_contestants(game, plan.players, open_context(game.id).open_analyst, plan.limits)


@cache
def open_context(game_id: GameId) -> MatchContext:
    """Return the context of a game, with its table open. A search does not replace a table, because a game with one
    must not be played without it. Raises MissingTable, TableMismatch or NoCompiler."""
    game = games.load(game_id)
    opened = open_for(game)
    if opened.refusal is not None and is_table_needed(game):
        raise opened.refusal
    return MatchContext(game, opened.open_another, describe_program(game))


def is_table_needed(game: AnyGame) -> bool:
    return game.solved.solver is not None or has_table(game)


def describe_program(game: AnyGame, tell: Tell = ignore_line) -> str:
    """Describe the program and its table, alike on all machines. `tell` hears of a table that is passed over."""
    program = f"onlymove {__version__}"
    return program if not is_table_needed(game) else f"{program}, table {load_first(game, tell)[0].sha256[:16]}"


def common_tags(plan: Plan, tell: Tell = ignore_line) -> dict[str, str]:
    """Return the tags that all records of a match share. `tell` receives a line if a table is passed over."""
    return {"Game": plan.game, "Match": str(plan), REFEREE: describe_program(games.load(plan.game), tell)}


@cache
def load_kernels(game_id: GameId) -> None:
    """Compile or load the kernels before a clock runs. Of several workers on a machine, one compiles."""
    prepare()
    game = games.load(game_id)
    wait_for_kernels(game)
    game.warm()
