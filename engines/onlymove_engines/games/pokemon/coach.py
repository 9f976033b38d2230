"""Practical chances: how easily the other side goes wrong after a move that keeps the draw.

The trap a move sets is the share of the replies to it that lose; between equal shares the table's deeper figure
decides, which goes on adding up such shares for the rest of the game. Defined and measured in docs/engines/pokemon.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Remarks, alternating
from onlymove_engines.core.value import Outcome

from .analyst import PokemonAnalyst
from .codes import trap_of
from .notation import size_target
from .rules import EMPTY, RULES, Placement, Position

SHARES = ((0.9, "nearly all"), (0.6, "most"), (0.4, "about half of the"), (0.15, "some"), (0.0, "a few"))
"""Words for a share of the replies, from the least share each is used for."""


@dataclass(frozen=True, slots=True)
class Trap:
    """What awaits the side to move: `losing` of its `replies` lose; `deep` is the table's figure in 240ths, of the
    whole rest of the game, 0 without a table."""

    losing: int
    replies: int
    deep: int

    @property
    def rank(self) -> tuple[Fraction, int]:
        """The more, the better for the side that set it."""
        return Fraction(self.losing, max(1, self.replies)), self.deep


def traps(position: Position, analysis: Analysis[Placement], analyst: AnyAnalyst) -> dict[Placement, Trap]:
    """The trap behind every move that keeps a draw, best first; none where the position is not drawn."""
    top = analysis.best_value()
    if top is None or top.outcome is not Outcome.DRAW:
        return {}
    found = {move: _behind(RULES.play(position, move), analyst) for move in analysis.keeping()}
    return dict(sorted(found.items(), key=lambda item: item[1].rank, reverse=True))


def _behind(child: Position, analyst: AnyAnalyst) -> Trap:
    replies = alternating(analyst).analyse(child).moves
    losing = sum(1 for value in replies.values() if value is not None and value.outcome is Outcome.LOSS)
    code = analyst.code(child) if isinstance(analyst, PokemonAnalyst) else None
    return Trap(losing, len(replies), trap_of(code or 0))


def remarks(position: Position, analysis: Analysis[Placement], analyst: AnyAnalyst) -> Remarks[Placement]:
    """Where to look, and in a draw the keeping moves in the order of their traps."""
    found = traps(position, analysis, analyst)
    texts = {move: f"{trap.losing} of {trap.replies} lose" for move, trap in found.items() if trap.losing}
    if not found:
        texts = {move: "covers " + position.cells[move.cell] for move in analysis.best() if _covers(position, move)}
    return Remarks(area=_area(position, analysis, found), moves=texts, ranked=tuple(found))


def _covers(position: Position, move: Placement) -> bool:
    return position.cells[move.cell] != EMPTY


def _area(position: Position, analysis: Analysis[Placement], found: dict[Placement, Trap]) -> tuple[str, ...]:
    """What the best moves have in common, without saying where."""
    best = tuple(found) if found else analysis.best()
    if not best:
        return ()
    lines = []
    sizes = {size_target(move.piece) for move in best}
    if len(sizes) == 1:
        lines.append(f"Place a {sizes.pop()} piece.")
    covering = sum(_covers(position, move) for move in best)
    if covering == len(best):
        lines.append("Cover something.")
    elif not covering:
        lines.append("An empty cell will do.")
    if found and (trap := next(iter(found.values()))).losing:
        lines.append(f"The sharpest keeping move sets a trap: {_how_many(trap)} replies lose.")
    return tuple(lines)


def _how_many(trap: Trap) -> str:
    """The share in words: figures could be read as cells."""
    share = trap.losing / trap.replies
    return next(words for least, words in SHARES if share >= least)
