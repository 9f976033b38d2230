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
from typing import Final, TypeAlias

from onlymove_engines.core.drawing import HEADS, Sheet, centre, choose_layout, fill
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import QUADRANTS, Shape, Spot, fade, in_ascii, in_blocks, join_quarters
from onlymove_engines.core.value import Seat

from .rules import BIT, LINES, NEXT, READING_ORDER, Cell, Move, Position, place_marble, push_marble, settle

Rows: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout(Sheet):
    """The measures of one scale, in characters, seen from one side.

    `dimple` is the width of a dimple's box. `discs` are the diameters of dimple, marble and hole in columns, where half
    a row is as high as a column is wide. A place is `rows` high and has `margins` left and right of the dimple, which
    begins `above` half rows (0 or 1) above it. There is a column and a row between places. In the middle of the board
    there are `gap` more columns and rows for the arrows. `marks` are the places of the mark, the hint, the last-move
    mark and the label.
    """

    dimple: int
    discs: tuple[float, float, float]
    rows: int
    above: int
    margins: tuple[int, int]
    gap: tuple[int, int]
    has_small_arrows: bool
    marks: tuple[Spot, Spot, Spot, Spot]

    @property
    def place(self) -> tuple[int, int]:
        """Return the columns and rows of a place."""
        return self.dimple + sum(self.margins), self.rows

    @property
    def touched(self) -> tuple[int, int]:
        """Return the columns and rows that a dimple touches."""
        return self.dimple, self.rows + self.above

    def band(self, is_inner: bool = False) -> tuple[int, int, int, int]:
        """Return the column, row, width and height of a band. The outer band includes everything inside it."""
        first, last, pad, less = (1, 2, 1, self.above) if is_inner else (0, 3, PAD, 0)
        (x, y), (right, bottom) = self.origin(first, first), self.origin(last, last)
        width = right - x + self.dimple + 2 * (pad + self.margins[0])
        return x - pad, y - 1, width, bottom - y + self.rows + 2 - less

    @property
    def picture(self) -> tuple[int, int]:
        """Return the columns and rows of the whole picture. Column names are above the board, row names are at the
        left, with the same space at the right, and the note is below."""
        x, y, width, height = self.band()
        return 2 * x + width, y + height + 1

    def origin(self, column: int, row: int) -> Spot:
        """Return the top left corner of the place in a column from the left and a row from the top."""
        width, height = self.place
        return (
            LEFT + PAD + (width + 1) * column + self.gap[0] * (column > 1),
            TOP + 1 + (height + 1) * row + self.gap[1] * (row > 1),
        )

    def corner(self, cell: Cell) -> Spot:
        column, row = ord(cell[0]) - ord("a"), 4 - int(cell[1])
        return self.origin(3 - column, 3 - row) if self.flipped else self.origin(column, row)

    def box(self, cell: Cell, way: float = 0.0) -> Spot:
        """Return the top left corner of the dimple of `cell`, moved by the fraction `way` of the distance to the next
        cell."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        return round(x + (next_x - x) * way) + self.margins[0], round(y + (next_y - y) * way) - self.above

    def middle(self, cell: Cell) -> tuple[float, float]:
        x, y = self.box(cell)
        return x + self.dimple / 2, y + (self.above + self.dimple / 2) / 2

    def round(self, diameter: float, hole: float = 0.0) -> Shape:
        """Return a disc or a ring in the middle of a dimple, as a shape in the dimple's box."""
        columns, rows = self.touched
        middle = (self.above + self.dimple / 2) / rows - 1
        return lambda x, y: hole**2 <= (x * columns) ** 2 + (2 * (y - middle) * rows) ** 2 <= diameter**2


LEFT, TOP, PAD = 2, 1, 2
"""The columns and rows before the outer band, and the columns of the band beside the places."""
LAYOUTS: Final = (
    Layout(7, (6.6, 5, 2.6), 3, 1, (0, 2), (2, 1), True, ((-2, 0), (-1, 0), (0, -1), (-2, -1))),
    Layout(12, (12, 10, 4), 6, 0, (1, 1), (2, 1), False, ((0, 0), (-1, 0), (0, -1), (-2, -1))),
    Layout(16, (16, 14, 6), 8, 0, (1, 1), (2, 1), False, ((0, 0), (-1, 0), (0, -1), (-2, -1))),
)
"""The layouts by scale."""


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
PIPS: Final = (("●", "○"), ("@", "o"))
TRIANGLES: Final = {
    (1, 0): ("▖  ", "█▙▖", "█▛▘", "▘  "),
    (-1, 0): ("  ▗", "▗▟█", "▝▜█", "  ▝"),
    (0, 1): ("▗▄▄▄▄▖", " ▝▜▛▘ "),
    (0, -1): (" ▗▟▙▖ ", "▝▀▀▀▀▘"),
}
"""Larger arrows, which cover no part of a dimple."""
FRAMES: Final = ("╭╮╰╯", "++++")
"""The corners of a frame, in Unicode and ASCII."""
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
    rows = in_ascii(layout.round(layout.discs[0], hole), *layout.touched, sign)
    return tuple(row if row.count(sign) > 1 else " " * len(row) for row in rows)


