"""Turns the positions of a solved game into rows for programs that learn. It goes through the table in batches, in
order or at random, and returns planes, legal moves, values and best moves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import AnyAnalyst, Enumerating, Summary
from onlymove_engines.core.encoding import Encoding, find_encoding
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import moves_of
from onlymove_engines.core.value import Outcome, Seat, Value
from onlymove_engines.search.summaries import summarise_many

BATCH: Final = 4096
"""How many positions are looked up together."""


class NoTable(OnlymoveError, TypeError):
    pass


def make_planes(game: AnyGame, states: Sequence[AnyPosition], seat: Seat | None = None) -> Array:
    """Return the planes of positions as seen by `seat` or, without a seat, by the side to move. The array of uint8 has
    the axes position, channel, row and column. Raises NoEncoding."""
    encoding, to_move = find_encoding(game), game.rules.to_move
    seats = [(to_move(state) or 0) if seat is None else seat for state in states]
    shown = b"".join(map(encoding.planes, states, seats))
    return np.frombuffer(shown, np.uint8).reshape(len(states), *encoding.shape)


def list_legal_numbers(game: AnyGame, state: AnyPosition, seat: Seat | None = None) -> list[int]:
    """Return the numbers of the legal moves of the side to move.

    If both sides move at once, return those of `seat`, or of the first player if there is no `seat`. If it is not the
    turn of `seat`, there are none.
    """
    numbers, mover = find_encoding(game).numbers, game.rules.to_move(state)
    if mover is not None and seat not in (None, mover):
        return []
    moves = moves_of(game.rules, state, seat or 0) if mover is None else game.rules.legal_moves(state)
    of_mover = numbers[(seat or 0) if mover is None else mover]
    return [of_mover[move] for move in moves]


def make_masks(game: AnyGame, states: Sequence[AnyPosition], seat: Seat | None = None) -> Array:
    """Return a mask of the legal moves, with the axes position and move number. Raises NoEncoding."""
    return mark_numbers([list_legal_numbers(game, state, seat) for state in states], find_encoding(game).actions)


def mark_numbers(rows: Sequence[Sequence[int]], actions: int) -> Array:
    """Return a mask with a row for each list of numbers. It is True at these numbers."""
    marked = np.zeros((len(rows), actions), np.bool_)
    for row, numbers in zip(marked, rows, strict=True):
        row[numbers] = True
    return marked


def require_table(game: AnyGame, analyst: AnyAnalyst) -> Enumerating[Any]:
    """Return the analyst unchanged. Raises NoTable if it has no table."""
    if isinstance(analyst, Enumerating) and analyst.entries:
        return analyst
    raise NoTable(f"{game.facts.title} has no table")


def walk_table(
    game: AnyGame, analyst: AnyAnalyst, shuffled: bool = False, seed: int | None = None
) -> Iterator[list[AnyPosition]]:
    """Yield the positions of the table in batches, in the table's order or in random order. Raises NoTable."""
    table = require_table(game, analyst)
    order = np.arange(table.entries, dtype=np.uint32)
    if shuffled:
        order = np.random.default_rng(seed).permutation(order)
    for begin in range(0, len(order), BATCH):
        states = table.positions_at(order[begin : begin + BATCH].tolist())
        yield [state for state in states if state is not None]


WHERE: Final[dict[str, Callable[[Summary], bool]]] = {
    "win": lambda row: isinstance(row.value, Value) and row.value.outcome is Outcome.WIN,
    "draw": lambda row: isinstance(row.value, Value) and row.value.outcome is Outcome.DRAW and row.moves != "0",
    "loss": lambda row: isinstance(row.value, Value) and row.value.outcome is Outcome.LOSS,
    "only": lambda row: row.keeping == "1" != row.moves,
}
"""Filters for positions: the side to move wins, draws or loses, or only one of its moves keeps the result."""


def plies_to_end(row: Summary) -> int | None:
    """Return the plies to the end under best play, 0 for a finished game, or `None` if that is not known."""
    if row.moves == "0":
        return 0
    return row.value.remoteness if isinstance(row.value, Value) else None


@dataclass(frozen=True)
class Rows:
    """A batch of positions with their values and moves.

    `legal` and `best` hold the numbers of moves or, in a game without an `encoding`, their texts.
    """

    states: list[AnyPosition]
    seats: list[Seat]
    values: list[int]
    remoteness: list[int | None]
    scores: list[int | None]
    legal: list[list[int]] | list[list[str]]
    best: list[list[int]] | list[list[str]]

    def __len__(self) -> int:
        return len(self.states)


def list_move_texts(game: AnyGame, encoding: Encoding[Any, Any] | None) -> tuple[list[str], list[str]]:
    """For each side, list the text of every move by number. In a game with an encoding, it is the same everywhere."""
    if encoding is None:
        return [], []
    start, to_text = game.default_start(), game.notation.format_move
    first, second = ([to_text(start, move) for move in moves] for moves in encoding.moves)
    return first, second


def make_rows(
    game: AnyGame, analyst: AnyAnalyst, where: str | None = None, sample: int | None = None, seed: int | None = None
) -> Iterator[tuple[Rows, float]]:
    """Yield the rows of a table's positions, each batch with the share of the work that is done. Raises NoTable.

    Without `sample`, it yields all positions in the order of the table. With `sample`, it yields at most that many
    random positions. `where` is a key of WHERE.
    """
    table, count = require_table(game, analyst), 0
    encoding: Encoding[Any, Any] | None = None if game.solved.encoding is None else find_encoding(game)
    by_text = [{text: number for number, text in enumerate(texts)} for texts in list_move_texts(game, encoding)]

    def make_batch(states: list[AnyPosition], found: Sequence[Summary]) -> Rows:
        seats = [game.rules.to_move(state) or 0 for state in states]
        values = [row.value for row in found if isinstance(row.value, Value)]
        best = [[] if row.best == "-" else row.best.split(" ") for row in found]
        legal: Any
        if encoding is None:
            to_text, list_moves = game.notation.format_move, game.rules.legal_moves
            legal, numbered = [[to_text(state, move) for move in list_moves(state)] for state in states], best
        else:
            legal = [list_legal_numbers(game, state) for state in states]
            pairs: Any = zip(seats, best, strict=True)
            numbered = [sorted(map(by_text[seat].__getitem__, texts)) for seat, texts in pairs]
        outcomes, plies = [int(value.outcome) for value in values], list(map(plies_to_end, found))
        scores = [game.find_score(state, value) for state, value in zip(states, values, strict=True)]
        return Rows(states, seats, outcomes, plies, scores, legal, numbered)

    limit = sys.maxsize if sample is None else sample
    for turn, states in enumerate(walk_table(game, analyst, sample is not None, seed), 1):
        tried = states if where is not None else states[: limit - count]  # no more have to be valued
        valued = zip(tried, summarise_many(game, analyst, tried), strict=True)
        pairs = [(state, row) for state, row in valued if isinstance(row, Summary)]
        pairs = [(state, row) for state, row in pairs if where is None or WHERE[where](row)][: limit - count]
        count += len(pairs)
        share = max(min(1.0, turn * BATCH / table.entries), count / limit)
        yield make_batch([state for state, _ in pairs], [row for _, row in pairs]), share
        if count == limit:
            return
