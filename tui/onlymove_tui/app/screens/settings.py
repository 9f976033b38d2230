"""The form of settings. Each change takes effect at once, and is saved in the settings file."""

from __future__ import annotations

import enum

from onlymove.pictures.colours import NAMES, Tone
from onlymove_engines.coach.judge import OnBad
from onlymove_engines.core.judgement import Objective

from onlymove_tui.app.screens.list_screen import STRENGTHS, FormScreen, show_usual_start
from onlymove_tui.app.themes import describe_theme, find_theme
from onlymove_tui.app.widgets.fields import Field
from onlymove_tui.store.settings import BadSetting, Bell, Switch, convert, describe_setting, setting_types

HIDDEN = ("keymap", "think", "depth", "kiosk", "kiosk_copy", "kiosk_memory", "idle_minutes", "style")
"""Settings that the form leaves out. The keymap and the limits of engines are set in the file, those of a kiosk by its
host, and the style together with the game."""
TITLES = {
    "ascii": "ASCII only",
    "plain": "Line mode",
    "bell": "Bell at your turn",
    "on_bad": "Bad moves",
    "undo_limit": "Second chances",
    "objective": "Train for",
    "hint_straight": "Full hint at once",
    "drill_goal": "Drill goals",
    "slow_by": "Slow move from",
    "strength": "Engine strength",
    "compile_ahead": "Compile early",
}
OWN_COLOURS = "This terminal has too few colours for a theme."
WORDS = {
    OnBad.ASK: "stop",
    OnBad.UNDO: "take back",
    OnBad.MARK: "point out",
    OnBad.OFF: "ignore",
    Objective.RESULT: "the result",
    Objective.MARGIN: "every point",
    Switch.AUTO: "auto",
    Bell.SHARED: "games with people",
    Bell.ALL: "all games",
}
"""Clearer words for values whose own name says too little."""


class SettingsScreen(FormScreen, screen_id="settings"):
    """Changes the settings. Left, Right and Enter change the selected one."""

    footer_names = ("change", "type_value", "leave", "help")
    title_row = (("Settings", Tone.TITLE), ("  saved for next time", Tone.DIM))
    group_ends = ("ascii", "slow_by")
    has_picture, picture_title = True, "For example"

    def draw(self) -> None:
        """Show the settings as they are now, because the palette can change them over this screen."""
        self.all_fields = {key: self.make_field(key) for key in setting_types() if key not in HIDDEN}
        super().draw()

    def show_marked(self) -> None:
        super().show_marked()
        show_usual_start(self, self.services.library.list_facts()[0].id)

    def make_field(self, key: str) -> Field:
        value = getattr(self.services.preferences.settings, key)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        title = TITLES.get(key, key.capitalize())
        about = OWN_COLOURS if key == "theme" and self.services.has_own_colours_only else describe_setting(key)
        return Field(key, title, self.choices_of(key, value), format_value(value), about, typed=is_number)

    def choices_of(self, key: str, value: object) -> tuple[tuple[str, str], ...]:
        if key == "theme":
            is_own = self.services.has_own_colours_only
            now = find_theme(str(value))
            return tuple((str(value) if name == now else name, describe_theme(name, is_own)) for name in NAMES)
        if isinstance(value, bool):
            return (("true", "on"), ("false", "off"))
        if isinstance(value, enum.Enum):
            return tuple((member.value, WORDS.get(member, member.value)) for member in type(value))
        return tuple((str(number), str(number)) for number in (STRENGTHS if key == "strength" else range(1, 11)))

    def refusal(self, field: Field) -> str:
        try:
            convert(field.id, field.value, field.title, strict=False)
        except BadSetting as refusal:
            return refusal.why
        return ""

    def field_changed(self, field: Field) -> None:
        self.services.change_setting(field.id, field.value)
        origin = self.services.preferences.origin(field.id)
        if origin.is_override:
            self.message = [(f"{origin.place} will override this the next time you start.", Tone.SLIP)]


def format_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value.value) if isinstance(value, enum.Enum) else str(value)
