"""The picture of Ayòayò: two rows of round pits between two trays, and the steps of a sowing.

Does not know what a position is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Role, Scene, Sprite, Tint, View
from onlymove_engines.core.value import Seat

from . import rules
from .glyphs import SIGN, Kind, bowl, number, seeds, twin
from .layout import FAR, NEAR, Size, side, size_of
from .notation import target_of
from .overlay import overlay
from .preview import preview
from .rules import CAPTURED_AT, CELLS, Act, Cell, Event, Pit, Position
from .trays import FRESH, GROUND, ROLES, SEATS, caption, ground, tray


@dataclass(frozen=True, slots=True)
class Moment:
    """What one picture shows: a board, who is to move, the pits the last move changed, the step of a sowing under
    way with the pits this hand has passed, and a line of comment."""

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
    """The picture of the view's position, with the preview when the overlay is asked for."""
    position = view.position
    fresh = frozenset(changed(view.positions[-2], position)) if view.moves else frozenset()
    is_over = view.is_over or rules.result(position) is not None
    moment = Moment(position.pits, position.captured, position.to_move, fresh, is_over=is_over)
    extra = tuple(overlay(size_of(view.scale), view)) if view.overlay else ()
    return Picture(moment, view).scene(extra)


def between(view: View[Position, Cell]) -> tuple[Scene, ...]:
    """The last move seed by seed: pick-ups, drops, relays, captures by the mover and by the row's owner."""
    if not view.moves:
        return ()
    return tuple(Picture(moment, view).scene() for moment in moments(view.positions[-2], view.moves[-1]))


def trace(position: Position, move: Cell) -> tuple[Target, ...]:
    """The pit that was sown and the pit of the last seed, named for the side that moves next."""
    after = rules.play(position, move)
    ends = (rules.pit_of(position.to_move, move), preview(position, move).last)
    return tuple(dict.fromkeys(target_of(after, pit) for pit in ends))


def changed(before: Position, after: Position) -> Iterator[Pit]:
    """The pits whose seeds the last move changed."""
    return (pit for pit in range(12) if before.pits[pit] != after.pits[pit])


def moments(position: Position, move: Cell) -> Iterator[Moment]:
    """The board after each step of a move, the final sweep not among them. Every hand lights a path of its own."""
    pits, captured, mover = list(position.pits), list(position.captured), position.to_move
    touched: set[Pit] = set()
    lit: set[Pit] = set()
    for index, step in enumerate(rules.sowing(pits, mover, rules.pit_of(mover, move))):
        is_pick_up = step.act is Act.PICK_UP
        lit = {step.pit} if is_pick_up else {*lit, step.pit}
        touched.add(step.pit)
        if step.taker is not None:
            captured[step.taker] += CAPTURED_AT
        line, relay = comment(step, mover, first=index == 0), is_pick_up and index > 0
        both = (captured[0], captured[1])
        yield Moment(tuple(pits), both, mover, frozenset(touched), step, relay, frozenset(lit), line)


def comment(step: Event, mover: Seat, first: bool) -> str:
    """One line about a step of a sowing."""
    if step.act is Act.PICK_UP:
        return f"{SEATS[mover]} picks up {step.hand}" if first else f"Relay: the last seed picks up {step.hand}"
    if step.act is Act.DROP or step.taker is None:
        return f"{step.hand} in hand" if step.hand else "The last seed"
    if step.hand == 0:
        return f"{SIGN[Kind.MOVER_TAKES]} Last seed: {SEATS[step.taker]} captures four"
    return f"{SIGN[Kind.OWNER_TAKES]} Four in the row of {SEATS[step.taker]}, who takes them"


