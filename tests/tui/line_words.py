"""Finds the words that line mode tells a player to type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

OFFERED = re.compile(r"\b[Tt]ype (?:a move, or )?one of: ([^.]*)\.|\b[Tt]ype (?!a move)([a-z][^.]*)\.")


def find_offered_words(lines: Iterable[str]) -> Iterator[str]:
    """Yield the words that these lines offer, each once: those in a list of all words, and those in a sentence such as
    `Type undo to go back, or quit to leave.` The Enter key is an empty word."""
    found: dict[str, None] = {}
    for line in lines:
        found |= dict.fromkeys([""] if "Press Enter" in line else [])
        for listed, said in OFFERED.findall(line):
            found |= dict.fromkeys(
                listed.split(", ") if listed else [said.split()[0], *re.findall(r"\bor (\w+)", said)]
            )
    yield from found
