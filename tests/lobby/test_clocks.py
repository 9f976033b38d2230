"""Nobody can take time from another player of a shared game, whatever the clocks of their machines show and whatever
they write. Both players and everybody who watches see the same result."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from onlymove_engines.core.value import Seat, other
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.presence import ALIVE_SECONDS, BEAT_SECONDS, Clocks
from onlymove_tui.lobby.record_file import (
    Answering,
    Asking,
    Committing,
    Moving,
    RecordLine,
    RequestKind,
    Revealing,
)
from onlymove_tui.lobby.shared_game import GRACE_SECONDS, SharedGame

from tests.lobby.lobbies import ScriptedFiles, Time, begin_game, make_terms, open_on_machine

ME = os.geteuid()
BANK = 60.0
NAMES = ("ada", "bob")
ERROR = 1e-3
"""File systems store times as whole nanoseconds, and floating-point numbers round."""
Choose: TypeAlias = Callable[[int], int]
"""A function that returns a number below its argument."""


@dataclass
class Machine:
    """A player's machine. Its time of day may be wrong and may jump."""

    time_of_day: Time
    steady: Time
    lobby: Lobby


class World:
    """Two machines whose clocks differ, the file system that both use, and a game between their players. `files` is the
    clock of the file system. `spent` is how long each seat has been to move, as its own app or a watcher knew."""

    def __init__(self, folder: Path, files: Time, game: str, skews: tuple[float, float], terms: str = "1+0") -> None:
        self.files = files
        self.machines: list[Machine] = []
        for name, skew in zip(NAMES, skews, strict=True):
            time_of_day, steady = Time(files.now + skew), Time(1000.0 + abs(skew))
            clocks = Clocks(time_of_day, steady, ScriptedFiles(files))
            self.machines.append(Machine(time_of_day, steady, open_on_machine(folder, name, clocks)))
        first, second = (machine.lobby for machine in self.machines)
        self.games: list[SharedGame | None] = [*begin_game(first, second, make_terms(game, clock=terms))]
        self.challenge_id = self.game(0).opening.challenge_id
        self.watcher = first.open_game(self.challenge_id, ME)
        self.spent = [0.0, 0.0]

    def game(self, seat: Seat) -> SharedGame:
        """Return the game as the player at this seat sees it. The player comes back if necessary."""
        found = self.games[seat]
        if found is None:
            found = self.games[seat] = self.machines[seat].lobby.resume_game(self.challenge_id)
        return found

    def close(self) -> None:
        for seat in (0, 1):
            self.leave(seat)
        self.watcher.close()

    def leave(self, seat: Seat) -> None:
        found, self.games[seat] = self.games[seat], None
        if found is not None:
            found.close()

    def pass_time(self, seconds: float, suspended: Seat | None = None) -> None:
        """Let time pass everywhere. On a machine that is `suspended`, the steady clock stands still."""
        self.watcher.look()
        for seat, shared in enumerate(self.games):
            known = [self.watcher] if shared is None else [self.watcher, shared]
            self.spent[seat] += seconds * any(seat in one.standing.clock.running for one in known)
        self.files.now += seconds
        for seat, machine in enumerate(self.machines):
            machine.time_of_day.now += seconds
            machine.steady.now += 0.0 if seat == suspended else seconds

    def results(self) -> list[tuple[object, ...]]:
        """Return the game as both players, a watcher and a newcomer see it, once all have seen everything."""
        newcomer = self.machines[0].lobby.open_game(self.challenge_id, ME)
        seen = [self.game(0), self.game(1), self.watcher, newcomer]
        for seconds in (BEAT_SECONDS, BEAT_SECONDS, 0.0, 0.0):
            self.pass_time(seconds)
            for shared in seen:
                shared.look()
        found: list[tuple[object, ...]] = [
            (shared.standing.moves, shared.standing.agreed, shared.standing.clock.left) for shared in seen
        ]
        newcomer.close()
        return found


