"""How easily the other side goes wrong, in trees that can be counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from onlymove_engines.core.analysis import Tally
from onlymove_engines.core.game import Game, Turn
from onlymove_engines.core.repetition import THREEFOLD
from onlymove_engines.core.value import Draw, Loss, Win
from onlymove_engines.search.chances import Difficulty, ProblemSetter, chance, tally_positions
from onlymove_engines.search.deepening import LiveAnalyst

from tests.literal_game import LITERAL, Over, Tree, literal_game
from tests.reference.every_line import PlainAnalyst

#            start (0): every move draws
#    calm(1)      sly(1)        wild(1)
#   x/   \y      x/  y|  \z     x/  \y
#  draw   draw  draw won won   draw  won
DRAWN: Tree = {
    "start": (0, {"a": "calm", "b": "sly", "c": "wild"}),
    "calm": (1, {"x": "drawn", "y": "drawn"}),
    "sly": (1, {"x": "drawn", "y": "won", "z": "won"}),
    "wild": (1, {"x": "drawn", "y": "won"}),
    "drawn": Over(None, 0),
    "won": Over(0, 0),
}


def make_knowing_analyst(game: Game[str, str]) -> PlainAnalyst[str, str]:
    """Return an analyst that knows every position of a game without a search."""
    return PlainAnalyst(replace(game, play=replace(game.play, repetition=THREEFOLD)))


def test_in_a_draw_the_larger_share_of_losing_replies_is_taken() -> None:
    game = literal_game(DRAWN)
    analyst = make_knowing_analyst(game)
    setter: ProblemSetter[str, str] = ProblemSetter(game.rules)
    turn = Turn("start", 0, analyst.analyse("start"), analyst)
    assert setter.choose(turn) == {"b": 1.0}
    assert list(setter.chances(turn)) == ["b", "c", "a"], "two thirds of the replies lose, half of them, none"


def test_the_games_own_order_decides_between_equal_shares() -> None:
    tree = {**DRAWN, "calm": DRAWN["wild"]}
    game = literal_game(tree)
    analyst = make_knowing_analyst(game)
    tree_turn = Turn("start", 0, analyst.analyse("start"), analyst)
    prefers_calm: ProblemSetter[str, str] = ProblemSetter(game.rules, lambda _, position, seat: position == "calm")
    equal = {move: chance for move, chance in prefers_calm.chances(tree_turn).items() if move in "ac"}
    assert max(equal, key=lambda move: equal[move]) == "a"


def test_without_known_replies_any_best_move_is_chosen() -> None:
    late: Tree = {"wild": (1, {"x": "drawn", "y": "late"}), "late": (0, {"z": "mate"}), "mate": Over(0, 1)}
    game = literal_game({**DRAWN, **late})
    analyst = LiveAnalyst(game)
    turn = Turn("start", 0, analyst.analyse("start"), analyst)
    assert tally_positions(game.rules, ["start"], analyst) == [None], "only finished games are known without search"
    assert set(ProblemSetter(game.rules).choose(turn)) == set("abc")


def test_replies_are_counted_by_their_value_for_the_replying_side() -> None:
    game = literal_game(LITERAL)
    analyst = make_knowing_analyst(game)
    assert tally_positions(game.rules, ["start"], analyst) == [Tally(1, 1, 1, 1)]
    assert tally_positions(game.rules, ["drawn"], analyst) == [Tally()], "nobody replies when the game is over"


@pytest.mark.parametrize(("value", "replies", "expected"), [
    (Draw(), Tally(0, 1, 1, 1), Difficulty(0.75, 0.0, 0.5)),
    (Loss(2), Tally(1, 0, 3, 1), Difficulty(0.75, 0.0, 0.75)),
    (Loss(4), Tally(1, 2, 1, 1), Difficulty(0.75, 0.0, 0.75)),
    (Win(1), Tally(), Difficulty(1.0, 0.0, 0.0)),
    (Win(5), Tally(0, 0, 4, 1), Difficulty(1.0, 0.0, 0.75)),
])  # fmt: skip
def test_the_chance_of_a_move(value: Win | Draw | Loss, replies: Tally, expected: Difficulty) -> None:
    """A loss in four leaves the winner two replies to find. Each goes wrong with probability 1/2, so the chance is
    3/4."""
    assert chance(value, replies) == expected
