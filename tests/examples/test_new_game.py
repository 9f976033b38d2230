"""`onlymove new` writes a complete package. It is installed, played and tested with the laws without changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from onlymove import authoring
from onlymove_laws import law
from onlymove_tui.cli import run

from tests.amounts import limit_values
from tests.examples.test_example_game import GROUP, LAWS, ROOT, count_passed, write_metadata

NAME = "kings-corner"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is written."""
    folder = tmp_path_factory.mktemp("new")
    assert run(["new", NAME, "--in", str(folder)]) == 0
    written = folder / f"onlymove-{NAME}"
    points = tomllib.loads((written / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][GROUP]
    write_metadata(written, "kings", points)
    return written


def call(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of the package."""
    homes = {f"XDG_{kind}_HOME": str(project.parent / kind.lower()) for kind in ("DATA", "CONFIG", "STATE", "CACHE")}
    layers = [ROOT / layer for layer in ("engines", "tables", "tui", "library", "laws")]
    path = os.pathsep.join(map(str, (project, *layers)))
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env={**os.environ, **homes, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_passes_its_own_tests_and_every_law_and_no_other_game_is_tested(project: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "onlymove-nim" / "onlymove_nim", tmp_path / "onlymove_nim")
    write_metadata(tmp_path, "nim", {"nim": "onlymove_nim"})
    code = (
        f"import sys, pytest; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from onlymove_engines import games; assert 'nim' in [game.id for game in games.list_games()]\n"
        "sys.exit(pytest.main(sys.argv[1:]))"
    )
    done = call(project, "-c", code, "-v", *LAWS[3:])
    assert done.returncode == 0, done.stdout + done.stderr
    assert count_passed(done.stdout) > 30
    assert "[kings-corner]" in done.stdout
    assert "[nim]" not in done.stdout


MISTAKES = {
    "solved": (
        "onlymove_kings_corner/game.toml",
        'solved = "draw"',
        'solved = "first player wins in 9 moves"',
        "game.toml, solved of kings-corner: it says 'first player wins in 9 moves', but the start is a draw",
    ),
    "start_value": (
        "tests/facts.toml",
        'start_value = "D"',
        'start_value = "W5"',
        "facts.toml, start_value of kings-corner: the start is D by the rules",
    ),
    "swaps_seats": (
        "onlymove_kings_corner/rules.py",
        "        cells.index,\n",
        "        cells.index,\n        swaps_seats=True,\n",
        "is swaps_seats=True right?",
    ),
    "max_moves": (
        "tests/facts.toml",
        "max_moves = 9",
        "max_moves = 8",
        "9 legal moves, but max_moves in facts.toml is 8",
    ),
    "max_moves is too large": (
        "tests/facts.toml",
        "max_moves = 9",
        "max_moves = 10",
        "max_moves of kings-corner: it is 10, but the most that any position has is 9.",
    ),
    "a text without the middle": (
        "onlymove_kings_corner/notation.py",
        "def parse_position(",
        "def parse_position(text: str) -> Position:\n    found = parse_all(text)\n"
        "    return Position((*found.owners[:4], None, *found.owners[5:]))\n\n\ndef parse_all(",
        "parse(format(position)) is another position: is something missing in the text?",
    ),
    "max_plies": (
        "onlymove_kings_corner/game.toml",
        "max_plies = 9",
        "max_plies = 4",
        "moves, but max_plies in game.toml is 4.",
    ),
    "perft": (
        "tests/facts.toml",
        "perft = [9, 72",
        "perft = [9, 73",
        "the rules give 72 move sequences of length 2, but perft in facts.toml says 73.",
    ),
    "a long sentence": (
        "onlymove_kings_corner/lessons.toml",
        "Nobody can force a win from here.",
        "Nobody can force a win from here" + ", whatever is played" * 3 + ".",
        "characters, at most 79 fit",
    ),
    "the last step": (
        "onlymove_kings_corner/lessons.toml",
        'against = "random"',
        "",
        "'A whole game': the last step has no task with against, a whole game",
    ),
    "picture_rows": (
        "tests/facts.toml",
        "picture_rows = [14, 14]",
        "",
        "write picture_rows, its rows at scales 2 and 3, into facts.toml.",
    ),
}


HIDDEN_BY_OTHERS = {"max_moves is too large", "the last step", "solved", "start_value"}
"""Mistakes that are found only in a package without some of the others."""


@pytest.mark.parametrize("mistakes", [MISTAKES.keys() - HIDDEN_BY_OTHERS, HIDDEN_BY_OTHERS], ids=len)
def test_each_mistake_fails_a_law_that_names_what_to_change(project: Path, tmp_path: Path, mistakes: set[str]) -> None:
    copy = Path(shutil.copytree(project, tmp_path / project.name))
    for name, right, wrong, _ in map(MISTAKES.__getitem__, sorted(mistakes)):
        text = (copy / name).read_text("utf-8")
        assert right in text
        (copy / name).write_text(text.replace(right, wrong), "utf-8")
    done = call(copy, *LAWS, "-k", "law or lessons")
    assert done.returncode == 1, done.stdout + done.stderr
    found = " ".join(done.stdout.split())
    assert {mistake for mistake in mistakes if MISTAKES[mistake][3] not in found} == set(), done.stdout


def test_a_number_that_the_laws_need_and_do_not_find_is_named(tmp_path: Path) -> None:
    (tmp_path / "facts.toml").write_text("[laws.tobito]\nsource = 'the box'\nperft = [12]\n")
    with pytest.raises(AssertionError, match=r"lacks max_moves, the largest number of legal moves in a position\."):
        law.read_facts_of("tobito", tmp_path / "facts.toml")


@pytest.mark.parametrize("laws", limit_values(["rules_laws or lesson", "law or test_the"]))
def test_encoding_and_lessons_can_be_left_out(project: Path, tmp_path: Path, laws: str) -> None:
    copy = Path(shutil.copytree(project, tmp_path / project.name))
    package = copy / "onlymove_kings_corner"
    (package / "encoding.py").unlink()
    (package / "lessons.toml").unlink()
    code = (package / "__init__.py").read_text("utf-8")
    code = code.replace("from .encoding import make_encoding\n", "").replace(", encoding=make_encoding", "")
    (package / "__init__.py").write_text(code)
    done = call(copy, *LAWS, "-k", laws)
    assert done.returncode == 0, done.stdout + done.stderr


LEARN = """
import warnings; warnings.simplefilter("ignore")
from onlymove.rl import aec_env, level_env
from pettingzoo.test import api_test
api_test(aec_env("kings-corner"), num_cycles=60)
print(level_env("kings-corner", "random").reset(seed=1)[0]["observation"].shape)
from onlymove_tui.cli import run
run(["dataset", "kings-corner", "--sample", "3", "--seed", "1"])
"""


def test_programs_can_learn_it(project: Path) -> None:
    pytest.importorskip("pettingzoo")
    done = call(project, "-c", LEARN)
    assert done.returncode == 0, done.stdout + done.stderr
    *_, shape, header, _, _, _ = done.stdout.splitlines()
    assert shape == "(2, 3, 3)"
    assert header.startswith("position,seat,value,remoteness,score,legal,best,own_0_0,own_0_1")


def test_it_is_in_the_list_and_can_be_played(project: Path) -> None:
    code = (
        "import io, sys; from onlymove_tui.cli import run; sys.stdin = io.StringIO('b2\\nquit\\n');"
        f" sys.exit(run(['games']) or run(['play', '{NAME}', '--plain', '--seats', 'human,human']))"
    )
    done = call(project, "-c", code)
    assert done.returncode == 0, done.stderr
    assert "Kings corner" in done.stdout


def test_its_pictures_are_redrawn(project: Path) -> None:
    golden = project / "tests" / "golden" / f"{NAME}.start.unicode.txt"
    shipped = golden.read_text("utf-8")
    golden.write_text("changed")
    done = call(project, "-m", "onlymove_laws.write_golden", NAME)
    assert done.returncode == 0, done.stderr
    assert golden.read_text("utf-8") == shipped


def test_nothing_of_the_template_is_left(project: Path) -> None:
    for path in project.rglob("*"):
        assert "tictactoe" not in path.name
        if path.suffix in (".py", ".toml", ".md"):
            assert "tictactoe" not in path.read_text("utf-8").replace("-", "").lower(), path


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Kings", "'Kings' cannot be the name of a game"),
        ("../out", "'../out' cannot be the name of a game"),
        ("class", "'class' cannot be the name of a game"),
        ("orbito", "There is already a game 'orbito'."),
        (NAME, "already exists"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_in_one_line(
    project: Path, name: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(project.parent.rglob("*"))
    assert run(["new", name, "--in", str(project.parent)]) == 2
    output = capsys.readouterr().err
    assert why in output
    assert output.count("\n") == 1
    assert sorted(project.parent.rglob("*")) == before


def test_the_names_for_authors_load_nothing_heavy() -> None:
    code = "import sys, onlymove.authoring; sys.exit(', '.join({'numpy', 'onlymove.game'} & {*sys.modules}) or 0)"
    layers = os.pathsep.join(str(ROOT / layer) for layer in ("engines", "library"))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": layers},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_name_for_authors_is_on_their_page() -> None:
    page = (ROOT / "docs" / "authoring.md").read_text("utf-8")
    assert {name for name in authoring.__all__ if f"`{name}`" not in page} == set()
