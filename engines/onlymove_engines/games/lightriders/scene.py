"""The field as a picture: a faint checker, trails that are bright behind the heads, territory as a tint.

Knows roles and where things stand. Trails, directions and crashes come from the history in the view; what was on
the field before it began is wall. Taller fields than the picture scroll with the heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.value import Seat

from .glyphs import crash, glyphs_for, hull, name, name_spot, wall
from .layout import layout
from .past import Past, read_past
from .rules import CRASH, EMPTY, HEADS, RULES, WALL, Cell, Position, Round, Step
from .tally import tally
from .territory import Control, control
from .trails import BRIGHT, Box, Piece, stretch

FRESH: Final = 4
"""How many of a rider's last steps shine."""

OUTWARDS: Final[dict[Step, tuple[int, int]]] = {"l": (-3, 0), "": (0, 0), "r": (1, 0)}
"""Where the value of a small cell is centred, by the side to which it stands out."""

HELD: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
STROKE: Final = (Role.CONTROL_FIRST, Role.CONTROL_SECOND)


class LightRidersPainter:
    """Draws the field. It is never turned round: the arrow keys mean what the screen shows."""

    def scene(self, view: View[Position, Round]) -> Scene:
        """The picture of the last position; `view.options["seat"]` says whose directions can be pointed at."""
        drawing = Drawing(view)
        pieces = tuple(drawing.pieces())
        return Scene(
            drawing.seen.width,
            drawing.seen.height,
            tuple(piece for piece in pieces if isinstance(piece, Sprite)),
            drawing.places(),
            tuple(piece for piece in pieces if isinstance(piece, Tint)),
        )

    def between(self, view: View[Position, Round]) -> tuple[Scene, ...]:
        """Nothing moves on the way: a round is one step."""
        return ()

    def trace(self, position: Position, move: Round) -> tuple[Target, ...]:
        """Nothing to mark: the heads and the bright end of each trail are the last move."""
        return ()


