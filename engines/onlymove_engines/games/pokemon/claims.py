"""What it takes to say why a move is bad: the moves that are like one, and the line that is left open."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from onlymove_engines.core.game import Claim, Claims, Kin, Moment
from onlymove_engines.core.value import Outcome

from .rules import EACH, LINES, PLACE, RULES, TEAM_OF, Placement, Position, full_lines
from .targets import CELL_NAMES, COLUMNS, ROWS, size_target

NAMES = (
    *(f"row {row}" for row in ROWS),
    *(f"column {column}" for column in COLUMNS),
    "the A1-C3 diagonal",
    "the C1-A3 diagonal",
)
"""What the lines are called, in their order."""


def kin(position: Position, move: Placement, _keeping: Collection[Placement]) -> Iterator[Kin[Placement]]:
    """The same cell with another size; the same size on another cell."""
    others = [one for one in RULES.legal_moves(position) if one != move]
    cell, size = CELL_NAMES[move.cell], size_target(move.piece)
    left = position.hands[PLACE[move.piece]]
    on_cell = tuple(one for one in others if one.cell == move.cell)
    yield Kin(
        on_cell,
        f"{cell} was right, but with another size.",
        f"On {cell} every size that fits {{does}}.",
        f"On {cell} only {{move}} {{held}}.",
    )
    of_size = tuple(one for one in others if one.piece == move.piece)
    wrong = f"A {size} piece {{does}} wherever it goes."
    if left < EACH:
        wrong = f"The last {size} piece had to stay in hand: it {{does}} wherever it goes."
    yield Kin(
        of_size,
        f"A {size} piece was right, but on another cell.",
        wrong,
        f"With a {size} piece only {{move}} {{held}}.",
    )


def aim(position: Position, move: Placement) -> str:
    """The line that the move makes."""
    made = full_lines(RULES.play(position, move).cells)
    return f"three in {line_name(made[0])}" if made else ""


def line_name(line: tuple[int, int, int]) -> str:
    """A line as a player calls it."""
    return NAMES[LINES.index(line)]


def left_open(moment: Moment[Position, Placement]) -> Iterator[Claim]:
    """The line that the best reply completes at once."""
    reply = moment.after.best()[0]
    top = moment.after.moves[reply]
    if top is None or top.outcome is not Outcome.WIN or top.remoteness != 1:
        return
    line = full_lines(RULES.play(moment.child, reply).cells)[0]
    facts = {"reply": reply, "line": line_name(line)}
    if reply.cell == moment.move.cell:
        size, cell = size_target(moment.move.piece), CELL_NAMES[moment.move.cell]
        sentence = f"A {size} piece on {cell} does not close {line_name(line)}: it can be covered."
        yield Claim("Covered", sentence, facts)
    elif all(TEAM_OF.get(moment.position.cells[cell]) == moment.child.seat for cell in line if cell != reply.cell):
        yield Claim("Open", f"{moment.opponent} had two in {line_name(line)} already.", facts)


CLAIMS: Claims[Position, Placement] = Claims(kin=kin, more=left_open, aim=aim)
