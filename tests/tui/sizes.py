"""Checks that every screen survives a terminal window of any size."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from random import Random
from typing import TypeAlias

from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.widgets.bars import Gate
from onlymove_tui.terminal.capabilities import MAX_SIZE, MIN_SIZE
from textual.pilot import Pilot

from tests.tui.pilots import press_at_once, settle
from tests.tui.screen_checks import lines_on_screen

Size: TypeAlias = tuple[int, int]

USUAL: Size = (80, 24)
SIDES = (range(1, MIN_SIZE[0]), range(MIN_SIZE[0], 200)), (range(1, MIN_SIZE[1]), range(MIN_SIZE[1], 60))
"""Columns and lines of terminals that are too small, and of others."""
HUGE = 65_535
"""The largest number of columns or lines that an SSH client can report."""


def sizes(random: Random, count: int) -> Iterator[Size]:
    """Yield `count` sizes, of which more than half are too small in one direction. One in four is among the smallest
    and largest possible sizes."""
    extremes = [(1, 1), (HUGE, 1), (1, HUGE), (HUGE, HUGE), (0, 0)]
    for _ in range(count):
        width, height = (random.choice(random.choice(side)) for side in SIDES)
        yield random.choice(extremes) if random.random() < 0.25 else (width, height)


async def drag(pilot: Pilot[int], app: OnlymoveApp, random: Random, count: int) -> None:
    """Give the terminal one size after the other. The gate must cover the screen exactly if the terminal is too small,
    and then take every key. Nothing larger than a monitor is laid out. In the end the terminal must show what it showed
    before."""
    before, stack = lines_on_screen(app), list(app.screen_stack)
    for size in sizes(random, count):
        await resize(pilot, size)
        is_too_small = size[0] < MIN_SIZE[0] or size[1] < MIN_SIZE[1]
        assert app.screen.query_one(Gate).display == is_too_small, size
        lines = lines_on_screen(app)
        assert len(lines) <= MAX_SIZE[1], size
        assert max(map(len, lines)) <= MAX_SIZE[0], size
        if is_too_small:
            assert lines[0].startswith("This"), size
            await press_at_once(pilot, "ctrl+p", "question_mark", "enter", "x")
    await resize(pilot, USUAL)
    assert app.screen_stack == stack
    after = lines_on_screen(app)
    assert after == before, "\n".join(unified_diff(before, after, "before", "after", lineterm=""))


async def resize(pilot: Pilot[int], size: Size) -> None:
    """Change the size of the terminal, and wait until the app has followed."""
    await pilot.resize_terminal(*size)
    await settle(pilot)
