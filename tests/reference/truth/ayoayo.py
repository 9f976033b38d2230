"""Checks sentences about Ayòayò: what a sowing captures, and who has the next capture."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from tests.reference.truth.common import check_all_keepers, is_best
from tests.reference.truth.facts import PointsSpot, Trait, index_phrases, third_person
from tests.reference.truth.kinds import Hinted, Judged, Kinds

MOVES, HINTS, REMARKS = Kinds(), Kinds(), Kinds()
SIDES = ("First", "Second")
MAX_SEEN = 50_000
"""The most positions that are searched for one."""


class Sown(NamedTuple):
    """A sowing: what it captures for each side, how many relays it has, and whether it ends in the mover's own row."""

    own: int
    given: int
    relays: int
    ends_at_home: bool


def sow(spot: PointsSpot, move: str) -> Sown:
    """Sow a pit seed by seed. Four seeds in a pit go to its owner, but the last seed's four go to the side that
    sows."""
    pits, _, mover = spot.position
    board, taken, relays = list(pits), [0, 0], 0
    pit = 5 + int(move) if mover else 6 - int(move)
    while True:
        hand, board[pit] = board[pit], 0
        while hand:
            pit, hand = (pit + 1) % 12, hand - 1
            board[pit] += 1
            if board[pit] == 4:
                board[pit] = 0
                taken[pit // 6 if hand else mover] += 4
        if board[pit] < 2:
            return Sown(taken[mover], taken[1 - mover], relays, pit // 6 == mover)
        relays += 1


TRAITS: dict[str, Trait] = {
    "start in pits 1 to 3": lambda spot, move: int(move) <= 3,
    "end in your own row": lambda spot, move: sow(spot, move).ends_at_home,
    "capture": lambda spot, move: sow(spot, move).own > 0,
    "let your opponent capture": lambda spot, move: sow(spot, move).given > 0,
    "make a relay": lambda spot, move: sow(spot, move).relays > 0,
}
WORDS = {
    "MOVE": "pit [1-6]",
    "SIDE": "|".join(SIDES),
    "AIM": "(?!)",
    "WORTH": r"Win by \d+|Win by \d+, or at once|Win at once|Loss by \d+|Draw|Draw, or at once|Loss by \d+, or at once",
    "SIZE": r"\d+ seeds(?: in return for \d+)?",
    "DOES": "|".join(map(third_person, TRAITS)),
    "DO": "|".join(TRAITS),
}


class AyoayoSpot(PointsSpot):
    traits = index_phrases(TRAITS)

    def first_part(self, move: str) -> str:
        return move

    def may_show(self, shown: Collection[str]) -> bool:
        """Whether these moves may be shown as the best. Moves that keep all points may be left out if they bring none
        nearer. A move that captures more than it gives, or that ends the game as a win, must be shown."""
        gaining = [move for move in self.best if self.gains(move, self.side) > self.gains(move, self.other)]
        return {*gaining, *self.ends_won} <= set(shown) <= {*self.best, *self.ends_won}

    def gains(self, move: str, side: str) -> tuple[int, int]:
        """Return what a sowing captures for a side and for the other."""
        own, given, *_ = sow(self, move)
        return (own, given) if side == self.side else (given, own)

    def spot_after_move(self, move: str) -> AyoayoSpot:
        child = self.children[move]
        assert isinstance(child, AyoayoSpot)
        return child

    @cached_property
    def quiet(self) -> list[AyoayoSpot]:
        """Return the positions after the best moves that capture nothing."""
        return [self.spot_after_move(move) for move in self.best if self.gains(move, self.side) == (0, 0)]


def spot_of(subject: Judged | Hinted) -> AyoayoSpot:
    assert isinstance(subject.spot, AyoayoSpot)
    return subject.spot


def child_of(judged: Judged) -> AyoayoSpot:
    assert isinstance(judged.child, AyoayoSpot)
    return judged.child


def is_next(spot: AyoayoSpot, side: str, size: str, moves: int, pit: str, is_sown: bool) -> bool:
    """Whether some line of best play has this as its next capture: the side and the size, `8` or `8 for 4` if the other
    side also gets seeds. The line is so many moves long and ends with this pit, which that side sows if `is_sown`."""
    own, _, given = size.replace(" seeds", "").partition(" for ")
    gains, met, front = (int(own), int(given or 0)), {spot.position: spot}, {spot.position}
    for _ in range(moves - 1):
        nexts = [child for position in front for child in met[position].quiet]
        front = {child.position for child in nexts}
        met |= {child.position: child for child in nexts if child.position not in met}
        if len(met) > MAX_SEEN:
            return False
    ends = [met[position] for position in front]
    return any((here.side == side) == is_sown and pit in here.best and here.gains(pit, side) == gains for here in ends)


@MOVES.says(
    r"This sowing gives (?P<side>SIDE) (?P<seeds>\d+) seeds(?:, while a best move gives only (?P<least>\d+))?\."
)
def feeds(judged: Judged, side: str, seeds: str, least: str | None) -> bool:
    """It gives more than the best move that gives least."""
    spot = spot_of(judged)
    fewest = min(sow(spot, move).given for move in spot.best)
    is_so = sow(spot, judged.move).given == int(seeds) > fewest == int(least or 0)
    return judged.is_slip and side == spot.other and is_so


@MOVES.says(
    r"This move captures (?P<seeds>nothing|\d+), but (?P<which>the|a) best move captures (?P<could>\d+) seeds\."
)
def takes_less(judged: Judged, seeds: str, which: str, could: str) -> bool:
    """It captures less than the best move that captures most."""
    spot = spot_of(judged)
    most = max(sow(spot, move).own for move in spot.best)
    took = 0 if seeds == "nothing" else int(seeds)
    is_so = sow(spot, judged.move).own == took < int(could) == most and (which == "the") == (len(spot.good_moves) == 1)
    return judged.is_slip and is_so


@MOVES.says(
    r"(?P<which>The|A) best move was (?P<better>MOVE): it captures (?P<own>\d+) seeds(?: and gives (?P<given>\d+))?\."
)
def best_move_captured(judged: Judged, which: str, better: str, own: str, given: str | None) -> bool:
    spot = spot_of(judged)
    gains = sow(spot, spot.find_move(better))[:2]
    return judged.is_slip and is_best(spot, better, which) and gains == (int(own), int(given or 0))


@MOVES.says(
    r"(?P<side>SIDE) replies with (?P<last>MOVE) and captures (?P<seeds>\d+) seeds(?: in return for (?P<given>\d+))?\.",
    r"(?P<side>SIDE) captures (?P<seeds>\d+) seeds(?: in return for (?P<given>\d+))? after "
    r"the moves (?P<first>[1-6](?:, [1-6])*) and (?P<last>[1-6])\.",
)
def takes_after(
    judged: Judged, side: str, seeds: str, last: str, given: str | None = None, first: str | None = ""
) -> bool:
    """The line is best play of both sides, and nothing is captured before its end."""
    spot, quiet = child_of(judged), True
    for printed in first.split(", ") if first else []:
        move = spot.find_move(printed)
        quiet = quiet and move in spot.best and spot.gains(move, side) == (0, 0)
        spot = spot.spot_after_move(move)
    move = spot.find_move(last)
    is_so = (
        move in spot.best and spot.gains(move, side) == (int(seeds), int(given or 0)) and int(seeds) > int(given or 0)
    )
    return judged.is_slip and side == spot_of(judged).other and quiet and is_so


LATER = r"for example in (?P<{0}_moves>\d+) moves (?P<{0}_how>with pit [1-6]|when pit [1-6] is sown)"


@MOVES.says(
    rf"With best play (?P<own>SIDE) would have captured the next (?P<were>SIZE), {LATER.format('own')}; "
    rf"now (?P<theirs>SIDE) captures the next (?P<now>SIZE), {LATER.format('their')}\."
)
def next_changes_hands(
    judged: Judged,
    own: str,
    were: str,
    own_moves: str,
    own_how: str,
    theirs: str,
    now: str,
    their_moves: str,
    their_how: str,
) -> bool:
    return next_was_ours(judged, own, were, own_moves, own_how) and next_is_theirs(
        judged, theirs, now, their_moves, their_how
    )


@MOVES.says(
    rf"With best play (?P<own>SIDE) would have captured the next (?P<were>SIZE), {LATER.format('own')}; "
    r"now both sides will capture equally\."
)
def next_is_lost(judged: Judged, own: str, were: str, own_moves: str, own_how: str) -> bool:
    return child_of(judged).to_come == 0 and next_was_ours(judged, own, were, own_moves, own_how)


@MOVES.says(
    r"With best play both sides would have captured equally; "
    rf"now (?P<theirs>SIDE) captures the next (?P<now>SIZE), {LATER.format('their')}\."
)
def next_is_given(judged: Judged, theirs: str, now: str, their_moves: str, their_how: str) -> bool:
    return spot_of(judged).to_come == 0 and next_is_theirs(judged, theirs, now, their_moves, their_how)


def read_later(moves: str, how: str) -> tuple[int, str, bool]:
    """Return the number of moves, the pit, and whether the side that gains sows it."""
    return int(moves), how.removeprefix("with ").removeprefix("when ").split(" ")[1], how.startswith("with")


def next_was_ours(judged: Judged, own: str, were: str, moves: str, how: str) -> bool:
    spot = spot_of(judged)
    return (
        judged.is_slip and own == spot.side and spot.to_come > 0 and is_next(spot, own, were, *read_later(moves, how))
    )


def next_is_theirs(judged: Judged, theirs: str, now: str, moves: str, how: str) -> bool:
    child = child_of(judged)
    return (
        judged.is_slip
        and theirs == child.side
        and child.to_come > 0
        and is_next(child, theirs, now, *read_later(moves, how))
    )


@MOVES.says(r"With best play (?P<own>SIDE) would have got the last (?P<seeds>\d) seeds\.")
def last_seeds_are_missed(judged: Judged, own: str, seeds: str) -> bool:
    spot = spot_of(judged)
    left = sum(spot.position[0])
    is_so = own == spot.side and left == int(seeds) <= 4 and spot.to_come == left
    return judged.is_slip and is_so and (spot.values[judged.move].margin or 0) < left


@MOVES.says(
    r"With best play (?P<theirs>SIDE) now gets the last (?P<seeds>\d) seeds; (?P<which>the|a) best move prevents that\."
)
def last_seeds_are_lost(judged: Judged, theirs: str, seeds: str, which: str) -> bool:
    """They are one capture or fewer, so they all go to one side at once."""
    spot = spot_of(judged)
    left, margin = sum(spot.position[0]), spot.values[judged.move].margin
    is_so = theirs == spot.other and left == int(seeds) <= 4 and margin == -left
    return judged.is_slip and is_so and (which == "the") == (len(spot.good_moves) == 1)


@MOVES.says(
    r"This ends the game(?:, and (?P<winner>SIDE) wins| in a draw): "
    r"(?P<why>more than half of the seeds|no move is left)\."
)
def ends_the_game(judged: Judged, winner: str | None, why: str) -> bool:
    child = child_of(judged)
    if child.end is None:
        return False
    pits, captured, mover = child.position
    left = 0 if child.game.moves(child.position) else sum(pits[6:] if mover else pits[:6])
    is_majority = max(captured) > 24 or captured[mover] + left > 24  # the last seeds count, too
    ahead = child.side if child.end > 0 else child.other if child.end < 0 else None
    return judged.is_slip and winner == ahead and is_majority == (why == "more than half of the seeds")


# Lines of a hint.


def best_gains(hinted: Hinted) -> list[tuple[int, int]]:
    """Return what each move of the last stage captures and gives."""
    spot = spot_of(hinted)
    return [sow(spot, move)[:2] for move in hinted.shown]


@HINTS.says(
    r"(?P<who>The best move|One of the best moves) captures (?P<own>\d+) seeds"
    r"(?: and lets your opponent capture (?P<given>\d+))?\."
)
def best_move_captures(hinted: Hinted, who: str, own: str, given: str | None) -> bool:
    gains = best_gains(hinted)
    is_so = (int(own), int(given or 0)) in gains and int(own) > int(given or 0)
    return is_so and (who == "The best move") == (len(gains) == 1)


@HINTS.says(
    r"Even the best move (?:captures (?P<own>\d+) seeds and )?"
    r"lets your opponent capture (?P<given>\d+)(?: seeds)?\."
)
def best_move_gives(hinted: Hinted, given: str, own: str | None = None) -> bool:
    return best_gains(hinted) == [(int(own or 0), int(given))] and int(own or 0) < int(given)


@HINTS.says(r"Even the best moves let your opponent capture (?P<least>\d+) seeds or more\.")
def best_moves_give(hinted: Hinted, least: str) -> bool:
    gains = best_gains(hinted)
    return len(gains) > 1 and min(given for _, given in gains) == int(least) > 0 and all(b > a for a, b in gains)


@HINTS.says(r"(?P<count>\d+) other moves? gives? nothing away either, but may make no progress\.")
def others_keep_the_points(hinted: Hinted, count: str) -> bool:
    """They are the good moves that the last stage does not show."""
    spot = spot_of(hinted)
    return len({*spot.best, *spot.ends_won} - set(hinted.shown)) == int(count) > 0


@HINTS.says(r"No best move captures more than it lets your opponent capture\.")
def best_moves_gain_nothing(hinted: Hinted) -> bool:
    gains = best_gains(hinted)
    return all(own <= given for own, given in gains) and any(own for own, _ in gains)


@HINTS.says(r"No best move captures anything\.")
def best_moves_capture_nothing(hinted: Hinted) -> bool:
    spot = spot_of(hinted)
    return not any(own for own, _ in best_gains(hinted)) and any(sow(spot, move).own for move in spot.values)


@HINTS.says(r"No move captures anything yet\.")
def nothing_is_captured(hinted: Hinted) -> bool:
    spot = spot_of(hinted)
    return not any(sow(spot, move).own for move in spot.values)


HINTS.says(r"Sow from one of pits 1 to 3\.")(check_all_keepers("start in pits 1 to 3"))
HINTS.says(r"Sow from one of pits 4 to 6\.")(check_all_keepers("start in pits 1 to 3", yes=False))
HINTS.says(r"Let the last seed fall in your own row\.")(check_all_keepers("end in your own row"))
HINTS.says(r"Let the last seed fall in the other row\.")(check_all_keepers("end in your own row", yes=False))


# What the last stage of a hint says about single moves.


ENDS = r"(?:, ends (?P<where>at home|across|in your own row|in the other row))?"


@REMARKS.says(
    rf"no capture{ENDS}",
    rf"(?:takes|captures) (?P<own>\d+)(?:, gives (?P<given>\d+))?{ENDS}",
    rf"gives (?P<given>\d+){ENDS}",
    r"(?P<own>\d+) for (?P<given>\d+)",
)
def takes_and_gives(judged: Judged, where: str | None = None, own: str | None = None, given: str | None = None) -> bool:
    sown = sow(spot_of(judged), judged.move)
    is_where = where is None or sown.ends_at_home == (where in ("at home", "in your own row"))
    return (sown.own, sown.given) == (int(own or 0), int(given or 0)) and is_where
