"""Checks sentences about Tobito and Haneto: flights, the pieces that they jump, where these are put, and threats."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from tests.reference.truth.common import end_so, one_kept, parse_moves, was_right, wins_in
from tests.reference.truth.facts import Spot, Trait, index_phrases, third_person
from tests.reference.truth.kinds import Hinted, Judged, Kinds

MOVES, HINTS, REMARKS = Kinds(), Kinds(), Kinds()
SIDES = ("Top", "Bottom")
CELL = "[a-c][1-5]"
PARTS = re.compile(rf"({CELL})({CELL})((?:\+{CELL})*)(?:\*({CELL}))?")
HOME = {"Top": "5", "Bottom": "1"}
"""The row of each side's home, which is the other side's goal."""


class Flight(NamedTuple):
    """The parts of a move: its origin, its landing cell, and the cells where jumped pawns and the neutral pawn are
    put."""

    origin: str
    landing: str
    pawns: tuple[str, ...]
    neutral: str | None

    @property
    def way(self) -> list[str]:
        """Return the cells between origin and landing."""
        (x, y), (to_x, to_y) = ((ord(cell[0]), int(cell[1])) for cell in (self.origin, self.landing))
        steps = max(abs(to_x - x), abs(to_y - y))
        return [f"{chr(x + (to_x - x) * k // steps)}{y + (to_y - y) * k // steps}" for k in range(1, steps)]


def flight(move: str) -> Flight:
    found = PARTS.fullmatch(move)
    assert found is not None, move
    return Flight(found[1], found[2], tuple(found[3].split("+")[1:]), found[4])


def count_rows_gained(spot: TobitoSpot, move: str) -> int:
    """Return how many rows nearer to its goal the pawn comes."""
    up = int(flight(move).landing[1]) - int(flight(move).origin[1])
    return up if spot.side == "Bottom" else -up


def touches_home_row(spot: TobitoSpot, move: str) -> tuple[bool, bool]:
    """Return whether a move begins in the home row of its side, and whether it ends there."""
    return flight(move).origin[1] == HOME[spot.side], flight(move).landing[1] == HOME[spot.side]


def neutral_row(move: str) -> str:
    """Return the row in which the neutral pawn is put, or an empty text."""
    return (flight(move).neutral or "")[1:]


TRAITS: dict[str, Trait] = {
    "jump": lambda spot, move: bool(flight(move).way),
    "jump an opposing pawn": lambda spot, move: len(flight(move).pawns) > 0,
    "jump two opposing pawns": lambda spot, move: len(flight(move).pawns) > 1,
    "jump the neutral pawn": lambda spot, move: flight(move).neutral is not None,
    "reach the goal row": lambda spot, move: flight(move).landing[1] == HOME[spot.other],
    "leave home": lambda spot, move: touches_home_row(spot, move) == (True, False),
    "go back home": lambda spot, move: touches_home_row(spot, move) == (False, True),
    "send a pawn home": lambda spot, move: any(cell[1] == HOME[spot.other] for cell in flight(move).pawns),
    "leave a pawn to be jumped": lambda spot, move: any(flight(reply).pawns for reply in spot.children[move].children),
    "put the neutral pawn in front of your home": lambda spot, move: (
        neutral_row(move) == {"Top": "4", "Bottom": "2"}[spot.side]
    ),
    "go backwards": lambda spot, move: count_rows_gained(spot, move) < 0,
    "go sideways": lambda spot, move: count_rows_gained(spot, move) == 0,
}
WORDS = {
    "MOVE": rf"{CELL}{CELL}(?:\+{CELL})*(?:\*{CELL})?",
    "CELL": CELL,
    "SIDE": "|".join(SIDES),
    "AIM": f"the pawn on {CELL}",
    "AIMS": f"the pawn on {CELL}(?: and the pawn on {CELL})?",
    "WORTH": r"Win in \d+ moves?|Loss in \d+ moves?|Draw",
    "PUT": "the jumped pawns?|the neutral pawn|(?:Top|Bottom)'s pawn",
    "RESULT": "only draws|draws at best|loses",
    "DOES": "|".join(map(third_person, TRAITS)),
    "DO": "|".join(TRAITS),
}


class TobitoSpot(Spot):
    traits = index_phrases(TRAITS)

    @cached_property
    def board(self) -> dict[str, str]:
        """Return the piece on each cell: T, B, N, or a point for an empty cell."""
        return {f"{'abc'[k % 3]}{k // 3 + 1}": piece for k, piece in enumerate(self.position[0])}

    @cached_property
    def spot_after_pass(self) -> TobitoSpot:
        """Return the same board with the other side to move."""
        cells, side = self.position
        return self.make_spot((cells, "TB"[side == "T"]))

    def first_part(self, move: str) -> str:
        return flight(move).origin

    def aims(self, move: str) -> set[str]:
        return {f"the pawn on {flight(move).origin}"}

    def list_similar_moves(self, move: str, parts: int) -> list[str]:
        """Return all moves with the same first parts: moves of the same pawn, or the same flight."""
        return [each for each in self.values if flight(each)[:parts] == flight(move)[:parts]]


def spots(judged: Judged) -> tuple[TobitoSpot, TobitoSpot]:
    """Return the positions before and after a move."""
    assert isinstance(judged.spot, TobitoSpot)
    assert isinstance(judged.child, TobitoSpot)
    return judged.spot, judged.child


# Sentences about passing or another move instead.


@MOVES.says(r"(?P<side>SIDE) was already threatening (?P<reply>MOVE)\.")
def threatened_before(judged: Judged, side: str, reply: str) -> bool:
    """The reply would have won before the move, and it wins now."""
    before, child = spots(judged)
    return (
        judged.is_worse
        and side == before.other
        and before.spot_after_pass.value(reply)[0] == child.value(reply)[0] == 1
    )


@MOVES.says(r"Before this move, (?P<side>SIDE) had no threat\.")
def threatened_nothing_before(judged: Judged, side: str) -> bool:
    """Passing would have kept the mover's result, which the move did not keep."""
    before, child = spots(judged)
    return side == before.other and before.spot_after_pass.worth.outcome <= -before.outcome < child.worth.outcome


