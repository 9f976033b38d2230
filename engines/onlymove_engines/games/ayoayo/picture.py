"""Draws Ayòayò: two rows of round pits between two trays, the steps of a sowing, and previews.

    tray of the far side      name, count, what it has captured
    where the far row is sown
    numbers of the far row    with arrows in the direction of sowing
    six places                a number, a round bowl, a row for values
    six places
    numbers of the near row
    where the near row is sown
    tray of the near side
    a comment

The near side is player 0. If the view is flipped, the whole board is turned and player 1 is near. So the near row is
always sown to the right and the far row to the left. When a pit is chosen, the board is shown as it would be after
sowing it, with the path lit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

from onlymove_engines.core.drawing import FRESH, GROUNDS, PIECES, Sheet, centre, choose_layout, fill
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import Rows, disc, draw_quarters, in_ascii, in_blocks
from onlymove_engines.core.value import Seat, other

from . import rules
from .notation import name_pit
from .rules import CAPTURED_AT, CELLS, SEATS, Act, Cell, Event, Pit, Position, preview

FAR, NEAR = 0, 1
MARGIN: Final = 2
"""The columns left and right of the pits, for the cursor's frame and for the arrows where a sowing turns."""

GROUPS: Final = rules.SEEDS // rules.CAPTURED_AT
"""How many groups of four a tray has room for. It is enough for all seeds."""
WINNING: Final = rules.HALF // rules.CAPTURED_AT
"""This many groups of four are half of all seeds. The tray has a line after them."""


@dataclass(frozen=True)
class Size(Sheet):
    """The measures of one scale, in columns and rows, seen from one side.

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
    def has_pebbles(self) -> bool:
        return self.large and not self.ascii_only

    @property
    def place_height(self) -> int:
        return self.number + self.bowl_height + 1

    def tray_row(self, where: int) -> int:
        return self.height - self.tray - 2 if where == NEAR else 0

    def numbers_row(self, where: int) -> int:
        """Return the row of one side's pit numbers, at the outer edge of the board."""
        return self.tray_row(NEAR) - 2 if where == NEAR else self.tray + 1

    def words_row(self, where: int) -> int:
        """Return the row that says where one side's row is sown, between the tray and the numbers."""
        return self.tray_row(NEAR) - 1 if where == NEAR else self.tray

    def row(self, where: int) -> int:
        """Return the first row of the places of one side's pits."""
        return self.numbers_row(NEAR) - self.place_height if where == NEAR else self.numbers_row(FAR) + 1

    def find_side(self, seat: Seat) -> int:
        """Return NEAR if the player's row is the lower one on the screen, and otherwise FAR."""
        return NEAR if (seat == 1) == self.flipped else FAR

    def corner(self, pit: Pit) -> tuple[int, int]:
        where = self.find_side(rules.owner(pit))
        along = pit % 6 if where == NEAR else 5 - pit % 6
        return MARGIN + (self.bowl_width + 1) * along, self.row(where)

    def place(self, position: Position, pit: Pit) -> Place:
        """Return a pit as a target. The mark and the hint are beside its number, and the label is under its bowl."""
        target, middle = name_pit(position, pit), self.bowl_width // 2
        mark, hint = ((middle - 3, 0), (middle + 2, 0)) if self.number == 1 else ((1, 0), (-2, 0))
        return Place(target, *self.corner(pit), self.bowl_width, self.place_height, mark, hint, label=(middle, -1))


SIZES: Final = (
    Size(51, 19, 7, 3, 1, 1, 3, 1, 1, ((0,), (-2, 2), (-2, 0, 2), (-2, -1, 1, 2)), 2.4),
    Size(75, 25, 11, 5, 1, 2, 5, 2, 1, ((0,), (-2, 2), (-2, 0, 2), (-3, -1, 1, 3)), 2.4),
    Size(99, 41, 15, 8, 3, 5, 7, 1, 2, ((0,), (-3, 3), (-4, 0, 4), (-4.5, -1.5, 1.5, 4.5)), 2.6, large=True),
)


class Kind(NamedTuple):
    """How seeds look: as one character, as a large seed in ASCII, and as a large seed two and a half columns wide and
    one and a half rows high."""

    sign: str
    pair: str
    pebble: Rows


