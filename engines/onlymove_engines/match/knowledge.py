"""What is known about the positions of a game: its analyst, and the values found so far.

It searches nothing itself: the caller runs the questions and passes the values in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from onlymove_engines.coach.values import Known, find_leads, look
from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match import limits
from onlymove_engines.play.line import AnyLine, AnyNode
from onlymove_engines.play.session import find_choices

Question: TypeAlias = Callable[[Budget], Known]
"""Finds out within a budget what the moves that may be played at a node are worth, and changes nothing."""
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
        self.known: dict[int, Known] = {}
        self.unknowable: set[int] = set()
        self._leads: dict[int, Mapping[Move, float]] = {}

    def set_analyst(self, analyst: AnyAnalyst | None, source_note: str) -> None:
        self.analyst, self.source_note, self.is_settled = analyst, source_note, True

    def store_values(self, node: AnyNode, values: Known | None) -> None:
        if values is None:
            self.unknowable.add(node.id)
        else:
            self.known[node.id] = values

    def get_values(self, node: AnyNode) -> Known | None:
        return self.known.get(node.id)

    def find_leads(self, node: AnyNode) -> Mapping[Move, float]:
        """By how much the side to move leads in the game's measure after each move that holds a draw, the largest
        first; empty until known."""
        known = self.get_values(node)
        if node.id not in self._leads and isinstance(known, Analysis) and self.analyst is not None:
            if not (found := find_leads(self.line.conventions, node.positions(), known, self.analyst)):
                return {}
            self._leads[node.id] = found
        return self._leads.get(node.id, {})

    def judge_move_into(self, node: AnyNode, judge: Judge) -> bool:
        """Judge the move into a node if that is possible and not yet done. Returns whether a judgement was added."""
        if node.parent is None or (before := self.get_values(node.parent)) is None:
            return False
        choices = find_choices(node)
        missing = [seat for seat in choices if seat not in node.judgements]
        for seat in missing:
            node.judgements[seat] = judge(before, seat, choices[seat])
        return bool(missing)

    def awaits_values(self, node: AnyNode) -> bool:
        """Whether values are still being computed."""
        if self.get_values(node) is not None or node.id in self.unknowable:
            return False
        return not self.is_settled or self.analyst is not None

    def prepare_question(self, node: AnyNode) -> Question | None:
        if self.analyst is None or node.result is not None or self.get_values(node) is not None:
            return None
        return partial(look, self.line, node, self.analyst)

    @property
    def question_seconds(self) -> float:
        """Return how many seconds a question may take: fewer for a search that uses all its time than for one that
        ends with an exact answer."""
        if self.line.game.facts.simultaneous:
            return limits.ROUND_SECONDS
        return limits.SEARCH_SECONDS if self.source_note else limits.PROOF_SECONDS
