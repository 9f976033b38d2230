"""Values of many positions at once, as numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove_engines.core.analysis import AnyAnalyst, Summary
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import BadNotation, OnlymoveError, Unreachable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Mixed
from onlymove_engines.search.dataset import BATCH, WHERE, plies_to_end, score_of, summarise_proven, walk_table
from onlymove_engines.search.deepening import summarise_position

from onlymove.position import Position, read_state

UNKNOWN: Final = 127
"""The value of a position that is not proven or cannot be read."""
NO_PLIES: Final = -1
NO_SCORE: Final = int(np.iinfo(np.int16).min)
Errors: TypeAlias = Literal["raise", "mark"]


@dataclass(frozen=True)
class Analyses:
    """What is known about many positions. Each field has one entry for each position, in their order. If both sides
    move at once, `moves` and `keeping` count the moves of the first player."""

    value: npt.NDArray[np.int8] | npt.NDArray[np.float64]
    """The value for the side to move: 1 for a win, 0 for a draw, -1 for a loss, 127 if not known. If both sides move at
    once, the expected value for the first player, NaN if not known."""
    exact: npt.NDArray[np.bool_]
    """Whether the value is proven."""
    remoteness: npt.NDArray[np.int16]
    """Plies to the end if both sides play well. It is -1 if not known or if the game does not end."""
    score: npt.NDArray[np.int16]
    """The points still to come, or the game's own score, as `onlymove analyse` prints it. -32768 if there is none."""
    moves: npt.NDArray[np.int16]
    """The number of legal moves."""
    keeping: npt.NDArray[np.int16]
    """The number of moves that keep the result."""
    best: list[tuple[str, ...]]
    """The best moves as text, in alphabetical order."""

    def __len__(self) -> int:
        return len(self.best)


def make_unknown(game: AnyGame, count: int) -> Analyses:
    """Return arrays that say that nothing is known about this many positions."""
    value: Any = np.full(count, np.nan) if game.facts.simultaneous else np.full(count, UNKNOWN, np.int8)
    plies, score = np.full(count, NO_PLIES, np.int16), np.full(count, NO_SCORE, np.int16)
    moves, keeping = np.zeros(count, np.int16), np.zeros(count, np.int16)
    return Analyses(value, np.zeros(count, np.bool_), plies, score, moves, keeping, [()] * count)


def fill_row(found: Analyses, game: AnyGame, at: int, position: AnyPosition, row: Summary) -> None:
    value = row.value
    first, _, _ = row.moves.partition("x")
    held, _, _ = row.keeping.partition("x")
    found.moves[at], found.keeping[at] = int(first), int(held)
    if row.best != "-":
        found.best[at] = tuple(row.best.partition("/")[0].split(" "))
    if isinstance(value, Mixed):
        found.value[at], found.exact[at] = value.expected, value.exact
        return
    found.value[at], found.exact[at] = int(value.outcome), True
    if (plies := plies_to_end(row)) is not None:
        found.remoteness[at] = plies
    if (score := score_of(game, position, value)) is not None:
        found.score[at] = score


def read_states(game: AnyGame, analyst: AnyAnalyst, positions: Sequence[Position | str], errors: Errors) -> list[Any]:
    """Return the positions in the game's own form, with `None` for each position to be marked as unknown. Raises
    BadNotation or ValueError, which name the position."""
    found: list[Any] = []
    parse = game.notation.parse_position
    for at, position in enumerate(positions):
        try:
            state = parse(position) if isinstance(position, str) else read_state(position, game)
            if not analyst.is_reachable(state):
                raise Unreachable("unreachable: no game leads here")
        except (BadNotation, ValueError) as refusal:
            if errors == "raise":
                raise type(refusal)(f"position {at}: {refusal}") from None
            found.append(None)
        else:
            found.append(state)
    return found


def summarise(
    game: AnyGame, analyst: AnyAnalyst, states: Sequence[AnyPosition], limit: Callable[[], Budget] | None
) -> Iterable[Summary | None]:
    """Yield a row for each position, or `None` if it is not proven. Without a limit, all are looked up at once."""
    if limit is None:
        yield from summarise_proven(analyst, states)
        return
    for state in states:
        try:
            yield summarise_position(game, analyst, state, limit())
        except (LookupError, OnlymoveError):
            yield None


def analyse_many(
    game: AnyGame,
    analyst: AnyAnalyst,
    positions: Iterable[Position | str],
    limit: Callable[[], Budget] | None,
    errors: Errors,
) -> Analyses:
    """Return values as `Game.analyse_many` describes."""
    if errors not in ("raise", "mark"):
        raise ValueError(f"'errors' must be 'raise' or 'mark', not {errors!r}")
    if isinstance(positions, (str, Position)):
        raise TypeError("expected several positions, such as a list, not one position")
    states = read_states(game, analyst, list(positions), errors)
    found = make_unknown(game, len(states))
    usable = ((at, state) for at, state in enumerate(states) if state is not None)
    while batch := list(islice(usable, BATCH)):
        rows = summarise(game, analyst, [state for _, state in batch], limit)
        for (at, state), row in zip(batch, rows, strict=True):
            if row is not None:
                fill_row(found, game, at, state, row)
            elif errors == "raise":
                raise LookupError(f"position {at}: its value is not proven")
    return found


def sample(
    game: AnyGame, analyst: AnyAnalyst, count: int, where: str | Callable[[Position], bool] | None, seed: int | None
) -> list[Position]:
    """Return positions as `Game.sample` describes."""
    if isinstance(where, str) and where not in WHERE:
        raise ValueError(f"'where' must be one of {', '.join(WHERE)}, not {where!r}")
    found: list[Position] = []
    for states in walk_table(game, analyst, True, seed):
        positions = [Position(game, state) for state in states]
        if isinstance(where, str):
            rows = summarise_proven(analyst, states)
            pairs = zip(positions, rows, strict=True)
            positions = [position for position, row in pairs if row is not None and WHERE[where](row)]
        elif where is not None:
            positions = [position for position in positions if where(position)]
        found += positions[: count - len(found)]
        if len(found) == count:
            return found
    raise ValueError(f"there are only {len(found):,} such positions")
