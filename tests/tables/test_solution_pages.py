"""The pages in the docs are those that the program writes."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.coach.solution_page import CLEARLY, NUMBERS, WIDTH, describe_trial, read_frame, write_page
from onlymove_engines.core.game import find_solution
from onlymove_tables.solution import DOCS, PAGES, format_page, main

IDS = [facts.id for facts in games.list_games()]


@pytest.mark.parametrize("game_id", IDS)
def test_the_page_in_the_docs_is_the_one_that_would_be_written(game_id: str) -> None:
    page = DOCS / f"{game_id}.md"
    assert page.read_text("utf-8") == format_page(games.load(game_id)), "run python -m onlymove_tables.solution --pages"


def test_there_is_no_page_without_a_game() -> None:
    assert sorted(path.stem for path in DOCS.iterdir()) == sorted(IDS)


@pytest.mark.parametrize("game_id", IDS)
def test_a_page_shows_numbers_where_a_table_was_counted(game_id: str) -> None:
    game = games.load(game_id)
    assert (NUMBERS in read_frame(game)) == (find_solution(game) is not None)
    assert "Thanks to" in write_page(game), "the authors are named and thanked"


SAID = re.compile(r"\d[\d.]* % of the time, compared with \d[\d.]* % for a random move \([\d,]+ positions\)")


@pytest.mark.parametrize("folder", sorted({games.find_facts(game_id).folder for game_id in IDS}))
def test_the_help_gives_the_numbers_of_its_advice_as_they_were_counted(folder: str) -> None:
    loaded = [games.load(game_id) for game_id in IDS if games.find_facts(game_id).folder == folder]
    tested = [each for game in loaded if (found := find_solution(game)) for each in found.advice]
    text = (resources.files(loaded[0].facts.package) / "help.md").read_text("utf-8")
    given = set(SAID.findall(re.sub(r"\s+", " ", text)))
    assert given <= {describe_trial(each) for each in tested}, "a number that was not counted"
    missing = {describe_trial(each) for each in tested if each.gain >= CLEARLY} - given
    assert not missing, f"better than chance, and not in {folder}/help.md: {missing}"


@pytest.mark.parametrize("game_id", IDS)
def test_what_keeps_its_lines_fits_a_page_of_the_app(game_id: str) -> None:
    fenced = write_page(games.load(game_id)).split("```")[1::2]
    assert all(len(line) <= WIDTH + 4 for block in fenced for line in block.splitlines())


def test_pages_are_written_without_counting_again(tmp_path: Path) -> None:
    assert main([PAGES], tmp_path / "solutions") == 0
    assert {path.name for path in (tmp_path / "solutions").iterdir()} == {f"{game_id}.md" for game_id in IDS}


def test_a_game_without_a_table_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    searched = next(game_id for game_id in IDS if games.load(game_id).solved.statistics is None)
    assert main([searched]) == 2
    assert "has no table" in capsys.readouterr().err
