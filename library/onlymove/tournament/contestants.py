"""The players of a match, onlymove's own styles and other programs, and their clocks.

CPU time decides wherever it can be read, so neither side loses time on a busy machine. The CPU time of all of a
program's processes counts, even while the other side is to move. A sleeping program uses no CPU time, so there is a
second clock for wall time. It allows more, and leaves out the time in which the program waits for a processor.
"""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final, Protocol

from onlymove_engines import __version__
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget, Clock
from onlymove_engines.core.errors import BadNotation, IllegalMove, OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live.engine import Effort, prepare_thought
from onlymove_engines.play.players import Player, format_player, plan_seconds, read_player
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.protocols.host import Allowance, Host, HostFactory, printable
from onlymove_engines.protocols.ugi import UgiHost

from onlymove.tournament.processes import PATIENCE, Child, Fault, FaultKind, Patience, Usage, is_readable, read_usage


class Limits(Allowance):
    """The limits for each side: `nodes` or `seconds` for each move, or a `bank` of seconds. `None` means no limit. A
    bank starts full, gets `increment` seconds back after every move, and never holds more than at the start."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the limits as text: `1000 nodes`, `0.5 s`, `10+0.2 s`, or `-` if there are none."""
        if self.bank is not None:
            return f"{self.bank:g}+{self.increment:g} s"
        if self.seconds is not None:
            return f"{self.seconds:g} s"
        return "-" if self.nodes is None else f"{self.nodes} nodes"

    @property
    def are_timed(self) -> bool:
        return self.bank is not None or self.seconds is not None


NO_LIMITS = Limits()


WALL_FACTOR: Final = 3.0
WALL_SLACK: Final = 5.0
"""In addition to its CPU time, a program may use wall time: the CPU limit times this factor, plus these seconds. It may
have to wait for a disk or for another machine."""

LATENCY: Final = 0.05
OVERRUN: Final = 0.1
"""By how much a limit may be exceeded. `LATENCY` is in seconds, because processes have to wake up and CPU time is
counted in hundredths of a second. `OVERRUN` is a share of the seconds for a move, because a program looks at its own
clock only now and then. It does not apply to a bank."""

UNTIMED: Final = 60.0
"""Seconds of wall time for a move that is limited by nodes or not at all."""

MIN_LOOK: Final = 0.02
MAX_LOOK: Final = 0.25
"""Seconds between two checks of a program, with little time left and with plenty."""


@dataclass
class Meter:
    """One clock of one side: for each move, or for a bank of seconds. With `runs_on`, it runs between the moves too."""

    name: str
    read: Clock
    limits: Limits
    runs_on: bool = False

    def __post_init__(self) -> None:
        self.left = self.limits.bank
        self.since = self.read()

    @property
    def allowed(self) -> float:
        return (self.limits.seconds or 0.0) if self.left is None else self.left

    def start(self) -> float:
        """Start timing a move. Return the seconds left for it."""
        now = self.read()
        if not self.runs_on:
            self.since = now
        return max(0.0, self.allowed - (now - self.since))

    def check(self) -> float:
        """Return the seconds until the time is up. Raises Fault if it is."""
        spare = self.allowed + LATENCY + OVERRUN * (self.limits.seconds or 0.0) - (self.read() - self.since)
        if spare < 0:
            raise Fault(FaultKind.TIMEOUT, f"used more than {self.allowed:.2f} s of {self.name} time")
        return spare

    def stop(self) -> None:
        """Stop timing a move. Raises Fault if it took too long."""
        self.check()
        now = self.read()
        if self.left is not None and self.limits.bank is not None:
            self.left = min(self.limits.bank, max(0.0, self.left - (now - self.since)) + self.limits.increment)
        self.since = now


