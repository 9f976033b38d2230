"""Why a move is bad: no sentence that is shown is false, and nearly every bad move gets one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.reasons import find_claims, look_around
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.play.line import Conventions

from .claims import Case, is_true
from .fixtures import analyst_of, known_of
from .law import Law, alternating_games

LONGEST = 60


def known_in_play(game: AnyGame, position: Any) -> Analysis[Any]:
    """What is known of a position, and which moves end the game as won."""
    ends_won = Case(game, analyst_of(game.id), position, None).ends_won((position,))
    return replace(known_of(game.id, position), ends_won=ends_won)


def judged_moves(game: AnyGame, many: int, lots: Random) -> Iterator[tuple[list[Any], Any, Judgement]]:
    """So many moves of games in which every second move is good: what was before each, the move, its judgement."""
    law, seen = Conventions(game), 0
    while True:
        past = [game.default_start()]
        while law.result(past) is None and len(past) < LONGEST:
            if seen == many:
                return
            known = known_in_play(game, past[-1])
            move = lots.choice(list(known.moves))
            yield past, move, judge(known, move)
            seen += 1
            follow = lots.choice(known.best()) if lots.random() < 0.5 else move
            past = [*past, game.rules.play(past[-1], follow)]


def check(game: AnyGame, analyst: AlternatingAnalyst, many: int, law: Law, least: float) -> str:
    """No claim is false, and at least this share of the flagged moves gets one that does not only count. Tells how many
    of them get which."""
    kinds, flagged, told = Counter[str](), 0, 0
    for past, move, judgement in judged_moves(game, many, Random(many)):
        moment = look_around(Conventions(game), past[-1:], move, known_in_play(game, past[-1]), analyst)
        found = () if moment is None else find_claims(moment, judgement)
        case = Case(game, analyst, past[-1], move)
        named = [claim.facts["reply"] for claim in found if claim.kind in ("Punished", "OnlyReply")]
        for claim in found:
            where = f"{game.notation.format_position(past[-1])} {game.notation.format_move(past[-1], move)}"
            assert is_true(case, claim), f"{game.id} {where}: {claim.sentence}"
            if claim.kind == "Ignored":
                assert claim.facts["is_named"] == (claim.facts["reply"] in named), f"{where}: {claim}"
            law.held()
        flagged += judgement.flagged
        telling = {claim.kind for claim in found if judgement.flagged and not claim.is_count}
        told += bool(telling)
        kinds.update(telling)
    assert told >= least * flagged, f"{game.id}: only {told} of {flagged} flagged moves are told why"
    shares = ", ".join(f"{kind} {count / flagged:.1%}" for kind, count in kinds.most_common())
    return f"{game.id}: {told} of {flagged} flagged moves are told why, {told / flagged:.1%}: {shares}"


@alternating_games
def test_what_is_said_of_a_move_is_true(game: AnyGame, analyst: AlternatingAnalyst, law: Law) -> None:
    check(game, analyst, 150, law, 0.0)


@pytest.mark.slow
@alternating_games
def test_what_is_said_of_twenty_thousand_moves_is_true(
    game: AnyGame,
    analyst: AlternatingAnalyst,
    law: Law,
    facts: dict[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    record_property("told_why", check(game, analyst, 20_000, law, facts["told_why"]))
