"""Draws Orbito: two bands with arrows in the direction of the shift, marbles that slide along them.

The row under the board says what a shift did to the last move.
"""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Role, Scene, Sprite, Tint, View
from onlymove_engines.core.value import Seat

from .board import board
from .glyphs import FRAMES, PIPS, ghost, marble
from .layout import SIZES, Layout
from .rules import (
    BIT,
    FULL,
    NEXT,
    READING_ORDER,
    Cell,
    Move,
    Position,
    after_placing,
    after_push,
    at_rest,
    extra_shifts,
)
from .winning_line import COLOURS, Stroke, covered_by, lines_of

SLIDE = (0.25, 0.5, 0.75)
"""How far along the way the in-between pictures of a shift show the marbles."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One picture to draw on."""

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

    def ghosts(self, now: Position) -> list[Sprite]:
        """Where every marble will lie after the next shift, and small signs where they are now."""
        box = self.layout.size.marble
        coming = [
            Sprite(*self.layout.box(cell), ghost(seat, box, self.ascii_only), COLOURS[seat])
            for cell, seat in _marbles(now.shifted())
        ]
        return coming + [self.pip(cell, seat) for cell, seat in _marbles(now)]

    def pip(self, cell: Cell, seat: Seat) -> Sprite:
        """A small sign for a marble, in the left margin of its cell."""
        (x, y), (_, height) = self.layout.box(cell), self.layout.size.marble
        return Sprite(x - 1, y + height // 2, (PIPS[self.ascii_only][seat],), COLOURS[seat])

    def lines(self, position: Position, marbles: list[Sprite]) -> list[Sprite | Tint]:
        """A line through every four in a row of `position`, over its marbles."""
        strokes = [
            Stroke(self.layout, seat, cells, self.ascii_only)
            for seat, side in enumerate(position)
            for cells in lines_of(side)
        ]
        if not strokes:
            return []
        covered = covered_by(marbles)
        return [part for stroke in strokes for part in stroke.parts(covered)]

    def note(self, text: str) -> Sprite:
        """One line of text under the board."""
        width, height = self.layout.size.picture
        return Sprite((width - len(text)) // 2, height - 1, (text,), Role.NOTE)

    def picture(self, *parts: Sprite | Tint) -> Scene:
        """The board with `parts` on it."""
        sprites = [part for part in parts if isinstance(part, Sprite)]
        tints = [part for part in parts if isinstance(part, Tint)]
        return Scene(
            *self.layout.size.picture,
            (*board(self.layout, self.ascii_only), *sprites),
            self.layout.places(),
            (*self.layout.tints(), *tints),
        )


def _marbles(position: Position) -> list[tuple[Cell, Seat]]:
    return [(cell, seat) for seat, side in enumerate(position) for cell in READING_ORDER if side & BIT[cell]]


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


def entered(view: View[Position, Move]) -> tuple[Position, Cell | None]:
    """The position as far as the move has been entered, and where the marble in hand is: the opponent's that is
    picked or pushed, or the own one that is to be placed."""
    position, chosen = view.position, view.chosen
    if not chosen:
        return position, None
    if len(chosen) > 1:
        position = after_push(position, chosen[:2])
    if not position.occupied & BIT[chosen[-1]]:
        position = after_placing(position, chosen[-1])
    return position, chosen[-1]


def sheet_of(view: View[Position, Move]) -> Sheet:
    """What to draw `view` on."""
    return Sheet(Layout(SIZES[min(view.scale, len(SIZES)) - 1], view.flipped), view.ascii_only)


class OrbitoPainter:
    """The pictures of Orbito."""

    def scene(self, view: View[Position, Move]) -> Scene:
        """The board as it lies: a push already chosen is carried out, a decided full board is at rest.

        The overlay shows the position after the next shift checked and the present one in small signs.
        """
        sheet = sheet_of(view)
        position, held = entered(view)
        if view.overlay and position.occupied != FULL:
            white, black = PIPS[view.ascii_only]
            ghosts = sheet.ghosts(position)
            legend = sheet.note(f"checked: after the shift; {white} {black}: now")
            return sheet.picture(*ghosts, *sheet.lines(position.shifted(), ghosts), legend)
        resting = at_rest(position)
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
        pushed = after_push(before, move)
        placed = after_placing(pushed, move[-1])
        frames = []
        if len(move) == 3:
            frames.append(sheet.picture(*sheet.marbles(pushed), *sheet.in_hand(move[1])))
        frames.append(sheet.picture(*sheet.marbles(placed), *sheet.in_hand(move[-1])))
        return (*frames, *self._slide(sheet, placed), *self._extra_slides(sheet, view.position))

    @staticmethod
    def _slide(sheet: Sheet, position: Position) -> list[Scene]:
        """One shift, seen on its way."""
        return [sheet.picture(*sheet.marbles(position, way)) for way in SLIDE]

    def _extra_slides(self, sheet: Sheet, position: Position) -> list[Scene]:
        """The extra shifts of a full board, with a rest before each."""
        frames: list[Scene] = []
        if position.occupied == FULL:
            for _ in range(extra_shifts(position)):
                frames += [sheet.picture(*sheet.marbles(position)), *self._slide(sheet, position)]
                position = position.shifted()
        return frames

    def trace(self, position: Position, move: Move) -> tuple[Target, ...]:
        """Where the marbles of `move` are shown: the pushed one, then the placed one, after the shift and any extra
        shifts of a full board."""
        traced, after = move[-2:], after_placing(after_push(position, move), move[-1]).shifted()
        for _ in range(1 + (extra_shifts(after) if after.occupied == FULL else 0)):
            traced = tuple(NEXT[cell] for cell in traced)
        return traced


PAINTER = OrbitoPainter()
