"""Answers questions from a table that was made from the rules alone. Positions outside the table are searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from onlymove_engines.core.analysis import UNKNOWN, Analysis, Columns, Section, ValueColumns
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, Game, list_images
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Draw, Loss, Margin, Outcome, Value, Win
from onlymove_engines.search.deepening import NO_TABLE, LiveAnalyst, find_move_value
from onlymove_engines.search.endless import find_repetition
from onlymove_engines.search.starts import list_other_starts, list_starts

LOST, WON = 2, 3
"""The codes for a loss in n plies, LOST + 2n, and for a win in n plies, WON + 2n. The codes 0 and 1 are draws: 1 if the
game is over."""


NOT_IN_TABLE = "this position is not in the table"
MAX_NAMED = 2
"""How many starts are named that the table leaves out."""


def value_of(code: int) -> Value:
    if code < LOST:
        return Draw()
    return Win((code - WON) // 2) if code % 2 else Loss((code - LOST) // 2)


def is_solved_by_rules(game: AnyGame) -> bool:
    """Whether the game's table, if any, is made from its rules alone: it has no solver or analyst of its own."""
    return game.solved.solver is None and game.solved.open_analyst is None and not game.facts.simultaneous


def list_deciding_parts(game: AnyGame) -> list[object]:
    """List the functions, objects and modules of a game that decide what is in a table made from its rules."""
    points, repetition = game.play.points, find_repetition(game)
    parts: list[object] = [game.rules, game.notation, game.start]
    parts += [symmetry.position for symmetry in game.solved.symmetries]
    return parts + [part for part in (points, repetition and repetition.result) if part is not None]


def find_misfit(game: AnyGame, lengths: Mapping[str, int]) -> str:
    """Return why sections with these names and lengths are no table of the game made from its rules. Empty if they
    are one."""
    from onlymove_engines.search.position_keys import ALPHABETS, WORDS, name_words  # noqa: PLC0415 - loads numpy

    columns = ["codes"] if game.play.points is None else ["margins", "ranks"]
    columns += ["orbits"] if game.solved.symmetries else []
    columns += name_words(sum(name.startswith(WORDS) for name in lengths))
    if lengths.keys() - {ALPHABETS} != {*columns}:
        return f"its sections are {', '.join(sorted(lengths))}"
    return "" if len({lengths[name] for name in columns}) == 1 else "its sections differ in length"


class RulesAnalyst(LiveAnalyst[P, M]):
    """Answers from the table. A position that is not in it is searched within the budget."""

    def __init__(self, game: Game[P, M], columns: Columns) -> None:
        from onlymove_engines.search.position_keys import Keys  # noqa: PLC0415 - who opens a table has numpy

        super().__init__(game)
        self.columns, self.keys = columns, Keys(columns)
        self.to_text: Any = int if self.keys.are_numbers else game.notation.format_position

    def number(self, position: P) -> int | None:
        """Return the index of a position in the table, or `None` if no game leads to it."""
        symmetries = self.game.solved.symmetries
        images = list_images(position, symmetries) if symmetries else [position]
        return self.keys.find(min(map(self.to_text, images)))

    def is_reachable(self, position: P) -> bool:
        """Return whether a game can lead to this position. If games may also begin elsewhere, nothing is excluded."""
        return self.number(position) is not None or self.has_other_starts

    @cached_property
    def left_out(self) -> list[Any]:
        """The starts of the game's options that are not in the table, because they lead to too many positions."""
        return [start for start in list_starts(self.game) if self.number(start) is None]

    @cached_property
    def has_other_starts(self) -> bool:
        """Whether a game may begin at a position that is not in the table: one that was left out, typed or drawn."""
        if self.left_out or any(option.free for option in self.game.play.options):
            return True
        return any(self.number(start) is None for start in list_other_starts(self.game))

    def probe(self, position: P) -> Value | None:
        number = self.number(position)
        return super().probe(position) if number is None else self._value(position, number)

    @property
    def entries(self) -> int:
        """Return the number of positions in the table. Symmetric positions count once."""
        return len(self.keys.words[0])

    def positions_at(self, numbers: Sequence[int]) -> list[P]:
        found: list[P] = self.keys.read(numbers)
        return found if self.keys.are_numbers else list(map(self.game.notation.parse_position, map(str, found)))

    def list_numbers(self) -> Section:
        import numpy as np  # noqa: PLC0415 - a look-up of one position needs no numpy

        return np.arange(self.entries)

    def read_values(self, numbers: Section) -> ValueColumns:
        import numpy as np  # noqa: PLC0415 - as above

        from onlymove_engines.search.batch import find_codes  # noqa: PLC0415 - as above

        codes = find_codes(self.columns["codes"], numbers, -1).astype(np.int64)
        value = np.where(codes < LOST, 0, np.where(codes % 2 == 1, 1, -1))
        plies = np.where(codes < LOST, np.where(codes == 0, -1, 0), (codes - LOST) // 2)
        return ValueColumns(
            np.where(codes < 0, UNKNOWN, value).astype(np.int8),
            np.where(codes < 0, -1, plies).astype(np.int32),
            None,
        )

    def number_many(self, positions: Sequence[P]) -> Section:
        from onlymove_engines.search.batch import number_each  # noqa: PLC0415 - as above

        return number_each(self.number, positions)

    def analyse(self, position: P, budget: Budget = UNLIMITED) -> Analysis[M]:
        if self.number(position) is None:
            found = super().analyse(position, budget)
            return replace(found, note=found.note.replace(NO_TABLE, self._describe_absence(), 1))
        rules = self.game.rules
        children = {move: rules.play(position, move) for move in rules.legal_moves(position)}
        values = {m: find_move_value(self.game, position, to, self.probe(to)) for m, to in children.items()}
        return Analysis(self.probe(position), values)

    def _describe_absence(self) -> str:
        """Say that a position is not in the table, and which starts are not."""
        texts = [f"'{self.game.notation.format_position(start)}'" for start in self.left_out[:MAX_NAMED]]
        if not texts:
            return NOT_IN_TABLE
        more = " and others" if len(self.left_out) > MAX_NAMED else ""
        return f"{NOT_IN_TABLE}, which leaves out the start {' and '.join(texts)}{more}"

    def _value(self, position: P, number: int) -> Value:
        return value_of(int(self.columns["codes"][number]))


class PointsAnalyst(RulesAnalyst[P, M]):
    """Answers from the table of a game with points, where values are margins to come."""

    def read_values(self, numbers: Section) -> ValueColumns:
        """Return the values of the positions with these numbers. Every position is read, because its result depends on
        the points already made."""
        import numpy as np  # noqa: PLC0415 - as above

        inside = (numbers >= 0) & (numbers < self.entries)
        places = np.where(inside, numbers, 0).tolist()
        margin = np.asarray(self.columns["margins"])[places].astype(np.int64)
        leads = np.array([self._lead(position) for position in self.positions_at(places)], np.int64)
        value = np.where(inside, np.sign(leads + margin), UNKNOWN).astype(np.int8)
        return ValueColumns(value, None, np.where(inside, margin, 0))

    def _value(self, position: P, number: int) -> Value:
        margin = int(self.columns["margins"][number])
        final = self._lead(position) + margin
        return Margin(Outcome((final > 0) - (final < 0)), margin)

    def _lead(self, position: P) -> int:
        return self.game.lead(position, self.game.rules.to_move(position) or 0)

    def rank(self, position: P) -> int | None:
        """Return how many plies away the next points are, or 0 if neither side can force a margin. Return `None` if the
        position is not in the table."""
        number = self.number(position)
        return None if number is None else int(self.columns["ranks"][number])
