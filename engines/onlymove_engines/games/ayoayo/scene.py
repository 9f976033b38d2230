"""The picture of Ayòayò: two rows of pits between two stores, and the steps of a sowing.

The side that plays on this keyboard sits below: player 0 unless the view is flipped, which turns the whole board
round. So the near row is always sown to the right and the far row to the left, and the near side's store is on
the right. Does not know what a position is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, View
from onlymove_engines.core.value import Seat, other

from . import rules
from .notation import target_of
from .preview import Preview, preview
from .rules import CAPTURED_AT, CELLS, Act, Cell, Event, Pit, Position

WIDTH, HEIGHT = 51, 19
PITCH_X, PITCH_Y = 6, 6
"""From one pit to the next: five by five inside, and the line between."""

GRID_X, TOP, INSIDE = 7, 2, 5
FAR, NEAR = 0, 1

GRID = (
    "╭──←──┬──←──┬──←──┬──←──┬──←──┬──←──╮",
    *["│     │     │     │     │     │     │"] * 5,
    "↓─────┼─────┼─────┼─────┼─────┼─────↑",
    *["│     │     │     │     │     │     │"] * 5,
    "╰──→──┴──→──┴──→──┴──→──┴──→──┴──→──╯",
)
STORE = ("╭────╮", *["│    │"] * 11, "╰────╯")

DICE = (
    *("..... ..... .....", "..... ..o.. .....", "o.... ..... ....o", "o.... ..o.. ....o", "o...o ..... o...o"),
    *("o...o ..o.. o...o", "o...o o...o o...o", "o...o o.o.o o...o", "o.o.o o...o o.o.o", "o.o.o o.o.o o.o.o"),
    *("o.o.o oo.oo o.o.o", "o.o.o ooooo o.o.o", "oo.oo oo.oo oo.oo"),
)
"""Seeds 0..12 in rows, as on dice, so that they are seen and not counted."""

COUNTABLE = len(DICE) - 1
HEAP, LIFTED_HEAP = ("▗▟█▙▖", "█████", "▝▜█▛▘"), (" ░░░ ", "░░░░░", " ░░░ ")
"""More seeds than that: a bowl without a single seed to count, whose number tells how many."""

SEED, HAND_SEED, LIFTED, MOVER_TAKES, OWNER_TAKES, LANDING, FOUR = "●", "◉", "○", "◆", "◇", "◎", "⠶"
PART_OF_FOUR = ("", "⠂", "⠆", "⠖")
ASCII = str.maketrans("╭╮╰╯┬┴├┤┼─│●◉○◆◇◎⠶⠂⠆⠖←→↑↓▸▗▖▝▘▟▛▙▜█░", "+++++++++-|oO.*%@#.::<>^v>    //\\\\&~")


@dataclass(frozen=True, slots=True)
class Moment:
    """What one picture shows: a board, who is to move, the step of a sowing under way, and a line of comment."""

    pits: rules.Pits
    captured: tuple[int, int]
    to_move: Seat
    fresh: frozenset[Pit] = frozenset()
    step: Event | None = None
    comment: str = ""


def scene(view: View[Position, Cell]) -> Scene:
    """The picture of the view's position, with the preview when the overlay is asked for."""
    position = view.position
    fresh = frozenset(changed(view.positions[-2], position)) if view.moves else frozenset()
    moment = Moment(position.pits, position.captured, position.to_move, fresh)
    extra = tuple(overlay(view)) if view.overlay else ()
    return picture(moment, view, extra)


def between(view: View[Position, Cell]) -> tuple[Scene, ...]:
    """The last move seed by seed: pick-ups, drops, relays, captures by the mover and by the row's owner."""
    if not view.moves:
        return ()
    return tuple(picture(moment, view) for moment in moments(view.positions[-2], view.moves[-1]))


def trace(position: Position, move: Cell) -> tuple[Target, ...]:
    """The pit that was sown and the pit of the last seed, named for the side that moves next."""
    after = rules.play(position, move)
    ends = (rules.pit_of(position.to_move, move), preview(position, move).last)
    return tuple(dict.fromkeys(target_of(after, pit) for pit in ends))


def changed(before: Position, after: Position) -> Iterator[Pit]:
    """The pits whose seeds the last move changed."""
    return (pit for pit in range(12) if before.pits[pit] != after.pits[pit])


def moments(position: Position, move: Cell) -> Iterator[Moment]:
    """The board after each step of a move, the final sweep not among them."""
    pits, captured, mover = list(position.pits), list(position.captured), position.to_move
    touched: set[Pit] = set()
    for number, step in enumerate(rules.sowing(pits, mover, rules.pit_of(mover, move))):
        touched.add(step.pit)
        if step.taker is not None:
            captured[step.taker] += CAPTURED_AT
        line = comment(step, mover, first=number == 0)
        yield Moment(tuple(pits), (captured[0], captured[1]), mover, frozenset(touched), step, line)