SEED: Final = Kind("●", "()", (".###.", "#####", ".###."))
LIFTED: Final = Kind("○", "..", (".###.", "#...#", ".###."))
MOVER_TAKES: Final = Kind("■", "**", ("#####", "#####", "#####"))
OWNER_TAKES: Final = Kind("□", "%%", ("#####", "#...#", "#####"))
"""Seeds at rest, in the hand, captured by the mover, and captured by the owner of the row."""
TWINS: Final = str.maketrans("─│●○■□▲←→↑↓▸▐▌»▗▖▝▘▟▛▙▜▀▄█░", "-|o.*%@<>^v>[]&..''//\\\\'.#~")
"""What replaces the other characters in ASCII."""

LINES: Final = (
    *((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 2), (2, 0, 2), (2, 1, 2), (3, 0, 3)),
    *((3, 1, 3), (3, 2, 3), (3, 3, 3), (3, 4, 3), (4, 3, 4), (4, 4, 4)),
)
"""How many of 0 to 12 seeds are in the upper, middle and lower lines. Players can see the number without counting."""
CLOSER: Final = 0.75
"""Seeds in one or two lines are drawn closer together if the size has room between lines."""
COUNTABLE: Final = len(LINES) - 1

DIGITS: Final = """
█▀█ ▄█. ▀▀█ ▀▀█ █.█ █▀▀ █▀▀ ▀▀█ █▀█ █▀█
█.█ .█. █▀▀ .▀█ ▀▀█ ▀▀█ █▀█ ..█ █▀█ ▀▀█
▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀ ..▀ ▀▀▀ ▀▀▀ ..▀ ▀▀▀ ▀▀▀
"""


@cache
def draw_bowl(size: Size) -> Rows:
    return in_blocks(lambda x, y: abs(x) ** size.curve + abs(y) ** size.curve <= 1, size.bowl_width, size.bowl_height)


