"""A game in line mode is the same match as in the app. Moves are saved before they are shown, and training, draws,
undo, resignation and house rules follow the same rules. The tests type commands and read the output as a player
does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.core.facts import Facts
from onlymove_tui.app.panels.markdown import READABLE, markdown_rows
from onlymove_tui.cli import run
from onlymove_tui.play.keys import choose_line_text
from onlymove_tui.play.line_mode import LineMode, Voice
from onlymove_tui.play.phrases import read_rules
from onlymove_tui.play.situations import HIDDEN_TO_DECISION
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.profiles import find_places

from tests.commands import give_input, install_games, replace_stream
from tests.heap_game import heap_game, settle
from tests.tui.live_games import make_heap_game
from tests.tui.tiny_duel import tiny_duel
from tests.tui.tiny_game import tiny_game

Plainly = Callable[..., list[str]]
GAMES = {
    "heap": heap_game(),
    "duel": tiny_duel(),
    "tiny": replace(tiny_game(), play=replace(tiny_game().play, house_rules=tiny_game().play.house_rules)),
}
STOPPED = "Type keep to play it anyway, undo to take it back."


@pytest.fixture
def plainly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Plainly:
    """Return a function that plays a game in line mode. It returns the printed lines."""
    settle(tmp_path, monkeypatch)
    install_games(monkeypatch, *GAMES.values())

    def call(game: str, typed: str, *arguments: str) -> list[str]:
        lines = "".join(f"{word}\n" for word in typed.split())
        give_input(monkeypatch, lines)
        assert run(["play", game, "--plain", "--seed", "1", *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    return call


def open_saved_games() -> GameStore:
    """Return the player's games as another process finds them."""
    return GameStore(find_places().games, games.load)


