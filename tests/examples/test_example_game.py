"""The example of docs/adding-a-game.md is a complete game in another package. Python finds the package, with the files
that an installer would write beside it. tests/packaging installs it in a new environment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from onlymove_engines import games

from tests.progress_lines import drop_progress

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "onlymove-nim"
PACKAGE = EXAMPLE / "onlymove_nim"
MAX_LINES = 200
GROUP = "onlymove.games"
UNUSED = ("cacheprovider", "hypothesispytest", "asyncio", "xdist", "xdist.looponfail", "timeout")
"""Plugins of pytest that a game package does not need. Without them, pytest starts in two thirds of the time."""
LAWS = ("-m", "pytest", "-q", *(f"-pno:{name}" for name in UNUSED), "--onlymove-laws")
COMMANDS = """
import contextlib, io, json, sys
from onlymove_tui.cli import run

def outcome(arguments):
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    out.flush()
    return code, out.buffer.getvalue().decode(), err.getvalue()

print(json.dumps([outcome(arguments) for arguments in json.loads(sys.argv[1])]))
"""
"""A program that runs command lines one after the other, and prints the exit code, stdout and stderr of each."""


def write_metadata(site: Path, name: str, points: dict[str, str]) -> None:
    """Write the files that an installer writes about a package with these entry points."""
    folder = site / f"{name}-0.1.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    lines = [f"[{GROUP}]", *(f"{point} = {module}" for point, module in points.items())]
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return the folder where the example is installed."""
    points = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][GROUP]
    write_metadata(tmp_path / "site", "onlymove_nim", points)
    return tmp_path / "site"


def run_all(site: Path, *commands: Sequence[str], example: Path = EXAMPLE) -> list[tuple[int, str, str]]:
    """Run the command lines in one process. Return the exit code, stdout and stderr of each."""
    done = run(site, "-c", COMMANDS, json.dumps(commands), folder=example, example=example)
    return [(code, out, drop_progress(err)) for code, out, err in json.loads(done.stdout)]


