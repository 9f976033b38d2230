"""The example that can go in circles: solved at its first use, and a game like any other when it cannot be."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.amounts import limit_values
from tests.examples.test_example_game import GROUP, LAWS, ROOT, count_passed, run_all, write_metadata
from tests.examples.test_example_game import run as run_in

EXAMPLE = ROOT / "examples" / "onlymove-pong-hau-ki"
UNSOLVED = """
import json, sys
from onlymove_engines import games
from onlymove_tables.digest import source_digest
from onlymove_tables.open import verdict_file
game = games.load("ponghauki")
verdict_file(game).parent.mkdir(parents=True)
verdict_file(game).write_text(source_digest(game) + "\\nponghauki has more than 7 positions\\n")
"""
RUN = "from onlymove_tui.cli import run; sys.exit(run(sys.argv[1:]))"
TEST = "import pytest; sys.exit(pytest.main(sys.argv[1:]))"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Where the example is installed."""
    points = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][GROUP]
    write_metadata(tmp_path / "site", "onlymove_pong_hau_ki", points)
    return tmp_path / "site"


def run(site: Path, *arguments: str, typed: str = "", fails: bool = False) -> tuple[str, str]:
    """What Python says there on stdout and on stderr."""
    done = run_in(site, *arguments, folder=EXAMPLE, example=EXAMPLE, typed=typed, fails=fails)
    return done.stdout, done.stderr


def test_the_laws_and_its_own_tests_hold(site: Path) -> None:
    output, _ = run(site, *LAWS)
    assert count_passed(output) > 55, output


def test_tables_that_players_have_built_stay_valid(site: Path) -> None:
    """The digest covers the example's rules and the module that defines `THREEFOLD`. If this fails although neither the
    example's rules nor the rule for repeated positions has changed, players would have to build their tables again."""
    line = "print(source_digest(games.load('ponghauki')))"
    output, _ = run(site, "-c", UNSOLVED.split("game =", maxsplit=1)[0] + line)
    assert output.strip() == "0d9a8709b93343b398304106e2d2e75d14ec5d06ca04957948ed56b2aa19b897"


def test_it_is_solved_at_its_first_use_and_not_again(site: Path) -> None:
    table = site.parent / "data" / "onlymove" / "tables" / "ponghauki.tbl"
    output, errors = run(site, "-m", "onlymove", "analyse", "ponghauki")
    assert "First to move: Draw\n  Draw  a1 c1\n" in output
    assert errors == ""
    built = table.stat().st_mtime_ns
    options = ("play", "ponghauki", "--plain", "--seats", "human,human", "--training", "flag")
    output, errors = run(site, "-m", "onlymove", *options, "--from", "x.oox x", typed="a1\nquit\n")
    assert "a1 ??" in output, "what is solved is judged"
    assert errors == ""
    assert table.stat().st_mtime_ns == built


OUTDATE = """
import dataclasses, sys
from pathlib import Path
from onlymove_tables.file_format import read_header
path = Path(sys.argv[1])
header, offset = read_header(path)
path.write_bytes(dataclasses.replace(header, digest="0" * 64).to_bytes() + path.read_bytes()[offset:])
"""


def test_an_outdated_table_is_reported_once_and_built_again(site: Path) -> None:
    table = site.parent / "data" / "onlymove" / "tables" / "ponghauki.tbl"
    expected, _ = run(site, "-m", "onlymove", "analyse", "ponghauki")
    run(site, "-c", OUTDATE, str(table))
    line = f"onlymove: {table}: it was built for other rules, and has been built again.\n"
    assert run(site, "-m", "onlymove", "analyse", "ponghauki") == (expected, line)
    assert run(site, "-m", "onlymove", "analyse", "ponghauki") == (expected, "")


WALK = """
import onlymove
game = onlymove.load("ponghauki")
positions = list(game.positions())
known = game.analyse_many(positions)
print(len(positions), len({str(one) for one in positions}), game.start() in set(game.positions(symmetries=True)))
print(sorted(set(known.value.tolist())), len(set(game.sample(2, "loss", seed=1))))
"""