@cache
def draw_seeds(size: Size, count: int, kind: Kind) -> Rows:
    """Draw the seeds of a pit inside its bowl. If there are too many to tell apart, draw a heap. The number above it
    says how many there are."""
    width, height = size.bowl_width, size.bowl_height
    if count > COUNTABLE:
        wide, high = width - 2, height - 2 * size.large
        if kind is LIFTED or size.ascii_only:
            rows = in_ascii(disc, wide, high, "░" if kind is LIFTED else "#")
        else:
            rows = in_blocks(disc, wide, high)
        blank = (" " * width,) * ((height - high) // 2)
        return (*blank, *(f" {row} " for row in rows), *blank)
    lines = LINES[count]
    is_few = size.line > 1 and 0 in lines
    away, closer = (size.line // 2, CLOSER) if is_few else (size.line, 1)
    spots = [
        (closer * shift, line)
        for line, number in zip((-away, 0, away), lines, strict=True)
        for shift in (size.shifts[number - 1] if number else ())
    ]
    if size.has_pebbles:
        return draw_spots(size, width, height, [(width - 2 + int(2 * x), height - 2 + 2 * y) for x, y in spots], kind)
    middle = (width - 1 - size.large) / 2
    return draw_spots(size, width, height, [(int(middle + x), (height - 1) // 2 + y) for x, y in spots], kind)


def draw_spots(size: Size, width: int, height: int, corners: Iterable[tuple[int, int]], kind: Kind) -> Rows:
    """Draw seeds, `width` x `height` characters large. Their corners count characters, or quarters for pebbles."""
    if size.has_pebbles:
        dots = [(dx, dy) for dy, row in enumerate(kind.pebble) for dx, dot in enumerate(row) if dot == "#"]
        return draw_quarters(((x + dx, y + dy) for x, y in corners for dx, dy in dots), width, height)
    sign, canvas = kind.pair if size.large else kind.sign, [[" "] * width for _ in range(height)]
    for x, y in corners:
        canvas[y][x : x + len(sign)] = sign
    return tuple(map("".join, canvas))


@cache
def draw_group(size: Size, count: int) -> Rows:
    """Draw up to four captured seeds in a tray, two by two, as high as the tray."""
    spots = [(0, 0), (1, 0), (0, 1), (1, 1)][:count]
    if size.tray == 1:
        return (":" * (count // 2) + "." * (count % 2),)
    corners = [((2 + size.large) * x, size.tray // 4 + y * size.tray // 2) for x, y in spots]
    if size.has_pebbles:
        corners = [(6 * x, 1 + 5 * y) for x, y in spots]
    return draw_spots(size, size.group - size.gap, size.tray, corners, SEED)


@cache
def draw_number(size: Size, text: str) -> Rows:
    """Draw a number as high as the size allows. A plus or minus sign before it stays small."""
    if not size.has_pebbles:
        return (*("",) * ((size.number - 1) // 2), text)
    sign, digits = (text[0], text[1:]) if not text[0].isdigit() else ("", text)
    rows = [" ".join(shapes[int(digit)] for digit in digits) for shapes in map(str.split, DIGITS.strip().splitlines())]
    rows = [row.replace(".", " ") for row in rows]
    return tuple(f"{sign if y == 1 else ' ' * len(sign)}{' ' * len(sign)}{row}" for y, row in enumerate(rows))


SOWN: Final = ("sown to the left", "sown to the right")
"""Said beside the far and the near row."""
ENDS: Final = {1: ("▐", "▌"), 2: ("▗▝", "▖▘"), 5: ("▗▐▐▐▝", "▖▌▌▌▘")}
ASCII_ENDS: Final = {1: ("[", "]"), 2: ("/\\", "\\/"), 5: ("/|||\\", "\\|||/")}
"""The left and right ends of a tray by its height in rows, from top to bottom."""
LANDING = "▲"
"""Points up at the pit where the last seed falls."""


def draw_preview(size: Size, view: View[Position, Cell]) -> Iterator[Sprite]:
    """Preview the move of the pit under the cursor. Without a cursor, show what each legal pit would capture for the
    mover, after a plus sign, and for the other side, after a minus sign."""
    position, mover = view.position, view.position.to_move
    moves = {str(move + 1): move for move in rules.legal_moves(position)}
    if view.cursor in moves:
        yield from draw_move_preview(size, position, moves[view.cursor])
        return
    for move in moves.values():
        look = preview(position, move)
        gains = ((sign, look.captured(seat)) for sign, seat in (("+", mover), ("-", other(mover))))
        text = " ".join(f"{sign}{count}" for sign, count in gains if count) or "0"
        yield draw_below(size, rules.pit_of(mover, move), text)
    yield size.note(f"Captures: + for {SEATS[mover]}, - for {SEATS[other(mover)]}")


def draw_move_preview(size: Size, position: Position, move: Cell) -> Iterator[Sprite]:
    """Mark where the last seed of a move falls, and show each capture under its pit. The note says both, as in `Pit 3
    ends in Second's pit 5: First +4, Second +8`. If the last pit is in the mover's own row, its side is not named."""
    look = preview(position, move)
    for pit in dict.fromkeys(pit for pit, _ in look.captures):
        takers = [taker for where, taker in look.captures if where == pit]
        by_mover = pit == look.last and takers[-1] == position.to_move
        mark = LANDING if pit == look.last else ""
        sign = (MOVER_TAKES if by_mover else OWNER_TAKES).sign
        yield draw_below(size, pit, f"{mark}{sign}+{CAPTURED_AT * len(takers)}")
    if look.last not in {pit for pit, _ in look.captures}:
        yield draw_below(size, look.last, LANDING)
    row, number = rules.owner(look.last), rules.cell_of(look.last) + 1
    where = "" if row == position.to_move else f"{SEATS[row]}'s "
    gains = ", ".join(f"{name} +{count}" for seat, name in enumerate(SEATS) if (count := look.captured(seat)))
    yield size.note(f"Pit {move + 1} ends in {where}pit {number}: {gains or 'no captures'}")


def draw_below(size: Size, pit: Pit, text: str) -> Sprite:
    x, y = size.corner(pit)
    return centre(text, x, size.bowl_width, y + size.place_height - 1, Role.GHOST)


@dataclass(frozen=True, slots=True)
class Frame:
    """What one picture shows: a position, the pits that the last move changed, the current step of a sowing, the pits
    that the sowing has passed, and a comment."""

    position: Position
    fresh: frozenset[Pit] = frozenset()
    step: Event | None = None
    lit: frozenset[Pit] = frozenset()
    comment: str = ""
    is_over: bool = False


def scene(view: View[Position, Cell]) -> Scene:
    """Draw the view's position. If a pit is chosen, show the board after sowing it, with the path lit. The mover still
    has the turn. With the overlay, preview moves."""
    position, size = view.position, choose_layout(SIZES, view)
    if view.chosen:
        move = int(view.chosen[0]) - 1
        *_, end = list_moments(position, move)
        sown = replace(end, step=None, lit=end.fresh, comment="")
        return draw_moment(size, sown, *draw_move_preview(size, position, move))
    before = view.positions[-2].pits if view.moves else position.pits
    fresh = frozenset(pit for pit in range(12) if before[pit] != position.pits[pit])
    is_over = view.is_over or rules.result(position) is not None
    moment = Frame(position, fresh, is_over=is_over)
    return draw_moment(size, moment, *(draw_preview(size, view) if view.shows_overlay and view.is_asked else ()))


def between(view: View[Position, Cell]) -> tuple[Scene, ...]:
    """Show the last move seed by seed: picking up, dropping, relays, and captures by the mover and by the row's
    owner."""
    if not view.moves:
        return ()
    size = choose_layout(SIZES, view)
    return tuple(draw_moment(size, moment) for moment in list_moments(view.positions[-2], view.moves[-1]))


def trace(position: Position, move: Cell) -> tuple[Target, ...]:
    """Return the pit that was sown and the pit of the last seed. They are named as the side that moves next sees
    them."""
    after = rules.play(position, move)
    ends = (rules.pit_of(position.to_move, move), preview(position, move).last)
    return tuple(dict.fromkeys(name_pit(after, pit) for pit in ends))


def list_moments(position: Position, move: Cell) -> Iterator[Frame]:
    """Yield the board after each step of a move, without the final sweep. Picking up seeds starts a new lit path."""
    pits, captured, mover = list(position.pits), list(position.captured), position.to_move
    touched, lit = frozenset[Pit](), frozenset[Pit]()
    for step in rules.sowing(pits, mover, rules.pit_of(mover, move)):
        lit, touched = (frozenset() if step.act is Act.PICK_UP else lit) | {step.pit}, touched | {step.pit}
        if step.taker is not None:
            captured[step.taker] += CAPTURED_AT
        comment = describe_step(step, mover, is_relay=len(touched) > 1)
        yield Frame(Position(tuple(pits), (captured[0], captured[1]), mover), touched, step, lit, comment)


def describe_step(step: Event, mover: Seat, is_relay: bool) -> str:
    if step.act is Act.PICK_UP:
        return f"Relay: the last seed picks up {step.hand}" if is_relay else f"{SEATS[mover]} picks up {step.hand}"
    if step.act is Act.DROP or step.taker is None:
        return f"{step.hand} in hand" if step.hand else "The last seed"
    if step.hand == 0:
        return f"{MOVER_TAKES.sign} Last seed: {SEATS[step.taker]} captures four"
    return f"{OWNER_TAKES.sign} Four in {SEATS[step.taker]}'s row: {SEATS[step.taker]} captures them"


def draw_moment(size: Size, moment: Frame, *extra: Sprite) -> Scene:
    """Return the picture of a moment with the sprites of an overlay added."""
    top, bottom = size.numbers_row(FAR), size.numbers_row(NEAR)
    pieces = (
        Tint(0, top, size.width, bottom - top + 1, Role.PLACE),
        *(piece for seat in (0, 1) for piece in draw_side(size, moment, seat)),
        *(piece for pit in range(12) for piece in draw_pit(size, moment, pit)),
        # The arrows at both ends of the board, where sowing continues in the other row.
        Sprite(0, size.row(FAR) + size.place_height - 1, ("↓",), Role.FLOW),
        Sprite(size.width - 1, size.row(NEAR), ("↑",), Role.FLOW),
        size.note(moment.comment),
        *extra,
    )
    return size.compose(pieces, tuple(size.place(moment.position, pit) for pit in range(12)), TWINS)


def draw_pit(size: Size, moment: Frame, pit: Pit) -> Iterator[Piece]:
    """Draw a bowl, its seeds and their number. In the pit that is being sown, seeds in the hand are hollow, and the
    shape of captured ones depends on who takes them."""
    step, seat, count = moment.step, rules.owner(pit), moment.position.pits[pit]
    kind, text, role = SEED, str(count), (FRESH if pit in moment.fresh else PIECES)[seat]
    x, y = size.corner(pit)
    if step is not None and step.pit == pit:
        role = Role.CAPTURE if step.act is Act.CAPTURE else Role.MOVING
        if step.act is Act.PICK_UP:
            count, kind, text = step.hand, LIFTED, f"{'»' if len(moment.fresh) > 1 else '↑'}{step.hand}"
        elif step.act is Act.CAPTURE:
            count, kind = CAPTURED_AT, MOVER_TAKES if step.hand == 0 else OWNER_TAKES
            text = f"+{CAPTURED_AT}"
        yield Tint(x, size.numbers_row(size.find_side(seat)), size.bowl_width, 1, Role.LIT)
    outline, *ground = fill(draw_bowl(size), x, y + size.number, Role.LIT if pit in moment.lit else GROUNDS[seat])
    yield replace(outline, role=Role.GRID) if size.ascii_only else outline
    yield from ground
    yield Sprite(x, y + size.number, draw_seeds(size, count, kind), role)
    rows = draw_number(size, text)
    plain = not count or (size.large and role is PIECES[seat])
    yield Sprite(x + (size.bowl_width - max(map(len, rows))) // 2, y, rows, Role.LABEL if plain else role)


def draw_side(size: Size, moment: Frame, seat: Seat) -> Iterator[Piece]:
    """Draw a player's tray, whose it is and how many seeds it holds, where the player's row is sown, and the numbers of
    its pits, with arrows in that direction. During a sowing, only pits on the path have arrows, and the current pit
    shows how many seeds are in hand."""
    where, count, role, step = size.find_side(seat), moment.position.captured[seat], PIECES[seat], moment.step
    y = size.tray_row(where)
    yield from draw_tray(size, y, seat, count, step is not None and step.taker == seat)
    moves = seat == moment.position.to_move and not moment.is_over
    yield Sprite(0, y, (f"{'▸' if moves else ' '} {SEATS[seat]}",), role)
    if size.tray == 1:
        yield Sprite(9, y, (f"{count:>2}",), role)
    elif size.large:
        yield Sprite(2, y + 1, draw_number(size, str(count)), role)
    else:
        yield Sprite(2, y + 1, (f"{count} seed{'s' * (count != 1)}",), role)
    yield centre(SOWN[where], 0, size.width, size.words_row(where), Role.LABEL)
    for cell in CELLS:
        pit = rules.pit_of(seat, cell)
        is_lit = pit in moment.lit
        arrow = " " if moment.lit and not is_lit else "←→"[where]
        words = f"{cell + 1} {arrow}" if where == NEAR else f"{arrow} {cell + 1}"
        if step is not None and step.pit == pit:
            words = f"[{step.hand}]"
        x, y = size.corner(pit)[0], size.numbers_row(where)
        yield centre(words, x, size.bowl_width, y, Role.MOVING if is_lit else Role.LABEL)


def draw_tray(size: Size, y: int, seat: Seat, count: int, grows: bool) -> Iterator[Piece]:
    """Draw a tray whose first row is `y`. With `grows`, the last group of captured seeds is highlighted."""
    left = size.width - GROUPS * size.group + size.gap - 2 - 2
    groups = [left + 1 + size.group * number + 2 * (number >= WINNING) for number in range(GROUPS)]
    yield Tint(left + 1, y, size.width - left - 2, size.tray, GROUNDS[seat])
    ends = (ASCII_ENDS if size.ascii_only else ENDS)[size.tray]
    for x, end in zip((left, size.width - 1), ends, strict=True):
        yield Sprite(x, y, tuple(end), Role.GRID if size.ascii_only else GROUNDS[seat])
    yield Sprite(groups[WINNING] - 2, y, ("│",) * size.tray, Role.GRID)
    for x, start in zip(groups, range(0, count, CAPTURED_AT), strict=False):
        is_new = grows and start + CAPTURED_AT >= count
        rows = draw_group(size, min(CAPTURED_AT, count - start))
        yield Sprite(x, y, rows, Role.CAPTURE if is_new else PIECES[seat])
