"""Every rule that can forbid a step, in the words of the rules page."""

from __future__ import annotations

from onlymove_engines.games import load

from tests.reasons import Case, cases, check

FIELD = "3 3 .,x,.,0,1,.,.,.,."
SHUT = "3 3 0,x,.,x,.,.,.,.,1"


@cases(
    Case(FIELD, "l", "you would crash: that cell is off the field", "off the field", "l", seat=0),
    Case(FIELD, "u", "you would crash: that cell is a wall", "wall", "u", seat=1),
    Case(
        FIELD,
        "r",
        "you would crash: even the cell that your opponent has just left is a wall",
        "even the cell that your opponent has just left",
        "r",
        seat=0,
    ),
    Case(FIELD, "x", "only a rider with no way out plays x", "a rider with no way out", "x", seat=1),
    Case(SHUT, "d", "a rider with no way out plays x", "a rider with no way out plays x", "d", seat=0),
    Case(
        FIELD,
        "",
        "a step is one letter: u, d, l, r, or x for a rider with no way out",
        "a rider with no way out",
        "q",
        seat=1,
    ),
)
def test_lightriders_says_which_rule_forbids_a_choice(case: Case) -> None:
    check(load("lightriders"), case)
