"""Every change in a table is found: on opening, by the shipped list, and without the list by solving the game again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import Section
from onlymove_tables.build import solver_of
from onlymove_tables.open import SEARCH_VARIABLE, load_first, package_folder, sections_of
from onlymove_tables.verify import find_differences, verify_table

from tests.amounts import limit_values, parametrize_sample

from .tampering import SomeSections, rewrite_table

TABLED = [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is not None]

EACH = 40
"""How many changes are made to each of the five tables."""

some_now_all_in_the_slow_suite = parametrize_sample(("game_id", "count"), [(TABLED[0], 3)], product(TABLED, [EACH]))
of_every_table = pytest.mark.parametrize("game_id", limit_values(TABLED))


@cache
def read_shipped_table(game_id: str) -> Mapping[str, Section]:
    return sections_of(*load_first(games.load(game_id)))


@cache
def derive_table(game_id: str) -> Mapping[str, Section]:
    """Return the table, solved again once for all tests."""
    return solver_of(games.load(game_id)).derive()


def change_value(sections: SomeSections, name: str, draw: Random) -> SomeSections:
    """Change the value of one entry."""
    changed = np.array(sections[name])
    entry = draw.choice([0, len(changed) - 1, *(draw.randrange(len(changed)) for _ in range(6))])
    bits = np.iinfo(changed.dtype).bits
    changed[entry] ^= changed.dtype.type(1 << draw.randrange(bits - 1))
    return {**sections, name: changed}


def trade_entries(sections: SomeSections, name: str, draw: Random) -> SomeSections:
    """Exchange two entries."""
    changed = np.array(sections[name])
    one = draw.randrange(len(changed))
    two = int(draw.choice(np.flatnonzero(changed != changed[one]).tolist()))
    changed[[one, two]] = changed[[two, one]]
    return {**sections, name: changed}


def remove_entry(sections: SomeSections, name: str, draw: Random) -> SomeSections:
    """Remove an entry."""
    return {**sections, name: np.delete(sections[name], draw.randrange(len(sections[name])))}


def widen_section(sections: SomeSections, name: str, draw: Random) -> SomeSections:
    """Store the same numbers with more bytes."""
    data = sections[name]
    return {**sections, name: data.astype(np.int64 if data.dtype != np.int64 else np.uint64)}


def rename_section(sections: SomeSections, name: str, draw: Random) -> SomeSections:
    """Rename a section."""
    return {f"{name}_": sections[name], **{other: data for other, data in sections.items() if other != name}}


KINDS: tuple[Callable[[SomeSections, str, Random], SomeSections], ...] = (
    *[change_value] * 6,
    trade_entries,
    remove_entry,
    widen_section,
    rename_section,
)


def changes(game_id: str, count: int) -> list[SomeSections]:
    """Return this many tables with one change each, in all sections in turn."""
    draw, sections = Random(count), read_shipped_table(game_id)
    names = sorted(sections)
    return [draw.choice(KINDS)(sections, names[k % len(names)], draw) for k in range(count)]


@of_every_table
def test_the_game_solved_by_other_code_gives_the_shipped_table(game_id: str) -> None:
    assert (
        list(find_differences(solver_of(games.load(game_id)), read_shipped_table(game_id), derive_table(game_id))) == []
    )


@some_now_all_in_the_slow_suite
def test_every_change_is_found_on_opening(
    game_id: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, name = games.load(game_id), f"{game_id}.tbl"
    monkeypatch.setenv(SEARCH_VARIABLE, str(tmp_path))
    for changed in changes(game_id, count):
        rewrite_table(package_folder() / name, tmp_path / name, changed)
        output: list[str] = []
        opened = sections_of(*load_first(game, output.append))
        assert [line.split(":")[1] for line in output] == [" this table does not match the rules"]
        assert opened.keys() == read_shipped_table(game_id).keys()
        findings = list(verify_table(game))
        assert findings, "not found by verifying"
        assert all("this table does not match the rules" in finding for finding in findings)


@some_now_all_in_the_slow_suite
def test_every_change_is_found_by_solving_the_game_again(game_id: str, count: int) -> None:
    solver = solver_of(games.load(game_id))
    for changed in changes(game_id, count):
        assert list(find_differences(solver, changed, derive_table(game_id)))


@some_now_all_in_the_slow_suite
def test_a_changed_entry_is_named_with_its_place_and_what_it_must_be(game_id: str, count: int) -> None:
    solver, sections = solver_of(games.load(game_id)), read_shipped_table(game_id)
    for k, name in islice(enumerate(sorted(sections) * count), count):
        changed = change_value(sections, name, Random(k))
        (entry,) = np.flatnonzero(changed[name] != sections[name]).tolist()
        spelled = solver.to_text(sections, name, entry)
        was, now = sections[name][entry], changed[name][entry]
        assert list(find_differences(solver, changed, derive_table(game_id))) == [
            f"{spelled}: {name} is stored as {now}, but it must be {was}"
        ]
