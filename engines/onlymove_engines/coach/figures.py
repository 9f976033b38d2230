"""Sums up a game: which choices count for whom, and the figures of one side. docs/judging.md explains them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from onlymove_engines.core.judgement import UNKNOWN, Grade, Judgement
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.play.players import Players
from onlymove_engines.play.tree import AnyNode

SeatChoice: TypeAlias = tuple[AnyNode, Seat]
"""A choice in a game: the node after the move, and the side that moved."""
SeatMove: TypeAlias = tuple[AnyNode, Seat, Move]
"""A node, a seat and the seat's move there."""


def find_flagged_choices(node: AnyNode) -> list[SeatMove]:
    return [choice for choice, found in list_judged_choices(node) if found.flagged]


def find_bad_choices(node: AnyNode) -> list[SeatMove]:
    """Return the choices that led to `node` and are flagged or at least inaccuracies, in the order of the seats."""
    return [choice for choice, found in list_judged_choices(node) if is_bad(found)]


def list_judged_choices(node: AnyNode) -> list[tuple[SeatMove, Judgement]]:
    if node.parent is None:
        return []
    judged = [(seat, move) for seat, move in node.choices.items() if seat in node.judgements]
    return [((node.parent, seat, move), node.judgements[seat]) for seat, move in judged]


def is_bad(judgement: Judgement) -> bool:
    return judgement.flagged or judgement.grade.gravity >= Grade.INACCURACY.gravity


def list_choices_at(path: Sequence[AnyNode], seat: Seat) -> list[SeatChoice]:
    return [(node, seat) for node in path[1:]]


def list_solo_choices(path: Sequence[AnyNode]) -> list[SeatChoice]:
    """Return the choices that a person made, on either side, while an engine played the other one."""
    made = [(node, seat) for node in path[1:] for seat in (0, 1)]
    return [(node, seat) for node, seat in made if node.is_by_person(seat) and not node.is_by_person(other(seat))]


def choices_by_side(players: Players, path: Sequence[AnyNode]) -> dict[Seat, list[SeatChoice]]:
    """Return the choices to count for each seat. If there is only one human player, these are that player's choices,
    including those made for the other side. Otherwise they are the choices of both sides. If people have replaced
    engines, the engines' moves are left out."""
    people = [seat for seat in (0, 1) if players[seat].is_human]
    if len(people) == 1:
        return {people[0]: list_solo_choices(path)}
    return {
        seat: [made for made in list_choices_at(path, seat) if not people or made[0].is_by_person(seat) is not False]
        for seat in (0, 1)
    }


def has_changed_hands(players: Players, path: Sequence[AnyNode]) -> bool:
    """Whether a person and an engine replaced each other, so that the final players do not own the result."""
    people = [player.is_human for player in players]
    return any(
        node.players_at_move is not None and [player.is_human for player in node.players_at_move] != people
        for node in path[1:]
    )


@dataclass(frozen=True)
class Figures:
    """One side's figures in a game. `counts` has the number of moves by grade, without the `hinted` moves, which were
    found with all hints. `decisions` also leaves out unknown moves and moves with nothing to decide, `slow` of which
    took longer than others. Where a bad first try was taken back, it counts instead of the move that was played then.
    `rethought` counts these turns. `kept` of the decisions kept the value, and the others are `slips`. `only_moves` of
    them were the only ones that did. `accuracy` is in percent, or `None` without decisions. `turning_point` is the ply
    of the first slip."""

    counts: dict[Grade, int]
    kept: int
    decisions: int
    only_moves: int
    accuracy: float | None
    turning_point: int | None
    hinted: int = 0
    rethought: int = 0
    unjudged: int = 0
    slow: int = 0

    @property
    def slips(self) -> int:
        return self.decisions - self.kept

    def format_headline(self) -> str:
        if self.decisions == 0:
            return "No decisions to judge."
        moves = "move was" if self.decisions == 1 else "moves were"
        return f"{self.kept} of {self.decisions} {moves} good{' at the first try' if self.rethought else ''}."

    def describe_left_out(self) -> list[str]:
        """Say how many moves were not decisions and how many bad first tries were undone, if there are any."""
        kinds = {
            f"with nothing to decide{f' ({self.slow} slow)' if self.slow else ''}": self.counts.get(Grade.FORCED, 0),
            "with a full hint": self.hinted,
            "not judged": self.unjudged + self.counts.get(Grade.UNKNOWN, 0),
        }
        found = [f"{count} {kind}" for kind, count in kinds.items() if count]
        lines = [f"Not counted: {', '.join(found)}."] if found else []
        tries = "try" if self.rethought == 1 else "tries"
        return [*lines, f"{self.rethought} bad first {tries} undone."] if self.rethought else lines


def compute_accuracy(score_lost: float) -> float:
    """Return the accuracy in percent of a move that gave away this expected score: 0 -> 100, 0.5 -> 9.5, 1 -> 0. The
    curve is the one that lichess publishes for the drop in winning percentage."""
    percent = 103.1668100711649 * math.exp(-0.04354415386753951 * 100 * score_lost) - 2.166924740191411
    return min(100.0, max(0.0, percent))


def count_figures(made: Sequence[SeatChoice]) -> Figures:
    counts: Counter[Grade] = Counter()
    only_moves, hinted, rethought, unjudged, slow, turning_point = 0, 0, 0, 0, 0, None
    for node, seat in made:
        judgement, counted = node.judgements.get(seat), find_decision(node, seat)
        if judgement is None:
            unjudged += node.parent is not None and node.parent.to_move in (None, seat)
        elif counted is not None:
            counts[counted.grade] += 1
            only_moves += counted.only
            rethought += counted is not judgement
            if turning_point is None and not counted.keeps_value:
                turning_point = node.ply
        elif judgement.grade.is_graded and not judgement.changes_nothing:
            hinted += 1
        else:
            counts[Grade.FORCED if judgement.changes_nothing else judgement.grade] += 1
            slow += judgement.changes_nothing and judgement.grade is not Grade.FORCED
    decided = list_decisions(made)
    kept = sum(judgement.keeps_value for judgement in decided)
    accuracies = [compute_accuracy(judgement.score_lost) for judgement in decided]
    accuracy = sum(accuracies) / len(accuracies) if accuracies else None
    return Figures(
        dict(+counts), kept, len(decided), only_moves, accuracy, turning_point, hinted, rethought, unjudged, slow
    )


def list_decisions(made: Sequence[SeatChoice]) -> list[Judgement]:
    return [counted for node, seat in made if (counted := find_decision(node, seat)) is not None]


def find_decision(node: AnyNode, seat: Seat) -> Judgement | None:
    """Return the judgement that counts for a choice: that of a bad first try if a good move was played then, and
    otherwise that of the move played. Return `None` if there was nothing to decide, if the move is unknown, or if it
    was good after all hints."""
    judgement, before = node.judgements.get(seat, UNKNOWN), node.parent
    if before is None or judgement.changes_nothing or not judgement.grade.is_graded:
        return None
    if not judgement.keeps_value:
        return judgement
    first = before.attempts.get(seat, judgement)
    is_taken_back = first.grade.is_graded and not first.keeps_value
    return None if seat in before.hinted else first if is_taken_back else judgement


def format_symbol(node: AnyNode, seat: Seat) -> str:
    """Return the symbol of a choice in lists: that of the move played or, in parentheses, that of a bad first try that
    was taken back and counts instead."""
    judgement, counted = node.judgements.get(seat, UNKNOWN), find_decision(node, seat)
    return judgement.glyph if counted in (None, judgement) else f"({counted.glyph})"