class Picture:
    """A moment, drawn at the size and the way round that a view asks for."""

    def __init__(self, moment: Moment, view: View[Position, Cell]) -> None:
        self.moment, self.flipped, self.ascii_only = moment, view.flipped, view.ascii_only
        self.size: Size = size_of(view.scale)

    def scene(self, extra: tuple[Sprite, ...] = ()) -> Scene:
        """The picture, with what an overlay adds."""
        size, moment = self.size, self.moment
        sprites = [
            *(sprite for seat in (0, 1) for sprite in self.side(seat)),
            *(sprite for pit in range(12) for sprite in self.pit(pit)),
            *self.turns(),
            self.text((size.width - len(moment.comment)) // 2, size.comment, moment.comment, Role.NOTE),
            *(Sprite(s.x, s.y, twin(s.rows, self.ascii_only), s.role) for s in extra),
        ]
        turn = Position(moment.pits, moment.captured, moment.to_move)
        places = tuple(size.place(turn, pit, self.flipped) for pit in range(12))
        return Scene(size.width, size.height, tuple(sprites), places, tuple(self.tints()))

    def text(self, x: int, y: int, words: str, role: Role) -> Sprite:
        """A line of words."""
        return Sprite(x, y, twin((words,), self.ascii_only), role)

    def tints(self) -> Iterator[Tint]:
        """The grounds: the board, every bowl by whose it is or lit, the trays, the hand's number."""
        size = self.size
        yield Tint(0, size.board[0], size.width, size.board[1], Role.PLACE)
        for pit in range(12):
            x, y = size.bowl(pit, self.flipped)
            for row, (start, width) in enumerate(bowl(size)[1]):
                yield Tint(x + start, y + row, width, 1, self.ground(pit))
        for seat in (0, 1):
            yield ground(size, size.tray_row(side(seat, self.flipped)), seat)
        if self.moment.step is not None:
            pit = self.moment.step.pit
            x, _ = size.corner(pit, self.flipped)
            yield Tint(x, size.numbers_row(side(rules.owner(pit), self.flipped)), size.bowl_width, 1, Role.LIT)

    def ground(self, pit: Pit) -> Role:
        """What the seeds of a pit lie on."""
        return Role.LIT if pit in self.moment.lit else GROUND[rules.owner(pit)]

    def pit(self, pit: Pit) -> Iterator[Sprite]:
        """A bowl, its seeds and their number; the pit under the hand stands out, each act in its own way."""
        size, step = self.size, self.moment.step
        count, kind, text = self.moment.pits[pit], Kind.SEED, str(self.moment.pits[pit])
        role = (FRESH if pit in self.moment.fresh else ROLES)[rules.owner(pit)]
        if step is not None and step.pit == pit:
            count, kind, text, role = handled(step, count, self.moment.is_relay)
        x, y = size.bowl(pit, self.flipped)
        yield Sprite(x, y, twin(bowl(size)[0], self.ascii_only), Role.GRID if self.ascii_only else self.ground(pit))
        yield Sprite(x, y, seeds(size, count, kind, self.ascii_only), role)
        rows = number(size, text, self.ascii_only)
        left = x + (size.bowl_width - max(map(len, rows))) // 2
        plain = not count or (size.large and role is ROLES[rules.owner(pit)])
        yield Sprite(left, y - size.number, rows, Role.LABEL if plain else role)

    def side(self, seat: Seat) -> Iterator[Sprite]:
        """A player's tray and the numbers of the pits, with the way they are sown; the hand travels along there."""
        size, moment = self.size, self.moment
        where = side(seat, self.flipped)
        y, count = size.tray_row(where), moment.captured[seat]
        grows = moment.step is not None and moment.step.taker == seat
        yield from tray(size, y, seat, count, grows, self.ascii_only)
        moves = seat == moment.to_move and not moment.is_over
        yield from caption(size, y, seat, count, moves, self.ascii_only)
        for cell in CELLS:
            pit = rules.pit_of(seat, cell)
            words, role = self.pit_number(pit, where)
            x, _ = size.corner(pit, self.flipped)
            yield self.text(x + (size.bowl_width - len(words)) // 2, size.numbers_row(where), words, role)

    def pit_number(self, pit: Pit, where: int) -> tuple[str, Role]:
        """The number of a pit with an arrow; in a sowing only the path has arrows, and the hand tells its count."""
        step, name = self.moment.step, str(rules.cell_of(pit) + 1)
        if step is not None and step.pit == pit:
            return f"[{step.hand}]", Role.MOVING
        arrow = "→" if where == NEAR else "←"
        if step is not None and pit not in self.moment.lit:
            arrow = " "
        role = Role.MOVING if pit in self.moment.lit else Role.LABEL
        return (f"{name} {arrow}" if where == NEAR else f"{arrow} {name}"), role

    def turns(self) -> Iterator[Sprite]:
        """The arrows at both ends of the board, where a sowing goes over to the other row."""
        size = self.size
        yield self.text(0, size.row(FAR) + size.place_height - 1, "↓", Role.FLOW)
        yield self.text(size.width - 1, size.row(NEAR), "↑", Role.FLOW)


def handled(step: Event, left: int, is_relay: bool) -> tuple[int, Kind, str, Role]:
    """How the pit under the hand looks: seeds to draw, their kind, number, role. Taken up seeds are hollow, captured
    ones change their shape with the taker."""
    if step.act is Act.PICK_UP:
        return step.hand, Kind.LIFTED, f"{'»' if is_relay else '↑'}{step.hand}", Role.MOVING
    if step.act is Act.CAPTURE:
        return CAPTURED_AT, Kind.MOVER_TAKES if step.hand == 0 else Kind.OWNER_TAKES, f"+{CAPTURED_AT}", Role.CAPTURE
    return left, Kind.SEED, str(left), Role.MOVING
