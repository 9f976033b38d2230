"""Draws Orbito: two tracks with arrows in the direction of the shift, marbles that slide along them.

A place is 7 x 3 characters, the marble on it 5 x 3; places lie 8 columns and 4 rows apart, which is square to
the eye. Cells of the same ring are parted by dashes and an arrow, the rings by a solid line. The row under the
board says what a shift did to the last move. Every glyph has an ASCII form.
"""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, View
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
    after_placing,
    after_push,
    at_rest,
    extra_shifts,
)

BOARD = (
    "╭───────────────────────────────╮",
    "│       ╎       ╎       ╎       │",
    "│       ╎       ╎       ╎       │",
    "│       ╎       ╎       ╎       │",
    "│╌╌╌╌╌╌╌╭───────────────╮╌╌╌╌╌╌╌│",
    "│       │       ╎       │       │",
    "│       │       ╎       │       │",
    "│       │       ╎       │       │",
    "│╌╌╌╌╌╌╌│╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌│╌╌╌╌╌╌╌│",
    "│       │       ╎       │       │",
    "│       │       ╎       │       │",
    "│       │       ╎       │       │",
    "│╌╌╌╌╌╌╌╰───────────────╯╌╌╌╌╌╌╌│",
    "│       ╎       ╎       ╎       │",
    "│       ╎       ╎       ╎       │",
    "│       ╎       ╎       ╎       │",
    "╰───────────────────────────────╯",
)
"""Two tracks: dashes part the cells of a ring, solid lines the rings."""

ASCII_LINES = str.maketrans("╭╮╰╯─│╌╎┼", "++++-|.:+")

# Indexed by "ASCII only".
MARBLES = (
    (("▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"), ("╭───╮", "│   │", "╰───╯")),
    ((" ### ", "#####", " ### "), ("/---\\", "|   |", "\\---/")),
)
"""White is a disc, Black a ring."""

LIT_MARBLES = (
    (("▟███▙", "█████", "▜███▛"), ("╔═══╗", "║   ║", "╚═══╝")),
    (("@@@@@", "@@@@@", "@@@@@"), ("#===#", "#   #", "#===#")),
)
"""Marbles in a line: larger, with a double rim."""

GHOST_MARBLES = (
    ((" ░░░ ", "░░░░░", " ░░░ "), ("┌╌╌╌┐", "╎   ╎", "└╌╌╌┘")),
    ((" %%% ", "%%%%%", " %%% "), ("/. .\\", ".   .", "\\. ./")),
)
"""White hatched, Black dashed."""

PIPS = (("●", "○"), ("@", "o"))

ARROWS = (
    {(1, 0): "→", (-1, 0): "←", (0, 1): "↓", (0, -1): "↑"},
    {(1, 0): ">", (-1, 0): "<", (0, 1): "v", (0, -1): "^"},
)
SLIDE = (0.25, 0.5, 0.75)
"""How far along the way the in-between pictures of a shift show the marbles."""

WIDTH, HEIGHT = 40, 19
LEFT, TOP = 4, 1
STEP_X, STEP_Y = 8, 4
PLAIN = (Role.FIRST, Role.SECOND)
LIT = (Role.FIRST_FRESH, Role.SECOND_FRESH)


