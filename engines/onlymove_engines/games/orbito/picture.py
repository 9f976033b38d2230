"""Draws the board of Orbito: two bands, sixteen dimples, and marbles that lie in them and slide along their ring.

The arrows on the sides of a band show the direction of the shift. A marble is a little smaller than its dimple, so that
the dimple forms a rim around it. Black marbles have a hole, so that the sides differ without colours. The row under the
board says where the shift took the marbles of the last move.

When a whole move is chosen, the picture shows it before its shift: its marbles are framed, a checked marble shows where
the push began, and arrows show the push and the shift. The row under the board then says where the marbles will end up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from onlymove_engines.core.drawing import HEADS, Sheet, choose_layout, fill, find_direction
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import QUADRANTS, Rows, Shape, Spot, fade, in_ascii, in_blocks, join_quarters
from onlymove_engines.core.value import Seat

from .rules import BIT, LINES, NEXT, READING_ORDER, Cell, Move, Position, place_marble, push_marble, settle


@dataclass(frozen=True, slots=True)
class Layout(Sheet):
    """The measures of one scale, in characters, seen from one side.

    `columns` and `rows` are where the places begin, and `place` is how many columns and rows each has. Between them
    there is a column or a row, with more in the middle of the board for the arrows. A dimple is drawn in a `box`, which
    begins `margin` columns to the right of its place, and `above` rows (0 or 1) above it. `discs` are the diameters of
    dimple, marble and hole in columns, where half a row is as high as a column is wide.
    """

    columns: tuple[int, int, int, int]
    rows: tuple[int, int, int, int]
    place: tuple[int, int]
    box: tuple[int, int]
    margin: int
    above: int
    discs: tuple[float, float, float]

    def corner(self, cell: Cell) -> Spot:
        column, row = ord(cell[0]) - ord("a"), 4 - int(cell[1])
        return (
            (self.columns[3 - column], self.rows[3 - row]) if self.flipped else (self.columns[column], self.rows[row])
        )

    def find_box(self, cell: Cell, way: float = 0.0) -> Spot:
        """Return the top left corner of the dimple of `cell`, moved by the fraction `way` of the distance to the next
        cell."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        return round(x + (next_x - x) * way) + self.margin, round(y + (next_y - y) * way) - self.above

    def middle(self, cell: Cell) -> tuple[float, float]:
        (x, y), diameter = self.find_box(cell), self.box[0]
        return x + diameter / 2, y + (self.above + diameter / 2) / 2

    def round(self, diameter: float, hole: float = 0.0) -> Shape:
        """Return a disc or a ring in the middle of a dimple, as a shape in the dimple's box."""
        columns, rows = self.box
        middle = (self.above + columns / 2) / rows - 1
        return lambda x, y: hole**2 <= (x * columns) ** 2 + (2 * (y - middle) * rows) ** 2 <= diameter**2


