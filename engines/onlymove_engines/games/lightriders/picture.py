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
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple, TypeAlias

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

LEAST_WIDTH: Final = 24
"""How many columns two counts next to each other need."""

WELL_FILLED: Final = 0.75
"""A field that takes at least this share of the height leaves the rest to the frame and the counts."""


@dataclass(frozen=True, slots=True)
class Space:
    """The space that a scale offers, in characters, and how many rows the counts under the field take, including the
    gap above them."""

    width: int
    height: int
    counts: int


SPACES: Final = {1: Space(52, 20, 1), 2: Space(76, 32, 3), 3: Space(104, 42, 5)}
"""The space for each scale. The official field, 16 x 16, takes 32 rows in cells of 4 x 2, and its frame 2 more."""


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
    top: int
    counts: int

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
    space = SPACES[scale]
    rows = min(height, space.height - FRAME - space.counts)
    cell = largest_cell(width, rows, space.width - FRAME, space.height - FRAME - space.counts)
    tight = largest_cell(width, rows, space.width - FRAME - 2 * GUTTER, space.height)
    if scale > 1 and tight > cell and cell * rows < WELL_FILLED * space.height:
        across = 2 * tight * width + FRAME + 2 * GUTTER
        return Layout(across, tight * rows + FRAME, width, rows, tight, GUTTER + 1, 1, 0)
    across = max(LEAST_WIDTH, 2 * cell * width + FRAME)
    left = (across - 2 * cell * width) // 2
    return Layout(across, cell * rows + FRAME + space.counts, width, rows, cell, left, 1, space.counts)


