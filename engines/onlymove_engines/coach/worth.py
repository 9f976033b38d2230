"""What a value is called: in a word for lists, in words for sentences. It reads the same everywhere.

With points the number is the margin at the end that best play leads to.
"""

from __future__ import annotations

from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Outcome, Seat, Value, other, proven

WON, LOST = "won", "lost"
"""In the place of points that nobody can collect any more."""


def at_end(game: AnyGame, position: AnyPosition, seat: Seat, value: Value) -> Value:
    """A value that `seat` sees at a position, with the margin of the whole game instead of that to come."""
    if value.margin is None or game.points is None:
        return value
    points = game.points(position)
    return proven(value.outcome, None, points[seat] - points[other(seat)] + value.margin)


def in_list(game: AnyGame, position: AnyPosition, seat: Seat, value: Value) -> str:
    """`W5`, `L8`, `D`, `+12`: a value that `seat` sees at a position."""
    final = at_end(game, position, seat, value)
    return "0" if final.margin == 0 else str(final)


def in_words(game: AnyGame, position: AnyPosition, seat: Seat, value: Value) -> str:
    """`win in 5`, `draw`, `loss by 12`: the same in words."""
    margin, word = at_end(game, position, seat, value).margin, value.outcome.word
    if margin is not None:
        return f"{word} by {abs(margin)}" if margin else word
    return word if value.remoteness is None else f"{word} in {value.remoteness}"


def is_cut_short(game: AnyGame, position: AnyPosition, move: Move, value: Value) -> bool:
    """Whether a move ends a game with points before all of them are taken, so that nobody gets what its value still
    counts."""
    end = None if value.margin is None else game.rules.result(game.rules.play(position, move))
    if end is None or end.score is None:
        return False
    seat = game.rules.to_move(position) or 0
    return end.score[seat] - end.score[other(seat)] != at_end(game, position, seat, value).margin


def move_in_list(game: AnyGame, position: AnyPosition, move: Move, value: Value) -> str:
    """What a move is worth to the side that plays it: as `in_list`, or `won`, `lost` where it ends the game so."""
    if is_cut_short(game, position, move, value):
        return WON if value.outcome is Outcome.WIN else LOST
    return in_list(game, position, game.rules.to_move(position) or 0, value)


def move_in_words(game: AnyGame, position: AnyPosition, move: Move, value: Value) -> str:
    """The same in words: as `in_words`, or `win at once`, `loss at once`."""
    if is_cut_short(game, position, move, value):
        return f"{value.outcome.word} at once"
    return in_words(game, position, game.rules.to_move(position) or 0, value)


def share(expected: float) -> str:
    """`62 %`: an expected result in [-1, 1] as the share of the points that a side scores."""
    return f"{(expected + 1) / 2:.0%}".replace("%", " %")