def comment(step: Event, mover: Seat, first: bool) -> str:
    """One line about a step of a sowing."""
    if step.act is Act.PICK_UP:
        return f"{SEATS[mover]} picks up {step.hand}" if first else f"Relay: the last seed picks up {step.hand}"
    if step.act is Act.DROP or step.taker is None:
        return f"{step.hand} in hand" if step.hand else "The last seed"
    if step.hand == 0:
        return f"{MOVER_TAKES} Last seed: {SEATS[step.taker]} captures four"
    return f"{OWNER_TAKES} Four in the row of {SEATS[step.taker]}, who takes them"


SEATS = ("First", "Second")


def picture(moment: Moment, view: View[Position, Cell], extra: tuple[Sprite, ...] = ()) -> Scene:
    """A moment as sprites and places."""
    sprites = [
        Sprite(GRID_X, TOP, lined(GRID), Role.GRID),
        Sprite(GRID_X, TOP, flow(GRID), Role.FLOW),
        *(sprite for seat in (0, 1) for sprite in store(moment, seat, view.flipped)),
        *(sprite for seat in (0, 1) for sprite in names(moment, seat, view.flipped)),
        *(sprite for pit in range(12) for sprite in filled(moment, pit, view.flipped)),
        *under(moment.comment, NEAR, Role.NOTE),
        *extra,
    ]
    if view.ascii_only:
        sprites = [Sprite(s.x, s.y, tuple(row.translate(ASCII) for row in s.rows), s.role) for s in sprites]
    turn = Position(moment.pits, moment.captured, moment.to_move)
    return Scene(WIDTH, HEIGHT, tuple(sprites), tuple(place(turn, pit, view.flipped) for pit in range(12)))


