"""The field as a picture: two columns a cell, trails told apart by their grain, heads as arrows.

Knows glyphs and roles. Trails, directions and crashes come from the history in the view; what was on the field
before it began is wall. Taller fields than the picture scroll with the heads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, View
from onlymove_engines.core.value import Seat

from .rules import CRASH, RULES, STEPS, WALL, Cell, Position, Round, Step
from .territory import control

ROWS: Final = 18
"""Rows of cells that fit 80x24 beside the frame and the banner; taller fields scroll."""

FRESH: Final = 4
"""How many of a rider's last steps shine."""

TRAIL: Final = (Role.FIRST, Role.SECOND)
BRIGHT: Final = (Role.FIRST_FRESH, Role.SECOND_FRESH)
HELD: Final = (Role.CONTROL_FIRST, Role.CONTROL_SECOND)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Every sign of the picture, two columns a cell; (rider 0, rider 1) where the riders differ."""

    trail: tuple[str, str]
    wall: str
    heads: tuple[dict[Step, str], dict[Step, str]]
    crash: str
    held: tuple[str, str]
    beyond: tuple[str, str]
    frame: str
    """Corners clockwise from the top left, then horizontal, vertical, horizontal where the field goes on."""


BLOCKS: Final = Glyphs(
    trail=("▓▓", "░░"),
    wall="██",
    heads=(
        {"u": "▲▲", "d": "▼▼", "l": "◄▓", "r": "▓►", "": "●●"},
        {"u": "△△", "d": "▽▽", "l": "◅░", "r": "░▻", "": "○○"},
    ),
    crash="╳╳",
    held=("∙∙", "∘∘"),
    beyond=("∙ ", "∘ "),
    frame="╭╮╯╰─│┄",
)

PLAIN: Final = Glyphs(
    trail=("##", "::"),
    wall="%%",
    heads=(
        {"u": "^#", "d": "v#", "l": "<#", "r": "#>", "": "@@"},
        {"u": "^:", "d": "v:", "l": "<:", "r": ":>", "": "oo"},
    ),
    crash="XX",
    held=("..", "''"),
    beyond=(". ", "' "),
    frame="++++-|~",
)


@dataclass
class Past:
    """What the history tells about each rider: cells from the oldest, the last step, where it crashed."""

    trails: tuple[list[Cell], list[Cell]] = field(default_factory=lambda: ([], []))
    heading: list[Step] = field(default_factory=lambda: ["", ""])
    crashed: list[Cell | None] = field(default_factory=lambda: [None, None])


def read_past(positions: tuple[Position, ...]) -> Past:
    """The riders' trails (the head last), directions and crashes along a line of positions."""
    past = Past()
    for position in positions:
        for seat in (0, 1):
            head, trail = position.head(seat), past.trails[seat]
            if head is None:
                past.crashed[seat] = trail[-1] if trail else None
                continue
            if trail:
                past.heading[seat] = next((s for s in STEPS if position.beside(trail[-1], s) == head), "")
            elif WALL not in position.cells:
                past.heading[seat] = "rl"[seat]
            trail.append(head)
    return past


class LightRidersPainter:
    """Draws the field. It is never turned round: the arrow keys mean what the screen shows."""

    def scene(self, view: View[Position, Round]) -> Scene:
        """The picture of the last position; `view.options["seat"]` says whose directions can be pointed at."""
        position, glyphs = view.position, PLAIN if view.ascii_only else BLOCKS
        past = read_past(view.positions)
        rows = min(position.height, ROWS)
        top = first_row(position, past, rows)
        cells = cell_glyphs(position, past, glyphs, view.overlay)
        sprites = [*frame(position, glyphs, top, rows)]
        for cell, (text, role) in sorted(cells.items()):
            y, x = divmod(cell, position.width)
            if top <= y < top + rows:
                sprites.append(Sprite(1 + 2 * x, 1 + y - top, (text,), role))
        seat = view.options.get("seat")
        seats = (seat,) if isinstance(seat, int) else (0, 1)
        return Scene(2 * position.width + 2, rows + 2, tuple(sprites), places(position, seats, top))

    def between(self, view: View[Position, Round]) -> tuple[Scene, ...]:
        """Nothing moves on the way: a round is one step."""
        return ()

    def trace(self, position: Position, move: Round) -> tuple[Target, ...]:
        """Nothing to mark: the heads and the bright end of each trail are the last move."""
        return ()


def first_row(position: Position, past: Past, rows: int) -> int:
    """The top row of the window, centred between the heads (or where they were last)."""
    last = [trail[-1] // position.width for trail in past.trails if trail]
    if not last:
        return 0
    middle = (min(last) + max(last) + 1) // 2
    return max(0, min(position.height - rows, middle - rows // 2))


def cell_glyphs(position: Position, past: Past, glyphs: Glyphs, overlay: bool) -> dict[Cell, tuple[str, Role]]:
    """What stands on every cell that is not blank."""
    found = {cell: (glyphs.wall, Role.WALL) for cell, sign in enumerate(position.cells) if sign == WALL}
    for seat in (0, 1):
        trail = past.trails[seat]
        for age, cell in enumerate(reversed(trail)):
            found[cell] = (glyphs.trail[seat], BRIGHT[seat] if age <= FRESH else TRAIL[seat])
        head, crashed = position.head(seat), past.crashed[seat]
        if head is not None:
            found[head] = (glyphs.heads[seat][past.heading[seat]], BRIGHT[seat])
        elif crashed is not None:
            found[crashed] = (glyphs.crash, Role.CAPTURE)
    if overlay and all(position.head(seat) is not None for seat in (0, 1)):
        for cell, held in control(position).items():
            found[cell] = ((glyphs.beyond if held.beyond else glyphs.held)[held.seat], HELD[held.seat])
    return found


def frame(position: Position, glyphs: Glyphs, top: int, rows: int) -> tuple[Sprite, ...]:
    """The edge of the field; a broken line where the field goes on above or below."""
    wide = 2 * position.width
    corner_a, corner_b, corner_c, corner_d, across, upright, going_on = tuple(glyphs.frame)
    above = across if top == 0 else going_on
    below = across if top + rows == position.height else going_on
    side = (upright,) * rows
    return (
        Sprite(0, 0, (corner_a + above * wide + corner_b,), Role.GRID),
        Sprite(0, 1, side, Role.GRID),
        Sprite(wide + 1, 1, side, Role.GRID),
        Sprite(0, rows + 1, (corner_d + below * wide + corner_c,), Role.GRID),
    )


def places(position: Position, seats: tuple[Seat, ...], top: int) -> tuple[Place, ...]:
    """Where the directions of `seats` lie: the cell each leads to, the head itself for a crash.

    A direction that both riders have is placed once, at the first of `seats`.
    """
    found: dict[Target, Place] = {}
    for seat in seats:
        head = position.head(seat)
        for step in RULES.moves_of(position, seat):
            cell = head if step == CRASH or head is None else position.beside(head, step)
            if cell is not None and step not in found:
                y, x = divmod(cell, position.width)
                found[step] = Place(step, 1 + 2 * x, 1 + y - top, 2, 1, label=(0, 0), framed=False)
    return tuple(found.values())
