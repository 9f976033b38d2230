"""How a game begins: the official random start and the choices in the new-game panel.

The competition draws rider 0's cell uniformly from the left half, off the edge, and mirrors it for rider 1.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Final

from onlymove_engines.core.errors import BadPosition
from onlymove_engines.core.game import Option

from .notation import LARGEST
from .rules import EMPTY, HEADS, Position

SMALLEST_START: Final = 4
SIZE: Final = Option(
    id="size",
    title="Field",
    choices=("16x16", "4x4", "5x5", "6x6", "8x8", "10x10", "12x12", "20x20", "24x24"),
    default="16x16",
    free=True,
    about="Columns x rows, 4x4 to 24x24. m types another one.",
)
SEED: Final = Option(
    id="seed",
    title="Start",
    choices=("random",),
    default="random",
    free=True,
    about="Where the riders begin: drawn by lot. m types a number instead; the same one begins alike every time.",
)
OPTIONS: Final = (SIZE, SEED)


def parse_size(text: str) -> tuple[int, int]:
    """Width and height from `16x16`. Raises BadPosition."""
    match = re.fullmatch(r"\s*([0-9]{1,2})\s*[xX×]\s*([0-9]{1,2})\s*", text)
    if match is None:
        raise BadPosition(f"a field is written like 16x16, not '{text}'")
    width, height = int(match[1]), int(match[2])
    if not (SMALLEST_START <= width <= LARGEST and SMALLEST_START <= height <= LARGEST):
        raise BadPosition(f"a field is 4x4 to 24x24, not {width}x{height}")
    return width, height


def parse_seed(text: str, otherwise: int) -> int:
    """The chosen seed, or `otherwise` for `random`. Raises BadPosition."""
    chosen = text.strip().lower()
    if chosen in ("", SEED.default):
        return otherwise
    if not chosen.isascii() or not chosen.isdigit() or len(chosen) > 18:
        raise BadPosition(f"a start is 'random' or a number of its own, not '{text}'")
    return int(chosen)


def mirrored(width: int, height: int, x: int, y: int) -> Position:
    """An open field with rider 0 at (x, y) and rider 1 at its mirror image."""
    cells = [EMPTY] * (width * height)
    cells[y * width + x] = HEADS[0]
    cells[y * width + width - 1 - x] = HEADS[1]
    return Position(width, height, "".join(cells))


def official_start(width: int, height: int, seed: int) -> Position:
    """The start the competition would draw: x in 1 .. width/2 - 2 (0 below width 6), y in 1 .. height - 2."""
    dice = random.Random(seed)
    x = dice.randint(1, width // 2 - 2) if width >= 6 else 0
    return mirrored(width, height, x, dice.randint(1, height - 2))


def start(options: Mapping[str, str], seed: int) -> Position:
    """The start position of the chosen field. Raises BadPosition for options that make no sense."""
    width, height = parse_size(options.get(SIZE.id, SIZE.default))
    return official_start(width, height, parse_seed(options.get(SEED.id, SEED.default), seed))
