"""Whether a strategy holds: every reply to every move of it is followed by the plain rules. Knows no values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, NoReturn

from onlymove_engines.core.analysis import Report, silent
from onlymove_engines.core.errors import Refuted
from onlymove_engines.core.game import Game
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import other

from .strategy import Entry, Images, Strategy, ahead_by, is_safe

REPORTED = 500
"""Positions checked between two reports."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much was checked, symmetric positions counted once: positions of the side with a move listed, those that a
    move ends well at once, positions of the other side, replies to them. `plies`: the longest way from the start to
    what the side must have; 0 where it has that all along."""

    listed: int
    at_once: int
    others: int
    replies: int
    plies: int


class Holding(Generic[P, M]):
    """A strategy under examination."""

    def __init__(self, game: Game[P, M], strategy: Strategy, report: Report = silent) -> None:
        self.game, self.strategy, self.report = game, strategy, report
        self.rules, self.images = game.rules, Images(game)
        self.listed: dict[P, Entry] = {}
        self.reached: set[P] = set()
        self.at_once: set[P] = set()

    def checked(self) -> Size:
        """Follow every reply from the start on. Raises Refuted."""
        entries = {self.game.notation.parse_position(text): entry for text, entry in self.strategy.entries.items()}
        for position, entry in entries.items():
            self.listed |= dict.fromkeys(self.images.orbit(position), entry)
        start = self.game.default_start()
        plies = 0
        for position in [start] if self.rules.to_move(start) == self.strategy.seat else self._children(start):
            plies = max(plies, self._plies_from(position))
        others, replies = set[P](), 0
        for done, (position, entry) in enumerate(entries.items()):
            if done % REPORTED == 0:
                self.report("checking it by the rules", done / len(entries))
            after = self.rules.play(position, self.game.notation.parse_move(position, entry.move))
            others.add(self._one_of(after))
            replies += self._follow(position, entry, after)
        for position in entries:
            if self.reached.isdisjoint(self.images.orbit(position)):
                self._refute(position, "nothing leads there")
        return Size(len(entries), len(self.at_once), len(others), replies, plies)

    def _follow(self, position: P, entry: Entry, after: P) -> int:
        """Whether whatever is replied ends well, or leads to what is listed and sooner done; counts the replies."""
        replies = [] if self._ends_well(after) else list(self._children(after))
        most = max((2 + self._plies_from(reply) for reply in replies), default=1)
        if entry.plies != (None if self._is_held(position) else most):
            self._refute(position, f"{most} plies are left at most, not {entry.plies}")
        return len(replies)

    def _plies_from(self, position: P) -> int:
        """The plies told of a position in which the side moves, or in which the game is over."""
        if self._ends_well(position):
            return 0
        if self.rules.to_move(position) != self.strategy.seat:
            self._refute(position, "the other side moves there")
        entry = self.listed.get(position)
        if entry is not None:
            self.reached.add(position)
            return entry.plies or 0
        key = self._one_of(position)
        if key not in self.at_once:
            if not any(map(self._is_good, self._children(position))):
                self._refute(position, "no move is given")
            self.at_once.add(key)
        return 0 if self._is_held(position) else 1

    def _children(self, position: P) -> Iterator[P]:
        return (self.rules.play(position, move) for move in self.rules.legal_moves(position))

    def _one_of(self, position: P) -> P:
        """The same one of all images."""
        return min(self.images.orbit(position), key=hash)

    def _is_held(self, position: P) -> bool:
        """Whether the side already has what it must have."""
        return ahead_by(self.game, position, self.strategy.seat) >= self.strategy.least

    def _lead_at_end(self, position: P) -> int | None:
        """What the side has more where the game is over, or what it must have where it cannot have less."""
        if is_safe(self.game, position, self.strategy.seat, self.strategy.least):
            return self.strategy.least
        result = self.rules.result(position)
        if result is None:
            return None
        if self.game.points is None or result.score is None:
            return int(result.outcome_for(self.strategy.seat))
        return result.score[self.strategy.seat] - result.score[other(self.strategy.seat)]

    def _is_good(self, position: P) -> bool:
        """Whether the game is over, and well."""
        end = self._lead_at_end(position)
        return end is not None and end >= self.strategy.least

    def _ends_well(self, position: P) -> bool:
        """Whether the game is over. Raises Refuted where it ended badly."""
        end = self._lead_at_end(position)
        if end is not None and end < self.strategy.least:
            self._refute(position, f"the game ends with {end:+d}, not {self.strategy.least:+d}")
        return end is not None

    def _refute(self, position: P, why: str) -> NoReturn:
        raise Refuted(f"{self.game.id}: at {self.game.notation.format_position(position)}: {why}")