@MOVES.says(r"Before this move, (?P<side>SIDE) could only hope for a draw\.")
def threatened_a_draw_before(judged: Judged, side: str) -> bool:
    """Passing would have turned a win into a draw, and the move loses."""
    before, child = spots(judged)
    return side == before.other and (before.outcome, before.spot_after_pass.worth.outcome, child.worth.outcome) == (
        1,
        0,
        1,
    )


@MOVES.says(r"(?P<side>SIDE) threatens to win (?P<when>at once|in \d+ moves)\.")
def threatens_after(judged: Judged, side: str, when: str) -> bool:
    _, child = spots(judged)
    return not judged.is_slip and side == judged.spot.side and wins_in(child.spot_after_pass, parse_moves(when))


@MOVES.says(
    r"(?P<side>SIDE) threatens to win (?P<when>at once|in \d+ moves), but (?P<other>SIDE) "
    r"(?P<why>wins first|can stop it|can stop it and win)\."
)
def threatens_too_late(judged: Judged, side: str, when: str, other: str, why: str) -> bool:
    """The other side wins before the threat is carried out, or wins later, or draws."""
    _, child = spots(judged)
    outcome, plies, _ = child.worth
    is_so = {
        "wins first": outcome == 1 and (plies or 0) <= parse_moves(when),
        "can stop it and win": outcome == 1 and (plies or 0) > parse_moves(when),
        "can stop it": outcome == 0,
    }[why]
    is_named = (side, other) == (judged.spot.side, judged.spot.other)
    return judged.is_worse and is_named and is_so and wins_in(child.spot_after_pass, parse_moves(when))


@HINTS.says(r"(?P<side>SIDE) threatens to win (?P<when>at once|in \d+ moves)\.")
def threatens_now(hinted: Hinted, side: str, when: str) -> bool:
    assert isinstance(hinted.spot, TobitoSpot)
    return side == hinted.spot.other and wins_in(hinted.spot.spot_after_pass, parse_moves(when))


# Moves that share a part.


@MOVES.says(
    r"The jump was right, but (?P<put>PUT|one of the jumped pawns|two of the jumped pawns) belongs? elsewhere\."
)
def right_jump(judged: Judged, put: str) -> bool:
    """Some move with the same flight keeps the result. The sentence names the fewest pieces that such a move puts
    elsewhere."""
    spot, _ = spots(judged)
    here = pieces(judged.move)
    changes = [here - pieces(move) for move in spot.list_similar_moves(judged.move, 2) if move in spot.good_moves]
    if not (judged.is_worse and changes and all(changes)):
        return False
    fewest, always = min(map(len, changes)), set.intersection(*changes)
    return {
        "the jumped pawn": len(here) == 1 and bool(flight(judged.move).pawns),
        "the neutral pawn": fewest == 1 and ("N", flight(judged.move).neutral) in always,
        f"{spot.other}'s pawn": fewest == 1 < len(here)
        and len(flight(judged.move).pawns) == 1
        and ("", flight(judged.move).pawns[0]) in always,
        "one of the jumped pawns": fewest == 1 < len(here),
        "two of the jumped pawns": fewest == 2 < len(here),
        "the jumped pawns": fewest == len(here) > 1,
    }.get(put, False)


def pieces(move: str) -> set[tuple[str, str | None]]:
    """Return the pieces that a move puts down, with their cells."""
    here = flight(move)
    return {("", cell) for cell in here.pawns} | ({("N", here.neutral)} if here.neutral else set())


