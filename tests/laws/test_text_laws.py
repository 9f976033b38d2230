"""The laws of the app's texts in every game: explorer and analysis agree, and a hint fits its panel."""

from __future__ import annotations

from random import Random
from typing import Any

from onlymove_engines.coach.explore import explore
from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.game import AnyGame
from onlymove_laws.law import Law, alternating_games, parametrize_amount, solved_games, to_text
from onlymove_laws.test_coach_laws import make_ladder
from onlymove_laws.test_explore_laws import walk_randomly
from onlymove_tui.app.panels.value_rows import hint_rows
from onlymove_tui.cli.positions import node_facts, position_facts

PANEL = 26
"""The width of the text beside a board in a terminal of 80x24."""


@alternating_games
@solved_games
@parametrize_amount("count", 10, 1_000)
def test_the_last_node_of_a_walk_agrees_with_analyse(
    game: AnyGame, analyst: AlternatingAnalyst, count: int, law: Law
) -> None:
    for position in law.each(
        walk_randomly(game, count if count > 100 or not game.facts.plays_by_search else 6, Random(16))
    ):
        found: Any = node_facts(game, analyst, explore(game.rules, position, analyst), (None, None))
        expected: Any = position_facts(game, analyst, position, UNLIMITED)
        moves: list[Any] = [group | move for group in found["groups"] for move in group["moves"]]
        for one in (*moves, *expected["moves"]):
            one["remoteness"] = None if one["value"] == "draw" else one["remoteness"]
        names = ("move", "position", "value", "remoteness", "score", "heat")
        by_move = {one["move"]: tuple(one.get(name) for name in names) for one in moves}
        assert by_move == {one["move"]: tuple(one.get(name) for name in names) for one in expected["moves"]}, to_text(
            game, position
        )
        for name in ("position", "over", "value", "remoteness", "score", "heat"):
            assert found.get(name) == expected.get(name), f"{to_text(game, position)}: {name}"


@alternating_games
def test_a_hint_fits_beside_the_board(game: AnyGame, unfinished_positions: tuple[Any, ...], law: Law) -> None:
    for position in unfinished_positions[:20]:
        _, (*_, last) = make_ladder(game.id, position)
        for row in law.each(hint_rows(last, PANEL, with_numbers=True)[1:]):
            assert sum(len(text) for text, _ in row) <= PANEL, f"{to_text(game, position)}: {row}"
