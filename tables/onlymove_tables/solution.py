"""Counts whole tables and writes the results into each game package and its page in the docs. `python -m
onlymove_tables.solution [GAME ...]` reads the shipped tables. For all of them this takes a minute. `--pages` writes
only the pages, from figures that were counted before."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from onlymove_engines import games
from onlymove_engines.coach.solution_page import write_page
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.analysis import AlternatingAnalyst, AnyAnalysis, Ranked, Section, Sections, alternating
from onlymove_engines.core.errors import MissingTable, OnlymoveError, TableMismatch
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.solution import (
    Batch,
    ExtremePositions,
    Kind,
    Solution,
    TestedAdvice,
    format_solution,
    solution_file,
)
from onlymove_engines.core.value import Value
from onlymove_engines.play.tree import Conventions
from onlymove_engines.search.position_keys import WORDS
from onlymove_engines.search.rules_solver import RulesSolver

from onlymove_tables.file_format import Header, write_whole
from onlymove_tables.kernels import prepare
from onlymove_tables.open import load_table, open_analyst, sections_of, shipped_folder

if TYPE_CHECKING:
    import numpy.typing as npt


Flags: TypeAlias = "npt.NDArray[np.bool_]"

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}

SCALE = 1000
"""More than the number of moves in any position, and than the plies of any win."""


@dataclass
class Extreme:
    """The positions with the highest key that were seen so far."""

    key: int = -1
    numbers: list[int] = field(default_factory=list)

    def offer(self, keys: Section, numbers: Section) -> None:
        top = int(keys.max(initial=-1))
        if top > self.key:
            self.key, self.numbers = top, []
        if top == self.key >= 0:
            self.numbers += numbers[keys == top].tolist()


def count_choices(batch: Batch) -> list[Section]:
    """Return the number of moves in each position of a batch: all moves, those that keep the result, those that win,
    and those that lose."""
    keeps = batch.worth == batch.value[batch.row]
    chosen = (np.ones_like(keeps), keeps, batch.worth > 0, batch.worth < 0)
    return [count_by_position(batch, each) for each in chosen]


def count_by_position(batch: Batch, chosen: Flags) -> Section:
    return np.bincount(batch.row[chosen], minlength=len(batch.numbers))


@dataclass
class Trial:
    """The results so far of testing a piece of advice. Each position counts with its weight."""

    sentence: str
    positions: int = 0
    followed: float = 0.0
    base: float = 0.0
    failing: int = 0
    examples: list[int] = field(default_factory=list)

    def add(self, batch: Batch, counts: Flags, marks: Section) -> None:
        keeps, speaks, follows = batch.worth == batch.value[batch.row], marks >= 0, marks == 1
        spoken, following, kept, kept_following = (
            count_by_position(batch, chosen) for chosen in (speaks, follows, keeps & speaks, keeps & follows)
        )
        here = counts & (following > 0) & (following < spoken) & (kept > 0) & (kept < spoken)
        weight = batch.weight[here]
        self.positions += int(weight.sum())
        self.followed += float((weight * kept_following[here] / following[here]).sum())
        self.base += float((weight * kept[here] / spoken[here]).sum())
        fails = here & (kept_following == 0)
        self.failing += int(batch.weight[fails].sum())
        keeps_result = np.sign(batch.worth) >= np.sign(batch.value[batch.row])
        numbers = batch.numbers[fails & batch.shown & (count_by_position(batch, keeps_result & follows) == 0)]
        # The examples are the numbers that come first in a fixed order that looks random (Knuth's multiplicative hash).
        # They do not depend on how the table is cut into batches.
        self.examples = sorted([*self.examples, *numbers.tolist()], key=lambda n: n * 2654435761 % (1 << 32))[:EXAMPLES]


EXAMPLES = 12
"""How many positions are stored in which a piece of advice fails."""


class Counts:
    """What was counted in a table so far. The weight of a position is the number of positions that share its number."""

    def __init__(self, has_points: bool) -> None:
        self.has_points = has_points
        self.totals = Counter(classes=0, positions=0, finished=0, choices=0, only_moves=0)
        self.kept = 0.0
        self.outcomes: Counter[str] = Counter()
        self.distances: dict[str, Counter[int]] = {"win": Counter(), "loss": Counter()}
        self.named = {kind: Extreme() for kind in Kind}
        self.facts: Counter[str] = Counter()
        self.advice: dict[str, Trial] = {}

    def add(self, batch: Batch) -> None:
        moves, keeping, winning, losing = count_choices(batch)
        goes_on, is_won = moves > 0, batch.value > 0
        has_choice = (moves > 1) & (self.has_points | (batch.value >= 0))
        self.facts.update(batch.facts)
        counted = {
            "positions": np.ones_like(goes_on),
            "finished": ~goes_on,
            "choices": has_choice,
            "only_moves": has_choice & (keeping == 1),
        }
        self.totals["classes"] += len(batch.numbers)
        self.totals.update({name: int(batch.weight[chosen].sum()) for name, chosen in counted.items()})
        self.kept += float((batch.weight * keeping / np.maximum(moves, 1))[has_choice].sum())
        measure = abs(batch.value) if self.has_points else batch.distance
        for sign, outcome in OUTCOMES.items():
            here = goes_on & (np.sign(batch.value) == sign)
            self.outcomes[outcome] += int(batch.weight[here].sum())
            if sign:
                counts = np.bincount(measure[here], batch.weight[here])
                self.distances[outcome].update({int(far): int(counts[far]) for far in np.flatnonzero(counts)})

        # The first figure of a key counts most.
        is_narrow = (batch.value == 0) & (keeping == 1) & (moves > 1)
        keys: Sequence[tuple[Kind, Flags, Section]] = (
            (Kind.LONGEST_WIN, is_won, batch.distance.astype(np.int64) * SCALE),
            (Kind.NARROWEST_DRAW, is_narrow, moves * SCALE),
            (Kind.MAX_MISLEADING, is_won & (losing > 0), losing * SCALE + SCALE - 1 - winning),
        )
        for kind, chosen, key in keys:
            self.named[kind].offer(key[chosen & batch.shown], batch.numbers[chosen & batch.shown])

        # Advice is tested where something can be lost and the game cannot be won at once.
        is_tested = (batch.value >= 0) & (batch.distance != 1) | self.has_points
        for advice, marks in batch.advice:
            self.advice.setdefault(advice.id, Trial(advice.sentence)).add(batch, is_tested, marks)


SHOWN = 8
"""How many positions of each kind are named."""

MAX_LINE_LENGTH = 200


def count_solution(game: AnyGame) -> Solution:
    """Count the shipped table of `game`. Raises MissingTable if there is none. Raises TableMismatch if the plain rules
    disagree about a position that the result names."""
    if game.solved.statistics is None or game.solved.index is None:
        raise MissingTable(f"{game.facts.title} has no table, so nothing can be counted")
    header, payload = load_table(game, shipped_folder(game) / f"{game.id}.tbl")
    sections = sections_of(header, payload)
    return count_table(game, header, sections, game.solved.statistics(sections), game.solved.index.position)


MAX_COUNTED, SAMPLE = 1_000_000, 100_000
"""A table made from the rules is counted completely if it has at most this many positions. In a larger one, only a
sample is counted, because counting takes as long as solving."""


def count_rules_table(
    solver: RulesSolver, header: Header, sections: Sections, most: int = MAX_COUNTED, sample: int = SAMPLE
) -> Solution:
    """Count a table that this solver has made from a game's rules. If it has more than `most` positions, this counts
    only about `sample` of them and names no extreme positions. Raises TableMismatch."""
    game, one_in = solver.game, 1 if header.count <= most else -(-header.count // sample)
    parse = game.notation.parse_position
    batches = solver.list_batches(one_in)
    solution = count_table(
        game, header, sections, batches, lambda number: parse(solver.to_text(sections, WORDS, number))
    )
    return solution if one_in == 1 else replace(solution, named={}, line=(), one_in=one_in)


def count_table(
    game: AnyGame,
    header: Header,
    sections: Sections,
    batches: Iterable[Batch],
    find_position: Callable[[int], AnyPosition],
) -> Solution:
    """Count a table, all of whose positions must be in `batches`. Raises TableMismatch if the plain rules disagree
    about a position that the result names."""
    counts = Counts(game.facts.has_margin)
    for batch in batches:
        counts.add(batch)
    analyst = alternating(open_analyst(game, sections))
    start = game.default_start()
    known = analyst.analyse(start)

    def to_text(numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(game.notation.format_position(find_position(number)) for number in numbers)

    named: dict[Kind, ExtremePositions] = {}
    for kind, extreme in counts.named.items():
        if extreme.numbers:
            shown, figure = sorted(extreme.numbers)[:SHOWN], extreme.key // SCALE
            named[kind] = ExtremePositions(figure, len(extreme.numbers), to_text(shown))
            for position in map(find_position, shown):
                if (found := figure_of(analyst, kind, position, analyst.analyse(position))) != figure:
                    problem = f"{game.notation.format_position(position)} was counted as {kind.value} {figure}"
                    raise TableMismatch(f"{game.id}: {problem}, but the rules say {found}")
    tested = tuple(
        TestedAdvice(
            name,
            trial.sentence,
            trial.positions,
            followed=round(trial.followed / trial.positions, 4),
            base=round(trial.base / trial.positions, 4),
            failing=trial.failing,
            examples=to_text(trial.examples),
        )
        for name, trial in counts.advice.items()
        if trial.positions
    )
    choices = counts.totals["choices"]
    return Solution(
        game=game.id,
        digest=header.sha256,
        start=str(known.value),
        first_moves={game.notation.format_move(start, move): str(value) for move, value in known.moves.items()},
        **counts.totals,
        outcomes=dict(counts.outcomes),
        distances={outcome: dict(sorted(plies.items())) for outcome, plies in counts.distances.items()},
        kept=round(counts.kept / choices, 4) if choices else 1.0,
        named=named,
        line=best_line(game, analyst, named[Kind.LONGEST_WIN].positions[0]) if Kind.LONGEST_WIN in named else (),
        facts=dict(counts.facts),
        advice=tested,
    )


def figure_of(analyst: AlternatingAnalyst, kind: Kind, position: AnyPosition, analysis: AnyAnalysis) -> int | None:
    """Return the figure for which a position of this kind is named, or `None` if the position is not of this kind."""
    top = analysis.best_value()
    if top is None:
        return None
    if kind is Kind.NARROWEST_DRAW:
        return len(analysis.moves) if len(analysis.list_good_moves()) == 1 and score(top) == 0 else None
    if score(top) <= 0:
        return None
    if kind is Kind.MAX_MISLEADING:
        return sum(value is not None and score(value) < 0 for value in analysis.moves.values())
    # The distance of the win, or of the next points.
    return analyst.rank(position) if isinstance(analyst, Ranked) else top.remoteness


def score(value: Value) -> int:
    """Return the points still to come. In a game without points, return 1 for a win, 0 for a draw and -1 for a loss."""
    return int(value.outcome) if value.margin is None else value.margin


def best_line(game: AnyGame, analyst: AlternatingAnalyst, text: str) -> tuple[str, ...]:
    """Return a line of best play from a position to the end. Where several moves are equally good, it follows the
    first."""
    law: Conventions[AnyPosition, object] = Conventions(game)
    past = [game.notation.parse_position(text)]
    moves: list[str] = []
    while len(moves) < MAX_LINE_LENGTH and (best := analyse_after(law, past, analyst).list_best_moves()):
        moves.append(game.notation.format_move(past[-1], best[0]))
        past.append(game.rules.play(past[-1], best[0]))
    return tuple(moves)


PAGES = "--pages"

SOURCE = "<!-- Written by `python -m onlymove_tables.solution`; the rest comes from the game package. -->"


DOCS = Path(__file__).parents[2] / "docs" / "solutions"


def format_page(game: AnyGame) -> str:
    return f"{SOURCE}\n\n{write_page(game)}"


def main(names: Sequence[str], docs: Path = DOCS) -> int:
    """Count the tables of the named games, or of all shipped ones, and write their pages into a folder. Return the exit
    code."""
    prepare()
    chosen = [name for name in names if name != PAGES]
    try:
        for game in map(games.load, chosen or [facts.id for facts in games.list_own_games()]):
            if PAGES not in names and (game.solved.statistics is not None or chosen):
                text = format_solution(count_solution(game))
                write_whole(Path(str(resources.files(game.facts.package))) / solution_file(game.id), text.encode())
                sys.stderr.write(f"{solution_file(game.id)}: {len(text):,} characters\n")
            if docs.parent.is_dir():
                write_whole(docs / f"{game.id}.md", format_page(game).encode())
    except OnlymoveError as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
