"""Reads printed sentences. Each kind of sentence has a pattern and a function that checks whether it is true.

A sentence that fits no pattern, or more than one, counts as a fault, like a false sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from tests.reference.truth.facts import NoSuchMove, Spot

Check: TypeAlias = Callable[..., bool]
"""Takes the subject of a sentence, and the groups of its pattern by name."""


class NotUnderstood(Exception):
    """A sentence fits no kind, or more than one."""


class Kind(NamedTuple):
    """A kind of sentence. Words in capitals in its pattern, such as MOVE and SIDE, stand for the game's own names."""

    pattern: str
    check: Check


class Kinds(list[Kind]):
    """Kinds of sentences. Each is written above the function that checks it."""

    def says(self, *patterns: str) -> Callable[[Check], Check]:
        """Add a kind for each of these patterns."""

        def add(check: Check) -> Check:
            self.extend(Kind(pattern, check) for pattern in patterns)
            return check

        return add


@dataclass
class Judged:
    """A move that a sentence is about."""

    spot: Spot
    move: str

    @property
    def worth(self) -> int:
        """Return the result that the move leads to."""
        return self.spot.values[self.move].outcome

    @property
    def child(self) -> Spot:
        return self.spot.children[self.move]

    @property
    def is_slip(self) -> bool:
        """Whether the move gives away something that other moves keep."""
        return self.move not in self.spot.good_moves

    @property
    def is_worse(self) -> bool:
        """Whether the move leads to a worse result than the best one."""
        return self.worth < self.spot.outcome


@dataclass
class Hinted:
    """A position with a hint. `shown` are the moves that its last stage shows as the best."""

    spot: Spot
    shown: Sequence[str] = ()


@dataclass(frozen=True)
class Language:
    """All sentences that may be printed about a game. `words` are the patterns for the words in capitals."""

    words: Mapping[str, str]
    kinds: Sequence[Kind]

    @cached_property
    def patterns(self) -> Sequence[tuple[re.Pattern[str], Kind]]:
        """Return the compiled patterns with their kinds."""

        def word(found: re.Match[str]) -> str:
            return f"(?:{self.words[found[0]]})" if found[0] in self.words else found[0]

        return [(re.compile(re.sub(r"\b[A-Z]{2,}\b", word, kind.pattern)), kind) for kind in self.kinds]

    def find_kinds(self, sentence: str) -> list[tuple[Kind, Mapping[str, Any]]]:
        """Return the kinds that a sentence fits, each with the groups of its pattern."""
        fits = ((kind, pattern.fullmatch(sentence)) for pattern, kind in self.patterns)
        return [(kind, found.groupdict()) for kind, found in fits if found]

    def find_kind(self, sentence: str) -> tuple[Kind, Mapping[str, Any]]:
        """Return the kind of a sentence, and the groups of its pattern. Raises NotUnderstood."""
        fits = self.find_kinds(sentence)
        if len(fits) != 1:
            raise NotUnderstood(f"{len(fits)} kinds fit: {sentence}")
        return fits[0]

    def is_true(self, subject: object, sentence: str) -> bool:
        """Whether a sentence is true of its subject. Raises NotUnderstood."""
        kind, groups = self.find_kind(sentence)
        try:
            return kind.check(subject, **groups)
        except NoSuchMove:
            return False
