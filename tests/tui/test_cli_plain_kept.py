"""A game in line mode is saved like any other: after every move, in the player's history, with its mistakes as
drills."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from onlymove_engines.coach.judge import OnBad
from onlymove_engines.core.facts import Level
from onlymove_engines.play.players import style_ids
from onlymove_tui.cli import run
from onlymove_tui.play.situations import HELP_LATER, PLAYERS_STAY
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import find_places

from tests.commands import give_input, install_games
from tests.heap_game import heap_game, settle

Type = Callable[..., str]


@pytest.fixture
def plainly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Return a function that plays the heap game from seven in line mode. It returns what is printed."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    install_games(monkeypatch, game)

    def call(lines: str, *arguments: str) -> str:
        give_input(monkeypatch, lines)
        assert run(["play", "heap", "--plain", "--from", "7 0", *arguments]) == 0
        return capsys.readouterr().out

    return call


@pytest.fixture
def levelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Return a function that plays a heap game with levels in lines, and returns the exit code."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    style = style_ids(game)[0]
    levels = Level("weak", "Weak", style, 20, 0, 0), Level("top", "Top", style, 100, 300, 20)
    install_games(monkeypatch, replace(game, facts=replace(game.facts, levels=levels)))
    # A kiosk's limit on memory would hold for all later tests too.
    monkeypatch.setenv("ONLYMOVE_KIOSK_MEMORY", "0")

    def play(lines: str, *flags: str) -> int:
        give_input(monkeypatch, lines)
        return run(["play", "heap", "--plain", *flags])

    return play


@pytest.mark.parametrize(("flags", "end"), [([], "Rated. 4 more"), (["--kiosk"], "Rated. 4 more")])
def test_a_rated_game_in_lines_says_what_it_was_for_the_rating(
    levelled: Callable[..., int], capsys: pytest.CaptureFixture[str], flags: list[str], end: str
) -> None:
    """In a kiosk, a player is an account, set up as in docs/hosting.md."""
    assert levelled("1\nresign\n", "--rated", *flags) == 0
    output = capsys.readouterr().out
    assert "Rated: there is no help before the end." in output
    assert output.splitlines()[-1].startswith(end)


def test_a_rated_game_is_against_a_level_whatever_the_settings_say(
    levelled: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ONLYMOVE_STRENGTH", "33")
    assert levelled("1\nresign\n", "--rated") == 0
    assert "Weak" in capsys.readouterr().out


def test_a_training_game_in_lines_says_nothing_of_the_rating(
    levelled: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert levelled("1\nkeep\nresign\n", "--seats", "human,weak") == 0
    assert "ated" not in capsys.readouterr().out


def test_in_a_rated_game_words_for_help_answer_one_sentence_until_the_end(
    levelled: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("hint", "values", "why", "undo", "redo", "draw")
    assert levelled("\n".join(["1", *words, "swap", "players human,human", "resign", "values"]) + "\n", "--rated") == 0
    output = capsys.readouterr().out.splitlines()
    assert output.count(HELP_LATER) == len(words)
    assert output.count(PLAYERS_STAY) == 2


def test_a_rated_game_in_lines_goes_on_where_it_was_left(
    levelled: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert levelled("1\n", "--rated") == 0
    assert "Your rated game is kept. Continue it within 30 days" in capsys.readouterr().out
    assert levelled("resign\n", "--rated") == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("Rated. 4 more")
    with history() as store:
        assert store.count() == 1


def test_line_mode_says_which_rated_game_was_left_for_too_long(
    levelled: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert levelled("1\n", "--rated") == 0
    raw = sqlite3.connect(find_places("").games)
    raw.execute("UPDATE game SET changed = '2020-01-01T00:00:00.000000+00:00'")
    raw.commit()
    raw.close()
    capsys.readouterr()
    assert levelled("", "--rated") == 0
    assert capsys.readouterr().out.startswith("You left a rated game of Heap for 30 days, so it is lost.")
    with history() as store:
        assert [entry.is_over for entry in store.list()] == [True]


def test_another_opponent_does_not_end_a_rated_game_that_is_under_way(
    levelled: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert levelled("1\n", "--rated") == 0
    capsys.readouterr()
    assert levelled("1\n", "--rated", "--seats", "human,top") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is under way" in line


@pytest.mark.parametrize(
    "flags",
    [
        ("--guest",),
        ("--from", "7 0"),
        ("--strength", "50"),
        ("--training", "off"),
        ("--seed", "1"),
        ("--seats", "human,human"),
        ("--seats", "weak,top"),
    ],
    ids=str,
)
def test_a_rated_game_has_the_terms_of_all_rated_games(
    levelled: Callable[..., int], capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
) -> None:
    assert levelled("", "--rated", *flags) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("clock", ["soon", "30"])
def test_a_clock_that_cannot_be_had_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], clock: str
) -> None:
    settle(tmp_path, monkeypatch)
    install_games(monkeypatch, heap_game())
    assert run(["play", "heap", "--plain", "--clock", clock]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@contextmanager
def history(profile: str = "") -> Iterator[GameStore]:
    """Yield the player's games as another process finds them."""
    store = GameStore(find_places(profile).games, lambda name: heap_game())
    try:
        yield store
    finally:
        store.close()


@pytest.mark.parametrize("ending", ["", "quit\n"])
def test_an_unfinished_game_waits_in_the_history(plainly: Type, ending: str) -> None:
    plainly("1\nhint\nhint\nhint\n" + ending, "--training", "ask")
    with history() as store:
        entry = store.find_latest_unfinished()
        assert entry is not None
        assert (entry.game, entry.plies, entry.own) == ("heap", 2, 0)
        saved = store.load(entry.number)
        assert saved.session.tree.root.position == (7, 0)
        assert saved.session.tree.nodes[1].judgements[0].only
        assert saved.session.node.hinted == {0}, "hints count although no move followed"
        assert saved.details.on_bad is OnBad.ASK


def test_a_finished_game_counts_and_its_mistakes_become_drills(plainly: Type) -> None:
    plainly("2\nkeep\n1\n1\n1\n1\n", "--strength", "100")
    with history() as store:
        assert [entry.is_over for entry in store.list()] == [True]
        assert store.progress.read_tallies()["heap"].losses == 1
        assert store.drills.list_due(["heap"])[0].drill.played == "2"


def test_the_very_first_bad_move_is_stopped(plainly: Type) -> None:
    assert "Type keep to play it anyway, undo to take it back." in plainly("2\n", "--strength", "100")


def test_a_game_without_a_move_is_not_kept(plainly: Type) -> None:
    plainly("board\nmoves\n")
    with history() as store:
        assert store.count() == 0


def test_a_profile_has_its_own_history(plainly: Type) -> None:
    plainly("1\n", "--profile", "ada")
    with history() as mine, history("ada") as hers:
        assert (mine.count(), hers.count()) == (0, 1)
