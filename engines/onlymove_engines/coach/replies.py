"""How easily the other side goes wrong: the replies that lose, counted where all of them are known."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.in_line import analyse_after
from onlymove_engines.core.analysis import AnyAnalysis, AnyAnalyst, Tally, alternating
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.rules import M, P, Rules
from onlymove_engines.play.conventions import Conventions
from onlymove_engines.play.line import AnyLine, AnyNode
from onlymove_engines.search.chances import counted, tallies


def losing_replies(rules: Rules[P, M], position: P, analyst: AnyAnalyst) -> tuple[int, int] | None:
    """How many of how many replies at `position` lose for the side that plays them; `None` where one of them is not
    known without search, or there is none."""
    (found,) = tallies(rules, [position], analyst)
    return (found.losses, found.moves) if found is not None and found.moves else None


def hardest(
    law: Conventions[P, M], past: Sequence[P], moves: Sequence[M], analyst: AnyAnalyst, budget: Budget = UNLIMITED
) -> tuple[M, int, int] | None:
    """The move after the positions `past` after which the largest share of the replies loses, with how many of how
    many, in the light of that past; `None` where all or none do, or one of them is not known."""
    rules = law.game.rules
    lines = [[*past, rules.play(past[-1], move)] for move in moves]
    found: Sequence[Tally | None]
    if law.closing(past):
        found = [None if budget.should_stop() else in_light(law, line, analyst, budget) for line in lines]
    else:
        found = tallies(rules, [line[-1] for line in lines], analyst, budget)
    chances = [
        (tally.losses / tally.moves, move, tally)
        for move, tally in zip(moves, found, strict=True)
        if tally is not None and 0 < tally.losses < tally.moves
    ]
    if not chances or any(tally is None for tally in found):
        return None
    _, move, tally = max(chances, key=lambda chance: chance[0])
    return move, tally.losses, tally.moves


def in_light(law: Conventions[P, M], line: Sequence[P], analyst: AnyAnalyst, budget: Budget) -> Tally | None:
    """The moves at the end of a line as its history leaves them; `None` where one is not known."""
    return counted(analyse_after(law, line, alternating(analyst), budget))


def replies_said(losing: int, count: int) -> tuple[str, ...]:
    """`16 of 26 replies lose`, and the same in fewer words; nothing where none does."""
    if not losing:
        return ()
    verb = "loses" if losing == 1 else "lose"
    return f"{losing} of {count} replies {verb}", f"{losing} of {count} {verb}"


def hardest_said(line: AnyLine, node: AnyNode, known: AnyAnalysis, analyst: AnyAnalyst, budget: Budget) -> str:
    """`Hardest to answer: b3, 16 of 26 replies lose.`, of the moves that keep the value; nothing where that is the same
    after all of them, or not known."""
    found = hardest(line.conventions, node.positions(), known.keeping(), analyst, budget)
    if found is None:
        return ""
    move, *counts = found
    return f"Hardest to answer: {line.game.said(node.position, move)}, {replies_said(*counts)[0]}."
