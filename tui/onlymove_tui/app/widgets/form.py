"""Settings of any kind as lines: a title, a value that is changed with left and right or typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.typing import Typing

TITLE_WIDTH = 18
VALUE_INDENT = 2
"""Columns between title and value, in which the marked field has its arrow."""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a form. `choices` are (value, words) in turn; with `typed` any text may stand instead.
    `meanings` says of a value what it is; of others there is `help`."""

    id: str
    title: str
    choices: tuple[tuple[str, str], ...]
    value: str
    help: str = ""
    typed: bool = False
    meanings: tuple[tuple[str, str], ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether there is anything to choose."""
        return self.typed or len(self.choices) > 1

    @property
    def has_others(self) -> bool:
        """Whether there is a choice to step to."""
        return any(value != self.value for value, _ in self.choices)

    def stepped(self, by: int) -> Field:
        """The next or previous choice, round and round."""
        values = [value for value, _ in self.choices]
        if not values:
            return self
        at = values.index(self.value) if self.value in values else -1 if by > 0 else 0
        return replace(self, value=values[(at + by) % len(values)])

    def with_value(self, value: str) -> Field:
        """Another value."""
        return replace(self, value=value)

    def words(self) -> str:
        """The value as a player reads it."""
        return next((words for value, words in self.choices if value == self.value), self.value)

    def about(self) -> str:
        """What the value means, else what the field is for."""
        return dict(self.meanings).get(self.value, self.help)

    def row(self, is_marked: bool) -> Row:
        """The line."""
        arrows = is_marked and len(self.choices) > 1
        shown = f"◂ {self.words()} ▸" if arrows else f"  {self.words()}"
        return [(self.title.ljust(TITLE_WIDTH), Tone.TEXT), (shown, Tone.KEY if is_marked else Tone.STRONG)]

    def typing_row(self, typing: Typing, width: int) -> Row:
        """The line while its value is being typed."""
        room = max(1, width - TITLE_WIDTH - VALUE_INDENT)
        return [(self.title.ljust(TITLE_WIDTH + VALUE_INDENT), Tone.TEXT), *typing.row(room)]


def values_of(fields: Sequence[Field]) -> dict[str, str]:
    """The values by id."""
    return {field.id: field.value for field in fields}
