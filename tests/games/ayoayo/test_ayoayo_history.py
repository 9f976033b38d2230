"""Margins in Ayòayò that take the history into account, when earlier positions would end the game."""

from functools import partial
from random import Random

import numpy as np
import pytest
from onlymove_engines.coach.drill import Origin, fits, make_mistake_drills, read_setting
from onlymove_engines.coach.hint import LAST_STAGE, WIDEST, make_hint
from onlymove_engines.coach.judge import Coaching, judge
from onlymove_engines.coach.reasons import build_moment, find_claims
from onlymove_engines.coach.values import analyse_after, find_best_line, format_line
from onlymove_engines.core.analysis import AnyAnalysis, Sections
from onlymove_engines.core.judgement import Grade, Objective
from onlymove_engines.core.value import Margin
from onlymove_engines.games.ayoayo import GAME, rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.codes import lead
from onlymove_engines.games.ayoayo.index import closed_board, closed_number, seen_by
from onlymove_engines.games.ayoayo.notation import format_position, parse_move, parse_position
from onlymove_engines.games.ayoayo.rules import Cell, Position
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import MoveChooser, find_style
from onlymove_engines.play.session import Session
from onlymove_engines.play.tree import Conventions, GameTree
from onlymove_laws.law import parametrize_amount
from onlymove_tui.app.panels.value_rows import move_value_rows

from tests.games.ayoayo import _kernel
from tests.games.ayoayo.infinite import Nodes, boards_with, nodes

LAW = Conventions(GAME)
FAVOURED = 1
"""The side for which the independent solver counts."""

GIVEN_AWAY = ["2", "1", "6", "6", "5", "5", "6", "5", "3", "4", "1", "2"]
"""Moves from `START`. The last but one lets the position occur again, and so gives a win away."""
START = "2,0,0,0,0,0/1,2,1,1,1,0 20-20 1"


def play_line(moves: list[str]) -> GameTree[Position, Cell]:
    """Return the line with these moves."""
    tree = GameTree(GAME, parse_position(START))
    for text in moves:
        tree.go_to(tree.add(tree.here, parse_move(tree.here.position, text)))
    return tree


def test_a_win_that_is_given_away_by_letting_the_position_come_back_is_flagged(analyst: AyoayoAnalyst) -> None:
    tree = play_line(GIVEN_AWAY)
    *_, before, after, end = tree.here.path()
    assert end.result is not None
    assert end.result.reason == "the position came back"
    assert after.move is not None
    judgement = judge(analyse_after(LAW, before.positions(), analyst), after.move)
    assert (judgement.grade, judgement.flagged) == (Grade.MISSED_WIN, True)
    assert judge(analyst.analyse(before.position), after.move).grade is Grade.BEST, "by the table alone it is fine"


def test_the_refutation_of_letting_a_position_come_back_is_that_it_comes_back(analyst: AyoayoAnalyst) -> None:
    tree = play_line(GIVEN_AWAY[:-2])
    moves = find_best_line(tree, tree.here, 0, analyst)
    assert format_line(GAME, tree.here.position, moves) == GIVEN_AWAY[-2:]


def test_the_best_moves_in_play_bring_the_win_nearer(analyst: AyoayoAnalyst) -> None:
    before = play_line(GIVEN_AWAY[:-2]).here
    found = analyse_after(LAW, before.positions(), analyst)
    keeping = [move for move, value in found.moves.items() if value == found.best_value()]
    assert (keeping, list(found.list_best_moves())) == ([1, 3], [1]), "pit 4 keeps the margin and is farther from it"
    assert make_hint(GAME, before.position, found, LAST_STAGE, None).moves == (1,)
    assert set(analyst.analyse(before.position).list_best_moves()) == {0, 1, 3}, "analyse has no history"
    assert judge(found, 3).grade is Grade.BEST


