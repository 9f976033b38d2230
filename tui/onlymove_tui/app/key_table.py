"""Which key carries out which command, on a screen at one moment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from onlymove_tui.app import commands
from onlymove_tui.app.commands import Keymap


class KeyTable:
    """The keys of the commands in a set under the player's keymap, as far as they work now. `possible` says of actions
    that are not always possible whether they are. A key that the screen uses itself (`is_own`) is no key of a command.
    If `only` is given, no other commands work."""

    def __init__(
        self,
        command_set: str,
        keymap: Keymap,
        possible: Mapping[str, bool],
        is_own: Callable[[str], bool] = lambda _: False,
        only: Collection[str] | None = None,
    ) -> None:
        self.command_set = command_set
        self.keymap = keymap
        self.is_own = is_own
        self.by_key: Mapping[str, str] = {
            key: command.id
            for key, command in commands.keys_on(command_set, keymap).items()
            if possible.get(command.name, True)
            and commands.is_free(key, command, is_own)
            and (only is None or command.id in only)
        }
        """The command of each key that does something now."""

    def find(self, key: str) -> str | None:
        """Return the command of a key, perhaps typed with Caps Lock."""
        small = commands.find_small_letter(key, self.command_set, self.keymap)
        return self.by_key.get(key) or self.by_key.get(small)

    @cached_property
    def by_command(self) -> Mapping[str, str]:
        """The first key of each command that can be carried out now."""
        keys, working = commands.keys_by_command(self.command_set, self.keymap), self.by_key
        return {name: next(key for key in keys[name] if key in working) for name in dict.fromkeys(working.values())}

    def name_key(self, command: str) -> str:
        """Return the name of a command's key, for sentences, footers and pages, also if it does not work now."""
        return commands.name_key(command, self.command_set, self.keymap, self.is_own)

    def choose_answers(self, asked: str, others: Sequence[str]) -> list[tuple[str, str]]:
        """Return (command, word) for a question: the command that it asks about confirms it, and every other cancels
        it. The first of `others` that works now is named for that."""
        cancels = next((name for name in others if name in self.by_command and name != asked), "")
        return [(asked, "confirm"), *([(cancels, "cancel")] if cancels else [])]

    def choose_words(self, named: Sequence[str], own_words: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
        """Return (command, word) for those among `named` that work now, for a footer. Of too many, some in the middle
        are left out. `own_words` are words that differ from the commands' usual ones."""
        words = {name: commands.BY_ID[name].word for name in named if name in self.by_command}
        found = [(name, (own_words or {}).get(name, word)) for name, word in words.items()]
        if len(found) <= commands.MAX_NAMED:
            return found
        return [*found[: commands.MAX_NAMED - commands.ALWAYS], *found[-commands.ALWAYS :]]