def do_something(world: World, seat: Seat, choose: Choose) -> None:
    """Let an honest player do something, or nothing, or go away."""
    if world.games[seat] is None and choose(3):
        return
    shared = world.game(seat)
    kind = choose(8)
    if kind == 0:
        world.leave(seat)
        return
    if kind < 4:
        shared.look()
    standing = shared.standing
    if standing.is_over:
        return
    moves = () if seat in standing.fixed else standing.session.moves_of(seat)
    if kind in (3, 4, 5) and moves:
        shared.send_move(moves[choose(len(moves))])
    elif kind == 6:
        shared.answer(choose(3) > 0)
    elif kind == 7 and seat not in standing.requests and standing.ply:
        shared.ask(RequestKind.UNDO, choose(standing.ply))


def lie(world: World, seat: Seat, choose: Choose) -> None:
    """Let a player with a changed program write a line with false times, or set a clock to any time."""
    shared = world.game(seat)
    if choose(3) == 0:
        world.machines[seat].steady.now += choose(2000) - 1000.0
        world.machines[seat].time_of_day.now += choose(2000) - 1000.0
        return
    epoch, ply, _ = shared.standing.decision
    moves = list(shared.standing.session.moves_of(seat))
    text = shared.game.notation.format_move(shared.standing.session.position, moves[0]) if moves else "zz"
    secrets = shared.get_own().secrets
    theirs = shared.standing.requests.get(other(seat))
    lines: list[RecordLine] = [
        Moving(epoch=epoch, ply=ply, move=text),
        Committing(epoch=epoch, ply=ply, fixed=secrets.fix(seat, epoch, ply, text)),
        Revealing(epoch=epoch, ply=ply, nonce=secrets.nonce(seat, epoch, ply), move=text),
        Answering(asked=0 if theirs is None else theirs.line, agrees=True),
        Asking(epoch=epoch, ply=ply, wish=RequestKind.UNDO, back_to=0),
    ]
    line = lines[choose(len(lines))]
    now = world.files.now
    false = (0.0, now - 5000.0, now - 61.0, now, now + 61.0, 1e10)
    read = (0, len(shared.readers[1 - seat].lines))[choose(2)]
    seen = (None, false[choose(6)])[choose(2)]
    shared.get_own().writer.write_message(msgspec.structs.replace(line, time=false[choose(6)], seen=seen, read=read))
    shared.look()


def is_late(shared: SharedGame, seat: Seat) -> bool:
    agreed = shared.standing.agreed
    return agreed is not None and agreed.winner == other(seat) and "out of time" in agreed.reason


@pytest.fixture(autouse=True)
def _disks_are_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda _: None)