def largest_cell(columns: int, rows: int, wide: int, high: int) -> int:
    """Return the height of the largest cells that fit, if there are `columns` x `rows` of them. Return 1 if none do."""
    return max(1, min(wide // (2 * columns), high // rows))


Rows: TypeAlias = tuple[str, ...]

CROSS_ARM: Final = 0.35
"""How thick the arms of the cross for a crash are."""


NOSE: Final = 0.2
"""Half the width of a rider's front."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters of the picture. Pairs are for rider 0 and rider 1. A cell begins with two columns of them."""

    trail: tuple[str, str]
    wall: str
    arrows: dict[Step, str]
    crash: str
    empty: str
    held: tuple[str, str]
    beyond: tuple[str, str]
    frame: str
    """The corners clockwise from the top left, then a horizontal line, a vertical line, and a horizontal line beyond
    which the field continues."""


BLOCKS: Final = Glyphs(
    trail=("█▊", "▇▇"),
    wall="█",
    arrows={"u": "▲", "d": "▼", "l": "◄", "r": "►", "": "●"},
    crash="╳╳",
    empty="·",
    held=("╹", "╸"),
    beyond=("╵", "╴"),
    frame="╭╮╯╰─│┄",
)

PLAIN: Final = Glyphs(
    trail=("##", "=="),
    wall="%",
    arrows={"u": "^", "d": "v", "l": "<", "r": ">", "": "o"},
    crash="XX",
    empty=".",
    held=("|", "-"),
    beyond=(":", "~"),
    frame="++++-|~",
)


def glyphs_for(ascii_only: bool) -> Glyphs:
    return PLAIN if ascii_only else BLOCKS


@cache
def draw_crash(cell: int, ascii_only: bool) -> Rows:
    signs = glyphs_for(ascii_only)
    if cell == 1:
        return (signs.crash,)
    return fill_cell(lambda x, y: abs(abs(x) - abs(y)) <= CROSS_ARM, cell, signs.crash[0], ascii_only)


@cache
def draw_hull(heading: Step, cell: int, ascii_only: bool) -> Rows:
    """Draw a rider seen from above, as a wedge. Empty if a cell has room only for its name."""
    return fill_cell(turn_wedge(heading), cell, glyphs_for(ascii_only).arrows[heading], ascii_only) if cell > 1 else ()


def format_name(seat: Seat, heading: Step, ascii_only: bool, number_first: bool = False) -> str:
    """Return the rider's number and its direction arrow, two columns wide. The arrow of a rider that goes left comes
    first, unless `number_first`."""
    arrow = glyphs_for(ascii_only).arrows[heading]
    number = RIDERS[seat][-1]
    return arrow + number if heading == "l" and not number_first else number + arrow


def fill_cell(shape: Shape, cell: int, fill: str, ascii_only: bool) -> Rows:
    return in_ascii(shape, 2 * cell, cell, fill) if ascii_only else in_blocks(shape, 2 * cell, cell)


def turn_wedge(heading: Step) -> Shape:
    ways: dict[Step, Shape] = {
        "u": is_in_pointer,
        "d": lambda x, y: is_in_pointer(x, -y),
        "l": lambda x, y: is_in_pointer(y, x),
        "r": lambda x, y: is_in_pointer(y, -x),
    }
    return ways.get(heading, disc)


def is_in_pointer(x: float, y: float) -> bool:
    """Whether a point is inside a shape with a square back and a blunt tip in front."""
    return abs(x) <= NOSE + (1 - NOSE) * (1 + y)


TRAIL: Final = (Role.FIRST, Role.SECOND)
GROOVE: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
BRIGHT: Final = (Role.FIRST_FRESH, Role.SECOND_FRESH)


class Box(NamedTuple):
    x: int
    y: int
    wide: int
    high: int


def draw_stretch(seat: Seat, box: Box, ascii_only: bool, fresh: bool = False) -> Iterator[Piece]:
    """Fill a box with trail. The rider's background colour shows through the texture."""
    yield Tint(*box, GROOVE[seat])
    row = (glyphs_for(ascii_only).trail[seat] * box.wide)[: box.wide]
    yield Sprite(box.x, box.y, (row,) * box.high, (BRIGHT if fresh else TRAIL)[seat])


LEGEND: Final = "trails"
"""What the two samples under a small field show, between them."""
Counts: TypeAlias = tuple[int, int]

COUNT: Final = 4
"""How many columns a count and the gap before it take."""
SAMPLE: Final = 4
"""The length of a sample of a trail, in columns or rows."""
ROOMY: Final = 17
"""From this width on, half of the picture has room for a rider's full name before its bar and its count."""


def draw_counts(seen: Layout, counts: Counts | None, sample: int, ascii_only: bool) -> Iterator[Piece]:
    """Draw the name, the bar and the count of both riders. If there is nothing to count, the bar is a sample of the
    rider's trail, `sample` columns or rows long."""
    beside = draw_count_beside if seen.counts == 0 else draw_count_under
    for seat in (0, 1):
        yield from beside(seen, seat, counts, sample, ascii_only)
    if counts is None and sample and seen.counts == 1 and seen.width // 2 >= ROOMY:
        yield Sprite((seen.width - len(LEGEND)) // 2, seen.height - 1, (LEGEND,), Role.NOTE)


def draw_count_under(seen: Layout, seat: Seat, counts: Counts | None, sample: int, ascii_only: bool) -> Iterator[Piece]:
    """Draw each name, bar and count under the field, from its edge to the middle. A bar has its own rows if there are
    enough."""
    top, half = seen.height - max(1, seen.counts - 1), seen.width // 2
    name = RIDERS[seat] if half >= ROOMY else RIDERS[seat][-1]
    yield draw_text(seen, seat, 0, top, name)
    if seen.counts > 1:
        start, bar_top, wide = 0, top + 1, scale_bar(half - 1, seat, counts, sample)
        count_at = len(name) + 2
    else:
        start, bar_top, wide = len(name) + 1, top, scale_bar(half - len(name) - 1 - COUNT, seat, counts, sample)
        count_at = start + wide + 1
    box = Box(mirror_column(seen, seat, start, wide), bar_top, wide, seen.height - bar_top)
    yield from draw_stretch(seat, box, ascii_only)
    if counts is not None:
        unit = (" cell" if counts[seat] == 1 else " cells") if seen.counts > 1 and half >= ROOMY else ""
        yield draw_text(seen, seat, count_at, top, f"{counts[seat]}{unit}")


def draw_count_beside(
    seen: Layout, seat: Seat, counts: Counts | None, sample: int, ascii_only: bool
) -> Iterator[Piece]:
    """Draw the name, the count and the bar beside the field, from the top down."""
    wide, top = GUTTER - 1, seen.top
    for word in RIDERS[seat].split():
        yield draw_text(seen, seat, 0, top, word)
        top += 1
    if counts is not None:
        yield draw_text(seen, seat, 0, top, str(counts[seat]))
    high = scale_bar(seen.top + seen.high - top - 1, seat, counts, sample)
    yield from draw_stretch(seat, Box(mirror_column(seen, seat, 0, wide), top + 1, wide, high), ascii_only)


def scale_bar(most: int, seat: Seat, counts: Counts | None, sample: int) -> int:
    """Return the length of a bar: the rider's share of the territories, out of at most `most`."""
    return min(sample, most) if counts is None else most * counts[seat] // max(1, sum(counts))


def draw_text(seen: Layout, seat: Seat, outwards: int, y: int, text: str) -> Sprite:
    return Sprite(mirror_column(seen, seat, outwards, len(text)), y, (text,), TRAIL[seat])


def mirror_column(seen: Layout, seat: Seat, outwards: int, wide: int) -> int:
    """Return the left column of something `wide` columns wide that begins `outwards` columns away from the rider's edge
    of the field."""
    return outwards if seat == 0 else seen.width - outwards - wide


@dataclass
class Past:
    """Each rider's history: its cells, oldest first, its last step, and where it crashed."""

    trails: tuple[list[Cell], list[Cell]] = field(default_factory=lambda: ([], []))
    heading: list[Step] = field(default_factory=lambda: ["", ""])
    crashed: list[Cell | None] = field(default_factory=lambda: [None, None])


def read_past(positions: tuple[Position, ...], moves: tuple[Round, ...]) -> Past:
    """Find the riders' trails (the head last), directions and crashes in the positions and rounds of a game, oldest
    first. Riders that enter the same cell crash there, and other riders crash where they are."""
    past = Past()
    for position in positions:
        for seat in (0, 1):
            head, trail = position.head(seat), past.trails[seat]
            if head is None:
                past.crashed[seat] = trail[-1] if trail else None
                continue
            if trail:
                past.heading[seat] = next((s for s in STEPS if position.find_neighbour(trail[-1], s) == head), "")
            elif WALL not in position.cells:
                past.heading[seat] = "rl"[seat]
            trail.append(head)
    if len(positions) > 1 and moves and None not in past.crashed:
        first, second = (find_landing(positions[-2], seat, moves[-1][seat]) for seat in (0, 1))
        if first is not None and first == second:
            past.crashed = [first, second]
    return past


FRESH: Final = 4
"""How many of a rider's last cells are bright."""

OUTWARDS: Final[dict[Step, tuple[int, int]]] = {"l": (-3, 0), "": (0, 0), "r": (1, 0)}
"""Where the value of a small cell is centred, by the side to which it extends."""

HELD: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
STROKE: Final = (Role.CONTROL_FIRST, Role.CONTROL_SECOND)


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
        self.past = read_past(view.positions, view.moves)
        self.seen = lay_out(self.position.width, self.position.height, view.scale)
        self.seats: tuple[Seat, ...] = (0, 1) if view.seat is None else (view.seat,)
        self.first = find_first_row(self.position, self.past, self.seats, self.seen.rows)
        self.heads = [self.position.head(0), self.position.head(1)]
        self.chosen: Step = view.chosen[-1] if view.chosen and len(self.seats) == 1 else ""
        alive = all(self.position.head(seat) is not None for seat in (0, 1))
        self.control = map_control(self.position) if view.overlay and alive else None
        if self.chosen:  # show the rider as if it had taken the chosen step
            seat = self.seats[0]
            cell, trail = self.find_cell_ahead(seat, self.chosen), self.past.trails[seat]
            if self.chosen == CRASH:
                self.heads[seat], self.past.crashed[seat] = None, trail[-1]
            else:
                self.heads[seat], self.past.heading[seat] = cell, self.chosen
                trail.append(cell)

    def pieces(self) -> Iterator[Piece]:
        yield from self.frame()
        yield from self.draw_ground()
        wall = (glyphs_for(self.ascii_only).wall * 2 * self.seen.cell,) * self.seen.cell
        for cell, at in self.list_visible():
            sign = self.position.cells[cell]
            if sign == EMPTY and cell not in self.heads:
                yield from self.draw_empty(cell, at)
            elif sign == WALL:
                yield Sprite(*at, wall, Role.WALL)
        for seat in (0, 1):
            yield from self.rider(seat)
        held: Counts | None = None
        if self.control is not None:
            first = sum(control.seat == 0 for control in self.control.values())
            held = first, len(self.control) - first
        # Without the rounds that led here, the trails are drawn as walls, and a sample would show nothing on the field.
        is_known = WALL not in self.position.cells or any(len(trail) > 1 for trail in self.past.trails)
        yield from draw_counts(self.seen, held, SAMPLE if is_known else 0, self.ascii_only)

    def list_visible(self) -> Iterator[tuple[Cell, tuple[int, int]]]:
        """Yield the visible cells, each with its top left corner on the picture."""
        for row in range(self.seen.rows):
            for x in range(self.position.width):
                yield (self.first + row) * self.position.width + x, self.seen.corner(x, row)

    def find_corner(self, cell: Cell) -> tuple[int, int] | None:
        """Return the top left corner of a cell on the picture, or `None` if it has scrolled out of view."""
        y, x = divmod(cell, self.position.width)
        return self.seen.corner(x, y - self.first) if 0 <= y - self.first < self.seen.rows else None

    def frame(self) -> Iterator[Sprite]:
        """Draw the edge of the field. A dashed line means that the field continues above or below."""
        seen = self.seen
        corner_a, corner_b, corner_c, corner_d, across, upright, going_on = tuple(glyphs_for(self.ascii_only).frame)
        above = across if self.first == 0 else going_on
        below = across if self.first + seen.rows == self.position.height else going_on
        for x in (seen.left - 1, seen.left + seen.wide):
            yield Sprite(x, seen.top, (upright,) * seen.high, Role.GRID)
        yield Sprite(seen.left - 1, seen.top - 1, (corner_a + above * seen.wide + corner_b,), Role.GRID)
        yield Sprite(seen.left - 1, seen.top + seen.high, (corner_d + below * seen.wide + corner_c,), Role.GRID)

    def draw_ground(self) -> Iterator[Tint]:
        """Draw a checkerboard of two similar shades. If territories are shown, a cell has the colour of the rider that
        reaches it first."""
        seen = self.seen
        yield Tint(seen.left, seen.top, seen.wide, seen.high, Role.PLACE)
        for cell, (x, y) in self.list_visible():
            held = None if self.control is None else self.control.get(cell)
            if held is not None and not held.beyond:
                yield Tint(x, y, 2 * seen.cell, seen.cell, HELD[held.seat])
            elif sum(divmod(cell, self.position.width)) % 2:
                yield Tint(x, y, 2 * seen.cell, seen.cell, Role.PLACE_OTHER)

    def draw_empty(self, cell: Cell, at: tuple[int, int]) -> Iterator[Sprite]:
        """Draw an empty cell: a dot or, if territories are shown, a stroke in the rider's texture. The stroke is broken
        beyond a choke point."""
        signs, (x, y) = glyphs_for(self.ascii_only), at
        x, y = x + self.seen.cell - 1, y + (self.seen.cell - 1) // 2
        held = None if self.control is None else self.control.get(cell)
        if held is None:
            yield Sprite(x, y, (signs.empty,), Role.GRID)
        else:
            yield Sprite(x, y, ((signs.beyond if held.beyond else signs.held)[held.seat],), STROKE[held.seat])

    def rider(self, seat: Seat) -> Iterator[Piece]:
        """Draw a trail, bright at its end, and the rider or its crash."""
        size, past = self.seen.cell, self.past
        for age, cell in reversed(list(enumerate(reversed(past.trails[seat])))):
            if (at := self.find_corner(cell)) is not None and cell not in (self.heads[seat], past.crashed[seat]):
                yield from draw_stretch(seat, Box(*at, 2 * size, size), self.ascii_only, age <= FRESH)
        head, crashed = self.heads[seat], past.crashed[seat]
        if head is not None and (at := self.find_corner(head)) is not None:
            yield from self.draw_head(seat, at, past.heading[seat])
        elif crashed is not None and (at := self.find_corner(crashed)) is not None:
            yield Sprite(*at, draw_crash(size, self.ascii_only), Role.CAPTURE)

    def draw_head(self, seat: Seat, at: tuple[int, int], heading: Step) -> Iterator[Piece]:
        """Draw the rider with its number and direction, on a dark background if the rider surrounds them. In a small
        cell that is chosen, the number comes first, because a mark covers the rest."""
        size, (x, y) = self.seen.cell, at
        back = 0 if size == 1 else {"l": 1, "r": -1}.get(heading, 0)  # away from the point of the wedge
        dx, dy = size - 1 + back, size // 2 if heading == "u" else (size - 1) // 2
        ground, ink = (Role.CHIP, BRIGHT[seat]) if size > 2 else (BRIGHT[seat], Role.CUT)
        yield Sprite(x, y, draw_hull(heading, size, self.ascii_only), BRIGHT[seat])
        yield Tint(x + dx, y + dy, 2, 1, ground)
        is_marked = size == 1 and bool(self.chosen) and seat in self.seats
        yield Sprite(x + dx, y + dy, (format_name(seat, heading, self.ascii_only, is_marked),), ink)

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
        wanted = self.past.heading[seat] if step == CRASH else step
        return ways[wanted if wanted in ways else next(iter(ways))]

    def place(self, step: Step, cell: Cell) -> Place:
        """Return a cell that a rider can move to. It has no cursor frame, because the arrow keys choose directions."""
        size, (y, x) = self.seen.cell, divmod(cell, self.position.width)
        at = self.seen.corner(x, max(0, min(self.seen.rows - 1, y - self.first)))
        if size == 1:
            label = OUTWARDS[step if step in OUTWARDS else self.find_roomier_side(cell)]
            return Place(step, *at, 2, 1, mark=(1, 0), hint=(0, 0), last=(1, 0), label=label, framed=False)
        # Beside the number of a rider that has taken the step, the mark is in the corner behind it.
        mark = (0, -1) if step == self.chosen else (0, 0)
        return Place(step, *at, 2 * size, size, mark=mark, last=(-1, -1), label=(size - 1, -1), framed=False)

    def find_roomier_side(self, cell: Cell) -> Step:
        """Return the side on which the value of a small cell has room, or an empty text if both sides or neither
        has."""
        left, right = (self.position.find_neighbour(cell, step) for step in "lr")
        blocked = [near is None or self.position.cells[near] != EMPTY for near in (left, right)]
        return "" if blocked[0] == blocked[1] else "r" if blocked[0] else "l"


def find_first_row(position: Position, past: Past, seats: tuple[Seat, ...], rows: int) -> int:
    """Return the first visible row. The window is centred between the heads, or where they were last. The rider of the
    first of `seats` stays visible, with the rows next to it."""
    last = {seat: trail[-1] // position.width for seat, trail in enumerate(past.trails) if trail}
    if not last:
        return 0
    top = (min(last.values()) + max(last.values()) + 1) // 2 - rows // 2
    here = last.get(seats[0])
    if here is not None:
        top = max(here + 2 - rows, min(here - 1, top))
    return max(0, min(position.height - rows, top))
