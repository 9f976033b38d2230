"""How keys are written on the screen, and read back from it."""

from __future__ import annotations

from typing import Final

NAMES: Final = {
    "question_mark": "?",
    "slash": "/",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "escape": "Esc",
    "backspace": "Backspace",
    "enter": "Enter",
    "space": "Space",
    "tab": "Tab",
    "left": "Left",
    "right": "Right",
    "up": "Up",
    "down": "Down",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
}
KEYS: Final = {name: key for key, name in NAMES.items()}


def key_name(key: str) -> str:
    """A key as a player reads it: `?`, `Enter`, `Ctrl+P`, `R`."""
    if key in NAMES:
        return NAMES[key]
    if "+" in key and len(key) > 1:
        return "+".join(part.capitalize() for part in key.split("+"))
    return key.upper() if len(key) > 1 else key


def key_called(name: str) -> str:
    """The key that a player reads as `name`."""
    return KEYS.get(name) or (name.lower() if len(name) > 1 else name)
