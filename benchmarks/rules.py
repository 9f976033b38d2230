"""Solving a game from its rules alone: Tobito, and four in a row on a small board with positions that are integers.

Positions and moves a second of processor time, the time beside what the rules need to list and play every move once,
and memory, each with one and with two jobs.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence
from time import process_time, time

from onlymove_engines import games
from onlymove_engines.core.analysis import Sections, ignore_report
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import AnyGame, Game
from onlymove_engines.core.rules import MovePath, Result
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.search.position_keys import Keys
from onlymove_engines.search.rules_solver import RulesSolver

from benchmarks._memory import peak_megabytes

WIDTH, HEIGHT, ROW = 5, 4, 4
BITS = WIDTH * (HEIGHT + 1)
BOTTOM = (1 << HEIGHT) - 1
SEAT = (1 << BITS) - 1
LOADED = "from benchmarks import rules\n"
MEASURE = LOADED + "rules.RulesSolver(rules.GAMES[{name!r}]).build({jobs})"


class Drop:
    """Four in a row. A position holds the bits of both players' stones, column by column, with an empty cell above
    each."""

    def to_move(self, position: int) -> int:
        return position.bit_count() & 1

    def legal_moves(self, position: int) -> Sequence[int]:
        first, second = position & SEAT, position >> BITS
        if has_row(second if self.to_move(position) == 0 else first):
            return ()
        taken = first | second
        return [column for column in range(WIDTH) if not taken >> (column * (HEIGHT + 1) + HEIGHT - 1) & 1]

    def play(self, position: int, move: int) -> int:
        column = (position | position >> BITS) >> move * (HEIGHT + 1) & BOTTOM
        return position | column + 1 << move * (HEIGHT + 1) + BITS * self.to_move(position)

    def result(self, position: int) -> Result | None:
        if has_row(position & SEAT):
            return Result(0)
        return Result(1) if has_row(position >> BITS) else None if self.legal_moves(position) else Result(None)


def has_row(stones: int) -> bool:
    for step in (1, HEIGHT + 1, HEIGHT, HEIGHT + 2):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class Numbers:
    """Writes positions as numbers, and draws nothing."""

    def format_position(self, position: int) -> str:
        return str(position)

    def parse_position(self, text: str) -> int:
        return int(text)

    def format_move(self, position: int, move: int) -> str:
        return str(move)

    def parse_move(self, position: int, text: str) -> int:
        return int(text)

    def paths(self, position: int, move: int) -> Sequence[MovePath]:
        return [(str(move),)]

    def scene(self, view: View[int, int]) -> Scene:
        return Scene(1, 1, ())

    def between(self, view: View[int, int]) -> tuple[Scene, ...]:
        return ()

    def trace(self, position: int, move: int) -> tuple[str, ...]:
        return ()


DROP: Game[int, int] = Game(
    facts=Facts(id="drop", max_plies=WIDTH * HEIGHT),
    seats=("First", "Second"),
    rules=Drop(),
    notation=Numbers(),
    painter=Numbers(),
    start=lambda *_: 0,
)
GAMES: dict[str, AnyGame] = {"tobito": games.load("tobito"), f"four in a row, {WIDTH} x {HEIGHT}": DROP}


def run() -> Iterator[str]:
    for name, game in GAMES.items():
        yield from solve(name, game)


def solve(name: str, game: AnyGame) -> Iterator[str]:
    """Measure one game. The processor time of helper processes counts. The time of the rules alone is measured right
    after."""
    for jobs in (1, 2):
        begun, used = time(), spend()
        sections = RulesSolver(game).build(jobs, ignore_report)
        wall, used = time() - begun, spend() - used
        rules, moves = play_every_move(game, sections)
        count = len(sections["codes"])
        memory = (peak_megabytes(MEASURE.format(name=name, jobs=jobs)) - peak_megabytes(LOADED)) * 2**20
        yield (
            f"{name}, {jobs} job{'s' * (jobs > 1)}: {count:,} positions and {moves:,} moves in {wall:.1f} s by the"
            f" clock, {used:.1f} s of processor time: {count / used:,.0f} positions and {moves / used:,.0f} moves a"
            f" second, {used / rules:.2f} times what the rules take alone; {memory / count:.0f} bytes a position"
        )


def play_every_move(game: AnyGame, sections: Sections) -> tuple[float, int]:
    """Return the seconds of processor time to list and play every move of every position once, and the number of
    moves."""
    keys, read = Keys(sections), game.notation.parse_position
    known = keys.read(range(len(keys.words[0])))
    positions = known if keys.are_numbers else list(map(read, known))
    legal_moves, play, moves = game.rules.legal_moves, game.rules.play, 0
    begun = process_time()
    for position in positions:
        for move in legal_moves(position):
            play(position, move)
            moves += 1
    return process_time() - begun, moves


def spend() -> float:
    """Return the processor time of this process and of its helpers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