class Watched(StringIO):
    """An output that passes on each text before it is shown."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__()
        self.show = show

    def write(self, text: str) -> int:
        self.show(text)
        return super().write(text)


# Every move is on disk before it is shown.


@pytest.mark.parametrize(
    ("game", "arguments"),
    [
        ("heap", ("--from", "7 0")),
        ("heap", ("--from", "7 0", "--training", "ask")),
        ("heap", ("--from", "9 0", "--seats", "engine,human")),
        ("heap", ("--from", "9 0", "--seats", "engine,engine")),
        ("heap", ("--from", "7 0", "--seats", "human,human", "--training", "off")),
        ("duel", ("--training", "flag")),
    ],
)
def test_everything_reported_is_saved(
    plainly: Plainly, monkeypatch: pytest.MonkeyPatch, game: str, arguments: tuple[str, ...]
) -> None:
    plies = 0

    def show(text: str) -> None:
        nonlocal plies
        store = open_saved_games()
        kept = sum(len(store.load(entry.number).session.tree.nodes) - 1 for entry in store.list())
        store.close()
        is_own = text[:1] in tuple("12") and STOPPED not in text and " moves win" not in text
        plies += is_own or " plays " in text or text.startswith("Round")
        assert kept >= plies, f"{text!r} was shown when {kept} of {plies} plies were on disk"

    replace_stream(monkeypatch, "stdout", Watched(show))
    plainly(game, "a b" if game == "duel" else "2 keep 1 1 1", "--board", *arguments)
    assert plies >= 2, "nothing was played"


def test_a_first_attempt_is_saved_before_it_is_shown(plainly: Plainly, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bool] = []

    def show(text: str) -> None:
        if STOPPED in text:
            store = open_saved_games()
            tree = store.load(store.list()[0].number).session.tree
            kept.append(tree.here.attempts[0].flagged)
            store.close()

    replace_stream(monkeypatch, "stdout", Watched(show))
    plainly("heap", "1 2", "--from", "8 0", "--seats", "human,human", "--training", "ask")
    assert kept == [True]


# Training, as in the app.


def test_training_is_what_the_settings_say(plainly: Plainly, monkeypatch: pytest.MonkeyPatch) -> None:
    assert STOPPED in "\n".join(plainly("heap", "2", "--from", "7 0")), (
        "by default a bad move is stopped, as in the app"
    )
    monkeypatch.setenv("ONLYMOVE_ON_BAD", "flag")
    assert "2 ?? You threw away a win in 5 moves. Win in 5 moves → Loss." in plainly("heap", "2", "--from", "7 0")
    monkeypatch.setenv("ONLYMOVE_TRAINING", "false")
    assert "2" in plainly("heap", "2", "--from", "7 0"), "without training a move is told without a verdict"


def test_a_newcomers_first_bad_move_is_stopped_and_one_sentence_says_why_and_where_the_rules_are(
    plainly: Plainly,
) -> None:
    told = "This move would throw away a win in 5 moves; type rules to read the rules."
    output = plainly("heap", "2 rules", "--from", "7 0")
    (line,) = [line for line in output if told in line]
    assert STOPPED in line
    assert GAMES["heap"].facts.pitch in output


def test_without_training_no_verdict_is_shown_before_the_end(plainly: Plainly) -> None:
    output = plainly("heap", "2 1 1 1", "--from", "7 0", "--seats", "human,human", "--training", "off")
    assert [line for line in output if line in ("1", "2")] == ["2", "1", "1", "1"]
    assert not [line for line in output if "?" in line or "The only move" in line or "->" in line]


def test_undo_thinks_a_stopped_move_over_first(plainly: Plainly) -> None:
    output = plainly("heap", "1 2 undo position", "--from", "7 0", "--seats", "human,human")
    assert output[-1] == "6 1", "the stopped move is let go, the move before it stands"


def test_values_are_hidden_while_a_move_is_stopped(plainly: Plainly) -> None:
    output = plainly("heap", "2 values keep", "--from", "7 0", "--seats", "human,human", "--training", "ask")
    assert output.count(HIDDEN_TO_DECISION) == 1
    assert not [line for line in output if line.startswith(("Win in", "Loss in"))]


def test_a_new_choice_lets_a_stopped_one_go(plainly: Plainly) -> None:
    output = plainly("heap", "2 1 position", "--from", "7 0", "--seats", "human,human", "--training", "ask")
    assert output[-1] == "6 1"
    store = open_saved_games()
    root = store.load(store.list()[0].number).session.tree.root
    assert root.attempts[0].flagged, "the first attempt counts"
    store.close()


# Draws, resignation, undo.


def test_the_side_to_move_resigns(plainly: Plainly) -> None:
    assert "First wins: Second resigned." in plainly("heap", "1 resign", "--from", "7 0", "--seats", "human,human")
    assert "First wins: Second resigned." in plainly("heap", "resign", "--from", "7 0", "--seats", "engine,human")


def test_a_resignation_can_be_taken_back(plainly: Plainly) -> None:
    output = plainly("heap", "resign undo position 1 position", "--from", "7 0", "--seats", "human,human")
    assert "7 0" in output
    assert output[-1] == "6 1"
    store = open_saved_games()
    assert not store.list()[0].is_over
    store.close()


def test_undone_moves_are_exported_as_a_variation(plainly: Plainly, capsys: pytest.CaptureFixture[str]) -> None:
    plainly("heap", "1 undo 2 2 resign quit", "--from", "7 0", "--seats", "human,human", "--training", "flag")
    assert run(["export"]) == 0
    moves = re.sub(r"\s*\{[^}]*\}", "", " ".join(capsys.readouterr().out.split("\n\n")[1].split()))
    assert moves.strip() == "1. 2?? (1. 1!) 1... 2! 0-1"


def test_after_the_end_only_a_way_back_is_open(plainly: Plainly) -> None:
    output = plainly("heap", "1 1 hint draw resign undo position", "--from", "1 0", "--seats", "human,human")
    assert "Not played: the game is over." in output
    assert output.count("The game is over.") == 3
    assert output[-1] == "1 0"


# House rules.


def test_values_hints_and_verdicts_follow_the_house_rule(plainly: Plainly) -> None:
    """The left heap may not be emptied while the right one stands. From 1,2 this leaves no way to win."""
    output = plainly("tiny", "L1 values moves", "--from", "1,2 0", "--rule", "left-stands", "--seats", "human,human")
    assert "Not played: the house rule 'Left stands' forbids this move." in output
    assert "R1 R2" in output
    named = [line.partition(": ")[2] for line in output if line.startswith(("Win in", "Loss in")) and ": " in line]
    assert sorted(", ".join(named).split(", ")) == ["R1", "R2"]


# Two people who choose in secret.


@pytest.mark.parametrize(
    ("seats", "first", "against_b"), [("human,engine", "Even's share", "25 %"), ("engine,human", "Odd's share", "75 %")]
)
def test_values_are_the_players_own_share(plainly: Plainly, seats: str, first: str, against_b: str) -> None:
    output = plainly("duel", "values", "--seats", seats)
    top = next(n for n, line in enumerate(output) if "share" in line)
    assert output[top] == f"{first} of the points:"
    assert output[top + 1].startswith("a: ")
    assert f"{against_b} against b" in output[top + 1], output[top + 1]


def test_a_hidden_choice_is_not_judged_before_both_have_chosen(plainly: Plainly) -> None:
    output = plainly("duel", "c a", "--seats", "human,human")
    first = output.index("Even has chosen.")
    assert not [line for line in output[: first + 2] if "This costs" in line or STOPPED in line]
    shown = output.index("Round 1: Even c, Odd a.")
    assert output[shown + 1].startswith("Even: ?? ")
    assert "Average cost: 25 %" in output[shown + 1]
    assert output[shown + 2].startswith("Odd: ")


def test_after_the_game_nothing_is_said_to_show_what_a_move_risked(plainly: Plainly) -> None:
    output = plainly("duel", "c a resign why", "--seats", "human,human")
    (answer,) = (line for line in output if "no single best reply" in line)
    assert answer == "Both sides move at once, so there is no single best reply.", "there are no values now"


KEY = re.compile(r"Press |Esc|arrow keys|<!--|-->|\{")


@pytest.mark.parametrize("facts", games.list_own_games(), ids=lambda facts: facts.id)
def test_the_rules_name_no_keys_of_the_app(facts: Facts) -> None:
    page = read_rules(games.load(facts.id))
    assert not KEY.search(choose_line_text(page))
    assert "<!--" not in "".join(text for row in markdown_rows(page, READABLE) for text, _ in row)


# What Enter means is the same as on the screen.


def test_enter_on_a_stopped_move_says_how_to_answer_and_plays_nothing() -> None:
    live, written = make_heap_game(), list[str]()
    LineMode(live, Voice(written.append, lambda: 0.0)).run(["2", "", "position", "quit"])
    assert written[-2:] == [STOPPED, "7 0"]
    assert live.stopped_move is not None


def test_there_is_nothing_to_rethink_without_a_stopped_move(plainly: Plainly) -> None:
    output = plainly("heap", "rethink keep", "--from", "7 0", "--seats", "human,human")
    assert output.count("There is no move for you to keep or take back.") == 2
