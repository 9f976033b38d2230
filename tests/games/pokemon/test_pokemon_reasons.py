"""Every rule that can forbid a placement, in the words of the rules page."""

from __future__ import annotations

from onlymove_engines.games import load

from tests.reasons import Case, cases, check

BEGUN, SPENT, FULL = "xxx/xcB/xxx 222112 1", "aaC/xcA/Bxx 012111 1", "cCC/Abc/abB 110100 2"
TOP = "on an empty cell or on top of a smaller piece"


@cases(
    Case(BEGUN, "@00", "first take a piece from your hand: 1 small, 2 medium, 3 large", "take a piece from your hand"),
    Case(SPENT, "small", "no small piece is left in your hand", "your hand", "a@A2"),
    Case(FULL, "small", "no cell is empty", "", "A@A1"),
    Case(BEGUN, "small @12", "a small piece goes on an empty cell", "on an empty cell", "a@C2"),
    Case(BEGUN, "medium @12", f"a medium piece goes {TOP}", "on an empty cell", "b@12"),
    Case(
        BEGUN,
        "medium large",
        "you have picked a medium piece from your hand: choose a cell for it",
        "your hand",
    ),
    Case(BEGUN, "", "A is your opponent's: take a piece from your hand", "take a piece from your hand", "A@A1"),
)
def test_pokemon_says_which_rule_forbids_a_choice(case: Case) -> None:
    check(load("pokemon"), case)
