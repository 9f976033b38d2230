"""Every rule that can forbid a sowing, in the words of the rules page."""

from __future__ import annotations

from onlymove_engines.games.ayoayo import GAME

from tests.reasons import Case, cases, check

GAPS = "0,4,4,4,4,4/4,4,4,4,8,4 0-0 0"
ENDLESS = "0,1,3,1,2,0/1,0,1,0,2,1 16-20 0"
HUNGRY = "1,1,0,0,0,2/0,0,0,0,0,0 20-24 0"


@cases(
    Case(GAPS, "1", "pit 1 is empty: choose one of your pits with seeds", "choose one of your pits", "1"),
    Case(GAPS, "3'", "that pit is your opponent's: choose one of your pits, 1 to 6", "choose one of your pits"),
    Case(ENDLESS, "3", "you cannot play pit 3: its sowing would never end", "would never end", "3"),
    Case(
        HUNGRY,
        "6",
        "the other row is empty: you must play a move that puts seeds there, not pit 6",
        "you must play a move that puts seeds there",
        "6",
    ),
)
def test_ayoayo_says_which_rule_forbids_a_choice(case: Case) -> None:
    check(GAME, case)
