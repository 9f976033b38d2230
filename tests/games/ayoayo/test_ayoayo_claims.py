"""Sentences about a move are true in games in which earlier positions would end the game. Another solver gives the
margins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import pytest
from onlymove_engines.coach.judge import Coaching, judge
from onlymove_engines.coach.reasons import build_moment, find_claims
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Margin, Value
from onlymove_engines.games.ayoayo import GAME, rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.codes import lead, value_of
from onlymove_engines.games.ayoayo.notation import format_position
from onlymove_engines.games.ayoayo.rules import Cell, Position
from onlymove_laws.claims import Case, Line, is_true

from tests.games.ayoayo.test_ayoayo_history import FAVOURED, LAW, Layer, draw_history


@dataclass
class UnderWay(Case):
    """A move of a game with earlier positions since the last capture."""

    layer: Layer | None = None

    def worth(self, line: Line) -> Value:
        position: Position = line[-1]
        if position in line[:-1]:
            return value_of(position, 0)
        assert self.layer is not None
        if sum(position.pits) < self.layer.seeds or rules.result(position) is not None:
            return super().worth(line)
        margin = int(self.layer.margins_after(list(line[:-1]))[self.layer.node(position)])
        return value_of(position, margin if position.to_move == FAVOURED else -margin)

    def values(self, line: Line) -> Mapping[Cell, Value]:
        return {move: self.find_move_value(line, move) for move in rules.legal_moves(line[-1])}

    def find_move_value(self, line: Line, move: Cell) -> Value:
        """Return the value of a move, including what it captures."""
        after, seat = self.extend(line, move), line[-1].to_move
        to_come = self.worth(after)
        assert isinstance(to_come, Margin)
        return value_of(line[-1], lead(after[-1].captured, seat) - lead(line[-1].captured, seat) - to_come.margin)


@pytest.mark.parametrize(("seeds", "boards", "least"), [(4, 10, 5), pytest.param(8, 20, 20, marks=pytest.mark.slow)])
def test_sentences_about_a_move_are_true_in_its_game(
    analyst: AyoayoAnalyst, sections: Sections, seeds: int, boards: int, least: int
) -> None:
    random, layer, output = Random(seeds), Layer(seeds, sections["margin"]), Counter[str]()
    while boards:
        past = draw_history(seeds, random)
        if not any(value is not None and value.margin for value in analyst.analyse(past[-1]).moves.values()):
            continue
        boards -= 1
        before, objective = analyse_after(LAW, past, analyst), random.choice(list(Objective))
        for move in before.moves:
            moment = build_moment(LAW, past, move, before, analyst)
            assert moment is not None
            case = UnderWay(GAME, analyst, past[-1], move, past[:-1], layer)
            for claim in find_claims(moment, judge(before, move, Coaching(objective=objective))):
                where = f"{[format_position(position) for position in past]} pit {move + 1}"
                assert is_true(case, claim), f"{where}: {claim.sentence}"
                output[claim.kind] += bool(moment.closed)
    assert output.total() > least, output
