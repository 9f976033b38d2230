"""Sentences about a move are true in games in which earlier positions would end the game. The values are found in a
second way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import pytest
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.reasons import build_moment, find_claims
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.value import Value, value_before
from onlymove_engines.games import load
from onlymove_engines.games.tobito.rules import Move, Position
from onlymove_engines.play.tree import Conventions
from onlymove_laws.claims import Case, Line, is_true
from onlymove_laws.law import find_shared_analyst

from tests.games.tobito.haunted import Haunted, TooFar
from tests.games.tobito.test_tobito_history import draw_history

MOVES = 4
"""How many moves of a board are asked about."""


@dataclass
class UnderWay(Case):
    """A move of a game in which positions have occurred twice."""

    told: dict[frozenset[Position], Haunted] = field(default_factory=dict)

    def worth(self, line: Line) -> Value:
        if (ended := Conventions(self.game).result(line)) is not None:
            return ended.value_for(line[-1].to_move)
        twice = frozenset(position for position, count in Counter(line).items() if count > 1)
        return self.told.setdefault(twice, Haunted(self.game, self.analyst, twice)).value(line[-1])

    def values(self, line: Line) -> Mapping[Move, Value]:
        moves = self.game.rules.legal_moves(line[-1])
        return {move: value_before(self.worth(self.extend(line, move)), 0, 1) for move in moves}


@pytest.mark.parametrize(
    ("game_id", "boards"),
    [("tobito", 3), *(pytest.param(game_id, 15, marks=pytest.mark.slow) for game_id in ("tobito", "haneto"))],
)
def test_sentences_about_a_move_are_true_in_its_game(game_id: str, boards: int) -> None:
    game = load(game_id)
    random, law, analyst = Random(16), Conventions(game), find_shared_analyst(game.id)
    changed, left_out, output = 0, 0, Counter[str]()
    for _ in range(boards):
        past, values = draw_history(game, analyst, random), dict[frozenset[Position], Haunted]()
        before, table = analyse_after(law, past, analyst), analyst.analyse(past[-1])
        for move in random.sample(list(before.moves), min(MOVES, len(before.moves))):
            moment = build_moment(law, past, move, before, analyst)
            assert moment is not None
            where = f"{[game.notation.format_position(p) for p in past]} {game.notation.format_move(past[-1], move)}"
            try:
                for claim in find_claims(moment, judge(before, move)):
                    case = UnderWay(game, analyst, past[-1], move, past[:-1], values)
                    assert is_true(case, claim), f"{where}: {claim.sentence}"
                    output[claim.kind] += 1
            except TooFar:
                left_out += 1
        changed += before.moves != table.moves
    assert changed > boards // 2
    assert output.total() > boards, f"{left_out} of {boards * MOVES} moves are not worked out; {output}"
