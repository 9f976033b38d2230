"""The base of forms: lines to step through, values to change or type, and a panel that explains them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from onlymove_engines.core.errors import as_sentence
from textual.widget import Widget

from onlymove_tui.app.base_screen import LEAST_WIDTH, BaseScreen
from onlymove_tui.app.messages import Opened
from onlymove_tui.app.panels.markdown import READABLE, paragraph_rows
from onlymove_tui.app.screens.list_screen import PictureBeside
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.bars import Lines, Panel
from onlymove_tui.app.widgets.board_view import SmallBoard
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT
from onlymove_tui.app.widgets.fields import VALUE_COLUMN, Field

PICTURED = 110
"""With at least this many columns, there is space for a form and a board."""


class FormScreen(BaseScreen):
    """The base of forms. A subclass provides `all_fields`, says which of them do not apply (`idle`) and why a typed
    value is not valid (`refusal`), and handles a changed field. Enter on the `button` starts. If there is space, a gap
    follows each field in `group_ends`."""

    button = ""
    about = ""
    """The title of the panel that describes the form as a whole."""
    group_ends: ClassVar[Sequence[str]] = ()
    has_picture = False
    picture_title = ""

    def __init__(self) -> None:
        super().__init__()
        self.all_fields: list[Field] = []
        self.picture = PictureBeside(self)

    @property
    def fields(self) -> list[Field]:
        idle = self.idle()
        return [field for field in self.all_fields if field.id not in idle]

    def idle(self) -> Collection[str]:
        """Return the ids of fields that do not apply with the current values of the others."""
        return ()

    def draw(self) -> None:
        choices, first, fields = self.choices, self.first_place, self.fields
        entries: list[Sequence[Row]] = [[[(self.button, Tone.STRONG)], []]] if self.button else []
        rows = [self.row_of(field, choices.marked == place + first) for place, field in enumerate(fields)]
        has_gaps = choices.size.height >= len(rows) + len(self.group_ends)
        ends = self.group_ends if has_gaps else ()
        entries += [[row, []] if field.id in ends else [row] for field, row in zip(fields, rows, strict=True)]
        choices.show(entries)

    def row_of(self, field: Field, is_marked: bool) -> Row:
        if is_marked and self.typing is not None:
            space = (self.choices.size.width or LEAST_WIDTH) - INDENT - VALUE_COLUMN
            return [(field.title.ljust(VALUE_COLUMN), Tone.TEXT), *self.typing.row(max(1, space))]
        return field.row(is_marked)

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(Lines("help"), id="help-panel")
        if self.has_picture:
            yield Panel(SmallBoard(), id="picture-panel", title=self.picture_title)

    def message_rows(self) -> Sequence[Row]:
        return ()

    def size_classes(self) -> dict[str, bool]:
        is_pictured = self.is_framed and self.has_picture and self.app.size.width >= PICTURED
        return {**super().size_classes(), "-pictured": is_pictured}

    def show_marked(self) -> None:
        text, tone = self.describe_state()
        panel, field = self.query_one("#help-panel", Panel), self.marked_field()
        panel.set_title(self.about if field is None else field.title.strip())
        width = panel.content_size.width or LEAST_WIDTH - 8
        lines = paragraph_rows(text, min(READABLE, width)) if text else ()
        self.query_one("#help", Lines).show([[(run, tone) for run, _ in line] for line in lines])

    def describe_state(self) -> tuple[str, AnyTone]:
        if self.typing is not None and self.typing.why:
            return self.typing.why, Tone.ERROR
        if self.message:
            return "".join(text for text, _ in self.message), self.message[0][1]
        field = self.marked_field()
        return ("" if field is None else as_sentence(field.describe())), Tone.DIM

    @property
    def first_place(self) -> int:
        return 1 if self.button else 0

    def marked_field(self) -> Field | None:
        """Return the selected field, or `None` on the button."""
        place, fields = self.choices.marked - self.first_place, self.fields
        return fields[place] if 0 <= place < len(fields) else None

    def find_field(self, field_id: str) -> Field:
        return next(field for field in self.all_fields if field.id == field_id)

    def action_step(self, by: int) -> None:
        self.step(by)
        self.say("")

    def on_opened(self, message: Opened) -> None:
        """Select the clicked line and cancel typing. If the line is selected already, change its value."""
        self.typing = None
        if self.choices.marked == message.index:
            self.action_change(1) if self.marked_field() else self.action_start()
        else:
            self.choices.mark(message.index)
            self.say("")

    def action_change(self, by: int) -> None:
        field = self.marked_field()
        if field is not None:
            self.set_field(field.step(by))

    def set_field(self, field: Field) -> None:
        """Give a field its new value. The selection stays on its line, even if lines above it come or go."""
        marked = self.marked_field()
        self.message = ()
        self.remember(field)
        self.field_changed(field)
        self.draw()
        if marked is not None:
            self.choices.mark([shown.id for shown in self.fields].index(marked.id) + self.first_place)
        self.mark_changed()

    def remember(self, field: Field) -> None:
        self.all_fields = [field if old.id == field.id else old for old in self.all_fields]

    def action_start(self) -> None:
        """Do what the button says."""

    def field_changed(self, field: Field) -> None:
        """Handle the new value of a field."""

    def refusal(self, field: Field) -> str:
        """Return why the value of a field is not valid, or an empty text if it is valid."""
        return ""

    def action_type_value(self) -> None:
        field = self.marked_field()
        if field is not None and field.typed:
            self.type_text(partial(self.set_typed_value, field.id), field.value)

    def set_typed_value(self, field_id: str, text: str) -> str:
        """Give the typed value to the field where typing began. If it is not valid, return the reason."""
        field = replace(self.find_field(field_id), value=text)
        why = self.refusal(field)
        if not why:
            self.set_field(field)
        return why

    def check_actions(self) -> dict[str, bool]:
        field = self.marked_field() if self.is_built else None
        return {
            "change": field is not None and any(value != field.value for value, _ in field.choices),
            "type_value": field is not None and field.typed,
        }
