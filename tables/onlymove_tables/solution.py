"""Counts whole tables and writes what was found: a file for each game in its package, and its page in the docs.

`python -m onlymove_tables.solution [GAME ...]` reads the shipped tables; all of them take a minute.
`--pages` writes the pages alone, from what was counted before.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from onlymove_engines import games
from onlymove_engines.coach.solution_page import page_of
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.analysis import AlternatingAnalyst, AnyAnalysis, Ranked, Section, alternating
from onlymove_engines.core.errors import MissingTable, OnlymoveError, TableMismatch
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.solution import Batch, Kind, Named, Solution, Tested, format_solution, solution_file
from onlymove_engines.core.value import Outcome
from onlymove_engines.play.line import Conventions

from onlymove_tables.file_format import write_whole
from onlymove_tables.kernels import prepare
from onlymove_tables.open import load_table, open_analyst, sections_of, shipped_folder

if TYPE_CHECKING:
    import numpy.typing as npt


Flags: TypeAlias = "npt.NDArray[np.bool_]"

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}

SCALE = 1000
"""More than a position has moves, and than a win takes plies."""


@dataclass
class Extreme:
    """The positions with the greatest key there has been."""

    key: int = -1
    numbers: list[int] = field(default_factory=list)

    def offer(self, keys: Section, numbers: Section) -> None:
        top = int(keys.max(initial=-1))
        if top > self.key:
            self.key, self.numbers = top, []
        if top == self.key >= 0:
            self.numbers += numbers[keys == top].tolist()


@dataclass(frozen=True)
class Choices:
    """The moves of each position of a batch, counted: all, those that keep the value, that win, that lose."""

    moves: Section
    keeping: Section
    winning: Section
    losing: Section

    @classmethod
    def of(cls, batch: Batch) -> Choices:

        def counted(chosen: Flags | None = None) -> Section:
            return np.bincount(batch.row if chosen is None else batch.row[chosen], minlength=len(batch.numbers))

        keeps = batch.worth == batch.value[batch.row]
        return cls(counted(), counted(keeps), counted(batch.worth > 0), counted(batch.worth < 0))


@dataclass
class Trial:
    """A piece of advice under test: what has been counted of it so far, each position by its weight."""

    sentence: str
    positions: int = 0
    followed: float = 0.0
    base: float = 0.0
    failing: int = 0
    examples: list[int] = field(default_factory=list)

    def add(self, batch: Batch, counts: Flags, marks: Section) -> None:
        size, keeps = len(batch.numbers), batch.worth == batch.value[batch.row]

        def counted(chosen: Flags) -> Section:
            return np.bincount(batch.row[chosen], minlength=size)

        spoken, following = counted(marks >= 0), counted(marks == 1)
        kept, kept_following = counted(keeps & (marks >= 0)), counted(keeps & (marks == 1))
        here = counts & (following > 0) & (following < spoken) & (kept > 0) & (kept < spoken)
        weight = batch.weight[here]
        self.positions += int(weight.sum())
        self.followed += float((weight * kept_following[here] / following[here]).sum())
        self.base += float((weight * kept[here] / spoken[here]).sum())
        fails = here & (kept_following == 0)
        self.failing += int(batch.weight[fails].sum())
        keeps_result = np.sign(batch.worth) >= np.sign(batch.value[batch.row])
        numbers = batch.numbers[fails & batch.shown & (counted(keeps_result & (marks == 1)) == 0)]
        # Those that come first when the numbers are shuffled: the same ones, whatever the batches.
        self.examples = sorted([*self.examples, *numbers.tolist()], key=shuffled)[:EXAMPLES]


EXAMPLES = 12
"""So many positions in which a piece of advice fails are kept."""


def shuffled(number: int) -> int:
    """Orders numbers without an order that means anything (Knuth's multiplicative hash)."""
    return number * 2654435761 % (1 << 32)


@dataclass
class Counts:
    """What has been counted so far. Positions are weighed: all that share a number count."""

    has_points: bool
    classes: int = 0
    positions: int = 0
    finished: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    distances: dict[str, Counter[int]] = field(default_factory=lambda: {"win": Counter(), "loss": Counter()})
    choices: int = 0
    only_moves: int = 0
    kept: float = 0.0
    named: dict[Kind, Extreme] = field(default_factory=lambda: {kind: Extreme() for kind in Kind})
    facts: Counter[str] = field(default_factory=Counter)
    advice: dict[str, Trial] = field(default_factory=dict)

    def add(self, batches: Iterable[Batch]) -> None:
        for batch in batches:
            found = Choices.of(batch)
            self._add_outcomes(batch, found)
            self._add_choices(batch, found)
            self._add_extremes(batch, found)
            self._add_advice(batch)
            self.facts.update(batch.facts)

    def _add_outcomes(self, batch: Batch, found: Choices) -> None:
        goes_on = found.moves > 0
        self.classes += len(batch.numbers)
        self.positions += int(batch.weight.sum())
        self.finished += int(batch.weight[~goes_on].sum())
        measure = abs(batch.value) if self.has_points else batch.distance
        for sign, outcome in OUTCOMES.items():
            here = goes_on & (np.sign(batch.value) == sign)
            self.outcomes[outcome] += int(batch.weight[here].sum())
            if sign:
                counts = np.bincount(measure[here], batch.weight[here])
                self.distances[outcome].update({int(far): int(counts[far]) for far in np.flatnonzero(counts)})

    def _add_choices(self, batch: Batch, found: Choices) -> None:
        has_choice = (found.moves > 1) & (self.has_points | (batch.value >= 0))
        weight, keeping, moves = (each[has_choice] for each in (batch.weight, found.keeping, found.moves))
        self.choices += int(weight.sum())
        self.only_moves += int(weight[keeping == 1].sum())
        self.kept += float((weight * keeping / moves).sum())

    def _add_extremes(self, batch: Batch, found: Choices) -> None:
        """Offer what is shown; keys compare the first figure first."""
        is_won, is_drawn = batch.shown & (batch.value > 0), batch.shown & (batch.value == 0) & (found.keeping == 1)
        keys: Sequence[tuple[Kind, Flags, Section]] = (
            (Kind.LONGEST_WIN, is_won, batch.distance.astype(np.int64) * SCALE),
            (Kind.NARROWEST_DRAW, is_drawn & (found.moves > 1), found.moves * SCALE),
            (Kind.MOST_MISLEADING, is_won & (found.losing > 0), found.losing * SCALE + SCALE - 1 - found.winning),
        )
        for kind, chosen, key in keys:
            self.named[kind].offer(key[chosen], batch.numbers[chosen])

    def _add_advice(self, batch: Batch) -> None:
        """Where something can be lost, and the game is not won at once."""
        counts = np.ones(len(batch.numbers), np.bool_)
        if not self.has_points:
            counts = (batch.value >= 0) & (batch.distance != 1)
        for advice in batch.advice:
            trial = self.advice.setdefault(advice.id, Trial(advice.sentence))
            trial.add(batch, counts, advice.marks)


SHOWN = 8
"""So many positions of a kind are named."""

LONGEST_LINE = 200


def solution_of(game: AnyGame) -> Solution:
    """Everything counted in the shipped table of `game`. Raises MissingTable for one without."""
    if game.solved.statistics is None:
        raise MissingTable(f"{game.id} has no table: nothing can be counted")
    header, payload = load_table(game, shipped_folder(game) / f"{game.id}.tbl")
    sections = sections_of(header, payload)
    counts = Counts(game.facts.has_margin)
    counts.add(game.solved.statistics(sections))
    analyst = alternating(open_analyst(game, sections))
    known = analyst.analyse(start := game.default_start())
    found = {kind: most_of(game, kind, counts) for kind in Kind if counts.named[kind].numbers}
    for kind, named in found.items():
        recheck(game, analyst, kind, named)
    first_moves = {game.notation.format_move(start, move): str(value) for move, value in known.moves.items()}
    return Solution(
        game=game.id,
        digest=header.sha256,
        start=str(known.value),
        first_moves=first_moves,
        classes=counts.classes,
        positions=counts.positions,
        finished=counts.finished,
        outcomes=dict(counts.outcomes),
        distances={outcome: dict(sorted(plies.items())) for outcome, plies in counts.distances.items()},
        choices=counts.choices,
        only_moves=counts.only_moves,
        kept=round(counts.kept / counts.choices, 4),
        named=found,
        line=best_line(game, analyst, found[Kind.LONGEST_WIN].positions[0]),
        facts=dict(counts.facts),
        advice=tuple(tested(game, name, trial) for name, trial in counts.advice.items() if trial.positions),
    )


def most_of(game: AnyGame, kind: Kind, counts: Counts) -> Named:
    assert game.solved.index is not None, "a table is numbered"
    extreme, spell = counts.named[kind], game.notation.format_position
    positions = tuple(spell(game.solved.index.position(number)) for number in sorted(extreme.numbers)[:SHOWN])
    return Named(extreme.key // SCALE, len(extreme.numbers), positions)


def tested(game: AnyGame, name: str, trial: Trial) -> Tested:
    assert game.solved.index is not None, "a table is numbered"
    spell = game.notation.format_position
    return Tested(
        id=name,
        sentence=trial.sentence,
        positions=trial.positions,
        followed=round(trial.followed / trial.positions, 4),
        base=round(trial.base / trial.positions, 4),
        failing=trial.failing,
        examples=tuple(spell(game.solved.index.position(number)) for number in trial.examples),
    )


def recheck(game: AnyGame, analyst: AlternatingAnalyst, kind: Kind, found: Named) -> None:
    """Whether each position is what it is named for, by the plain rules. Raises TableMismatch."""
    for text in found.positions:
        position = game.notation.parse_position(text)
        if (figure := figure_of(analyst, kind, position)) != found.figure:
            raise TableMismatch(f"{game.id}: {text} was counted as {kind.value} {found.figure}, the rules say {figure}")


def figure_of(
    analyst: AlternatingAnalyst, kind: Kind, position: AnyPosition, analysis: AnyAnalysis | None = None
) -> int | None:
    """How much of a kind a position is, move by move; `None`: it is none. `analysis` is that of the position where it
    is known already."""
    analysis = analysis or analyst.analyse(position)
    top = analysis.best_value()
    if top is None:
        return None
    if kind is Kind.NARROWEST_DRAW:
        return len(analysis.moves) if len(analysis.keeping()) == 1 and top.outcome is Outcome.DRAW else None
    if top.outcome is not Outcome.WIN:
        return None
    if kind is Kind.MOST_MISLEADING:
        return sum(value is not None and value.outcome is Outcome.LOSS for value in analysis.moves.values())
    # How far away the win is, or the next points.
    return analyst.rank(position) if isinstance(analyst, Ranked) else top.remoteness


def best_line(game: AnyGame, analyst: AlternatingAnalyst, text: str) -> tuple[str, ...]:
    """Best play from a position to the end, the first of equal moves."""
    law: Conventions[AnyPosition, object] = Conventions(game)
    past = [game.notation.parse_position(text)]
    moves: list[str] = []
    while len(moves) < LONGEST_LINE and (best := analyse_after(law, past, analyst).best()):
        moves.append(game.notation.format_move(past[-1], best[0]))
        past.append(game.rules.play(past[-1], best[0]))
    return tuple(moves)


PAGES = "--pages"

SOURCE = "<!-- Written by `python -m onlymove_tables.solution`; what is not counted stands in the drawer. -->"


def docs_folder() -> Path:
    return Path(__file__).parents[2] / "docs" / "solutions"


def written_page(game: AnyGame) -> str:
    return f"{SOURCE}\n\n{page_of(game)}"


def main(names: Sequence[str]) -> int:
    """Count the named games' tables, or all shipped ones. Returns the exit code."""
    prepare()
    chosen = [name for name in names if name != PAGES]
    try:
        for game in map(games.load, chosen or [card.id for card in games.list_own_games()]):
            if PAGES not in names and (game.solved.statistics is not None or chosen):
                text = format_solution(solution_of(game))
                write_whole(Path(str(resources.files(game.facts.package))) / solution_file(game.id), text.encode())
                sys.stderr.write(f"{solution_file(game.id)}: {len(text):,} characters\n")
            if docs_folder().parent.is_dir():
                write_whole(docs_folder() / f"{game.id}.md", written_page(game).encode())
    except OnlymoveError as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
