"""Rows of a table for programs: `analyse --format tsv`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from onlymove_engines.core.analysis import Summary
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Mixed, Value

from .reading import Placed, Reader
from .worth import AnyValue, remoteness_of, score_of

DECIMALS = 9
HEADER = "#position\tvalue\tremoteness\tscore\tmoves\tkeeping\tbest\n"


def spell_value(value: AnyValue) -> str:
    """The column `value`."""
    if isinstance(value, Mixed):
        return f"{round(value.expected, DECIMALS) + 0.0:.{DECIMALS}f} {'exact' if value.exact else 'estimate'}"
    return value.outcome.word if isinstance(value, Value) else "-"


def or_dash(number: int | None) -> str:
    """A number, or `-` for none."""
    return "-" if number is None else str(number)


def tsv_row(game: AnyGame, position: AnyPosition, row: Summary) -> str:
    """One line of the table."""
    value = row.value
    columns = (
        game.notation.format_position(position),
        spell_value(value),
        or_dash(remoteness_of(game, value, 0 if row.moves == "0" else None)),
        or_dash(score_of(game, position, value)),
        row.moves,
        row.keeping,
        row.best,
    )
    return "\t".join(columns)


def write_tsv(reader: Reader, placed: Sequence[Placed]) -> None:
    """A row for each position."""
    rows = (tsv_row(reader.game, position, row) for position, row in reader.rows(placed))
    sys.stdout.write("".join(f"{row}\n" for row in rows))
    sys.stdout.flush()
