"""What it takes for Tobito's own claims to be true, on a board of rows and columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from onlymove_engines.games.tobito.claims import Bridge, Jumped, Unlocked
from onlymove_engines.games.tobito.rules import Move, Position
from onlymove_laws.claims import Case


def board(position: Position) -> Mapping[tuple[int, int], str]:
    """What stands where, by column and row."""
    return {(cell % 3, cell // 3): piece for cell, piece in enumerate(position.cells)}


def way(move: Move) -> list[tuple[int, int]]:
    """The cells that a pawn flies over."""
    (x, y), (to_x, to_y) = ((cell % 3, cell // 3) for cell in move[:2])
    steps = max(abs(to_x - x), abs(to_y - y))
    return [(x + (to_x - x) * k // steps, y + (to_y - y) * k // steps) for k in range(1, steps)]


def fills(case: Case, reply: Move, over: int) -> bool:
    """Whether a winning reply flies over a cell that was empty before the move and is not any more."""
    cell = (over % 3, over // 3)
    before, after = board(case.position), board(case.child)
    return case.replies[reply] == 1 and cell in way(reply) and before[cell] == "." != after[cell]


def jumped(case: Case, claim: Jumped) -> bool:
    end = board(case.game.rules.play(case.child, claim.reply))
    over, to = ((cell % 3, cell // 3) for cell in (claim.over, claim.to))
    own = "TB"[case.position.to_move]
    is_put = board(case.child)[to] == "." and end[to] == own and end[over] == "."
    return fills(case, claim.reply, claim.over) and claim.over == case.move.landing and is_put


def bridge(case: Case, claim: Bridge) -> bool:
    return fills(case, claim.reply, claim.over)


def unlocked(case: Case, claim: Unlocked) -> bool:
    landing = (claim.reply.landing % 3, claim.reply.landing // 3)
    return case.replies[claim.reply] == 1 and board(case.position)[landing] != "." == board(case.child)[landing]


OWN = {"Jumped": jumped, "Bridge": bridge, "Unlocked": unlocked}


def parts(case: Case) -> dict[frozenset[Any], str]:
    """The other moves that share a part with the one played, and a word for the part."""
    others = [move for move in case.own if move != case.move]
    return {
        frozenset(move for move in others if move[:2] == case.move[:2]): "jump",
        frozenset(move for move in others if move[0] == case.move[0]): "pawn",
    }
