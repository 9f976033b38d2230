"""Values and shares in words, as hints, reasons, lists and the command line write them."""

from __future__ import annotations

from onlymove_engines.core.analysis import AnyAnalysis
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Outcome, Seat, Value, other
from onlymove_engines.core.words import format_distance

SHARE_OF_TIME = "of the time"
"""Comes after the share of a move in the mix."""
SHARE_OF_POINTS = "share of the points"
"""What the payoffs show, after the name of the side."""


def label_value(game: AnyGame, position: AnyPosition, seat: Seat, value: Value) -> str:
    """Write a value that `seat` sees at a position as `W5`, `L8`, `D` or `+12`."""
    final = game.add_points_made(position, seat, value)
    return "0" if final.margin == 0 else str(final)


def format_value(game: AnyGame, position: AnyPosition, seat: Seat, value: Value, word: str | None = None) -> str:
    """Write a value that `seat` sees at a position in words: `win in 5 moves`, `draw`, `loss by 12`. Another `word` may
    take the place of the first, as in `wins in 5 moves`."""
    margin, word = game.add_points_made(position, seat, value).margin, value.outcome.word if word is None else word
    if margin is not None:
        return f"{word} by {abs(margin)}" if margin else word
    return f"{word}{format_distance(value.remoteness)}"


def shorten_value(game: AnyGame, position: AnyPosition, seat: Seat, value: Value) -> str:
    """Return a value in words that fit a cell of a board: `win`, `draw`, `loss`, `win 4`, `lose 12`."""
    margin = game.add_points_made(position, seat, value).margin
    if not margin:
        return value.outcome.word if margin is None else Outcome.DRAW.word
    return f"{'win' if margin > 0 else 'lose'} {abs(margin)}"


def is_cut_short(game: AnyGame, position: AnyPosition, move: Move, value: Value) -> bool:
    """Whether the move ends a game with points before all points are made, so that its margin promises too much."""
    end = None if value.margin is None else game.rules.result(game.rules.play(position, move))
    if end is None or end.score is None:
        return False
    seat = game.rules.to_move(position) or 0
    return end.score[seat] - end.score[other(seat)] != game.add_points_made(position, seat, value).margin


def format_move_value(game: AnyGame, position: AnyPosition, move: Move, value: Value) -> str:
    """Write a move's value like `format_value`. If it ends the game early, return `win at once` or `loss at once`."""
    if is_cut_short(game, position, move, value):
        return f"{value.outcome.word} at once"
    return format_value(game, position, game.rules.to_move(position) or 0, value)


def format_share(expected: float) -> str:
    """Write an expected result, given from -1 to 1, as the share of the points that a side scores: `62 %`."""
    return f"{(expected + 1) / 2:.0%}".replace("%", " %")


def describe_keeping(analysis: AnyAnalysis, is_past: bool = False) -> str:
    """Return `3 of 8 moves hold the draw`, `1 of 8 moves wins`, or with points `1 of 6 moves gives nothing away`. After
    a move was played (`is_past`), return `Only 1 of the 3 moves held the draw` or `22 of the 72 moves won`. Every
    move's value must be known."""
    top = analysis.best_value()
    assert top is not None, "asked only where every move is known"
    keeping, count = len(analysis.list_good_moves()), len(analysis.moves)
    verbs, what = ("hold", "holds", "held"), f" the {top.outcome.word}"
    if top.margin is not None:
        verbs, what = ("give", "gives", "gave"), " nothing away"
    elif top.outcome is Outcome.WIN:
        verbs, what = ("win", "wins", "won"), ""
    does = f"{verbs[2 if is_past else keeping == 1]}{what}"
    if is_past:
        return f"{'Only ' if keeping == 1 else ''}{keeping} of the {count} moves {does}"
    return f"{keeping} of {count} moves {does}"
