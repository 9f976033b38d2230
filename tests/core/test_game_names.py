"""A game is found by its id or its title, however they are spelled."""

from __future__ import annotations

import sys
from pathlib import Path
from unicodedata import normalize

import pytest
from onlymove_engines import games
from onlymove_engines.core.facts import Facts
from onlymove_engines.games import UnknownGame, list_games, list_packages
from onlymove_engines.records.record import parse_records


def spellings(name: str) -> set[str]:
    forms = {normalize(form, name) for form in ("NFC", "NFD")}
    return {one for form in forms for one in (form, form.upper(), form.lower(), form.replace(" ", "-"))}


@pytest.mark.parametrize("facts", list_games(), ids=lambda facts: facts.id)
def test_every_spelling_of_a_title_or_an_id_finds_the_game(facts: Facts) -> None:
    for name in spellings(facts.id) | spellings(facts.title):
        assert games.find_facts(name) is facts
        assert games.load(name) is games.load(facts.id)
        (record,) = parse_records(f'[Game "{name}"]\n\n*\n', games.load)
        assert record.game is games.load(facts.id)


@pytest.mark.parametrize("name", ["pokemon-tic-tac-toe", "Light Riders", "Pokémon Tic-Tac-Toe", "Ayo\u0300ayo\u0300"])
def test_the_names_that_people_write_are_known(name: str) -> None:
    assert games.find_facts(name).id in ("pokemon", "lightriders", "ayoayo")


@pytest.mark.parametrize("name", ["", " ", "-", "tobit", "?"])
def test_a_name_without_a_game_is_refused(name: str) -> None:
    with pytest.raises(UnknownGame, match=f"^unknown game '{name}'; choose from tobito" if name != "?" else "unknown"):
        games.find_facts(name)


def install(folder: Path, entries: str) -> None:
    (folder / "extra-1.dist-info").mkdir()
    (folder / "extra-1.dist-info" / "entry_points.txt").write_text(f"[onlymove.games]\n{entries}")


def test_several_entries_of_one_package_are_one_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "one = extra_games\ntwo = extra_games\nthree = other_games\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert list_packages() == (["extra_games", "other_games"], [])


def test_a_game_that_cannot_be_read_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "extra = extra_chess\n")
    (tmp_path / "extra_chess").mkdir()
    (tmp_path / "extra_chess" / "game.toml").write_text("[[game]\n")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        forget()
        with pytest.raises(UnknownGame, match=r"unknown game 'chess'; choose from .*; not loaded: extra_chess: "):
            games.load("chess")
    finally:
        forget()


def forget() -> None:
    """Let the games be listed anew."""
    games.list_added_games.cache_clear()
    games.list_games.cache_clear()
