"""The compiled rules agree with the plain ones, minimax agrees with the original program, and every reachable board is
counted."""

import math
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest
from onlymove_engines.games.ayoayo import rules, styles
from onlymove_engines.games.ayoayo._kernel import moves, search
from onlymove_engines.games.ayoayo._kernel.search import make_memory
from onlymove_engines.games.ayoayo.notation import format_position, parse_position
from onlymove_engines.games.ayoayo.rules import SEEDS, START, Position, preview
from onlymove_laws.law import parametrize_amount

from tests.games.ayoayo import reach
from tests.games.ayoayo.kernel_law import children
from tests.games.ayoayo.random_games import play_against_random

Playouts: TypeAlias = Callable[[int, int], Iterator[tuple[Position, int, Position]]]


def compare_moves(position: Position) -> int:
    """Compare all moves of a position. Return how many there are."""
    by_rules = [(move, rules.play(position, move)) for move in rules.legal_moves(position)]
    assert children(position) == by_rules, format_position(position)
    return len(by_rules)


def compare_playouts(moves: int, playouts: Playouts, seed: int) -> int:
    return sum(compare_moves(before) for before, _, _ in islice(playouts(moves, seed), moves))


@parametrize_amount("plies", 700, 100_000)
def test_kernel_equals_rules_on_every_move_of_random_games(playouts: Playouts, plies: int) -> None:
    assert compare_playouts(plies, playouts, 6) > 2 * plies


def scatter_seeds(random: Random) -> Position:
    """Return a board, perhaps unreachable, with a random number of seeds in random pits."""
    total = 4 * random.randint(1, 12)
    pits = [0] * 12
    for _ in range(total):
        pits[random.choice(range(random.randint(1, 12)))] += 1
    random.shuffle(pits)
    first = 4 * random.randint(0, 12 - total // 4)
    return Position(tuple(pits), (first, 48 - total - first), random.randint(0, 1))


@parametrize_amount("count", 100, 3000)
def test_kernel_equals_rules_on_boards_that_play_cannot_reach(count: int) -> None:
    random = Random(7)
    for _ in range(count):
        compare_moves(scatter_seeds(random))


def test_keys_name_boards() -> None:
    random, board = Random(8), np.zeros(12, np.int64)
    boards = {scatter_seeds(random).pits for _ in range(2000)} | {(0,) * 12, (48, *(0,) * 11), (*(0,) * 11, 48)}
    keys = {int(moves.key(np.array(pits, np.int64))): pits for pits in boards}
    assert len(keys) == len(boards)
    for key, pits in keys.items():
        reach.board_of(key, board)
        assert tuple(board) == pits


def test_questions_about_full_boards_are_distinguished() -> None:
    """Above 44 seeds, a board's key and t need more than 64 bits. These two boards have the same lower bits."""
    memory = make_memory(np.zeros(0, np.int8), np.zeros(4, np.int64))
    one, other = (np.array([*pits, *[4] * 9, 9], np.int64) for pits in ((1, 2), (2, 1)))
    keys = [int(moves.key(board)) for board in (one, other)]
    assert one.sum() == other.sum() == SEEDS
    assert len({key * 128 % 2**64 for key in keys}) == 1
    for t in (-SEEDS, -4, 0, SEEDS):
        search.remember_answer(one, t, 5, 7, memory)
        assert [search.recall_asked(board, t, memory) for board in (one, other)] == [(5, 7), (1, 1)]
        assert search.recall_asked(one, t + 1, memory) == (1, 1)


def test_a_sowing_that_takes_the_most_drops_ends_and_an_endless_one_is_not_offered(facts: dict[str, Any]) -> None:
    fact = facts["endless"]
    position = parse_position(fact["position"])
    for move in range(6):
        endless = bool(position.row(position.to_move)[move]) and move not in rules.legal_moves(position)
        assert endless == (move == fact["move"]), move
    assert fact["move"] not in [move for move, _ in children(position)]
    longest = parse_position(facts["longest"]["position"])
    assert preview(longest, facts["longest"]["move"]).drops == facts["boards"]["most_drops"]
    for depth in styles.DEPTHS:
        assert styles.minimax_move(position, depth) in rules.legal_moves(position)


@pytest.mark.slow
def test_every_reachable_board(facts: dict[str, Any]) -> None:
    fact = facts["boards"]
    figures = np.zeros(5, np.int64)
    slots, queue = np.zeros(1 << 27, np.int64), np.zeros(fact["reachable"] + 1, np.int64)
    assert reach.explore(np.array(START.pits, np.int64), fact["most_drops"], slots, queue, figures)
    assert figures[reach.BOARDS] == fact["reachable"]
    assert figures[reach.MOVES] == fact["moves"]
    assert figures[reach.ENDLESS_BOARDS] == fact["with_endless_move"]
    assert figures[reach.LONGEST] == 1
    assert figures[reach.LONGER] == 0


def plain_minimax(position: Position, depth: int) -> tuple[int, int | None]:
    """The original program's opponent, as simple as possible. Return the score and the first best move."""
    if depth == 0 or rules.result(position) is not None:
        outcome = rules.result(position)
        first, second = position.captured if outcome is None or outcome.score is None else outcome.score
        return first - second, None
    sign = 1 if position.to_move == 0 else -1
    best, choice = -1000, None
    for move in rules.legal_moves(position):
        worth = sign * plain_minimax(rules.play(position, move), depth - 1)[0]
        if worth > best:
            best, choice = worth, move
    return sign * best, choice


@pytest.mark.parametrize(("depth", "count"), [(1, 200), (2, 100), (3, 60), (4, 15)])
def test_minimax_is_the_plain_one(playouts: Playouts, depth: int, count: int) -> None:
    for before, _, _ in islice(playouts(count * 7, 9 + depth), 0, None, 7):
        assert styles.minimax_move(before, depth) == plain_minimax(before, depth)[1], format_position(before)


@pytest.mark.slow
@pytest.mark.parametrize("row", range(7))
def test_minimax_fares_against_random_as_the_seed_published(facts: dict[str, Any], row: int) -> None:
    """This uses the original program's rules, in which positions may occur again. Under ours, some games would end
    earlier."""
    own, depth, *published = facts["seed_minimax"]["games"][row]
    tally, games = np.zeros(4, np.int64), max(4_000, sum(published))
    play_against_random(games, depth, own, True, 1, tally)
    assert tally[:3].sum() == games
    for count, theirs in zip(tally, published, strict=False):
        share, expected = count / games, theirs / sum(published)
        spread = math.sqrt(share * (1 - share) * (1 / games + 1 / sum(published)))
        assert abs(share - expected) <= 4 * spread + 0.002, (tally, published)
