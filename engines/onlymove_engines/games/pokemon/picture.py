"""Draws Pokémon Tic-Tac-Toe: the grid between the two hands, silhouettes of the two teams in three sizes, and rims for
covered pieces.

All pieces of a cell are drawn above its base row. The base row also shows the covered pieces, if they are known from
the game's moves. When all targets of a move are chosen, the board is shown as if it had been played. Cells are named
from A1 at the top left to C3, while the text format counts them from 0.

The rows are: the names, a free row for the cursor's frame, three rows of cells with grid lines between them, and a free
row. The columns are: a free one, the left hand, the row numbers, three columns of cells, the right hand, and a free
one.

In each cell, and in each piece's place in a hand, the first row is for marks. The rows of the largest piece follow, and
then the base row. In a hand, the base row shows the key and the count, and the size is written below it.

The silhouettes are a turtle seen from above, which is round, and a dragon with a flame at the end of its tail, which
has corners. Both fill about the same share of their box.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Final

from onlymove_engines.core.drawing import FRESH, GROUNDS, PIECES, WORDS, Sheet, centre, choose_layout
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import Rows
from onlymove_engines.core.value import Seat

from .notation import CELLS, COLUMNS, LETTERS, ROWS, SIZES
from .rules import EMPTY, PLACE, RULES, SEATS, SIZE, TEAM_OF, TEAMS, Placement, Position, full_lines

SILHOUETTES: Final = """
▗█▖  ▟▌▐  .o.  ^^.
▜█▛  ▟█▟  ooo  ^^^

▄▗█▖▄  ▄█▌.▌  .ooo.  .^^.^
▐▛█▜▌  ▗██▟▌  ooooo  ^^^^^

▄▗█▖▄  ▄█▌.▌  ..o..  .^^..
▐███▌  ▝█▙▐▛  ooooo  .^^.^
▟▀█▀▙  ▟███▖  ooooo  ^^^^^

▗▖▟█▙▗▖  ▗▟█▙..▌  ..ooo..  .^^^...
▗█████▖  ▝▀█▙▖▐█  .ooooo.  .^^^^.^
▗▛▀█▀▜▖  ▗████▟▌  .ooooo.  ^^^^^^^

▗▖▐█▌▗▖  ▗▟█▙..▌  ...o...  .^^^^..
▝█████▘  ▀███.▐▙  ooooooo  .^^^..^
.█████.  .███▙▐▛  .ooooo.  .^^^^.^
▐▛▀█▀▜▌  ▟█████▘  ooooooo  ^^^^^^^

....▟█▙....  ..▄█▙▟█..▗.  ....ooo....  ...^^^^....
▄█▄▄███▄▄█▄  ▗██████▘.▟▌  ooooooooooo  .^^^^^^..^^
▝▜▛▚▄▄▄▞▜▛▘  ..█▀▀▀▙..██  .ooooooooo.  ..^^^^^..^^
.█▐█████▌█.  .▐▌███▐▙.▜▌  .ooooooooo.  ..^^^^^^.^^
.▟▙▞▀▀▀▚▟▙.  .█▝▀▀▀▘█▙██  .ooooooooo.  .^^^^^^^.^^
▝██▀▀█▀▀██▘  ▐███▀▀████▛  .ooooooooo.  ^^^^^^^^^^^

