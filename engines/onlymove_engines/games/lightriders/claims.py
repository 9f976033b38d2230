"""Why a step is bad, by what the rules of the field prove: dead ends, room, riders that are apart; and by proven values
against which step it loses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onlymove_engines.core.game import Claims
from onlymove_engines.core.value import Mixed, Move, Seat, other

from .prospects import alternating
from .rules import CRASH, HEADS, RULES, WALL, Position, Round, Step, landing
from .territory import distances, regions
from .words import DIRECTIONS


def because(position: Position, seat: Seat, step: Step, mixed: Mixed) -> Iterator[str]:
    """What is certain of a step that is blamed, the most telling first; no estimate is told."""
    if step == CRASH:
        return
    yield from of_room(position, seat, step)
    if mixed.exact:
        yield from of_certain_losses(mixed, seat, step)
    likely = mixed.strategies[other(seat)]
    replies = sorted((reply for reply in likely if likely[reply] > 0), key=lambda reply: -likely[reply])
    yield from of_being_apart(position, seat, step, replies)
    if mixed.exact:
        yield from of_better_ones(mixed, seat, step)
    yield from of_the_race(position, seat, step, replies[:1])


def of_room(position: Position, seat: Seat, step: Step) -> Iterator[str]:
    """How many cells can be reached that way at all, where another way leaves at least twice as many."""
    rooms = {each: room_behind(position, seat, each) for each in RULES.moves_of(position, seat)}
    most = max(rooms.values())
    if not rooms[step] < most:
        return
    if not rooms[step]:
        yield "A dead end: there is no cell to go on to."
    elif 2 * rooms[step] <= most:
        yield f"Only {cells_said(rooms[step])} can be reached that way, {most} another way."


def room_behind(position: Position, seat: Seat, step: Step) -> int:
    """How many empty cells can be reached after this step, if the other rider stood still."""
    head, there = position.head(seat), landing(position, seat, step)
    if head is None or there is None:
        return 0
    cells = list(position.cells)
    cells[head], cells[there] = WALL, HEADS[seat]
    return len(distances(Position(position.width, position.height, "".join(cells)), seat))


def of_certain_losses(mixed: Mixed, seat: Seat, step: Step) -> Iterator[str]:
    """Against which steps this one loses, by proven values."""
    replies = [reply for reply in mixed.strategies[other(seat)] if mixed.payoff(seat, step, reply) == -1]
    if len(replies) == len(mixed.strategies[other(seat)]):
        yield "It loses whatever the other rider does."
    elif replies:
        yield f"Against {' or '.join(map(named_step, replies))} it loses for certain."


def of_being_apart(position: Position, seat: Seat, step: Step, replies: Sequence[Move]) -> Iterator[str]:
    """Where the riders are apart after a likely reply, and this one has less room; fewer cells still where its way has
    to change colour with every step."""
    for reply in replies:
        after = RULES.play(position, together(seat, step, reply))
        mine, theirs = (set(distances(after, each)) for each in (seat, other(seat)))
        head = after.head(seat)
        if head is None or RULES.result(after) is not None or mine & theirs or len(mine) >= len(theirs):
            continue
        most = alternating(after, head, mine)
        fill = f", of which it can fill {most} at most," if most < len(mine) else ""
        yield (f"After {named_step(reply)} the riders are apart: {cells_said(len(mine))}{fill} against {len(theirs)}.")
        return


def of_better_ones(mixed: Mixed, seat: Seat, step: Step) -> Iterator[str]:
    """Whether another step is worth as much against each step of the other rider, and more against one."""
    replies = tuple(mixed.strategies[other(seat)])
    this = [mixed.payoff(seat, step, reply) for reply in replies]
    for each in mixed.strategies[seat]:
        that = [mixed.payoff(seat, each, reply) for reply in replies]
        if that != this and all(better >= worth for better, worth in zip(that, this, strict=True)):
            yield "Another step is never worse, and sometimes better."
            return


def of_the_race(position: Position, seat: Seat, step: Step, replies: Sequence[Move]) -> Iterator[str]:
    """How many cells the rider reaches first after a likely reply, where another step leaves it a quarter more."""
    for reply in replies:
        first = {
            each: len(regions(RULES.play(position, together(seat, each, reply)))[seat])
            for each in RULES.moves_of(position, seat)
        }
        most = max(first.values())
        if 5 * first[step] <= 4 * most and first[step] < most:
            yield f"After {named_step(reply)} it is first at {cells_said(first[step])}; another step makes that {most}."


def together(seat: Seat, own: Step, theirs: Move) -> Round:
    """Both steps, rider 0's first."""
    return (own, str(theirs)) if seat == 0 else (str(theirs), own)


def named_step(step: Move) -> str:
    """`left`; a crash by itself."""
    return DIRECTIONS.get(str(step), "a crash")


def cells_said(cells: int) -> str:
    """`1 cell`, `12 cells`."""
    return f"{cells} cell{'' if cells == 1 else 's'}"


def sentences_of(position: Position, seat: Seat, step: Move, mixed: Mixed) -> Sequence[str]:
    """Two sentences at most."""
    return tuple(because(position, seat, str(step), mixed))[:2]


CLAIMS: Claims[Position, Round] = Claims(mixed=sentences_of)
