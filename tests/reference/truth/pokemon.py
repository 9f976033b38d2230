"""Checks sentences about Pokémon Tic-Tac-Toe: sizes, cells, covered pieces and lines of three."""

from __future__ import annotations

from functools import cached_property, partial

from tests.reference.truth.common import check_all_keepers, end_so, one_kept, was_right
from tests.reference.truth.facts import Spot, Trait, index_phrases, third_person
from tests.reference.truth.kinds import Hinted, Judged, Kinds

MOVES, HINTS, REMARKS = Kinds(), Kinds(), Kinds()
SIDES = ("Squirtle", "Charmander")
SIZES = ("small", "medium", "large")
TEAMS = {"Squirtle": "abc", "Charmander": "ABC"}
CELLS = [column + row for row in "123" for column in "ABC"]
LINES = {
    **{f"row {row}": {column + row for column in "ABC"} for row in "123"},
    **{f"column {column}": {column + row for row in "123"} for column in "ABC"},
    "the A1-C3 diagonal": {"A1", "B2", "C3"},
    "the C1-A3 diagonal": {"C1", "B2", "A3"},
}
SHARES = {
    "a few": (0.0, 0.15),
    "some": (0.15, 0.4),
    "about half of the": (0.4, 0.6),
    "most": (0.6, 0.9),
    "nearly all": (0.9, 1.0),
}
"""The shares of the replies for which each word is used."""


def size(move: str) -> str:
    """Return the size of a piece, or of the piece that a move places."""
    return SIZES["abc".index(move[0].lower())]


def cell(move: str) -> str:
    """Return the cell of a move, as players name it."""
    return "ABC"[int(move[3])] + str(int(move[2]) + 1)


def uses(which: str, _: PokemonSpot, move: str) -> bool:
    return size(move) == which


TRAITS: dict[str, Trait] = {
    **{f"use a {each} piece": partial(uses, each) for each in SIZES},
    "cover a piece": lambda spot, move: spot.board[cell(move)] != "x",
    "cover your own piece": lambda spot, move: spot.board[cell(move)] in TEAMS[spot.side],
    "take the middle": lambda spot, move: cell(move) == "B2",
    "take a corner": lambda spot, move: cell(move) in ("A1", "C1", "A3", "C3"),
}
MOVE = "[SML]@[A-C][1-3]"
ANY_LINE = f"(?:{'|'.join(LINES)})"
WORDS = {
    "MOVE": MOVE,
    "MOVES": f"{MOVE}(?:, {MOVE})* and {MOVE}",
    "CELL": "[A-C][1-3]",
    "SIZE": "|".join(SIZES),
    "SIDE": "|".join(SIDES),
    "AIM": f"three in {ANY_LINE}",
    "AIMS": f"three in {ANY_LINE}(?:(?:, {ANY_LINE})* and {ANY_LINE})?",
    "LINE": "|".join(LINES),
    "WORTH": r"Win in \d+ moves?|Loss in \d+ moves?|Draw",
    "RESULT": "only draws|draws at best|loses",
    "DOES": "|".join(map(third_person, TRAITS)),
    "DO": "|".join(TRAITS),
}


class PokemonSpot(Spot):
    traits = index_phrases(TRAITS)

    @cached_property
    def board(self) -> dict[str, str]:
        """Return the visible piece of each cell, or `x` for an empty one."""
        return dict(zip(CELLS, self.position[0], strict=True))

    def convert_move(self, printed: str) -> str:
        piece, at = printed.split("@")
        return f"{TEAMS[self.side]['SML'.index(piece)]}@{int(at[1]) - 1}{'ABC'.index(at[0])}"

    def first_part(self, move: str) -> str:
        return size(move)

    def list_cells_of(self, side: str) -> set[str]:
        """Return the cells on which a side's pieces are visible."""
        return {at for at, piece in self.board.items() if piece in TEAMS[side]}

    def lines_of(self, side: str) -> set[str]:
        """Return the lines that a side fills."""
        return {line for line, there in LINES.items() if there <= self.list_cells_of(side)}

    def lines_after(self, move: str, side: str) -> set[str]:
        """Return the lines that a side fills after a move."""
        child = self.children[move]
        assert isinstance(child, PokemonSpot)
        return child.lines_of(side)

    def aims(self, move: str) -> set[str]:
        return self.children[move].achieved(self.side)

    def achieved(self, side: str) -> set[str]:
        return {f"three in {line}" for line in self.lines_of(side)}

    def list_moves_on(self, at: str) -> list[str]:
        """Return the moves on a cell."""
        return [move for move in self.values if cell(move) == at]

    def list_moves_of_size(self, which: str) -> list[str]:
        """Return the moves with a piece of this size."""
        return [move for move in self.values if size(move) == which]

    def count_in_hand(self, which: str) -> int:
        """Return how many pieces of a size the side to move has left."""
        return int(self.position[1][2 * SIZES.index(which) + self.mover])


def spots(judged: Judged) -> tuple[PokemonSpot, PokemonSpot]:
    """Return the positions before and after a move."""
    assert isinstance(judged.spot, PokemonSpot)
    assert isinstance(judged.child, PokemonSpot)
    return judged.spot, judged.child


# Moves that share a part.


@MOVES.says(r"(?P<at>CELL) was the right cell, but the piece was the wrong size\.")
def right_cell(judged: Judged, at: str) -> bool:
    return cell(judged.move) == at and was_right(judged, spots(judged)[0].list_moves_on(at))


