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

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import QUADRANTS, Shape, Spot, fade, in_ascii, in_blocks, join_quarters
from onlymove_engines.core.value import Seat

from .rules import BIT, LINES, NEXT, READING_ORDER, Cell, CellSet, Move, Position, place_marble, push_marble, settle

Rows: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Size:
    """The measures of one scale, in characters.

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
    def box(self) -> tuple[int, int]:
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

    def round(self, diameter: float, hole: float = 0.0) -> Shape:
        """Return a disc or a ring in the middle of a dimple, as a shape in the dimple's box."""
        columns, rows = self.box
        middle = (self.above + self.dimple / 2) / rows - 1
        return lambda x, y: hole**2 <= (x * columns) ** 2 + (2 * (y - middle) * rows) ** 2 <= diameter**2


LEFT, TOP, PAD = 2, 1, 2
"""The columns and rows before the outer band, and the columns of the band beside the places."""
SIZES: Final = (
    Size(7, (6.6, 5, 2.6), 3, 1, (0, 2), (2, 1), True, ((-2, 0), (-1, 0), (0, -1), (-2, -1))),
    Size(12, (12, 10, 4), 6, 0, (1, 1), (2, 1), False, ((0, 0), (-1, 0), (0, -1), (-2, -1))),
    Size(16, (16, 14, 6), 8, 0, (1, 1), (2, 1), False, ((0, 0), (-1, 0), (0, -1), (-2, -1))),
)
"""The sizes by scale."""


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
HEADS: Final = {(1, 0): "►>", (-1, 0): "◄<", (0, 1): "▼v", (0, -1): "▲^"}
"""Small arrows by direction, in Unicode and ASCII."""
TRIANGLES: Final = {
    (1, 0): ("▖  ", "█▙▖", "█▛▘", "▘  "),
    (-1, 0): ("  ▗", "▗▟█", "▝▜█", "  ▝"),
    (0, 1): ("▗▄▄▄▄▖", " ▝▜▛▘ "),
    (0, -1): (" ▗▟▙▖ ", "▝▀▀▀▀▘"),
}
"""Larger arrows, which cover no part of a dimple."""
FRAMES: Final = ("╭╮╰╯", "++++")
"""The corners of a frame, in Unicode and ASCII."""


def draw_plain_disc(size: Size, hole: float, sign: str) -> Rows:
    """Draw a disc in ASCII, as large as a dimple. No row is only one character wide."""
    rows = in_ascii(size.round(size.discs[0], hole), *size.box, sign)
    return tuple(row if row.count(sign) > 1 else " " * len(row) for row in rows)


@cache
def draw_marble(size: Size, seat: Seat, ascii_only: bool) -> Rows:
    _, marble, hole = size.discs
    if not ascii_only:
        return in_blocks(size.round(marble, hole * seat), *size.box)
    rows = draw_plain_disc(size, hole * seat, FILLS[seat])
    return tuple(f" {row.strip()[1:-1]} ".center(len(row)) for row in rows)


def fill(rows: Rows, at: Spot, role: Role) -> Iterator[Piece]:
    """Colour the background in the shape of these rows. Full characters become background, and the others form its
    edge."""
    yield Sprite(*at, tuple(row.replace("█", " ") for row in rows), role)
    for y, row in enumerate(rows):
        if "█" in row:
            yield Tint(at[0] + row.index("█"), at[1] + y, row.count("█"), 1, role)


@cache
def draw_hollow(size: Size, ascii_only: bool) -> Rows:
    if ascii_only:
        return draw_plain_disc(size, 0, "█")
    return SMALLEST if size is SIZES[0] else in_blocks(size.round(size.discs[0]), *size.box)


def _draw_shell(disc: Rows) -> Rows:
    """Draw the outline of a disc."""
    widths = [0, *(row.count("█") for row in disc), 0]
    rows = []
    for before, width, after in zip(widths, widths[1:], widths[2:], strict=False):
        kind = 0 if not before else 4 if not after else 1 if width < after else 3 if width < before else 2
        first, inside, last = SHELLS[kind]
        rows.append((first + inside * (width - 2) + last if width else "").center(len(disc[0])))
    return tuple(rows)


TURNS: Final = tuple(
    cell for cell in NEXT if {cell[0], NEXT[cell][0]} == {"b", "c"} or {cell[1], NEXT[cell][1]} == {"2", "3"}
)
"""The cells before the middle of each side of a ring."""


def list_spots(sprite: Sprite) -> set[Spot]:
    """Return the characters that a sprite fills."""
    return {
        (sprite.x + dx, sprite.y + dy)
        for dy, row in enumerate(sprite.rows)
        for dx, sign in enumerate(row)
        if sign != " "
    }