def test_a_drill_holds_as_much_of_the_game_as_the_mistake_needs(analyst: AyoayoAnalyst) -> None:
    tree = play_line(GIVEN_AWAY)
    before, mistake = tree.here.path()[-3:-1]
    mistake.judgements[FAVOURED] = judge(analyse_after(LAW, before.positions(), analyst), 0)
    (drill,) = make_mistake_drills(Session.from_tree(tree))
    assert drill.position == f"{START} moves {' '.join(GIVEN_AWAY[:-2])}"
    again = read_setting(GAME, drill.position)
    assert again.here.positions() == before.positions()
    known = analyse_after(LAW, again.here.positions(), analyst)
    assert [judge(known, move).flagged for move in known.moves] == [True, False, False, True]


class Layer:
    """All closed boards with the same number of seeds, each with either side to move, solved again for every history.

    This finds the values of `analyse_after` in another way, with the method that the tests of other conventions use on
    the whole layer. Earlier positions are ends.
    """

    def __init__(self, seeds: int, margins: np.ndarray) -> None:
        self.seeds, self.numbers = seeds, boards_with(seeds)
        self.nodes: Nodes = nodes(self.numbers, margins, margins)

    def node(self, position: Position) -> int:
        """Return the number of a position's node."""
        number = closed_number(seen_by(position.pits, position.to_move))
        assert number is not None
        place = int(np.searchsorted(self.numbers, number))
        return place if position.to_move == FAVOURED else len(self.numbers) + place

    def margins_after(self, past: list[Position]) -> np.ndarray:
        """Return what the favoured side still gains at every node, if these positions end the game."""
        size = len(self.nodes.rows)
        ends = [self.node(position) for position in LAW.find_closing(past)]
        margins = np.full(size, -self.seeds, np.int16)
        left, queue, nothing = np.zeros(size, np.int8), np.empty(size, np.int32), np.zeros(size, np.int16)
        for t in range(-self.seeds + 2, self.seeds + 1, 2):
            state = np.zeros(size, np.int8)
            state[ends] = _kernel.WON if t <= 0 else _kernel.LOST
            _kernel.divide(t, nothing, *self.nodes.graph, state, left, queue)
            margins[(state == _kernel.HELD) | (state == _kernel.WON)] = t
        return margins


def draw_history(seeds: int, random: Random) -> list[Position]:
    """Return earlier positions and, at the end, a random board. Quiet play from that board could lead to the others."""
    numbers = boards_with(seeds)
    captured = random.choice([(24, 24 - seeds), (24 - seeds, 24), (20, 28 - seeds)])
    position = Position(closed_board(int(random.choice(numbers))), captured, FAVOURED)
    past: dict[Position, None] = {}
    for _ in range(random.randint(1, 12)):
        here = position
        for _ in range(random.randint(1, 5)):
            children = [rules.play(here, move) for move in rules.legal_moves(here)]
            quiet = [child for child in children if child.captured == captured and rules.result(child) is None]
            if not quiet:
                break
            here = random.choice(quiet)
        past[here] = None
    return [*(here for here in past if here != position), position]


def count_disagreements(analyst: AyoayoAnalyst, margins: np.ndarray, seeds: int, boards: int) -> tuple[int, int]:
    """Return the number of moves whose value the history changed, and of those that stayed unknown. Fail if the two
    ways differ."""
    random, changed, unknown, solved = Random(seeds), 0, 0, Layer(seeds, margins)
    while boards:
        past = draw_history(seeds, random)
        promised = analyst.analyse(past[-1])
        if not any(value is not None and value.margin for value in promised.moves.values()):
            continue
        boards -= 1
        found, worth = analyse_after(LAW, past, analyst), solved.margins_after(past)
        for move, value in found.moves.items():
            child, table = rules.play(past[-1], move), promised.moves[move]
            assert table is not None
            expected = int(worth[solved.node(child)]) if child.captured == past[-1].captured else table.margin
            if value is None:
                unknown += 1
                continue
            assert value.margin == expected, f"{[format_position(p) for p in past]}, pit {move + 1}"
            changed += value != table
    return changed, unknown


@pytest.mark.parametrize(("seeds", "boards"), [(4, 40), pytest.param(8, 25, marks=pytest.mark.slow)])
def test_margins_in_a_game_are_those_of_an_independent_solver(
    analyst: AyoayoAnalyst, sections: Sections, seeds: int, boards: int
) -> None:
    changed, unknown = count_disagreements(analyst, sections["margin"], seeds, boards)
    assert changed > 5
    assert unknown == 0