@cache
def shape_marble(layout: Layout, seat: Seat) -> Rows:
    _, marble, hole = layout.discs
    if not layout.ascii_only:
        return in_blocks(layout.round(marble, hole * seat), *layout.touched)
    rows = draw_plain_disc(layout, hole * seat, FILLS[seat])
    return tuple(f" {row.strip()[1:-1]} ".center(len(row)) for row in rows)


def draw_marble(layout: Layout, at: Spot, seat: Seat) -> Iterator[Piece]:
    """Draw a marble in a box that begins at a character. A black marble gets a background under its hole."""
    rows = shape_marble(layout, seat)
    yield Sprite(*at, rows, COLOURS[seat])
    if seat == BLACK and not layout.ascii_only:
        for y, (row, full) in enumerate(zip(rows, shape_marble(layout, WHITE), strict=True)):
            hole = [x for x, pair in enumerate(zip(row, full, strict=True)) if len(set(pair)) > 1]
            if hole:
                yield Tint(at[0] + hole[0], at[1] + y, hole[-1] - hole[0] + 1, 1, Role.BLACK)


def draw_marbles(layout: Layout, position: Position) -> list[Piece]:
    return [part for cell, seat in list_marbles(position) for part in draw_marble(layout, layout.box(cell), seat)]


def list_marbles(position: Position) -> list[tuple[Cell, Seat]]:
    return [(cell, seat) for seat, side in enumerate(position) for cell in READING_ORDER if side & BIT[cell]]


@cache
def shape_dimple(layout: Layout) -> Rows:
    if layout.ascii_only:
        return draw_plain_disc(layout, 0, "█")
    return SMALLEST if layout.above else in_blocks(layout.round(layout.discs[0]), *layout.touched)


def draw_dimple(layout: Layout, at: Spot) -> Iterator[Piece]:
    """Draw a dimple whose box begins at a character. In ASCII, it has an outline."""
    disc = shape_dimple(layout)
    yield from fill(disc, *at, Role.DIMPLE)
    if layout.ascii_only:
        widths, rows = [0, *(row.count("█") for row in disc), 0], []
        for before, width, after in zip(widths, widths[1:], widths[2:], strict=False):
            kind = 0 if not before else 4 if not after else 1 if width < after else 3 if width < before else 2
            first, inside, last = SHELLS[kind]
            rows.append((first + inside * (width - 2) + last if width else "").center(layout.dimple))
        yield Sprite(*at, tuple(rows), Role.GRID)


def draw_arrow(layout: Layout, cell: Cell, onto: Cell, role: Role) -> Sprite:
    """Draw an arrow half way between two neighbouring cells: one character or, if there is room, a triangle."""
    (x, y), (next_x, next_y) = layout.middle(cell), layout.middle(onto)
    direction = (next_x > x) - (next_x < x), (next_y > y) - (next_y < y)
    is_small = layout.ascii_only or layout.has_small_arrows
    rows = (HEADS[direction][layout.ascii_only],) if is_small else TRIANGLES[direction]
    return Sprite(int((x + next_x - len(rows[0])) / 2), int((y + next_y - len(rows) + 1) / 2), rows, role)


def slide(layout: Layout, position: Position) -> list[Scene]:
    """Show every marble at some fractions of its path in the next shift. Its dimple moves with it, because a marble is
    only drawn on that background."""
    frames = []
    for way in SLIDE:
        boxes = [(layout.box(cell, way), seat) for cell, seat in list_marbles(position)]
        parts = [(*draw_dimple(layout, at), *draw_marble(layout, at, seat)) for at, seat in boxes]
        frames.append(draw_picture(layout, *(part for each in parts for part in each)))
    return frames


def draw_frame(layout: Layout, cell: Cell) -> list[Sprite]:
    """Draw a frame around the marble in hand."""
    (x, y), (width, height) = layout.corner(cell), layout.place
    spots = ((x - 1, y - 1), (x + width, y - 1), (x - 1, y + height), (x + width, y + height))
    return [Sprite(*spot, (sign,), Role.MOVING) for spot, sign in zip(spots, FRAMES[layout.ascii_only], strict=True)]


def draw_ghost(layout: Layout, cell: Cell, seat: Seat) -> Sprite:
    """Draw a marble that is not on the board yet, or no longer on it."""
    rows = shape_marble(layout, seat)
    faded = tuple(row.translate(LIGHTER) for row in rows) if layout.ascii_only else fade(rows)
    return Sprite(*layout.box(cell), faded, COLOURS[seat])


