"""How well a line says what is typed to find it. Case and accents do not matter."""

from __future__ import annotations

import re

from onlymove_tui.terminal.ascii import plain


def stems(text: str) -> list[str]:
    """The words and numbers of a text, in small letters without accents."""
    return re.findall(r"\w+", plain(text).casefold())


def says(said: str, sought: str) -> bool:
    """Whether every word that is sought stands somewhere in what is said."""
    there = plain(said).casefold()
    return all(word in there for word in plain(sought).casefold().split())


def rank(sought: str, text: str, names: str) -> int | None:
    """Where a line belongs among those found: those whose `names` begin so first, then those whose `text` does, then
    those with all words anywhere. `None`: some word that is sought begins none of its words."""
    wanted, named, told = stems(sought), stems(names), stems(text)
    if not all(any(word.startswith(part) for word in (*named, *told)) for part in wanted):
        return None
    first = wanted[0] if wanted else ""
    if all(any(word.startswith(part) for word in named) for part in wanted):
        return 0
    return 1 if told and told[0].startswith(first) else 2
