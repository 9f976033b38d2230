"""The quick twin of the rules and every hot loop over them. Integers and arrays only.

A set of cells is a mask: bit k is cell k of the picture in `rules`. A position is four numbers: the masks of the
mover's pawns (`own`), of the other's (`opp`) and of the neutral pawn, and the `seat` that moves (0 Top, 1 Bottom).
A move is a code, cells in four bits each, 15 for none:

    bit 20     16     12      8       4       0
    neutral  pawn3  pawn2  pawn1  landing  origin
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from onlymove_engines.search.jit import kernel

Array: TypeAlias = npt.NDArray[Any]

ALL = 0x7FFF
MIDDLE = 0x0FF8
HOMES = np.array([0x7000, 0x0007], np.int64)
COLUMN_A = 0x1249
NONE = 15
MOST_MOVES = 128
WORDS = 8

# The codes of `encoding`.
DRAW = 1
SETTLED = 2
HAS_WON = 127
VALUE = 127


def _lines():
    """The cells of each of eight lines from each cell, -1 beyond the edge; directions as in `rules`."""
    lines = np.full((15, 8, 4), -1, np.int8)
    steps = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
    for cell in range(15):
        for direction, (columns, rows) in enumerate(steps):
            for step in range(1, 5):
                row, column = cell // 3 + step * rows, cell % 3 + step * columns
                if 0 <= row < 5 and 0 <= column < 3:
                    lines[cell, direction, step - 1] = 3 * row + column
    return lines


LINES = _lines()


@kernel
def bits(mask):
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def overturned(mask):
    """The rows in reverse order."""
    return (mask & 7) << 12 | (mask & 0x38) << 6 | mask & 0x1C0 | (mask & 0xE00) >> 6 | mask >> 12


@kernel
def mirrored(mask):
    """Columns a and c exchanged."""
    return (mask & COLUMN_A) << 2 | mask & (COLUMN_A << 1) | (mask >> 2) & COLUMN_A


@kernel
def rank(mask, taken):
    """The colexicographic rank of three cells among those not `taken`."""
    total = 0
    nth = 0
    free = 0
    for cell in range(15):
        bit = 1 << cell
        if mask & bit:
            if nth == 0:
                total += free
            elif nth == 1:
                total += free * (free - 1) // 2
            else:
                return total + free * (free - 1) * (free - 2) // 6
            nth += 1
        if not taken & bit:
            free += 1
    return total


@kernel
def plain_number(own, opp, neutral):
    """The number of a position with Top to move, mirror images told apart; as in `index`."""
    if neutral == 0:
        return rank(own, 0) * 220 + rank(opp, own)
    place = bits(neutral - 1) - 3
    return (place * 364 + rank(own, neutral)) * 165 + rank(opp, own | neutral)


@kernel
def class_number(own: int, opp: int, neutral: int, seat: int) -> int:
    """The number of the position's class under both symmetries."""
    if seat == 1:
        own, opp, neutral = overturned(own), overturned(opp), overturned(neutral)
    here = plain_number(own, opp, neutral)
    return min(here, plain_number(mirrored(own), mirrored(opp), mirrored(neutral)))


@kernel
def unrank(number, taken):
    """The three cells among those not `taken` that have this rank."""
    mask = 0
    for nth in range(3, 0, -1):
        place = nth - 1
        size = 0
        while True:
            above = place + 1
            if nth == 3:
                more = above * (above - 1) * (above - 2) // 6
            elif nth == 2:
                more = above * (above - 1) // 2
            else:
                more = above
            if more > number:
                break
            place, size = above, more
        number -= size
        mask |= 1 << nth_free(place, taken)
    return mask


@kernel
def nth_free(place, taken):
    """The cell that has `place` cells not `taken` below it and is not taken itself."""
    for cell in range(15):
        if not taken & 1 << cell:
            if place == 0:
                return cell
            place -= 1
    return NONE


