"""How the engine plays and what the coach says: no value is given away, and better chances win more games."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.game import Style
from onlymove_engines.core.value import Outcome
from onlymove_engines.games.pokemon.analyst import PokemonAnalyst
from onlymove_engines.games.pokemon.coach import collect_hints, find_share, find_traps
from onlymove_engines.games.pokemon.codes import KEEPING_WEIGHT, TRAP_SCALE, trap_of
from onlymove_engines.games.pokemon.notation import NOTATION
from onlymove_engines.games.pokemon.rules import RULES, START, Placement, Position
from onlymove_engines.games.pokemon.styles import STYLES, find_trap
from onlymove_engines.play.players import MoveChooser
from onlymove_laws.law import parametrize_amount

PRACTICAL, FASTEST = STYLES


class Remembering(PokemonAnalyst):
    """The table with a memory, because tests ask about the same early positions thousands of times."""

    def __init__(self, table: PokemonAnalyst) -> None:
        super().__init__(table.columns)
        self._recall = cache(super().analyse)

    def analyse(self, position: Position, *_: Any) -> Analysis[Placement]:
        return self._recall(position)


@pytest.fixture(scope="module")
def analyst(table: PokemonAnalyst) -> Remembering:
    return Remembering(table)


def chooser(analyst: Any, style: Style[Position, Placement], strength: int) -> MoveChooser:
    return MoveChooser(analyst, style, strength)


def play(first: MoveChooser, second: MoveChooser, rng: Random) -> list[Position]:
    positions = [START]
    while moves := RULES.legal_moves(positions[-1]):
        mover = (first, second)[positions[-1].seat]
        positions.append(RULES.play(positions[-1], mover.choose(positions[-1], positions[-1].seat, moves, rng)))
    return positions


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.id)
@pytest.mark.parametrize("seat", [0, 1])
@parametrize_amount("games", 15, 1000)
def test_full_strength_never_loses_and_never_drops_a_value(
    analyst: Remembering, style: Style[Position, Placement], seat: int, games: int
) -> None:
    rng, engine, guest = Random(7), chooser(analyst, style, 100), chooser(analyst, FASTEST, 0)
    for _ in range(games):
        positions = play(*((engine, guest) if seat == 0 else (guest, engine)), rng)
        values = [analyst.probe(position) for position in positions]
        for before, after, position in zip(values, values[1:], positions, strict=False):
            assert before is not None
            assert after is not None
            if position.seat == seat:
                assert after.outcome == -before.outcome, NOTATION.format_position(position)
        result = RULES.result(positions[-1])
        assert result is not None
        assert result.winner != 1 - seat


def wins(analyst: Remembering, style: Style[Position, Placement], seat: int, games: int) -> int:
    rng, engine, guest = Random(8), chooser(analyst, style, 100), chooser(analyst, FASTEST, 50)
    won = 0
    for _ in range(games):
        result = RULES.result(play(*((engine, guest) if seat == 0 else (guest, engine)), rng)[-1])
        won += result is not None and result.winner == seat
    return won


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_practical_chances_win_more_than_random_moves_that_keep_the_value(analyst: Remembering, seat: int) -> None:
    """The opponent has strength 50. The difference must be at least three standard errors of a difference of two
    counts."""
    games = 1000
    ranked, anyhow = wins(analyst, PRACTICAL, seat, games), wins(analyst, FASTEST, seat, games)
    spread = (ranked * (games - ranked) / games + anyhow * (games - anyhow) / games) ** 0.5
    assert ranked - anyhow > 3 * spread, (ranked, anyhow)


def list_draws(analyst: Remembering, games: Sequence[Any]) -> list[Position]:
    found = [position for positions, _ in games for position in positions[2:-1]]
    return [position for position in found if analyst.analyse(position).value.outcome is Outcome.DRAW]  # type: ignore[union-attr]


def test_the_coach_ranks_exactly_the_moves_that_keep_the_value(
    analyst: Remembering, random_games: Callable[[int, int], Any]
) -> None:
    positions = list_draws(analyst, random_games(120, 9))
    assert len(positions) > 100
    for position in positions[::3]:
        analysis = analyst.analyse(position)
        output = collect_hints(position, analysis, analyst)
        assert set(output.ranked) == set(analysis.list_good_moves())
        traps = find_traps(position, analysis, analyst).items()
        ranks = [(find_share(found), find_trap(analyst, RULES.play(position, move), 0)) for move, found in traps]
        assert ranks == sorted(ranks, reverse=True)
        assert not re.search(r"[A-C][1-3]|@", " ".join(output.area)), output.area


def test_share_of_losing_replies(analyst: Remembering) -> None:
    position = NOTATION.parse_position("xxx/xcx/xxx 222212 2")
    found = find_traps(position, analyst.analyse(position), analyst)
    for move, trap in found.items():
        child = RULES.play(position, move)
        replies = [RULES.play(child, reply) for reply in RULES.legal_moves(child)]
        losing = [reply for reply in replies if analyst.probe(reply).outcome is Outcome.WIN]  # type: ignore[union-attr]
        assert (trap.losses, trap.moves) == (len(losing), len(replies))


def test_the_words_for_how_many_replies_lose_are_true(
    analyst: Remembering, random_games: Callable[[int, int], Any]
) -> None:
    least = {"nearly all": 0.9, "most": 0.6, "about half of the": 0.4, "some": 0.15, "a few": 0.0}
    output = set()
    for position in [NOTATION.parse_position("cxx/Cxb/cax 111101 2"), *list_draws(analyst, random_games(120, 9))]:
        analysis = analyst.analyse(position)
        first = next(iter(find_traps(position, analysis, analyst).values()))
        area = " ".join(collect_hints(position, analysis, analyst).area)
        found = re.search(r"sets a trap: (.*) (replies lose|reply loses)", area)
        assert (found is not None) == (first.losses > 0)
        if found is not None:
            output.add(found[1])
            assert (found[1] == "one") == (found[2] == "reply loses") == (first.losses == 1)
            assert found[1] == "one" or find_share(first) >= least[found[1]]
    assert {"one", "most", "some"} <= output, output


@parametrize_amount("games", 50, 400)
def test_stored_traps_equal_their_definition_in_plain_python(
    analyst: Remembering, random_games: Callable[[int, int], Any], games: int
) -> None:
    def lure(position: Position) -> int:
        keeping = [m for m, v in analyst.analyse(position).moves.items() if v and v.outcome is Outcome.DRAW]
        return max((trap(RULES.play(position, move)) for move in keeping), default=0)

    @cache
    def trap(position: Position) -> int:
        values = analyst.analyse(position).moves
        if not values:
            return 0
        losing = sum(1 for value in values.values() if value and value.outcome is Outcome.LOSS)
        keeping = [move for move, value in values.items() if value and value.outcome is Outcome.DRAW]
        weight = losing + KEEPING_WEIGHT * len(keeping)
        total = losing * TRAP_SCALE + KEEPING_WEIGHT * sum(lure(RULES.play(position, move)) for move in keeping)
        return int(total / weight + 0.5)

    late = [position for position in list_draws(analyst, random_games(games, 10)) if sum(position.hands) <= 5]
    assert len(late) > games // 13
    for position in late:
        assert trap_of(analyst.code(position) or 0) == trap(position), NOTATION.format_position(position)


def test_a_hint_says_in_how_many_lines_three_in_a_row_are_threatened(analyst: Remembering) -> None:
    random, position = Random(5), START
    for _ in range(120):
        theirs = "abcABC"[3 * (1 - position.seat) :][:3]
        best = max((size for size, kind in enumerate(theirs) if position.hands["aAbBcC".index(kind)]), default=-1)
        rows = [range(3 * k, 3 * k + 3) for k in range(3)] + [range(k, 9, 3) for k in range(3)]
        pairs = [
            [position.cells[cell] for cell in line]
            for line in (*rows, range(0, 9, 4), range(2, 7, 2))
            if sum(position.cells[cell] in theirs for cell in line) == 2
        ]
        rest = [next(piece for piece in line if piece not in theirs) for line in pairs]
        open_lines = sum(best > (-1 if piece == "x" else "abc".index(piece.lower())) for piece in rest)
        output = [
            line
            for line in collect_hints(position, analyst.analyse(position), analyst).area
            if "three in a row" in line
        ]
        ends = {0: [], 1: ["a row."]}.get(open_lines, [f"on {open_lines} lines."])
        assert [line[-len(end) :] for line, end in zip(output, ends, strict=True)] == ends, (position, output)
        moves = RULES.legal_moves(position)
        after = RULES.play(position, random.choice(list(moves)))
        position = START if RULES.result(after) else after