def lines_of(marbles: CellSet) -> list[tuple[Cell, ...]]:
    """Return the complete lines of a side, each with its cells in reading order."""
    found = [line for line in LINES if marbles & line == line]
    return [tuple(cell for cell in READING_ORDER if BIT[cell] & line) for line in found]


STEPS: Final = 512
"""How many points of a line are sampled."""
UPRIGHT: Final = "┃"
"""Used in a vertical line, where a full block could not be seen on a marble in a terminal without colours."""


SLIDE: Final = (0.25, 0.5, 0.75)
"""The fractions of the way at which an animated shift shows the marbles."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Draws the parts of a picture in one size, seen from one side."""

    size: Size
    flipped: bool = False
    ascii_only: bool = False

    def corner(self, cell: Cell) -> Spot:
        column, row = ord(cell[0]) - ord("a"), 4 - int(cell[1])
        return self.size.origin(3 - column, 3 - row) if self.flipped else self.size.origin(column, row)

    def box(self, cell: Cell, way: float = 0.0) -> Spot:
        """Return the top left corner of the dimple of `cell`, moved by the fraction `way` of the distance to the next
        cell."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        return (
            round(x + (next_x - x) * way) + self.size.margins[0],
            round(y + (next_y - y) * way) - self.size.above,
        )

    def middle(self, cell: Cell) -> tuple[float, float]:
        (x, y), size = self.box(cell), self.size
        return x + size.dimple / 2, y + (size.above + size.dimple / 2) / 2

    def place(self, cell: Cell) -> Place:
        return Place(cell, *self.corner(cell), *self.size.place, *self.size.marks)

    def dimple(self, at: Spot) -> Iterator[Piece]:
        """Draw a dimple whose box begins at a character."""
        rows = draw_hollow(self.size, self.ascii_only)
        yield from fill(rows, at, Role.DIMPLE)
        if self.ascii_only:
            yield Sprite(*at, _draw_shell(rows), Role.GRID)

    def draw_way(self, cell: Cell, onto: Cell, role: Role) -> Sprite:
        """Draw an arrow half way between two neighbouring cells: one character or, if there is room, a triangle."""
        (x, y), (next_x, next_y) = self.middle(cell), self.middle(onto)
        direction = (next_x > x) - (next_x < x), (next_y > y) - (next_y < y)
        is_small = self.ascii_only or self.size.has_small_arrows
        rows = (HEADS[direction][self.ascii_only],) if is_small else TRIANGLES[direction]
        return Sprite(int((x + next_x - len(rows[0])) / 2), int((y + next_y - len(rows) + 1) / 2), rows, role)

    def marble(self, at: Spot, seat: Seat) -> Iterator[Piece]:
        """Draw a marble in a box that begins at a character. A black marble gets a background under its hole."""
        rows = draw_marble(self.size, seat, self.ascii_only)
        yield Sprite(*at, rows, COLOURS[seat])
        if seat == BLACK and not self.ascii_only:
            for y, (row, full) in enumerate(zip(rows, draw_marble(self.size, WHITE, ascii_only=False), strict=True)):
                hole = [x for x, pair in enumerate(zip(row, full, strict=True)) if len(set(pair)) > 1]
                if hole:
                    yield Tint(at[0] + hole[0], at[1] + y, hole[-1] - hole[0] + 1, 1, Role.BLACK)

    def marbles(self, position: Position) -> list[Piece]:
        return [part for cell, seat in list_marbles(position) for part in self.marble(self.box(cell), seat)]

    def draw_sliding(self, position: Position, way: float) -> Iterator[Piece]:
        """Draw every marble moved by the fraction `way` of its path in the next shift. Its dimple moves with it,
        because a marble is only drawn on that background."""
        for cell, seat in list_marbles(position):
            at = self.box(cell, way)
            yield from self.dimple(at)
            yield from self.marble(at, seat)

    def slides(self, position: Position) -> list[Scene]:
        return [self.picture(*self.draw_sliding(position, way)) for way in SLIDE]

    def frame(self, cell: Cell) -> list[Sprite]:
        """Draw a frame around the marble in hand."""
        (x, y), (width, height) = self.corner(cell), self.size.place
        spots = ((x - 1, y - 1), (x + width, y - 1), (x - 1, y + height), (x + width, y + height))
        return [Sprite(*spot, (sign,), Role.MOVING) for spot, sign in zip(spots, FRAMES[self.ascii_only], strict=True)]

    def draw_ghost(self, cell: Cell, seat: Seat) -> Sprite:
        """Draw a marble that is not on the board yet, or no longer on it."""
        rows = draw_marble(self.size, seat, self.ascii_only)
        faded = tuple(row.translate(LIGHTER) for row in rows) if self.ascii_only else fade(rows)
        return Sprite(*self.box(cell), faded, COLOURS[seat])

    def draw_pip(self, cell: Cell, seat: Seat) -> Sprite:
        """Draw a small symbol for a marble, beside its dimple."""
        (x, y), (width, height) = self.corner(cell), self.size.place
        return Sprite(x + width - 1, y + height // 2, (PIPS[self.ascii_only][seat],), Role.GHOST)

    def draw_held_move(self, move: Move, position: Position) -> list[Sprite]:
        """Draw a move with all its targets picked, before the shift: frames around its marbles, and arrows for their
        ways. `position` already contains the marbles where the move puts them."""
        parts = [part for cell in move[-2:] for part in self.frame(cell)]
        ways = [(cell, NEXT[cell]) for cell in move[-2:]]
        if len(move) == 3:
            origin, onto, _ = move
            if not position.occupied & BIT[origin]:
                parts.append(self.draw_ghost(origin, position.marbles % 2))
            if NEXT[onto] != origin:
                ways.append((origin, onto))
        return parts + [self.draw_way(*way, Role.MOVING) for way in ways]

    def lines(self, position: Position) -> Iterator[Piece]:
        """Draw a line through every four in a row of `position`. It is cut out of the marbles and bright between them.
        It has gaps only at marks."""
        lines = [(seat, cells) for seat, side in enumerate(position) for cells in lines_of(side)]
        solid = draw_marble(self.size, WHITE, self.ascii_only)
        covered = {
            (x + dx, y + dy)
            for x, y in (self.box(cell) for cell, _ in (list_marbles(position) if lines else ()))
            for dy, row in enumerate(solid)
            for dx, glyph in enumerate(row)
            if glyph == FILLS[WHITE] or QUADRANTS.find(glyph).bit_count() >= HALF_COVERED
        }
        for seat, cells in lines:
            for spot, sign in trace_line(self, cells[0], cells[-1]):
                if spot in covered:
                    yield Tint(*spot, 1, 1, COLOURS[seat])
                    yield Sprite(*spot, (sign,), COLOURS[1 - seat])
                elif spot not in find_reserved(self):
                    yield Sprite(*spot, (sign,), Role.MOVING)

    def note(self, text: str) -> Sprite:
        width, height = self.size.picture
        return Sprite((width - len(text)) // 2, height - 1, (text,), Role.NOTE)

    def picture(self, *parts: Piece) -> Scene:
        """Return a picture of the empty board with these parts drawn on it. An arrow of the board that a line or
        another arrow would cut is left out."""
        cuts = {
            spot for part in parts if isinstance(part, Sprite) and part.role is Role.MOVING for spot in list_spots(part)
        }
        arrows = (self.draw_way(cell, NEXT[cell], Role.FLOW) for cell in TURNS)
        pieces = (*draw_board(self), *(arrow for arrow in arrows if cuts.isdisjoint(list_spots(arrow))), *parts)
        return Scene.of(*self.size.picture, pieces, list_places(self))


@cache
def list_places(layout: Layout) -> tuple[Place, ...]:
    return tuple(map(layout.place, READING_ORDER))


@cache
def find_reserved(layout: Layout) -> frozenset[Spot]:
    """Return the characters reserved for marks and values. Lines must not cover them."""
    return frozenset(spot for place in list_places(layout) for spot in place.list_spots())


@cache
def draw_board(layout: Layout) -> tuple[Piece, ...]:
    return (
        *_draw_band(layout),
        *_draw_band(layout, is_inner=True),
        *(part for cell in READING_ORDER for part in layout.dimple(layout.box(cell))),
        *_draw_names(layout),
    )


def _draw_band(layout: Layout, is_inner: bool = False) -> Iterator[Piece]:
    """Draw a band with rounded corners. A larger band would get in the way of marks and the cursor."""
    (x, y, width, height), role = layout.size.band(is_inner), Role.BAND_INNER if is_inner else Role.BAND
    if layout.ascii_only:
        if layout.size.above:  # lines would get in the way of marks
            width, height = width + 2, height + is_inner
        rule, inside = "+" + "-" * (width - 2) + "+", "|" + " " * (width - 2) + "|"
        yield Tint(x, y, width, height, role)
        yield Sprite(x, y, (rule, *[inside] * (height - 2), rule), Role.GRID)
        return
    full = "█" * (width - 4)
    upper, lower = (f" ▄{full}▄ ", f"▟█{full}█▙"), (f"▜█{full}█▛", f" ▀{full}▀ ")
    inside = f"██{full}██"
    if layout.size.above:
        upper, lower = (f"▟█{full}█▙", inside), (inside, inside if is_inner else f"▝{'▀' * (width - 2)}▘")
    yield from fill((*upper, *[inside] * (height - 4), *lower), (x, y), role)


def _draw_names(layout: Layout) -> Iterator[Sprite]:
    for file in "abcd":
        yield Sprite(int(layout.middle(file + "4")[0] - 0.5), 0, (file,), Role.LABEL)
    for row in "1234":
        yield Sprite(0, int(layout.middle("a" + row)[1]), (row,), Role.LABEL)


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


def list_marbles(position: Position) -> list[tuple[Cell, Seat]]:
    return [(cell, seat) for seat, side in enumerate(position) for cell in READING_ORDER if side & BIT[cell]]


def last_move_note(view: View[Position, Move]) -> str:
    """Describe the last move and where its marbles are now, or how a full board was decided."""
    _, extra = settle(view.position)
    if extra:
        return f"shown after {extra} extra shift{'s' * (extra > 1)}"
    return shift_note(view.moves[-1], "moved", view.ascii_only) if view.moves else ""


def shift_note(move: Move, moves: str, ascii_only: bool) -> str:
    """Say where the shift takes the marbles of a move. The verb `moves` says whether it has been played."""
    arrow, now = ">" if ascii_only else "→", " and ".join(NEXT[cell] for cell in move[-2:])
    spelled = move[0] if len(move) == 1 else f"{move[0]}{arrow}{move[1]}, {move[2]}"
    return f"{spelled}. The shift {moves} {'it' if len(move) == 1 else 'them'} to {now}."


def play_entered(view: View[Position, Move]) -> tuple[Position, Cell | None]:
    """Return the position after the part of the move entered so far, and the cell of the marble in hand. That is the
    opposing marble that is picked or pushed, or the player's own marble."""
    position, chosen = view.position, view.chosen
    if not chosen:
        return position, None
    if len(chosen) > 1:
        position = push_marble(position, chosen[:2])
    if not position.occupied & BIT[chosen[-1]]:
        position = place_marble(position, chosen[-1])
    return position, chosen[-1]


