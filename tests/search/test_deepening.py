"""Search without a table is exact if it answers, and says when it does not know."""

from __future__ import annotations

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Draw, Loss, Win
from onlymove_engines.search.deepening import Deepening, LiveAnalyst, find_best

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


def test_a_spent_budget_leaves_moves_unknown_and_says_so() -> None:
    analysis = LiveAnalyst(literal_game()).analyse("start", Budget(nodes=0))
    assert analysis.value is None
    assert not analysis.is_complete
    assert analysis.note.startswith("there is no table")
