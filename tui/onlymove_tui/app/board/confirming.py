"""Commands that want their key twice. Knows none of them."""

from __future__ import annotations

from collections.abc import Callable


class Confirming:
    """The command that was asked about last; `means` tells whether a key is that of a command."""

    def __init__(self, means: Callable[[str, str], bool]) -> None:
        self._means = means
        self._asked = ""

    def is_given(self, command: str) -> bool:
        """Whether this command was asked about just before; if not, it is now."""
        was_asked = self._asked == command
        self._asked = "" if was_asked else command
        return was_asked

    def is_withdrawn(self, key: str) -> bool:
        """Any other key goes on. Returns whether that ended a question."""
        is_other = bool(self._asked) and not self._means(key, self._asked)
        if is_other:
            self._asked = ""
        return is_other

    def forget(self) -> None:
        """Nothing is asked any more."""
        self._asked = ""
