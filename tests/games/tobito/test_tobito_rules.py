"""The rules of Tobito and Haneto, one by one, and their counts."""

from __future__ import annotations

import random
from typing import Any

import pytest
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games.tobito import rules
from onlymove_engines.play.tree import Conventions


def perft(game: AnyGame, position: Any, depth: int) -> int:
    """Return the number of move sequences of this length."""
    moves = game.rules.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(game, rules.apply_move(position, move), depth - 1) for move in moves)


def format_moves(game: AnyGame, text: str) -> list[str]:
    """Return every legal move of a position as text."""
    position = game.notation.parse_position(text)
    return [game.notation.format_move(position, move) for move in game.rules.legal_moves(position)]


def walk(game: AnyGame, seed: int, plies: int) -> list[Any]:
    """Return the positions of one random game."""
    rng = random.Random(seed)
    positions = [game.start({"begins": rng.choice(("Top", "Bottom"))}, seed)]
    for _ in range(plies):
        moves = game.rules.legal_moves(positions[-1])
        if not moves:
            break
        positions.append(game.rules.play(positions[-1], rng.choice(moves)))
    return positions


def test_perft_from_the_start(game: AnyGame, facts: dict[str, Any]) -> None:
    counts = [perft(game, game.default_start(), depth) for depth in range(1, 5)]
    assert counts == facts["perft"][:4]


def test_either_side_may_begin(game: AnyGame, facts: dict[str, Any]) -> None:
    assert game.notation.format_position(game.default_start()) == facts["start"]
    assert game.notation.format_position(game.start({"begins": "Bottom"}, 0)) == facts["start"][:-1] + "B"


def test_jumped_pawns_go_to_cells_that_were_empty(tobito: AnyGame) -> None:
    assert "b5b3+b4" not in format_moves(tobito, "TTT/.B./.../.../B.B T")
    moves = [move for move in format_moves(tobito, "TTT/.B./.../.../B.B T") if move.startswith("b5b3")]
    empty_before = ("b1", "a2", "b2", "c2", "a3", "c3", "a4", "c4")
    assert moves == [f"b5b3+{cell}" for cell in empty_before]


def test_two_jumped_pawns_are_interchangeable(tobito: AnyGame) -> None:
    position = tobito.notation.parse_position("T.T/.T./.B./.B./B.. T")
    moves = [m for m in tobito.rules.legal_moves(position) if len(m.pawns) == 2]
    assert len(moves) == 28 - 7, "28 pairs of free cells, 7 of them with b5, which would be hiding"
    assert tobito.notation.parse_move(position, "b4b1+c4+a3") == tobito.notation.parse_move(position, "b4b1+a3+c4")
    assert tobito.notation.paths(position, tobito.notation.parse_move(position, "b4b1+a3+c4")) == [
        ("b4", "b1", "a3", "c4"),
        ("b4", "b1", "c4", "a3"),
    ]


def test_a_pawn_in_its_goal_row_blocks_the_jump(tobito: AnyGame) -> None:
    moves = format_moves(tobito, "TB./.../.T./.../TBB T")
    assert not [move for move in moves if move.startswith("a5c5")]


def test_a_pawn_in_its_goal_row_stays(tobito: AnyGame) -> None:
    position = tobito.notation.parse_position("TB./.../.T./.../TBB T")
    with pytest.raises(IllegalMove, match="goal row"):
        tobito.notation.parse_move(position, "a1a2")


def test_hiding_is_illegal(tobito: AnyGame) -> None:
    position = tobito.notation.parse_position("T.B/.T./.../..T/BB. T")
    with pytest.raises(IllegalMove, match="no hiding"):
        tobito.notation.parse_move(position, "b4b5")


def test_jumped_opponents_may_not_fill_the_own_home_row(tobito: AnyGame) -> None:
    moves = format_moves(tobito, "T.B/.T./.B./.../BT. T")
    assert "b4b2+c4" in moves
    assert "b4b2+b5" not in moves


def test_the_neutral_pawn_stays_in_the_middle_rows(haneto: AnyGame) -> None:
    moves = [move for move in format_moves(haneto, "TT./.T./.N./.../BBB T") if move.startswith("b4b2")]
    assert moves == [f"b4b2*{cell}" for cell in ("a2", "c2", "a3", "c3", "a4", "c4")]


