"""Every rule that can forbid a move of Tobito or Haneto, in the words of the rules page."""

from __future__ import annotations

from onlymove_engines.games import load

from tests.reasons import Case, cases, check

START, HANETO = "TTT/.../.../.../BBB T", "TT./..T/..N/.../BBB T"
JUMP, TWO = "T.T/.../.T./.B./B.B T", "T.T/.T./.B./.B./..B T"
THROUGH, SHUT, BOTH = "T../.T./.T./.B./BB. B", "B.T/..T/B.B/..T/... T", "T.T/.T./.N./.B./BB. B"
HIDING = "no hiding: the three cells of your own home row may not all be occupied"
FIRST, EMPTY, OWN, EACH = "first empty cell", "empty before the move", "move one of your pawns", "each piece you jumped"


@cases(
    Case(START, "b3", f"b3 is empty: {OWN}", OWN, "b3b2"),
    Case(START, "b1", f"the pawn on b1 belongs to Bottom: {OWN}", OWN, "b1b2"),
    Case(
        "TT./.../..B/.../BTB T",
        "b1",
        "a pawn in its goal row is safe: it cannot move",
        "a pawn in its goal row is safe: it cannot move",
        "b1b2",
    ),
    Case("TTB/.../..T/.../BB. T", "c3", HIDING, "the three cells of your own home row may not all be occupied", "c3c4"),
    Case(
        START,
        "b5 c3",
        "a pawn moves in a straight line, in any of the eight directions",
        "any of the eight directions",
        "b5c3",
    ),
    Case(START, "b5 b3", "a pawn lands on the first empty cell in its direction, here b4", FIRST, "b5b3"),
    Case(START, "b5 a5", "a5 is not empty: a pawn lands on the first empty cell in its direction", FIRST, "b5a5"),
    Case(
        "TB./..T/.../..T/BB. T",
        "a5 c5",
        "a pawn in its goal row cannot be jumped: it blocks the way",
        "it blocks the way",
        "a5c5",
    ),
    Case("TT./..T/B../.../.BB T", "c4 c5", HIDING, "no hiding:", "c4c5"),
    Case(JUMP, "b3 b1 b2", f"put the jumped piece on a cell that was {EMPTY}", EMPTY, "b3b1+b2"),
    Case(
        JUMP,
        "b3 b1 b1",
        "put the jumped piece on another cell, not where you land",
        "not where you land",
        "b3b1+b1",
    ),
    Case(JUMP, "b3 b1 b5", HIDING, "no hiding:", "b3b1+b5"),
    Case(
        JUMP,
        "b3 c3 a2",
        "you have nothing more to put down: this move jumps 0 opposing pawns",
        "opposing pawn",
        "b3c3+a2",
    ),
    Case(JUMP, "", f"say where {EACH} goes, as in +a2", EACH, "b3b1"),
    Case(THROUGH, "", f"say where {EACH} goes, as in +a2+b2", EACH, "b2b5+a2"),
    Case(THROUGH, "", f"say where {EACH} goes, as in +a2+b2", EACH, "b2b5*a2"),
    Case(SHUT, "c4 c1 b5", HIDING, "no hiding:", "c4c1+b5"),
    Case(TWO, "b4 b1 a2 a2", f"a2 is taken: put {EACH} on a different cell", EACH, "b4b1+a2+a2"),
)
def test_tobito_says_which_rule_forbids_a_choice(case: Case) -> None:
    check(load("tobito"), case)


@cases(
    Case(HANETO, "c3", "you cannot move the neutral pawn, but you may jump it", "may jump it", "c3c2"),
    Case(
        HANETO,
        "c4 c2 c5",
        "the neutral pawn goes on an empty cell of the three middle rows",
        "on an empty cell of the three middle rows",
        "c4c2*c5",
    ),
    Case(HANETO, "", f"say where {EACH} goes, as in *b3", EACH, "c4c2"),
    Case(BOTH, "", f"say where {EACH} goes, as in +a2*b3", EACH, "b2b5+a2"),
)
def test_haneto_says_which_rule_forbids_a_choice(case: Case) -> None:
    check(load("haneto"), case)
