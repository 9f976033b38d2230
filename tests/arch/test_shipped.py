"""The shipped data is complete: tables, their list and the facts agree, and versions are pinned without an address."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.compiled.jit import NEWEST_NUMBA
from onlymove_tables.file_format import read_manifest
from onlymove_tables.open import checked_header, package_folder
from onlymove_tui.cli import COMMANDS

from tests.packaging.lowest import list_lowest

ROOT = Path(__file__).parents[2]
TABLED = [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is not None]


def list_integers(facts: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield every integer in a tree of facts, with its name."""
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from list_integers(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            yield name, value


def facts_of(game_id: str) -> dict[str, set[int]]:
    """Return the integers in a game's facts, by name. A game package with several games has a table for each."""
    folder = games.find_facts(game_id).folder
    facts = tomllib.loads((ROOT / "tests" / "games" / folder / "facts.toml").read_text("utf-8"))
    facts.pop("laws", None)
    found: dict[str, set[int]] = {}
    for name, value in list_integers(facts.get(game_id, facts)):
        found.setdefault(name, set()).add(value)
    return found


@pytest.mark.parametrize("game_id", TABLED)
def test_the_counts_in_the_manifest_match_the_facts(game_id: str) -> None:
    counts = read_manifest(package_folder())[game_id].counts
    known = facts_of(game_id)
    assert counts, "a table is shipped with its counts"
    for name, count in counts.items():
        assert name not in known or count in known[name], f"{game_id}: {name} is {count}, the facts say {known[name]}"


@pytest.mark.parametrize("game_id", TABLED)
def test_a_shipped_table_is_the_one_on_the_list(game_id: str) -> None:
    game = games.load(game_id)
    entry = read_manifest(package_folder())[game_id]
    header, _ = checked_header(game, package_folder() / entry.file)
    assert entry.sections, "where each section lies is pinned as well"
    assert not list(entry.list_differences(header))


def test_the_manifest_lists_every_table_and_nothing_else() -> None:
    listed = read_manifest(package_folder())
    files = {file.name for file in package_folder().glob("*.tbl")}
    assert sorted(listed) == sorted(TABLED)
    assert {entry.file for entry in listed.values()} == files


def test_constraints_pin_versions_and_hold_no_address() -> None:
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        assert line.startswith("#") or re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line), line
    for name in ("constraints.txt", "pyproject.toml", "Makefile"):
        assert not re.search(r"index-url|find-links|https?://", (ROOT / name).read_text("utf-8")), name


def test_every_dependency_is_pinned_and_explained() -> None:
    output = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras, groups = output["project"]["optional-dependencies"].values(), output["dependency-groups"].values()
    wanted = chain(output["project"]["dependencies"], *extras, *groups)
    names = [re.split(r"[<>=~!]", text)[0].strip() for text in wanted]
    pinned = {line.partition("==")[0].lower() for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()}
    reasons = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    for name in names:
        assert name.lower() in pinned, name
        assert f"**{name}**" in reasons, f"docs/dependencies.md gives no reason for {name}"


def test_every_dependency_has_a_lowest_version_and_every_tool_a_pinned_one() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    output = tomllib.loads(text)
    extras = output["project"]["optional-dependencies"].values()
    wanted = chain(output["project"]["dependencies"], *extras, output["dependency-groups"]["dev"])
    lines = list(list_lowest(text, (ROOT / "constraints.txt").read_text("utf-8")))
    assert {re.split(r"[<>=~!]", each)[0] for each in wanted} == {line.partition("==")[0] for line in lines}


def test_the_newest_numba_allowed_is_the_newest_known_and_the_one_tested() -> None:
    major, minor = NEWEST_NUMBA
    assert re.search(rf'"numba>=[\d.]+,<{major}\.{minor + 1}"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert f"\nnumba=={major}.{minor}." in (ROOT / "constraints.txt").read_text("utf-8")


def test_the_pythons_that_the_package_names_are_those_that_are_tested() -> None:
    output = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(output["classifiers"]))
    workflow = ROOT / ".github" / "workflows" / "test.yml"
    if not workflow.exists():
        pytest.skip("an sdist has no workflows")
    matrix = re.search(r"python: \[(.+)\]", workflow.read_text("utf-8"))
    assert matrix is not None
    assert re.findall(r"3\.\d+", matrix[1]) == named
    first, last = (int(version.partition(".")[2]) for version in (named[0], named[-1]))
    assert output["requires-python"] == f">=3.{first},<3.{last + 1}"


def test_the_readme_names_every_command_there_is() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for name in COMMANDS:
        assert f"`onlymove {name}" in text, name
