"""Commands of line mode. A sentence there holds the ids of the commands that it names, and their words are put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from onlymove_tui.play.keys import Key, Phrase, split_phrase, to_text

QUIT = "quit"
"""The word that leaves line mode."""
TYPED = {"Press ": "Type ", "press ": "type "}
PRESSED = re.compile(r"\b[Pp]ress $")
"""What a sentence says before a key, and what line mode says before a word."""


class LineCommand(NamedTuple):
    """A command of line mode. `id` names it in sentences: as in the app's keymap, if the app has it too. `read` takes
    the text after the word. In the help, `argument` stands for that text."""

    id: str
    run: Callable[[], None]
    argument: str = ""
    read: Callable[[str], None] | None = None


LineCommands: TypeAlias = Mapping[str, LineCommand]
"""Commands by the word that the player types, in the order of the help. The empty word is the Enter key."""


def spell(words: Phrase, commands: LineCommands) -> str:
    """Return a sentence as text, in which each command has its word. A word is typed where the app has a key to press.
    Only Enter is pressed here too.

    >>> from onlymove_tui.play.keys import phrase
    >>> commands = {"rethink": LineCommand("back", print), "": LineCommand("choose", print)}
    >>> spell(phrase("Press {back}, or press {choose}."), commands)
    'Type rethink, or press Enter.'
    """
    by_id = {command.id: word or "Enter" for word, command in commands.items()}
    parts = split_phrase(words)
    typed = tuple(
        PRESSED.sub(lambda found: TYPED[found[0]], part)
        if isinstance(part, str) and isinstance(following, Key) and by_id.get(following.command) != "Enter"
        else part
        for part, following in zip_longest(parts, parts[1:])
    )
    return to_text(typed, lambda name: by_id.get(name, f"{{{name}}}"))


def list_words(commands: LineCommands) -> str:
    """Return the words of these commands for the help. A command that takes a text comes twice, without and with it."""
    return ", ".join(
        part
        for word, command in commands.items()
        if word
        for part in (word, *([f"{word} {command.argument}"] if command.argument else []))
    )