LAYOUTS: Final = (
    Layout(47, 20, (4, 14, 26, 36), (2, 6, 11, 15), (9, 3), (7, 4), 0, 1, (6.6, 5, 2.6)),
    Layout(69, 32, (4, 19, 36, 51), (2, 9, 17, 24), (14, 6), (12, 6), 1, 0, (12, 10, 4)),
    Layout(85, 40, (4, 23, 44, 63), (2, 11, 21, 30), (18, 8), (16, 8), 1, 0, (16, 14, 6)),
)
WHITE, BLACK = 0, 1
COLOURS: Final = (Role.WHITE, Role.BLACK)
FILLS: Final = ("#", "O")
SMALLEST: Final = (" ▗▄▄▄▖ ", "▄█████▄", "███████", " ▜███▛ ")
"""The dimple of the smallest scale. It leaves an even rim around a marble."""
SHELLS: Final = (".-.", "/ \\", "( )", "\\ /", "'-'")
"""The rows of a dimple in ASCII, each as its first, middle and last characters: the top row, a row that is narrower
than the next, one that is not, one that is narrower than the row before, and the bottom row."""
LIGHTER: Final = str.maketrans("#O", "%:")
"""The ASCII characters of a marble that is not on the board."""
HALF_COVERED = 2
"""A character with at least this many filled quarters counts as marble when a line is drawn through it."""
PIPS: Final = ("●", "○")
TRIANGLES: Final = {
    (1, 0): ("▖  ", "█▙▖", "█▛▘", "▘  "),
    (-1, 0): ("  ▗", "▗▟█", "▝▜█", "  ▝"),
    (0, 1): ("▗▄▄▄▄▖", " ▝▜▛▘ "),
    (0, -1): (" ▗▟▙▖ ", "▝▀▀▀▀▘"),
}
"""Larger arrows, which cover no part of a dimple."""
FRAME: Final = "╭╮╰╯"
TWINS: Final = str.maketrans("●○►◄▼▲→╭╮╰╯", "@o><v^>++++")
"""What replaces the characters of everything but the board and the marbles in ASCII."""
STEPS: Final = 512
"""How many points of a line are sampled."""
UPRIGHT: Final = "┃"
"""Used in a vertical line, where a full block could not be seen on a marble in a terminal without colours."""
SLIDE: Final = (0.25, 0.5, 0.75)
"""The fractions of the way at which an animated shift shows the marbles."""
TURNS: Final = tuple(
    cell for cell in NEXT if {cell[0], NEXT[cell][0]} == {"b", "c"} or {cell[1], NEXT[cell][1]} == {"2", "3"}
)
"""The cells before the middle of each side of a ring."""


def draw_plain_disc(layout: Layout, hole: float, sign: str) -> Rows:
    """Draw a disc in ASCII, as large as a dimple. No row is only one character wide."""
    rows = in_ascii(layout.round(layout.discs[0], hole), *layout.box, sign)
    return tuple(row if row.count(sign) > 1 else " " * len(row) for row in rows)


@cache
def shape_marble(layout: Layout, seat: Seat) -> Rows:
    _, marble, hole = layout.discs
    if not layout.ascii_only:
        return in_blocks(layout.round(marble, hole * seat), *layout.box)
    rows = draw_plain_disc(layout, hole * seat, FILLS[seat])
    return tuple(f" {row.strip()[1:-1]} ".center(len(row)) for row in rows)


@cache
def draw_marble(layout: Layout, at: Spot, seat: Seat) -> tuple[Piece, ...]:
    """Draw a marble in a box that begins at a character. A black marble gets a background under its hole."""
    rows = shape_marble(layout, seat)
    parts: list[Piece] = [Sprite(*at, rows, COLOURS[seat])]
    if seat == BLACK and not layout.ascii_only:
        for y, (row, full) in enumerate(zip(rows, shape_marble(layout, WHITE), strict=True), start=at[1]):
            hole = [x for x, pair in enumerate(zip(row, full, strict=True)) if len(set(pair)) > 1]
            if hole:
                parts.append(Tint(at[0] + hole[0], y, hole[-1] - hole[0] + 1, 1, Role.BLACK))
    return tuple(parts)


def draw_marbles(layout: Layout, position: Position) -> list[Piece]:
    return [part for cell, seat in list_marbles(position) for part in draw_marble(layout, layout.find_box(cell), seat)]


def list_marbles(position: Position) -> list[tuple[Cell, Seat]]:
    return [(cell, seat) for seat, side in enumerate(position) for cell in READING_ORDER if side & BIT[cell]]


@cache
def draw_dimple(layout: Layout, at: Spot) -> tuple[Piece, ...]:
    """Draw a dimple whose box begins at a character. In ASCII, it has an outline."""
    if not layout.ascii_only:
        disc = SMALLEST if layout.above else in_blocks(layout.round(layout.discs[0]), *layout.box)
        return tuple(fill(disc, *at, Role.DIMPLE))
    disc = draw_plain_disc(layout, 0, "█")
    widths, rows = [0, *(row.count("█") for row in disc), 0], []
    for before, width, after in zip(widths, widths[1:], widths[2:], strict=False):
        kind = 0 if not before else 4 if not after else 1 if width < after else 3 if width < before else 2
        first, inside, last = SHELLS[kind]
        rows.append((first + inside * (width - 2) + last if width else "").center(layout.box[0]))
    return (*fill(disc, *at, Role.DIMPLE), Sprite(*at, tuple(rows), Role.GRID))


