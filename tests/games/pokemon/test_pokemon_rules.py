"""The rules and the notation: covering, the end of a game, text, numbers and symmetry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove, Unreachable
from onlymove_engines.core.rules import MoveEntry, Result
from onlymove_engines.games.pokemon import POKEMON
from onlymove_engines.games.pokemon.index import INDEX, SYMMETRIES
from onlymove_engines.games.pokemon.notation import NOTATION, describe_move, format_for_seed
from onlymove_engines.games.pokemon.rules import RULES, START, Placement, Position

Games = Callable[[int, int], list[tuple[tuple[Position, ...], tuple[Placement, ...]]]]


def parse(text: str) -> Position:
    return NOTATION.parse_position(text)


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(RULES.play(position, move), depth - 1) for move in RULES.legal_moves(position))


def test_plain_perft_of_the_first_plies(facts: dict[str, Any]) -> None:
    counts = facts["perft"]["xxx/xxx/xxx 222222 1"]
    assert [perft(START, depth) for depth in (1, 2, 3)] == counts[:3]


@pytest.mark.parametrize(
    ("text", "move", "reason"),
    [
        ("xxx/xcB/xxx 222112 1", "a@12", "on an empty cell"),
        ("xxx/xcB/xxx 222112 1", "b@12", "smaller piece"),
        ("xxx/xxx/xxx 222222 1", "A@00", "your opponent.s"),
        ("xxx/xcx/xxx 222212 2", "a@00", "your opponent.s"),
        ("Cxx/xcc/xxx 222201 2", "c@00", "your opponent.s"),
        ("Cxx/xcc/Cxx 222200 1", "c@01", "no large piece is left"),
    ],
)
def test_refused_placements(text: str, move: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        NOTATION.parse_move(parse(text), move)


def test_own_and_other_pieces_may_be_covered_and_do_not_return() -> None:
    position = parse("axA/xxx/xxx 112222 1")
    own = RULES.play(position, Placement("b", 0))
    assert NOTATION.format_position(own) == "bxA/xxx/xxx 111222 2"
    theirs = RULES.play(position, Placement("c", 2))
    assert NOTATION.format_position(theirs) == "axc/xxx/xxx 112212 2"


def test_three_visible_pieces_in_a_row_win_and_end_the_game() -> None:
    position = parse("abx/ABx/xxx 111122 1")
    won = RULES.play(position, Placement("c", 2))
    assert RULES.result(won) == Result(0, reason="three in a row")
    assert RULES.legal_moves(won) == ()
    with pytest.raises(GameOver):
        NOTATION.parse_move(won, "C@20")


def test_a_side_without_a_place_draws_though_the_other_could_move() -> None:
    position = parse("aBc/cAb/BbC 100001 1")  # a full board, and only a small piece in hand
    assert RULES.legal_moves(position) == ()
    assert RULES.result(position) == Result(None, reason="no piece can be placed")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "xxx/xcB/xxx 222112",
        "xxx/xcB/xxx 222112 3",
        "xxx/xcB/xxx 22211 1",
        "xxx/xcB/xxx 222113 1",
        "xxx/xcB/xx 222112 1",
        "xxx/xcD/xxx 222112 1",
        "xxxxcBxxx 222112 1",
        "xxx/xcB/xxx 222112 1 extra",
    ],
)
def test_what_is_no_position_at_all(text: str) -> None:
    with pytest.raises(BadNotation) as caught:
        parse(text)
    assert not isinstance(caught.value, BadPosition)


@pytest.mark.parametrize(
    "text",
    [
        "xxx/xcB/xxx 222122 1",  # c counted twice too often
        "xxx/xcB/xxx 222112 2",  # player 1 is to move
        "xxx/xxx/xxx 222222 2",
        "ccB/aaa/Bxx 022002 1",  # the side to move has a line already
        "aaa/AAA/bxx 001222 2",  # so do both here
    ],
)
def test_positions_that_break_a_rule(text: str) -> None:
    with pytest.raises(BadPosition):
        parse(text)


def test_every_spelling_of_a_move_is_read() -> None:
    move = Placement("b", 5)
    assert NOTATION.format_move(START, move) == "b@12"
    assert format_for_seed(move) == "(b:1, 2)"
    assert describe_move(START, move) == "M@C2"
    assert NOTATION.parse_move(START, "b@12") == NOTATION.parse_move(START, "(b:1, 2)") == move
    for text in ("b@C2", "b@c2", "M@C2", "m@c2"):
        assert NOTATION.parse_move(START, text) == move
    for wrong in ("b12", "b@13", "b@D1", "b@C4", "b@2C", "bC2", "d@00", "b@1", "(b:1 2)", ""):
        with pytest.raises(BadNotation):
            NOTATION.parse_move(START, wrong)


def test_text_and_numbers_lead_back(random_games: Games) -> None:
    for positions, moves in random_games(200, 1):
        for position in positions:
            assert parse(NOTATION.format_position(position)) == position
            canonical = INDEX.canonical(position)
            assert INDEX.position(INDEX.number(position)) == canonical
            assert INDEX.canonical(canonical) == canonical
        for position, move in zip(positions, moves, strict=False):
            assert NOTATION.parse_move(position, NOTATION.format_move(position, move)) == move
            assert NOTATION.parse_move(position, format_for_seed(move)) == move


def test_every_move_of_200_positions_by_path_and_by_text(random_games: Games) -> None:
    unfinished = [positions[ply % (len(positions) - 1)] for ply, (positions, _) in enumerate(random_games(200, 13))]
    for position in unfinished:
        moves = RULES.legal_moves(position)
        paths = POKEMON.paths(position, moves)
        assert len(paths) == len(moves)
        for (size, cell), move in paths.items():
            picked = MoveEntry(paths).pick(size)
            assert picked is not None
            entered = picked.pick(cell)
            assert entered is not None
            assert entered.move == move == parse_typed(position, move)


def parse_typed(position: Position, move: Placement) -> Placement:
    return NOTATION.parse_move(position, f" {NOTATION.format_move(position, move)} ")


def test_all_eight_symmetries_commute_with_play(random_games: Games) -> None:
    assert len({tuple(symmetry.position(Position("abcABCxAx", (0,) * 6, 0))) for symmetry in SYMMETRIES}) == 8
    for positions, moves in random_games(40, 2):
        for before, move, after in zip(positions, moves, positions[1:], strict=False):
            for symmetry in SYMMETRIES:
                image = RULES.play(symmetry.position(before), symmetry.move(move))
                assert image == symmetry.position(after), symmetry.name
                assert INDEX.number(image) == INDEX.number(after)


def test_numbers_that_are_not_in_use() -> None:
    for number in (-1, INDEX.size, INDEX.number(START) + 3):
        with pytest.raises(ValueError, match="number"):
            INDEX.position(number)
    with pytest.raises(Unreachable):
        INDEX.number(parse("xxx/xxx/xxx 222211 1"))
