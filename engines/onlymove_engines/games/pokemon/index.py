"""The symmetries of the board, and a number for every position that its eight symmetric images share.

    number = board x 81 + covered

    board     nine digits in base 7, cell 0 first; x a b c A B C are 0..6; the smallest of the eight images
    covered   four digits in base 3: how many a, b, A and B are covered (two of a kind, less visible, less in hand)

Large pieces cannot be covered, so every position that a game leads to has a number. The hands and the side to move
follow from it. Most numbers are not in use.
"""

from __future__ import annotations

from operator import itemgetter

from onlymove_engines.core.errors import Unreachable
from onlymove_engines.core.game import Symmetry

from .rules import EACH, KINDS, PLACE, Piece, Placement, Position

IMAGES: tuple[tuple[int, ...], ...] = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
    (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (0, 3, 6, 1, 4, 7, 2, 5, 8),
    (8, 5, 2, 7, 4, 1, 6, 3, 0),
)
"""Image s shows in cell i what was in cell IMAGES[s][i]."""

SYMMETRY_NAMES = (
    *("identity", "quarter turn", "half turn", "three-quarter turn"),
    *("left-right", "top-bottom", "main diagonal", "other diagonal"),
)


def _symmetry(name: str, image: tuple[int, ...]) -> Symmetry[Position, Placement]:
    goes_to = tuple(image.index(cell) for cell in range(9))
    return Symmetry(
        name,
        lambda position: position._replace(cells="".join(position.cells[cell] for cell in image)),
        lambda move: move._replace(cell=goes_to[move.cell]),
    )


SYMMETRIES = tuple(_symmetry(name, image) for name, image in zip(SYMMETRY_NAMES, IMAGES, strict=True))


DIGITS = "xabcABC"
COVERABLE = "abAB"
COVERED_STATES = 81

_TO_DIGITS = str.maketrans(DIGITS, "0123456")
_TURNS = tuple(itemgetter(*image) for image in IMAGES)
_WEIGHTS: tuple[tuple[Piece, int, int], ...] = tuple(
    (kind, PLACE[kind], weight) for kind, weight in zip(COVERABLE, (27, 9, 3, 1), strict=True)
)


def unpack_number(number: int) -> Position:
    """Return the position that these digits describe. Nothing checks that it is possible, and hands may even be
    negative."""
    board, covered = divmod(number, COVERED_STATES)
    cells = "".join(DIGITS[board // 7**place % 7] for place in reversed(range(9)))
    hidden = {kind: covered // weight % 3 for kind, _, weight in _WEIGHTS}
    hands = tuple(EACH - cells.count(kind) - hidden.get(kind, 0) for kind in KINDS)
    return Position(cells, hands, sum(hands[1::2]) - sum(hands[::2]))


def plain_number(position: Position) -> int:
    """Return the number of the position itself, and not of its canonical image. Raises Unreachable."""
    return _pack(position, position.cells.translate(_TO_DIGITS))


def _pack(position: Position, board: str) -> int:
    cells, hands, _ = position
    if cells.count("c") + hands[4] != EACH or cells.count("C") + hands[5] != EACH:
        raise Unreachable("unreachable: a large piece is missing, and nothing covers it")
    covered = 0
    for kind, place, weight in _WEIGHTS:
        covered += weight * (EACH - hands[place] - cells.count(kind))
    return int(board, 7) * COVERED_STATES + covered


def _least(cells: str) -> str:
    digits = cells.translate(_TO_DIGITS)
    return min(["".join(turn(digits)) for turn in _TURNS])


class PokemonIndex:
    """Numbers for positions. Symmetric positions have the same number."""

    size: int = 7**9 * COVERED_STATES

    def number(self, position: Position) -> int:
        return _pack(position, _least(position.cells))

    def position(self, number: int) -> Position:
        if not 0 <= number < self.size:
            raise ValueError(f"no position has the number {number}")
        position = unpack_number(number)
        if min(position.hands) < 0 or position.seat not in (0, 1) or self.number(position) != number:
            raise ValueError(f"no canonical position has the number {number}")
        return position

    def canonical(self, position: Position) -> Position:
        """Return the symmetric image of the position whose cells come first in the order x a b c A B C."""
        return position._replace(cells="".join(DIGITS[int(digit)] for digit in _least(position.cells)))


INDEX = PokemonIndex()
