"""Checks sentences about Orbito: pushes, placements, and where the shift takes the marbles."""

from __future__ import annotations

import re
from functools import cached_property

from tests.reference.plain_rules import Orbito
from tests.reference.truth.common import check_all_keepers, end_so, one_kept, was_right
from tests.reference.truth.facts import Spot, Trait, Worth, index_phrases, third_person
from tests.reference.truth.kinds import Hinted, Judged, Kinds

MOVES, HINTS, REMARKS = Kinds(), Kinds(), Kinds()
GAME = Orbito()
SIDES = ("White", "Black")
CELL = "[a-d][1-4]"
RINGS = (["a4", "a3", "a2", "a1", "b1", "c1", "d1", "d2", "d3", "d4", "c4", "b4"], ["b3", "b2", "c2", "c3"])
ONWARD = {cell: ring[(k + 1) % len(ring)] for ring in RINGS for k, cell in enumerate(ring)}
"""Where a shift takes the marble on each cell."""
LINES = {
    **{f"column {file}": {file + row for row in "1234"} for file in "abcd"},
    **{f"row {row}": {file + row for file in "abcd"} for row in "1234"},
    "the a1-d4 diagonal": {"a1", "b2", "c3", "d4"},
    "the a4-d1 diagonal": {"a4", "b3", "c2", "d1"},
}
CORNERS = ("a1", "a4", "d1", "d4")
MAX_SHIFTS = 5
PUSH = "start by moving an opposing marble"


def cells(move: str) -> list[str]:
    """Return the cells of a move: where it places its marble and, before that, both ends of its push if it has one."""
    return re.findall(CELL, move)


TRAITS: dict[str, Trait] = {
    PUSH: lambda spot, move: len(cells(move)) > 1,
    "go to the outer ring": lambda spot, move: cells(move)[-1] in RINGS[0],
    "go into a corner": lambda spot, move: cells(move)[-1] in CORNERS,
    "move an opposing marble inwards": lambda spot, move: (
        len(cells(move)) > 1 and cells(move)[0] in RINGS[0] and cells(move)[1] in RINGS[1]
    ),
}
MOVE = f"(?:{CELL}{CELL})?{CELL}"
ANY_LINE = rf"(?:{'|'.join(LINES)})(?: after \d extra shifts?)?"
AIM = f"four in {ANY_LINE}"
MORE = f"(?:four in )?{ANY_LINE}"
WORDS = {
    "MOVE": MOVE,
    "MOVES": f"{MOVE}(?:, {MOVE})* and {MOVE}",
    "CELL": CELL,
    "SIDE": "|".join(SIDES),
    "AIM": AIM,
    "AIMS": f"{AIM}(?:(?:, {MORE})* and {MORE})?",
    "LINE": "|".join(LINES),
    "WORTH": r"Win in \d+ moves?|Loss in \d+ moves?|Draw",
    "RESULT": "only draws|draws at best|loses",
    "DOES": "|".join(map(third_person, TRAITS)),
    "DO": "|".join(TRAITS),
}


class OrbitoSpot(Spot):
    traits = index_phrases(TRAITS)

    @cached_property
    def board(self) -> dict[str, str]:
        """Return the side whose marble is on each cell that has one."""
        rows = zip("4321", self.text[:-2].split("/"), strict=True)
        sides = dict(zip("WB", SIDES, strict=True))
        return {file + row: sides[m] for row, line in rows for file, m in zip("abcd", line, strict=True) if m != "."}

    def first_part(self, move: str) -> str:
        return cells(move)[0]

    def lines_of(self, side: str) -> set[str]:
        """Return the lines that a side fills."""
        return {line for line, there in LINES.items() if all(self.board.get(cell) == side for cell in there)}

    def aims(self, move: str) -> set[str]:
        return self.children[move].achieved(self.side)

    def achieved(self, side: str) -> set[str]:
        rest, shifts = self.rest
        when = f" after {shifts} extra shift{'s' * (shifts > 1)}" if shifts else ""
        return {f"four in {line}{when}" for line in rest.lines_of(side)}

    def lines_after(self, move: str, side: str) -> set[str]:
        """Return the lines that a side fills after a move and its shift."""
        child = self.children[move]
        assert isinstance(child, OrbitoSpot)
        return child.lines_of(side)

    def list_moves_with_push(self, push: list[str]) -> list[str]:
        """Return the moves with this push, or without a push if it is empty."""
        return [move for move in self.values if cells(move)[:-1] == push]

    def list_moves_to_cell(self, cell: str) -> list[str]:
        """Return the moves that place a marble on this cell."""
        return [move for move in self.values if cells(move)[-1] == cell]

    @cached_property
    def rest(self) -> tuple[OrbitoSpot, int]:
        """Return the final board, and the number of extra shifts. A full board shifts on until there is a line."""
        shifts, here = 0, self
        while len(here.board) == len(ONWARD) and not any(map(here.lines_of, SIDES)) and shifts < MAX_SHIFTS:
            shifts, here = shifts + 1, here.make_spot(tuple(GAME.shift[marbles] for marbles in here.position))
        return here, shifts

    def find_landing(self, cell: str) -> str:
        """Return the final cell of a marble that the last move put on `cell`."""
        for _ in range(1 + self.rest[1]):
            cell = ONWARD[cell]
        return cell


