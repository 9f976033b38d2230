"""What every player may rely on in the way engines play: the first style of a game sets problems, and what is shown
as the punishment of a move is no engine's taste."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from onlymove_engines.coach.values import look, refutation
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis
from onlymove_engines.core.game import AnyGame, Style, Turn, alike
from onlymove_engines.core.value import Move, Outcome
from onlymove_engines.play.line import Line
from onlymove_engines.play.players import find_style

from .amounts import amounts
from .law import Law, alternating_games, games_with_styles, named, proven, seat_of, solved_games

Sample = tuple[Any, ...]


def liked(game: AnyGame, position: Any, analysis: Analysis[Any], analyst: AlternatingAnalyst) -> set[Move]:
    """What the style that a game is played with by default chooses from."""
    return set(find_style(game, "").choose(Turn(position, seat_of(game, position), analysis, analyst)))


def seen(game: AnyGame, position: Any, analyst: AlternatingAnalyst) -> Analysis[Any]:
    """What an engine is told of a position."""
    line = Line(game, position)
    found = look(line, line.root, analyst)
    assert isinstance(found, Analysis)
    return found


def not_winning(game: AnyGame, position: Any, move: Any, analyst: AlternatingAnalyst) -> float:
    """The share of the replies to a move after which whoever replies does not do better than draw; a draw is half."""
    values = [proven(value) for value in analyst.analyse(game.rules.play(position, move)).moves.values()]
    return sum(1 - value.outcome for value in values) / 2 / len(values) if values else -1.0


@solved_games
@alternating_games
@games_with_styles
@amounts("count", 30, 400)
def test_the_first_style_takes_the_moves_that_are_hardest_to_answer(
    game: AnyGame, analyst: AlternatingAnalyst, unfinished: Sample, count: int, law: Law
) -> None:
    for position in unfinished[:count]:
        analysis = seen(game, position, analyst)
        top, chosen = proven(analysis.best_value()), liked(game, position, analysis, analyst)
        assert chosen <= set(analysis.keeping()), named(game, position)
        if top.outcome is Outcome.WIN:
            assert chosen <= set(analysis.best()), f"{named(game, position)}: a quicker win was to be had"
        elif top.outcome is Outcome.DRAW or top.remoteness is None:
            shares = {move: not_winning(game, position, move, analyst) for move in analysis.best()}
            assert {shares[move] for move in chosen} == {max(shares.values())}, f"{named(game, position)}: {shares}"
        law.held()


@solved_games
@alternating_games
@games_with_styles
def test_a_lost_game_is_not_played_by_chance(
    game: AnyGame, analyst: AlternatingAnalyst, unfinished: Sample, law: Law
) -> None:
    for position in unfinished:
        analysis = seen(game, position, analyst)
        if proven(analysis.best_value()).outcome is not Outcome.LOSS:
            continue
        chosen = liked(game, position, analysis, analyst)
        longest = {move: proven(analysis.moves[move]).remoteness for move in analysis.moves}
        shares = {move: not_winning(game, position, move, analyst) for move in analysis.best()}
        for move, share in shares.items():
            ahead = [one for one in chosen if longest[one] == longest[move]]
            assert all(share <= shares[one] for one in ahead if one in shares), f"{named(game, position)}: {move}"
        law.held()


@alternating_games
@games_with_styles
def test_the_punishment_that_is_shown_is_no_engines_taste(
    game: AnyGame, analyst: AlternatingAnalyst, unfinished: Sample, law: Law
) -> None:
    worst: Style[Any, Any] = Style("worst", "Worst", "", lambda turn: alike([min(turn.analysis.moves, key=str)]))
    other_taste = replace(game, styles=(worst,))
    for position in unfinished[:6]:
        move = Random(4).choice(list(game.rules.legal_moves(position)))
        lines = [Line(one, position) for one in (game, game, other_taste)]
        shown = [refutation(line, line.root, move, analyst) for line in lines]
        assert shown[0] == shown[1] == shown[2], f"{named(game, position)}: {shown}"
        law.held()
