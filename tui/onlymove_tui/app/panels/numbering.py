"""The numbers of moves, the same everywhere and as in records: a move of each side is one."""

from __future__ import annotations

from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.line import AnyNode
from onlymove_engines.records.record import move_number


def number_of(game: AnyGame, node: AnyNode) -> int:
    """The number of the move into `node`, as records count: a move of each side is one. 0 at the start."""
    return 0 if node.parent is None else move_number(game, node.parent)[0]


def numeral(game: AnyGame, node: AnyNode) -> str:
    """`7.` before a move of the first player, `7...` before one of the second."""
    assert node.parent is not None, "the start was not reached by a move"
    number, is_second = move_number(game, node.parent)
    return f"{number}{'...' if is_second else '.'}"


def named(game: AnyGame, node: AnyNode) -> str:
    """`7... a4c4`: the number and the spelling of the move into `node`."""
    if node.parent is None:
        return "the start"
    return f"{numeral(game, node)} {game.said(node.parent.position, node.move)}"


def place_of(game: AnyGame, node: AnyNode, end: AnyNode) -> str:
    """`Top's move 7 of 18`; where both move at once `round 7 of 18`."""
    last = number_of(game, end)
    if node.parent is None:
        return "the start"
    seat = game.rules.to_move(node.parent.position)
    what = "round" if seat is None else f"{game.seats[seat]}'s move"
    return f"{what} {number_of(game, node)} of {last}"