def run(
    site: Path, *arguments: str, folder: Path = EXAMPLE, example: Path = EXAMPLE, typed: str = "", fails: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run Python there. Fail if the program fails, unless it should. Lines about progress on stderr are left out."""
    homes = {f"XDG_{kind}_HOME": str(site.parent / kind.lower()) for kind in ("DATA", "CONFIG", "STATE", "CACHE")}
    roots = [ROOT / layer for layer in ("engines", "tables", "tui", "library", "laws")]
    environ = {**os.environ, **homes, "PYTHONPATH": os.pathsep.join(map(str, (site, example, *roots)))}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env=environ, capture_output=True, text=True, check=False, input=typed,
    )  # fmt: skip
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    done.stderr = drop_progress(done.stderr)
    return done


def count_passed(output: str) -> int:
    """Return how many tests have passed."""
    return int(output.rpartition(" passed")[0].split()[-1])


def test_the_laws_and_its_own_tests_hold(site: Path) -> None:
    output = run(site, *LAWS).stdout
    assert count_passed(output) > 30, output


def test_it_is_played_everywhere(site: Path) -> None:
    output = run(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/examples/nim_everywhere.py", folder=ROOT)
    assert count_passed(output.stdout) == 6, output.stdout


def add_package(site: Path, name: str, code: str, facts: str | None) -> None:
    """Make a package beside the example."""
    (site / name).mkdir()
    (site / name / "__init__.py").write_text(code)
    if facts is not None:
        (site / name / "game.toml").write_text(facts)


ENTRIES = f"""[console_scripts]
nonsense
[{GROUP}]
# a comment
good = onlymove_good
onlymove_bad
worse =
= onlymove_worst
"""


def test_each_entry_that_is_not_understood_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_metadata(tmp_path, "good", {})
    file = tmp_path / "good-0.1.dist-info" / "entry_points.txt"
    file.write_text(ENTRIES)
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing"), str(tmp_path)])
    why = "is not like NAME = PACKAGE"
    assert games.list_packages() == (
        ["onlymove_good"],
        [
            f"{file}: line 6 {why}: onlymove_bad",
            f"{file}: line 7 {why}: worse =",
            f"{file}: line 8 {why}: = onlymove_worst",
        ],
    )


def test_each_file_of_entry_points_that_cannot_be_read_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_metadata(tmp_path, "good", {"good": "onlymove_good"})
    files = {
        name: tmp_path / f"{name}-0.1.dist-info" / "entry_points.txt" for name in ("folder", "latin", "pipe", "other")
    }
    for file in files.values():
        file.parent.mkdir()
    files["folder"].mkdir()
    files["latin"].write_bytes(f"[{GROUP}]\nbon = déjà\n".encode("latin-1"))
    os.mkfifo(files["pipe"])
    files["other"].write_bytes("[console_scripts]\nbon = déjà\n".encode("latin-1"))
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert games.list_packages() == (
        ["onlymove_good"],
        [
            f"{files['folder']}: cannot be read: Is a directory",
            f"{files['latin']}: cannot be read: it is not UTF-8 text",
            f"{files['pipe']}: cannot be read: not a regular file",
        ],
    )


def test_packages_in_an_archive_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_metadata(tmp_path / "site", "good", {"good": "onlymove_good"})
    archive = shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path / "site")
    (tmp_path / "damaged.zip").touch()
    monkeypatch.setattr(sys, "path", [archive, str(tmp_path / "damaged.zip")])
    assert games.list_packages() == (["onlymove_good"], [])


def test_a_broken_or_duplicate_package_is_reported_and_does_no_harm(site: Path) -> None:
    facts = (PACKAGE / "game.toml").read_text("utf-8")
    definitions = {"no_facts": None, "bad_facts": "[[game]]\nid = 3", "bad_order": facts.replace("100", "'x'")}
    definitions["same_id"] = facts.replace("nim", "orbito")
    for name, text in definitions.items():
        add_package(site, name, "", text)
    add_package(site, "crashes", "raise RuntimeError('boo')", facts.replace('"nim"', '"crash"'))
    names = (*definitions, "crashes", "crashes.inside", "missing")
    write_metadata(site, "faults", {name: name for name in names})
    output = run(site, "-m", "onlymove", "games")
    assert "nim" in output.stdout
    lines = output.stderr.splitlines()
    assert [line.split(": ")[1].lower() for line in lines] == sorted({*names} - {"crashes"}), lines


def test_a_game_that_cannot_be_opened_is_refused_in_one_line(site: Path) -> None:
    facts = (PACKAGE / "game.toml").read_text("utf-8")
    made = (
        "from dataclasses import replace; from onlymove_nim import GAME; "
        "GAMES = (replace(GAME, facts=replace(GAME.facts, id='{}'), {}=None),)"
    )
    codes = {
        "crashes": ("raise RuntimeError('boo')", "RuntimeError('boo')"),
        "other": ("from onlymove_nim import GAMES", "its list GAMES does not contain 'other'"),
        "piece": (made.format("piece", "painter"), "AttributeError"),
    }
    for name, (code, _) in codes.items():
        add_package(site, name, code, facts.replace('"nim"', f'"{name}"'))
    write_metadata(site, "faults", {name: name for name in codes})
    played = f"import sys; from onlymove_tui.cli import run; print([run(['play', n, '--plain']) for n in {[*codes]}])"
    done = run(site, "-c", played)
    assert done.stdout == "[2, 2, 2]\n"
    for (name, (_, fault)), output in zip(codes.items(), done.stderr.splitlines(), strict=True):
        assert output.startswith(f"onlymove: The package {name} cannot be loaded: "), output
        assert fault in output
    points = "".join(f'{name} = "{name}"\n' for name in codes)
    (site / "pyproject.toml").write_text(f'[project.entry-points."{GROUP}"]\n{points}')
    tried = "import pytest, sys; sys.exit(pytest.main(['-q', '--onlymove-laws', '--rootdir=.']) != 4)"
    output = run(site, "-c", tried, folder=site).stderr
    assert [line.split()[3] for line in output.splitlines() if line] == [*codes], output


def test_a_key_that_game_toml_does_not_have_is_refused(site: Path) -> None:
    facts = (PACKAGE / "game.toml").read_text("utf-8")
    add_package(site, "typo", "", facts.replace("max_plies", "max_ply"))
    add_package(site, "kind", "", facts.replace("max_plies = 12", "max_plies = 'many'"))
    write_metadata(site, "faults", {name: name for name in ("typo", "kind")})
    assert run(site, "-m", "onlymove", "games").stderr.splitlines() == [
        "onlymove: Kind: game.toml cannot be read: max_plies = 'many' must be of type int.",
        "onlymove: Typo: game.toml cannot be read: 'max_ply' is not a known key. Did you mean 'max_plies'?",
    ]


def test_it_is_small_and_the_page_shows_it() -> None:
    files = sorted(file for file in PACKAGE.iterdir() if file.is_file())
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
    assert lines <= MAX_LINES, f"{lines} lines"
    page = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    missing = [file.name for file in files if f"`{file.name}`" not in page]
    assert not missing, f"docs/adding-a-game.md does not tell of {missing}"
    assert "examples/onlymove-nim" in page
