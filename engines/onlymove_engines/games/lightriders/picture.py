"""Draws the field: a faint checkerboard, trails that are bright behind the heads, and territories as background
colours.

Trails, directions and crashes come from the view's history. What was on the field before the history began is drawn as
wall. If a field is taller than the picture, it scrolls with the heads. A cell is twice as many columns wide as it is
rows high, so that it looks square.

Each rider has a texture: vertical for rider 0, and horizontal for rider 1. Their territories have the same textures in
thin strokes. The sizes of the territories are shown as two bars in these textures with their numbers. The bars are
under the field and grow towards each other, or beside it and grow downwards.

A chosen step is shown as if it had been taken: the rider on its new cell, or crashed, with its trail behind it. The
other rider's choice is not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from onlymove_engines.core.drawing import FRESH, GROUNDS, PIECES
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import Shape, disc, in_ascii, in_blocks
from onlymove_engines.core.value import Seat

from .rules import CRASH, EMPTY, HEADS, RIDERS, RULES, STEPS, WALL, Cell, Position, Round, Step, find_landing
from .territory import map_control

FRAME: Final = 2
"""How many rows and columns the frame takes."""

GUTTER: Final = 5
"""How many columns each count beside the field takes: three digits, a sign and a gap."""

MIN_WIDTH: Final = 24
"""How many columns two counts next to each other need."""

WELL_FILLED: Final = 0.75
"""A field that takes at least this share of the height leaves the rest to the frame and the counts."""

SPACES: Final = {1: (52, 20, 1), 2: (76, 32, 3), 3: (104, 42, 5)}
"""The columns and rows that each scale offers, and how many rows the counts under the field take, including the gap
above them. The official field, 16 x 16, takes 32 rows in cells of 4 x 2, and its frame 2 more."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of a picture. `cell` is the height of a cell, and half its width. `rows` rows of cells are shown,
    with the first at column `left` and row `top`. The counts take `counts` rows under the field. If that is 0, they are
    beside it."""

    width: int
    height: int
    columns: int
    rows: int
    cell: int
    left: int
    counts: int
    top: int = 1

    @property
    def wide(self) -> int:
        return 2 * self.cell * self.columns

    @property
    def high(self) -> int:
        return self.cell * self.rows

    def corner(self, x: int, row: int) -> tuple[int, int]:
        return self.left + 2 * self.cell * x, self.top + self.cell * row


@cache
def lay_out(width: int, height: int, scale: int) -> Layout:
    """Choose the layout of a field of `width` x `height` cells with the largest cells that fit.

    First, it tries to put the counts under the field. If that leaves much space empty, the counts go beside the field,
    and the lines above and below it may take `FRAME` more rows than the space has.
    """
    most_columns, most_rows, counts = SPACES[scale]
    rows = min(height, most_rows - FRAME - counts)
    cell = largest_cell(width, rows, most_columns - FRAME, most_rows - FRAME - counts)
    tight = largest_cell(width, rows, most_columns - FRAME - 2 * GUTTER, most_rows)
    if scale > 1 and tight > cell and cell * rows < WELL_FILLED * most_rows:
        across = 2 * tight * width + FRAME + 2 * GUTTER
        return Layout(across, tight * rows + FRAME, width, rows, tight, GUTTER + 1, 0)
    across = max(MIN_WIDTH, 2 * cell * width + FRAME)
    return Layout(across, cell * rows + FRAME + counts, width, rows, cell, (across - 2 * cell * width) // 2, counts)


def largest_cell(columns: int, rows: int, wide: int, high: int) -> int:
    """Return the height of the largest cells that fit, if there are `columns` x `rows` of them. Return 1 if none do."""
    return max(1, min(wide // (2 * columns), high // rows))


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters of the picture. Pairs are for rider 0 and rider 1. A cell begins with two columns of them."""

    trail: tuple[str, str]
    wall: str
    signs: dict[Step, str]
    """A rider by its direction, which is empty if unknown, and a crash."""
    empty: str
    held: tuple[str, str]
    beyond: tuple[str, str]
    frame: str
    """The corners clockwise from the top left, then a horizontal line, a vertical line, and a horizontal line beyond
    which the field continues."""


