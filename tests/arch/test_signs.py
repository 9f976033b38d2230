"""One module turns values from one side's view into the other's. A side may move twice in a row, so the sign of a value
does not follow from the number of plies."""

from __future__ import annotations

import ast

from onlymove_engines.core.value import Value

from .sources import SOURCES, Source

HOME = "onlymove_engines.core.value"
TURNING = {"for_other_side", "before_move"}
"""The methods of values that only `turn_value` and `value_before` may call."""


def list_turns(source: Source) -> list[str]:
    """Return the places where a module turns or counts on a value by itself."""
    used = (node for node in ast.walk(source.tree) if isinstance(node, ast.Attribute) and node.attr in TURNING)
    return [f"{source.place}:{node.lineno} {ast.unparse(node)}" for node in used]


def test_one_module_turns_values() -> None:
    found = [place for source in SOURCES.values() if source.name != HOME for place in list_turns(source)]
    assert not found, "\n".join(found)
    assert {place.rpartition(".")[2] for place in list_turns(SOURCES[HOME])} == TURNING


def test_a_value_cannot_be_negated() -> None:
    """So `-value` anywhere else is an error of types, which mypy finds, and of the program."""
    for kind in Value.__args__:
        assert not hasattr(kind, "__neg__"), kind
