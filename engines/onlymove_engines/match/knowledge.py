"""Who knows the values of a game, and what can be told from the values that its nodes have.

It searches no values itself: the caller runs the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from onlymove_engines.coach.values import Known, find_leads
from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match import limits
from onlymove_engines.play.line import AnyLine, AnyNode
from onlymove_engines.play.session import find_choices

Judge: TypeAlias = Callable[[Known, Seat, Move], Judgement]
"""What a move of a seat was worth, by what is known of the moves it was chosen from."""


class Knowledge:
    """`analyst` knows the game's values; `source_note` says where the answers come from if that is not its table.
    `is_settled`: it is known who the analyst is, or that there is none."""

    def __init__(self, line: AnyLine) -> None:
        self.line = line
        self.analyst: AnyAnalyst | None = None
        self.source_note = ""
        self.is_settled = False
        self.unknowable: set[int] = set()
        self._leads: dict[int, Mapping[Move, float]] = {}

    def set_analyst(self, analyst: AnyAnalyst | None, source_note: str) -> None:
        self.analyst, self.source_note, self.is_settled = analyst, source_note, True

    def find_leads(self, node: AnyNode) -> Mapping[Move, float]:
        """By how much the side to move leads in the game's measure after each move that holds a draw, the largest
        first; empty until known."""
        known = node.values
        if node.id not in self._leads and isinstance(known, Analysis) and self.analyst is not None:
            if not (found := find_leads(self.line.conventions, node.positions(), known, self.analyst)):
                return {}
            self._leads[node.id] = found
        return self._leads.get(node.id, {})

    def judge_move_into(self, node: AnyNode, judge: Judge) -> bool:
        """Judge the move into a node if that is possible and not yet done. Returns whether a judgement was added."""
        if node.parent is None or (before := node.parent.values) is None:
            return False
        choices = find_choices(node)
        missing = [seat for seat in choices if seat not in node.judgements]
        for seat in missing:
            node.judgements[seat] = judge(before, seat, choices[seat])
        return bool(missing)

    def awaits_values(self, node: AnyNode) -> bool:
        """Whether values are still being computed."""
        if node.values is not None or node.id in self.unknowable:
            return False
        return not self.is_settled or self.analyst is not None

    @property
    def question_seconds(self) -> float:
        """Return how many seconds a question may take: fewer for a search that uses all its time than for one that
        ends with an exact answer."""
        if self.line.game.facts.simultaneous:
            return limits.ROUND_SECONDS
        return limits.SEARCH_SECONDS if self.source_note else limits.PROOF_SECONDS
