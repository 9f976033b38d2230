"""Plays a match. A pool plays pairs of games, which are counted and written until the match is decided.

Games are counted in the order of their numbers, no matter how many are played at once. The counts, the moment when a
sequential test stops, and the contents of the file are therefore the same on every pool.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, wait
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from onlymove_engines import games
from onlymove_engines.core.analysis import Tell, ignore_line
from onlymove_engines.protocols.host import printable

from onlymove.tournament.journal import Journal, Tags, tags_of
from onlymove.tournament.processes import FaultKind
from onlymove.tournament.referee import REFEREE, Plan, common_tags, describe_program
from onlymove.tournament.statistics import (
    BOUND,
    NO_PAIRS,
    Pentanomial,
    Sprt,
    elo_difference,
    elo_error,
    mean_score,
    with_pair,
)
from onlymove.tournament.workers import ForeignWorker, WorkerPool, open_pool

AHEAD = 4
"""How many games per worker are submitted ahead, so that a long game does not leave other workers idle."""

LOOKING = 0.2
"""Seconds between two checks of a running game. At each, the main thread can handle a signal that ends the match. If
another thread got the signal, nothing else would wake it before the game is over."""

TRIES = 3
"""How many workers may die in a game before its pair is given up."""

POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
BY_POINTS = (1.0, 0.5, 0.0)

Results: TypeAlias = tuple[int, ...]
"""The numbers of games won, drawn and lost."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The score so far, seen by the plan's first player."""

    pairs: Pentanomial = NO_PAIRS
    by_seat: tuple[Results, Results] = ((0, 0, 0), (0, 0, 0))
    """The first player's results with seat 0 and with seat 1."""
    timeouts: tuple[int, int] = (0, 0)
    """How many games the first and the second player lost on time."""
    faults: tuple[int, int] = (0, 0)
    """How many games they lost by any other fault."""
    clocks: tuple[str, str] | None = None
    """How each player's time is measured, `cpu` or `wall`. `None` if time plays no part."""
    lost_pairs: int = 0
    """The number of pairs that could not be finished. They do not count."""

    @property
    def results(self) -> Results:
        return tuple(map(sum, zip(*self.by_seat, strict=True)))

    @property
    def games(self) -> int:
        return sum(self.results)

    def with_games(self, games: tuple[Tags, Tags]) -> Standing:
        """Return the standing after another pair. In its first game the plan's first player had seat 0."""
        points = [POINTS[tags["Result"]][seat] for seat, tags in enumerate(games)]
        first, second = (
            tuple(count + (scored == each) for count, each in zip(results, BY_POINTS, strict=True))
            for results, scored in zip(self.by_seat, points, strict=True)
        )
        timeouts, faults = list(self.timeouts), list(self.faults)
        for seat, tags in enumerate(games):
            for fault in filter(None, tags.get("Fault", "").split(", ")):
                loser, _, kind = fault.partition(" ")
                (timeouts if kind == FaultKind.TIMEOUT.value else faults)[int(loser) ^ seat] += 1
        clock, _, other_clock = games[0].get("Clocks", "").partition(", ")
        return replace(
            self,
            clocks=(clock, other_clock) if clock else None,
            pairs=with_pair(self.pairs, sum(points)),
            by_seat=(first, second),
            timeouts=(timeouts[0], timeouts[1]),
            faults=(faults[0], faults[1]),
        )


def ignore_standing(_: Standing) -> None:
    """A watcher that does nothing."""


def describe_result(plan: Plan, standing: Standing, sprt: Sprt | None, seconds: float) -> dict[str, object]:
    """Return the result of a match as a JSON object. Values that are unknown or unbounded are `None`."""
    score = mean_score(standing.pairs) if standing.games else None
    elo = None if score is None else elo_difference(score)
    test: dict[str, object] | None = None
    if sprt is not None:
        test = {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "llr": round(sprt.compute_ratio(standing.pairs), 3),
            "lower": round(-BOUND, 3),
            "upper": round(BOUND, 3),
            "decision": sprt.decision(standing.pairs),
        }
    return {
        "game": plan.game,
        "first": plan.players[0],
        "second": plan.players[1],
        "games": standing.games,
        **dict(zip(("wins", "draws", "losses"), standing.results, strict=True)),
        "score": score,
        "elo": elo if elo is not None and math.isfinite(elo) else None,
        "elo_error": elo_error(standing.pairs),
        "sprt": test,
        "seconds": round(seconds, 3),
        "timeouts": sum(standing.timeouts),
        "faults": sum(standing.faults),
        "lost_pairs": standing.lost_pairs,
    }