@cache
def draw_arrow(layout: Layout, cell: Cell, onto: Cell, role: Role) -> Sprite:
    """Draw an arrow half way between two neighbouring cells: one character or, if there is room, a triangle."""
    (x, y), (next_x, next_y) = layout.middle(cell), layout.middle(onto)
    direction = find_direction((x, y), (next_x, next_y))
    rows = (HEADS[direction],) if layout.ascii_only or layout.above else TRIANGLES[direction]
    return Sprite(int((x + next_x - len(rows[0])) / 2), int((y + next_y - len(rows) + 1) / 2), rows, role)


def slide(layout: Layout, position: Position) -> list[Scene]:
    """Show every marble at some fractions of its path in the next shift. Its dimple moves with it, because a marble is
    only drawn on that background."""
    frames = []
    for way in SLIDE:
        boxes = [(layout.find_box(cell, way), seat) for cell, seat in list_marbles(position)]
        parts = [(*draw_dimple(layout, at), *draw_marble(layout, at, seat)) for at, seat in boxes]
        frames.append(draw_picture(layout, *(part for each in parts for part in each)))
    return frames


def draw_frame(layout: Layout, cell: Cell) -> list[Sprite]:
    (x, y), (width, height) = layout.corner(cell), layout.place
    spots = ((x - 1, y - 1), (x + width, y - 1), (x - 1, y + height), (x + width, y + height))
    return [Sprite(*spot, (sign,), Role.MOVING) for spot, sign in zip(spots, FRAME, strict=True)]


def draw_ghost(layout: Layout, cell: Cell, seat: Seat) -> Sprite:
    """Draw a marble that is not on the board yet, or no longer on it."""
    rows = shape_marble(layout, seat)
    faded = tuple(row.translate(LIGHTER) for row in rows) if layout.ascii_only else fade(rows)
    return Sprite(*layout.find_box(cell), faded, COLOURS[seat])


def draw_stopped_move(layout: Layout, move: Move, position: Position) -> list[Sprite]:
    """Draw a move with all its targets picked, before the shift: frames around its marbles, and arrows for their ways.
    `position` already contains the marbles where the move puts them."""
    parts = [part for cell in move[-2:] for part in draw_frame(layout, cell)]
    ways = [(cell, NEXT[cell]) for cell in move[-2:]]
    if len(move) == 3:
        origin, onto, _ = move
        if not position.occupied & BIT[origin]:
            parts.append(draw_ghost(layout, origin, position.marbles % 2))
        if NEXT[onto] != origin:
            ways.append((origin, onto))
    return parts + [draw_arrow(layout, *way, Role.MOVING) for way in ways]


def draw_lines(layout: Layout, position: Position) -> Iterator[Piece]:
    """Draw a line through every four in a row of `position`. It is cut out of the marbles and bright between them. It
    has gaps only at marks."""
    lines = [(seat, line) for seat, side in enumerate(position) for line in LINES if side & line == line]
    if not lines:
        return
    covered = {
        (x + dx, y + dy)
        for x, y in (layout.find_box(cell) for cell, _ in list_marbles(position))
        for dy, row in enumerate(shape_marble(layout, WHITE))
        for dx, glyph in enumerate(row)
        if glyph == FILLS[WHITE] or QUADRANTS.find(glyph).bit_count() >= HALF_COVERED
    }
    # The characters for marks and values must stay free.
    reserved = {spot for place in list_places(layout) for spot in place.list_spots()}
    for seat, line in lines:
        first, *_, last = (cell for cell in READING_ORDER if BIT[cell] & line)
        for spot, sign in trace_line(layout, first, last):
            if spot in covered:
                yield Tint(*spot, 1, 1, COLOURS[seat])
                yield Sprite(*spot, (sign,), COLOURS[1 - seat])
            elif spot not in reserved:
                yield Sprite(*spot, (sign,), Role.MOVING)