BLOCKS: Final = Glyphs(
    trail=("█▊", "▇▇"),
    wall="█",
    signs={"u": "▲", "d": "▼", "l": "◄", "r": "►", "": "●", CRASH: "╳"},
    empty="·",
    held=("╹", "╸"),
    beyond=("╵", "╴"),
    frame="╭╮╯╰─│┄",
)

PLAIN: Final = Glyphs(
    trail=("##", "=="),
    wall="%",
    signs={"u": "^", "d": "v", "l": "<", "r": ">", "": "o", CRASH: "X"},
    empty=".",
    held=("|", "-"),
    beyond=(":", "~"),
    frame="++++-|~",
)

CROSS_ARM: Final = 0.35
"""How thick the arms of the cross for a crash are."""

NOSE: Final = 0.2
"""Half the width of a rider's front."""


def is_in_wedge(x: float, y: float) -> bool:
    """Whether a point is inside a shape with a square back and a blunt tip in front."""
    return abs(x) <= NOSE + (1 - NOSE) * (1 + y)


SHAPES: Final[dict[Step, Shape]] = {
    "u": is_in_wedge,
    "d": lambda x, y: is_in_wedge(x, -y),
    "l": lambda x, y: is_in_wedge(y, x),
    "r": lambda x, y: is_in_wedge(y, -x),
    "": disc,
    CRASH: lambda x, y: abs(abs(x) - abs(y)) <= CROSS_ARM,
}
"""A rider seen from above, by its direction, and the cross of a crash."""


@cache
def draw_shape(step: Step, cell: int, ascii_only: bool) -> tuple[str, ...]:
    """Draw one of SHAPES. Empty for a rider if a cell has room only for its name."""
    sign = (PLAIN if ascii_only else BLOCKS).signs[step]
    if cell == 1:
        return (2 * sign,) if step == CRASH else ()
    return in_ascii(SHAPES[step], 2 * cell, cell, sign) if ascii_only else in_blocks(SHAPES[step], 2 * cell, cell)


def format_name(seat: Seat, arrow: str, number_first: bool = False) -> str:
    """Return the rider's number and its arrow, two columns wide. An arrow to the left comes first, unless
    `number_first`."""
    number = RIDERS[seat][-1]
    return arrow + number if arrow in "◄<" and not number_first else number + arrow


LEGEND: Final = "trails"
"""What the two samples under a small field show, between them."""

COUNT: Final = 4
"""How many columns a count and the gap before it take."""
SAMPLE: Final = 4
"""The length of a sample of a trail, in columns or rows."""
ROOMY: Final = 17
"""From this width on, half of the picture has room for a rider's full name before its bar and its count."""

BRIGHT: Final = 4
"""How many of a rider's last cells are bright, besides its head."""

OUTWARDS: Final[dict[Step, tuple[int, int]]] = {"l": (-3, 0), "": (0, 0), "r": (1, 0)}
"""Where the value of a small cell is centred, by the side to which it extends."""

STROKE: Final = (Role.CONTROL_FIRST, Role.CONTROL_SECOND)

Past: TypeAlias = tuple[tuple[list[Cell], list[Cell]], list[Step], list[Cell | None]]
"""Each rider's cells, oldest first, its last step, and where it crashed."""


def read_past(positions: tuple[Position, ...], moves: tuple[Round, ...]) -> Past:
    """Find the riders' trails (the head last), directions and crashes in the positions and rounds of a game, oldest
    first. Riders that enter the same cell crash there, and other riders crash where they are."""
    trails: tuple[list[Cell], list[Cell]] = ([], [])
    heading, crashed = ["", ""], list[Cell | None]((None, None))
    for position in positions:
        for seat, trail in enumerate(trails):
            head = position.head(seat)
            if head is None:
                crashed[seat] = trail[-1] if trail else None
                continue
            if trail:
                heading[seat] = next((s for s in STEPS if position.find_neighbour(trail[-1], s) == head), "")
            elif WALL not in position.cells:
                heading[seat] = "rl"[seat]
            trail.append(head)
    if len(positions) > 1 and moves and None not in crashed:
        first, second = (find_landing(positions[-2], seat, moves[-1][seat]) for seat in (0, 1))
        if first is not None and first == second:
            crashed = [first, second]
    return trails, heading, crashed