def spots(judged: Judged) -> tuple[OrbitoSpot, OrbitoSpot]:
    """Return the positions before and after a move."""
    assert isinstance(judged.spot, OrbitoSpot)
    assert isinstance(judged.child, OrbitoSpot)
    return judged.spot, judged.child


# Moves that share a part.


@MOVES.says(r"(?P<cell>CELL) was the right cell, but moving an opposing marble was wrong\.")
def right_cell_without_push(judged: Judged, cell: str) -> bool:
    """The marble alone keeps the result on this cell, and no push before it does."""
    good = [move for move in spots(judged)[0].list_moves_to_cell(cell) if move in judged.spot.good_moves]
    *push, place = cells(judged.move)
    return judged.is_worse and bool(push) and place == cell and good == [cell]


@MOVES.says(r"(?P<cell>CELL) was a good cell, but not after moving (?P<start>CELL) to (?P<end>CELL)\.")
def good_cell_without_this_push(judged: Judged, cell: str, start: str, end: str) -> bool:
    return judged.is_worse and cells(judged.move) == [start, end, cell] and cell in judged.spot.good_moves


@MOVES.says(r"(?P<cell>CELL) was the right cell, but an opposing marble had to move first\.")
def right_cell_after_a_push(judged: Judged, cell: str) -> bool:
    is_so = any(move in judged.spot.good_moves for move in spots(judged)[0].list_moves_to_cell(cell))
    return judged.is_worse and cells(judged.move) == [cell] and is_so


@MOVES.says(r"(?P<cell>CELL) was the right cell, but moving (?P<start>CELL) to (?P<end>CELL) was wrong\.")
def right_cell_after_another_push(judged: Judged, cell: str, start: str, end: str) -> bool:
    """All moves that keep the result place a marble on this cell, after another push."""
    good = [move for move in spots(judged)[0].list_moves_to_cell(cell) if move in judged.spot.good_moves]
    is_so = cells(judged.move) == [start, end, cell] and cell not in good
    return is_so and was_right(judged, spots(judged)[0].list_moves_to_cell(cell))


@MOVES.says(r"Moving (?P<start>CELL) to (?P<end>CELL) was right, but (?P<cell>CELL) was the wrong cell\.")
def right_push(judged: Judged, start: str, end: str, cell: str) -> bool:
    *push, place = cells(judged.move)
    return push == [start, end] and place == cell and was_right(judged, spots(judged)[0].list_moves_with_push(push))


@MOVES.says(r"Moving (?P<start>CELL) to (?P<end>CELL) (?P<does>RESULT), wherever the new marble goes\.")
def wrong_push(judged: Judged, start: str, end: str, does: str) -> bool:
    *push, _ = cells(judged.move)
    return push == [start, end] and end_so(judged.spot, spots(judged)[0].list_moves_with_push(push), does)


@MOVES.says(r"After moving (?P<start>CELL) to (?P<end>CELL), only (?P<better>MOVE) would have (?P<kept>drawn|won)\.")
def one_cell_kept(judged: Judged, start: str, end: str, better: str, kept: str) -> bool:
    *push, _ = cells(judged.move)
    return push == [start, end] and one_kept(judged, spots(judged)[0].list_moves_with_push(push), better, kept)


@MOVES.says(r"Placing a marble without moving an opposing one (?P<does>RESULT)\.")
def wrong_without_push(judged: Judged, does: str) -> bool:
    return len(cells(judged.move)) == 1 and end_so(judged.spot, spots(judged)[0].list_moves_with_push([]), does)


@MOVES.says(r"Without moving an opposing marble, only (?P<better>MOVE) would have (?P<kept>drawn|won)\.")
def one_kept_without_push(judged: Judged, better: str, kept: str) -> bool:
    return len(cells(judged.move)) == 1 and one_kept(judged, spots(judged)[0].list_moves_with_push([]), better, kept)


@MOVES.says(r"Placing a marble on (?P<cell>CELL) (?P<does>RESULT), whichever marble moves first\.")
def wrong_cell(judged: Judged, cell: str, does: str) -> bool:
    return cells(judged.move)[-1] == cell and end_so(judged.spot, spots(judged)[0].list_moves_to_cell(cell), does)


# Lines.


def find_line_of_three(judged: Judged, side: str, line: str, reply: str) -> set[str]:
    """Return the cells of three marbles that the next shift takes into a line, if the reply adds the fourth. Otherwise
    return an empty set."""
    _, child = spots(judged)
    after = child.children[child.find_move(reply)]
    assert isinstance(after, OrbitoSpot)
    coming = {cell for cell, owner in child.board.items() if owner == side and ONWARD[cell] in LINES[line]}
    is_filled = line in after.lines_of(side) and ONWARD[cells(reply)[-1]] in LINES[line]
    return coming if side == judged.spot.other and is_filled and len(coming) == 3 else set()