def lined_up(marbles: CellSet) -> CellSet:
    """The marbles that are part of a line."""
    found = 0
    for line in LINES:
        if marbles & line == line:
            found |= line
    return found


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where things lie on one picture, and with which glyphs they are drawn."""

    flipped: bool
    ascii_only: bool

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The top left character of the inside of `cell`."""
        column, row = ord(cell[0]) - ord("a"), 4 - int(cell[1])
        if self.flipped:
            column, row = 3 - column, 3 - row
        return LEFT + 1 + STEP_X * column, TOP + 1 + STEP_Y * row

    def board(self) -> list[Sprite]:
        """The tracks, their arrows and the names of files and rows."""
        rows = tuple(row.translate(ASCII_LINES) for row in BOARD) if self.ascii_only else BOARD
        sprites = [Sprite(LEFT, TOP, rows, Role.GRID)]
        for file in "abcd":
            sprites.append(Sprite(self.corner(file + "4")[0] + 3, 0, (file,), Role.LABEL))
        for row in "1234":
            sprites.append(Sprite(2, self.corner("a" + row)[1] + 1, (row,), Role.LABEL))
        return sprites + [self._arrow(cell) for cell in READING_ORDER]

    def _arrow(self, cell: Cell) -> Sprite:
        """The arrow on the border between `cell` and the next one on its ring."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        direction = ((next_x > x) - (next_x < x), (next_y > y) - (next_y < y))
        glyph = ARROWS[self.ascii_only][direction]
        return Sprite((x + next_x) // 2 + 3, (y + next_y) // 2 + 1, (glyph,), Role.FLOW)

    def marble(self, cell: Cell, seat: Seat, role: Role, way: float = 0.0) -> Sprite:
        """A marble on `cell`, or a share of the way to the next cell; its role decides its shape."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        at = (round(x + (next_x - x) * way) + 1, round(y + (next_y - y) * way))
        shapes = LIT_MARBLES if role in LIT else GHOST_MARBLES if role is Role.GHOST else MARBLES
        return Sprite(*at, shapes[self.ascii_only][seat], role)

    def pip(self, cell: Cell, seat: Seat) -> Sprite:
        """A small sign for a marble, in the bottom right corner of its cell."""
        x, y = self.corner(cell)
        return Sprite(x + 6, y + 2, (PIPS[self.ascii_only][seat],), PLAIN[seat])

    def note(self, text: str) -> Sprite:
        """One line of text under the board."""
        return Sprite((WIDTH - len(text)) // 2, HEIGHT - 1, (text,), Role.NOTE)

    def places(self) -> tuple[Place, ...]:
        """Every cell is a place. Marks go to its free left column, values onto the face of a marble."""
        return tuple(
            Place(cell, *self.corner(cell), width=7, height=3, mark=(0, 0), label=(3, 1)) for cell in READING_ORDER
        )

    def marbles(self, position: Position, lit: bool = True) -> list[Sprite]:
        """All marbles of `position`; with `lit`, those in a line stand out."""
        sprites = []
        for seat, marbles in enumerate(position):
            line = lined_up(marbles) if lit else 0
            for cell in READING_ORDER:
                if marbles & BIT[cell]:
                    sprites.append(self.marble(cell, seat, (LIT if line & BIT[cell] else PLAIN)[seat]))
        return sprites

    def sliding(self, position: Position, way: float) -> list[Sprite]:
        """All marbles a share of the way to where the next shift takes them."""
        return [
            self.marble(cell, seat, PLAIN[seat], way)
            for seat, marbles in enumerate(position)
            for cell in READING_ORDER
            if marbles & BIT[cell]
        ]

    def ghosts(self, now: Position) -> list[Sprite]:
        """Where every marble will lie after the next shift, lines lit up, and small signs where they are now."""
        sprites = []
        for seat, (marbles, coming) in enumerate(zip(now, now.shifted(), strict=True)):
            lit = lined_up(coming)
            for cell in READING_ORDER:
                if coming & BIT[cell]:
                    sprites.append(self.marble(cell, seat, LIT[seat] if lit & BIT[cell] else Role.GHOST))
                if marbles & BIT[cell]:
                    sprites.append(self.pip(cell, seat))
        return sprites

    def picture(self, sprites: list[Sprite]) -> Scene:
        """The board with `sprites` on it."""
        return Scene(WIDTH, HEIGHT, (*self.board(), *sprites), self.places())


def spelled(move: Move, ascii_only: bool) -> str:
    """The move's cells for the note: `b3`, or `c2→d2, b3`."""
    return move[0] if len(move) == 1 else f"{move[0]}{'>' if ascii_only else '→'}{move[1]}, {move[2]}"


def last_move_note(view: View[Position, Move]) -> str:
    """What the last move was called and where its marbles are now, or how a full board came to rest."""
    if view.position.occupied == FULL and (extra := extra_shifts(view.position)):
        return f"shown after {extra} extra shift{'s' * (extra > 1)}"
    if not view.moves:
        return ""
    move = view.moves[-1]
    now = ", ".join(NEXT[cell] for cell in move[-2:])
    return f"{spelled(move, view.ascii_only)}; after the shift {now}"


def entered(view: View[Position, Move]) -> tuple[Position, tuple[Cell, Seat] | None]:
    """The position as far as the move has been entered, and the marble in hand: the opponent's that is picked or
    pushed, or the own one where it is to be placed."""
    position, chosen = view.position, view.chosen
    if not chosen:
        return position, None
    seat = position.marbles % 2
    if len(chosen) > 1:
        position = after_push(position, chosen[:2])
    if position.occupied & BIT[chosen[-1]]:
        return position, (chosen[-1], 1 - seat)
    return after_placing(position, chosen[-1]), (chosen[-1], seat)


class OrbitoPainter:
    """The pictures of Orbito."""

    def scene(self, view: View[Position, Move]) -> Scene:
        """The board as it lies: a push already chosen is carried out, a decided full board is at rest.

        The overlay shows the position after the next shift in outline and the present one in small signs.
        """
        sheet = Sheet(view.flipped, view.ascii_only)
        position, held = entered(view)
        if view.overlay and position.occupied != FULL:
            white, black = PIPS[view.ascii_only]
            legend = f"outlines: after the shift; {white} {black}: now"
            return sheet.picture([*sheet.ghosts(position), sheet.note(legend)])
        sprites = sheet.marbles(at_rest(position))
        if held:
            sprites.append(sheet.marble(*held, Role.MOVING))
        return sheet.picture([*sprites, sheet.note(last_move_note(view))])

    def between(self, view: View[Position, Move]) -> tuple[Scene, ...]:
        """The last move in steps: the push, the placement, the marbles on their way; then the extra shifts."""
        if not view.moves:
            return ()
        sheet = Sheet(view.flipped, view.ascii_only)
        before, move = view.positions[-2], view.moves[-1]
        seat = before.marbles % 2
        pushed = after_push(before, move)
        placed = after_placing(pushed, move[-1])
        # A line that stands before the shift does not count, so nothing is lit here.
        frames = []
        if len(move) == 3:
            frames.append(sheet.picture([*sheet.marbles(pushed, False), sheet.marble(move[1], 1 - seat, Role.MOVING)]))
        frames.append(sheet.picture([*sheet.marbles(placed, False), sheet.marble(move[-1], seat, Role.MOVING)]))
        return (*frames, *self._slide(sheet, placed), *self._extra_slides(sheet, view.position))

    @staticmethod
    def _slide(sheet: Sheet, position: Position) -> list[Scene]:
        """One shift, seen on its way."""
        return [sheet.picture(sheet.sliding(position, way)) for way in SLIDE]

    def _extra_slides(self, sheet: Sheet, position: Position) -> list[Scene]:
        """The extra shifts of a full board, with a rest before each."""
        frames: list[Scene] = []
        if position.occupied == FULL:
            for _ in range(extra_shifts(position)):
                frames += [sheet.picture(sheet.marbles(position)), *self._slide(sheet, position)]
                position = position.shifted()
        return frames

    def trace(self, position: Position, move: Move) -> tuple[Target, ...]:
        """Where the marbles of `move` lie after the shift: the pushed one, then the placed one."""
        return tuple(NEXT[cell] for cell in move[-2:])


PAINTER = OrbitoPainter()
