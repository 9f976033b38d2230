"""`pytest --onlymove-laws` tests every law on the games that the project's pyproject.toml names.

Each game's numbers (`facts.toml`, docs/adding-a-game.md), golden pictures and own laws are in the folder that the
option `onlymove_tests` names, by default `tests`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that turns the laws on. Other test runs are not affected."""
    parser.getgroup("onlymove").addoption(
        "--onlymove-laws", action="store_true", help="test the games of this package against onlymove's laws"
    )
    parser.addini("onlymove_tests", "the folder with facts.toml and the golden pictures of your games", default="tests")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks, and collect the laws if the option is given."""
    for mark in (
        "only_games(speaks_of): run a law only for the games for which speaks_of(game) is true",
        "slow: takes minutes",
    ):
        config.addinivalue_line("markers", mark)
    if config.getoption("--onlymove-laws"):
        from onlymove_tables.kernels import prepare  # noqa: PLC0415 - only where it is wanted

        from .law import ADDED_PACKAGES, ADDED_TESTS, find_added_faults, read_game_packages  # noqa: PLC0415

        ADDED_PACKAGES.update(read_game_packages(config.rootpath))
        ADDED_TESTS.append(config.rootpath / config.getini("onlymove_tests"))
        if faults := find_added_faults():
            raise pytest.UsageError(*faults)
        prepare()
        config.args.append(str(HERE))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests unless `-m` selects tests."""
    if config.getoption("--onlymove-laws") and not config.option.markexpr:
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