......▄███▄......  ....▄█▙▄▄█▌....▖.  ......ooooo......  .....^^.^^^......
..▖...█▟█▙█...▗..  .▗▄█▛██████...▗█.  ......ooooo......  ..^^^^^^^^^....^.
▟███▄▟█████▙▄███▙  ▝█████████▛▘..██▌  ooooooooooooooooo  .^^^^^^^^^^...^^.
▝▀▜█▛▚▄▄▄▄▄▞▜█▛▀▘  ..▝▜██████▖..▐███  .ooooooooooooooo.  ...^^^^^^^....^^^
..█▛▟███████▙▜█..  ..▗█▌▄▄▄▄▞█▖..██▛  ..ooooooooooooo..  ...^^^^^^^^...^^^
.▝█▌█████████▐█▘.  ..▟█▐████▙▜█▖.▐█▌  ..ooooooooooooo..  ..^^^^^^^^^^..^^^
..▜█▞▀█████▀▚█▛..  .▗█▌██████▞██.▐█▙  ..ooooooooooooo..  ..^^^^^^^^^^^.^^^
.▟████▄▄▄▄▄████▙.  .▟█▄▄▄▄▄▄▄▄██████  .ooooooooooooooo.  .^^^^^^^^^^^^^^^^
.▜██▀▝▀▀▀▀▀▘▀██▛.  ▗█████▀▀▀██████▛▘  .oooo..ooo..oooo.  .^^^^^...^^^^^^^.
"""
"""A turtle and a dragon in blocks, and the same two in ASCII, for each size of a piece. Dots are blank."""
DRAWN: Final = {
    (len(rows[0][0]), len(rows)): tuple(zip(*rows, strict=True))
    for block in SILHOUETTES.strip().split("\n\n")
    for rows in [[row.split() for row in block.splitlines()]]
}
"""These four by their width and height."""
WHOLE: Final = str.maketrans(".", " ")
FADED: Final = str.maketrans(".▘▝▖▗▀▌▞▛▚▐▜▄▙▟█o^", "     ░░░░░░░░░░░░░")
"""Make a silhouette of a drawing. That of a spent piece also looks dim without colours."""
RIMS: Final = ("▄", "▲")
"""The characters for the rims of covered pieces."""
LINKS: Final = {(0, 1): "━━━", (1, 0): "▐█▌", (1, 1): "▚", (1, -1): "▞"}
"""The characters that join two cells of a full line, by the step between them in rows and columns."""
TWINS: Final = str.maketrans("─│┼━▐█▌▚▞▄▲×░", "-|+=|||\\/o^x.")
"""What replaces the characters of everything but the silhouettes in ASCII."""

TOP = 2
"""The row where the first cells begin."""


@dataclass(frozen=True, slots=True)
class Layout(Sheet):
    """The measures of a scale. The first cells begin at column `left`. `pieces` are the widths and heights of the three
    sizes, and `rims` the widths of covered pieces. Marks are `inset` columns away from the edges of a place."""

    left: int
    cell: tuple[int, int]
    hand: int
    pieces: tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
    rims: tuple[int, int]
    inset: int

    def corner(self, cell: int) -> tuple[int, int]:
        """Return the top left corner of a cell. A flipped board is turned by 180 degrees."""
        row, column = divmod(8 - cell if self.flipped else cell, 3)
        return self.left + column * (self.cell[0] + 1), TOP + row * (self.cell[1] + 1)

    def is_left(self, seat: Seat) -> bool:
        return (seat == 1) == self.flipped

    def hand_corner(self, seat: Seat, size: int) -> tuple[int, int]:
        """Return the top left corner of a piece's place in a hand, which is level with a row of cells."""
        return 1 if self.is_left(seat) else self.width - 1 - self.hand, TOP + size * (self.cell[1] + 1)

    def place(self, target: Target, corner: tuple[int, int], width: int) -> Place:
        """Return a place. Marks and values are on its first row, and the mark of the last move is on its base row."""
        mark, hint, last, label = (self.inset, 0), (-1 - self.inset, 0), (self.inset, -1), (width // 2, 0)
        return Place(target, *corner, width, self.cell[1], mark, hint, last, label)


LAYOUTS = (
    Layout(52, 20, 12, cell=(9, 5), hand=7, pieces=((3, 2), (5, 2), (7, 3)), rims=(3, 5), inset=0),
    Layout(72, 29, 16, cell=(13, 8), hand=11, pieces=((5, 3), (7, 4), (11, 6)), rims=(3, 5), inset=1),
    Layout(102, 38, 22, cell=(19, 11), hand=17, pieces=((7, 4), (11, 6), (17, 9)), rims=(5, 9), inset=1),
)

PokemonView = View[Position, Placement]


def scene(view: PokemonView) -> Scene:
    """Draw the position between the hands, after the chosen move if all of its targets are chosen. Covered pieces are
    shown if the game's moves tell which they are. The three sizes are targets only in the hand of the side to move."""
    layout = choose_layout(LAYOUTS, view)
    shown, position = view, view.position
    if len(view.chosen) == 2:
        size, cell = view.chosen
        move = Placement(TEAMS[position.seat][SIZES.index(size)], CELLS.index(cell))
        shown = replace(view, positions=(*view.positions, RULES.play(position, move)), moves=(*view.moves, move))
    lines = full_lines(shown.position.cells)
    lit = {cell for line in lines for cell in line}
    if shown is not view:
        lit.add(shown.moves[-1].cell)
    mover = None if view.is_over or RULES.result(position) else position.seat
    pieces = (
        *draw_grid(layout),
        *draw_cells(layout, shown, lit),
        *(draw_link(layout, shown.position, *step) for line in lines for step in pairwise(line)),
        *(piece for seat in (0, 1) for piece in draw_hand(layout, shown.position, seat, seat == mover)),
    )
    cells = [layout.place(target, layout.corner(cell), layout.cell[0]) for cell, target in enumerate(CELLS)]
    hand = [
        replace(layout.place(target, layout.hand_corner(position.seat, size), layout.hand), frame_top=0)
        for size, target in enumerate(SIZES)
    ]
    return layout.compose(pieces, (*cells, *hand), TWINS)


def between(view: PokemonView) -> tuple[Scene, ...]:
    return ()


def trace(position: Position, move: Placement) -> tuple[Target, ...]:
    return (CELLS[move.cell],)


def list_covered(view: PokemonView) -> tuple[str, ...]:
    """Return, for each cell, the pieces known to be under the visible one, lowest first."""
    stacks = [""] * len(CELLS)
    for before, move in zip(view.positions, view.moves, strict=False):
        stacks[move.cell] += before.cells[move.cell].replace(EMPTY, "")
    return tuple(stacks)


@cache
def draw_grid(layout: Layout) -> tuple[Piece, ...]:
    """Draw the grid: two lines down and two across, with letters above and numbers on the left."""
    width, height = layout.cell
    rule = "┼".join(["─" * width] * 3)
    inside = [(" " * width + "│") * 2] * height
    parts = [Sprite(layout.left, TOP, (*inside, rule, *inside, rule, *inside), Role.GRID)]
    for index in range(3):
        x, y = layout.corner(4 * index)
        parts.append(Sprite(x + width // 2, 0, (COLUMNS[index],), Role.LABEL))
        parts.append(Sprite(layout.left - 2, y + height // 2, (ROWS[index],), Role.LABEL))
    return tuple(layout.to_text(parts, TWINS))


def draw_cells(layout: Layout, shown: PokemonView, lit: Container[int]) -> Iterator[Piece]:
    """Draw the visible pieces, and the covered ones as rims side by side on the base row, lowest first. The widths of
    rims depend on their sizes."""
    width, height = layout.cell
    for cell, (piece, stack) in enumerate(zip(shown.position.cells, list_covered(shown), strict=True)):
        x, y = layout.corner(cell)
        yield Tint(x, y, width, height, Role.LIT if cell in lit else Role.PLACE)
        if piece != EMPTY:
            yield draw_piece(layout, piece, x, y, width, (FRESH if cell in lit else PIECES)[TEAM_OF[piece]])
        sides = [RIMS[TEAM_OF[covered]] * (layout.rims[SIZE[covered] - 1] // 2) for covered in stack]
        rims = [side + LETTERS[covered] + side for side, covered in zip(sides, stack, strict=True)]
        x += (width - sum(map(len, rims)) + 1) // 2
        for covered, rim in zip(stack, rims, strict=True):
            yield Sprite(x, y + height - 1, (rim,), PIECES[TEAM_OF[covered]])
            x += len(rim)


def draw_piece(layout: Layout, piece: str, x: int, y: int, width: int, role: Role) -> Sprite:
    """Draw a piece at the bottom of a space of this width with this top left corner."""
    columns, rows = layout.pieces[SIZE[piece] - 1]
    drawn = draw_silhouette(TEAM_OF[piece], columns, rows, layout.ascii_only, role is Role.SPENT)
    return Sprite(x + (width - columns) // 2, y + layout.cell[1] - 1 - rows, drawn, role)


@cache
def draw_silhouette(seat: Seat, width: int, height: int, ascii_only: bool, is_spent: bool = False) -> Rows:
    drawing = DRAWN[width, height][seat + 2 * ascii_only]
    return tuple(row.translate(FADED if is_spent else WHOLE) for row in drawing)


def draw_link(layout: Layout, position: Position, one: int, two: int) -> Sprite:
    """Draw the stroke of a full line between two cells, in the gap between them."""
    width, height = layout.cell
    (x1, y1), (x2, y2) = sorted((layout.corner(one), layout.corner(two)), key=lambda at: (at[1], at[0]))
    sign = LINKS[y2 > y1, (x2 > x1) - (x2 < x1)]
    x, y = (x1 + x2 + width) // 2 - len(sign) // 2, (y1 + y2 + height) // 2
    return Sprite(x, y, (sign,), FRESH[TEAM_OF[position.cells[one]]])


def draw_hand(layout: Layout, position: Position, seat: Seat, is_mover: bool) -> Iterator[Piece]:
    """Draw a team's name and the pieces left of each kind: a piece, its key, and how many there are. Its size is
    written below."""
    width, height, inset = layout.hand, layout.cell[1], layout.inset
    x = 1 if layout.is_left(seat) else layout.width - 1 - len(SEATS[seat])
    yield Sprite(x, 0, (SEATS[seat],), (FRESH if is_mover else PIECES)[seat])
    for size, piece in enumerate(TEAMS[seat]):
        left = position.hands[PLACE[piece]]
        x, y = layout.hand_corner(seat, size)
        yield Tint(x - 1, y, width + 2, height, GROUNDS[seat] if left else Role.PLACE)
        yield draw_piece(layout, piece, x, y, width, PIECES[seat] if left else Role.SPENT)
        count, role = f"×{left}", Role.LABEL if left else Role.SPENT
        yield Sprite(x + inset + 1, y + height - 1, (str(SIZE[piece]),), role)
        yield Sprite(x + width - inset - len(count), y + height - 1, (count,), role)
        yield centre(SIZES[size], x, width, y + height, WORDS[seat])
