"""A screen that is a form: lines to step through, values to change or to type, and a panel that tells about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import ClassVar

from textual import events
from textual.widget import Widget

from onlymove_tui.app.base_screen import LEAST_WIDTH, BaseScreen
from onlymove_tui.app.messages import Opened
from onlymove_tui.app.panels.markdown import READABLE, paragraph_rows
from onlymove_tui.app.screens.saved_games import PictureBeside
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.bars import Lines, Panel
from onlymove_tui.app.widgets.board import SmallBoard
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT, Choices
from onlymove_tui.app.widgets.fields import Field

PICTURED = 110
"""Columns from which there is room for a form and a board."""


class FormScreen(BaseScreen):
    """Subclasses say which fields there are, which of `all_fields` are idle as the others stand, why a typed value is
    none, and what changing a field does. Enter on the `button` starts. After the fields of `group_ends` stands a gap,
    where there is room for it."""

    button = ""
    about = ""
    """What the panel is called that tells about the whole form."""
    group_ends: ClassVar[Sequence[str]] = ()
    has_picture = False
    picture_title = ""

    def __init__(self) -> None:
        super().__init__()
        self.all_fields: list[Field] = []
        self.picture = PictureBeside(self, self.show_marked)

    @property
    def fields(self) -> list[Field]:
        idle = self.idle()
        return [field for field in self.all_fields if field.id not in idle]

    def idle(self) -> Collection[str]:
        """Ids of fields that do not matter as the others stand."""
        return ()

    def main(self) -> Iterable[Widget]:
        yield Choices("list")

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
            return field.typing_row(self.typing, (self.choices.size.width or LEAST_WIDTH) - INDENT)
        return field.row(is_marked)

    def beside(self) -> Iterable[Widget]:
        """What the marked field is about, and a board that shows what the fields come to."""
        yield Panel(Lines("help"), id="help-panel")
        if self.has_picture:
            yield Panel(SmallBoard(), id="picture-panel", title=self.picture_title)

    def message_rows(self) -> Sequence[Row]:
        return ()

    def on_resize(self, event: events.Resize) -> None:
        """A board stands beside where a form leaves room for one."""
        self.set_class(self.is_framed and self.has_picture and event.size.width >= PICTURED, "-pictured")

    def show_marked(self) -> None:
        text, tone = self.remark()
        panel, field = self.query_one("#help-panel", Panel), self.marked_field()
        panel.set_title(self.about if field is None else field.title.strip())
        width = panel.content_size.width or LEAST_WIDTH - 2 * INDENT
        lines = paragraph_rows(text, min(READABLE, width)) if text else ()
        self.query_one("#help", Lines).show([[(run, tone) for run, _ in line] for line in lines])

    def remark(self) -> tuple[str, AnyTone]:
        """Why what was typed is refused, what was said last, or what the marked field is about."""
        if self.typing is not None and self.typing.why:
            return self.typing.why, Tone.ERROR
        if self.message:
            return "".join(text for text, _ in self.message), self.message[0][1]
        field = self.marked_field()
        return ("" if field is None else field.describe()), Tone.DIM

    @property
    def first_place(self) -> int:
        return 1 if self.button else 0

    def marked_field(self) -> Field | None:
        """The marked field; `None` on the button."""
        place, fields = self.choices.marked - self.first_place, self.fields
        return fields[place] if 0 <= place < len(fields) else None

    def find_field(self, field_id: str) -> Field:
        return next(field for field in self.all_fields if field.id == field_id)

    def action_step(self, by: int) -> None:
        self.step(by)
        self.say("")

    def on_opened(self, message: Opened) -> None:
        """A click marks a line; on the marked line it changes the value. It gives up what was being typed."""
        self.typing = None
        if self.choices.marked == message.index:
            self.action_change(1) if self.marked_field() else self.action_start()
        else:
            self.choices.mark(message.index)
            self.say("")

    def action_change(self, by: int) -> None:
        field = self.marked_field()
        if field is not None:
            self.put(field.step(by))

    def put(self, field: Field) -> None:
        self.message = ()
        self.remember(field)
        self.field_changed(field)
        self.changed()

    def remember(self, field: Field) -> None:
        self.all_fields = [field if old.id == field.id else old for old in self.all_fields]

    def action_start(self) -> None:
        """What the button does."""

    def field_changed(self, field: Field) -> None:
        """What follows from a new value."""

    def refusal(self, field: Field) -> str:
        """Why the value of a field is none; empty for one that is."""
        return ""

    def action_type_value(self) -> None:
        field = self.marked_field()
        if field is not None and field.typed:
            self.type_text(partial(self.take, field.id), field.value)

    def take(self, field_id: str, text: str) -> str:
        """A value was typed for the field that it was begun on: taken, or why not."""
        field = self.find_field(field_id).replace_value(text)
        why = self.refusal(field)
        if not why:
            self.put(field)
        return why

    def is_possible(self, action: str) -> bool:
        """Choices are offered where there are any, typing where it helps."""
        field = self.marked_field() if self.is_built else None
        if action == "change":
            return field is not None and field.has_other_choices
        return action != "type_value" or (field is not None and field.typed)