def lined(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The rows without their arrows."""
    return tuple(row.translate(str.maketrans("←→↓↑", "──├┤")) for row in rows)


def flow(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The arrows alone."""
    return tuple("".join(glyph if glyph in "←→↓↑" else " " for glyph in row) for row in rows)


def side(seat: Seat, flipped: bool) -> int:
    """NEAR for the row that lies below, FAR for the one above."""
    return NEAR if (seat == 1) == flipped else FAR


def corner(pit: Pit, flipped: bool) -> tuple[int, int]:
    """The top left character inside a pit. The near row runs to the right, the far row to the left."""
    along = pit % 6
    near = side(rules.owner(pit), flipped) == NEAR
    return GRID_X + 1 + PITCH_X * (along if near else 5 - along), TOP + 1 + PITCH_Y * near


def place(position: Position, pit: Pit, flipped: bool) -> Place:
    """Where a pit lies: marks beside its number, value labels in the free line above its seeds."""
    x, y = corner(pit, flipped)
    return Place(target_of(position, pit), x, y, INSIDE, INSIDE, mark=(0, 4), label=(2, 0))


def filled(moment: Moment, pit: Pit, flipped: bool) -> Iterator[Sprite]:
    """The seeds of a pit and their number; the pit under the hand stands out, each act in its own way."""
    x, y = corner(pit, flipped)
    if moment.step is not None and moment.step.pit == pit:
        glyph, count, number, role = handled(moment.step, moment.pits[pit])
    else:
        glyph, count, number = SEED, moment.pits[pit], str(moment.pits[pit])
        role = seed_role(rules.owner(pit), pit in moment.fresh)
    yield Sprite(x, y + 1, seeds(count, glyph), role)
    yield Sprite(x + 1, y + 4, (f"{number:>2}",), role if count else Role.LABEL)


def handled(step: Event, left: int) -> tuple[str, int, str, Role]:
    """How the pit under the hand looks: glyph, seeds to draw, number, role. Taken up seeds hover, captured ones
    change their shape with the taker."""
    if step.act is Act.PICK_UP:
        return LIFTED, step.hand, f"↑{step.hand}", Role.MOVING
    if step.act is Act.CAPTURE:
        return MOVER_TAKES if step.hand == 0 else OWNER_TAKES, CAPTURED_AT, f"+{CAPTURED_AT}", Role.CAPTURE
    return HAND_SEED, left, str(left), Role.MOVING


def seed_role(seat: Seat, fresh: bool) -> Role:
    """The role of the seeds in a player's row."""
    if seat == 0:
        return Role.FIRST_FRESH if fresh else Role.FIRST
    return Role.SECOND_FRESH if fresh else Role.SECOND


def seeds(count: int, glyph: str) -> tuple[str, ...]:
    """Three rows of five characters: every seed, or a heap where there is no room to see them apart."""
    if count > COUNTABLE:
        return LIFTED_HEAP if glyph == LIFTED else HEAP
    return tuple(DICE[count].replace(".", " ").replace("o", glyph)[row : row + INSIDE] for row in (0, 6, 12))


def names(moment: Moment, seat: Seat, flipped: bool) -> Iterator[Sprite]:
    """The numbers of a row's pits, with the hand travelling along, and the player's name at the edge."""
    y = TOP - 1 if side(seat, flipped) == FAR else TOP + len(GRID)
    for cell in CELLS:
        pit = rules.pit_of(seat, cell)
        x, _ = corner(pit, flipped)
        if moment.step is not None and moment.step.pit == pit:
            yield Sprite(x, y, (f"[{moment.step.hand}]".center(INSIDE),), Role.MOVING)
        else:
            yield Sprite(x + 2, y, (str(cell + 1),), Role.LABEL)
    turn = "▸ " if seat == moment.to_move else ""
    yield from under(f"{turn}{SEATS[seat]}", side(seat, flipped), Role.LABEL, edge=True)


def under(text: str, where: int, role: Role, edge: bool = False) -> Iterator[Sprite]:
    """A line of text centred above the far row or below the near one; `edge`: the line next to the numbers."""
    if text:
        y = TOP - 2 if where == FAR else TOP + len(GRID) + (1 if edge else 2)
        yield Sprite(max(0, (WIDTH - len(text)) // 2), y, (text,), role)


def store(moment: Moment, seat: Seat, flipped: bool) -> Iterator[Sprite]:
    """What a player has captured, one glyph for every four: the near side's on the right, filled from below."""
    near = side(seat, flipped) == NEAR
    x = WIDTH - len(STORE[0]) if near else 0
    count = moment.captured[seat]
    fours, rest = divmod(count, CAPTURED_AT)
    glyphs = (FOUR * fours + PART_OF_FOUR[rest]).ljust(14)
    rows = tuple(glyphs[start : start + 2].strip() for start in range(0, 14, 2))
    rows = tuple(f"{row:<2}" for row in rows)
    role = seed_role(seat, fresh=moment.step is not None and moment.step.taker == seat)
    yield Sprite(x, TOP, STORE, Role.STORE)
    yield Sprite(x + 1, TOP + (10 if near else 2), (f"{count:>3}",), role)
    yield Sprite(x + 2, TOP + (2 if near else 4), rows[::-1] if near else rows, role)


def overlay(view: View[Position, Cell]) -> Iterator[Sprite]:
    """The preview: of the pit looked at, else of every permitted pit in one line."""
    position = view.position
    moves = rules.legal_moves(position)
    looked_at = view.chosen[-1] if view.chosen else view.options.get("cursor")
    looks = {str(move + 1): preview(position, move) for move in moves}
    if isinstance(looked_at, str) and looked_at in looks:
        yield from looked(position, looked_at, looks[looked_at], view.flipped)
    else:
        yield from at_a_glance(position, looks, view.flipped)


def looked(position: Position, target: Target, look: Preview, flipped: bool) -> Iterator[Sprite]:
    """Where the last seed of one move falls, and each capture in its pit."""
    for pit in dict.fromkeys(pit for pit, _ in look.captures):
        x, y = corner(pit, flipped)
        takers = [taker for where, taker in look.captures if where == pit]
        by_mover = pit == look.last and takers[-1] == position.to_move
        text = f"{MOVER_TAKES if by_mover else OWNER_TAKES}+{CAPTURED_AT * len(takers)}"
        yield Sprite(x + 1, y, (text,), Role.GHOST)
    x, y = corner(look.last, flipped)
    yield Sprite(x + 4, y + 4, (LANDING,), Role.GHOST)
    yield from under(sentence(position, target, look), NEAR, Role.NOTE)


def sentence(position: Position, target: Target, look: Preview) -> str:
    """`3: 14 seeds, 2 relays, ◎ own pit 5; +4 / -8`."""
    whose = "own" if rules.owner(look.last) == position.to_move else "far"
    gains = (look.captured(position.to_move), look.captured(other(position.to_move)))
    relays = f", {look.relays} relay{'s' * (look.relays > 1)}" if look.relays else ""
    end = f"{whose} pit {rules.cell_of(look.last) + 1}"
    return f"{target}: {look.drops} seeds{relays}, {LANDING} {end}; +{gains[0]} / -{gains[1]}"


def at_a_glance(position: Position, looks: dict[Target, Preview], flipped: bool) -> Iterator[Sprite]:
    """What each permitted pit captures, `mover:other side`, in the pit's free line."""
    mover = position.to_move
    for target, look in looks.items():
        x, y = corner(rules.pit_of(mover, int(target) - 1), flipped)
        gains = f"{look.captured(mover)}:{look.captured(other(mover))}"
        yield Sprite(x, y, (gains.center(INSIDE),), Role.GHOST)
