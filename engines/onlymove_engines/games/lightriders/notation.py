"""Light Riders on paper: `W H cells` for a position, `ul` for a round, rider 0's step first.

Knows spelling and the checks a given position must pass. Does not know how a position came about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.rules import MovePath
from onlymove_engines.core.value import Seat

from .reasons import forbidden_by
from .rules import CRASH, HEADS, RULES, STEPS, Position, Round, Step

SMALLEST: Final = 3
LARGEST: Final = 24
SPELLING: Final = re.compile(r"([0-9]{1,2})\s+([0-9]{1,2})\s+([.x01](?:,[.x01])*)")


class LightRidersNotation:
    """Positions as the competition's field string with its size in front; moves as one letter a rider."""

    def format_position(self, position: Position) -> str:
        """`W H cells`, the cells row by row, separated by commas."""
        return f"{position.width} {position.height} {','.join(position.cells)}"

    def parse_position(self, text: str) -> Position:
        """The position spelled `text`. Raises BadNotation or BadPosition with the reason."""
        match = SPELLING.fullmatch(text.strip())
        if match is None:
            raise BadNotation("expected 'W H cells' with cells of '.', 'x', '0', '1' separated by commas")
        width, height, cells = int(match[1]), int(match[2]), match[3].replace(",", "")
        if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
            raise BadPosition(f"a field is {SMALLEST} x {SMALLEST} to {LARGEST} x {LARGEST}, not {width} x {height}")
        if len(cells) != width * height:
            raise BadPosition(f"{width} x {height} needs {width * height} cells, found {len(cells)}")
        for head in HEADS:
            if cells.count(head) > 1:
                raise BadPosition(f"rider {head} has more than one head")
        return Position(width, height, cells)

    def format_move(self, position: Position, move: Round | Step) -> str:
        """A round as two letters; a single rider's step as its letter."""
        return "".join(move)

    def parse_move(self, position: Position, text: str) -> Round:
        """The legal round spelled `text`. Raises BadNotation, IllegalMove or GameOver."""
        spelled = text.strip().lower()
        if len(spelled) != 2 or any(step not in STEPS and step != CRASH for step in spelled):
            raise BadNotation("a round is two letters of u, d, l, r (x for a crash), rider 0 first")
        return (self.parse_choice(position, 0, spelled[0]), self.parse_choice(position, 1, spelled[1]))

    def parse_choice(self, position: Position, seat: Seat, text: str) -> Step:
        """The legal step of one rider spelled `text`. Raises BadNotation, IllegalMove or GameOver."""
        step = text.strip().lower()
        if step not in STEPS and step != CRASH:
            raise BadNotation("a step is one letter: u, d, l, r (x for a crash)")
        moves = RULES.moves_of(position, seat)
        if not moves:
            raise GameOver("the game is over: a rider has crashed")
        if step not in moves:
            raise IllegalMove(forbidden_by(position, seat, (step,)))
        return step

    def paths(self, position: Position, move: Round | Step) -> Sequence[MovePath]:
        """The direction; for a whole round both directions, rider 0's first."""
        return (tuple(move),)
