"""The example with points in which a player may move several times in a row: solved, proved, a game like any other."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.examples.test_example_game import GROUP, LAWS, ROOT, count_passed, run_all, write_metadata
from tests.examples.test_example_game import run as run_in

EXAMPLE = ROOT / "examples" / "onlymove-dots-and-boxes"
MAX_LINES = 260


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Where the example is installed."""
    points = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][GROUP]
    write_metadata(tmp_path / "site", "onlymove_dots_and_boxes", points)
    return tmp_path / "site"


def run(site: Path, *arguments: str, typed: str = "") -> str:
    """What Python says there."""
    return run_in(site, *arguments, folder=EXAMPLE, example=EXAMPLE, typed=typed).stdout


def test_the_laws_and_its_own_tests_hold(site: Path) -> None:
    assert count_passed(run(site, *LAWS)) > 50


def test_it_is_short() -> None:
    files = (EXAMPLE / "onlymove_dots_and_boxes").glob("*.py")
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < MAX_LINES


def test_a_position_has_the_margin_that_all_boxes_give(site: Path) -> None:
    middle, late = "011001/000111 1 0-0", "111111/111101 2 1-1"
    (_, output, errors), (_, start, _), (_, after, _), (_, rows, _), (_, known, _) = run_all(
        site,
        ["analyse", "dotsandboxes", middle],
        ["analyse", "dotsandboxes"],
        ["analyse", "dotsandboxes", late],
        ["analyse", "dotsandboxes", "--format", "tsv", middle, late],
        ["analyse", "dotsandboxes", "--json", late],
        example=EXAMPLE,
    )
    assert errors == ""
    assert "First to move: Win, +4 points to come (4 points ahead in all)\n  Win, +4 points to come   d3 b5\n" in output
    assert "First to move: Win, +2 points to come (2 points ahead in all)\n" in start
    assert "Second to move: Win, +2 points to come (2 points ahead in all)\n" in after
    assert [row.split("\t")[3] for row in rows.splitlines()] == ["score", "4", "2"]
    found = json.loads(known)
    assert (found["score"], [move["score"] for move in found["moves"]]) == (2, [2])


MANY = """
import onlymove
known = onlymove.load("dotsandboxes").analyse_many(["011001/000111 1 0-0", "nonsense"], errors="mark")
print(known.score.dtype, known.score[0], known.has_score.tolist(), known.remoteness.dtype)
"""


def test_many_positions_have_their_margins(site: Path) -> None:
    assert run(site, "-c", MANY) == "int64 4 [True, False] int64\n"


def test_its_certificate_is_checked_by_rules_of_its_own(site: Path, tmp_path: Path) -> None:
    checker, rules = ROOT / "tests" / "reference" / "check_certificate.py", EXAMPLE / "tests" / "plain_rules.py"
    path = tmp_path / "proof"
    proven = run(site, "-m", "onlymove", "prove", "dotsandboxes", "--certificate", str(path))
    assert "This proves the value of the start: First wins, 2 points ahead." in proven
    assert "No line is longer" not in " ".join(proven.split()), "a line goes on after the side has its points"
    assert "dotsandboxes: the start is worth +2 to the first side" in run(site, str(checker), str(path), str(rules))


def test_a_player_moves_again_in_lines_and_takes_back_one_move(site: Path) -> None:
    options = ("play", "dotsandboxes", "--plain", "--seats", "human,human", "--training", "off")
    typed = "b1\na2\nc2\nb3\nd1\nundo\nquit\n"
    output = run(site, "-m", "onlymove", *options, typed=typed)
    assert "b3\n101000/110000 2 0-1\nSecond to move.\n" in output
    assert output.count("101000/110000 2 0-1\nSecond to move.\n") == 2, "after b3, and after d1 was taken back"
    exported = run(site, "-m", "onlymove", "export")
    assert "2... b3" in exported


def test_engines_play_it_to_the_end(site: Path) -> None:
    output = run(site, "-m", "onlymove", "play", "dotsandboxes", "--plain", "--seats", "engine,engine")
    assert "First wins 3-1: all lines are drawn." in output
    record = run(site, "-m", "onlymove", "export")
    assert '[Score "3-1"]' in record
