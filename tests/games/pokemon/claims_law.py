"""Checks the claims that only Pokémon Tic-Tac-Toe makes, from the text of positions."""

from __future__ import annotations

from typing import Any

from onlymove_engines.core.game import Claim
from onlymove_engines.games.pokemon.rules import Placement
from onlymove_laws.claims import Case

LINES = {
    **{f"row {row + 1}": {3 * row, 3 * row + 1, 3 * row + 2} for row in range(3)},
    **{f"column {'ABC'[column]}": {column, column + 3, column + 6} for column in range(3)},
    "the A1-C3 diagonal": {0, 4, 8},
    "the C1-A3 diagonal": {2, 4, 6},
}


def list_owners(case: Case, position: object) -> list[int | None]:
    """Return the owner of the visible piece of each cell."""
    cells = case.game.notation.format_position(position).split()[0].replace("/", "")
    return [None if cell == "x" else int(cell.isupper()) for cell in cells]


def completes(case: Case, reply: Placement, name: str) -> bool:
    after = list_owners(case, case.game.rules.play(case.child, reply))
    return {after[cell] for cell in LINES[name]} == {case.game.rules.to_move(case.child)}


def leaves_open(case: Case, claim: Claim) -> bool:
    before, theirs = list_owners(case, case.position), case.game.rules.to_move(case.child)
    rest = LINES[claim.facts["line"]] - {claim.facts["reply"].cell}
    return (
        completes(case, claim.facts["reply"], claim.facts["line"])
        and len(rest) == 2
        and all(before[cell] == theirs for cell in rest)
    )


def covers_cell(case: Case, claim: Claim) -> bool:
    return (
        completes(case, claim.facts["reply"], claim.facts["line"])
        and claim.facts["reply"].cell == case.move.cell in LINES[claim.facts["line"]]
    )


OWN = {"Open": leaves_open, "Covered": covers_cell}


def parts(case: Case) -> dict[frozenset[Any], str]:
    """Return the other moves that share a part with the one played, with a word for the part."""
    others = [move for move in case.own if move != case.move]
    cell = "ABC"[case.move.cell % 3] + str(case.move.cell // 3 + 1)
    size = ("small", "medium", "large")["abc".index(case.move.piece.lower())]
    return {
        frozenset(move for move in others if move.cell == case.move.cell): cell,
        frozenset(move for move in others if move.piece == case.move.piece): size,
    }
