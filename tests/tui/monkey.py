"""Presses random keys on every screen, and checks after each key what must always be true.

The monkey knows no game and no screen. Most of its keys do something on the open screen. It also presses several keys
at once, clicks, pastes text, and changes the size of the terminal.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from random import Random

from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.commands import ALWAYS, BY_ID, COMMANDS, MAX_NAMED
from onlymove_tui.app.live_games import find_autosave
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.widgets.bars import Notice
from onlymove_tui.app.widgets.canvas import Canvas
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot

from tests.tui.pilots import make_key, settle
from tests.tui.saved_sessions import picture
from tests.tui.screen_checks import lines_on_screen, list_visible

SIZES = [(80, 24), (80, 24), (60, 20), (70, 22), (100, 30), (120, 40), (200, 55), (1, 1), (25, 10)]
ALL_KEYS = sorted({key for command in COMMANDS for key in command.keys} | set("0123456789abcdefghijklmnopqrstuvwxyz"))
WRONG = ("None", "Traceback", "object at 0x", "nan", "Grade.", "Outcome.", "{", "}")
"""What no text on the screen may contain."""
QUITS = frozenset({"quit", "quit_menu"})
TEXTS = ["a1", "b2c3", "zz9", "1", "10", "nonsense", "draw", "5+3", "{}", "[1] é", "99999999999", "-1", ""]
WAYS_BACK = ("back", "menu", "quit", "lesson", "close", "stop")
LAST = 40
"""How many of the last actions a failure lists."""


class Monkey:
    """Does random things in `app`, and moves its `clock` on in between."""

    def __init__(self, pilot: Pilot[int], app: OnlymoveApp, random: Random, clock: Clock) -> None:
        self.pilot, self.app, self.random, self.clock = pilot, app, random, clock
        self.done: deque[str] = deque(maxlen=LAST)
        self.begun: dict[int, tuple[object, int]] = {}
        """How many positions each game had when the monkey first saw it. A game that begins in the explorer has moves
        already, but is saved only after the next one."""

    async def run(self, count: int) -> None:
        """Do `count` random things. Stop early if one of them quits the app."""
        for _ in range(count):
            self.clock.now += self.random.choice((0.0, 0.1, 0.5, 1.0, 1.0, 2.0))
            await self.act()
            if not self.app.is_running or self.app.return_code is not None or self.app._exception is not None:
                break
            self.check()
            await self.check_painted()

    async def act(self) -> None:
        chance = self.random.random()
        if chance < 0.80:
            await self.press([self.choose_key()])
        elif chance < 0.90:
            await self.press([self.choose_key() for _ in range(self.random.randrange(2, 7))])
        elif chance < 0.92:
            await self.storm()
        elif chance < 0.94:
            await self.click()
        elif chance < 0.96:
            await self.resize()
        elif chance < 0.98:
            await self.type_text()
        else:
            self.done.append("wait")
            await self.pilot.pause(self.random.choice((0.05, 0.6, 1.0)))
            await settle(self.pilot)

    def choose_key(self) -> str:
        """Return a random key. Most keys do something on the open screen, and few of them quit."""
        screen, random = self.screen, self.random
        if random.random() < 0.15:
            key = random.choice(ALL_KEYS)
        elif isinstance(screen, BoardScreen) and random.random() < 0.3:
            key = random.choice(["enter", "left", "right", "up", "down", "enter", *screen.state.move_input.keys])
        else:
            bound = screen.key_table.by_key
            command = random.choice(sorted(set(bound.values())))
            key = random.choice([key for key, other in bound.items() if other == command])
        if screen.find_command(key) in QUITS and random.random() < 0.97:
            return "escape"
        if screen.typing is not None and random.random() < 0.3:
            return random.choice(["enter", "escape"])
        return key

    async def press(self, keys: Sequence[str]) -> None:
        self.done.append(f"{self.screen.route}: {' '.join(keys)}")
        for key in keys:
            self.app.post_message(make_key(key))
        await settle(self.pilot)

    async def storm(self) -> None:
        """Press keys and change the size of the terminal, without waiting in between."""
        done = ["storm:"]
        self.done.append("")
        for _ in range(self.random.randrange(4, 16)):
            if self.random.random() < 0.1:
                size = self.random.choice(SIZES)
                done.append(f"{size[0]}x{size[1]}")
                self.app.post_message(events.Resize(Size(*size), Size(*size)))
            else:
                done.append(self.choose_key())
                self.app.post_message(make_key(done[-1]))
            self.done[-1] = " ".join(done)
            await asyncio.sleep(self.random.choice((0, 0, 0.001, 0.02)))
            if not self.app.screen_stack or not isinstance(self.app.screen, BaseScreen):
                break
        await settle(self.pilot)

    async def click(self) -> None:
        width, height = self.app.size
        shown = [widget for widget in list_visible(self.app, Canvas) if widget.region.area]
        if not shown:
            return
        region = self.random.choice(shown).region
        x, y = self.random.randrange(region.x, region.right), self.random.randrange(region.y, region.bottom)
        if not (0 <= x < width and 0 <= y < height):
            return
        self.done.append(f"{self.screen.route}: click {x},{y}")
        await self.pilot.click(offset=(x, y))
        await settle(self.pilot)

    async def resize(self) -> None:
        size = self.random.choice(SIZES)
        self.done.append(f"{self.screen.route}: {size[0]}x{size[1]}")
        await self.pilot.resize_terminal(*size)
        await settle(self.pilot)

    async def type_text(self) -> None:
        text = self.random.choice([*TEXTS, *self.legal_texts()])
        self.done.append(f"{self.screen.route}: paste {text!r}")
        self.app.post_message(events.Paste(text))
        await settle(self.pilot)

    def legal_texts(self) -> Sequence[str]:
        screen = self.screen
        if not isinstance(screen, BoardScreen) or screen.live.session.choosing_seat is None:
            return []
        session = screen.live.session
        return [session.game.notation.format_position(session.position)]

    @property
    def screen(self) -> BaseScreen:
        screen = self.app.screen
        assert isinstance(screen, BaseScreen)
        return screen

    def check(self) -> None:
        faults = list(self.find_faults())
        assert not faults, "\n".join([*self.done, *faults])

    async def check_painted(self) -> None:
        """Check that painting everything again changes nothing on the screen."""
        screen = self.screen
        if isinstance(screen, BoardScreen) and is_moving(screen):
            return
        if any(notice.lines != notice.complete for notice in list_visible(self.app, Notice)):
            return  # The key that answers a new question is still blank.
        before = lines_on_screen(self.app)
        screen.mark_changed()
        await settle(self.pilot)
        after = lines_on_screen(self.app)
        if self.screen is screen:
            assert after == before, "\n".join([*self.done, "stale:", *unified_diff(before, after, lineterm="")])

    def find_faults(self) -> Iterator[str]:
        screen = self.screen
        if self.app.typed_ahead and not screen.is_waiting:
            yield f"keys are left: {self.app.typed_ahead}"
        if not self.app.services.is_gated:
            yield from self.footer_faults(screen)
        if isinstance(screen, PlayScreen):
            yield from self.game_faults(screen)
        for canvas in list_visible(self.app, Canvas):
            text = canvas.text()
            for wrong in WRONG:
                if wrong in text and screen.typing is None and wrong not in getattr(screen, "sought", ""):
                    yield f"{canvas} shows {wrong!r}:\n{text}"

    def footer_faults(self, screen: BaseScreen) -> Iterator[str]:
        """Report three faults: the footer names too many keys, it does not end with the way back and the list of
        keys, or it names a key that does nothing."""
        named = screen.footer()
        if screen.typing is not None:
            return
        if len(named) > MAX_NAMED:
            yield f"the footer names {len(named)} keys: {named}"
        names_keys = isinstance(screen, BoardScreen) and bool(screen.keys_named)
        words = [word for _, word in named[-ALWAYS:]]
        is_question = words[-1:] == ["cancel"]  # It names only the keys that answer it.
        if not names_keys and not is_question and screen.route not in ("palette", "keys"):
            if words[-1] != "keys":
                yield f"{screen.route}: no list of keys: {named}"
            if len(words) < 2 or not any(word in words[0] for word in WAYS_BACK):
                yield f"{screen.route}: no way back: {named}"
        for name, command in screen.key_table.by_key.items():
            method = f"action_{BY_ID[command].name}"
            if not any(hasattr(actor, method) for actor in (self.app, screen)):
                yield f"{name} has no {method} on {screen.route}"

    def game_faults(self, screen: PlayScreen) -> Iterator[str]:
        """Report a game on disk that differs from the one on the board."""
        autosave = find_autosave(screen.live)
        if autosave is None:
            return
        session = screen.live.session
        begun = self.begun.setdefault(id(session), (session, len(list(session.tree.nodes))))[1]
        if autosave.number is None:
            if len(list(session.tree.nodes)) > begun and not autosave.trouble:
                yield "the game is not saved"
            return
        found = autosave.store.peek(autosave.number)
        if picture(found.session) != picture(session):
            yield f"the saved game differs:\n{picture(found.session)}\n{picture(session)}"
        if found.details.training != screen.live.training:
            yield "the saved game has another training"


def is_moving(screen: BoardScreen) -> bool:
    """Whether the board changes without a key: a move is being animated, or two engines play."""
    return bool(screen.state.playback.frames) or screen.live.session.is_between_engines


class Clock:
    """The app's clock. Only the test moves it on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
