"""Light Riders is Tron with simultaneous, hidden moves. This module has the game's definition, its start positions and
its symmetries."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from onlymove_engines.core.errors import BadPosition
from onlymove_engines.core.facts import read_facts
from onlymove_engines.core.game import Game, Option, Play, Solved, Symmetry, Voice

from . import picture
from .analyst import UNITS, LightRidersAnalyst
from .coach import CLAIMS, describe_territories, judge_space
from .encoding import ENCODING
from .notation import LightRidersNotation, describe_position, forbidden_by
from .protocol import RiddlesHost, make_riddles, plain_choice
from .rules import EMPTY, HEADS, LARGEST, MIN_START, RIDERS, RULES, Position, Round
from .styles import STYLES, load_styles, thinking_time


def rows(position: Position) -> list[str]:
    width = position.width
    return [position.cells[at : at + width] for at in range(0, len(position.cells), width)]


def join_rows(rows: Sequence[str]) -> Position:
    return Position(len(rows[0]), len(rows), "".join(rows))


def translate_steps(letters: str, others: str) -> Callable[[Round], Round]:
    """Return a function that replaces the letter of each rider's step in a round."""
    letter_map = str.maketrans(letters, others)
    return lambda move: (move[0].translate(letter_map), move[1].translate(letter_map))


SYMMETRIES: tuple[Symmetry[Position, Round], ...] = (
    Symmetry("swap left and right", lambda at: join_rows([row[::-1] for row in rows(at)]), translate_steps("lr", "rl")),
    Symmetry("swap top and bottom", lambda at: join_rows(rows(at)[::-1]), translate_steps("ud", "du")),
    Symmetry(
        "mirror along the diagonal",
        lambda at: join_rows(["".join(column) for column in zip(*rows(at), strict=True)]),
        translate_steps("udlr", "lrud"),
    ),
    Symmetry(
        "swap the riders",
        lambda at: replace(at, cells=at.cells.translate(str.maketrans("01", "10"))),
        lambda move: (move[1], move[0]),
        swaps_seats=True,
    ),
)


SIZE: Final = Option(
    id="size",
    title="Field",
    choices=("16x16", "4x4", "5x5", "6x6", "8x8", "10x10", "12x12", "20x20", "24x24"),
    default="16x16",
    free=True,
    about="Columns x rows, from 4x4 to 24x24. You can also type a size.",
    read=lambda position: f"{position.width}x{position.height}",
)
SEED: Final = Option(
    id="seed",
    title="Starting cells",
    choices=("random",),
    default="random",
    free=True,
    about="Where the riders start. You can also type a number; the same number always gives the same start.",
)


def parse_size(text: str) -> tuple[int, int]:
    """Return the width and height from a text such as `16x16`. Raises BadPosition."""
    match = re.fullmatch(r"\s*([0-9]{1,2})\s*[xX×]\s*([0-9]{1,2})\s*", text)
    if match is None:
        raise BadPosition(f"write the field like 16x16, not '{text}'")
    width, height = int(match[1]), int(match[2])
    if not (MIN_START <= width <= LARGEST and MIN_START <= height <= LARGEST):
        raise BadPosition(f"the field can be 4x4 to 24x24, not {width}x{height}")
    return width, height


def make_mirrored_field(width: int, height: int, x: int, y: int) -> Position:
    """Return an open field with rider 0 at (x, y) and rider 1 at its mirror image."""
    cells = [EMPTY] * (width * height)
    cells[y * width + x] = HEADS[0]
    cells[y * width + width - 1 - x] = HEADS[1]
    return Position(width, height, "".join(cells))


def official_start(width: int, height: int, seed: int) -> Position:
    """Return a random start position as in the competition. Rider 0 is anywhere in the left half except at the edge,
    and rider 1 is its mirror image: x is in 1 .. width/2 - 2 (0 if the width is below 6), and y in 1 .. height - 2."""
    dice = random.Random(seed)
    x = dice.randint(1, width // 2 - 2) if width >= 6 else 0
    return make_mirrored_field(width, height, x, dice.randint(1, height - 2))


def start(options: Mapping[str, str], seed: int) -> Position:
    """Return the start position for the chosen options. Raises BadPosition for options that do not fit."""
    width, height = parse_size(options.get(SIZE.id, SIZE.default))
    text = options.get(SEED.id, SEED.default)
    chosen = text.strip().lower()
    if chosen in ("", SEED.default):
        return official_start(width, height, seed)
    if not chosen.isascii() or not chosen.isdigit() or len(chosen) > 18:
        raise BadPosition(f"the start must be 'random' or a whole number, not '{text}'")
    return official_start(width, height, int(chosen))


GAMES: tuple[Game[Position, Round], ...] = (
    Game(
        seats=RIDERS,
        facts=read_facts(__name__, "lightriders"),
        rules=RULES,
        notation=LightRidersNotation(),
        painter=picture,
        start=start,
        play=Play(
            options=(SIZE, SEED),
            plain_choice=plain_choice,
            plan_time=thinking_time,
            styles=STYLES,
            direct_keys={"up": "u", "down": "d", "left": "l", "right": "r"},
            overlay_title="territory",
            protocols={"riddles": make_riddles},
            hosts={"riddles": RiddlesHost},
        ),
        solved=Solved(
            symmetries=SYMMETRIES,
            encoding=lambda: ENCODING,
            open_analyst=lambda _sections: LightRidersAnalyst(),
            kernels=UNITS,
            rare_kernels=(load_styles,),
        ),
        voice=Voice(
            describe_overlay=describe_territories,
            describe_position=describe_position,
            forbidden_by=forbidden_by,
            reasons=CLAIMS,
            outlook=judge_space,
        ),
    ),
)
