"""What is said of a node of the solved game, on the screen and in lines alike."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.explore import Below, Choice

HOLDS = ("holds", "hold")
"""What a good move does, and several."""
KEEPS = ("keeps every point", "keep every point")
"""The same in a game with points."""


def percent(share: float) -> str:
    """`23 %`."""
    return f"{share:.0%}".replace("%", " %")


def holding_said(choice: Choice | None, in_points: bool = False) -> str:
    """`3 of 26 moves hold.`, `All 14 moves lose.`, in points `1 of 6 moves keeps every point.`; nothing where it is not
    known or nothing can be chosen."""
    if choice is None or not choice.moves:
        return ""
    said = holding_words(choice, "move", "moves", KEEPS if in_points else HOLDS)
    return f"{said[0].upper()}{said[1:]}."


def holding_words(choice: Choice, one: str, many: str, holds: tuple[str, str] = HOLDS) -> str:
    """`1 of 14 replies holds`, `all 14 replies lose`, `the only reply holds`."""
    if choice.moves == 1:
        return f"the only {one} {holds[0] if choice.holding else 'loses'}"
    if choice.holding in (0, choice.moves):
        return f"all {choice.moves} {many} {holds[1] if choice.holding else 'lose'}"
    return f"{choice.holding} of {choice.moves} {many} {holds[choice.holding != 1]}"


def replies_held(replies: Choice | None) -> str:
    """`3/14`: so many of so many replies hold; `-` at the end of the game, `?` where it is not known."""
    if replies is None:
        return "?"
    return f"{replies.holding}/{replies.moves}" if replies.moves else "-"


def below_said(found: Sequence[Below | None]) -> str:
    """`Only one move holds: 1 ply below in 5 of 22 positions (23 %), 2 plies below in 40 of 310 (13 %).`"""
    parts = [
        f"{below.plies} {'ply' if below.plies == 1 else 'plies'} below in {below.only} of {below.choices}"
        f"{'' if number else ' positions'} ({percent(below.share)})"
        for number, below in enumerate(below for below in found if below is not None and below.choices)
        if below.share is not None
    ]
    return f"Only one move holds: {', '.join(parts)}." if parts else ""
