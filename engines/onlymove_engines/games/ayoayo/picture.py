"""Draws Ayòayò: two rows of round pits between two trays, the steps of a sowing, and previews.

    tray of the far side      name, count, what it has captured
    numbers of the far row    with arrows in the direction of sowing
    six places                a number, a round bowl, a row for values
    six places
    numbers of the near row
    tray of the near side
    a comment

The near side is player 0. If the view is flipped, the whole board is turned and player 1 is near. So the near row is
always sown to the right and the far row to the left. When a pit is chosen, the board is shown as it would be after
sowing it, with the path lit.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import LARGEST, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import disc, draw_quarters, in_ascii, in_blocks
from onlymove_engines.core.value import Seat, other

from . import rules
from .notation import name_pit
from .rules import CAPTURED_AT, CELLS, SEATS, Act, Cell, Event, Pit, Position, Preview, preview

FAR, NEAR = 0, 1
MARGIN: Final = 2
"""The columns left and right of the pits, for the cursor's frame and for the arrows where a sowing turns."""

GROUPS: Final = rules.SEEDS // rules.CAPTURED_AT
"""How many groups of four a tray has room for. It is enough for all seeds."""
WINNING: Final = rules.HALF // rules.CAPTURED_AT
"""This many groups of four are half of all seeds. The tray has a line after them."""


@dataclass(frozen=True)
class Size:
    """The measures of one scale, in columns and rows.

    A pit's place consists of `number` rows for the number, the bowl, and a row for values. `shifts` says where 1, 2, 3
    and 4 seeds in a line are drawn, as columns from the middle of the bowl. Their lines are `line` rows apart. `curve`
    is the exponent of the bowl's outline: 2 is a disc, and larger ones are fuller. With `large`, seeds and numbers are
    larger than one character. A tray is `tray` rows high and has a group of four every `group` columns, each `group -
    gap` columns wide.
    """

    bowl_width: int
    bowl_height: int
    number: int
    tray: int
    group: int
    gap: int
    line: int
    shifts: tuple[tuple[float, ...], ...]
    curve: float
    large: bool = False

    @property
    def pitch(self) -> int:
        """Return the distance in columns from one pit to the next."""
        return self.bowl_width + 1

    @property
    def width(self) -> int:
        return 2 * MARGIN + 6 * self.pitch - 1

    @property
    def place_height(self) -> int:
        return self.number + self.bowl_height + 1

    @property
    def board(self) -> tuple[int, int]:
        """Return the first row of the board, and its number of rows, including the pit numbers and the line in the
        middle."""
        return self.tray + 1, 2 * self.place_height + 3

    @property
    def comment(self) -> int:
        return self.tray_row(NEAR) + self.tray + 1

    @property
    def height(self) -> int:
        return self.comment + 1

    @property
    def tray_width(self) -> int:
        return GROUPS * self.group - self.gap + 2 + 2

    def group_at(self, number: int) -> int:
        return self.width - self.tray_width + 1 + number * self.group + 2 * (number >= WINNING)

    def row(self, where: int) -> int:
        """Return the first row of the places of one side's pits."""
        return self.board[0] + 1 + (self.place_height + 1) * where

    def numbers_row(self, where: int) -> int:
        """Return the row of one side's pit numbers, at the outer edge of the board."""
        return self.row(NEAR) + self.place_height if where == NEAR else self.row(FAR) - 1

    def tray_row(self, where: int) -> int:
        return sum(self.board) + 1 if where == NEAR else 0

    def corner(self, pit: Pit, flipped: bool) -> tuple[int, int]:
        """Return the top left corner of a pit's place."""
        where = find_side(rules.owner(pit), flipped)
        along = pit % 6 if where == NEAR else 5 - pit % 6
        return MARGIN + self.pitch * along, self.row(where)

    def bowl(self, pit: Pit, flipped: bool) -> tuple[int, int]:
        x, y = self.corner(pit, flipped)
        return x, y + self.number

    def place(self, position: Position, pit: Pit, flipped: bool) -> Place:
        """Return a pit as a target. The mark and the hint are beside its number, and the label is under its bowl."""
        x, y = self.corner(pit, flipped)
        target = name_pit(position, pit)
        middle = self.bowl_width // 2
        mark, hint = ((middle - 3, 0), (middle + 2, 0)) if self.number == 1 else ((1, 0), (-2, 0))
        return Place(target, x, y, self.bowl_width, self.place_height, mark, hint, label=(middle, -1))


