"""The board as a picture: two bands with arrows in the direction of the shift, marbles that slide along them.

Places lie side by side; between rows of places the cursor's frame and the arrows have room. In a place there is room
for marks beside the curve of the marble. White is a full disc and Black one with a hole, so that they differ without
colours as well; both fill the same box. The row under the board says what a shift did to the last move.

A whole move that is chosen is shown before its shift: its marbles framed, a checked one where the push began, the
arrows lit along which they are pushed and shifted; the row under the board says where they come to lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import (
    QUADRANTS,
    Place,
    Role,
    Scene,
    Sprite,
    Tint,
    View,
    disc,
    in_ascii,
    in_blocks,
    ring,
)
from onlymove_engines.core.value import Seat

from .rules import (
    BIT,
    FULL,
    LINES,
    NEXT,
    READING_ORDER,
    Cell,
    CellSet,
    Move,
    Position,
    count_extra_shifts,
    place_marble,
    push_marble,
    settle,
)

Offset: TypeAlias = tuple[int, int]
"""Columns and rows from the left and upper edge of a place, negative ones from the right and lower."""


@dataclass(frozen=True, slots=True)
class Size:
    """The measures of one scale, in characters.

    `marble` is its box, `margins` are the columns of a place left and right of that; `gap` are the rows between
    places; `pads` are the columns of the band left and right of all places and the rows above and below; `mark`,
    `hint` and `last` are corners of a place, as LABEL is; `arrow` is its length across and down.
    """

    marble: tuple[int, int]
    margins: tuple[int, int]
    gap: int
    pads: tuple[int, int, int]
    mark: Offset
    hint: Offset
    last: Offset
    arrow: tuple[int, int]

    @property
    def place(self) -> tuple[int, int]:
        """Columns and rows of a place."""
        return self.marble[0] + sum(self.margins), self.marble[1]

    @property
    def board(self) -> tuple[int, int, int, int]:
        """Column, row, width and height of the outer band with all that it encloses."""
        left, right, rows = self.pads
        width, height = self.place
        return LEFT, TOP, left + 4 * width + right, 2 * rows + 4 * height + 3 * self.gap

    @property
    def inner(self) -> tuple[int, int, int, int]:
        """Column, row, width and height of the inner band, without the half rows of an odd gap."""
        (x, y), (width, height), rows = self.origin(1, 1), self.place, self.gap // 2
        left, right = self.margins
        return x + (left - right) // 2, y - rows, 2 * width, 2 * height + self.gap + 2 * rows

    @property
    def picture(self) -> tuple[int, int]:
        """Columns and rows of the whole picture: the names of rows at the left, as much free at the right, the names
        of files above, the note below."""
        x, y, width, height = self.board
        return 2 * x + width, y + height + 1

    def origin(self, column: int, row: int) -> tuple[int, int]:
        """The top left character of the place in a column from the left and a row from the top."""
        left, _, rows = self.pads
        return LEFT + left + self.place[0] * column, TOP + rows + (self.place[1] + self.gap) * row


LEFT, TOP = 3, 1
LABEL = (-2, -1)
SIZES = (
    Size((6, 3), (1, 3), 1, (2, 1, 1), mark=(0, 0), hint=(0, -1), last=(-3, 0), arrow=(1, 1)),
    Size((10, 5), (2, 2), 2, (2, 2, 1), mark=(1, 0), hint=(-2, 0), last=(1, -1), arrow=(2, 2)),
    Size((14, 7), (2, 2), 2, (4, 4, 2), mark=(1, 0), hint=(-2, 0), last=(1, -1), arrow=(2, 2)),
)
"""By scale."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A size, seen from one side."""

    size: Size
    flipped: bool = False

    def column_and_row(self, cell: Cell) -> tuple[int, int]:
        """Where `cell` lies on the picture, counted in places from the top left."""
        column, row = ord(cell[0]) - ord("a"), 4 - int(cell[1])
        return (3 - column, 3 - row) if self.flipped else (column, row)

    def corner(self, cell: Cell) -> tuple[int, int]:
        return self.size.origin(*self.column_and_row(cell))

    def box(self, cell: Cell, way: float = 0.0) -> tuple[int, int]:
        """The top left character of the marble on `cell`, or a share of the way to the next cell."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        return round(x + (next_x - x) * way) + self.size.margins[0], round(y + (next_y - y) * way)

    def middle(self, cell: Cell) -> tuple[float, float]:
        (x, y), (width, height) = self.box(cell), self.size.marble
        return x + width / 2, y + height / 2

    def tints(self) -> tuple[Tint, ...]:
        """The grounds of the two rings."""
        return Tint(*self.size.board, Role.BAND), Tint(*self.size.inner, Role.BAND_INNER)


@cache
def places(layout: Layout) -> tuple[Place, ...]:
    size = layout.size
    corners = (size.mark, size.hint, size.last, LABEL)
    return tuple(Place(cell, *layout.corner(cell), *size.place, *corners) for cell in READING_ORDER)


@cache
def kept_free(layout: Layout) -> frozenset[tuple[int, int]]:
    """Where marks and values stand, and no line may."""
    return frozenset(spot for place in places(layout) for spot in place.spots())


HOLE = 0.4
"""The radius of the hole in a black marble, as a share of the marble's own."""

