"""Verifies tables against their checksums and the rules, and proves the value of the starting position.

The quick check takes a sample of positions. By the plain rules, the value of each must follow from the values of its
children. The full check solves the game again with other code than the builder's and compares every entry. It also
counts the positions again, and rebuilds the table, which must give the same bytes. A proof then adds, for each side, a
strategy that guarantees the value. Contains no code for particular games.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from textwrap import wrap

import numpy as np
from onlymove_engines.core.analysis import AlternatingAnalyst, Report, Sections, Solver, alternating, ignore_report
from onlymove_engines.core.budget import Clock
from onlymove_engines.core.errors import MissingTable, Refuted, TableMismatch, UnusableTable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Outcome, Seat, Value, other, proven, turn_value
from onlymove_engines.core.words import format_count, format_distance
from onlymove_engines.search.deepening import find_best, find_move_value
from onlymove_engines.search.rules_analyst import RulesAnalyst
from onlymove_engines.search.rules_solver import RulesSolver, find_solver
from onlymove_engines.search.strategy import Finder, Strategy, StrategyChecker, find_worth

from onlymove_tables.build import lay_out, solver_of
from onlymove_tables.file_format import FILE_NAME, Header, TableEntry, read_manifest
from onlymove_tables.open import (
    find_contradictions,
    find_tables,
    inflate,
    open_analyst,
    open_table,
    own_header,
    packed_payload,
    sections_of,
)

SAMPLE = 400
PLAYOUTS = 200
MAX_PLAYOUT_LENGTH = 40

SHOWN = 5
"""How many wrong entries are shown for each section."""


def verify_table(game: AnyGame, full: bool = False, report: Report = ignore_report) -> Iterator[str]:
    """Yield one line for each fault in the table of `game`. There are none if the table is right or the game has no
    table. Raises UnusableTable for a file that cannot be read as a table of this game."""
    if find_solver(game) is None:
        return
    try:
        path = find_tables(game)[0]
        header, offset = own_header(game, path)
        payload = inflate(path, header, packed_payload(path, header, offset))
        listed, sections = read_manifest(path.parent), sections_of(header, payload)
    except UnusableTable:
        raise
    except (MissingTable, TableMismatch) as refusal:
        yield str(refusal)
        return
    refused, entry = list(find_contradictions(game, path, header)), listed.get(game.id)
    yield from refused
    if not refused:
        if entry is not None:
            yield from (f"{game.id}: {difference}" for difference in entry.list_differences(header))
            if entry.packed_size != header.packed_size:
                yield f"{game.id}: packed_size is {header.packed_size}, but the manifest says {entry.packed_size}"
        elif listed:
            yield f"{path.parent / FILE_NAME}: the manifest does not list {game.id}"
        yield from sample_findings(game, sections, report)
    if full:
        yield from find_all_faults(game, header, sections, entry, report)


def find_all_faults(
    game: AnyGame, header: Header, sections: Sections, entry: TableEntry | None, report: Report
) -> Iterator[str]:
    """Yield the faults that only a full check finds: wrong entries, wrong counts, and other bytes after a rebuild."""
    solver = solver_of(game)
    if isinstance(solver, RulesSolver):
        left_out = RulesAnalyst(game, sections).left_out
        first, *others = solver.list_starts()
        solver.starts = [first, *(start for start in others if start not in left_out)]
    wrong = list(find_differences(solver, sections, solver.derive(report)))
    yield from (f"{game.id}: {difference}" for difference in wrong)
    if not wrong and entry is not None and dict(entry.counts) != (counts := solver.counts(sections)):
        yield f"{game.id}: counts are {counts}, but the manifest says {dict(entry.counts)}"
    rebuilt = hashlib.sha256(lay_out(solver.build(1, report))[1]).hexdigest()
    if rebuilt != header.sha256:
        yield f"{game.id}: a rebuild gives different bytes ({rebuilt[:16]} instead of {header.sha256[:16]})"


def find_differences(solver: Solver, stored: Sections, derived: Sections) -> Iterator[str]:
    """Yield a line for each wrong entry: the position, the section, what is stored and what should be."""
    shapes = [{name: f"{len(data):,} {data.dtype}" for name, data in found.items()} for found in (stored, derived)]
    if shapes[0] != shapes[1]:
        yield f"the sections are {shapes[0]}, but they must be {shapes[1]}"
        return
    for name, right in derived.items():
        wrong = np.flatnonzero(stored[name] != right)
        for entry in wrong[:SHOWN].tolist():
            spelled = solver.to_text(derived, name, entry)
            yield f"{spelled}: {name} is stored as {stored[name][entry]}, but it must be {right[entry]}"
        if len(wrong) > SHOWN:
            yield f"{name}: {len(wrong):,} of {len(right):,} entries are wrong; this list shows {SHOWN} of them"


def sample_findings(game: AnyGame, sections: Sections, report: Report) -> Iterator[str]:
    """Yield a line for each position of a sample whose stored value does not follow from the values of its children.
    Positions outside the table are skipped. Margins are not compared, because only the game package knows what a move
    captures, and its own check covers them."""
    if game.facts.simultaneous:
        return
    analyst = alternating(open_analyst(game, sections))

    def reduce_value(value: Value) -> tuple[Outcome, int | None]:
        counts_plies = not game.facts.has_margin and value.outcome is not Outcome.DRAW
        return value.outcome, value.remoteness if counts_plies else None

    sample = list(dict.fromkeys([*sample_numbers(game), *islice(play_randomly(game), SAMPLE)]))
    for done, position in enumerate(sample):
        if done % 50 == 0:
            report("checking a sample", done / len(sample))
        stored = analyst.probe(position) if analyst.is_reachable(position) else None
        expected = None if stored is None else expected_value(game, analyst, position)
        if stored is not None and expected is not None and reduce_value(stored) != reduce_value(expected):
            spelled = game.notation.format_position(position)
            yield f"{game.id}: {spelled} is stored as {stored}, but its moves give {proven(*reduce_value(expected))}"
    report("checking a sample", 1.0)


def sample_numbers(game: AnyGame) -> Iterator[AnyPosition]:
    """Yield positions with random numbers. There are none for a game without an index."""
    if (index := game.solved.index) is None:
        return
    draw = random.Random(index.size)
    for _ in range(SAMPLE):
        with suppress(ValueError):
            yield index.position(draw.randrange(index.size))


def play_randomly(game: AnyGame) -> Iterator[AnyPosition]:
    draw = random.Random(0)
    for _ in range(PLAYOUTS):
        position = game.default_start()
        for _ in range(MAX_PLAYOUT_LENGTH):
            yield position
            moves = game.rules.legal_moves(position)
            if not moves:
                break
            position = game.rules.play(position, draw.choice(moves))


def expected_value(game: AnyGame, analyst: AlternatingAnalyst, position: AnyPosition) -> Value | None:
    """Return the value by the rules: the result, or the value of the best move according to the stored values of its
    children. `None` if a child is not in the table."""
    seat = game.rules.to_move(position) or 0
    result = game.rules.result(position)
    if result is not None:
        return result.value_for(seat)
    children = [game.rules.play(position, move) for move in game.rules.legal_moves(position)]
    return find_best([find_move_value(game, position, child, analyst.probe(child)) for child in children], horizon=0)


MOST = 1
"""The value of a win in a game without points. A side that may end with minus this much has nothing to prove."""

WIDTH = 100


@dataclass
class Argument:
    """Proves step by step what is claimed about a game with a table. A step that fails raises Refuted."""

    game: AnyGame
    clock: Clock
    report: Report = ignore_report
    value: int = 0
    """The value of the start for the first player: in points, or 1, 0, -1."""
    strategies: list[Strategy] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        game, begun = self.game, self.clock()
        if game.solved.prove is not None:
            yield from game.solved.prove(self.clock)
        try:
            findings = list(verify_table(game, full=True, report=self.report))
        except UnusableTable as refusal:
            raise Refuted(str(refusal)) from refusal
        if findings:
            raise Refuted("; ".join(findings))
        sections = {name: np.asarray(column) for name, column in open_table(game).items()}
        yield "The table is correct: a second solver finds the same values, and a rebuild gives the same bytes."
        counts = solver_of(game).counts(sections)
        yield from indent(", ".join(f"{name} {count:,}" for name, count in counts.items()))
        analyst = alternating(open_analyst(game, sections))
        start = game.default_start()
        value, mover = analyst.analyse(start).best_value(), game.rules.to_move(start) or 0
        if value is None:
            raise Refuted(f"{game.id}: the value of the start is not known")
        worth_to_mover = find_worth(game, start, value)
        self.value = -worth_to_mover if mover else worth_to_mover
        spelled = game.notation.format_position(start)
        yield f"The start is {spelled} with {game.seats[mover]} to move. Its value: {value.sentence()}."
        for seat in (0, 1):
            yield from self._strategy(analyst, seat)
        proof = self._describe_worth(turn_value(value, mover, 0))
        yield f"This proves the value of the start: {proof}. The proof took {self.clock() - begun:.0f} s."

    def _describe_worth(self, for_first: Value) -> str:
        """Return who wins from the start and by how much, or `a draw`: what was proven, not what the package claims."""
        if for_first.outcome is Outcome.DRAW:
            return "a draw"
        wins = f"{self.game.seats[0 if for_first.outcome is Outcome.WIN else 1]} wins"
        if self.game.play.points is not None:
            return f"{wins}, {format_count(abs(self.value), 'point')} ahead"
        return wins if for_first.remoteness is None else f"{wins}{format_distance(for_first.remoteness)}"

    def _strategy(self, analyst: AlternatingAnalyst, seat: Seat) -> Iterator[str]:
        """Find and check a strategy that guarantees a side its share. Yields nothing if there is nothing to prove."""
        game, least = self.game, -self.value if seat else self.value
        if game.play.points is None and least == -MOST:
            return
        strategy = Finder(game, analyst, seat, least, self.report).find()
        size = StrategyChecker(game, strategy, self.report).check()
        self.strategies.append(strategy)
        mover, waiting = game.seats[seat], game.seats[other(seat)]
        share = "wins" if least == MOST else "does not lose"
        claim = f"{mover} {share}" if game.play.points is None else f"{mover} ends with {least:+d} points or more"
        yield f"{claim}. A strategy shows this. It was checked against every reply, using the plain rules."
        is_limited = size.plies and game.play.points is None
        longest = f" No line is longer than {format_count(size.plies, 'move')}." if is_limited else ""
        total = size.listed + size.at_once + size.others
        yield from indent(
            f"It covers {total:,} positions, not counting symmetric ones. In {size.listed:,} of them it has a move for"
            f" {mover}, and in {size.at_once:,} {mover} can end the game at once. In the other {size.others:,}, it"
            f" allows for all {size.replies:,} replies of {waiting}.{longest}"
        )


def indent(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="   ", subsequent_indent="   ", break_on_hyphens=False)
