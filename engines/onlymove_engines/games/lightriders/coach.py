"""The coach of Light Riders: the territories in numbers, whether space matters, and why a step is bad.

It criticises a step only for what the rules prove (dead ends, lack of space, separated riders), or if proven values
show a better step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onlymove_engines.core.game import Claim, GameReasons, Substance
from onlymove_engines.core.value import Mixed, Move, Seat, other
from onlymove_engines.core.words import format_count

from .live import find_heads
from .notation import DIRECTIONS
from .rules import CRASH, EMPTY, HEADS, RIDERS, RULES, WALL, Cell, Position, Round, Step, find_landing, pair_steps
from .territory import are_separated, find_beyond_chokes, find_regions, measure_distances


def describe_territories(position: Position) -> Sequence[str]:
    """Say how many cells each rider reaches first and how many both reach at the same time.

    Only if the riders are separated, also say how long each can last: otherwise, a rider may use cells that the other
    reaches first. Empty after a crash.
    """
    if None in (position.head(0), position.head(1)):
        return ()
    held, second = find_regions(position), measure_distances(position, 1)
    contested = sum(second.get(cell) == steps for cell, steps in measure_distances(position, 0).items())
    if are_separated(position):
        lasts = [bound_rounds(position, seat, held[seat]) for seat in (0, 1)]
        lines = [
            f"{RIDERS[seat]}: {format_cells(len(held[seat]))} (lasts at most {format_count(most, 'move')})"
            for seat, most in enumerate(lasts)
        ]
    else:
        lines = [f"{RIDERS[seat]}: reaches {format_cells(len(held[seat]))} first" for seat in (0, 1)]
    return (*lines, f"Contested: {format_cells(contested)}")


def bound_rounds(position: Position, seat: Seat, region: set[Cell]) -> int:
    """Return the most rounds that a rider can last if it never leaves `region`.

    It counts the cells before all choke points and those beyond one of them. Of these, it counts as many as a path can
    use that changes its chessboard colour with every step.
    """
    head = find_heads(position, seat)[0]
    beyond = find_beyond_chokes(position, head, region)
    near = region - beyond
    return max(
        bound_path(position, head, near | chamber) for chamber in (set[Cell](), *find_chambers(position, beyond))
    )


def find_chambers(position: Position, cells: set[Cell]) -> Iterator[set[Cell]]:
    rest = set(cells)
    while rest:
        found, front = set[Cell](), [rest.pop()]
        while front:
            cell = front.pop()
            found.add(cell)
            near = {each for each in position.list_neighbours(cell) if each in rest and position.cells[each] == EMPTY}
            rest -= near
            front += near
        yield found


def bound_path(position: Position, head: Cell, cells: set[Cell]) -> int:
    """Return how many of these cells a path from `head` can visit at most, judging only by their chessboard colours."""
    dark = sum(divmod(head, position.width)) % 2
    same = sum(sum(divmod(cell, position.width)) % 2 == dark for cell in cells)
    return min(2 * (len(cells) - same), 2 * same + 1)


def judge_space(position: Position, seat: Seat, sound: Sequence[Move]) -> Sequence[str]:
    """Say whether the sound steps lead to the most space. The space of a step is the number of cells that this rider
    then reaches first, if the other stands still."""
    steps = RULES.moves_of(position, seat)
    areas = {step: len(find_regions(after)[seat]) for step in steps if (after := move_alone(position, seat, step))}
    if not areas:
        return ()
    most = max(areas.values())
    ways = [step for step, area in areas.items() if area == most]
    if not set(ways) & set(sound):
        return ("Don't go for the larger space here.",)
    if len(ways) == len(areas):
        return ("Every direction leaves you the same space.",)
    if len(ways) > 1:
        return (f"{' or '.join(DIRECTIONS[step] for step in ways).capitalize()} leads to the larger space.",)
    return (
        "Go for the larger space." if set(sound) <= set(ways) else "One of the sound moves leads to the larger space.",
    )


def move_alone(position: Position, seat: Seat, step: Step) -> Position | None:
    """Return the field after this step if the other rider stands still, or `None` if the rider crashes."""
    head, there = position.head(seat), find_landing(position, seat, step)
    if head is None or there is None:
        return None
    cells = list(position.cells)
    cells[head], cells[there] = WALL, HEADS[seat]
    return Position(position.width, position.height, "".join(cells))


def find_reasons(position: Position, seat: Seat, step: Step, mixed: Mixed) -> Iterator[Claim]:
    """Yield what is certain about a bad step, the most important first. Estimates are never mentioned."""
    if step == CRASH:
        return
    yield from explain_area(position, seat, step)
    likely = mixed.strategies[other(seat)]
    beating = [
        reply for reply in likely if mixed.is_proven(seat, step, reply) and mixed.payoff(seat, step, reply) == -1
    ]
    if len(beating) == len(likely):
        yield Claim("Loses", "This move loses whatever the other rider does.", substance=Substance.RESTATEMENT)
    elif beating:
        sentence = f"If the other rider {describe_steps(beating)}, this move loses for certain."
        yield Claim("LosesTo", sentence, substance=Substance.RESTATEMENT)
    replies = sorted((reply for reply in likely if likely[reply] > 0), key=lambda reply: -likely[reply])
    yield from explain_separation(position, seat, step, replies)
    yield from explain_better_step(mixed, seat, step)
    yield from explain_race(position, seat, step, replies[:1])


def explain_area(position: Position, seat: Seat, step: Step) -> Iterator[Claim]:
    """Say how many cells this step can reach, if another step can reach at least twice as many."""
    after = {each: move_alone(position, seat, each) for each in RULES.moves_of(position, seat)}
    areas = {each: len(measure_distances(field, seat)) if field else 0 for each, field in after.items()}
    most = max(areas.values())
    if not areas[step] < most:
        return
    if not areas[step]:
        sentence = "This is a dead end: there is no cell to move to next."
        yield Claim("DeadEnd", sentence, substance=Substance.CONCRETE)
    elif 2 * areas[step] <= most:
        sentence = f"This way leads to only {format_cells(areas[step])}, another way to {most}."
        yield Claim("Area", sentence, substance=Substance.CONCRETE)


def explain_separation(position: Position, seat: Seat, step: Step, replies: Sequence[Move]) -> Iterator[Claim]:
    """If a likely reply separates the riders and leaves this one less space, say so. Also say how much of that space a
    path can use."""
    for reply in replies:
        after = RULES.play(position, pair_steps(seat, step, str(reply)))
        mine, theirs = (set(measure_distances(after, each)) for each in (seat, other(seat)))
        head = after.head(seat)
        if head is None or RULES.result(after) is not None or mine & theirs or len(mine) >= len(theirs):
            continue
        most = bound_path(after, head, mine)
        fill = f" (at most {most} of them usable)" if most < len(mine) else ""
        cells = f"this rider has {format_cells(len(mine))}{fill} and the other has {len(theirs)}"
        sentence = f"If the other rider {describe_steps([reply])}, the riders are separated: {cells}."
        yield Claim("Separated", sentence, substance=Substance.CONCRETE)
        return


def explain_better_step(mixed: Mixed, seat: Seat, step: Step) -> Iterator[Claim]:
    """If another step is proven to be never worse against any reply and better against one, say so."""
    replies = tuple(mixed.strategies[other(seat)])
    proven = [s for s in mixed.strategies[seat] if all(mixed.is_proven(seat, s, reply) for reply in replies)]
    if step not in proven:
        return
    this = [mixed.payoff(seat, step, reply) for reply in replies]
    for each in proven:
        that = [mixed.payoff(seat, each, reply) for reply in replies]
        if that != this and all(better >= worth for better, worth in zip(that, this, strict=True)):
            sentence = "Another move is never worse than this one and sometimes better."
            yield Claim("NeverWorse", sentence, substance=Substance.RESTATEMENT)
            return


def explain_race(position: Position, seat: Seat, step: Step, replies: Sequence[Move]) -> Iterator[Claim]:
    """Say how many cells the rider reaches first after a likely reply, if another step reaches at least a quarter
    more."""
    for reply in replies:
        first = {
            each: len(find_regions(RULES.play(position, pair_steps(seat, each, str(reply))))[seat])
            for each in RULES.moves_of(position, seat)
        }
        most = max(first.values())
        if 5 * first[step] <= 4 * most and first[step] < most:
            count = format_cells(first[step])
            sentence = (
                f"If the other rider {describe_steps([reply])}, this move reaches {count} first, "
                f"and another move reaches {most}."
            )
            yield Claim("Race", sentence, substance=Substance.CONCRETE)


def describe_steps(steps: Sequence[Move]) -> str:
    ways = [DIRECTIONS[str(step)] for step in steps if step != CRASH]
    return f"goes {' or '.join(ways)}" if ways else "crashes"


def format_cells(cells: int) -> str:
    return format_count(cells, "cell")


CLAIMS: GameReasons[Position, Round] = GameReasons(
    mixed=lambda position, seat, step, mixed: find_reasons(position, seat, str(step), mixed)
)