SKEWS = st.sampled_from((0.0, -600.0, 600.0, -1e6, 1e6))
# To shrink an example takes minutes.
GENERATED = (Phase.explicit, Phase.reuse, Phase.generate)
law = settings(
    max_examples=60, deadline=None, phases=GENERATED, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@law
@given(st.sampled_from(("tiny", "duel")), st.tuples(SKEWS, SKEWS), st.data())
def test_no_clock_loses_more_than_the_time_that_passed_while_its_player_was_to_move(
    clock: Time, game: str, skews: tuple[float, float], data: Any
) -> None:
    """The player at one seat is honest. The other writes any lines with any times, and has any clock. The honest player
    may go away, and the machine may be suspended. Its time of day may be changed."""

    def choose(below: int) -> int:
        number: int = data.draw(st.integers(0, below - 1))
        return number

    with tempfile.TemporaryDirectory() as folder, closing(World(Path(folder), clock, game, skews)) as world:
        honest = choose(2)
        for _ in range(choose(25)):
            if choose(8) == 0:
                world.machines[honest].time_of_day.now += choose(2000) - 1000.0
            do_something(world, honest, choose)
            (lie if choose(2) else do_something)(world, other(honest), choose)
            seconds = (0.5, 3.0, 10.0, 40.0)[choose(4)]
            world.pass_time(seconds, honest if choose(8) == 0 else None)
            for shared in (world.watcher, world.games[honest]):
                if shared is not None:
                    left = shared.standing.clock.left[honest]
                    assert is_late(shared, honest) or BANK - left <= world.spent[honest] + ERROR
                    assert not is_late(shared, honest) or world.spent[honest] >= BANK - ERROR
        results = world.results()
        results.pop(other(honest))
        assert all(result == results[0] for result in results), results
        assert not is_late(world.watcher, honest) or world.spent[honest] >= BANK - ERROR


@law
@given(st.sampled_from(("tiny", "duel")), st.tuples(SKEWS, SKEWS), st.data())
def test_what_one_player_has_seen_as_the_end_stays_the_end_for_all(
    clock: Time, game: str, skews: tuple[float, float], data: Any
) -> None:
    """Both players are honest. Each may be away, or suspended, when time runs out."""

    def choose(below: int) -> int:
        number: int = data.draw(st.integers(0, below - 1))
        return number

    with tempfile.TemporaryDirectory() as folder, closing(World(Path(folder), clock, game, skews)) as world:
        ends: list[object] = []
        for _ in range(choose(25)):
            for seat in (0, 1):
                do_something(world, seat, choose)
            world.pass_time((0.5, 3.0, 10.0, 40.0)[choose(4)], (None, None, 0, 1)[choose(4)])
            for shared in (world.watcher, *world.games):
                if shared is not None and shared.standing.is_over:
                    ends.append((shared.standing.moves, shared.standing.agreed))
        results = world.results()
        assert all(result == results[0] for result in results), results
        assert all(end == results[0][:2] for end in ends)


MakeWorld: TypeAlias = Callable[..., World]


@pytest.fixture
def make_world(tmp_path: Path, clock: Time) -> Iterator[MakeWorld]:
    """Return a function that makes a world, which is closed when the test ends."""
    with ExitStack() as made:
        yield lambda *terms: made.enter_context(closing(World(tmp_path, clock, *terms)))


def write_falsely(shared: SharedGame, line: RecordLine) -> None:
    """Write a line that says it is an hour old, as a changed program could."""
    own, then = shared.get_own(), shared.now() - 3600
    theirs = shared.readers[other(own.seat)]
    theirs.look()
    own.writer.write_message(msgspec.structs.replace(line, time=then, seen=then, read=len(theirs.lines)))


@pytest.mark.parametrize("skew", [-600.0, 600.0])
def test_an_opener_whose_clock_is_wrong_takes_no_time_from_the_opponent(make_world: MakeWorld, skew: float) -> None:
    world = make_world("tiny", (skew, 0.0), "5+3")
    opener, joiner = world.game(0), world.game(1)
    opener.send_move(("L", 1))
    joiner.look()
    world.pass_time(5.0)
    joiner.look()
    assert joiner.seconds_left == (303.0, 295.0)
    joiner.send_move(("R", 1))
    opener.look()
    assert opener.standing.clock.left == joiner.standing.clock.left == [303.0, 298.0]


def test_agreeing_to_an_undo_with_an_old_time_takes_no_time_from_the_opponent(make_world: MakeWorld) -> None:
    world = make_world("tiny", (0.0, 0.0))
    victim, liar = world.game(0), world.game(1)
    for seconds in (10.0, 5.0):
        world.pass_time(seconds)
        victim.send_move(victim.standing.session.moves_of(0)[0])
        liar.look()
        liar.send_move(liar.standing.session.moves_of(1)[0])
        victim.look()
    world.pass_time(40.0)
    victim.ask(RequestKind.UNDO, 0)
    liar.look()
    request = liar.find_request()
    assert request is not None
    write_falsely(liar, Answering(asked=request.line, agrees=True))
    victim.look()
    assert (victim.standing.epoch, victim.standing.ply) == (1, 0)
    world.pass_time(4.0)
    victim.look()
    assert victim.seconds_left[0] == 1.0
    assert not victim.standing.is_over


def test_committing_and_revealing_with_old_times_counts_the_opponents_thinking_once(make_world: MakeWorld) -> None:
    world = make_world("duel", (0.0, 0.0))
    liar, victim = world.game(0), world.game(1)
    secrets = liar.get_own().secrets
    world.pass_time(27.0)
    victim.send_move("b")
    write_falsely(liar, Committing(epoch=0, ply=0, fixed=secrets.fix(0, 0, 0, "a")))
    victim.look()
    assert victim.standing.shown == {1: "b"}
    write_falsely(liar, Revealing(epoch=0, ply=0, nonce=secrets.nonce(0, 0, 0), move="a"))
    victim.look()
    assert victim.standing.moves == (("a", "b"),)
    assert victim.standing.clock.left == [60.0, 33.0]


def test_a_player_who_comes_back_has_lost_the_time_away_and_the_thinking_before(make_world: MakeWorld) -> None:
    world = make_world("tiny", (-600.0, 600.0))
    world.game(0).send_move(("L", 1))
    world.game(1).look()
    world.pass_time(20.0)
    world.leave(1)
    world.pass_time(15.0)
    assert world.game(1).seconds_left == (60.0, 25.0)
    world.game(1).send_move(("L", 1))
    world.game(0).look()
    assert world.game(0).standing.clock.left == [60.0, 25.0]


def test_a_claim_of_time_holds_only_against_a_player_who_is_away(make_world: MakeWorld) -> None:
    """While an app runs, its signs of life contest every claim. Its own clock counts, however slow it is."""
    world = make_world("tiny", (0.0, 0.0))
    waiting, slow = world.game(0), world.game(1)
    waiting.send_move(("L", 1))
    slow.look()
    for _ in range(40):
        world.pass_time(BEAT_SECONDS)
        world.machines[1].steady.now -= BEAT_SECONDS / 2
        for shared in (slow, slow, waiting, world.watcher):
            shared.look()
    assert not waiting.standing.is_over
    assert not world.watcher.standing.is_over
    assert waiting.seconds_left[1] == -20.0
    assert slow.seconds_left[1] == 20.0
    world.leave(1)
    world.pass_time(ALIVE_SECONDS + GRACE_SECONDS)
    for shared in (waiting, world.watcher):
        shared.look()
        assert is_late(shared, 1)
    assert all(result[1] == waiting.standing.agreed for result in world.results())


def test_a_move_that_was_answered_by_nobody_costs_time_while_both_are_away(make_world: MakeWorld) -> None:
    world = make_world("tiny", (0.0, 0.0))
    world.game(0).send_move(("L", 1))
    for seat in (0, 1):
        world.leave(seat)
    world.pass_time(BANK + GRACE_SECONDS)
    assert not world.watcher.standing.is_over, "nobody claims"
    world.game(1).look()
    assert is_late(world.game(1), 1)
    assert is_late(world.game(0), 1)


def test_a_suspended_machine_concedes_what_the_opponent_has_claimed(make_world: MakeWorld) -> None:
    """The player moves in the moment when the machine wakes up."""
    world = make_world("tiny", (0.0, 0.0))
    world.game(0).send_move(("L", 1))
    world.game(1).look()
    world.pass_time(BANK + GRACE_SECONDS, suspended=1)
    world.game(0).look()
    assert is_late(world.game(0), 1)
    world.game(1).send_move(("L", 1))
    assert is_late(world.game(1), 1)
    assert world.game(1).standing.moves == (("L", 1),)


def test_what_a_machine_missed_while_suspended_is_not_counted_for_a_move_that_came_later(make_world: MakeWorld) -> None:
    world = make_world("tiny", (0.0, 0.0))
    world.pass_time(40.0, suspended=1)
    world.game(0).send_move(("L", 1))
    world.game(1).look()
    world.pass_time(BEAT_SECONDS + 1)
    world.game(1).look()
    assert world.game(1).seconds_left == (20.0, 57.0)


def test_a_change_of_the_time_of_day_costs_nobody_time(make_world: MakeWorld) -> None:
    world = make_world("tiny", (0.0, 0.0))
    for jump in (3600.0, -7200.0):
        world.machines[0].time_of_day.now += jump
        world.pass_time(3.0)
        world.game(0).look()
    assert world.game(0).seconds_left == (54.0, 60.0)
