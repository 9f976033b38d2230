"""Training flags exactly the moves that drop the value: the screen's own code against a second way to the answer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Outcome, Value
from onlymove_engines.match.match import Match
from onlymove_engines.play.session import Session
from onlymove_engines.search.strategy import ahead_by

from .amounts import amounts
from .fixtures import playout, starts
from .law import Law, alternating_games, proven, seat_of, solved_games


def sampled(game: AnyGame, count: int) -> Iterator[tuple[Any, list[Any]]]:
    """Positions of random games with all their moves, until there are `count` pairs."""
    random, total = Random(10), 0
    seen: set[Any] = set()
    while total < count:
        for start in starts(game):
            for position, move in playout(game, start, random):
                if move is None or position in seen:
                    continue
                seen.add(position)
                moves = list(game.rules.legal_moves(position))
                yield position, moves
                total += len(moves)
                if total >= count:
                    return


def worth(analyst: AlternatingAnalyst, position: Any) -> Value:
    """The value for the side to move by a bare look-up, or by search where the table does not reach."""
    value = analyst.probe(position)
    return proven(analyst.analyse(position).value) if value is None else value


class After(NamedTuple):
    """What a move brings the side that plays it: the outcome, and the points with those the move takes; `None` when
    it ends the game."""

    outcome: Outcome
    points: int | None

    @classmethod
    def of(cls, game: AnyGame, analyst: AlternatingAnalyst, position: Any, move: Any) -> After:
        seat, child = seat_of(game, position), game.rules.play(position, move)
        value = -worth(analyst, child)
        if game.rules.result(child) is not None:
            return cls(value.outcome, None)
        taken = ahead_by(game, child, seat) - ahead_by(game, position, seat)
        return cls(value.outcome, (value.margin or 0) + taken)


@solved_games
@alternating_games
@amounts("pairs", 1_000, 10_000)
def test_flagged_exactly_when_the_value_drops(
    game: AnyGame, analyst: AlternatingAnalyst, objective: Objective, pairs: int, law: Law
) -> None:
    for position, moves in sampled(game, pairs if not game.facts.has_margin else pairs // 5):
        seat = seat_of(game, position)
        before = worth(analyst, position)
        match = Match(Session(game, position), Coaching(OnBad.ASK, objective))
        match.learn(match.node.id, analyst.analyse(position))
        afters = {move: After.of(game, analyst, position, move) for move in moves}
        is_decided = game.facts.has_margin and len({after.outcome for after in afters.values()}) == 1
        for move, after in afters.items():
            drops = after.outcome < before.outcome
            if is_decided or objective is Objective.MARGIN:
                if after.points is None:
                    continue  # margins think of play going on; what a finished board would give cannot be asked here
                drops = after.points < (before.margin or 0)
            where = f"{game.notation.format_position(position)}, {game.notation.format_move(position, move)}"
            verdict = match.offer(seat, move)
            assert verdict is not None, "the values are known"
            assert verdict.judgement.flagged == drops, f"{game.id}: {where}: {before} -> {after}"
            assert (match.held is not None) == drops, f"{game.id}: {where}"
            law.held()
            match.rethink()
            match.session.line.stand_at(match.session.line.root)
