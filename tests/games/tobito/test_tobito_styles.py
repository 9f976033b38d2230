"""The styles: what those that use heat choose, and that none gives a value away at full strength."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.game import AnyGame, Style, Turn
from onlymove_engines.core.value import Loss, Outcome, Value, Win
from onlymove_engines.games.tobito.coach import describe_kind
from onlymove_engines.games.tobito.rules import HOME, apply_move
from onlymove_laws.law import parametrize_amount
from onlymove_tables.open import open_analyst, open_game

MAX_PLIES = 200
"""After this many plies, a game counts as drawn."""


@pytest.fixture(scope="module")
def analyst(game: AnyGame) -> Any:
    """Return the analyst with the shipped table."""
    opened = open_game(game)
    found, note = opened.analyst, opened.note
    assert not note, note
    return found


def list_choices(style: Style[Any, Any], position: Any, analysis: Any, analyst: Any) -> list[Any]:
    """Return the moves that a style chooses from."""
    return list(style.choose(Turn(position, position.to_move, analysis, analyst)))


class Player:
    """Plays a style against random moves, and remembers every position it has looked at."""

    def __init__(self, game: AnyGame, analyst: Any, style: str) -> None:
        self.game = game
        self.style = next(s for s in game.play.styles if s.id == style)
        self.analyst = analyst
        self.look = cache(analyst.analyse)
        self.best = cache(lambda position: list_choices(self.style, position, self.look(position), analyst))

    def play(self, seat: int, rng: random.Random) -> Outcome:
        """Play one game with the style on `seat`, in which every move must keep the value. Return the result for the
        style."""
        position = self.game.start({"begins": rng.choice(("Top", "Bottom"))}, 0)
        for _ in range(MAX_PLIES):
            result = self.game.rules.result(position)
            if result is not None:
                return result.outcome_for(seat)
            if position.to_move == seat:
                move = rng.choice(self.best(position))
                analysis = self.look(position)
                kept, best = analysis.moves[move], analysis.best_value()
                assert kept.outcome is best.outcome, self.game.notation.format_position(position)
                assert kept == best or (best.outcome is Outcome.LOSS and self.style.id == "practical")
            else:
                move = rng.choice(self.game.rules.legal_moves(position))
            position = apply_move(position, move)
        return Outcome.DRAW


@pytest.mark.parametrize("style", ["practical", "aggressive", "prudent", "balanced"])
@parametrize_amount("games", 3, 250)  # four styles of 250 games: a thousand a side
def test_full_strength_never_drops_a_value(game: AnyGame, analyst: Any, style: str, games: int) -> None:
    player = Player(game, analyst, style)
    for seat in (0, 1):
        rng = random.Random(seat)
        results = [player.play(seat, rng) for _ in range(games)]
        assert Outcome.LOSS not in results
        assert results.count(Outcome.WIN) > games // 2, "against random moves a style should win most games"


def test_styles_choose_by_heat_among_moves_that_keep_the_value(game: AnyGame, analyst: Any) -> None:
    for begins in ("Top", "Bottom"):
        position = game.start({"begins": begins}, 0)
        seat = position.to_move
        heats = {move: analyst.heat(apply_move(position, move)) for move in game.rules.legal_moves(position)}
        liking = {
            "aggressive": {move: heat[seat] for move, heat in heats.items()},
            "prudent": {move: -heat[1 - seat] for move, heat in heats.items()},
            "balanced": {move: heat[seat] - heat[1 - seat] for move, heat in heats.items()},
        }
        for style in game.play.styles[1:]:
            expected = {m for m, like in liking[style.id].items() if like == max(liking[style.id].values())}
            assert set(list_choices(style, position, analyst.analyse(position), analyst)) == expected, (
                style.id,
                begins,
            )


def test_winning_fast_and_losing_late_come_before_heat(game: AnyGame, analyst: Any) -> None:
    rng = random.Random(4)
    seen = 0
    while seen < 40:
        assert game.solved.index is not None
        try:
            position = game.solved.index.position(rng.randrange(game.solved.index.size))
        except ValueError:
            continue
        analysis = analyst.analyse(position)
        if not analysis.moves or analysis.value.outcome is Outcome.DRAW:
            continue
        seen += 1
        for style in game.play.styles[1:]:
            chosen = list_choices(style, position, analysis, analyst)
            assert chosen
            assert {analysis.moves[move].remoteness for move in chosen} == {analysis.value.remoteness}


def test_unproven_moves_are_preferred_to_lost_ones(game: AnyGame) -> None:
    position = game.default_start()
    live = open_analyst(game, None)
    lost, slow, fast, *unknown = game.rules.legal_moves(position)
    values: dict[Any, Value | None] = dict.fromkeys(unknown)
    for style in game.play.styles:
        known = values | {lost: Loss(2)}
        assert set(list_choices(style, position, Analysis(None, known), live)) == set(unknown)
        known = values | {slow: Win(5), fast: Win(3)}
        assert list_choices(style, position, Analysis(None, known), live) == [fast]


def test_the_coach_ranks_and_remarks_on_every_best_move(game: AnyGame, analyst: Any) -> None:
    position = game.default_start()
    assert game.voice.hints is not None
    output = game.voice.hints(position, analyst.analyse(position), analyst)
    assert set(output.ranked) == set(output.moves) == set(game.rules.legal_moves(position))


@parametrize_amount("count", 6, 40)
def test_the_coach_says_of_whom_how_many_replies_lose(game: AnyGame, analyst: Any, count: int) -> None:
    rng, counted = random.Random(1), 0
    for _ in range(count):
        position = game.default_start()
        for _ in range(8):
            moves = game.rules.legal_moves(position)
            position = game.rules.play(position, rng.choice(moves)) if moves else game.default_start()
        if game.rules.result(position) is not None:
            continue
        assert game.voice.hints is not None
        analysis = analyst.analyse(position)
        for move, words in game.voice.hints(position, analysis, analyst).moves.items():
            replies = analyst.analyse(apply_move(position, move)).moves.values()
            losing = sum(value.outcome is Outcome.LOSS for value in replies)
            if words and "lose" in words[0]:
                counted += 1
                assert words[0].startswith(f"{losing} of {len(replies)} "), words
            assert losing or "lose" not in words[0], words
    assert counted > count


def test_only_pawns_away_from_home_go_back(game: AnyGame) -> None:
    rng, kinds, position = random.Random(1), set(), game.default_start()
    for _ in range(300):
        moves = game.rules.legal_moves(position)
        for move in moves:
            kind, home = describe_kind(position, move)[0], HOME[position.to_move]
            kinds.add(kind)
            if kind in {"goes back home", "stays at home"}:
                assert move.landing in home
                assert (kind == "stays at home") == (move.origin in home)
        position = game.rules.play(position, rng.choice(moves)) if moves else game.default_start()
    assert {"goes back home", "stays at home"} <= kinds