@parametrize_amount("boards", 3, 60)
def test_the_engine_reaches_the_value_promised_in_a_game_under_way(analyst: AyoayoAnalyst, boards: int) -> None:
    """The opponent heads for earlier positions."""
    random, engine = Random(9), MoveChooser(analyst, find_style(GAME, "exact"))
    for _ in range(boards):
        past = draw_history(8, random)
        seat, promised = past[-1].to_move, analyse_after(LAW, past, analyst).value
        assert isinstance(promised, Margin)
        lead_before = lead(past[-1].captured, seat)
        while (ended := LAW.result(past)) is None:
            position, moves = past[-1], LAW.list_allowed(past)
            children = {move: rules.play(position, move) for move in moves}
            if position.to_move == seat:
                find = partial(analyse_after, LAW, past, analyst)
                move = engine.choose(position, seat, moves, random, find_values=find)
            else:
                back = [move for move in moves if children[move] in LAW.find_closing(past)]
                move = random.choice(back or list(moves))
            past = [*past, children[move]]
        assert ended.score is not None
        won = lead(ended.score, seat) - lead_before
        if max(ended.score) <= rules.HALF:
            assert won >= promised.margin, [format_position(position) for position in past]
        assert ended.outcome_for(seat) >= promised.outcome, [format_position(position) for position in past]


HALF_TAKEN = ("1,0,2,0,2,3/3,0,1,3,0,1 24-8 0", "1,2,3,1,0,2/3,0,2,3,1,2 24-4 0")
"""Moves that end the game as a win differ in points, as if play went on. In the second position, every move ends it."""


@pytest.mark.parametrize(
    ("text", "worth", "beside", "shown"),
    [
        (HALF_TAKEN[0], "Win at once. 3 of 4 moves give nothing away.", "3 of 4 moves give nothing away", {0, 4, 5}),
        (HALF_TAKEN[1], "Win at once. Every move is equally good.", "No move gives anything away", {0, 1, 2, 3, 5}),
    ],
)
def test_a_hint_has_every_move_that_ends_the_game_as_won(
    analyst: AyoayoAnalyst, text: str, worth: str, beside: str, shown: set[Cell]
) -> None:
    position = parse_position(text)
    found: AnyAnalysis = analyse_after(LAW, [position], analyst)
    first, last = (make_hint(GAME, position, found, stage, None) for stage in (1, LAST_STAGE))
    assert first.lines == (worth,)
    assert set(last.moves) == shown
    assert {choice.value for choice in last.shown} == {"won"}, "nobody can collect more points"
    assert not fits(Origin.CONVERT, found, 0), "most moves win at once"
    live = LiveGame(Session(GAME, position), Coaching(), training=False)
    assert move_value_rows(live, live.node, found, WIDEST, None)[0][0][0] == beside


@parametrize_amount("boards", 8, 200)
def test_hints_and_reasons_count_the_moves_that_are_judged_to_give_nothing_away(
    analyst: AyoayoAnalyst, boards: int
) -> None:
    random, mixed = Random(4), 0
    for _ in range(boards):
        pits = closed_board(int(random.choice(boards_with(8))))
        position = Position(pits, (24, 16), 0)
        if rules.result(position) is not None:
            continue
        found = analyse_after(LAW, [position], analyst)
        judged = {move: judge(found, move, Coaching(objective=Objective.MARGIN)) for move in found.moves}
        kept = {move for move, judgement in judged.items() if not judgement.flagged}
        assert set(found.list_good_moves()) == kept, format_position(position)
        output = make_hint(GAME, position, found, LAST_STAGE, None).moves
        assert found.ends_won <= set(output) <= kept, format_position(position)
        mixed += 0 < len(found.ends_won) < len(kept)
        for move in [*(set(judged) - kept)][: len(found.ends_won)]:
            moment = build_moment(LAW, [position], move, found, analyst)
            assert moment is not None
            counted = find_claims(moment, judged[move])[-1]
            facts = {"keeping": len(kept), "moves": len(judged)}
            assert (counted.kind, counted.facts) == ("Counted", facts), format_position(position)
            assert "nothing away" in counted.sentence
    assert mixed, "nowhere does a move that goes on keep as much"