def scene(view: View[Position, Round]) -> Scene:
    """Draw the last position. `view.seat` is the rider whose direction can be chosen. The field is never flipped, so
    that the arrow keys mean what the screen shows."""
    drawing = Drawing(view)
    return Scene.of(drawing.seen.width, drawing.seen.height, drawing.pieces(), drawing.list_places())


def between(view: View[Position, Round]) -> tuple[Scene, ...]:
    return ()


def trace(position: Position, move: Round) -> tuple[Target, ...]:
    """Mark nothing, because the heads and the bright ends of the trails already show the last move."""
    return ()


class Drawing:
    """Collects the parts of one picture of the field."""

    def __init__(self, view: View[Position, Round]) -> None:
        self.position = view.position
        self.ascii_only = view.ascii_only
        self.glyphs = PLAIN if view.ascii_only else BLOCKS
        self.trails, self.heading, self.crashed = read_past(view.positions, view.moves)
        self.seen = lay_out(self.position.width, self.position.height, view.scale)
        self.seats: tuple[Seat, ...] = (0, 1) if view.seat is None else (view.seat,)
        self.first = self.find_first_row()
        self.heads = [self.position.head(0), self.position.head(1)]
        self.control = map_control(self.position) if view.shows_overlay and None not in self.heads else None
        held = () if self.control is None else [control.seat for control in self.control.values()]
        self.counts = None if self.control is None else (held.count(0), held.count(1))
        self.chosen: Step = view.chosen[-1] if view.chosen and len(self.seats) == 1 else ""
        if self.chosen:  # show the rider as if it had taken the chosen step
            seat = self.seats[0]
            cell, trail = self.find_cell_ahead(seat, self.chosen), self.trails[seat]
            if self.chosen == CRASH:
                self.heads[seat], self.crashed[seat] = None, trail[-1]
            else:
                self.heads[seat], self.heading[seat] = cell, self.chosen
                trail.append(cell)
        # Without the rounds that led here, the trails are drawn as walls, and a sample would show nothing on the field.
        is_known = WALL not in self.position.cells or any(len(trail) > 1 for trail in self.trails)
        self.sample = SAMPLE if is_known else 0

    def find_first_row(self) -> int:
        """Return the first visible row. The window is centred between the heads, or where they were last. The rider
        that chooses stays visible, with the rows next to it."""
        last = {seat: trail[-1] // self.position.width for seat, trail in enumerate(self.trails) if trail}
        if not last:
            return 0
        rows = self.seen.rows
        top = (min(last.values()) + max(last.values()) + 1) // 2 - rows // 2
        here = last.get(self.seats[0])
        if here is not None:
            top = max(here + 2 - rows, min(here - 1, top))
        return max(0, min(self.position.height - rows, top))

    def pieces(self) -> Iterator[Piece]:
        yield from self.draw_frame()
        yield from self.draw_cells()
        for seat in (0, 1):
            yield from self.draw_rider(seat)
        for seat in (0, 1):
            yield from self.draw_count(seat)
        seen = self.seen
        if self.counts is None and self.sample and seen.counts == 1 and seen.width // 2 >= ROOMY:
            yield Sprite((seen.width - len(LEGEND)) // 2, seen.height - 1, (LEGEND,), Role.NOTE)

    def find_corner(self, cell: Cell) -> tuple[int, int] | None:
        """Return the top left corner of a cell on the picture, or `None` if it has scrolled out of view."""
        y, x = divmod(cell, self.position.width)
        return self.seen.corner(x, y - self.first) if 0 <= y - self.first < self.seen.rows else None

    def draw_frame(self) -> Iterator[Sprite]:
        """Draw the edge of the field. A dashed line means that the field continues above or below."""
        seen = self.seen
        corner_a, corner_b, corner_c, corner_d, across, upright, going_on = tuple(self.glyphs.frame)
        above = across if self.first == 0 else going_on
        below = across if self.first + seen.rows == self.position.height else going_on
        for x in (seen.left - 1, seen.left + seen.wide):
            yield Sprite(x, seen.top, (upright,) * seen.high, Role.GRID)
        yield Sprite(seen.left - 1, seen.top - 1, (corner_a + above * seen.wide + corner_b,), Role.GRID)
        yield Sprite(seen.left - 1, seen.top + seen.high, (corner_d + below * seen.wide + corner_c,), Role.GRID)

    def draw_cells(self) -> Iterator[Piece]:
        """Draw a checkerboard of two similar shades, the walls, and a dot in each empty cell. If territories are shown,
        a cell has the colour and a stroke in the texture of the rider that reaches it first. The stroke is broken
        beyond a choke point."""
        seen, size, width = self.seen, self.seen.cell, self.position.width
        yield Tint(seen.left, seen.top, seen.wide, seen.high, Role.PLACE)
        for cell in range(self.first * width, (self.first + seen.rows) * width):
            row, column = divmod(cell, width)
            x, y = seen.corner(column, row - self.first)
            held = None if self.control is None else self.control.get(cell)
            if held is not None and not held.beyond:
                yield Tint(x, y, 2 * size, size, GROUNDS[held.seat])
            elif (row + column) % 2:
                yield Tint(x, y, 2 * size, size, Role.PLACE_OTHER)
            if self.position.cells[cell] == WALL:
                yield Sprite(x, y, (2 * size * self.glyphs.wall,) * size, Role.WALL)
            elif self.position.cells[cell] == EMPTY and cell not in self.heads:
                sign, role = self.glyphs.empty, Role.GRID
                if held is not None:
                    strokes = self.glyphs.beyond if held.beyond else self.glyphs.held
                    sign, role = strokes[held.seat], STROKE[held.seat]
                yield Sprite(x + size - 1, y + (size - 1) // 2, (sign,), role)

    def draw_trail(self, seat: Seat, x: int, y: int, wide: int, high: int, role: Role) -> Iterator[Piece]:
        """Fill a box with trail. The rider's background colour shows through the texture."""
        yield Tint(x, y, wide, high, GROUNDS[seat])
        yield Sprite(x, y, ((self.glyphs.trail[seat] * wide)[:wide],) * high, role)

    def draw_rider(self, seat: Seat) -> Iterator[Piece]:
        """Draw a trail, bright at its end, and the rider or its crash."""
        size, trail = self.seen.cell, self.trails[seat]
        head, crashed = self.heads[seat], self.crashed[seat]
        for number, cell in enumerate(trail, 1):
            if (at := self.find_corner(cell)) is not None and cell not in (head, crashed):
                role = (FRESH if len(trail) - number <= BRIGHT else PIECES)[seat]
                yield from self.draw_trail(seat, *at, 2 * size, size, role)
        if head is not None and (at := self.find_corner(head)) is not None:
            yield from self.draw_head(seat, *at)
        elif crashed is not None and (at := self.find_corner(crashed)) is not None:
            yield Sprite(*at, draw_shape(CRASH, size, self.ascii_only), Role.CAPTURE)

    def draw_head(self, seat: Seat, x: int, y: int) -> Iterator[Piece]:
        """Draw the rider with its number and direction, on a dark background if the rider surrounds them. In a small
        cell that is chosen, the number comes first, because a mark covers the rest."""
        size, heading = self.seen.cell, self.heading[seat]
        back = 0 if size == 1 else {"l": 1, "r": -1}.get(heading, 0)  # away from the point of the wedge
        dx, dy = size - 1 + back, size // 2 if heading == "u" else (size - 1) // 2
        ground, ink = (Role.CHIP, FRESH[seat]) if size > 2 else (FRESH[seat], Role.CUT)
        is_marked = size == 1 and bool(self.chosen) and seat in self.seats
        name = format_name(seat, self.glyphs.signs[heading], is_marked)
        yield Sprite(x, y, draw_shape(heading, size, self.ascii_only), FRESH[seat])
        yield Tint(x + dx, y + dy, 2, 1, ground)
        yield Sprite(x + dx, y + dy, (name,), ink)

    def draw_count(self, seat: Seat) -> Iterator[Piece]:
        """Draw the name, the bar and the count of a rider, from its edge of the picture to the middle. A bar under the
        field has its own rows if there are enough."""
        seen, half, words = self.seen, self.seen.width // 2, RIDERS[seat].split()
        unit = ""
        if seen.counts == 0:  # beside the field, from the top down
            texts = [(0, seen.top + row, word) for row, word in enumerate(words)]
            x, y, wide = 0, seen.top + len(words) + 1, GUTTER - 1
            high = self.scale_bar(seat, seen.top + seen.high - y)
            count_at = 0, y - 1
        else:
            top, name = seen.height - max(1, seen.counts - 1), RIDERS[seat] if half >= ROOMY else words[-1]
            texts = [(0, top, name)]
            x, y = (len(name) + 1, top) if seen.counts == 1 else (0, top + 1)
            wide = self.scale_bar(seat, half - (x + COUNT if seen.counts == 1 else 1))
            high = seen.height - y
            count_at = x + wide + 1 if seen.counts == 1 else len(name) + 2, top
        if self.counts is not None:
            if seen.counts > 1 and half >= ROOMY:
                unit = " cell" if self.counts[seat] == 1 else " cells"
            texts.append((*count_at, f"{self.counts[seat]}{unit}"))
        for outwards, row, text in texts:
            yield Sprite(self.mirror(seat, outwards, len(text)), row, (text,), PIECES[seat])
        yield from self.draw_trail(seat, self.mirror(seat, x, wide), y, wide, high, PIECES[seat])

    def scale_bar(self, seat: Seat, most: int) -> int:
        """Return the length of a bar: the rider's share of the territories, out of at most `most`, or a sample of its
        trail."""
        if self.counts is None:
            return min(self.sample, most)
        return most * self.counts[seat] // max(1, sum(self.counts))

    def mirror(self, seat: Seat, outwards: int, wide: int) -> int:
        """Return the left column of something `wide` columns wide that begins `outwards` columns away from the rider's
        edge of the picture."""
        return outwards if seat == 0 else self.seen.width - outwards - wide

    def list_places(self) -> tuple[Place, ...]:
        """Return where the directions that can be chosen are. A direction that both riders have appears once, next to
        the first of them. A direction that has scrolled out of view is at the nearest edge."""
        found: dict[Target, Place] = {}
        for seat in self.seats:
            for step in RULES.moves_of(self.position, seat):
                if step not in found:
                    found[step] = self.place(step, self.find_cell_ahead(seat, step))
        return tuple(found.values())

    def find_cell_ahead(self, seat: Seat, step: Step) -> Cell:
        """Return the cell that a step leads to. For a crash, return the cell that the rider runs into, if it is on the
        field."""
        head, position = self.position.head(seat), self.position
        assert head is not None, "a rider that has crashed has no step"
        ways = {way: cell for cell, way in position.list_neighbours(head).items() if position.cells[cell] not in HEADS}
        wanted = self.heading[seat] if step == CRASH else step
        return ways[wanted if wanted in ways else next(iter(ways))]

    def place(self, step: Step, cell: Cell) -> Place:
        """Return a cell that a rider can move to. It has no cursor frame, because the arrow keys choose directions."""
        size, (y, x) = self.seen.cell, divmod(cell, self.position.width)
        at = self.seen.corner(x, max(0, min(self.seen.rows - 1, y - self.first)))
        if size == 1:
            near = [self.position.find_neighbour(cell, way) for way in "lr"]
            left, right = (beside is not None and self.position.cells[beside] == EMPTY for beside in near)
            roomier = "" if left == right else "l" if left else "r"
            label = OUTWARDS[step if step in OUTWARDS else roomier]
            return Place(step, *at, 2, 1, mark=(1, 0), hint=(0, 0), last=(1, 0), label=label, framed=False)
        # Beside the number of a rider that has taken the step, the mark is in the corner behind it.
        mark = (0, -1) if step == self.chosen else (0, 0)
        return Place(step, *at, 2 * size, size, mark=mark, last=(-1, -1), label=(size - 1, -1), framed=False)
