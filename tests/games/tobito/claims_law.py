"""Checks the claims that only Tobito and Haneto make, on a board of rows and columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from onlymove_engines.core.game import Claim
from onlymove_engines.games.tobito.rules import Move, Position
from onlymove_laws.claims import Case


def board(position: Position) -> Mapping[tuple[int, int], str]:
    """Return the piece on each cell, by column and row."""
    return {(cell % 3, cell // 3): piece for cell, piece in enumerate(position.cells)}


def list_cells_between(move: Move) -> list[tuple[int, int]]:
    """Return the cells that a pawn flies over."""
    (x, y), (to_x, to_y) = ((cell % 3, cell // 3) for cell in move[:2])
    steps = max(abs(to_x - x), abs(to_y - y))
    return [(x + (to_x - x) * k // steps, y + (to_y - y) * k // steps) for k in range(1, steps)]


def fills_cell(case: Case, reply: Move, over: int) -> bool:
    """Whether a winning reply flies over a cell that was empty before the move and is not any more."""
    cell = (over % 3, over // 3)
    before, after = board(case.position), board(case.child)
    return case.replies[reply] == 1 and cell in list_cells_between(reply) and before[cell] == "." != after[cell]


def is_jump_true(case: Case, claim: Claim) -> bool:
    end = board(case.game.rules.play(case.child, claim.facts["reply"]))
    over, to = ((cell % 3, cell // 3) for cell in (claim.facts["over"], claim.facts["to"]))
    own = "TB"[case.position.to_move]
    is_put = board(case.child)[to] == "." and end[to] == own and end[over] == "."
    return (
        fills_cell(case, claim.facts["reply"], claim.facts["over"])
        and claim.facts["over"] == case.move.landing
        and is_put
    )


def bridge(case: Case, claim: Claim) -> bool:
    return fills_cell(case, claim.facts["reply"], claim.facts["over"])


def unlocks_cell(case: Case, claim: Claim) -> bool:
    landing = (claim.facts["reply"].landing % 3, claim.facts["reply"].landing // 3)
    return (
        case.replies[claim.facts["reply"]] == 1 and board(case.position)[landing] != "." == board(case.child)[landing]
    )


def reply_jumps(case: Case, claim: Claim) -> bool:
    reply, over = claim.facts["reply"], {(cell % 3, cell // 3) for cell in claim.facts["over"]}
    own, there = "TB"[case.position.to_move], board(case.child)
    jumped = {cell for cell in list_cells_between(reply) if there[cell] == own}
    best = max(case.replies.values())
    is_telling = case.replies[reply] == best and (best == 1 or [*case.replies.values()].count(best) == 1)
    return bool(jumped) and jumped == over and len(reply.pawns) == len(over) and is_telling


OWN = {"Jumps": reply_jumps, "Jumped": is_jump_true, "Bridge": bridge, "Unlocked": unlocks_cell}


def list_placed_pieces(move: Move) -> set[tuple[str, int]]:
    """Return the pieces that a move puts down, with their cells."""
    return {("pawn", cell) for cell in move.pawns} | (
        {("neutral", move.neutral)} if move.neutral is not None else set()
    )


def says_what_is_true(case: Case, sentence: str) -> bool:
    """Whether a sentence is right about which jumped pieces belong elsewhere. No good move leaves them there, and
    at least one leaves the others."""
    found = re.fullmatch(r"The jump was right, but (.*) belongs? elsewhere\.", sentence)
    if found is None:
        return True
    best, here = max(case.own.values()), list_placed_pieces(case.move)
    good = [move for move, worth in case.own.items() if worth == best and move[:2] == case.move[:2]]
    moved = [{kind for kind, _ in here - list_placed_pieces(move)} for move in good]
    fewest = min(len(here - list_placed_pieces(move)) for move in good)
    match found[1].split():
        case ["the", "neutral", "pawn"]:
            return fewest == 1 and {"neutral"} in moved and all("neutral" in kinds for kinds in moved)
        case ["the", "jumped", "pawn"]:
            return len(here) == 1 and {"pawn"} in moved
        case ["Top's" | "Bottom's", "pawn"]:
            only = len(here) == 2 and len(case.move.pawns) == 1 and {"pawn"} in moved
            return only and all("pawn" in kinds for kinds in moved)
        case ["the", "jumped", "pawns"]:
            return fewest == len(here) > 1
        case [count, "of", "the", "jumped", "pawns"]:
            return {"one": 1, "two": 2}[count] == fewest < len(here)
    return False


def parts(case: Case) -> dict[frozenset[Any], str]:
    """Return the other moves that share a part with the one played, with a word for the part."""
    others = [move for move in case.own if move != case.move]
    return {
        frozenset(move for move in others if move[:2] == case.move[:2]): "jump",
        frozenset(move for move in others if move[0] == case.move[0]): "pawn",
    }
