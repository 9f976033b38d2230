"""Commands of line mode. A sentence there holds the ids of the commands that it names, and their words are put in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from onlymove_tui.play.keys import Phrase, to_text

QUIT = "quit"
"""The word that leaves line mode."""


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
    """Return a sentence as text, in which each command has its word.

    >>> from onlymove_tui.play.keys import phrase
    >>> spell(phrase("Type {back}."), {"rethink": LineCommand("back", print)})
    'Type rethink.'
    """
    by_id = {command.id: word or "Enter" for word, command in commands.items()}
    return to_text(words, lambda name: by_id.get(name, f"{{{name}}}"))


def list_words(commands: LineCommands) -> str:
    """Return the words of these commands for the help. A command that takes a text comes twice, without and with it."""
    return ", ".join(
        part
        for word, command in commands.items()
        if word
        for part in (word, *([f"{word} {command.argument}"] if command.argument else []))
    )
