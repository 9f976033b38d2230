"""The themes of the app: the colours of `onlymove.pictures.colours` as styles of Rich and as themes of Textual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from onlymove.pictures.colours import ANSI, LIGHT, NAMES, USUAL, AnyTone, On, Tone, colour, split_ink
from onlymove_engines.core.scene import GROUNDS, Role
from rich.style import Style
from textual.app import App
from textual.theme import BUILTIN_THEMES, Theme

from onlymove_tui.play.keys import Key


@cache
def style(tone: AnyTone | Key, theme: str) -> Style:
    """Return the style of a tone in a theme. Plain text has the colours of its widget."""
    if isinstance(tone, On):
        ink, ground = style(tone.ink, theme), style(tone.ground, theme)
        if theme == ANSI and tone.ground is Role.BLACK and tone.ink in (Tone.TEXT, Role.BLACK):
            return ink  # The hole tells a black marble from a white one.
        if theme == ANSI and tone.ground not in GROUNDS:
            # With its colours reversed, a piece looks like ground even without a theme.
            return ink + Style(color=ground.color, bgcolor=ink.color, reverse=True)
        return ink + Style(bgcolor=ground.color)
    name, attributes = split_ink(Tone.KEY if isinstance(tone, Key) else tone)
    return Style.parse(f"{'' if name == 'text' else colour(name, theme)} {attributes}")


SIGNS: Final = str.maketrans("●○", "○●")
"""On a light background a ring shows White, and a disc Black."""


def swap_sign(text: str, tone: AnyTone | Key) -> tuple[str, AnyTone | Key]:
    """Return the symbol and tone of a white or black side for a light background. Other text stays as it is.

    >>> swap_sign("● ", Role.WHITE_SIGN)
    ('○ ', <Tone.TEXT: 'text'>)
    """
    is_sign = tone in (Role.WHITE_SIGN, Role.BLACK_SIGN) and text[:1] in "●○"
    return (text.translate(SIGNS), Tone.TEXT) if is_sign else (text, tone)


def describe_theme(name: str, has_own_colours_only: bool) -> str:
    """Return a theme's name for a list of choices. It says if this terminal does not have the theme's colours.

    >>> describe_theme("light", False), describe_theme("light", True), describe_theme("ansi", True)
    ('light', 'light (not here)', 'ansi')
    """
    return f"{name} (not here)" if has_own_colours_only and name != ANSI else name


def find_theme_id(app: App[object]) -> str:
    return ANSI if app.ansi_color else app.theme


OWN = ("ansi-dark", "textual-ansi")
"""Textual's themes in the terminal's own colours: the one since 8.2.5, and the one before."""


def themes() -> Sequence[Theme]:
    """Return the themes of the app as Textual themes."""

    def theme(name: str) -> Theme:
        return Theme(
            name,
            primary=colour("accent", name),
            foreground=colour("text", name),
            background=colour("background", name),
            surface=colour("background", name),
            panel=colour("panel", name),
            boost=colour("raised", name),
            error=colour("error", name),
            dark=name != LIGHT,
            variables={"grid": colour("grid", name)},
        )

    own = next(BUILTIN_THEMES[name] for name in OWN if name in BUILTIN_THEMES)
    own = replace(own, name=ANSI, variables={**own.variables, "grid": "ansi_default"})
    return [*(theme(name) for name in NAMES if name != ANSI), own]


def find_theme(name: str) -> str:
    """Return the theme that a setting asks for, which need not exist. An empty setting asks for the usual one."""
    return name or USUAL
