"""The text being typed on a line, and the fields of a form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from onlymove.pictures.colours import Tone

from onlymove_tui.app.widgets.canvas import Row

Accept = Callable[[str], str]
"""A function that accepts a text and returns an empty one, or returns why the text is refused."""


class Typing:
    """A text that the player types. Enter passes it to `handle_text`. At first, typing replaces all of it."""

    def __init__(self, handle_text: Accept, text: str = "") -> None:
        self.handle_text = handle_text
        self.text = text
        self.at = len(text)
        self.why = ""
        self.is_selected = bool(text)

    def insert(self, signs: str) -> None:
        if self.is_selected:
            self.text, self.at = "", 0
        self._put(self.text[: self.at] + signs + self.text[self.at :], self.at + len(signs))

    def press(self, key: str) -> None:
        """Move the cursor or delete. Other keys do nothing."""
        last = len(self.text)
        moves = {"left": max(0, self.at - 1), "right": min(last, self.at + 1), "home": 0, "end": last}
        if key in moves:
            self.at, self.is_selected = moves[key], False
        elif key == "ctrl+u" or (key == "backspace" and self.is_selected):
            self._put("", 0)
        elif key == "backspace" and self.at:
            self._put(self.text[: self.at - 1] + self.text[self.at :], self.at - 1)
        elif key == "delete":
            self._put(self.text[: self.at] + self.text[self.at + 1 :], self.at)

    def submit(self) -> bool:
        """Return whether `handle_text` accepts the text. If not, the text stays, and `why` gives the reason."""
        self.why = self.handle_text(self.text.strip())
        return not self.why

    def _put(self, text: str, at: int) -> None:
        self.text, self.at, self.why, self.is_selected = text, at, "", False

    def row(self, width: int) -> Row:
        start = max(0, self.at - width + 1)
        tone = Tone.CURRENT if self.is_selected else Tone.STRONG
        shown = f"{self.text} "[start : start + width]
        at = self.at - start
        return [(shown[:at], tone), (shown[at], Tone.CHOSEN), (shown[at + 1 :], tone)]


TITLE_WIDTH, VALUE_COLUMN = 18, 20
"""The columns of a title, and where a value begins. The arrow of the selected field is between them."""


@dataclass(frozen=True, slots=True)
class Field:
    """A line of a form. `choices` are (value, words). If `typed`, the player may type any other text. `meanings`
    explains some values, and `help` is shown for all others."""

    id: str
    title: str
    choices: tuple[tuple[str, str], ...]
    value: str
    help: str = ""
    typed: bool = False
    meanings: tuple[tuple[str, str], ...] = ()

    @property
    def is_open(self) -> bool:
        return self.typed or len(self.choices) > 1

    def step(self, by: int) -> Field:
        values = [value for value, _ in self.choices]
        if not values:
            return self
        at = values.index(self.value) if self.value in values else -1 if by > 0 else 0
        return replace(self, value=values[(at + by) % len(values)])

    def words(self) -> str:
        return next((words for value, words in self.choices if value == self.value), self.value)

    def describe(self) -> str:
        return dict(self.meanings).get(self.value, self.help)

    def row(self, is_marked: bool) -> Row:
        arrows = is_marked and len(self.choices) > 1
        shown = f"◂ {self.words()} ▸" if arrows else f"  {self.words()}"
        return [(self.title.ljust(TITLE_WIDTH), Tone.TEXT), (shown, Tone.KEY if is_marked else Tone.STRONG)]


def read_values(fields: Sequence[Field]) -> dict[str, str]:
    return {field.id: field.value for field in fields}