def test_its_positions_can_be_walked_through_and_written(site: Path) -> None:
    """A table that was made from the rules alone holds no numbering but the keys of its positions."""
    output, _ = run(site, "-c", WALK)
    commands = (
        ["tables", "build", "ponghauki", "--json"],
        ["dataset", "ponghauki"],
        ["dataset", "ponghauki", "--format", "npz", "--out", "all.npz"],
    )
    (_, built, _), (_, written, _), (code, _, errors) = run_all(site, *commands, example=EXAMPLE)
    entries = json.loads(built)["counts"]["classes"]
    assert output == f"{entries} {entries} True\n[-1, 0, 1] 2\n"
    header, *rows = written.splitlines()
    assert header == "position,seat,value,remoteness,score,legal,best"
    assert len(rows) == entries
    assert code != 0
    assert "has no encoding" in errors


def test_it_is_verified_proved_and_explored(site: Path) -> None:
    commands = (
        ["tables", "verify", "ponghauki"],
        ["prove", "ponghauki"],
        ["tables", "verify", "ponghauki", "--full"],
        ["explore", "ponghauki", "x.oox x", "--json"],
    )
    unbuilt, proven, verified, explored = run_all(site, *commands, example=EXAMPLE)
    assert unbuilt[0] != 0
    assert "ok (every entry" not in unbuilt[1]
    assert "This proves the value of the start: a draw." in proven[1]
    assert "ok (every entry" in verified[1]
    found = {row["move"]: group["value"] for group in json.loads(explored[1])["groups"] for row in group["moves"]}
    assert found == {"a1": "loss", "c3": "draw"}


def test_its_certificate_is_checked_by_rules_of_its_own(site: Path, tmp_path: Path) -> None:
    checker, rules = ROOT / "tests" / "reference" / "check_certificate.py", EXAMPLE / "tests" / "plain_rules.py"
    path = tmp_path / "proof"
    run(site, "-m", "onlymove", "prove", "ponghauki", "--certificate", str(path))
    output, _ = run(site, str(checker), str(path), str(rules))
    assert "ponghauki: the start is worth +0 to the first side" in output
    path.write_text(path.read_text("utf-8").replace("\t-\n", "\t2\n", 1), "utf-8")
    assert "the plies must be -" in run(site, str(checker), str(path), str(rules), fails=True)[0]


def test_an_unsolved_game_is_reported_once_and_engines_draw_by_repetition(site: Path) -> None:
    options = ("play", "ponghauki", "--plain", "--seats", "human,human", "--training", "flag")
    output, errors = run(site, "-c", UNSOLVED + RUN, *options, typed="a1\nquit\n")
    assert errors == "onlymove: Ponghauki has more than 7 positions. Searching instead.\n"
    assert "a1 (not judged, because no exact value is known here)" in output
    output, _ = run(site, "-m", "onlymove", "play", "ponghauki", "--plain", "--seats", "engine,engine")
    assert "the same position came up three times" in output


@pytest.mark.parametrize("laws", limit_values(["rules_laws or value_laws", "law or test_the"]))
def test_the_laws_hold_for_a_game_without_proven_values(site: Path, laws: str) -> None:
    output, _ = run(site, "-c", UNSOLVED + TEST, *LAWS[2:], "-k", laws)
    assert count_passed(output) > 20, output


def test_golden_pictures_are_written_from_outside(site: Path, tmp_path: Path) -> None:
    done = run_in(site, "-m", "onlymove_laws.write_golden", "ponghauki", folder=tmp_path, example=EXAMPLE)
    assert done.stderr == ""
    name = "ponghauki.start.unicode.txt"
    written = (tmp_path / "tests" / "golden" / name).read_text("utf-8")
    assert written == (EXAMPLE / "tests" / "golden" / name).read_text("utf-8")
