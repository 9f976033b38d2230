"""Positions and moves of Ayòayò as text, why a pit may not be sown, and how players set up a position.

A position such as `4,4,4,4,4,4/4,4,4,4,4,4 0-0 0` lists row 0 and row 1 by cell, the seeds captured by player 0 and
player 1, and the player to move. A move is the number of its cell plus one, `1` to `6`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from onlymove_engines.core.errors import BadNotation, BadPosition
from onlymove_engines.core.game import SetUp
from onlymove_engines.core.rules import MovePath, Target, require_legal
from onlymove_engines.core.value import Seat, other

from . import rules
from .rules import CAPTURED_AT, CELLS, SEATS, SEEDS, Cell, Pit, Position, pit_of, sow

_ROW = r"([0-9]{1,2}(?:,[0-9]{1,2}){5})"
_POSITION = re.compile(rf"{_ROW}/{_ROW} ([0-9]{{1,2}})-([0-9]{{1,2}}) ([01])")


def format_position(position: Position) -> str:
    rows = (",".join(map(str, position.row(seat))) for seat in (0, 1))
    first, second = position.captured
    return f"{'/'.join(rows)} {first}-{second} {position.to_move}"


def parse_position(text: str) -> Position:
    found = _POSITION.fullmatch(text.strip())
    if found is None:
        raise BadNotation("write a position as in this example: 4,4,4,4,4,4/4,4,4,4,4,4 0-0 0")
    row0, row1 = ([int(seeds) for seeds in found[group].split(",")] for group in (1, 2))
    position = Position((*row1, *reversed(row0)), (int(found[3]), int(found[4])), int(found[5]))
    seeds = sum(position.pits) + sum(position.captured)
    if seeds != SEEDS:
        raise BadPosition(f"the seeds on the board and the captured ones add up to {seeds}, not {SEEDS}")
    if any(count % CAPTURED_AT for count in position.captured) and rules.result(position) is None:
        raise BadPosition("until the game ends, the number of captured seeds is a multiple of four")
    return position


def format_move(position: Position, move: Cell) -> str:
    return str(move + 1)


def parse_move(position: Position, text: str) -> Cell:
    name = text.strip()
    if not re.fullmatch("[1-6]", name):
        raise BadNotation("a move is the number of a pit, 1 to 6")
    return require_legal(rules, position, int(name) - 1, lambda: forbidden_by(position, position.to_move, (name,)))


def paths(position: Position, move: Cell) -> Sequence[MovePath]:
    return ((str(move + 1),),)


def name_pit(position: Position, pit: Pit) -> Target:
    """Return the name of a pit: `3` in the row of the side to move, and `3'` in the other."""
    name = str(rules.cell_of(pit) + 1)
    return name if rules.owner(pit) == position.to_move else name + "'"


PIT_NAMES = tuple(str(cell + 1) for cell in CELLS)
DIRECT_KEYS = {name: name for name in PIT_NAMES}
"""Typing a digit sows that pit at once."""


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    name = path[0]
    if name not in PIT_NAMES:
        return "that pit is your opponent's: choose one of your pits, 1 to 6"
    cell = PIT_NAMES.index(name)
    if not position.pits[pit_of(seat, cell)]:
        return f"pit {name} is empty: choose one of your pits with seeds"
    if sow(position.pits, seat, cell) is None:
        return f"you cannot play pit {name}: its sowing would never end"
    return f"the other row is empty: you must play a move that puts seeds there, not pit {name}"


def describe_position(position: Position) -> list[str]:
    """Describe the seeds of each side in pits 1 to 6 and what it has captured.

    >>> from .rules import START
    >>> describe_position(START)
    ['First: pits 4 4 4 4 4 4; captured 0.', 'Second: pits 4 4 4 4 4 4; captured 0.']
    """
    return [
        f"{name}: pits {' '.join(map(str, position.row(seat)))}; captured {position.captured[seat]}."
        for seat, name in enumerate(SEATS)
    ]


MORE, FEWER, NONE, GIVE = "+", "-", ".", "/"
MAX_SEEDS = 19
"""The most seeds in a pit when a player sets up a position. The notation has two digits for a pit."""
EMPTY = Position((0,) * 12, (SEEDS // 2, SEEDS // 2), 0)


def put(draft: Position, target: Target, piece: str) -> Position:
    """Return the draft after one change to a pit: one seed more or fewer, or no seeds. `GIVE` instead moves four
    captured seeds from the second player to the first. If there are none, it moves all of them back."""
    if piece == GIVE:
        first, second = draft.captured
        moved = CAPTURED_AT if second >= CAPTURED_AT else -(first // CAPTURED_AT) * CAPTURED_AT
        return replace(draft, captured=(first + moved, second - moved))
    seat = other(draft.to_move) if target.endswith("'") else draft.to_move
    pits, pit = list(draft.pits), pit_of(seat, int(target[0]) - 1)
    pits[pit] = {MORE: min(MAX_SEEDS, pits[pit] + 1), FEWER: max(0, pits[pit] - 1), NONE: 0}[piece]
    captured = max(0, SEEDS - sum(pits))
    first = captured // (2 * CAPTURED_AT) * CAPTURED_AT
    return replace(draft, pits=tuple(pits), captured=(first, captured - first))


SET_UP: SetUp[Position] = SetUp(
    pieces={
        MORE: "one more seed",
        FEWER: "one fewer seed",
        NONE: "no seeds",
        GIVE: "move four captured seeds to the other player",
    },
    put=put,
    there=lambda _draft, _target: "",  # a pit can always take one more seed
    empty=EMPTY,
    turned=lambda draft: replace(draft, to_move=other(draft.to_move)),
)
