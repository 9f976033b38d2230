"""The number of every position, as in `index`: ranks of sets of cells, the smaller of two mirror images; compiled."""

from onlymove_engines.search.bitset import popcount
from onlymove_engines.search.jit import kernel

from .masks import NONE, mirrored, overturned


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
    place = popcount(neutral - 1) - 3
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
