"""The example of docs/adding-a-game.md: a game added by one folder and its tests, and nothing else, is whole.

The program is copied, the two folders are put where the page says, and the copy's own tests are run there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DRAWER, TESTS = Path(__file__).with_name("nim"), Path(__file__).with_name("nim_tests")
MOST_LINES = 200
PLAIN = ("-p", "no:cacheprovider", "--assert=plain")
"""Nothing is kept in the copy, and no assertion is rewritten: what breaks there breaks in the next run of the laws."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the engines and the tests in which the game has been added."""
    root = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "engines", root / "engines", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", root / "tests", ignore=shutil.ignore_patterns("__pycache__", "games", "terminal"))
    shutil.copy(ROOT / "pyproject.toml", root)
    shutil.copytree(DRAWER, root / "engines" / "onlymove_engines" / "games" / "nim")
    shutil.copytree(TESTS, root / "tests" / "games" / "nim")
    (root / "kernels").mkdir()
    return root


def run(checkout: Path, *arguments: str) -> str:
    """What Python prints in the copy; fails when the copy's own program does."""
    floors = (checkout / "engines", ROOT / "tables", ROOT / "tui")
    homes = {f"XDG_{kind}_HOME": str(checkout / kind.lower()) for kind in ("DATA", "CONFIG", "STATE", "CACHE")}
    environ = {
        **os.environ,
        **homes,
        "PYTHONPATH": os.pathsep.join(map(str, floors)),
        "NUMBA_CACHE_DIR": str(checkout / "kernels"),
    }
    done = subprocess.run(
        [sys.executable, *arguments], cwd=checkout, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_laws_hold_and_it_is_played_everywhere(checkout: Path) -> None:
    told = run(checkout, "-m", "pytest", "-q", *PLAIN, "-k", "nim", "tests/laws", "tests/games/nim")
    assert " passed" in told
    assert int(told.rpartition(" passed")[0].split()[-1]) > 30, told


def test_its_start_picture_is_the_golden_one(checkout: Path) -> None:
    run(checkout, "-m", "tests.laws.write_golden", "nim")
    for kept in sorted((TESTS / "golden").iterdir()):
        assert (checkout / "tests" / "games" / "nim" / "golden" / kept.name).read_text("utf-8") == kept.read_text(
            "utf-8"
        )


def test_house_style_takes_it_as_it_is(checkout: Path) -> None:
    drawer = "engines/onlymove_engines/games/nim"
    run(checkout, "-m", "ruff", "check", "--no-cache", drawer)
    run(checkout, "-m", "ruff", "format", "--check", "--no-cache", drawer)


def test_it_is_small_and_the_page_shows_it() -> None:
    files = sorted(file for file in DRAWER.iterdir() if file.is_file())
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
    assert lines <= MOST_LINES, f"{lines} lines"
    page = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    missing = [file.name for file in files if f"`{file.name}`" not in page]
    assert not missing, f"docs/adding-a-game.md does not tell of {missing}"
    assert "tests/reference/nim" in page
