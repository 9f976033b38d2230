"""The rules of Orbito, compared with its printed rules and with counts."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.games.orbito.notation import NOTATION
from onlymove_engines.games.orbito.rules import BIT, FULL, RULES, START, Position, count_extra_shifts
from onlymove_laws.law import parametrize_amount


def parse(text: str) -> Position:
    return NOTATION.parse_position(text)


def played_text(position: str, move: str) -> str:
    start = parse(position)
    return NOTATION.format_position(RULES.play(start, NOTATION.parse_move(start, move)))


def perft(position: Position, depth: int) -> int:
    moves = RULES.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(RULES.play(position, move), depth - 1) for move in moves)


@parametrize_amount("depths", 3, 4)
def test_perft_is_the_counted_one(facts: dict[str, Any], depths: int) -> None:
    assert [perft(START, depth + 1) for depth in range(depths)] == facts["perft"][:depths]


@pytest.mark.parametrize(
    ("before", "after"),
    [("a4", "a3"), ("a1", "b1"), ("d1", "d2"), ("d4", "c4"), ("b3", "b2"), ("b2", "c2"), ("c2", "c3"), ("c3", "b3")],
)
def test_a_shift_runs_counter_clockwise_on_both_rings(before: str, after: str) -> None:
    column, row = "abcd".index(after[0]), "4321".index(after[1])
    rows = ["".join("W" if (x, y) == (column, row) else "." for x in range(4)) for y in range(4)]
    assert played_text("..../..../..../.... W", before) == f"{'/'.join(rows)} B"


def test_the_vacated_cell_is_free_and_the_entered_one_is_not() -> None:
    position = parse("..../..../W.../.... B")
    assert (position.white, position.black) == (4, 0)
    assert played_text("..../..../W.../.... B", "a2b2a2") == "..../..../..W./B... W"
    with pytest.raises(IllegalMove, match="b2 is not empty"):
        RULES.play(position, ("a2", "b2", "b2"))


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (("a2",), "a2 is not empty"),
        (("a2", "c2", "a1"), "do not share a side"),
        (("a3", "a4", "a1"), "a3 holds no marble of the opponent"),
        (("a2", "a1"), "a move is a cell, or three cells"),
        (("e5",), "a move is a cell, or three cells"),
    ],
)
def test_illegal_moves_are_refused_with_the_reason(move: tuple[str, ...], why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        RULES.play(parse("..../..../W.../.... B"), move)


def test_a_line_counts_only_after_the_shift() -> None:
    # Placing on a4 fills column a, but the shift breaks it; placing on b4 fills nothing, but the shift does.
    broken = played_text(".B../W..B/W..B/W... W", "a4")
    assert broken == "B..B/W..B/W.../WW.. B"
    assert RULES.result(parse(broken)) is None
    filled = played_text("W.../W.B./W.B./..B. W", "b4")
    assert filled == "W.../WBB./W.../W..B B"
    result = RULES.result(parse(filled))
    assert result is not None
    assert result.winner == 0


def test_either_player_may_complete_a_line_on_either_turn() -> None:
    # Black places a marble, and the shift makes White's four.
    before = parse("WW../WB../W.B./...B B")
    after = RULES.play(before, ("d2",))
    result = RULES.result(after)
    assert result is not None
    assert (result.winner, result.reason) == (0, "White has four in a row")
    with pytest.raises(GameOver, match="White has four in a row"):
        RULES.play(after, ("d1",))


def test_two_lines_at_once_are_a_draw() -> None:
    result = RULES.result(parse("W..B/W..B/W..B/W..B W"))
    assert result is not None
    assert (result.winner, result.reason) == (None, "both have four in a row")


def test_every_full_board_is_checked_six_times() -> None:
    decided_at = set()
    for white in (sum(bits) for bits in combinations(BIT.values(), 8)):
        position = Position(white, FULL ^ white)
        first, checks = find_first_line(position)
        result = RULES.result(position)
        assert result is not None
        assert result.winner == first, NOTATION.format_position(position)
        assert count_extra_shifts(position) == checks - 1
        decided_at.add(checks)
    assert decided_at == {1, 2, 3, 4, 5, 6}


def find_first_line(board: Position) -> tuple[int | None, int]:
    """Return who has a line first in six checks of the written board, and in which check. Without a line, this is the
    sixth."""
    for look in range(1, 7):
        rows = NOTATION.format_position(board)[:-2].split("/")
        lines = [*rows, *map("".join, zip(*rows, strict=True))]
        lines += ["".join(rows[k][k] for k in range(4)), "".join(rows[k][3 - k] for k in range(4))]
        winners = {line[0] for line in lines if len(set(line)) == 1}
        if winners:
            return (None if len(winners) == 2 else "WB".index(winners.pop())), look
        board = board.shift()
    return None, 6


def test_different_moves_lead_to_different_positions(
    random_positions: tuple[Position, ...], facts: dict[str, Any]
) -> None:
    for position in random_positions[::4]:
        moves = RULES.legal_moves(position)
        assert len({RULES.play(position, move) for move in moves}) == len(moves) <= facts["max_moves"]


def test_moves_are_listed_in_the_order_of_their_notation(random_positions: tuple[Position, ...]) -> None:
    for position in random_positions:
        texts = [NOTATION.format_move(position, move) for move in RULES.legal_moves(position)]
        assert texts == sorted(texts)


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("..../..../..../....", BadNotation, "not an Orbito position"),
        ("..../..../..../...x W", BadNotation, "not an Orbito position"),
        ("..../..../..../.... w", BadNotation, "not an Orbito position"),
        ("..../..../ ..../.... W", BadNotation, "not an Orbito position"),
        ("..../..../..../.... B", BadPosition, "the other side's turn"),
        ("W.../..../..../.... W", BadPosition, "the other side's turn"),
        ("WW../..../..../.... W", BadPosition, "White has 2 and Black 0"),
        ("B.../..../..../.... W", BadPosition, "White has 0 and Black 1"),
    ],
)
def test_a_bad_position_is_refused_with_the_reason(text: str, error: type[BadNotation], why: str) -> None:
    with pytest.raises(error, match=why):
        parse(text)


def test_blanks_around_a_position_or_a_move_are_no_part_of_it() -> None:
    text = "WB../..../..../.... W"
    assert parse(f" {text}\n") == parse(text)
    assert NOTATION.parse_move(parse(text), " b4b3c3\n") == ("b4", "b3", "c3")


def test_positions_and_moves_survive_their_spelling(random_positions: tuple[Position, ...]) -> None:
    for position in random_positions:
        assert parse(NOTATION.format_position(position)) == position
        for move in RULES.legal_moves(position)[::7]:
            assert NOTATION.parse_move(position, NOTATION.format_move(position, move)) == move
