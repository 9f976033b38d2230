"""The rules of Ayòayò, compared with facts from sources."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from onlymove_engines.coach.lessons import find_lessons
from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.games.ayoayo import GAME as AYOAYO
from onlymove_engines.games.ayoayo import notation, rules
from onlymove_engines.games.ayoayo.index import turned, turned_move
from onlymove_engines.games.ayoayo.rules import START, Position, preview
from onlymove_engines.play.tree import Conventions
from onlymove_laws.law import parametrize_amount

Playouts: TypeAlias = Callable[[int, int], Iterator[tuple[Position, int, Position]]]


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(rules.play(position, move), depth - 1) for move in rules.legal_moves(position))


def line(moves: list[int]) -> list[Position]:
    positions = [START]
    for move in moves:
        positions.append(rules.play(positions[-1], move))
    return positions


@parametrize_amount("depths", 5, 6)
def test_perft(facts: dict[str, Any], depths: int) -> None:
    counts = facts["perft"]["counts"][:depths]
    assert [perft(START, depth + 1) for depth in range(len(counts))] == counts


def test_seed_game_ends_in_the_sweep(facts: dict[str, Any]) -> None:
    fact = facts["seed_game"]
    before, final = line(fact["moves"])[-2:]
    assert rules.result(before) is None
    assert notation.format_position(final) == fact["final"]
    outcome = rules.result(final)
    assert outcome is not None
    assert (outcome.winner, outcome.score) == (None, (24, 24))
    unswept = notation.parse_position(fact["before_the_sweep"])
    assert rules.legal_moves(unswept) == ()
    assert rules.result(unswept) == outcome


def test_position_after_four_then_two(facts: dict[str, Any]) -> None:
    fact = facts["after_four_then_two"]
    position = line(fact["moves"])[-1]
    assert notation.format_position(position) == fact["position"]
    assert list(rules.legal_moves(position)) == fact["permitted"]


def test_empty_pit_and_finished_game_are_refused(facts: dict[str, Any]) -> None:
    position = rules.play(START, 4)
    with pytest.raises(IllegalMove, match="pit 4 is empty"):
        rules.play(rules.play(position, 2), 3)
    with pytest.raises(GameOver):
        rules.play(notation.parse_position(facts["seed_game"]["final"]), 0)
    with pytest.raises(IllegalMove, match="pits 1 to 6"):
        rules.play(position, 6)


def test_capture_goes_to_mover_with_the_last_seed_else_to_the_owner() -> None:
    mover_takes = notation.parse_position("1,1,1,0,0,0/3,2,0,0,0,0 20-20 0")
    after = rules.play(mover_takes, 0)
    assert notation.format_position(after) == "0,1,1,0,0,0/0,2,0,0,0,0 24-20 1"
    owner_takes = notation.parse_position("2,0,0,0,0,0/3,0,0,0,0,3 16-24 0")
    look = preview(owner_takes, 0)
    assert [(pit, taker) for pit, taker in look.captures] == [(0, 1)]
    assert look.last == 1


def test_a_hungry_row_must_be_fed() -> None:
    position = notation.parse_position("2,0,0,0,0,2/0,0,0,0,0,0 20-24 0")
    assert rules.legal_moves(position) == (0,)
    with pytest.raises(IllegalMove, match="pit 6 leaves the other row empty"):
        rules.play(position, 5)


def test_more_than_half_ends_the_game() -> None:
    position = notation.parse_position("1,1,1,1,0,0/1,1,1,1,0,0 28-12 1")
    outcome = rules.result(position)
    assert outcome is not None
    assert (outcome.winner, outcome.score, rules.legal_moves(position)) == (0, (28, 12), ())


def test_a_position_that_comes_back_ends_the_game() -> None:
    there = notation.parse_position("1,0,0,0,0,0/1,0,0,0,0,2 24-20 0")
    away = notation.parse_position("0,0,0,0,0,0/2,0,0,0,0,2 24-20 1")
    assert Conventions(AYOAYO).result([there, away]) is None
    outcome = Conventions(AYOAYO).result([there, away, there])
    assert outcome is not None
    assert (outcome.winner, outcome.score) == (0, (24, 20))


def test_half_turn_is_not_noticed(playouts: Playouts) -> None:
    for before, move, after in playouts(2000, 1):
        assert turned(turned(before)) == before
        assert rules.play(turned(before), turned_move(move)) == turned(after), (before, move)


def test_random_play_keeps_the_law(facts: dict[str, Any], playouts: Playouts) -> None:
    for before, move, after in playouts(3000, 2):
        assert sum(after.pits) + sum(after.captured) == rules.SEEDS, (before, move)
        assert (rules.legal_moves(after) == ()) == (rules.result(after) is not None), after
        assert preview(before, move).drops <= facts["boards"]["most_drops"]


def test_nothing_is_captured_where_the_lesson_teaches_relays() -> None:
    """A last seed that joins three makes four, which are captured. Lessons teach this later."""
    (task,) = [task for step in find_lessons(AYOAYO) for task in step.tasks if task.counts == ("relays",)]
    position = AYOAYO.notation.parse_position(task.position)
    for cell in rules.legal_moves(position):
        events = rules.sowing(list(position.pits), position.to_move, rules.pit_of(position.to_move, cell))
        assert all(event.act is not rules.Act.CAPTURE for event in events), cell
