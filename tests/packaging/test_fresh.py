"""The built packages are complete, and are installed, run and tested in new environments with the tools that people
use. This needs a package registry, and `make test-packages` runs it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).parents[2]
HERE = Path(sys.executable).parent
NIM = "examples/onlymove-nim"
ASKED = "import onlymove; game = onlymove.load('orbito'); print(game.analyse(game.start()).value)"


def run(*command: str | Path, folder: Path, typed: str = "", **environ: str) -> str:
    """Return what a command prints, with a new home folder and without access to this checkout. If the command fails,
    the test fails."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "XDG_", "VIRTUAL"))
    }
    home = {"HOME": str(folder / "home"), "NO_COLOR": "1", **environ}
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=inherited | home,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clean clone of the last commit."""
    folder = tmp_path_factory.mktemp("clone")
    run("git", "clone", "-q", ROOT, folder / "onlymove", folder=folder)
    return folder / "onlymove"


@pytest.fixture(scope="module")
def packages(clone: Path) -> Path:
    """Return the folder with wheel and sdist."""
    run(HERE / "python", "-m", "build", "-q", folder=clone)
    return clone / "dist"


@pytest.fixture(scope="module")
def wheel(packages: Path) -> Path:
    """Return the path of the wheel."""
    return next(packages.glob("*.whl"))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder for an environment, which takes about 300 MB during the test."""
    yield tmp_path
    shutil.rmtree(tmp_path)


def check_installed(command: Path, folder: Path) -> None:
    """Check that an installed onlymove has its tables, plays and reviews."""
    assert "first player wins in 16 moves" in run(command, "games", folder=folder)
    output = run(command, "play", "orbito", "--plain", "--seats", "human,human", typed="values\nquit\n", folder=folder)
    assert "Win in 16 moves" in output, output
    assert run(command, "tables", "verify", "pokemon", folder=folder)


def test_the_packages_are_complete_and_small(packages: Path) -> None:
    run(HERE / "python", "-m", "twine", "check", "--strict", *packages.iterdir(), folder=packages)
    wheel, sdist = next(packages.glob("*.whl")), next(packages.glob("*.tar.gz"))
    inside = zipfile.ZipFile(wheel).namelist()
    for part in ("onlymove/rl.py", "onlymove_laws/plugin.py", "onlymove_tables/data/orbito.tbl", "onlymove/py.typed"):
        assert part in inside, part
    assert not [name for name in inside if name.startswith("tests") or name.endswith(".nbi")]
    assert wheel.stat().st_size < 20_000_000
    with tarfile.open(sdist) as archive:
        assert not [name for name in archive.getnames() if "/.ci" in name or "/.github" in name]


def page_of(wheel: Path) -> str:
    """Return the text that an index shows as the page of a package."""
    with zipfile.ZipFile(wheel) as inside:
        (metadata,) = (name for name in inside.namelist() if name.endswith(".dist-info/METADATA"))
        return inside.read(metadata).decode()


def test_every_link_on_the_page_of_the_package_leads_somewhere(clone: Path, wheel: Path, tmp_path: Path) -> None:
    address = "https://example.org/founders/onlymove"
    build = (HERE / "python", "-m", "build", "-q", "--wheel", "--outdir", tmp_path)
    run(*build, folder=clone, ONLYMOVE_SOURCE=address)
    link = re.compile(r"\]\(([^)]+)\)")
    assert not link.findall(page_of(wheel)), "nobody has said where the source is"
    page = page_of(next(tmp_path.glob("*.whl")))
    targets = link.findall(page)
    assert len(targets) > 20
    for target in targets:
        way = re.fullmatch(re.escape(address) + r"/(?:blob|raw)/[\d.]+/([^#]+)(?:#.*)?", target)
        assert way is not None, target
        assert (clone / way[1]).exists(), target
    assert f"Project-URL: Source, {address}\n" in page


def test_pip_installs_it_and_a_game_of_another_package(clone: Path, wheel: Path, place: Path) -> None:
    run(sys.executable, "-m", "venv", "venv", folder=place)
    shutil.copytree(clone / NIM, place / "nim")
    python, command = place / "venv/bin/python", place / "venv/bin/onlymove"
    pins = ("--constraint", clone / "constraints.txt")
    run(python, "-m", "pip", "install", "-q", *pins, wheel, "pytest", "hypothesis", place / "nim", folder=place)
    check_installed(command, place)
    assert run(python, "-c", ASKED, folder=place) == "W16\n"
    assert "nim" in run(python, "-m", "onlymove", "games", folder=place)
    played = ("play", "nim", "--plain", "--seats", "human,human", "--training", "off")
    assert "First wins" in run(command, *played, typed="a3\nb4\nc5\n", folder=place)
    output = run(place / "venv/bin/pytest", "-q", "--onlymove-laws", folder=place / "nim")
    assert int(output.rpartition(" passed")[0].split()[-1]) > 30, output