@cache
def trace_line(layout: Layout, start: Cell, end: Cell) -> tuple[tuple[Spot, str], ...]:
    """Return the characters of a line from the middle of one dimple to the middle of another. The line is half a row
    thick."""
    (x, y), (end_x, end_y) = layout.middle(start), layout.middle(end)
    sign = "=" if y == end_y else "|" if x == end_x else "/" if (x < end_x) == (y > end_y) else "\\"
    full = UPRIGHT if x == end_x else "█"
    quarters: list[Spot] = []
    for step in range(STEPS + 1):
        across, down = 2 * (x + (end_x - x) * step / STEPS), int(2 * (y + (end_y - y) * step / STEPS))
        quarters += (int(across - 1), down), (int(across), down)
    glyphs = join_quarters(quarters).items()
    return tuple((spot, sign if layout.ascii_only else glyph.replace("█", full)) for spot, glyph in glyphs)


def draw_picture(layout: Layout, *parts: Piece) -> Scene:
    """Return a picture of the empty board with these parts drawn on it. An arrow of the board that a line or another
    arrow would cut is left out."""
    moving = [part for part in parts if isinstance(part, Sprite) and part.role is Role.MOVING]
    cuts = set().union(*map(list_spots, moving))
    arrows = (draw_arrow(layout, cell, NEXT[cell], Role.FLOW) for cell in TURNS)
    pieces = (*draw_board(layout), *(arrow for arrow in arrows if cuts.isdisjoint(list_spots(arrow))), *parts)
    return layout.compose(pieces, list_places(layout), TWINS)


def list_spots(sprite: Sprite) -> set[Spot]:
    """Return the characters that a sprite fills."""
    rows = enumerate(sprite.rows, start=sprite.y)
    return {(x, y) for y, row in rows for x, sign in enumerate(row, start=sprite.x) if sign != " "}


@cache
def list_places(layout: Layout) -> tuple[Place, ...]:
    mark = (-2, 0) if layout.above else (0, 0)
    return tuple(Place(cell, *layout.corner(cell), *layout.place, mark, label=(-2, -1)) for cell in READING_ORDER)


@cache
def draw_board(layout: Layout) -> tuple[Piece, ...]:
    """Draw the bands, the dimples, and the names of columns and rows."""
    return (
        *_draw_band(layout, is_inner=False),
        *_draw_band(layout, is_inner=True),
        *(part for cell in READING_ORDER for part in draw_dimple(layout, layout.find_box(cell))),
        *(Sprite(int(layout.middle(file + "4")[0] - 0.5), 0, (file,), Role.LABEL) for file in "abcd"),
        *(Sprite(0, int(layout.middle("a" + row)[1]), (row,), Role.LABEL) for row in "1234"),
    )


def _draw_band(layout: Layout, is_inner: bool) -> Iterator[Piece]:
    """Draw a band with rounded corners. A larger band would get in the way of marks and the cursor."""
    first, last, pad, role = (1, 2, 1, Role.BAND_INNER) if is_inner else (0, 3, 2, Role.BAND)
    x, y = layout.columns[first] - pad, layout.rows[first] - 1
    width = layout.columns[last] - layout.columns[first] + layout.box[0] + 2 * (pad + layout.margin)
    height = layout.rows[last] - layout.rows[first] + layout.place[1] + 2 - layout.above * is_inner
    if layout.ascii_only:
        if layout.above:  # lines would get in the way of marks
            width, height = width + 2, height + is_inner
        rule, inside = "+" + "-" * (width - 2) + "+", "|" + " " * (width - 2) + "|"
        yield Tint(x, y, width, height, role)
        yield Sprite(x, y, (rule, *[inside] * (height - 2), rule), Role.GRID)
        return
    full = "█" * (width - 4)
    upper, lower = (f" ▄{full}▄ ", f"▟█{full}█▙"), (f"▜█{full}█▛", f" ▀{full}▀ ")
    inside = f"██{full}██"
    if layout.above:
        upper, lower = (f"▟█{full}█▙", inside), (inside, inside if is_inner else f"▝{'▀' * (width - 2)}▘")
    yield from fill((*upper, *[inside] * (height - 4), *lower), x, y, role)


