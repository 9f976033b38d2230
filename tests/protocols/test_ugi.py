"""UGI follows its specification, and no input ever breaks the conversation."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import NoCompiler, Stopped
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.repetition import Repetition
from onlymove_engines.core.rules import Result
from onlymove_engines.protocols.ugi import Ugi
from onlymove_engines.search.deepening import LiveAnalyst

from tests.heap_game import Heap, HeapAnalyst, heap_game
from tests.literal_game import Over, Tree, literal_game


class Watched(HeapAnalyst):
    """An analyst that remembers the budget it was given."""

    budget: Budget

    def analyse(self, position: Heap, budget: Budget = UNLIMITED) -> Analysis[int]:
        self.budget = budget
        return super().analyse(position, budget)


class Lost(HeapAnalyst):
    """An analyst that never finds anything."""

    def analyse(self, position: Heap, budget: Budget = UNLIMITED) -> Analysis[int]:
        raise Stopped("out of time")


def engine(stop: Callable[[], bool] = lambda: False, analyst: HeapAnalyst | None = None) -> Ugi:
    """Return an engine for the heap game. Its clock stands at 100 seconds."""
    speaker = Ugi(heap_game(), analyst or Watched(None), lambda: 100.0, stop)
    speaker.random = Random(1)
    return speaker


def make_circling_game() -> AnyGame:
    """Return a game that can return to `A`. The second player wins if it does."""
    tree: Tree = {
        "start": (0, {"a": "A"}),
        "A": (1, {"b": "again", "x": "won"}),
        "again": (0, {"a": "A", "c": "drawn"}),
        "won": Over(0, 0),
        "drawn": Over(None, 1),
    }
    return dataclasses.replace(
        literal_game(tree),
        play=dataclasses.replace(literal_game(tree).play, repetition=Repetition(2, lambda _: Result(1))),
    )


def say(speaker: Ugi, *lines: str) -> list[str]:
    """Return all answers to `lines`."""
    return [reply for line in lines for reply in speaker.replies(line)]


def test_it_introduces_itself() -> None:
    replies = say(engine(), "ugi")
    assert replies[0].startswith("id name onlymove ")
    assert "option name Strength type spin default 100 min 0 max 100" in replies
    assert "option name Seed type spin default 0 min 0 max 2147483647" in replies
    assert "option name Style type combo default exact var exact" in replies
    assert replies[-1] == "ugiok"
    assert say(engine(), "isready", "uginewgame") == ["readyok"]


def test_readyok_follows_when_everything_for_a_search_is_loaded() -> None:
    """Otherwise loading would use up the clock of the first move."""
    loaded: list[str] = []
    game = heap_game()
    for searches in (False, True):
        facts = dataclasses.replace(game.facts, plays_by_search=searches)
        searching = dataclasses.replace(
            game, solved=dataclasses.replace(game.solved, kernels=(lambda: loaded.append("kernels"),)), facts=facts
        )
        assert say(Ugi(searching, HeapAnalyst(None), lambda: 0.0, lambda: False), "isready") == ["readyok"]
    assert loaded == ["kernels"], "only a game that is played by search needs them"


def test_without_a_compiler_it_is_ready_too() -> None:
    def load() -> None:
        raise NoCompiler("numba is missing")

    game = heap_game()
    searching = dataclasses.replace(
        game,
        solved=dataclasses.replace(game.solved, kernels=(load,)),
        facts=dataclasses.replace(game.facts, plays_by_search=True),
    )
    assert say(Ugi(searching, HeapAnalyst(None), lambda: 0.0, lambda: False), "isready") == ["readyok"]


def test_the_same_seed_draws_the_same_moves() -> None:
    """At strength 0 every move is drawn."""

    def draw_moves(seed: int) -> list[str]:
        speaker = Ugi(heap_game(), HeapAnalyst(None), lambda: 0.0, lambda: False)
        begin = ("setoption name Strength value 0", f"setoption name Seed value {seed}")
        return [line for line in say(speaker, *begin, *["go nodes 1"] * 20) if line.startswith("bestmove")]

    assert draw_moves(7) == draw_moves(7)
    assert draw_moves(7) != draw_moves(8)
    assert say(engine(), "setoption name Seed value -1") == ["info string Seed must be 0 to 2147483647, not -1"]


@pytest.mark.parametrize("limit", ["depth ²", "depth", "movetime -5", "nodes ten", "banana"])
def test_an_invalid_go_is_reported_and_answered_with_a_bestmove(limit: str) -> None:
    assert say(engine(), f"go {limit}") == [f"info string 'go' does not support {limit}", "bestmove (none)"]


@pytest.mark.parametrize("value", ["²", "101", "-1", "full"])
def test_an_invalid_strength_is_answered_with_one_clear_line(value: str) -> None:
    refusal = f"info string Strength must be 0 to 100, not {value}"
    assert say(engine(), f"setoption name Strength value {value}") == [refusal]


def test_it_finds_the_best_move_with_value_and_line() -> None:
    assert say(engine(), "position fen 7 0", "go depth 9") == ["info depth 5 score win 5 pv 1 1 2 1 2", "bestmove 1"]
    (info, best) = say(engine(), "position startpos moves 2", "go movetime 10")
    assert info.startswith("info depth 12 score loss 12 pv ")
    assert best in ("bestmove 1", "bestmove 2")


def test_queries_follow_the_game() -> None:
    speaker = engine()
    ask = ("query gameover", "query p1turn", "query result")
    assert say(speaker, "position fen 2 0", *ask) == ["response false", "response true", "response none"]
    assert say(speaker, "position fen 2 0 moves 1", "query p1turn") == ["response false"]
    assert say(speaker, "position fen 2 0 moves 1 1", *ask) == ["response true", "response true", "response p2win"]
    assert say(speaker, "position fen 2 0 moves 2", "query result") == ["response p1win"]


def test_a_repetition_that_ends_the_game_is_reported() -> None:
    game = dataclasses.replace(
        literal_game(), play=dataclasses.replace(literal_game().play, repetition=Repetition(1, lambda _: Result(None)))
    )
    speaker = Ugi(game, LiveAnalyst(game), lambda: 0.0, lambda: False)
    assert say(speaker, "position startpos", "query gameover", "query result") == ["response true", "response draw"]
    assert say(speaker, "go") == ["bestmove (none)"], "what has ended has no best move, however it ended"


@pytest.mark.parametrize(
    ("position", "played"), [("fen again", {"bestmove a", "bestmove c"}), ("startpos moves a b", {"bestmove c"})]
)
def test_the_engine_knows_which_move_repeats_a_position(position: str, played: set[str]) -> None:
    game = make_circling_game()
    speaker = Ugi(game, LiveAnalyst(game), lambda: 0.0, lambda: False)
    speaker.random = Random(1)
    assert {say(speaker, f"position {position}", "go depth 5")[-1] for _ in range(20)} == played


@pytest.mark.parametrize("refused", ["position fen rubbish", "position startpos moves 3", "position"])
def test_after_a_refused_position_nothing_is_answered_about_an_older_one(refused: str) -> None:
    speaker = engine()
    say(speaker, "position fen 7 0")
    (why,) = say(speaker, refused)
    assert why.startswith("info string ")
    output = say(speaker, "go depth 9")
    assert output == ["info string there is no position: the last one was refused", "bestmove (none)"]
    assert say(speaker, "query gameover") == ["info string there is no position: the last one was refused"]
    assert say(speaker, "position fen 7 0", "go depth 9")[-1] == "bestmove 1"
    say(speaker, refused)
    assert say(speaker, "uginewgame", "query p1turn") == ["response true"]


def test_a_search_that_finds_nothing_is_no_reason_to_wait() -> None:
    assert say(engine(analyst=Lost(None)), "go") == ["info string out of time", "bestmove (none)"]


def test_a_finished_game_has_no_best_move() -> None:
    assert say(engine(), "position fen 0 1", "go") == ["bestmove (none)"]


@pytest.mark.parametrize(
    ("go", "deadline", "nodes", "depth"),
    [
        ("go", 101.0, None, None),
        ("go movetime 250", 100.25, None, None),
        ("go depth 7", None, None, 7),
        ("go nodes 5000", None, 5000, None),
        ("go p1time 60000 p2time 1000 p1inc 500 p2inc 0", 102.5, None, None),
        ("go p1time 1000 p1inc 5000", 100.5, None, None),
        ("go p1time -5 p2time 100 p1inc -1", 100.0, None, None),
        ("go infinite", None, None, None),
    ],
)
def test_limits_become_a_budget(go: str, deadline: float | None, nodes: int | None, depth: int | None) -> None:
    analyst = Watched(None)
    say(engine(analyst=analyst), go)
    budget = analyst.budget
    assert (budget.deadline, budget.nodes, budget.depth) == (deadline, nodes, depth)


def test_a_limit_of_any_size_can_be_counted_by_a_search() -> None:
    analyst, huge = Watched(None), 10**400
    for name in ("depth", "nodes", "movetime", "p1time"):
        assert say(engine(analyst=analyst), f"go {name} {huge}")[-1].startswith("bestmove")
        budget = analyst.budget
        for limit in (budget.depth, budget.nodes, budget.deadline):
            assert limit is None or limit < 1 << 63, f"go {name}: {limit} does not fit where a kernel counts"


def test_an_infinite_search_answers_when_it_is_stopped() -> None:
    speaker = engine()
    (info,) = say(speaker, "position fen 7 0", "go infinite")
    assert info.startswith("info depth 5")
    assert speaker.is_infinite
    assert say(speaker, "isready") == ["readyok"]
    assert say(speaker, "stop") == ["bestmove 1"]
    assert say(speaker, "stop") == []


def test_strength_and_style_are_options() -> None:
    speaker = engine()
    assert say(speaker, "setoption name Strength value 0", "setoption name Style value exact") == []
    played = {say(speaker, "position fen 7 0", "go")[-1] for _ in range(40)}
    assert played == {"bestmove 1", "bestmove 2"}


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "position",
        "position fen",
        "position fen rubbish",
        "position startpos moves 3",
        "position startpos moves 1 x",
        "query",
        "query weather",
        "setoption",
        "setoption name Strength value 101",
        "setoption name Strength value lots",
        "setoption name Style value wild",
        "setoption name Hash value 16",
        "\x00\x1b[2J",
    ],
)
def test_an_unknown_command_is_answered_with_one_info_string(line: str) -> None:
    speaker = engine()
    say(speaker, "position fen 7 0")
    (reply,) = say(speaker, line)
    assert reply.startswith("info string ")
    assert reply.isprintable()
    if not line.startswith("position"):
        assert say(speaker, "go depth 9")[-1] == "bestmove 1", "the position is as it was"


@given(st.lists(st.text(max_size=40) | st.sampled_from(["go", "position fen 3 1", "stop", "query result", "quit"])))
def test_no_conversation_breaks_it(lines: list[str]) -> None:
    speaker = engine()
    for line in lines:
        for reply in speaker.replies(line):
            assert "\n" not in reply
    assert say(speaker, "isready") == ["readyok"]
    assert not list(speaker.replies("quit"))
    assert speaker.finished