FILLS = ("#", "O")
CHECKED = str.maketrans({glyph: QUADRANTS[bits & 9] for bits, glyph in enumerate(QUADRANTS)} | {"#": "%", "O": ":"})
"""A marble that is not there yet: every other quarter of a character; lighter characters in ASCII."""
SOLID = frozenset("█▚#O%:")
"""Characters that are marble all over."""
PIPS = (("●", "○"), ("@", "o"))

ARROWS = (
    {(1, 0): ("─", "►"), (-1, 0): ("─", "◄"), (0, 1): ("│", "▼"), (0, -1): ("│", "▲")},
    {(1, 0): ("-", ">"), (-1, 0): ("-", "<"), (0, 1): ("|", "v"), (0, -1): ("|", "^")},
)
"""By direction: shaft and head."""

FRAMES = (("╭", "╮", "╰", "╯"), ("+", "+", "+", "+"))
"""The corners of a frame."""
RIMS = (("╭─╮", "│", "╰─╯"), ("+-+", "|", "+-+"))
"""The upper edge of a band with its corners, the sides, the lower edge."""
HALVES = (("▗▄▖", "│", "▝▀▘"), RIMS[1])
"""The same where the upper edge of a band is in the middle of a row."""
ACROSS, DOWN, FALLING, RISING = ("━", "="), ("▐▌", "||"), ("▀▄", "\\\\"), ("▀▄", "//")
"""What the line through four marbles is made of; the slanting ones where it passes the upper and the lower half."""


@cache
def marble(seat: Seat, box: tuple[int, int], ascii_only: bool) -> tuple[str, ...]:
    shape = ring(HOLE) if seat else disc
    return in_ascii(shape, *box, FILLS[seat]) if ascii_only else in_blocks(shape, *box)


@cache
def ghost(seat: Seat, box: tuple[int, int], ascii_only: bool) -> tuple[str, ...]:
    """A marble that is not there yet."""
    return tuple(row.translate(CHECKED) for row in marble(seat, box, ascii_only))


def arrow(direction: tuple[int, int], length: int, ascii_only: bool) -> tuple[str, ...]:
    """An arrow of so many characters, as rows from its top left corner.

    >>> arrow((-1, 0), 3, False), arrow((0, 1), 2, False)
    (('◄──',), ('│', '▼'))
    """
    shaft, head = ARROWS[ascii_only][direction]
    signs = shaft * (length - 1) + head if sum(direction) > 0 else head + shaft * (length - 1)
    return (signs,) if direction[0] else tuple(signs)


def together(one: str, other: str) -> str:
    """The blocks of both characters; the first of two that are not made of quarters.

    >>> together("▄", "▘"), together("━", "▘")
    ('▙', '━')
    """
    if one in QUADRANTS and other in QUADRANTS:
        return QUADRANTS[QUADRANTS.index(one) | QUADRANTS.index(other)]
    return one


@cache
def board(layout: Layout, ascii_only: bool) -> tuple[Sprite, ...]:
    """All of it but the grounds."""
    return (
        *_rim(layout.size.board, RIMS[ascii_only], frozenset(), ascii_only),
        *_inner_rim(layout, ascii_only),
        *_names(layout),
        *(_arrow(layout, cell, NEXT[cell], ascii_only, Role.FLOW) for cell in READING_ORDER),
    )


def _names(layout: Layout) -> list[Sprite]:
    x, _, _, _ = layout.size.board
    files = [Sprite(int(layout.middle(file + "4")[0] - 0.5), 0, (file,), Role.LABEL) for file in "abcd"]
    return files + [Sprite(x - 2, int(layout.middle("a" + row)[1]), (row,), Role.LABEL) for row in "1234"]