def describe_shift(move: Move, moves: str) -> str:
    """Say where the shift takes the marbles of a move. The verb `moves` says whether it has been played."""
    spelled = move[0] if len(move) == 1 else f"{move[0]}→{move[1]}, {move[2]}"
    now = " and ".join(NEXT[cell] for cell in move[-2:])
    return f"{spelled}. The shift {moves} {'it' if len(move) == 1 else 'them'} to {now}."


def scene(view: View[Position, Move]) -> Scene:
    """Draw the current board.

    A push already chosen is carried out, and a full board is shown after its extra shifts. A whole move is shown
    with its paths. The overlay shows the position after the next shift as checked marbles, and the current one as
    small symbols beside the dimples.
    """
    layout, position, chosen = choose_layout(LAYOUTS, view), view.position, view.chosen
    parts: list[Piece]
    if len(chosen) > 1:
        position = push_marble(position, chosen[:2])
    is_whole = bool(chosen) and not position.occupied & BIT[chosen[-1]]
    if is_whole:
        position = place_marble(position, chosen[-1])
    if view.shows_overlay and position.marbles < len(READING_ORDER):
        coming, (width, height) = position.shift(), layout.place
        corners = [(*layout.corner(cell), PIPS[seat]) for cell, seat in list_marbles(position)]
        parts = [draw_ghost(layout, cell, seat) for cell, seat in list_marbles(coming)]
        parts += [Sprite(x + width - 1, y + height // 2, (pip,), Role.GHOST) for x, y, pip in corners]
        parts += draw_lines(layout, coming)
        words = f"{' '.join(PIPS)}: now. Shaded: after the shift."
    elif is_whole:
        parts = [*draw_marbles(layout, position), *draw_stopped_move(layout, chosen, position)]
        words = describe_shift(chosen, "moves")
    else:
        resting, extra = settle(position)
        # A line before the shift does not count, so none is drawn while a move is being entered.
        parts = draw_marbles(layout, resting)
        parts += draw_frame(layout, chosen[-1]) if chosen else draw_lines(layout, resting)
        words = describe_shift(view.moves[-1], "moved") if view.moves else ""
        if extra:
            words = f"shown after {extra} extra shift{'s' * (extra > 1)}"
    return draw_picture(layout, *parts, layout.note(words))


def between(view: View[Position, Move]) -> tuple[Scene, ...]:
    """Show the last move in steps: the push, the placement, the sliding marbles, and then any extra shifts."""
    if not view.moves:
        return ()
    layout, position, move = choose_layout(LAYOUTS, view), view.position, view.moves[-1]
    pushed = push_marble(view.positions[-2], move)
    placed = place_marble(pushed, move[-1])
    steps = [(pushed, move[1]), (placed, move[2])] if len(move) == 3 else [(placed, move[0])]
    frames = [draw_picture(layout, *draw_marbles(layout, board), *draw_frame(layout, cell)) for board, cell in steps]
    frames += slide(layout, placed)
    for _ in range(settle(position)[1]):
        frames += [draw_picture(layout, *draw_marbles(layout, position)), *slide(layout, position)]
        position = position.shift()
    return tuple(frames)


def trace(position: Position, move: Move) -> tuple[Target, ...]:
    """Return where the marbles of `move` end up, after the shift and any extra shifts of a full board. The pushed
    marble comes first."""
    traced, after = move[-2:], place_marble(push_marble(position, move), move[-1]).shift()
    for _ in range(1 + settle(after)[1]):
        traced = tuple(NEXT[cell] for cell in traced)
    return traced