class FairClock:
    """The clock of one program in one game. `look` reports the program's usage. `cpu` is the CPU seconds that it has
    used, and `wall` the seconds that have passed, except those in which it waited for a processor. If `look` is `None`,
    `wall` counts all time and decides. Without a time limit, a move may take `untimed` seconds of wall time. With
    one, `slack` seconds of wall time are added to it."""

    def __init__(
        self,
        limits: Limits,
        look: Callable[[], Usage] | None,
        clock: Clock = time.monotonic,
        untimed: float = UNTIMED,
        slack: float = WALL_SLACK,
    ) -> None:
        self.limits = limits
        self.look = look
        self.clock = clock
        self.now = clock()
        self.cpu = 0.0 if look is None else look().cpu
        self.wall = 0.0
        self.is_asleep = False
        self.meters = [Meter("wall", lambda: self.wall, limits if limits.are_timed else Limits(seconds=untimed))]
        if limits.are_timed and look is not None:
            given = (limits.seconds, limits.bank)
            seconds, bank = (None if limit is None else WALL_FACTOR * limit + slack for limit in given)
            longer = replace(limits, seconds=seconds, bank=bank, increment=WALL_FACTOR * limits.increment)
            cpu = Meter("CPU", lambda: self.cpu, limits, runs_on=True)
            self.meters = [cpu, Meter("wall", lambda: self.wall, longer)]
        self.first_look = 0.0
        """Seconds after the start of a move in which its time cannot be up yet."""

    def update(self, may_sleep: bool = False) -> None:
        """Read both clocks. If `may_sleep` and the program is asleep now, all time since the last reading counts as
        sleep (at most `MAX_LOOK`). Otherwise `wall` grows only by the CPU time used."""
        before, self.now = self.now, self.clock()
        passed = self.now - before
        if self.look is not None:
            used, usage = self.cpu, self.look()
            self.cpu = usage.cpu
            self.is_asleep = may_sleep and not usage.is_runnable
            # The reading may be late, because this process may have waited for a processor too.
            passed = min(passed, MAX_LOOK if self.is_asleep else max(0.0, self.cpu - used))
        self.wall += passed

    def start(self) -> Allowance:
        """Start timing a move. Return how much time to tell the program that it has."""
        self.update()
        left, *_ = [meter.start() for meter in self.meters]
        self.first_look = clamp_look(left)
        if self.limits.bank is not None:
            return Allowance(bank=left, increment=self.limits.increment)
        return Allowance(self.limits.nodes, self.limits.seconds)

    def check(self) -> float:
        """Return the seconds until the next check. Raises Fault if the time is up."""
        self.update(may_sleep=True)
        return clamp_look(min(meter.check() for meter in self.meters))

    def stop(self) -> None:
        self.update()
        for meter in self.meters:
            meter.stop()


def clamp_look(seconds: float) -> float:
    return min(MAX_LOOK, max(MIN_LOOK, seconds))


