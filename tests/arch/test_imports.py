"""What each module and command may load, measured in new processes. The linter checks further contracts in the
source."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module

import pytest
from onlymove_engines import games
from onlymove_tui.app.app import ROUTES

from .sources import IMPORT_ROOTS, ROOT


def modules(package: str) -> list[str]:
    """Return every importable module of a package, except kernels and the files that `onlymove new` copies."""
    root = IMPORT_ROOTS[package.partition(".")[0]]
    folder = root.joinpath(*package.split("."))
    found = []
    for file in sorted(folder.rglob("*.py")):
        parts = file.relative_to(root).with_suffix("").parts
        if not any(part.startswith("_kernel") or part in ("__main__", "template") for part in parts):
            found.append(".".join(parts).removesuffix(".__init__"))
    return found


def find_loaded(code: str, *suspects: str) -> list[str]:
    """Return which of the packages `suspects` a new process has loaded after running `code`."""
    ask = f"{code}\nimport sys; print(*(sorted({set(suspects)!r} & sys.modules.keys())))"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def format_imports(names: list[str]) -> str:
    """Return a program that imports `names`."""
    return "\n".join(f"import {name}" for name in names)


def find_culprits(names: list[str], *suspects: str) -> str:
    """Say which of `names` load one of `suspects` when imported alone, for the message of a failed test."""
    found = {name: find_loaded(format_imports([name]), *suspects) for name in names}
    return "; ".join(f"{name} loads {', '.join(what)}" for name, what in found.items() if what)


RULE_LAYERS = tuple(f"onlymove_engines.{layer}" for layer in ("core", "play", "coach", "records", "live", "protocols"))


@pytest.mark.parametrize(
    ("packages", "suspects"),
    [
        (("onlymove_engines", "onlymove_tables", "onlymove_tui.store", "onlymove_tui.play", "onlymove_tui.lobby",
          "onlymove"), ("textual", "rich")),
        ((*RULE_LAYERS, "onlymove_tables", "onlymove_tui.store"), ("numba",)),
        (("onlymove_tui.cli", "onlymove_tui.play"), ("textual", "numba")),
    ],
    ids=["no terminal below the app", "no numba without kernels", "neither in the command line"],
)  # fmt: skip
def test_packages_do_not_load(packages: tuple[str, ...], suspects: tuple[str, ...]) -> None:
    names = [name for package in packages for name in modules(package)]
    assert find_loaded(format_imports(names), *suspects) == [], find_culprits(names, *suspects)


MENU = """
import asyncio
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.screens.menu import MenuScreen

async def shown():
    async with OnlymoveApp(Launch()).run_test() as pilot:
        while not isinstance(pilot.app.screen, MenuScreen) or len(pilot.app.workers):
            await pilot.pause(0.02)

asyncio.run(shown())
"""


BOARD = """
import asyncio
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import Launch

async def shown():
    async with OnlymoveApp(Launch(game="tobito")).run_test() as pilot:
        while not hasattr(pilot.app.screen, "board") or len(pilot.app.workers):
            await pilot.pause(0.02)

asyncio.run(shown())
"""


DELAY = """
from onlymove_engines.core.lazy_imports import import_lazily
from onlymove_tui.cli import SELDOM_USED
for name in SELDOM_USED:
    import_lazily(name)
"""
"""What the command does before it opens the app."""
SUSPECTS = ("numpy.linalg", "numba", "_ssl", "_ctypes", "email.message", "importlib.metadata")
"""Modules that sessions seldom use. Arrays take a tenth of a second and 25 MB, the others 2 MB in each session."""
SCREENS = "onlymove_tui.app.screens."


@pytest.mark.parametrize(("screen", "opened"), [(MENU, []), (BOARD, ["drills", "play"])], ids=["menu", "board"])
def test_the_app_loads_only_the_modules_of_open_screens(screen: str, opened: list[str]) -> None:
    names = {SCREENS + module for module, _, _ in ROUTES.values()}
    assert find_loaded(DELAY + screen, *SUSPECTS, *names) == [SCREENS + name for name in opened]


def test_every_route_leads_to_a_screen() -> None:
    assert not [
        name
        for name, (module, maker, _) in ROUTES.items()
        if not callable(getattr(import_module(f"onlymove_tui.app.screens.{module}"), maker))
    ]


def test_loading_a_game_package_loads_no_numba() -> None:
    suspects = ("numba", "textual", "rich")
    opening = {facts.id: f"games.load({facts.id!r})" for facts in games.list_games()}
    first = "from onlymove_engines import games"
    if find_loaded("\n".join([first, *opening.values()]), *suspects):
        guilty = [game_id for game_id, code in opening.items() if find_loaded(f"{first}; {code}", *suspects)]
        pytest.fail(f"loading the packages of {guilty} loads one of {suspects}")


USED = """
import onlymove
game = onlymove.load("tobito")
start = game.start()
game.analyse(start)
game.analyse_many([start, *game.sample(3, seed=1)])
start.picture()
start._repr_svg_()
onlymove.match("tobito", "random", "random", games=2, max_plies=4)
"""


def test_the_library_in_use_loads_no_terminal() -> None:
    assert find_loaded(USED, "textual", "rich", "onlymove_tui") == []


def test_listing_the_games_imports_no_game_package() -> None:
    packages = {f"onlymove_engines.games.{facts.folder}" for facts in games.list_games()}
    assert find_loaded("from onlymove_engines import games; games.list_games()", *packages) == []


def test_the_engines_read_no_clock() -> None:
    """Callers pass the time in."""
    clocks = re.compile(r"^\s*(?:import|from) (?:time|datetime)\b", re.MULTILINE)
    sources = sorted((IMPORT_ROOTS["onlymove_engines"] / "onlymove_engines").rglob("*.py"))
    found = [str(file.relative_to(ROOT)) for file in sources if clocks.search(file.read_text("utf-8"))]
    assert not found, found


def test_the_import_contracts_are_in_place() -> None:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    kinds = [contract["type"] for contract in linter["contracts"]]
    assert linter["root_packages"] == [*IMPORT_ROOTS, "onlymove_laws"]
    assert (kinds.count("layers"), kinds.count("independence"), kinds.count("forbidden")) >= (2, 1, 2)
