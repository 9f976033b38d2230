"""An app opens with settings that it can follow, or with one line that says why it does not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from onlymove_tui import SIGNALLED
from onlymove_tui.app.app import OnlymoveApp, check_settings
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.store.settings import BadSetting, Settings, read_settings

from tests.tui.pilots import make_board_app, make_menu_app, make_settings, press, settle, text

DAMAGE = "Your settings file is damaged (settings.toml:2), so the defaults apply."


@pytest.mark.parametrize("bad", ['theme = "mauve"', 'keymap.undoo = "z"'])
def test_a_kiosk_ignores_settings_that_do_not_exist(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(f"strength = 7\n{bad}\n")
    found = read_settings(path, {}, {"kiosk": True})
    passed_over = check_settings(Launch(settings=found, kiosk=True))
    assert passed_over is not None
    assert passed_over.settings == Settings(kiosk=True)
    assert passed_over.trouble == DAMAGE
    with pytest.raises(BadSetting, match=r"settings\.toml:2"):
        check_settings(Launch(settings=read_settings(path, {})))


def test_the_host_of_a_kiosk_hears_of_a_bad_variable(tmp_path: Path) -> None:
    found = read_settings(tmp_path / "settings.toml", {"ONLYMOVE_THEME": "mauve"}, {"kiosk": True})
    with pytest.raises(BadSetting, match=r"^ONLYMOVE_THEME: theme: unknown theme"):
        check_settings(Launch(settings=found, kiosk=True))


@pytest.mark.parametrize("begin", [make_menu_app, make_board_app])
async def test_the_player_reads_that_the_defaults_apply(tmp_path: Path, begin: Callable[..., OnlymoveApp]) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('\nspeed = "warp"\n')
    app = begin(read_settings(path, {}, {"kiosk": True}), kiosk=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert DAMAGE in " ".join(text(app).split())


async def test_a_kiosk_that_cannot_save_settings_names_no_path(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('speed = "warp"\n')
    for is_kiosk in (True, False):
        app = make_menu_app(make_settings(path), kiosk=is_kiosk)
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await press(pilot, "s", "right")
            shown = text(app)
        assert ("Your settings could not be saved." in shown) == is_kiosk
        assert (str(tmp_path.parent) in shown.replace("\n", "")) != is_kiosk


NAMES = ("drills", "history", "keys", "new", "palette", "people", "progress", "settings")


def begin_opening(app: OnlymoveApp, name: str) -> None:
    if name in ("keys", "palette"):
        app.action_open_over(name)
    else:
        app.open(name, *(["tiny"] if name == "new" else []))


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("name", NAMES)
async def test_the_app_may_end_while_a_screen_opens(name: str, turns: int) -> None:
    """A signal may come at any moment."""
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        begin_opening(app, name)
        for _ in range(turns):
            await asyncio.sleep(0)
        app.exit(return_code=SIGNALLED)
    assert (app.fault, app.return_code) == (None, SIGNALLED)


@pytest.mark.parametrize("name", NAMES)
async def test_a_screen_may_close_while_it_opens(name: str) -> None:
    """Keys may come faster than a screen can open."""
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for turns in range(4):
            begin_opening(app, name)
            for _ in range(turns):
                await asyncio.sleep(0)
            app.pop_screen()
            await settle(pilot)
            assert isinstance(app.screen, MenuScreen)
    assert (app.fault, app.return_code or 0) == (None, 0)