def draw_pip(layout: Layout, cell: Cell, seat: Seat) -> Sprite:
    """Draw a small symbol for a marble, beside its dimple."""
    (x, y), (width, height) = layout.corner(cell), layout.place
    return Sprite(x + width - 1, y + height // 2, (PIPS[layout.ascii_only][seat],), Role.GHOST)


def draw_held_move(layout: Layout, move: Move, position: Position) -> list[Sprite]:
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
    covered = {
        (x + dx, y + dy)
        for x, y in (layout.box(cell) for cell, _ in (list_marbles(position) if lines else ()))
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


def note(layout: Layout, text: str) -> Sprite:
    width, height = layout.picture
    return centre(text, 0, width, height - 1, Role.NOTE)


def draw_picture(layout: Layout, *parts: Piece) -> Scene:
    """Return a picture of the empty board with these parts drawn on it. An arrow of the board that a line or another
    arrow would cut is left out."""
    moving = [part for part in parts if isinstance(part, Sprite) and part.role is Role.MOVING]
    cuts = set().union(*map(list_spots, moving))
    arrows = (draw_arrow(layout, cell, NEXT[cell], Role.FLOW) for cell in TURNS)
    pieces = (*draw_board(layout), *(arrow for arrow in arrows if cuts.isdisjoint(list_spots(arrow))), *parts)
    return Scene.of(*layout.picture, pieces, list_places(layout))


def list_spots(sprite: Sprite) -> set[Spot]:
    """Return the characters that a sprite fills."""
    rows = enumerate(sprite.rows, start=sprite.y)
    return {(x, y) for y, row in rows for x, sign in enumerate(row, start=sprite.x) if sign != " "}


@cache
def list_places(layout: Layout) -> tuple[Place, ...]:
    return tuple(Place(cell, *layout.corner(cell), *layout.place, *layout.marks) for cell in READING_ORDER)


@cache
def draw_board(layout: Layout) -> tuple[Piece, ...]:
    """Draw the bands, the dimples, and the names of columns and rows."""
    return (
        *_draw_band(layout, is_inner=False),
        *_draw_band(layout, is_inner=True),
        *(part for cell in READING_ORDER for part in draw_dimple(layout, layout.box(cell))),
        *(Sprite(int(layout.middle(file + "4")[0] - 0.5), 0, (file,), Role.LABEL) for file in "abcd"),
        *(Sprite(0, int(layout.middle("a" + row)[1]), (row,), Role.LABEL) for row in "1234"),
    )


def _draw_band(layout: Layout, is_inner: bool) -> Iterator[Piece]:
    """Draw a band with rounded corners. A larger band would get in the way of marks and the cursor."""
    (x, y, width, height), role = layout.band(is_inner), Role.BAND_INNER if is_inner else Role.BAND
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


def shift_note(move: Move, moves: str, ascii_only: bool) -> str:
    """Say where the shift takes the marbles of a move. The verb `moves` says whether it has been played."""
    arrow, now = ">" if ascii_only else "→", " and ".join(NEXT[cell] for cell in move[-2:])
    spelled = move[0] if len(move) == 1 else f"{move[0]}{arrow}{move[1]}, {move[2]}"
    return f"{spelled}. The shift {moves} {'it' if len(move) == 1 else 'them'} to {now}."


def scene(view: View[Position, Move]) -> Scene:
    """Draw the current board.

    A push already chosen is carried out, and a full board is shown after its extra shifts. A whole move is shown
    with its paths. The overlay shows the position after the next shift as checked marbles, and the current one as
    small symbols.
    """
    layout, position, chosen = choose_layout(LAYOUTS, view), view.position, view.chosen
    if len(chosen) > 1:
        position = push_marble(position, chosen[:2])
    is_whole = bool(chosen) and not position.occupied & BIT[chosen[-1]]
    if is_whole:
        position = place_marble(position, chosen[-1])
    if view.overlay and position.marbles < len(READING_ORDER):
        coming = position.shift()
        white, black = PIPS[view.ascii_only]
        ghosts = [draw_ghost(layout, cell, seat) for cell, seat in list_marbles(coming)]
        pips = [draw_pip(layout, cell, seat) for cell, seat in list_marbles(position)]
        legend = note(layout, f"{white} {black}: now. Shaded: after the shift.")
        return draw_picture(layout, *ghosts, *pips, *draw_lines(layout, coming), legend)
    if is_whole:
        held = draw_held_move(layout, chosen, position)
        words = shift_note(chosen, "moves", view.ascii_only)
        return draw_picture(layout, *draw_marbles(layout, position), *held, note(layout, words))
    resting, extra = settle(position)
    words = shift_note(view.moves[-1], "moved", view.ascii_only) if view.moves else ""
    if extra:
        words = f"shown after {extra} extra shift{'s' * (extra > 1)}"
    # A line before the shift does not count, so none is drawn while a move is being entered.
    marked = draw_frame(layout, chosen[-1]) if chosen else draw_lines(layout, resting)
    return draw_picture(layout, *draw_marbles(layout, resting), *marked, note(layout, words))


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