@MOVES.says(r"That jump (?P<does>RESULT) wherever the (?P<put>jumped pawn is|neutral pawn is|jumped pawns are) put\.")
def wrong_jump(judged: Judged, does: str, put: str) -> bool:
    spot, _ = spots(judged)
    count, has_pawns = len(pieces(judged.move)), bool(flight(judged.move).pawns)
    is_named = put == ("jumped pawns are" if count > 1 else "jumped pawn is" if has_pawns else "neutral pawn is")
    return judged.is_worse and count > 0 and is_named and end_so(spot, spot.list_similar_moves(judged.move, 2), does)


@MOVES.says(r"It was the right pawn, but the wrong move\.")
def right_pawn(judged: Judged) -> bool:
    spot, _ = spots(judged)
    return was_right(judged, spot.list_similar_moves(judged.move, 1))


@MOVES.says(r"Any move of the pawn on (?P<cell>CELL) (?P<does>RESULT)\.")
def wrong_pawn(judged: Judged, cell: str, does: str) -> bool:
    spot, _ = spots(judged)
    return cell == flight(judged.move).origin and end_so(spot, spot.list_similar_moves(judged.move, 1), does)


@MOVES.says(r"With the pawn on (?P<cell>CELL), only (?P<better>MOVE) would have (?P<kept>drawn|won)\.")
def one_move_of_the_pawn_kept(judged: Judged, cell: str, better: str, kept: str) -> bool:
    spot, _ = spots(judged)
    return cell == flight(judged.move).origin and one_kept(
        judged, spot.list_similar_moves(judged.move, 1), better, kept
    )


# How the move helps the winning reply.


@MOVES.says(r"The pawn on (?P<over>CELL) can be jumped and put (?P<back>back )?on (?P<to>CELL)\.")
def can_be_jumped(judged: Judged, over: str, back: str | None, to: str) -> bool:
    """A winning reply jumps the moved pawn and puts it there. It comes `back` if that is in its home row."""
    before, child = spots(judged)
    jumps = (flight(move) for move in child.list_moves_to(1))
    is_so = any(over in each.way and each.pawns == (to,) for each in jumps)
    is_named = over == flight(judged.move).landing and (to[1] == HOME[before.side]) == bool(back)
    return judged.is_worse and is_named and is_so


@MOVES.says(r"(?P<reply>MOVE) jumps over (?P<over>CELL), which was empty before\.")
def jumps_over(judged: Judged, reply: str, over: str) -> bool:
    before, child = spots(judged)
    is_filled = before.board[over] == "." != child.board[over]
    return judged.is_worse and child.value(reply).outcome == 1 and over in flight(reply).way and is_filled


@MOVES.says(
    r"(?P<reply>MOVE) jumps the pawn on (?P<over>CELL) and puts it (?P<back>back )?on (?P<to>CELL)\.",
    r"(?P<reply>MOVE) jumps the pawns on (?P<over>CELL(?:, CELL)* and CELL)\.",
)
def reply_jumps(judged: Judged, reply: str, over: str, back: str | None = None, to: str = "") -> bool:
    """A winning reply, or the only one that saves the game, jumps just these pawns of the side that moved."""
    before, child = spots(judged)
    jump = flight(child.find_move(reply))
    jumped = {cell for cell in jump.way if child.board[cell] == before.side[0]}
    is_put = not to or (jump.pawns == (to,) and (to[1] == HOME[before.side]) == bool(back))
    is_telling = child.value(reply).outcome == 1 or child.list_moves_to(child.outcome) == (child.find_move(reply),)
    return judged.is_worse and is_telling and is_put and {*re.split(", | and ", over)} == jumped


@MOVES.says(r"This move makes room for (?P<reply>MOVE)\.")
def makes_room(judged: Judged, reply: str) -> bool:
    before, child = spots(judged)
    cell = flight(reply).landing
    return judged.is_worse and child.value(reply).outcome == 1 and before.board[cell] != "." == child.board[cell]


# What the last stage of a hint says about single moves.


@REMARKS.says(r"jumps (?P<pawns>an? (?:opposing )?pawn|two(?: opposing pawns)?|three(?: opposing pawns)?)")
def jumps_opposing(judged: Judged, pawns: str) -> bool:
    return len(flight(judged.move).pawns) == {"two": 2, "three": 3}.get(pawns.split(maxsplit=1)[0], 1)


@REMARKS.says("jumps the neutral pawn|neutral pawn")
def jumps_the_neutral(judged: Judged) -> bool:
    return flight(judged.move).neutral is not None


@REMARKS.says("reaches the goal row|to the goal")
def reaches_the_goal(judged: Judged) -> bool:
    return judged.spot.does("reach the goal row", judged.move)


@REMARKS.says("(?:goes )?back home")
def goes_back_home(judged: Judged) -> bool:
    return judged.spot.does("go back home", judged.move)


@REMARKS.says("stays at home")
def stays_at_home(judged: Judged) -> bool:
    return touches_home_row(spots(judged)[0], judged.move) == (True, True)


@REMARKS.says("a (?P<what>step|jump)")
def steps_or_jumps(judged: Judged, what: str) -> bool:
    return bool(flight(judged.move).way) == (what == "jump")
