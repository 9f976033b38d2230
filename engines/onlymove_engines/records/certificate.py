"""Writes certificates: the value of a start position as text, with everything needed to check it by the rules
(docs/formats.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onlymove_engines.core.facts import GameId
from onlymove_engines.search.strategy import Strategy

VERSION = 1
SIDES = ("first", "second")


def format_certificate(game: GameId, value: int, strategies: Sequence[Strategy]) -> Iterator[str]:
    """Yield the lines of a certificate which says that the start position is worth `value` to the first player."""
    yield f"onlymove-certificate {VERSION}"
    yield f"game {game}"
    yield f"value {value}"
    for strategy in strategies:
        yield f"strategy {SIDES[strategy.seat]} {strategy.least}"
        for position, entry in strategy.entries.items():
            yield f"{position}\t{entry.move}\t{'-' if entry.plies is None else entry.plies}"
    yield "end"
