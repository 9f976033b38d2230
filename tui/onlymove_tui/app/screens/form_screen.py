"""A screen that is a form: lines to step through, values to change or to type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.widget import Widget
from textual.widgets import Input

from onlymove_tui.app.messages import Opened
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.app.widgets.bars import TitleBar
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.form import Field
from onlymove_tui.app.widgets.panel import Lines
from onlymove_tui.app.widgets.tones import Tone


class ValueInput(Input):
    """A typed value; its cursor does not blink."""

    def __init__(self) -> None:
        super().__init__(id="typed", compact=True)
        self.cursor_blink = False

    def key_escape(self) -> None:
        """Give the keys back to the form."""
        self.screen.set_class(False, "-typing")
        self.screen.set_focus(None)


class FormScreen(BaseScreen):
    """Subclasses say which fields there are and what changing one does."""

    heading: Row = ()
    button = ""

    def __init__(self) -> None:
        super().__init__()
        self.fields: list[Field] = []
        self.message: Row = ()

    def content(self) -> Iterable[Widget]:
        """Title, fields, one line of help."""
        yield TitleBar()
        yield Choices("form")
        yield Lines("message")
        yield ValueInput()

    def on_mount(self) -> None:
        """Show the fields."""
        self.query_one(TitleBar).show(self.heading)
        self.show_fields()

    def show_fields(self) -> None:
        """The fields as they stand, the button first where there is one."""
        choices = self.query_one(Choices)
        first = 1 if self.button else 0
        entries: list[Sequence[Row]] = [[[(self.button, Tone.STRONG)], []]] if self.button else []
        entries += [[field.row(choices.marked == place + first)] for place, field in enumerate(self.fields)]
        choices.show(entries)
        marked = self.marked_field()
        line: Row = self.message or ([(marked.help, Tone.DIM)] if marked is not None else [])
        self.query_one("#message", Lines).show([[("   ", Tone.TEXT), *line]])
        self.show_keys()

    def marked_place(self) -> int:
        """The index of the marked field; -1 on the button."""
        return self.query_one(Choices).marked - (1 if self.button else 0)

    def marked_field(self) -> Field | None:
        """The marked field; `None` on the button."""
        place = self.marked_place()
        return self.fields[place] if 0 <= place < len(self.fields) else None

    def action_step(self, by: int) -> None:
        """Up or down."""
        choices = self.query_one(Choices)
        choices.mark((choices.marked + by) % max(1, len(choices.entries)))
        self.message = ()
        self.show_fields()

    def on_opened(self, message: Opened) -> None:
        """A click marks a line; on the marked line it changes the value."""
        choices = self.query_one(Choices)
        if choices.marked == message.index:
            self.clicked()
            return
        choices.mark(message.index)
        self.show_fields()

    def clicked(self) -> None:
        """The marked line was clicked."""
        self.action_change(1)

    def action_change(self, by: int) -> None:
        """The next or previous choice of the marked field."""
        field = self.marked_field()
        if field is not None:
            self.put(field.stepped(by))

    def put(self, field: Field) -> None:
        """A field has a new value."""
        self.message = ()
        self.fields = [field if old.id == field.id else old for old in self.fields]
        self.changed(field)
        self.show_fields()

    def changed(self, field: Field) -> None:
        """What follows from a new value."""

    def action_type_value(self) -> None:
        """Open the line for a typed value."""
        field = self.marked_field()
        if field is None or not field.typed:
            return
        typed = self.query_one(ValueInput)
        typed.value = field.value
        typed.placeholder = field.title
        self.set_class(True, "-typing")
        typed.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Take what was typed."""
        field = self.marked_field()
        self.query_one(ValueInput).key_escape()
        if field is not None:
            self.put(field.with_value(message.value.strip()))

    def is_possible(self, action: str) -> bool:
        """Typing is offered where it helps."""
        field = self.marked_field() if self.is_built else None
        return action != "type_value" or (field is not None and field.typed)
