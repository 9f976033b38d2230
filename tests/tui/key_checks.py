"""Checks that the keys which a screen names are the keys of their commands, and presses keys by what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.commands import BY_ID, TYPING_KEYS, key_name, keys_on
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.widgets.canvas import Canvas
from onlymove_tui.play.keys import Key
from textual.pilot import Pilot

from tests.tui.pilots import make_key, press, settle

SPOKEN = re.compile(r"\b[Pp]ress (\S+?)[.,:;]? ")
"""A sentence that says to press something."""
SAYING = ("notice", "message")
"""The widgets that show messages."""
NO_KEY = ("an", "Enter")
"""What else may be pressed: an arrow key, and what ends any animation."""


def visible_canvases(app: OnlymoveApp) -> list[Canvas]:
    return [canvas for canvas in app.screen.query(Canvas) if canvas.region.area and canvas.display]


def find_wrong_keys(app: OnlymoveApp) -> Iterator[str]:
    """Yield what is wrong with the keys that the open screen names."""
    screen = app.screen
    assert isinstance(screen, BaseScreen)
    is_early = isinstance(screen, BoardScreen) and not screen.guard.is_open
    possible = {key_name(key) for key in screen.key_table.by_key} | {key_name(key) for key in TYPING_KEYS.values()}
    for canvas in visible_canvases(app):
        rows = canvas.rows()
        for text, tone in (run for row in rows for run in row):
            if isinstance(tone, Key) and not (is_early and not text.strip()):
                yield from find_wrong_key(screen, tone.command, text)
        sentence = " ".join(" ".join("".join(text for text, _ in row).split()) for row in rows) + " "
        for spoken in SPOKEN.findall(sentence):
            if spoken not in possible and spoken not in NO_KEY and not spoken.startswith("("):
                yield f"'{spoken}' is to be pressed, but does nothing: {sentence}"


def find_wrong_key(screen: BaseScreen, command: str, text: str) -> Iterator[str]:
    key = screen.find_key(command)
    if key is None:
        is_possible = command in BY_ID and screen.check_actions().get(BY_ID[command].name, True)
        if not is_possible or text in map(key_name, screen.key_table.by_key):
            yield f"{command} is named {text!r}, but has no key"
    elif text != key_name(key):
        yield f"{command} is named {text!r} and has the key {key_name(key)!r}"
    elif screen.typing is None and screen.find_command(key) != command:
        yield f"{text!r} is {screen.find_command(key)}, not {command}"


async def press_meant(pilot: Pilot[Any], *usual: str) -> None:
    """Press keys by their usual names, for what they usually do. If the player has another key for that, press it. If
    the player has none, do it without a key."""
    for name in usual:
        screen, key = pilot.app.screen, make_key(name).key
        assert isinstance(screen, BaseScreen)
        meant = None if screen.typing is not None else keys_on(screen.command_set, ()).get(key)
        if meant is None or screen.find_own_keys()(key):
            await press(pilot, name)
        elif (own := screen.find_key(meant.id)) is not None:
            await press(pilot, own)
        elif screen.check_actions().get(meant.name, True):
            pilot.app.call_later(screen.do, meant)
            await settle(pilot)


async def carry_out(pilot: Pilot[Any], command: str) -> None:
    """Press the key of a command."""
    screen = pilot.app.screen
    assert isinstance(screen, BaseScreen)
    key = screen.find_key(command)
    assert key is not None, f"{command} is not possible in {screen.command_set}"
    await press(pilot, key)
    await settle(pilot)


def signature(app: OnlymoveApp, with_message: bool = True) -> object:
    """Return what a player can see of an app: the open screens, and every cell of the one on top. Without the message,
    the lines that say something are left out."""
    screen = app.screen
    canvases = [canvas for canvas in visible_canvases(app) if with_message or canvas.id not in SAYING]
    drawn = [(canvas.id, [list(canvas.render_line(y)) for y in range(canvas.size.height)]) for canvas in canvases]
    return app.return_code, [id(each) for each in app.screen_stack], getattr(screen, "typing", None) is None, drawn


def list_named(app: OnlymoveApp) -> list[str]:
    """Return the commands whose keys the open screen names, in its footer or elsewhere."""
    runs = [run for canvas in visible_canvases(app) for row in canvas.rows() for run in row]
    return list(dict.fromkeys(tone.command for _, tone in runs if isinstance(tone, Key)))


def list_footer(app: OnlymoveApp) -> list[str]:
    """Return the commands in the footer of the open screen."""
    assert isinstance(app.screen, BaseScreen)
    return [command for command, _ in app.screen.footer()]