class Drawing:
    """One picture in the making: what is seen of the field, and how large."""

    def __init__(self, view: View[Position, Round]) -> None:
        self.position = view.position
        self.ascii_only = view.ascii_only
        self.past = read_past(view.positions)
        self.seen = layout(self.position.width, self.position.height, view.scale)
        seat = view.options.get("seat")
        self.seats: tuple[Seat, ...] = (seat,) if isinstance(seat, int) else (0, 1)
        self.first = first_row(self.position, self.past, self.seats, self.seen.rows)
        alive = all(self.position.head(seat) is not None for seat in (0, 1))
        self.control = control(self.position) if view.overlay and alive else None

    def pieces(self) -> Iterator[Piece]:
        """Everything, from the ground up."""
        yield from self.frame()
        yield from self.ground()
        for cell, at in self.shown():
            sign = self.position.cells[cell]
            if sign == EMPTY:
                yield from self.empty(cell, at)
            elif sign == WALL:
                yield Sprite(*at, wall(self.seen.cell, self.ascii_only), Role.WALL)
        for seat in (0, 1):
            yield from self.rider(seat)
        held = None if self.control is None else counted(self.control)
        yield from tally(self.seen, held, self.ascii_only)

    def shown(self) -> Iterator[tuple[Cell, tuple[int, int]]]:
        """The cells of the window, each with its corner on the picture."""
        for row in range(self.seen.rows):
            for x in range(self.position.width):
                yield (self.first + row) * self.position.width + x, self.seen.corner(x, row)

    def at(self, cell: Cell) -> tuple[int, int] | None:
        """The corner of a cell on the picture, or `None` if it is scrolled out."""
        y, x = divmod(cell, self.position.width)
        return self.seen.corner(x, y - self.first) if 0 <= y - self.first < self.seen.rows else None

    def frame(self) -> Iterator[Sprite]:
        """The edge of the field; a broken line where the field goes on above or below."""
        seen = self.seen
        corner_a, corner_b, corner_c, corner_d, across, upright, going_on = tuple(glyphs_for(self.ascii_only).frame)
        above = across if self.first == 0 else going_on
        below = across if self.first + seen.rows == self.position.height else going_on
        for x in (seen.left - 1, seen.left + seen.wide):
            yield Sprite(x, seen.top, (upright,) * seen.high, Role.GRID)
        if seen.is_framed:
            yield Sprite(seen.left - 1, seen.top - 1, (corner_a + above * seen.wide + corner_b,), Role.GRID)
            yield Sprite(seen.left - 1, seen.top + seen.high, (corner_d + below * seen.wide + corner_c,), Role.GRID)

    def ground(self) -> Iterator[Tint]:
        """A checker of two close shades, in the colour of the rider that gets there first where that is shown."""
        seen = self.seen
        yield Tint(seen.left, seen.top, seen.wide, seen.high, Role.PLACE)
        for cell, (x, y) in self.shown():
            held = None if self.control is None else self.control.get(cell)
            if held is not None and not held.beyond:
                yield Tint(x, y, 2 * seen.cell, seen.cell, HELD[held.seat])
            elif sum(divmod(cell, self.position.width)) % 2:
                yield Tint(x, y, 2 * seen.cell, seen.cell, Role.PLACE_OTHER)

    def empty(self, cell: Cell, at: tuple[int, int]) -> Iterator[Sprite]:
        """A dot; where territory is shown a stroke in the rider's grain, broken in a cell beyond a choke point."""
        signs, (x, y) = glyphs_for(self.ascii_only), at
        x, y = x + self.seen.cell - 1, y + (self.seen.cell - 1) // 2
        held = None if self.control is None else self.control.get(cell)
        if held is None:
            yield Sprite(x, y, (signs.empty,), Role.GRID)
        else:
            yield Sprite(x, y, ((signs.beyond if held.beyond else signs.held)[held.seat],), STROKE[held.seat])

    def rider(self, seat: Seat) -> Iterator[Piece]:
        """A trail, bright at its end, and what became of the rider."""
        size, past = self.seen.cell, self.past
        for age, cell in reversed(list(enumerate(reversed(past.trails[seat])))):
            if (at := self.at(cell)) is not None and cell not in (self.position.head(seat), past.crashed[seat]):
                yield from stretch(seat, Box(*at, 2 * size, size), self.ascii_only, age <= FRESH)
        head, crashed = self.position.head(seat), past.crashed[seat]
        if head is not None and (at := self.at(head)) is not None:
            yield from self.head(seat, at, past.heading[seat])
        elif crashed is not None and (at := self.at(crashed)) is not None:
            yield Sprite(*at, crash(size, self.ascii_only), Role.CAPTURE)

    def head(self, seat: Seat, at: tuple[int, int], heading: Step) -> Iterator[Piece]:
        """The rider itself, its number and direction on it: in a dark window where the hull goes all round that."""
        size, (x, y) = self.seen.cell, at
        dx, dy = name_spot(heading, size)
        ground, ink = (Role.CHIP, BRIGHT[seat]) if size > 2 else (BRIGHT[seat], Role.CUT)
        yield Sprite(x, y, hull(heading, size, self.ascii_only), BRIGHT[seat])
        yield Tint(x + dx, y + dy, 2, 1, ground)
        yield Sprite(x + dx, y + dy, (name(seat, heading, self.ascii_only),), ink)

    def places(self) -> tuple[Place, ...]:
        """Where the directions that can be pointed at lie.

        A direction that both riders have is placed once, at the first of them; one that is scrolled out lies at
        the edge nearest to it.
        """
        found: dict[Target, Place] = {}
        for seat in self.seats:
            for step in RULES.moves_of(self.position, seat):
                if step not in found:
                    found[step] = self.place(step, self.ahead(seat, step))
        return tuple(found.values())

    def ahead(self, seat: Seat, step: Step) -> Cell:
        """The cell a step leads to; for a crash what the rider runs into, where that is on the field."""
        head, position = self.position.head(seat), self.position
        assert head is not None, "a rider that has crashed has no step"
        ways = {way: cell for cell, way in position.around(head).items() if position.cells[cell] not in HEADS}
        wanted = self.past.heading[seat] if step == CRASH else step
        return ways[wanted if wanted in ways else next(iter(ways))]

    def place(self, step: Step, cell: Cell) -> Place:
        """A cell that can be steered to. The arrows steer, so that there is no cursor to be framed."""
        size, (y, x) = self.seen.cell, divmod(cell, self.position.width)
        at = self.seen.corner(x, max(0, min(self.seen.rows - 1, y - self.first)))
        if size == 1:
            label = OUTWARDS[step if step in OUTWARDS else self.roomier_side(cell)]
            return Place(step, *at, 2, 1, mark=(1, 0), hint=(0, 0), last=(1, 0), label=label, framed=False)
        return Place(step, *at, 2 * size, size, last=(-1, -1), label=(size - 1, -1), framed=False)

    def roomier_side(self, cell: Cell) -> Step:
        """To which side of a small cell its value may stand out: the empty one, where the other is not."""
        left, right = (self.position.beside(cell, step) for step in "lr")
        blocked = [near is None or self.position.cells[near] != EMPTY for near in (left, right)]
        return "" if blocked[0] == blocked[1] else "r" if blocked[0] else "l"


def first_row(position: Position, past: Past, seats: tuple[Seat, ...], rows: int) -> int:
    """The top row of the window, centred between the heads (or where they were last); the first of `seats` stays in
    sight with the rows beside it."""
    last = {seat: trail[-1] // position.width for seat, trail in enumerate(past.trails) if trail}
    if not last:
        return 0
    top = (min(last.values()) + max(last.values()) + 1) // 2 - rows // 2
    here = last.get(seats[0])
    if here is not None:
        top = max(here + 2 - rows, min(here - 1, top))
    return max(0, min(position.height - rows, top))


def counted(held: Mapping[Cell, Control]) -> tuple[int, int]:
    """How many cells each rider reaches first."""
    first = sum(control.seat == 0 for control in held.values())
    return first, len(held) - first
