"""How easily the other side goes wrong: the replies that lose, counted where all of them are known."""

from __future__ import annotations

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.rules import M, P, Rules
from onlymove_engines.search.chances import tallies


def losing_replies(rules: Rules[P, M], position: P, analyst: AnyAnalyst) -> tuple[int, int] | None:
    """How many of how many replies at `position` lose for the side that plays them; `None` where one of them is not
    known without search, or there is none."""
    (found,) = tallies(rules, [position], analyst)
    return (found.losses, found.moves) if found is not None and found.moves else None


def replies_said(losing: int, count: int) -> tuple[str, ...]:
    """`16 of 26 replies lose`, and the same in fewer words; nothing where none does."""
    if not losing:
        return ()
    verb = "loses" if losing == 1 else "lose"
    return f"{losing} of {count} replies {verb}", f"{losing} of {count} {verb}"
