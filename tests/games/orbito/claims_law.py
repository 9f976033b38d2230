"""Checks the claim that only Orbito makes, by turning rings of letters."""

from __future__ import annotations

from typing import Any

from onlymove_engines.core.game import Claim
from onlymove_laws.claims import Case

RINGS = (["a4", "a3", "a2", "a1", "b1", "c1", "d1", "d2", "d3", "d4", "c4", "b4"], ["b3", "b2", "c2", "c3"])
LINES = {
    **{f"column {file}": {file + row for row in "1234"} for file in "abcd"},
    **{f"row {row}": {file + row for file in "abcd"} for row in "1234"},
    "the a1-d4 diagonal": {"a1", "b2", "c3", "d4"},
    "the a4-d1 diagonal": {"a4", "b3", "c2", "d1"},
}


def list_marbles(case: Case, position: object) -> dict[str, str]:
    """Return the marble on each cell, from the position's text."""
    rows, _ = case.game.notation.format_position(position).split()
    cells = zip("4321", rows.split("/"), strict=True)
    return {file + row: mark for row, marks in cells for file, mark in zip("abcd", marks, strict=True) if mark != "."}


def turn_rings(board: dict[str, str]) -> dict[str, str]:
    """Return the board after every marble has moved one cell on."""
    steps = {cell: ring[(k + 1) % len(ring)] for ring in RINGS for k, cell in enumerate(ring)}
    return {steps[cell]: mark for cell, mark in board.items()}


def completes_line(case: Case, claim: Claim) -> bool:
    mark = "WB"[case.game.rules.to_move(case.child) or 0]
    line, then = LINES[claim.facts["line"]], turn_rings(list_marbles(case, case.child))
    three = {cell for cell in line if then.get(cell) == mark}
    four = {
        cell
        for cell, marble in list_marbles(case, case.game.rules.play(case.child, claim.facts["reply"])).items()
        if marble == mark
    }
    push = [] if len(case.move) == 1 else [{*turn_rings(turn_rings({cell: mark}))} for cell in case.move[:2]]
    helps = bool(push) and bool(push[1] & three) and not push[0] & line
    return line <= four and len(three) == 3 and claim.facts["pushed"] == helps


def belongs_behind(case: Case, claim: Claim) -> bool:
    own, theirs = list_marbles(case, case.position).items()
    if own[1] != "WB"[case.game.rules.to_move(case.position) or 0]:
        own, theirs = theirs, own
    best = max(case.own.values())
    placed = {move[-1] for move, worth in case.own.items() if worth == best}
    is_outer = {own[0], claim.facts["cell"]} <= {*RINGS[0]}
    is_in_front = [*turn_rings(dict([own]))] == [theirs[0]]
    return is_outer and is_in_front and all([*turn_rings(turn_rings({cell: ""}))] == [own[0]] for cell in placed)


OWN = {"Coming": completes_line, "Behind": belongs_behind}


def parts(case: Case) -> dict[frozenset[Any], str]:
    """Return the other moves that share a part with the one played, with words for the part."""
    others = [move for move in case.own if move != case.move]
    shared = {
        frozenset(move for move in others if move[-1] == case.move[-1]): case.move[-1],
        frozenset(move for move in others if len(move) == 1): "ithout moving an opposing",
    }
    if len(case.move) == 1:
        return shared
    step, best = " to ".join(case.move[:-1]), max(case.own.values())
    pushes = [move for move in others if len(move) > 1 and move[-1] == case.move[-1]]
    is_one_right = any(case.own[move] == best for move in pushes)
    return {
        frozenset(move for move in others if move[:-1] == case.move[:-1]): step,
        frozenset({case.move[-1:]} & {*others}): (
            f"not after moving {step}" if is_one_right else "moving an opposing marble was wrong"
        ),
        **shared,
    }
