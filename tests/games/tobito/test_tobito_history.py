"""Values in Tobito and Haneto that take the history into account. A position that occurs a third time is a draw."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from onlymove_engines.coach.drill import format_setting, read_setting
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.analysis import Analyst, alternating
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Draw, Loss, Value, Win
from onlymove_engines.games import load
from onlymove_engines.games.tobito.rules import Move, Position
from onlymove_engines.play.tree import AnyTree, Conventions, GameTree, find_house_rule
from onlymove_laws.law import parametrize_amount
from onlymove_tables.open import open_game

DEEPEST = 3
"""How many plies after a move are followed in the other way."""


@pytest.fixture(scope="module")
def analyst(game: AnyGame) -> Analyst[Position, Move]:
    return alternating(open_game(game).analyst)


def wins_within(law: Conventions[Position, Move], past: list[Position], plies: int) -> bool:
    """Whether the side to move can win in this many plies, by following every line."""
    rules = law.game.rules
    if law.result(past) is not None:
        return False
    seat = rules.to_move(past[-1])
    for move in law.list_allowed(past):
        after = [*past, rules.play(past[-1], move)]
        ended = law.result(after)
        if ended.winner == seat if ended is not None else plies > 2 and loses_within(law, after, plies - 1):
            return True
    return False


def loses_within(law: Conventions[Position, Move], past: list[Position], plies: int) -> bool:
    """Whether every answer of the side to move leads to a loss in this many plies."""
    if law.result(past) is not None:
        return False
    children = [law.game.rules.play(past[-1], move) for move in law.list_allowed(past)]
    return all(wins_within(law, [*past, child], plies - 1) for child in children)


def search_every_line(law: Conventions[Position, Move], past: list[Position]) -> Value | None:
    """Return the value of the move that led to the last position, or `None` if it does not win or lose that soon."""
    for plies in range(1, DEEPEST + 1, 2):
        if wins_within(law, past, plies):
            return Loss(plies + 1)
    return next((Win(plies + 1) for plies in range(2, DEEPEST + 1, 2) if loses_within(law, past, plies)), None)


def draw_history(game: AnyGame, analyst: Analyst[Position, Move], random: Random) -> list[Position]:
    """Return earlier positions and, at the end, a position in which a win is near. The earlier ones are on the way to
    it, as if each had occurred twice."""
    assert game.solved.index is not None
    while True:
        try:
            position = game.solved.index.position(random.randrange(game.solved.index.size))
        except ValueError:
            continue
        if analyst.probe(position) in (Win(3), Win(5), Loss(4)) and game.rules.result(position) is None:
            break
    past: list[Position] = []
    for _ in range(random.randint(1, 3)):
        here = position
        for _ in range(random.randint(1, 2)):
            found = analyst.analyse(here)
            here = game.rules.play(
                here, random.choice(found.list_best_moves() if random.random() < 0.7 else list(found.moves))
            )
            if game.rules.result(here) is not None:
                break
            past.append(here)
    twice = [here for here in dict.fromkeys(past) if here != position]
    return [*twice, *twice, position]


def test_a_hint_threatens_nothing_and_counts_no_replies_where_what_has_stood_would_end_the_game(
    game: AnyGame, analyst: Analyst[Position, Move]
) -> None:
    random, law, changed = Random(3), Conventions(game), False
    assert game.voice.hints is not None
    while not changed:
        past = draw_history(game, analyst, random)
        found = analyse_after(law, past, analyst)
        assert found.past_counts
        output, fresh = (
            game.voice.hints(past[-1], known, analyst) for known in (found, replace(found, past_counts=False))
        )
        words = " ".join([*output.area, *(text for texts in output.moves.values() for text in texts)])
        assert "threatens" not in words, words
        assert "repl" not in words, words
        changed = output != fresh


@parametrize_amount("boards", 1, 12)
def test_wins_and_losses_in_a_game_are_those_of_every_line(
    game: AnyGame, analyst: Analyst[Position, Move], boards: int
) -> None:
    random, law, changed = Random(3), Conventions(game), 0
    for _ in range(boards):
        past = draw_history(game, analyst, random)
        found, table = analyse_after(law, past, analyst), analyst.analyse(past[-1])
        for move, value in found.moves.items():
            line = [*past, game.rules.play(past[-1], move)]
            where = f"{[game.notation.format_position(p) for p in past]}, {game.notation.format_move(past[-1], move)}"
            expected = search_every_line(law, line)
            assert value is not None, where
            if expected is not None or (value.remoteness or DEEPEST + 2) <= DEEPEST + 1:
                assert value == expected, where
            changed += value != table.moves[move]
    assert changed > boards // 2


def test_a_move_that_leaves_no_reply_by_the_house_rule_wins_at_once() -> None:
    game = load("tobito")
    law = Conventions(game, find_house_rule(game, "no-repetitions"))
    past = [game.notation.parse_position("..B/.../.../BBT/T.T T")]
    for text in ["c2c3", "b2b3", "c3c4", "b3c3"]:
        past.append(game.rules.play(past[-1], game.notation.parse_move(past[-1], text)))
    ends = game.notation.parse_move(past[-1], "c4c2+b1")
    end = law.result([*past, game.rules.play(past[-1], ends)])
    assert end is not None
    assert end.reason == "every move would repeat a position"
    found = analyse_after(law, past, alternating(open_game(game).analyst))
    assert (found.value, found.moves[ends], found.list_best_moves()) == (Win(1), Win(1), (ends,))
    values = {move: value for move, value in found.moves.items() if move != ends}
    assert set(values.values()) == {Win(3), Draw(), Loss(10), Loss(14)}, "the others are worth what they were"


def test_a_drill_stores_which_moves_leave_no_reply_by_the_house_rule() -> None:
    game = load("tobito")
    tree: AnyTree = GameTree(game, game.notation.parse_position("..B/.../.../BBT/T.T T"), game.play.house_rules[0])
    node = tree.root
    for text in ["c2c3", "b2b3", "c3c4", "b3c3"]:
        node = tree.add(node, game.notation.parse_move(node.position, text))
    again = read_setting(game, format_setting(tree, node))
    ends = game.notation.parse_move(node.position, "c4c2+b1")
    assert again.add(again.here, ends).result is not None, format_setting(tree, node)
