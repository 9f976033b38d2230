"""What the coach says: what a move does, how easily the other side goes wrong after it, and why it is bad.

The trap a move sets is the share of the replies to it that lose; between equal shares the table's deeper figure
decides, which goes on adding up such shares for the rest of the game. Defined and measured in docs/engines/pokemon.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from onlymove_engines.coach.hint import MOST_TOLD, Trait, telling
from onlymove_engines.coach.values import replies_said
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks
from onlymove_engines.core.game import Claim, Claims, Kin, Moment
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Outcome, Seat, other
from onlymove_engines.search.chances import tallies

from .notation import CELL_NAMES, COLUMNS, ROWS, SIZES, size_target
from .rules import EACH, EMPTY, LINES, PLACE, RULES, SEATS, TEAM_OF, TEAMS, Piece, Placement, Position, full_lines
from .styles import trap

SHARES = ((0.9, "nearly all"), (0.6, "most"), (0.4, "about half of the"), (0.15, "some"), (0.0, "a few"))
"""Words for a share of the replies, from the least share each is used for."""
CENTRE, CORNERS = 4, (0, 2, 6, 8)


@dataclass(frozen=True, slots=True)
class Trap:
    """What awaits the side to move: `losing` of its `replies` lose; `deep` is the table's figure in 240ths, of the
    whole rest of the game, 0 without a table."""

    losing: int
    replies: int
    deep: int

    @property
    def rank(self) -> tuple[float, int]:
        """The more, the better for the side that set it."""
        return self.losing / max(1, self.replies), self.deep


def traps(position: Position, analysis: Analysis[Placement], analyst: AnyAnalyst) -> dict[Placement, Trap]:
    """The trap behind every move that keeps a draw, best first; none where the position is not drawn."""
    top = analysis.best_value()
    if top is None or top.outcome is not Outcome.DRAW:
        return {}
    after = {move: RULES.play(position, move) for move in analysis.keeping()}
    found = {
        move: Trap(replies.losses, replies.moves, trap(analyst, after[move], position.seat))
        for move, replies in zip(after, tallies(RULES, list(after.values()), analyst), strict=True)
        if replies is not None
    }
    return dict(sorted(found.items(), key=lambda item: item[1].rank, reverse=True))


def remarks(position: Position, analysis: Analysis[Placement], analyst: AnyAnalyst) -> Remarks[Placement]:
    """Where to look, and in a draw the keeping moves in the order of their traps."""
    found = traps(position, analysis, analyst)
    texts = {move: replies_said(trap.losing, trap.replies) for move, trap in found.items()}
    if not found:
        texts = {move: _covered(position, move) for move in analysis.best()}
    told = telling(traits(position), analysis.keeping(), tuple(analysis.moves))
    danger = threatened(position)
    return Remarks(
        area=(*danger, *told[: MOST_TOLD - len(danger)], *_sharpest(found)), moves=texts, ranked=tuple(found)
    )


def threatened(position: Position) -> tuple[str, ...]:
    """Whether the other side could complete a line if it were to move now."""
    there = position._replace(seat=other(position.seat))
    lines = {line for move in RULES.legal_moves(there) for line in full_lines(RULES.play(there, move).cells)}
    where = f" in {len(lines)} lines" if len(lines) > 1 else ""
    return (f"{SEATS[there.seat]} threatens three in a row{where}.",) if lines else ()


def traits(position: Position) -> tuple[Trait[Placement], ...]:
    """What a move may do, without its cell."""
    cells = position.cells
    own = TEAMS[position.seat]
    return (
        *(_of_size(size, kind) for size, kind in zip(SIZES, own, strict=True)),
        Trait(
            "covers something",
            "cover something",
            lambda move: cells[move.cell] != EMPTY,
            "Cover something.",
            "An empty cell will do.",
        ),
        Trait("covers your own piece", "cover your own piece", lambda move: cells[move.cell] in own),
        Trait("takes the middle", "take the middle", lambda move: move.cell == CENTRE),
        Trait("takes a corner", "take a corner", lambda move: move.cell in CORNERS),
    )


def _of_size(size: Target, kind: Piece) -> Trait[Placement]:
    return Trait(
        f"uses a {size} piece",
        f"use a {size} piece",
        lambda move: move.piece == kind,
        f"Place a {size} piece.",
        f"The {size} pieces must stay in hand.",
    )


def _covered(position: Position, move: Placement) -> tuple[str, ...]:
    """What a move covers, if it does."""
    visible = position.cells[move.cell]
    return (f"covers a {size_target(visible)} piece", f"covers {visible}") if visible != EMPTY else ()


def _sharpest(found: dict[Placement, Trap]) -> tuple[str, ...]:
    """How much the other side can go wrong; the share in words, since figures could be read as cells."""
    trap = next(iter(found.values()), None)
    if trap is None or not trap.losing:
        return ()
    if trap.losing == 1:
        return ("The sharpest keeping move sets a trap: one reply loses.",)
    share = trap.losing / trap.replies
    many = next(words for least, words in SHARES if share >= least)
    return (f"The sharpest keeping move sets a trap: {many} replies lose.",)


LINE_NAMES = (
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
    made = full_lines(RULES.play(position, move).cells)
    return f"three in {line_name(made[0])}" if made else ""


def line_name(line: tuple[int, int, int]) -> str:
    return LINE_NAMES[LINES.index(line)]


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


CLAIMS: Claims[Position, Placement] = Claims(kin=kin, more=left_open, aim=aim, line="three in a row")

LESSON_TESTS: Final[Mapping[str, Callable[[Position, Seat, Placement], bool]]] = MappingProxyType(
    {"covers theirs": lambda position, seat, move: TEAM_OF.get(position.cells[move.cell]) == other(seat)}
)
"""What a move may do that lessons ask for."""