def find_side(seat: Seat, flipped: bool) -> int:
    """Return NEAR if the player's row is the lower one on the screen, and otherwise FAR."""
    return NEAR if (seat == 1) == flipped else FAR


SIZES: Final = (
    Size(7, 3, 1, 1, 3, 1, 1, ((0,), (-2, 2), (-2, 0, 2), (-2, -1, 1, 2)), 2.4),
    Size(11, 5, 1, 2, 5, 2, 1, ((0,), (-2, 2), (-2, 0, 2), (-3, -1, 1, 3)), 2.4),
    Size(15, 8, 3, 5, 7, 1, 2, ((0,), (-3, 3), (-4, 0, 4), (-4.5, -1.5, 1.5, 4.5)), 2.6, large=True),
)


def find_size(scale: int) -> Size:
    return SIZES[min(max(scale, 1), LARGEST) - 1]


Rows: TypeAlias = tuple[str, ...]


class Kind(enum.Enum):
    """How seeds look: at rest, in the hand, captured by the mover, or captured by the owner of the row."""

    SEED = "seed"
    LIFTED = "lifted"
    MOVER_TAKES = "mover takes"
    OWNER_TAKES = "owner takes"


SIGN: Final = {Kind.SEED: "●", Kind.LIFTED: "○", Kind.MOVER_TAKES: "■", Kind.OWNER_TAKES: "□"}
PEBBLE: Final = {
    Kind.SEED: (".###.", "#####", ".###."),
    Kind.LIFTED: (".###.", "#...#", ".###."),
    Kind.MOVER_TAKES: ("#####", "#####", "#####"),
    Kind.OWNER_TAKES: ("#####", "#...#", "#####"),
}
"""The shapes of large seeds, two and a half columns wide and one and a half rows high."""
ASCII_PEBBLE: Final = {Kind.SEED: "()", Kind.LIFTED: "..", Kind.MOVER_TAKES: "**", Kind.OWNER_TAKES: "%%"}
TWINS: Final = str.maketrans("─│●○■□▲←→↑↓▸▐▌»▗▖▝▘▟▛▙▜▀▄█░", "-|o.*%@<>^v>[]&..''//\\\\'.#~")

LINES: Final = (
    *((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 2), (2, 0, 2), (2, 1, 2), (3, 0, 3)),
    *((3, 1, 3), (3, 2, 3), (3, 3, 3), (3, 4, 3), (4, 3, 4), (4, 4, 4)),
)
"""How many of 0 to 12 seeds are in the upper, middle and lower lines. Players can see the number without counting."""
CLOSER: Final = 0.75
"""Seeds in one or two lines are drawn closer together if the size has room between lines."""
COUNTABLE: Final = len(LINES) - 1

DIGITS: Final = (
    *(
        "### #.# #.# #.# ###",
        ".#. ##. .#. .#. ###",
        "### ..# ### #.. ###",
        "### ..# .## ..# ###",
        "#.# #.# ### ..# ..#",
    ),
    *(
        "### #.. ### ..# ###",
        "### #.. ### #.# ###",
        "### ..# ..# ..# ..#",
        "### #.# ### #.# ###",
        "### #.# ### ..# ###",
    ),
)


def translate(rows: Iterable[str], ascii_only: bool) -> Rows:
    return tuple(row.translate(TWINS) if ascii_only else row for row in rows)


@cache
def draw_bowl(size: Size) -> tuple[Rows, tuple[tuple[int, int], ...]]:
    """Return the rounded outline of a bowl. For each row, also return the first column of its ground and the width of
    the ground."""
    rows = in_blocks(lambda x, y: abs(x) ** size.curve + abs(y) ** size.curve <= 1, size.bowl_width, size.bowl_height)
    return tuple(row.replace("█", " ") for row in rows), tuple((row.index("█"), row.count("█")) for row in rows)