def _arrow(layout: Layout, cell: Cell, onto: Cell, ascii_only: bool, role: Role) -> Sprite:
    """The arrow half way between the marbles of two cells side by side."""
    (x, y), (next_x, next_y) = layout.middle(cell), layout.middle(onto)
    direction = ((next_x > x) - (next_x < x), (next_y > y) - (next_y < y))
    rows = arrow(direction, layout.size.arrow[direction[0] == 0], ascii_only)
    left, top = (x + next_x - len(rows[0])) / 2, (y + next_y - len(rows)) / 2
    return Sprite(int(left), int(top), rows, role)


def _inner_rim(layout: Layout, ascii_only: bool) -> list[Sprite]:
    """The edge of the inner band, half a row of the band itself where the gap has a middle line. The rest of it is
    only seen where no ground is. Its sides are interrupted where marks stand, and where a cursor that leaves would
    have two inks on two grounds to restore: that takes too many bytes."""
    x, y, width, height = layout.size.inner
    free = kept_free(layout)
    if layout.size.gap % 2 == 0:
        return _rim((x, y, width, height), RIMS[ascii_only], free, ascii_only)
    corners = {(edge, y + height // 2) for edge in (x, x + width - 1)}
    return _rim((x, y - 1, width, height + 2), HALVES[ascii_only], free | corners, ascii_only)


def _rim(
    box: tuple[int, int, int, int], signs: tuple[str, str, str], free: Set[tuple[int, int]], ascii_only: bool
) -> list[Sprite]:
    """A frame along the inside of a box, its sides interrupted where it has to be free. All of it has the ink of the
    inner band, so that a cursor that leaves has one ink to restore."""
    (x, y, width, height), (above, side, below) = box, signs
    role = Role.GRID if ascii_only else Role.BAND_INNER
    rows = range(y + 1, y + height - 1)
    sides = [
        Sprite(edge, y + 1, tuple(" " if (edge, row) in free else side for row in rows), role)
        for edge in (x, x + width - 1)
    ]
    ends = [
        Sprite(x, row, (f"{end[0]}{end[1] * (width - 2)}{end[2]}",), role)
        for row, end in ((y, above), (y + height - 1, below))
    ]
    return [*sides, *ends]


COLOURS = (Role.WHITE, Role.BLACK)
IN_HOLE, OUTSIDE = "", " "


def covered_by(marbles: Iterable[Sprite]) -> dict[tuple[int, int], str]:
    """The glyphs of marbles by where they are, IN_HOLE for what lies between two solid parts of a row."""
    found: dict[tuple[int, int], str] = {}
    for sprite in marbles:
        for dy, row in enumerate(sprite.rows):
            solid = [dx for dx, glyph in enumerate(row) if glyph in SOLID]
            for dx, glyph in enumerate(row):
                is_hole = glyph not in SOLID and bool(solid) and solid[0] < dx < solid[-1]
                found[sprite.x + dx, sprite.y + dy] = IN_HOLE if is_hole else glyph
    return found


def lines_of(marbles: CellSet) -> list[tuple[Cell, ...]]:
    """The complete lines of a side, each with its cells in reading order."""
    found = [line for line in LINES if marbles & line == line]
    return [tuple(cell for cell in READING_ORDER if BIT[cell] & line) for line in found]


SLIDE = (0.25, 0.5, 0.75)
"""How far along the way the in-between pictures of a shift show the marbles."""


@dataclass(frozen=True, slots=True)
class Sheet:
    layout: Layout
    ascii_only: bool

    def marbles(self, position: Position, way: float = 0.0) -> list[Sprite]:
        """All marbles of `position`, or a share of the way to where the next shift takes them."""
        box = self.layout.size.marble
        return [
            Sprite(*self.layout.box(cell, way), marble(seat, box, self.ascii_only), COLOURS[seat])
            for cell, seat in _marbles(position)
        ]

    def in_hand(self, cell: Cell) -> list[Sprite]:
        """A frame round the marble in hand."""
        (x, y), (width, height) = self.layout.corner(cell), self.layout.size.place
        spots = ((x - 1, y - 1), (x + width, y - 1), (x - 1, y + height), (x + width, y + height))
        return [Sprite(*spot, (sign,), Role.MOVING) for spot, sign in zip(spots, FRAMES[self.ascii_only], strict=True)]

    def ghost(self, cell: Cell, seat: Seat) -> Sprite:
        return Sprite(*self.layout.box(cell), ghost(seat, self.layout.size.marble, self.ascii_only), COLOURS[seat])

    def ghosts(self, now: Position) -> list[Sprite]:
        """Where every marble will lie after the next shift, and small signs where they are now."""
        coming = [self.ghost(cell, seat) for cell, seat in _marbles(now.shift())]
        return coming + [self.pip(cell, seat) for cell, seat in _marbles(now)]

    def held(self, move: Move, position: Position) -> list[Sprite]:
        """A whole move that leads to `position` before its shift: its marbles in hand, and the ways they take."""
        parts = [part for cell in move[-2:] for part in self.in_hand(cell)]
        ways = [(cell, NEXT[cell]) for cell in move[-2:]]
        if len(move) == 3:
            origin, onto, _ = move
            if not position.occupied & BIT[origin]:
                parts.append(self.ghost(origin, position.marbles % 2))
            if NEXT[onto] != origin:
                ways.append((origin, onto))
        return parts + [_arrow(self.layout, *way, self.ascii_only, Role.MOVING) for way in ways]

    def pip(self, cell: Cell, seat: Seat) -> Sprite:
        """A small sign for a marble, in the left margin of its cell."""
        (x, y), (_, height) = self.layout.box(cell), self.layout.size.marble
        return Sprite(x - 1, y + height // 2, (PIPS[self.ascii_only][seat],), COLOURS[seat])

    def lines(self, position: Position, marbles: list[Sprite]) -> list[Sprite | Tint]:
        """A line through every four in a row of `position`, over its marbles."""
        lines = [(seat, cells) for seat, side in enumerate(position) for cells in lines_of(side)]
        covered = covered_by(marbles) if lines else {}
        return [part for seat, cells in lines for part in self._line(seat, cells, covered)]

    def _line(
        self, seat: Seat, cells: tuple[Cell, ...], covered: Mapping[tuple[int, int], str]
    ) -> Iterator[Sprite | Tint]:
        """One line and, on marbles, its grounds. `covered` are the glyphs of the marbles.

        On the edge of a marble the line grows out of it; where marks stand it has a gap.
        """
        for x, y, glyph in self._line_glyphs(*sorted(self.layout.middle(cell) for cell in (cells[0], cells[-1]))):
            under = covered.get((x, y), OUTSIDE)
            if (x, y) in kept_free(self.layout) or under == IN_HOLE:
                continue
            if under in SOLID:
                yield Tint(x, y, 1, 1, COLOURS[seat])
                yield Sprite(x, y, (glyph,), COLOURS[1 - seat])
            else:
                yield Sprite(x, y, (together(glyph, under),), COLOURS[seat])

    def _line_glyphs(self, start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[int, int, str]]:
        """From the middle of the first marble to the middle of the last, and a little beyond."""
        (x, y), (end_x, end_y) = start, end
        width, height = self.layout.size.marble
        if y == end_y:
            reach = width // 2 - 1
            for column in range(int(x) - reach, int(end_x) + reach):
                yield column, int(y), ACROSS[self.ascii_only]
        elif x == end_x:
            top, bottom = sorted((int(y), int(end_y)))
            for row in range(top - height // 2, bottom + height // 2 + 1):
                for side in (0, 1):
                    yield int(x) - 1 + side, row, DOWN[self.ascii_only][side]
        else:  # a slanting line, half a row thick
            reach, slope = width // 4, (end_y - y) / (end_x - x)
            signs = (RISING if slope < 0 else FALLING)[self.ascii_only]
            for column in range(int(x) - reach, int(end_x) + reach):
                half_rows = int(2 * (y + slope * (column + 0.5 - x)))
                yield column, half_rows // 2, signs[half_rows % 2]

    def note(self, text: str) -> Sprite:
        width, height = self.layout.size.picture
        return Sprite((width - len(text)) // 2, height - 1, (text,), Role.NOTE)

    def picture(self, *parts: Sprite | Tint) -> Scene:
        sprites = [part for part in parts if isinstance(part, Sprite)]
        tints = [part for part in parts if isinstance(part, Tint)]
        return Scene(
            *self.layout.size.picture,
            (*board(self.layout, self.ascii_only), *sprites),
            places(self.layout),
            (*self.layout.tints(), *tints),
        )


def _marbles(position: Position) -> list[tuple[Cell, Seat]]:
    return [(cell, seat) for seat, side in enumerate(position) for cell in READING_ORDER if side & BIT[cell]]


def spelled(move: Move, ascii_only: bool) -> str:
    """The move's cells for the note: `b3`, or `c2→d2, b3`."""
    return move[0] if len(move) == 1 else f"{move[0]}{'>' if ascii_only else '→'}{move[1]}, {move[2]}"


def last_move_note(view: View[Position, Move]) -> str:
    """What the last move was called and where its marbles are now, or how a full board came to rest."""
    if view.position.occupied == FULL and (extra := count_extra_shifts(view.position)):
        return f"shown after {extra} extra shift{'s' * (extra > 1)}"
    return shift_note(view.moves[-1], view.ascii_only) if view.moves else ""


def shift_note(move: Move, ascii_only: bool) -> str:
    """What a move is called, and where its shift takes its marbles."""
    now = ", ".join(NEXT[cell] for cell in move[-2:])
    return f"{spelled(move, ascii_only)}; after the shift {now}"


def entered(view: View[Position, Move]) -> tuple[Position, Cell | None]:
    """The position as far as the move has been entered, and where the marble in hand is: the opponent's that is
    picked or pushed, or the own one that is to be placed."""
    position, chosen = view.position, view.chosen
    if not chosen:
        return position, None
    if len(chosen) > 1:
        position = push_marble(position, chosen[:2])
    if not position.occupied & BIT[chosen[-1]]:
        position = place_marble(position, chosen[-1])
    return position, chosen[-1]


def is_whole(view: View[Position, Move]) -> bool:
    """Whether the targets that are chosen make up a move."""
    chosen = view.chosen
    return len(chosen) == 3 or (len(chosen) == 1 and not view.position.occupied & BIT[chosen[0]])


def sheet_of(view: View[Position, Move]) -> Sheet:
    return Sheet(Layout(SIZES[min(view.scale, len(SIZES)) - 1], view.flipped), view.ascii_only)


class OrbitoPainter:
    def scene(self, view: View[Position, Move]) -> Scene:
        """The board as it lies: a push already chosen is carried out, a decided full board is at rest. A whole move is
        shown with its ways.

        The overlay shows the position after the next shift checked and the present one in small signs.
        """
        sheet = sheet_of(view)
        position, held = entered(view)
        if view.overlay and position.occupied != FULL:
            white, black = PIPS[view.ascii_only]
            ghosts = sheet.ghosts(position)
            legend = sheet.note(f"checked: after the shift; {white} {black}: now")
            return sheet.picture(*ghosts, *sheet.lines(position.shift(), ghosts), legend)
        if is_whole(view):
            note = sheet.note(shift_note(view.chosen, view.ascii_only))
            return sheet.picture(*sheet.marbles(position), *sheet.held(view.chosen, position), note)
        resting, _ = settle(position)
        marbles = sheet.marbles(resting)
        in_hand = sheet.in_hand(held) if held else []
        # A line that stands before the shift does not count, so none is drawn while a move is entered.
        lines = [] if held else sheet.lines(resting, marbles)
        return sheet.picture(*marbles, *lines, *in_hand, sheet.note(last_move_note(view)))

    def between(self, view: View[Position, Move]) -> tuple[Scene, ...]:
        """The last move in steps: the push, the placement, the marbles on their way; then the extra shifts."""
        if not view.moves:
            return ()
        sheet = sheet_of(view)
        before, move = view.positions[-2], view.moves[-1]
        pushed = push_marble(before, move)
        placed = place_marble(pushed, move[-1])
        frames = []
        if len(move) == 3:
            frames.append(sheet.picture(*sheet.marbles(pushed), *sheet.in_hand(move[1])))
        frames.append(sheet.picture(*sheet.marbles(placed), *sheet.in_hand(move[-1])))
        return (*frames, *self._slide(sheet, placed), *self._extra_slides(sheet, view.position))

    @staticmethod
    def _slide(sheet: Sheet, position: Position) -> list[Scene]:
        return [sheet.picture(*sheet.marbles(position, way)) for way in SLIDE]

    def _extra_slides(self, sheet: Sheet, position: Position) -> list[Scene]:
        """The extra shifts of a full board, with a rest before each."""
        frames: list[Scene] = []
        if position.occupied == FULL:
            for _ in range(count_extra_shifts(position)):
                frames += [sheet.picture(*sheet.marbles(position)), *self._slide(sheet, position)]
                position = position.shift()
        return frames

    def trace(self, position: Position, move: Move) -> tuple[Target, ...]:
        """Where the marbles of `move` are shown: the pushed one, then the placed one, after the shift and any extra
        shifts of a full board."""
        traced, after = move[-2:], place_marble(push_marble(position, move), move[-1]).shift()
        for _ in range(1 + (count_extra_shifts(after) if after.occupied == FULL else 0)):
            traced = tuple(NEXT[cell] for cell in traced)
        return traced


PAINTER = OrbitoPainter()
