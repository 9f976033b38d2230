"""Keeps the analyst of a game, and what follows from the values of the game's nodes. It never searches: it returns
questions, and the caller runs them."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.coach.values import find_leads
from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.value import Move
from onlymove_engines.match import limits
from onlymove_engines.play.line import AnyLine, AnyNode


class Knowledge:
    """What can be known about the values in a game. `analyst` answers questions about them. `source_note` says where
    its answers come from if not from its table. `is_settled` means that the analyst is known, or that there is none.
    `is_preparing` means that this takes a while, because the engine is being compiled or the game is being solved. No
    moves are stopped until then."""

    def __init__(self, line: AnyLine) -> None:
        self.line = line
        self.analyst: AnyAnalyst | None = None
        self.source_note = ""
        self.is_settled = False
        self.is_preparing = False
        self.unknowable: set[int] = set()
        self._leads: dict[int, Mapping[Move, float]] = {}

    def find_leads(self, node: AnyNode) -> Mapping[Move, float]:
        """Return, for each move that holds a draw, how far the side to move leads in the game's measure after it. The
        largest lead comes first. Empty until that is known."""
        known = node.values
        if node.id not in self._leads and isinstance(known, Analysis) and self.analyst is not None:
            if not (found := find_leads(self.line.conventions, node.positions(), known, self.analyst)):
                return {}
            self._leads[node.id] = found
        return self._leads.get(node.id, {})

    def awaits_values(self, node: AnyNode) -> bool:
        """Whether the values of a node are still being computed."""
        if node.values is not None or node.id in self.unknowable:
            return False
        return not self.is_settled or self.analyst is not None

    @property
    def question_seconds(self) -> float:
        """Return how many seconds a question may take. A search that ends with an exact answer gets more."""
        if self.line.game.facts.simultaneous:
            return limits.ROUND_SECONDS
        return limits.SEARCH_SECONDS if self.source_note else limits.PROOF_SECONDS
