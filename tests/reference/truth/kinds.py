"""Reading printed sentences: each kind is a pattern, and what it takes for such a sentence to be true.

A sentence that no pattern fits is as bad as a false one, and so is one that two fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from tests.reference.truth.facts import NoSuchMove, Spot

Check: TypeAlias = Callable[..., bool]
"""Takes what is spoken of, and by name what the groups of the pattern caught."""


class NotUnderstood(Exception):
    """A sentence that no kind fits, or more than one."""


class Kind(NamedTuple):
    """A kind of sentence. In its pattern words in capitals stand for what the game calls things: MOVE, SIDE."""

    pattern: str
    check: Check


class Kinds(list[Kind]):
    """Kinds of sentences, each written above the function that checks it."""

    def says(self, *patterns: str) -> Callable[[Check], Check]:
        """Adds a kind for each of these patterns."""

        def add(check: Check) -> Check:
            self.extend(Kind(pattern, check) for pattern in patterns)
            return check

        return add


@dataclass
class Judged:
    """A move that is spoken of. `before` are the sentences that are printed above the one to check."""

    spot: Spot
    move: str
    before: Sequence[str] = ()

    @property
    def worth(self) -> int:
        """The result that the move leads to."""
        return self.spot.values[self.move].outcome

    @property
    def child(self) -> Spot:
        """The position after the move."""
        return self.spot.children[self.move]

    @property
    def is_slip(self) -> bool:
        """Whether the move gives something away that others keep."""
        return self.move not in self.spot.keeping

    @property
    def is_worse(self) -> bool:
        """Whether the move leads to a worse result than another."""
        return self.worth < self.spot.outcome


@dataclass
class Hinted:
    """A position in which a hint is asked for. `shown` are the moves that its last stage shows as the best."""

    spot: Spot
    shown: Sequence[str] = ()


@dataclass(frozen=True)
class Language:
    """All that may be printed about a game. `words` are patterns for what stands in capitals."""

    words: Mapping[str, str]
    kinds: Sequence[Kind]

    @cached_property
    def patterns(self) -> Sequence[tuple[re.Pattern[str], Kind]]:
        """The kinds, ready to be tried."""

        def word(found: re.Match[str]) -> str:
            return f"(?:{self.words[found[0]]})" if found[0] in self.words else found[0]

        return [(re.compile(re.sub(r"\b[A-Z]{2,}\b", word, kind.pattern)), kind) for kind in self.kinds]

    def fitting(self, sentence: str) -> list[tuple[Kind, Mapping[str, Any]]]:
        """The kinds that a sentence fits, each with what its groups catch."""
        fits = ((kind, pattern.fullmatch(sentence)) for pattern, kind in self.patterns)
        return [(kind, found.groupdict()) for kind, found in fits if found]

    def understood(self, sentence: str) -> tuple[Kind, Mapping[str, Any]]:
        """The kind of a sentence, and what its groups catch. Raises NotUnderstood."""
        fits = self.fitting(sentence)
        if len(fits) != 1:
            raise NotUnderstood(f"{len(fits)} kinds fit: {sentence}")
        return fits[0]

    def is_true(self, subject: object, sentence: str) -> bool:
        """Whether a sentence is true of what it speaks of. Raises NotUnderstood."""
        kind, groups = self.understood(sentence)
        try:
            return kind.check(subject, **groups)
        except NoSuchMove:
            return False