@kernel
def position(number, has_neutral):
    """The masks of the position with this number, Top to move."""
    if not has_neutral:
        own = unrank(number // 220, 0)
        return own, unrank(number % 220, own), 0
    rest = number // 165
    neutral = 1 << rest // 364 + 3
    own = unrank(rest % 364, neutral)
    return own, unrank(number % 165, own | neutral), neutral


@kernel
def put_down(own, opp, neutral, lifted, free, home, code, count, moves, boards):
    """Add the moves that put the pawns into `opp` and, where it is `lifted`, the neutral pawn on each free cell."""
    if not lifted:
        if (own | opp | neutral) & home != home:
            moves[count] = code | NONE << 20
            boards[count, 0], boards[count, 1], boards[count, 2] = own, opp, neutral
            count += 1
        return count
    for cell in range(3, 12):
        bit = 1 << cell
        if free & bit and not opp & bit and (own | opp | bit) & home != home:
            moves[count] = code | cell << 20
            boards[count, 0], boards[count, 1], boards[count, 2] = own, opp, bit
            count += 1
    return count


@kernel
def generate(own: int, opp: int, neutral: int, seat: int, moves: Array, boards: Array) -> int:
    """Every legal move in the order of `rules` unless the game is over: its code, and the masks after it (own is
    still the mover's). Returns how many."""
    home, goal = HOMES[seat], HOMES[1 - seat]
    if own & goal == goal or opp & home == home:
        return 0
    occupied = own | opp | neutral
    count = 0
    for origin in range(15):
        if not own & ~goal & 1 << origin:
            continue
        for direction in range(8):
            landing, jumped = NONE, 0
            for step in range(4):
                cell = LINES[origin, direction, step]
                if cell < 0 or opp & home & 1 << cell:
                    break
                if not occupied & 1 << cell:
                    landing = cell
                    break
                jumped |= 1 << cell
            if landing == NONE:
                continue
            moved = own ^ 1 << origin | 1 << landing
            kept = opp & ~jumped
            lifted = neutral & jumped
            free = ALL & ~(occupied | 1 << landing)
            pawns = bits(opp & jumped)
            code = origin | landing << 4
            if pawns == 0:
                code |= 0xFFF << 8
                count = put_down(moved, kept, neutral, lifted, free, home, code, count, moves, boards)
                continue
            for a in range(15):
                if not free & 1 << a:
                    continue
                if pawns == 1:
                    one = code | a << 8 | 0xFF << 12
                    count = put_down(moved, kept | 1 << a, neutral, lifted, free, home, one, count, moves, boards)
                    continue
                for b in range(a + 1, 15):
                    if not free & 1 << b:
                        continue
                    two = kept | 1 << a | 1 << b
                    if pawns == 2:
                        pair = code | a << 8 | b << 12 | NONE << 16
                        count = put_down(moved, two, neutral, lifted, free, home, pair, count, moves, boards)
                        continue
                    for c in range(b + 1, 15):
                        if free & 1 << c:
                            three = code | a << 8 | b << 12 | c << 16
                            count = put_down(
                                moved, two | 1 << c, neutral, lifted, free, home, three, count, moves, boards
                            )
    return count


@kernel
def expand(
    start: int, stop: int, has_neutral: bool, folded: bool, degrees: Array, ended: Array, children: Array
) -> int:
    """Children of the positions `start`..`stop`-1 with Top to move, as numbers.

    With `folded` they are class numbers and a number that is a mirror image of a smaller one has no children.
    Fills `degrees` and `ended` (-1: the side to move has lost, 1: it has won) from index 0; returns how many
    `children` there are, for which there must be room.
    """
    moves = np.empty(MOST_MOVES, np.int32)
    boards = np.empty((MOST_MOVES, 3), np.int64)
    total = 0
    for number in range(start, stop):
        own, opp, neutral = position(number, has_neutral)
        here = number - start
        degrees[here] = 0
        ended[here] = 0
        if folded and plain_number(mirrored(own), mirrored(opp), mirrored(neutral)) < number:
            continue
        if opp & HOMES[0] == HOMES[0]:
            ended[here] = -1
        elif own & HOMES[1] == HOMES[1]:
            ended[here] = 1
        count = generate(own, opp, neutral, 0, moves, boards)
        degrees[here] = count
        for k in range(count):
            mine, theirs, stone = boards[k, 0], boards[k, 1], boards[k, 2]
            if folded:
                children[total] = class_number(theirs, mine, stone, 1)
            else:
                children[total] = plain_number(overturned(theirs), overturned(mine), overturned(stone))
            total += 1
    return total


@kernel
def best_code(codes):
    """The code of a position whose children have these codes: the quickest win, else a draw, else the slowest loss."""
    win, loss, is_drawn = HAS_WON, -1, False
    for code in codes:
        value = code & VALUE
        if value == DRAW:
            is_drawn = True
        elif value % 2 == 0:
            win = min(win, value + 1)
        else:
            loss = max(loss, value + 1)
    if win < HAS_WON:
        return win
    return DRAW if is_drawn or loss < 0 else loss


@kernel
def check(codes: Array, start: int, stop: int, has_neutral: bool, wrong: Array) -> int:
    """Hold the codes `start`..`stop`-1 against their children's; returns how many are wrong, the first in `wrong`."""
    moves = np.empty(MOST_MOVES, np.int32)
    boards = np.empty((MOST_MOVES, 3), np.int64)
    found = np.empty(MOST_MOVES, np.uint8)
    mistakes = 0
    for number in range(start, stop):
        own, opp, neutral = position(number, has_neutral)
        if plain_number(mirrored(own), mirrored(opp), mirrored(neutral)) < number:
            right = 0
        elif opp & HOMES[0] == HOMES[0]:
            right = SETTLED
        elif own & HOMES[1] == HOMES[1]:
            right = HAS_WON
        else:
            count = generate(own, opp, neutral, 0, moves, boards)
            for k in range(count):
                found[k] = codes[class_number(boards[k, 1], boards[k, 0], boards[k, 2], 1)]
            right = best_code(found[:count])
        if codes[number] & VALUE != right:
            if mistakes < len(wrong):
                wrong[mistakes] = number
            mistakes += 1
    return mistakes


@kernel
def orbits(start: int, stop: int, has_neutral: bool, sizes: Array) -> None:
    """How many positions, both sides to move, share each of the numbers `start`..`stop`-1: 4, 2, or 0 when the
    number is not in use."""
    for number in range(start, stop):
        own, opp, neutral = position(number, has_neutral)
        image = plain_number(mirrored(own), mirrored(opp), mirrored(neutral))
        sizes[number - start] = 0 if image < number else 2 if image == number else 4


@kernel
def ones(word):
    """How many bits of an unsigned 64-bit word are set (Hacker's Delight, 5-1)."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def spread(
    first: Array, children: Array, weight: int, source: Array, grown: Array, reached: Array, growing: Array, heat: Array
) -> int:
    """One ply of heat: what a child can reach in one parity, its parent reaches in the other.

    `source[k]` and `reached[k]` are sets of ends, WORDS words of bits; ends new in `reached` add `weight` to `heat`.
    Only children that have `grown` in the ply before can bring anything new; `growing` is filled for the next ply.
    Returns how many ends were new.
    """
    fresh = 0
    union = np.empty(WORDS, np.uint64)
    for node in range(len(first) - 1):
        union[:] = 0
        growing[node] = False
        for edge in range(first[node], first[node + 1]):
            child = children[edge]
            if grown[child]:
                for word in range(WORDS):
                    union[word] |= source[child, word]
        for word in range(WORDS):
            added = ones(union[word] & ~reached[node, word])
            if added:
                reached[node, word] |= union[word]
                heat[node] += added * weight
                growing[node] = True
                fresh += added
    return fresh


@kernel
def summarise(
    cells: Array, seats: Array, codes: Array, values: Array, counts: Array, keeping: Array, best: Array, ends: Array
) -> None:
    """A row for each position: its code, its moves, how many keep the result, and the co-best moves.

    `cells` are rows of 15 letters as bytes. The codes of the co-best moves of row k are
    `best[ends[k - 1]:ends[k]]`.
    """
    moves = np.empty(MOST_MOVES, np.int32)
    boards = np.empty((MOST_MOVES, 3), np.int64)
    found = np.empty(MOST_MOVES, np.uint8)
    total = 0
    for row in range(len(seats)):
        seat = seats[row]
        own, opp, neutral = 0, 0, 0
        for cell in range(15):
            letter = cells[row, cell]
            if letter == 78:  # N
                neutral |= 1 << cell
            elif letter == (84 if seat == 0 else 66):  # T, B
                own |= 1 << cell
            elif letter != 46:  # a point
                opp |= 1 << cell
        values[row] = codes[class_number(own, opp, neutral, seat)] & VALUE
        count = generate(own, opp, neutral, seat, moves, boards)
        for k in range(count):
            found[k] = codes[class_number(boards[k, 1], boards[k, 0], boards[k, 2], 1 - seat)] & VALUE
        counts[row] = count
        keeping[row] = 0
        right = best_code(found[:count])
        for k in range(count):
            is_kept = found[k] == DRAW if right == DRAW else found[k] != DRAW and found[k] % 2 != right % 2
            if is_kept:
                keeping[row] += 1
                if right == DRAW or found[k] + 1 == right:
                    best[total] = moves[k]
                    total += 1
        ends[row] = total