def test_invasion_ends_the_game(tobito: AnyGame) -> None:
    position = tobito.notation.parse_position("BB./.../.B./.TT/T.. B")
    after = tobito.rules.play(position, tobito.notation.parse_move(position, "b3b4"))
    after = tobito.rules.play(after, tobito.notation.parse_move(after, "c2b1"))
    after = tobito.rules.play(after, tobito.notation.parse_move(after, "b4c5"))
    result = tobito.rules.result(after)
    assert result is not None
    assert result.winner == rules.BOTTOM
    assert tobito.rules.legal_moves(after) == ()
    with pytest.raises(GameOver):
        tobito.rules.play(after, rules.Move(0, 3))


def test_every_refusal_agrees_with_the_legal_moves(game: AnyGame) -> None:
    rng = random.Random(5)
    for position in walk(game, 11, 60)[:-1]:
        legal = set(game.rules.legal_moves(position))
        for move in legal:
            assert game.rules.play(position, move) == rules.apply_move(position, move)
        for _ in range(60):
            pawns = tuple(sorted(rng.sample(range(15), rng.choice((0, 0, 1, 2)))))
            move = rules.Move(rng.randrange(15), rng.randrange(15), pawns, rng.choice((None, None, rng.randrange(15))))
            if move not in legal:
                with pytest.raises(IllegalMove):
                    game.rules.play(position, move)
                with pytest.raises(IllegalMove, match=r"\w"):
                    game.notation.parse_move(position, game.notation.format_move(position, move))


def test_text_round_trip_and_symmetries(game: AnyGame) -> None:
    for position in walk(game, 3, 60):
        assert game.notation.parse_position(game.notation.format_position(position)) == position
        moves = game.rules.legal_moves(position)
        assert len(set(moves)) == len(moves)
        for move in moves:
            text = game.notation.format_move(position, move)
            assert game.notation.parse_move(position, text) == move
            for symmetry in game.solved.symmetries:
                image = game.rules.play(symmetry.position(position), symmetry.move(move))
                assert image == symmetry.position(game.rules.play(position, move)), f"{symmetry.name}: {text}"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", BadNotation),
        ("TTT/.../.../.../BBB", BadNotation),
        ("TTT/.../.../.../BBB X", BadNotation),
        ("TTT/..../.../.../BBB T", BadNotation),
        ("TTT/T../.../.../BBB T", BadPosition),
        ("TT./.../.../.../BBB B", BadPosition),
    ],
)
def test_malformed_positions_are_refused(game: AnyGame, text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        game.notation.parse_position(text)


def test_each_variant_refuses_the_start_of_the_other(tobito: AnyGame, haneto: AnyGame) -> None:
    with pytest.raises(BadPosition, match="0 neutral"):
        tobito.notation.parse_position("TTT/.../.N./.../BBB T")
    with pytest.raises(BadPosition, match="1 neutral"):
        haneto.notation.parse_position("TTT/.../.../.../BBB T")


def test_house_rule_and_threefold(game: AnyGame) -> None:
    steps = ("b5b4", "b1b2", "b4b5", "b2b1") if game.id == "haneto" else ("a5a4", "a1a2", "a4a3", "a2a1", "a3a4")
    positions = [game.default_start()]
    for text in steps[:2]:
        move = game.notation.parse_move(positions[-1], text)
        positions.append(game.rules.play(positions[-1], move))
    moves = game.rules.legal_moves(positions[-1])
    child = game.rules.play(positions[-1], moves[0])
    (rule,) = game.play.house_rules
    allowed = rule.legal_moves(game.rules, [child, *positions], moves)
    assert set(moves) - set(allowed) == {moves[0]}
    stuck = rule.result_when_stuck(rules.TOP)
    assert stuck.winner == rules.BOTTOM
    law = Conventions(game)
    assert law.result([child, *positions, child]) is None
    assert child in law.find_closing([child, *positions, child])
    draw = law.result([child, *positions, child, child])
    assert draw is not None
    assert draw.winner is None
