"""Every rule that can forbid a move of Orbito, in the words of the rules page."""

from __future__ import annotations

from onlymove_engines.games.orbito import GAME

from tests.reasons import Case, cases, check

ONE, SHUT = "WB../..../..../.... W", "BW../W.../..../...B W"
MINE = "you cannot move your own marbles: place one, or first move your opponent's"


@cases(
    Case(ONE, "a4", MINE, "place one", "a4"),
    Case(SHUT, "a4", "a4 has no free cell next to it (up, down, left or right)", "free cell"),
    Case(
        ONE,
        "b4 d1",
        "move this marble to a free cell next to it (up, down, left or right)",
        "to a free cell",
        "b4d1a1",
    ),
    Case(ONE, "b4 a4", "a4 is not a free cell", "free cell", "b4a4a1"),
    Case(ONE, "b4 b3 b3", "b3 is not free: the marble you moved is there now", "free", "b4b3b3"),
    Case(ONE, "b4 b3 a4", "a4 is not a free cell", "free cell", "b4b3a4"),
    Case(ONE, "", "b4 is not free: to move its marble, say where it goes and where yours goes", "free", "b4"),
    Case(ONE, "", "d1 has no marble of your opponent on it", "marble", "d1d2a1"),
)
def test_orbito_says_which_rule_forbids_a_choice(case: Case) -> None:
    check(GAME, case)