NEIGHBOUR = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "neighbour"
version = "1"
dependencies = ["textual=={version}"]

[tool.hatch.build.targets.wheel]
include = ["neighbour.py"]
"""
"""Another app that is installed in the same environment and needs one version of Textual."""
SEEN = """
import asyncio
from importlib.metadata import version
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import Launch

async def show_board():
    async with OnlymoveApp(Launch(game="tobito")).run_test() as pilot:
        while not hasattr(pilot.app.screen, "board") or len(pilot.app.workers):
            await pilot.pause(0.02)
        await pilot.pause(0.2)
        drawn = pilot.app.export_screenshot()
        print(version("textual"), all(word in drawn for word in ("Tobito", "Bottom", "move")))

asyncio.run(show_board())
"""


@pytest.mark.parametrize("version", ["8.2.0", "8.2.8"])
def test_it_is_installed_beside_another_app_of_textual(version: str, clone: Path, wheel: Path, place: Path) -> None:
    run(sys.executable, "-m", "venv", "venv", folder=place)
    (place / "neighbour").mkdir()
    (place / "neighbour/neighbour.py").touch()
    (place / "neighbour/pyproject.toml").write_text(NEIGHBOUR.format(version=version))
    pins = place / "constraints.txt"
    pinned = (clone / "constraints.txt").read_text("utf-8").splitlines()
    pins.write_text("\n".join(line for line in pinned if not line.startswith("textual==")))
    python = place / "venv/bin/python"
    install = (python, "-m", "pip", "install", "-q", "--constraint", pins)
    run(*install, wheel, place / "neighbour", folder=place)
    assert run(place / "venv/bin/onlymove", "--version", folder=place).startswith("onlymove ")
    assert run(python, "-c", SEEN, folder=place) == f"{version} True\n"
    shutil.copytree(clone, place / "onlymove", ignore=shutil.ignore_patterns("dist", ".venv"))
    run(*install, "pip>=25.1", folder=place)
    # The tests compare the code with files of the repository that are not in the wheel.
    run(*install, "--editable", ".", "--group", "dev", folder=place / "onlymove")
    tests = (python, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal")
    assert " passed" in run(*tests, folder=place / "onlymove")


def test_pipx_installs_it(wheel: Path, place: Path) -> None:
    homes = {"PIPX_HOME": str(place / "pipx"), "PIPX_BIN_DIR": str(place / "bin"), "PIPX_MAN_DIR": str(place / "man")}
    run(HERE / "pipx", "install", "--python", sys.executable, wheel, folder=place, **homes)
    check_installed(place / "bin" / "onlymove", place)


def test_uv_installs_it(wheel: Path, place: Path) -> None:
    homes = {"UV_TOOL_DIR": str(place / "tools"), "UV_TOOL_BIN_DIR": str(place / "bin")}
    run(HERE / "uv", "tool", "install", "-q", "--python", sys.executable, wheel, folder=place, **homes)
    check_installed(place / "bin" / "onlymove", place)


def test_uv_runs_the_tests(clone: Path, place: Path) -> None:
    """Only some of them run, but all are collected, with the newest pytest."""
    shutil.copytree(clone, place / "onlymove", ignore=shutil.ignore_patterns("dist"))
    tests = (HERE / "uv", "run", "-q", "--python", sys.executable, "pytest", "-q")
    assert " tests collected" in run(*tests, "--collect-only", "-m", "", folder=place / "onlymove")
    output = run(*tests, "tests/library", "tests/core", folder=place / "onlymove")
    assert " passed" in output
    assert "skipped" not in output, output


def test_the_documentation_is_built_without_a_warning_and_fetches_nothing(clone: Path) -> None:
    output = run(HERE / "mkdocs", "build", folder=clone, NO_MKDOCS_2_WARNING="1")
    assert "WARNING" not in output
    pages = sorted((clone / "site").rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        loaded = re.findall(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="?(https?:[^" >]+)', page.read_text("utf-8"))
        assert not loaded, f"{page.name} loads {loaded}"
