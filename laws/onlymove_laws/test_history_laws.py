"""The laws of a game's history, for every game that can cycle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from onlymove_engines import games
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.values import look
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, alternating
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Objective
from onlymove_engines.core.value import Move, Value
from onlymove_engines.play.line import AnyLine, AnyNode, Line
from onlymove_tables.open import find_analyst

from .amounts import amounts
from .law import Law, of_games, proven

LONGEST = 120
NODES, REPLIES = 10, 3
"""So many nodes of a line are compared with so many of their replies."""
TWO_LINES, EVERY_LINE = range(5, 7), range(40)
"""By their seeds two games of each in which positions soon come back, and all that are tried."""

cycling_games = of_games(lambda game: game.facts.can_cycle)


def told(game: AnyGame, node: AnyNode) -> str:
    """The positions up to a node in the message of a law that was broken."""
    return f"{game.id}: {[game.notation.format_position(position) for position in node.positions()]}"


def known(line: AnyLine, node: AnyNode, analyst: AlternatingAnalyst) -> Analysis[Move]:
    """What the moves from a node are worth in the game under way."""
    found = look(line, node, analyst)
    assert isinstance(found, Analysis)
    return found


def lingering(line: AnyLine, analyst: AlternatingAnalyst, random: Random) -> Iterator[tuple[AnyNode, Analysis[Move]]]:
    """The nodes of a random game with what is known at each; both sides like to come back to where they have been."""
    node = line.root
    while node.result is None and node.ply < LONGEST:
        found, seen = known(line, node, analyst), set(node.positions())
        if line.closing(node):
            yield node, found
        keeping = found.keeping() or tuple(found.moves)
        back = [move for move in keeping if line.game.rules.play(node.position, move) in seen]
        choices = back if back and random.random() < 0.6 else keeping if random.random() < 0.8 else list(found.moves)
        node = line.add(node, random.choice(choices))


@cache
def walk(game_id: str, seed: int) -> tuple[AnyLine, tuple[tuple[AnyNode, Analysis[Move]], ...]]:
    """Such a game and its nodes: all the laws here are tried on the same ones."""
    game = games.load(game_id)
    line: AnyLine = Line(game)
    return line, tuple(lingering(line, alternating(find_analyst(game)[0]), Random(seed)))


@cycling_games
@amounts("lines", TWO_LINES, EVERY_LINE)
def test_a_move_is_worth_what_the_game_after_it_is(
    game: AnyGame, analyst: AlternatingAnalyst, law: Law, lines: Sequence[int]
) -> None:
    for seed in lines:
        (line, nodes), random = walk(game.id, seed), Random(seed)
        for node, found in random.sample(nodes, min(NODES, len(nodes))):
            assert found.value == found.best_value(), told(game, node)
            for move in random.sample(list(found.moves), min(REPLIES, len(found.moves))):
                after, value = known(line, line.add(node, move), analyst).value, found.moves[move]
                if isinstance(after, Value) and value is not None:
                    before, where = (-after).stepped_back(), f"{told(game, node)}, {move}"
                    # What a move captures is not in the value after it.
                    assert (value.outcome, value.remoteness) == (before.outcome, before.remoteness), where
                    law.held()


@cycling_games
@amounts("lines", TWO_LINES, EVERY_LINE)
def test_where_positions_come_back_no_worse_value_is_praised_and_no_best_move_blamed(
    game: AnyGame, analyst: AlternatingAnalyst, law: Law, lines: Sequence[int]
) -> None:
    for seed in lines:
        for node, found in walk(game.id, seed)[1]:
            if not found.is_complete:
                continue
            values = {move: proven(value) for move, value in found.moves.items()}
            best, is_decided = max(values.values()), len({value.outcome for value in values.values()}) == 1
            for move, value in values.items():
                judgement, where = judge(found, move, Objective.RESULT), f"{told(game, node)}, {move}"
                praised = judgement.grade in (Grade.BEST, Grade.FORCED)
                drops = value.outcome < best.outcome or (is_decided and value.margin != best.margin)
                assert praised == (value.preference == best.preference or move in found.ends_won), where
                assert judgement.flagged == (drops and not praised), where
                law.held()


@cycling_games
@amounts("lines", TWO_LINES, EVERY_LINE)
def test_a_position_comes_back_only_where_the_card_says_so_and_points_made_stay_made(
    game: AnyGame, analyst: AlternatingAnalyst, law: Law, lines: Sequence[int]
) -> None:
    repetition = game.repetition
    assert repetition is not None, f"{game.id} can cycle and nothing ends a repetition"
    for seed in lines:
        past = walk(game.id, seed)[0].root.end().positions()
        for i, there in enumerate(past):
            for here in past[i:]:
                if repetition.result(here).score != repetition.result(there).score:
                    assert not repetition.leads_back(here, there), f"{here} {there}"
            if there in past[i + 1 :]:
                for here in past[i : past.index(there, i + 1)]:
                    assert repetition.leads_back(here, there), f"{here} {there}"
                law.held()