class Contestant(Protocol):
    """One side of a game. The referee calls `begin`, `choose` for every move, and always `end`, even after an error."""

    identity: str
    """The name of the program, and our own style and strength. Known after `begin`. Empty if it is never said."""
    clock: str
    """How its time is measured: `cpu` or `wall`."""
    is_timed: bool
    """Whether it can lose on time. Known after `begin`."""

    def begin(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        """Prepare for a game. All random choices depend only on `seed`. Raises Fault."""
        ...

    def choose(self, session: AnySession, seat: Seat) -> Move:
        """Return this seat's move in this position or round. Does not change the session. Raises Fault."""
        ...

    def end(self) -> None:
        """Stop everything that is still running after the game. Never raises."""
        ...


CLOCKS: Final[dict[str, Clock]] = {"cpu": time.process_time, "wall": time.monotonic}


@dataclass(eq=False)
class EnginePlayer:
    """Plays one side with a style and a strength.

    `open_analyst` is called for every game, so nothing that a search remembers from one game affects another, and the
    order of games does not matter. A style that ignores the clock takes the time it needs. If that is too much, it
    loses like any program. `clock` is `cpu`, the CPU time of this process, or `wall` if the opponent's time cannot be
    measured in any other way.
    """

    player: Player
    open_analyst: Callable[[], AnyAnalyst]
    limits: Limits
    clock: str = "cpu"
    identity: str = f"onlymove {__version__}"

    def __post_init__(self) -> None:
        self.is_timed = self.limits.are_timed

    def begin(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        self.identity = f"onlymove {__version__} {format_player(game, self.player)}"
        self.analyst = self.open_analyst()
        self.dice = Random(seed)
        name = "CPU" if self.clock == "cpu" else self.clock
        self.meter = Meter(name, CLOCKS[self.clock], self.limits) if self.is_timed else None

    def choose(self, session: AnySession, seat: Seat) -> Move:
        seen = Session.from_tree(session.tree, (self.player, self.player))
        if self.meter is None:
            return prepare_thought(seen, seat, self.analyst, self.dice)(Budget(nodes=self.limits.nodes))
        left = self.meter.start()
        seconds, bank, increment = left, self.limits.bank, self.limits.increment
        if bank is not None:
            seconds = plan_seconds(session.game, session.position, left, increment, bank)
        question = prepare_thought(seen, seat, self.analyst, self.dice, effort=Effort(seconds))
        move = question(Budget(CLOCKS[self.clock]))
        self.meter.stop()
        return move

    def end(self) -> None:
        del self.analyst


IDLE: Final = 0.2
START_AT_MOST: Final = 10.0
"""A program has finished starting once it sleeps for `IDLE` seconds, or after running for `START_AT_MOST` seconds."""

CLOCK_OF_PROGRAMS: Final = "cpu" if is_readable() else "wall"
"""How the time of other programs is measured on this system."""


class BadProgram(OnlymoveError):
    """A command line cannot be run, or other programs cannot play this game."""


def host_factory(game: AnyGame) -> HostFactory:
    """Return the factory of hosts that ask other programs for moves in `game`. They use the game's own protocol if it
    has one, and otherwise UGI. Raises BadProgram."""
    own: HostFactory | None = next(iter(game.play.hosts.values()), None)
    if own is None and game.facts.simultaneous:
        raise BadProgram(f"other programs cannot play {game.id}, because it has no protocol for them")
    return own or UgiHost


def read_command(text: str) -> tuple[str, ...]:
    """Split a command line into words, as a shell does. Raises BadProgram if it cannot be run here."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as refusal:
        raise BadProgram(f"this is not a command line: {text} ({refusal})") from None
    if not words:
        raise BadProgram("give the command line of the other program")
    if shutil.which(words[0]) is None:
        raise BadProgram(f"there is no program '{words[0]}'")
    return words


@dataclass(eq=False)
class Program:
    """Another program as one side of a game. A host speaks its protocol, and a fair clock measures its time."""

    command: Sequence[str]
    limits: Limits
    patience: Patience = PATIENCE
    slack: float = WALL_SLACK
    clock: str = CLOCK_OF_PROGRAMS
    identity: str = ""
    mark: str = ""
    """The mark in the environment of all processes of its last game."""

    def __post_init__(self) -> None:
        self.is_timed = self.limits.are_timed
        self._child: Child | None = None

    def begin(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        self._host: Host = host_factory(game)(game, start, seat, seed)
        limits, usual = self.limits, self._host.usual
        if not limits.are_timed and (limits.nodes is None or not self._host.counts_nodes):
            # The protocol cannot express the limits of the match, so its usual ones apply.
            limits = Limits(seconds=usual.seconds, bank=usual.bank, increment=usual.increment)
        self.is_timed = limits.are_timed
        child = self._child = Child(self.command, self.patience)
        self.mark = child.mark
        look = partial(read_usage, child.pid) if self.clock == "cpu" else None
        try:
            clock = FairClock(NO_LIMITS, look, untimed=self.patience.start)
            clock.start()
            self._exchange(self._host.begin(limits), lambda: self._host.ready, clock)
        except Fault as fault:
            if fault.kind is FaultKind.TIMEOUT:
                raise Fault(fault.kind, f"was not ready after {self.patience.start:g} s") from None
            raise
        self.identity = self._host.name
        if look is not None and limits.are_timed:
            wait_until_idle(look)
        self._time = FairClock(limits, look, slack=self.slack)

    def choose(self, session: AnySession, seat: Seat) -> Move:
        host = self._host
        self._running.forget()
        lines = host.ask(session, self._time.start())
        if lines:
            self._exchange(lines, lambda: host.answer is not None, self._time)
            self._time.stop()
        try:
            return host.move(session)
        except (IllegalMove, BadNotation) as refusal:
            kind = FaultKind.ILLEGAL if isinstance(refusal, IllegalMove) else FaultKind.NONSENSE
            raise Fault(kind, printable(f"'{(host.answer or '')[:40]}': {refusal}")) from None

    def end(self) -> None:
        if self._child is not None:
            self._child.end(self._host.farewell)
            self._child = None

    @property
    def pid(self) -> int:
        """The process that runs the program. All its other processes are descendants. There is one while a game is
        played."""
        return self._running.pid

    @property
    def _running(self) -> Child:
        assert self._child is not None, "a game has begun"
        return self._child

    def _exchange(self, lines: Sequence[str], is_done: Callable[[], bool], clock: FairClock) -> None:
        """Send these lines, and answer the program until `is_done`. Raises Fault if the time on `clock` is up."""
        child = self._running
        look = time.monotonic() + clock.first_look
        child.say(lines)
        while not is_done():
            line = child.hear(look)
            if line is not None:
                child.say(self._host.hear(line))
            if time.monotonic() >= look:
                look = time.monotonic() + clock.check()


def wait_until_idle(look: Callable[[], Usage]) -> None:
    """Wait until the program has finished starting. This time does not count on its clock."""
    clock = FairClock(NO_LIMITS, look)
    while clock.wall < START_AT_MOST:
        used = clock.cpu
        time.sleep(IDLE)
        clock.update(may_sleep=True)
        if clock.is_asleep and clock.cpu == used:
            return


COMMAND = "cmd:"


def make_contestants(
    game: AnyGame,
    players: tuple[str, str],
    open_analyst: Callable[[], AnyAnalyst],
    limits: Limits,
    clock_of_programs: str = CLOCK_OF_PROGRAMS,
) -> tuple[Contestant, Contestant]:
    """Return the players with these names. Both are measured by the same kind of clock. Raises BadPlayer for a player
    that the game does not have, and BadProgram for a command that cannot be run."""
    clock = clock_of_programs if any(text.startswith(COMMAND) for text in players) else "cpu"

    def entrant(text: str) -> Contestant:
        if text.startswith(COMMAND):
            host_factory(game)
            return Program(read_command(text.removeprefix(COMMAND)), limits, clock=clock)
        return EnginePlayer(read_player(game, text), open_analyst, limits, clock)

    first, second = players
    return entrant(first), entrant(second)
