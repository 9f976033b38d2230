"""Positions and rounds of Light Riders as text, positions in words, and why a step is not allowed.

A position is written `W H cells`. A round such as `ul` has rider 0's step first. The form of a position is checked, but
not how it came about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.rules import MovePath, Target
from onlymove_engines.core.value import Seat

from .rules import CRASH, EMPTY, HEADS, LARGEST, RIDERS, RULES, SMALLEST, STEPS, Cell, Position, Round, Step

SPELLING: Final = re.compile(r"([0-9]{1,2})\s+([0-9]{1,2})\s+([.x01](?:,[.x01])*)")

DIRECTIONS: dict[Step, str] = {"u": "up", "d": "down", "l": "left", "r": "right"}


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    """Return the rule that forbids a step, in the words of the rules page."""
    step, head = path[0], position.head(seat)
    if step not in STEPS and step != CRASH:
        return "a step is one letter: u, d, l, r, or x for a rider with no way out"
    if step == CRASH or head is None:
        return "only a rider with no way out plays x"
    cell = position.find_neighbour(head, step)
    if RULES.moves_of(position, seat) == (CRASH,):
        return "a rider with no way out plays x"
    if cell is None:
        return "you would crash: that cell is off the field"
    if position.cells[cell] in HEADS:
        return "you would crash: even the cell that your opponent has just left is a wall"
    return "you would crash: that cell is a wall"


class LightRidersNotation:
    """Writes a position as its size and the competition's field string, and a move as one letter for each rider."""

    def format_position(self, position: Position) -> str:
        """Return `W H cells`, with the cells row by row, separated by commas."""
        return f"{position.width} {position.height} {','.join(position.cells)}"

    def parse_position(self, text: str) -> Position:
        match = SPELLING.fullmatch(text.strip())
        if match is None:
            raise BadNotation("expected 'W H cells', where the cells are '.', 'x', '0' or '1', separated by commas")
        width, height, cells = int(match[1]), int(match[2]), match[3].replace(",", "")
        if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
            raise BadPosition(
                f"a field must be {SMALLEST} x {SMALLEST} to {LARGEST} x {LARGEST}, not {width} x {height}"
            )
        if len(cells) != width * height:
            raise BadPosition(f"{width} x {height} needs {width * height} cells, found {len(cells)}")
        for name, head in zip(RIDERS, HEADS, strict=True):
            if cells.count(head) > 1:
                raise BadPosition(f"{name} ('{head}') appears on more than one cell")
        return Position(width, height, cells)

    def format_move(self, position: Position, move: Round | Step) -> str:
        """Write a round as two letters, or a single rider's step as one."""
        return "".join(move)

    def parse_move(self, position: Position, text: str) -> Round:
        spelled = text.strip().lower()
        if len(spelled) != 2 or any(step not in STEPS and step != CRASH for step in spelled):
            raise BadNotation("a round is two letters, Rider 1's first: u, d, l, r, or x for a crash")
        return (self.parse_choice(position, 0, spelled[0]), self.parse_choice(position, 1, spelled[1]))

    def parse_choice(self, position: Position, seat: Seat, text: str) -> Step:
        """Return the legal step of one rider written as `text`. Raises BadNotation, IllegalMove or GameOver."""
        step = text.strip().lower()
        if step not in STEPS and step != CRASH:
            raise BadNotation("a direction is one letter: u, d, l, r, or x for a crash")
        moves = RULES.moves_of(position, seat)
        if not moves:
            raise GameOver("the game is over: a rider has crashed")
        if step not in moves:
            raise IllegalMove(forbidden_by(position, seat, (step,)))
        return step

    def paths(self, position: Position, move: Round | Step) -> Sequence[MovePath]:
        """Return the direction or, for a whole round, both directions with rider 0's first."""
        return (tuple(move),)


def describe_position(position: Position) -> list[str]:
    """Describe where each rider is, counted from the top left, and how far it can go in each direction.

    >>> describe_position(Position(4, 2, "0..." "x..1"))[0]
    'Rider 1: column 1, row 1; free up 0, down 0, left 0, right 3.'
    """
    found = []
    for seat in (0, 1):
        head = position.head(seat)
        if head is None:
            found.append(f"{RIDERS[seat]}: crashed.")
            continue
        row, column = divmod(head, position.width)
        free = ", ".join(f"{name} {count_free_ahead(position, head, step)}" for step, name in DIRECTIONS.items())
        found.append(f"{RIDERS[seat]}: column {column + 1}, row {row + 1}; free {free}.")
    return found


def count_free_ahead(position: Position, cell: Cell, step: Step) -> int:
    count, ahead = 0, position.find_neighbour(cell, step)
    while ahead is not None and position.cells[ahead] == EMPTY:
        count, ahead = count + 1, position.find_neighbour(ahead, step)
    return count