@MOVES.says(r"Every piece that fits on (?P<at>CELL) (?P<does>RESULT)\.")
def wrong_cell(judged: Judged, at: str, does: str) -> bool:
    return cell(judged.move) == at and end_so(judged.spot, spots(judged)[0].list_moves_on(at), does)


@MOVES.says(r"On (?P<at>CELL), only (?P<better>MOVE) would have (?P<kept>drawn|won)\.")
def one_size_kept(judged: Judged, at: str, better: str, kept: str) -> bool:
    return cell(judged.move) == at and one_kept(judged, spots(judged)[0].list_moves_on(at), better, kept)


@MOVES.says(r"A (?P<which>SIZE) piece was right, but not on that cell\.")
def right_size(judged: Judged, which: str) -> bool:
    return size(judged.move) == which and was_right(judged, spots(judged)[0].list_moves_of_size(which))


@MOVES.says(r"A (?P<which>SIZE) piece (?P<does>RESULT) on any cell\.")
def wrong_size(judged: Judged, which: str, does: str) -> bool:
    return size(judged.move) == which and end_so(judged.spot, spots(judged)[0].list_moves_of_size(which), does)


@MOVES.says(r"The last (?P<which>SIZE) piece should stay in hand: it (?P<does>RESULT) on any cell\.")
def wrong_last_piece(judged: Judged, which: str, does: str) -> bool:
    return spots(judged)[0].count_in_hand(which) == 1 and wrong_size(judged, which, does)


@MOVES.says(r"With a (?P<which>SIZE) piece, only (?P<better>MOVE) would have (?P<kept>drawn|won)\.")
def one_cell_kept(judged: Judged, which: str, better: str, kept: str) -> bool:
    return size(judged.move) == which and one_kept(judged, spots(judged)[0].list_moves_of_size(which), better, kept)


# Lines.


@MOVES.says(r"(?P<side>SIDE) already had two pieces in (?P<line>LINE)\.")
def had_two(judged: Judged, side: str, line: str) -> bool:
    """The side had two pieces in the line, and a reply adds the third."""
    before, child = spots(judged)
    two = len(LINES[line] & before.list_cells_of(side)) == 2
    wins = any(line in child.lines_after(reply, side) for reply in child.children)
    return judged.is_worse and side == before.other and two and wins


@MOVES.says(r"A (?P<which>SIZE) piece on (?P<at>CELL) does not block (?P<line>LINE): it can be covered\.")
def can_be_covered(judged: Judged, which: str, at: str, line: str) -> bool:
    """The line's other two pieces are there, and covering this piece completes the line."""
    before, child = spots(judged)
    wins = any(line in child.lines_after(reply, child.side) for reply in child.list_moves_on(at))
    is_named = (size(judged.move), cell(judged.move)) == (which, at)
    is_open = LINES[line] - {at} <= before.list_cells_of(before.other)
    return judged.is_worse and is_named and at in LINES[line] and is_open and wins


@MOVES.says(r"This ends the game in a draw: no piece can be placed\.")
def ends_without_a_line(judged: Judged) -> bool:
    _, child = spots(judged)
    return judged.is_worse and child.end == 0 and not any(child.game.moves(child.position))


@HINTS.says(r"(?P<side>SIDE) threatens three in a row(?: on (?P<count>\d+) lines)?\.")
def threatens_a_line(hinted: Hinted, side: str, count: str | None) -> bool:
    """The side could complete this many lines at once if it were to move."""
    spot = hinted.spot
    assert isinstance(spot, PokemonSpot)
    there = spot.make_spot((*spot.position[:2], "21"[spot.mover]))
    lines = {line for move in there.children for line in there.lines_after(move, side)}
    return side == spot.other and len(lines) == int(count or 1)


# Lines of a hint.

HINTS.says("Cover a piece\\.")(check_all_keepers("cover a piece"))
HINTS.says("Place your piece on an empty cell\\.")(check_all_keepers("cover a piece", yes=False))


@HINTS.says(r"Place a (?P<which>SIZE) piece\.")
def place_this_size(hinted: Hinted, which: str) -> bool:
    return check_all_keepers(f"use a {which} piece")(hinted)


@HINTS.says(r"Keep your (?P<which>SIZE) pieces in hand\.")
def keep_this_size(hinted: Hinted, which: str) -> bool:
    return check_all_keepers(f"use a {which} piece", yes=False)(hinted)


@HINTS.says(
    r"The trickiest good move sets a trap: (?P<share>nearly all|most|about half of the|some|a few) replies lose\.",
    r"The trickiest good move sets a trap: (?P<share>one) reply loses\.",
)
def sharpest(hinted: Hinted, share: str) -> bool:
    """The share is that of the losing replies, after the move that holds the draw and has the most of them."""
    spot = hinted.spot
    losing = {move: len(spot.children[move].list_moves_to(-1)) for move in spot.good_moves}
    shares = {move: count / len(spot.children[move].values) for move, count in losing.items() if count}
    if spot.outcome != 0 or not shares:
        return False
    most = max(shares, key=lambda move: shares[move])
    low, high = SHARES.get(share, (0.0, 1.0))
    return low <= shares[most] < high and (losing[most] == 1) == (share == "one")


# What the last stage of a hint says about single moves.


@REMARKS.says(r"covers a (?P<which>SIZE) piece", r"covers (?P<piece>[SML])")
def covers(judged: Judged, which: str = "", piece: str = "") -> bool:
    there = spots(judged)[0].board[cell(judged.move)]
    return there != "x" and (SIZES["SML".index(piece)] == size(there) if piece else size(there) == which)
