"""What the rules do not notice: four turns of the board and their mirror images."""

from __future__ import annotations

from onlymove_engines.core.game import Symmetry

from .rules import Placement, Position

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

NAMES = (
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


SYMMETRIES = tuple(_symmetry(name, image) for name, image in zip(NAMES, IMAGES, strict=True))