def is_whole(view: View[Position, Move]) -> bool:
    """Whether the chosen targets make up a whole move."""
    chosen = view.chosen
    return len(chosen) == 3 or (len(chosen) == 1 and not view.position.occupied & BIT[chosen[0]])


def lay_out(view: View[Position, Move]) -> Layout:
    return Layout(SIZES[min(view.scale, len(SIZES)) - 1], view.flipped, view.ascii_only)


def scene(view: View[Position, Move]) -> Scene:
    """Draw the current board.

    A push already chosen is carried out, and a full board is shown after its extra shifts. A whole move is shown
    with its paths. The overlay shows the position after the next shift as checked marbles, and the current one as
    small symbols.
    """
    layout = lay_out(view)
    position, held = play_entered(view)
    if view.overlay and position.marbles < len(READING_ORDER):
        white, black = PIPS[view.ascii_only]
        ghosts = [layout.draw_ghost(cell, seat) for cell, seat in list_marbles(position.shift())]
        pips = [layout.draw_pip(cell, seat) for cell, seat in list_marbles(position)]
        legend = layout.note(f"{white} {black}: now. Shaded: after the shift.")
        return layout.picture(*ghosts, *pips, *layout.lines(position.shift()), legend)
    if is_whole(view):
        note = layout.note(shift_note(view.chosen, "moves", view.ascii_only))
        return layout.picture(*layout.marbles(position), *layout.draw_held_move(view.chosen, position), note)
    resting, _ = settle(position)
    marbles = layout.marbles(resting)
    in_hand = layout.frame(held) if held else []
    # A line before the shift does not count, so none is drawn while a move is being entered.
    lines = [] if held else layout.lines(resting)
    return layout.picture(*marbles, *lines, *in_hand, layout.note(last_move_note(view)))


def between(view: View[Position, Move]) -> tuple[Scene, ...]:
    """Show the last move in steps: the push, the placement, the sliding marbles, and then any extra shifts."""
    if not view.moves:
        return ()
    layout = lay_out(view)
    before, move = view.positions[-2], view.moves[-1]
    pushed = push_marble(before, move)
    placed = place_marble(pushed, move[-1])
    frames = []
    if len(move) == 3:
        frames.append(layout.picture(*layout.marbles(pushed), *layout.frame(move[1])))
    frames.append(layout.picture(*layout.marbles(placed), *layout.frame(move[-1])))
    frames += layout.slides(placed)
    position = view.position
    for _ in range(settle(position)[1]):
        frames += [layout.picture(*layout.marbles(position)), *layout.slides(position)]
        position = position.shift()
    return tuple(frames)


def trace(position: Position, move: Move) -> tuple[Target, ...]:
    """Return where the marbles of `move` end up, after the shift and any extra shifts of a full board. The pushed
    marble comes first."""
    traced, after = move[-2:], place_marble(push_marble(position, move), move[-1]).shift()
    for _ in range(1 + settle(after)[1]):
        traced = tuple(NEXT[cell] for cell in traced)
    return traced
