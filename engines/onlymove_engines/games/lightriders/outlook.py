"""Where the room is: whether going there is the point, in words that name no step by its letter."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.value import Move, Seat

from .rules import CRASH, HEADS, RULES, WALL, Position, Step, landing
from .territory import regions
from .words import DIRECTIONS


def outlook(position: Position, seat: Seat, sound: Sequence[Move]) -> Sequence[str]:
    """Whether the sound steps lead to the most cells that this rider reaches first, counted for each."""
    rooms = {step: room_after(position, seat, step) for step in RULES.moves_of(position, seat) if step != CRASH}
    if not rooms:
        return ()
    most = max(rooms.values())
    ways = [step for step, room in rooms.items() if room == most]
    if not set(ways) & set(sound):
        return ("The larger space is not the point here.",)
    if len(ways) == len(rooms):
        return ("The space is the same whichever way you go.",)
    if len(ways) > 1:
        return (f"{' or '.join(DIRECTIONS[step] for step in ways).capitalize()}: the larger space.",)
    return ("Go where the larger space is." if set(sound) <= set(ways) else "One sound move takes the larger space.",)


def room_after(position: Position, seat: Seat, step: Step) -> int:
    """How many cells the rider reaches first once it has made this step."""
    head, there = position.head(seat), landing(position, seat, step)
    if head is None or there is None:
        return 0
    cells = list(position.cells)
    cells[head], cells[there] = WALL, HEADS[seat]
    return len(regions(Position(position.width, position.height, "".join(cells)))[seat])