def run_match(
    plan: Plan,
    pairs: int,
    executor: str = "local:1",
    out: Path | None = None,
    sprt: Sprt | None = None,
    watcher: Callable[[Standing], None] = ignore_standing,
    tell: Tell = ignore_line,
) -> Standing:
    """Play a match as `play_match` does, with the workers that `executor` names, as for `open_pool`. Its records are
    appended to the file `out`. A match that is in the file is continued, and `tell` receives a line about what does not
    count there. Check the plan with `check_plan` before. Raises what `Journal.resume`, `open_pool` and `play_match`
    raise."""
    with closing(Journal(out, plan, common_tags(plan, tell))) as journal:
        if moved := journal.resume():
            tell(f"'{out}': {moved}")
        with open_pool(executor) as pool:
            return play_match(plan, pairs, pool, journal, sprt, watcher, tell)


def play_match(
    plan: Plan,
    pairs: int,
    pool: WorkerPool,
    journal: Journal,
    sprt: Sprt | None = None,
    watcher: Callable[[Standing], None] = ignore_standing,
    tell: Tell = ignore_line,
) -> Standing:
    """Play `pairs` pairs, or fewer if `sprt` decides earlier. Games in the journal count and are not played again.
    `watcher` gets the standing at the start and after every pair, and `tell` a line for every game that could not be
    played. Raises ForeignWorker, and errors that make a game impossible to play."""
    standing = Standing()
    watcher(standing)
    missing = (number for number in range(2 * pairs) if number not in journal.found)
    with closing(play_in_order(plan, missing, pool)) as played:

        def find_or_play(number: int) -> Tags | None:
            if number in journal.found:
                return journal.found[number]
            record = next(played)
            if isinstance(record, Exception):
                why = f"{TRIES} processes died in it, the last one: {printable(str(record) or repr(record))}"
                tell(f"game {number % 2 + 1} of pair {number // 2 + 1} could not be played: {why}")
                return None
            journal.append(record)
            return tags_of(record)

        for pair in range(pairs):
            if is_decided(standing, sprt):
                break
            first, second = find_or_play(2 * pair), find_or_play(2 * pair + 1)
            if first is None or second is None:
                standing = replace(standing, lost_pairs=standing.lost_pairs + 1)
            else:
                standing = standing.with_games((first, second))
            watcher(standing)
    return standing


def is_decided(standing: Standing, sprt: Sprt | None) -> bool:
    return sprt is not None and sprt.decision(standing.pairs) is not None


def play_in_order(plan: Plan, numbers: Iterable[int], pool: WorkerPool) -> Generator[str | Exception]:
    """Play these games and yield their records in order. For a game in which every worker was lost, yield the error of
    the last one."""
    to_come = iter(numbers)
    waiting: deque[tuple[int, Future[str | Exception]]] = deque()
    pool.prepare(plan.game)
    try:
        while True:
            for number in islice(to_come, AHEAD * pool.width - len(waiting)):
                waiting.append((number, pool.submit(plan, number)))
            if not waiting:
                return
            yield wait_for_game(plan, pool, *waiting.popleft())
    finally:
        for _, future in waiting:
            future.cancel()


def wait_for_game(plan: Plan, pool: WorkerPool, number: int, future: Future[str | Exception]) -> str | Exception:
    """Return a game's record. If its worker is lost, the game is played again. After too many losses, return the last
    error. Raises ForeignWorker."""
    losses = 0
    while True:
        while not wait((future,), LOOKING).done:
            pool.check()
        try:
            record = future.result()
            break
        except pool.losses as loss:
            losses += 1
            if losses == TRIES:
                return loss
            future = pool.submit(plan, number)
    if isinstance(record, Exception):
        raise record
    own, found = describe_program(games.load(plan.game)), tags_of(record)[REFEREE]
    if found != own:
        raise ForeignWorker(f"a worker has {found}, but this program is {own}")
    return record
