"""Draws Orbito: two tracks with arrows in the direction of the shift, marbles that slide along them.

Decides what a picture shows; `sheet.py` knows where it lies. The row under the board says what a shift did to the
last move.
"""

from __future__ import annotations

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Role, Scene, View
from onlymove_engines.core.value import Seat

from .glyphs import PIPS
from .rules import BIT, FULL, NEXT, Cell, Move, Position, after_placing, after_push, at_rest, extra_shifts
from .sheet import Sheet

SLIDE = (0.25, 0.5, 0.75)
"""How far along the way the in-between pictures of a shift show the marbles."""


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