@MOVES.says(r"The shift puts three (?P<side>SIDE) marbles in (?P<line>LINE); (?P<reply>MOVE) adds the fourth\.")
def three_are_shifting(judged: Judged, side: str, line: str, reply: str) -> bool:
    return bool(find_line_of_three(judged, side, line, reply))


@MOVES.says(r"Moving (?P<start>CELL) to (?P<end>CELL) helps (?P<side>SIDE) make four in (?P<line>LINE)\.")
def push_helps(judged: Judged, start: str, end: str, side: str, line: str) -> bool:
    """A reply adds a fourth marble to three, of which the pushed marble is one. It would not be, had it not been
    pushed."""
    *push, _ = cells(judged.move)
    if push != [start, end]:
        return False
    before, now = (ONWARD[cell] for cell in push)
    three = set[str]().union(*(find_line_of_three(judged, side, line, reply) for reply in judged.child.children))
    return now in three and ONWARD[before] not in LINES[line]


@MOVES.says(
    r"(?P<front>SIDE) stands right in front of (?P<back>SIDE) on the outer ring: (?P<side>SIDE)'s second marble "
    r"belongs (?:two cells behind the first, on (?P<cell>CELL)|behind the first, but not right behind it)\."
)
def second_marble_belongs_behind(judged: Judged, front: str, back: str, side: str, cell: str | None) -> bool:
    """Each side has one marble on the outer ring, and every good move places one two cells behind."""
    before, _ = spots(judged)
    where = {owner: at for at, owner in before.board.items()}
    if len(before.board) != 2 or (side, back, front) != (before.side, before.side, before.other):
        return False
    own = where[side]
    placed = {cells(move)[-1] for move in before.good_moves}
    is_behind = own in RINGS[0] and all(ONWARD[ONWARD[at]] == own and at in RINGS[0] for at in placed)
    return judged.is_worse and ONWARD[own] == where[front] and is_behind and cell in (None, *placed)


@MOVES.says(
    r"This ends the game(?:, and (?P<winner>SIDE) wins| in a draw): (?P<who>SIDE|both) ha(?:s|ve) four in a row"
    r"(?: after (?P<extra>\d) extra shifts?)?\."
)
def ends_with_a_line(judged: Judged, winner: str | None, who: str, extra: str | None) -> bool:
    rest, shifts = spots(judged)[1].rest
    filled = [side for side in SIDES if rest.lines_of(side)]
    is_so = filled == (list(SIDES) if who == "both" else [who]) and winner == (None if who == "both" else who)
    return judged.is_worse and judged.child.end is not None and is_so and shifts == int(extra or 0)


@MOVES.says(r"This ends the game in a draw: a full board without a line in six checks\.")
def ends_without_a_line(judged: Judged) -> bool:
    rest, shifts = spots(judged)[1].rest
    return judged.is_worse and judged.child.end == 0 and shifts == MAX_SHIFTS and not any(map(rest.lines_of, SIDES))


# Lines of a hint.

HINTS.says(r"Place your marble on the outer ring\.")(check_all_keepers("go to the outer ring"))
HINTS.says(r"Place your marble on the inner ring\.")(check_all_keepers("go to the outer ring", yes=False))
HINTS.says(r"Leave your opponent's marbles where they are\.")(check_all_keepers(PUSH, yes=False))


@HINTS.says(
    r"(?P<who>The only good move|Both good moves|All \d+ good moves) starts? by moving an opposing marble: "
    r"(?P<why>otherwise you (?:only draw|draw at best|lose)|that completes a line at once|"
    r"otherwise this shift completes a line for your opponent|"
    r"otherwise your opponent completes a line next turn)\."
)
def push_has_a_purpose(hinted: Hinted, who: str, why: str) -> bool:
    """All moves that keep the result push, and the reason fits the moves without a push."""
    spot = hinted.spot
    assert isinstance(spot, OrbitoSpot)
    alone, keeping = spot.list_moves_with_push([]), spot.good_moves
    named = {1: "The only good move", 2: "Both good moves"}.get(len(keeping), f"All {len(keeping)} good moves")
    if not alone or set(alone) & set(keeping) or who != named:
        return False
    best, results = max(spot.values[move].rank for move in alone), {spot.values[move].outcome for move in alone}
    return {
        "otherwise you only draw": results == {0},
        "otherwise you draw at best": results == {0, -1},
        "otherwise you lose": results == {-1},
        "that completes a line at once": all(spot.lines_after(move, spot.side) for move in keeping),
        "otherwise this shift completes a line for your opponent": all(
            spot.lines_after(move, spot.other) for move in alone
        ),
        "otherwise your opponent completes a line next turn": best == Worth(-1, 2).rank,
    }[why]


# What the last stage of a hint says about single moves.


@REMARKS.says(r"(?:your marble )?ends on (?P<own>CELL)(?:, (?:theirs|your opponent's) on (?P<theirs>CELL))?")
def ends_on(judged: Judged, own: str, theirs: str | None) -> bool:
    """The marbles of the move end up on these cells."""
    _, child = spots(judged)
    *push, place = cells(judged.move)
    return child.find_landing(place) == own and theirs in (None, *(child.find_landing(cell) for cell in push[1:]))
