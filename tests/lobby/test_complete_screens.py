"""Every screen for playing with other people is complete in a terminal of every size."""

from __future__ import annotations

from random import Random

import pytest
from onlymove_laws.law import parametrize_amount

from tests.lobby.apps import Apps, Player, look, mark_line, play_move, press
from tests.tui.screen_checks import SIZES, find_faults_at
from tests.tui.sizes import drag


async def faults_of(player: Player, what: str, *sizes: tuple[int, int]) -> list[str]:
    """List what is wrong with the open screen at these sizes."""
    await press(player)
    return [
        f"{what} {size}: {fault}"
        for size in sizes
        for fault in await find_faults_at(player[1], player[0], size, small_board=True)
    ]


@pytest.mark.parametrize("sizes", [SIZES[:1], pytest.param(SIZES[1:], marks=pytest.mark.slow)], ids=len)
async def test_no_screen_is_cut_off_at_any_size(apps: Apps, sizes: list[tuple[int, int]]) -> None:
    found: list[str] = []
    async with apps.player("a-rather-long-name") as first, apps.player("another-long-one") as second:
        found += await faults_of(first, "menu", *sizes)
        await press(first, "o")
        found += await faults_of(first, "nobody", *sizes)
        await mark_line(first, "Open a challenge: Two Heaps")
        await press(first, "enter")
        found += await faults_of(first, "form", *sizes)
        await mark_line(first, "Clock")
        await press(first, "m", *["backspace"] * 3, *"5+3", "enter", "enter")
        found += await faults_of(first, "waiting", *sizes)
        await press(second, "o")
        found += await faults_of(second, "people", *sizes)
        await mark_line(second, "Two Heaps", "waiting")
        await press(second, "enter")
        found += await faults_of(second, "joined", *sizes)
        await look(first, second)
        found += await faults_of(first, "board", *sizes)
        await play_move(first, "L1", second)
        await press(first, "u")
        await look(second, first)
        found += await faults_of(second, "request", *sizes)
        found += await faults_of(first, "asked", *sizes)
        await press(second, "n")
        await look(second, first)
        found += await faults_of(first, "declined", *sizes)
        apps.clock.now += 60
        await press(second, "q")
        found += await faults_of(second, "menu to resume", *sizes)
        await look(first)
        found += await faults_of(first, "away", *sizes)
        await press(first, "R", "R")
        found += await faults_of(first, "over", *sizes)
    assert not found, "\n".join(found)


@parametrize_amount("count", 1, 100)
async def test_every_screen_survives_any_sequence_of_sizes(apps: Apps, count: int) -> None:
    random = Random(count)
    async with apps.player("ada") as first, apps.player("bob") as second:
        await press(first, "o")
        await press(first)
        await drag(first[1], first[0], random, count)
        await mark_line(first, "Open a challenge: Two Heaps")
        await press(first, "enter")
        await press(first)
        await drag(first[1], first[0], random, count)
        await press(first, "enter")
        await press(first)
        await drag(first[1], first[0], random, count)
        await press(second, "o", "enter")
        await look(first, second)
        await play_move(first, "L1", second)
        await press(first)
        await drag(first[1], first[0], random, count)
