"""Search without a table is exact if it answers, and says when it does not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Draw, Loss, Win
from onlymove_engines.search.deepening import DEFAULT_NODES, Deepening, LiveAnalyst, find_best

from tests.literal_game import LITERAL, Over, literal_game


def test_literal_tree_has_the_values_worked_out_by_hand() -> None:
    analysis = LiveAnalyst(literal_game()).analyse("start")
    assert analysis.value == Win(3)
    assert analysis.moves == {"a": Win(3), "b": Loss(2), "c": Draw()}


def test_move_order_does_not_change_the_value() -> None:
    backwards = {
        name: node if isinstance(node, Over) else (node[0], dict(list(node[1].items())[::-1]))
        for name, node in LITERAL.items()
    }
    assert LiveAnalyst(literal_game(backwards)).analyse("start").value == Win(3)


def test_a_longer_win_beside_unknown_moves_is_not_yet_proven() -> None:
    assert find_best([Win(7), None], horizon=4) is None
    assert find_best([Win(3), None], horizon=4) == Win(3)
    assert find_best([Loss(4), None], horizon=4) is None


def test_a_transposition_met_deeper_first_does_not_hide_a_shorter_win() -> None:
    game = literal_game({
        "start": (0, {"far": "P", "near": "Q"}),
        "P": (1, {"x": "R"}), "R": (0, {"x": "Q"}),
        "Q": (1, {"x": "won"}), "won": Over(0, 0),
    })  # fmt: skip
    search = Deepening(game)
    assert [search.value("start", depth) for depth in range(3)] == [None, None, Win(2)]


def test_moves_beside_a_win_are_searched_only_for_a_shorter_one() -> None:
    game = literal_game({
        "start": (0, {"a": "won", "b": "P"}), "P": (1, {"x": "Q"}), "Q": (0, {"a": "won"}),
        "slow": (0, {"a": "R", "b": "P"}), "R": (1, {"x": "won"}), "won": Over(0, 1),
    })  # fmt: skip
    search = Deepening(game)
    assert search.value("start", 9) == Win(1)
    assert search.nodes == 1, "nothing is shorter than a win at once"
    assert search.value("slow", 9) == Win(2)
    assert "Q" not in search.proven, "it is too far away for a win in one"


class EndlessRules:
    """A game of two moves that never ends. A position is the moves so far."""

    def to_move(self, position: str) -> int:
        return len(position) % 2

    def legal_moves(self, position: str) -> Sequence[str]:
        return "ab"

    def play(self, position: str, move: str) -> str:
        return position + move

    def result(self, position: str) -> Result | None:
        return None


def test_a_search_with_a_deadline_has_no_other_limit() -> None:
    game = replace(literal_game(), rules=EndlessRules(), start=lambda options, seed: "")
    ticks = count()
    clock = lambda: float(next(ticks))  # noqa: E731 - a clock that advances with every look at it
    search = Deepening(game, Budget(clock=clock, deadline=1.2 * DEFAULT_NODES))
    assert search.value("", 16) is None
    assert search.nodes > 1.1 * DEFAULT_NODES
    search = Deepening(game, UNLIMITED)
    assert search.value("", 64) is None
    assert search.nodes == DEFAULT_NODES + 1, "without any limit, it ends by itself"


def test_a_spent_budget_leaves_moves_unknown_and_says_so() -> None:
    analysis = LiveAnalyst(literal_game()).analyse("start", Budget(nodes=0))
    assert analysis.value is None
    assert not analysis.is_complete
    assert analysis.note.startswith("there is no table")