@cache
def draw_seeds(size: Size, count: int, kind: Kind, ascii_only: bool) -> Rows:
    """Draw the seeds of a pit inside its bowl. If there are too many to tell apart, draw a heap."""
    if count > COUNTABLE:
        return draw_heap(size, kind, ascii_only)
    lines = LINES[count]
    is_few = size.line > 1 and 0 in lines
    away, closer = (size.line // 2, CLOSER) if is_few else (size.line, 1)
    spots = [
        (closer * shift, line)
        for line, number in zip((-away, 0, away), lines, strict=True)
        for shift in (size.shifts[number - 1] if number else ())
    ]
    return draw_spots(size, spots, kind, ascii_only)


def draw_spots(size: Size, spots: Sequence[tuple[float, int]], kind: Kind, ascii_only: bool) -> Rows:
    """Draw seeds at these columns and rows, counted from the middle of a bowl."""
    if size.large and not ascii_only:
        wide, high = 2 * size.bowl_width, 2 * size.bowl_height
        corners = [(wide // 2 - 2 + int(2 * x), high // 2 - 2 + 2 * y) for x, y in spots]
        return draw_pebbles(size.bowl_width, size.bowl_height, corners, kind)
    sign = ASCII_PEBBLE[kind] if size.large else SIGN[kind]
    middle = (size.bowl_height - 1) // 2
    corners = [(int(size.bowl_width / 2 + x - len(sign) / 2), middle + y) for x, y in spots]
    return draw_signs(size.bowl_width, size.bowl_height, corners, sign, ascii_only)


def draw_signs(width: int, height: int, corners: Iterable[tuple[int, int]], sign: str, ascii_only: bool) -> Rows:
    """Draw seeds as the same sign at these columns and rows, as text of this width and height."""
    canvas = [[" "] * width for _ in range(height)]
    for x, y in corners:
        canvas[y][x : x + len(sign)] = sign
    return translate(("".join(row) for row in canvas), ascii_only)


def draw_pebbles(width: int, height: int, corners: Iterable[tuple[int, int]], kind: Kind) -> Rows:
    """Draw large seeds with these upper left quarters, as text of this width and height."""
    dots = [(dx, dy) for dy, row in enumerate(PEBBLE[kind]) for dx, dot in enumerate(row) if dot == "#"]
    return draw_quarters(((x + dx, y + dy) for x, y in corners for dx, dy in dots), width, height)


@cache
def draw_heap(size: Size, kind: Kind, ascii_only: bool) -> Rows:
    """Draw a full bowl without single seeds. The number above it says how many there are."""
    wide, high = size.bowl_width - 2, size.bowl_height - 2 * size.large
    if kind is Kind.LIFTED:
        rows = in_ascii(disc, wide, high, "~" if ascii_only else "░")
    else:
        rows = in_ascii(disc, wide, high, "#") if ascii_only else in_blocks(disc, wide, high)
    blank = (" " * size.bowl_width,) * ((size.bowl_height - high) // 2)
    return (*blank, *(f" {row} " for row in rows), *blank)


@cache
def draw_group(size: Size, count: int, ascii_only: bool) -> Rows:
    """Draw up to four captured seeds in a tray, two by two, as high as the tray."""
    spots = [(0, 0), (1, 0), (0, 1), (1, 1)][:count]
    if size.tray == 1:
        return (":" * (count // 2) + "." * (count % 2),)
    wide = size.group - size.gap
    if size.large and not ascii_only:
        return draw_pebbles(wide, size.tray, [(6 * x, 1 + 5 * y) for x, y in spots], Kind.SEED)
    sign = ASCII_PEBBLE[Kind.SEED] if size.large else SIGN[Kind.SEED]
    corners = [((len(sign) + 1) * x, size.tray // 4 + y * size.tray // 2) for x, y in spots]
    return draw_signs(wide, size.tray, corners, sign, ascii_only)


@cache
def draw_number(size: Size, text: str, ascii_only: bool) -> Rows:
    """Draw a number as high as the size allows. A plus or minus sign before it stays small."""
    if not size.large or ascii_only:
        before = ("",) * ((size.number - 1) // 2)
        return translate((*before, text), ascii_only)
    sign, digits = (text[0], text[1:]) if not text[0].isdigit() else ("", text)
    shapes = [DIGITS[int(digit)].split() for digit in digits]
    pixels = [" ".join(shape[row] for shape in shapes) for row in range(5)] + ["." * 20]
    rows = [
        "".join(" ▀▄█"[(upper == "#") + 2 * (lower == "#")] for upper, lower in zip(*pixels[y : y + 2], strict=False))
        for y in (0, 2, 4)
    ]
    return tuple(f"{sign if y == 1 else ' ' * len(sign)}{' ' * len(sign)}{row}" for y, row in enumerate(rows))


ROLES: Final = (Role.FIRST, Role.SECOND)
FRESH: Final = (Role.FIRST_FRESH, Role.SECOND_FRESH)
GROUND: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
"""The roles for each seat: seeds in a row, seeds that the last move changed, and the ground."""

ENDS: Final = {1: ("▐", "▌"), 2: ("▗▝", "▖▘"), 5: ("▗▐▐▐▝", "▖▌▌▌▘")}
ASCII_ENDS: Final = {1: ("[", "]"), 2: ("/\\", "\\/"), 5: ("/|||\\", "\\|||/")}
"""The left and right ends of a tray by its height in rows, from top to bottom."""


def draw_tray(size: Size, y: int, seat: Seat, count: int, grows: bool, ascii_only: bool) -> Iterator[Sprite]:
    """Draw a tray whose first row is `y`. With `grows`, the last group of captured seeds is highlighted."""
    left = size.width - size.tray_width
    ends = (ASCII_ENDS if ascii_only else ENDS)[size.tray]
    for x, end in zip((left, size.width - 1), ends, strict=True):
        yield Sprite(x, y, tuple(end), Role.GRID if ascii_only else GROUND[seat])
    yield Sprite(size.group_at(WINNING) - 2, y, translate("│" * size.tray, ascii_only), Role.GRID)
    for start in range(0, count, CAPTURED_AT):
        is_new = grows and start + CAPTURED_AT >= count
        rows = draw_group(size, min(CAPTURED_AT, count - start), ascii_only)
        yield Sprite(size.group_at(start // CAPTURED_AT), y, rows, Role.CAPTURE if is_new else ROLES[seat])


def draw_caption(size: Size, y: int, seat: Seat, count: int, moves: bool, ascii_only: bool) -> Iterator[Sprite]:
    """Write whose tray it is, whether it is that side's turn, and how many seeds it holds."""
    yield Sprite(0, y, translate((f"{'▸' if moves else ' '} {SEATS[seat]}",), ascii_only), ROLES[seat])
    if size.tray == 1:
        yield Sprite(9, y, (f"{count:>2}",), ROLES[seat])
    elif size.large:
        yield Sprite(2, y + 1, draw_number(size, str(count), ascii_only), ROLES[seat])
    else:
        yield Sprite(2, y + 1, (f"{count} seed{'s' * (count != 1)}",), ROLES[seat])


LANDING = "▲"
"""Points up at the pit where the last seed falls."""


def draw_preview(size: Size, view: View[Position, Cell]) -> Iterator[Sprite]:
    """Preview the move of the pit under the cursor. Without a cursor, show what each legal pit would capture."""
    position, looked_at = view.position, view.cursor
    looks = {str(move + 1): preview(position, move) for move in rules.legal_moves(position)}
    if looked_at in looks:
        yield from draw_move_preview(size, position, looked_at, looks[looked_at], view.flipped)
    else:
        yield from draw_all_previews(size, position, looks, view.flipped)


def draw_move_preview(size: Size, position: Position, target: Target, look: Preview, flipped: bool) -> Iterator[Sprite]:
    """Mark where the last seed of a move falls, and show each capture under its pit."""
    for pit in dict.fromkeys(pit for pit, _ in look.captures):
        takers = [taker for where, taker in look.captures if where == pit]
        by_mover = pit == look.last and takers[-1] == position.to_move
        sign = SIGN[Kind.MOVER_TAKES if by_mover else Kind.OWNER_TAKES]
        mark = LANDING if pit == look.last else ""
        yield draw_below(size, pit, f"{mark}{sign}+{CAPTURED_AT * len(takers)}", flipped)
    if look.last not in {pit for pit, _ in look.captures}:
        x, y = size.corner(look.last, flipped)
        yield Sprite(x + size.bowl_width // 2, y + size.place_height - 1, (LANDING,), Role.GHOST)
    text = describe_preview(position, target, look)
    yield Sprite((size.width - len(text)) // 2, size.comment, (text,), Role.NOTE)


def describe_preview(position: Position, target: Target, look: Preview) -> str:
    """Describe a move, as in `Pit 3 ends in Second's pit 5: First +4, Second +8`. If the last pit is in the
    mover's own row, its side is not named."""
    row, number = rules.owner(look.last), rules.cell_of(look.last) + 1
    pit = f"pit {number}" if row == position.to_move else f"{SEATS[row]}'s pit {number}"
    gains = ", ".join(f"{name} +{count}" for seat, name in enumerate(SEATS) if (count := look.captured(seat)))
    return f"Pit {target} ends in {pit}: {gains or 'no captures'}"


def draw_all_previews(size: Size, position: Position, looks: dict[Target, Preview], flipped: bool) -> Iterator[Sprite]:
    """Under each legal pit, show the mover's captures after a plus sign and the other side's after a minus sign."""
    mover = position.to_move
    for target, look in looks.items():
        gains = ((sign, look.captured(seat)) for sign, seat in (("+", mover), ("-", other(mover))))
        text = " ".join(f"{sign}{count}" for sign, count in gains if count) or "0"
        yield draw_below(size, rules.pit_of(mover, int(target) - 1), text, flipped)
    words = f"Captures: + for {SEATS[mover]}, - for {SEATS[other(mover)]}"
    yield Sprite((size.width - len(words)) // 2, size.comment, (words,), Role.NOTE)


def draw_below(size: Size, pit: Pit, text: str, flipped: bool) -> Sprite:
    x, y = size.corner(pit, flipped)
    return Sprite(x + (size.bowl_width - len(text)) // 2, y + size.place_height - 1, (text,), Role.GHOST)


@dataclass(frozen=True, slots=True)
class Moment:
    """What one picture shows: a board, the side to move, the pits that the last move changed, the current step of a
    sowing, the pits that the sowing has passed, and a comment."""

    pits: rules.Pits
    captured: tuple[int, int]
    to_move: Seat
    fresh: frozenset[Pit] = frozenset()
    step: Event | None = None
    is_relay: bool = False
    lit: frozenset[Pit] = frozenset()
    comment: str = ""
    is_over: bool = False


def scene(view: View[Position, Cell]) -> Scene:
    """Draw the view's position. If a pit is chosen, show the board after sowing it, with the path lit. The mover still
    has the turn. With the overlay, preview moves."""
    position, size = view.position, find_size(view.scale)
    if view.chosen:
        (target,) = view.chosen
        extra = tuple(draw_move_preview(size, position, target, preview(position, int(target) - 1), view.flipped))
        *_, end = list_moments(position, int(target) - 1)
        sown = Moment(end.pits, end.captured, end.to_move, end.fresh, lit=end.fresh)
        return Picture(sown, view).scene(extra)
    before = view.positions[-2].pits if view.moves else position.pits
    fresh = frozenset(pit for pit in range(12) if before[pit] != position.pits[pit])
    is_over = view.is_over or rules.result(position) is not None
    moment = Moment(position.pits, position.captured, position.to_move, fresh, is_over=is_over)
    return Picture(moment, view).scene(tuple(draw_preview(size, view)) if view.overlay and view.is_asked else ())


def between(view: View[Position, Cell]) -> tuple[Scene, ...]:
    """Show the last move seed by seed: picking up, dropping, relays, and captures by the mover and by the row's
    owner."""
    if not view.moves:
        return ()
    return tuple(Picture(moment, view).scene() for moment in list_moments(view.positions[-2], view.moves[-1]))


def trace(position: Position, move: Cell) -> tuple[Target, ...]:
    """Return the pit that was sown and the pit of the last seed. They are named as the side that moves next sees
    them."""
    after = rules.play(position, move)
    ends = (rules.pit_of(position.to_move, move), preview(position, move).last)
    return tuple(dict.fromkeys(name_pit(after, pit) for pit in ends))


def list_moments(position: Position, move: Cell) -> Iterator[Moment]:
    """Yield the board after each step of a move, without the final sweep. Picking up seeds starts a new lit path."""
    pits, captured, mover = list(position.pits), list(position.captured), position.to_move
    touched: set[Pit] = set()
    lit: set[Pit] = set()
    for index, step in enumerate(rules.sowing(pits, mover, rules.pit_of(mover, move))):
        is_pick_up = step.act is Act.PICK_UP
        lit = {step.pit} if is_pick_up else {*lit, step.pit}
        touched.add(step.pit)
        if step.taker is not None:
            captured[step.taker] += CAPTURED_AT
        line, relay = describe_step(step, mover, first=index == 0), is_pick_up and index > 0
        both = (captured[0], captured[1])
        yield Moment(tuple(pits), both, mover, frozenset(touched), step, relay, frozenset(lit), line)


def describe_step(step: Event, mover: Seat, first: bool) -> str:
    if step.act is Act.PICK_UP:
        return f"{SEATS[mover]} picks up {step.hand}" if first else f"Relay: the last seed picks up {step.hand}"
    if step.act is Act.DROP or step.taker is None:
        return f"{step.hand} in hand" if step.hand else "The last seed"
    if step.hand == 0:
        return f"{SIGN[Kind.MOVER_TAKES]} Last seed: {SEATS[step.taker]} captures four"
    return f"{SIGN[Kind.OWNER_TAKES]} Four in {SEATS[step.taker]}'s row: {SEATS[step.taker]} captures them"


class Picture:
    """Draws a moment at one scale. The board is turned round if the view is flipped."""

    def __init__(self, moment: Moment, view: View[Position, Cell]) -> None:
        self.moment, self.flipped, self.ascii_only = moment, view.flipped, view.ascii_only
        self.size: Size = find_size(view.scale)

    def scene(self, extra: tuple[Sprite, ...] = ()) -> Scene:
        """Return the picture with the sprites of an overlay added."""
        size, moment = self.size, self.moment
        sprites = [
            *(sprite for seat in (0, 1) for sprite in self.side(seat)),
            *(sprite for pit in range(12) for sprite in self.pit(pit)),
            # The arrows at both ends of the board, where sowing continues in the other row.
            self.text(0, size.row(FAR) + size.place_height - 1, "↓", Role.FLOW),
            self.text(size.width - 1, size.row(NEAR), "↑", Role.FLOW),
            self.text((size.width - len(moment.comment)) // 2, size.comment, moment.comment, Role.NOTE),
            *(Sprite(s.x, s.y, translate(s.rows, self.ascii_only), s.role) for s in extra),
        ]
        turn = Position(moment.pits, moment.captured, moment.to_move)
        places = tuple(size.place(turn, pit, self.flipped) for pit in range(12))
        return Scene(size.width, size.height, tuple(sprites), places, tuple(self.tints()))

    def text(self, x: int, y: int, words: str, role: Role) -> Sprite:
        return Sprite(x, y, translate((words,), self.ascii_only), role)

    def tints(self) -> Iterator[Tint]:
        """Yield the backgrounds of the board, the bowls, the trays, and the number of seeds in hand."""
        size = self.size
        yield Tint(0, size.board[0], size.width, size.board[1], Role.PLACE)
        for pit in range(12):
            x, y = size.bowl(pit, self.flipped)
            for row, (start, width) in enumerate(draw_bowl(size)[1]):
                yield Tint(x + start, y + row, width, 1, self.ground(pit))
        for seat in (0, 1):
            y = size.tray_row(find_side(seat, self.flipped))
            yield Tint(size.width - size.tray_width + 1, y, size.tray_width - 2, size.tray, GROUND[seat])
        if self.moment.step is not None:
            pit = self.moment.step.pit
            x, _ = size.corner(pit, self.flipped)
            yield Tint(x, size.numbers_row(find_side(rules.owner(pit), self.flipped)), size.bowl_width, 1, Role.LIT)

    def ground(self, pit: Pit) -> Role:
        return Role.LIT if pit in self.moment.lit else GROUND[rules.owner(pit)]

    def pit(self, pit: Pit) -> Iterator[Sprite]:
        """Draw a bowl, its seeds and their number. The pit that is being sown looks different in each kind of step."""
        size, step = self.size, self.moment.step
        count, kind, text = self.moment.pits[pit], Kind.SEED, str(self.moment.pits[pit])
        role = (FRESH if pit in self.moment.fresh else ROLES)[rules.owner(pit)]
        if step is not None and step.pit == pit:
            count, kind, text, role = draw_hand(step, count, self.moment.is_relay)
        x, y = size.bowl(pit, self.flipped)
        yield Sprite(
            x, y, translate(draw_bowl(size)[0], self.ascii_only), Role.GRID if self.ascii_only else self.ground(pit)
        )
        yield Sprite(x, y, draw_seeds(size, count, kind, self.ascii_only), role)
        rows = draw_number(size, text, self.ascii_only)
        left = x + (size.bowl_width - max(map(len, rows))) // 2
        plain = not count or (size.large and role is ROLES[rules.owner(pit)])
        yield Sprite(left, y - size.number, rows, Role.LABEL if plain else role)

    def side(self, seat: Seat) -> Iterator[Sprite]:
        """Draw a player's tray and pit numbers, with arrows for the direction of sowing. The seeds in hand appear in
        the same row as the numbers."""
        size, moment = self.size, self.moment
        where = find_side(seat, self.flipped)
        y, count = size.tray_row(where), moment.captured[seat]
        grows = moment.step is not None and moment.step.taker == seat
        yield from draw_tray(size, y, seat, count, grows, self.ascii_only)
        moves = seat == moment.to_move and not moment.is_over
        yield from draw_caption(size, y, seat, count, moves, self.ascii_only)
        for cell in CELLS:
            pit = rules.pit_of(seat, cell)
            words, role = self.pit_number(pit, where)
            x, _ = size.corner(pit, self.flipped)
            yield self.text(x + (size.bowl_width - len(words)) // 2, size.numbers_row(where), words, role)

    def pit_number(self, pit: Pit, where: int) -> tuple[str, Role]:
        """Return the number of a pit with its arrow, and its role.

        During a sowing, only pits on the path have arrows, and the current pit shows how many seeds are in hand.
        """
        step, name = self.moment.step, str(rules.cell_of(pit) + 1)
        if step is not None and step.pit == pit:
            return f"[{step.hand}]", Role.MOVING
        arrow = "→" if where == NEAR else "←"
        if self.moment.lit and pit not in self.moment.lit:
            arrow = " "
        role = Role.MOVING if pit in self.moment.lit else Role.LABEL
        return (f"{name} {arrow}" if where == NEAR else f"{arrow} {name}"), role


def draw_hand(step: Event, left: int, is_relay: bool) -> tuple[int, Kind, str, Role]:
    """Return the seeds to draw in the pit under the hand, their kind, their number as text, and their role. Seeds in
    the hand are hollow. The shape of captured seeds depends on who takes them."""
    if step.act is Act.PICK_UP:
        return step.hand, Kind.LIFTED, f"{'»' if is_relay else '↑'}{step.hand}", Role.MOVING
    if step.act is Act.CAPTURE:
        return CAPTURED_AT, Kind.MOVER_TAKES if step.hand == 0 else Kind.OWNER_TAKES, f"+{CAPTURED_AT}", Role.CAPTURE
    return left, Kind.SEED, str(left), Role.MOVING
