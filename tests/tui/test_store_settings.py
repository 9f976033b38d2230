"""Settings: which source takes precedence, what is refused and how, and that the file stays the player's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.coach.judge import OnBad
from onlymove_tui.store import settings
from onlymove_tui.store.profiles import BadProfile, find_places
from onlymove_tui.store.settings import (
    MAX_BYTES,
    MAX_LINE_LENGTH,
    BadSetting,
    Origin,
    Settings,
    SettingsNotSaved,
    Switch,
    describe_setting,
    read_settings,
    save_settings,
    setting_types,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def write_file(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_without_a_file_every_value_is_its_default(path: Path) -> None:
    found = read_settings(path, {})
    assert found.settings == Settings()
    assert {origin.place for _, _, origin in found.rows()} == {"default"}
    assert not path.parent.exists(), "reading creates nothing"


def test_flags_win_over_environment_over_file_over_defaults(path: Path) -> None:
    write_file(path, 'mouse = "on"\nstrength = 10\nundo_limit = 2\n')
    found = read_settings(path, {"ONLYMOVE_STRENGTH": "20", "ONLYMOVE_UNDO_LIMIT": "3"}, {"undo_limit": 4})
    got = found.settings
    assert (got.animation, got.mouse, got.strength, got.undo_limit) == (Switch.AUTO, Switch.ON, 20, 4)
    assert [found.origin(key) for key in ("animation", "mouse", "strength", "undo_limit")] == [
        Origin(),
        Origin(f"{path}:1"),
        Origin("ONLYMOVE_STRENGTH", is_override=True),
        Origin("--undo-limit", is_override=True),
    ]


@pytest.mark.parametrize(
    ("text", "line", "key", "why"),
    [
        ('# mine\n\nmouse = "maybe"\n', 3, "mouse", 'must be auto, on or off, not "maybe"'),
        ("strength = 101\n", 1, "strength", "must be a whole number from 0 to 100, not 101"),
        ("training = 1\n", 1, "training", "must be true or false, not 1"),
        ('on_bad = "shout"\n', 1, "on_bad", 'must be ask, undo, flag or off, not "shout"'),
        ('thme = "dark"\n', 1, "thme", "unknown setting. Did you mean theme?"),
        ('[keymap]\nundo = "z"\nredo = 3\n', 3, "keymap.redo", "must be text, not 3"),
        ('keymap = "vi"\n', 1, "keymap", 'must be a list of keys and commands, not "vi"'),
        ('theme = "a"\nspeed = = 2\n', 2, "speed", "not TOML: Invalid value"),
        ('theme = "a"\ntheme = "b"\n', 2, "theme", "not TOML: Cannot overwrite a value"),
    ],
)
def test_a_bad_value_is_refused_with_file_line_and_key(path: Path, text: str, line: int, key: str, why: str) -> None:
    with pytest.raises(BadSetting) as caught:
        read_settings(write_file(path, text), {})
    assert str(caught.value) == f"{path}:{line}: {key}: {why}"
    with pytest.raises(BadSetting):
        save_settings(path, {"theme": "dark"})
    assert path.read_text() == text, "nothing is lost"


DAMAGE = ['mouse = "on"\nspeed = = 2\n', 'mouse = "on"\nspeed = "warp"\n', 'mouse = "on"\nkeymap = "vi"\n']


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("#\n" * (MAX_BYTES // 2) + "#", ": cannot be read: larger than 64 KB"),
        (f"\n{'a.' * MAX_LINE_LENGTH}a = 1", ":2: the line has more than 2000 characters"),
        ("theme = [\n" + f"{'[' * 1000}\n" * 10, ": its values are nested too deeply"),
    ],
    ids=["bytes", "line", "depth"],
)
def test_a_file_that_is_too_much_to_read_is_refused(path: Path, text: str, why: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        read_settings(write_file(path, text), {})
    assert str(refusal.value) == f"{path}{why}"
    with pytest.raises(BadSetting):
        save_settings(path, {"theme": "dark"})
    assert path.read_text() == text, "nothing is lost"
    in_kiosk = read_settings(path, {}, {"kiosk": True})
    assert in_kiosk.trouble.startswith("Your settings file is damaged"), "a kiosk goes on"


def test_a_settings_file_without_an_end_is_refused(path: Path) -> None:
    """A device such as /dev/urandom has no size."""
    path.parent.mkdir()
    path.symlink_to("/dev/urandom")
    with pytest.raises(BadSetting, match="cannot be read: not a regular file"):
        read_settings(path, {})


def test_the_line_of_a_setting_is_found_however_it_is_written(path: Path) -> None:
    found = read_settings(write_file(path, ' "strength" = 3 # = \r\n[ "keymap" ]\n"undo" = "a=b"\nredo="]"\n'), {})
    places = [found.origin(key).place for key in ("strength", "keymap.undo", "keymap.redo")]
    assert places == [f"{path}:{line}" for line in (1, 3, 4)]


@pytest.mark.parametrize("text", DAMAGE)
@pytest.mark.parametrize(
    ("environ", "flags"), [({}, {"kiosk": True}), ({"ONLYMOVE_KIOSK": "true", "ONLYMOVE_STRENGTH": "7"}, {})]
)
def test_a_kiosk_passes_a_damaged_file_over(
    path: Path, text: str, environ: dict[str, str], flags: dict[str, bool]
) -> None:
    found = read_settings(write_file(path, text), environ, flags)
    assert found.settings == Settings(kiosk=True, strength=7 if environ else 100)
    assert found.trouble == "Your settings file is damaged (settings.toml:2), so the defaults apply."
    assert all(origin.is_override or origin == Origin() for _, _, origin in found.rows())
    with pytest.raises(BadSetting):
        save_settings(found.path, {"strength": 8})
    assert path.read_text() == text, "nothing is lost"


def test_a_kiosk_passes_a_file_over_that_cannot_be_read(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"\xff")
    found = read_settings(path, {}, {"kiosk": True})
    assert found.trouble == "Your settings file is damaged (settings.toml), so the defaults apply."


@pytest.mark.parametrize("environ", [{"ONLYMOVE_KIOSK": "false"}, {"ONLYMOVE_KIOSK": "true", "ONLYMOVE_SPEED": "warp"}])
def test_only_the_file_of_a_kiosk_is_passed_over(path: Path, environ: dict[str, str]) -> None:
    """The host can fix the environment. A damaged file cannot turn on kiosk mode by itself."""
    with pytest.raises(BadSetting, match="speed"):
        read_settings(write_file(path, "kiosk = true\nspeed = 3\n"), environ)


def test_a_bad_variable_is_refused_by_name(path: Path) -> None:
    with pytest.raises(BadSetting, match=r"^ONLYMOVE_STRENGTH: strength: must be a whole number from 0 to 100, not "):
        read_settings(path, {"ONLYMOVE_STRENGTH": "strong"})


def test_values_that_only_the_app_can_check_are_refused_with_their_place(path: Path) -> None:
    found = read_settings(write_file(path, '\ntheme = "mauve"\n'), {})
    assert str(found.refuse("theme", "unknown theme")) == f"{path}:2: theme: unknown theme"


def test_saving_keeps_comments_and_order(path: Path) -> None:
    write_file(path, '# mine\nmouse = "on" # really\n\n[keymap]\n# left hand\nundo = "z"\n')
    save_settings(path, {"mouse": Switch.OFF, "keymap.undo": None, "keymap.redo": "y", "on_bad": OnBad.MARK})
    text = path.read_text()
    assert text.startswith('# mine\nmouse = "off" # really\n')
    assert "# left hand" in text
    found = read_settings(path, {}).settings
    assert (found.mouse, found.on_bad, found.keymap) == (Switch.OFF, OnBad.MARK, {"redo": "y"})


@pytest.mark.parametrize("changes", [{"training": False}, {"keymap.undo": "z"}, {"strength": 0}, {"theme": 'a"b\\'}])
def test_saved_settings_are_read_back(path: Path, changes: dict[str, Any]) -> None:
    save_settings(path, changes)
    saved = {key: value for key, value, origin in read_settings(path, {}).rows() if origin != Origin()}
    assert saved == {key: settings.format_toml(value) for key, value in changes.items()}


def test_a_bad_new_value_changes_nothing(path: Path) -> None:
    write_file(path, "strength = 5\n")
    with pytest.raises(BadSetting, match="strength: must be"):
        save_settings(path, {"theme": "x", "strength": 500})
    assert path.read_text() == "strength = 5\n"


def test_a_link_to_the_file_stays_a_link(path: Path, tmp_path: Path) -> None:
    real = write_file(tmp_path / "dotfiles" / "onlymove.toml", "")
    path.parent.mkdir()
    path.symlink_to(real)
    save_settings(path, {"strength": 7})
    assert path.is_symlink()
    assert "strength = 7" in real.read_text()


def test_an_unwritable_place_is_one_clear_line(tmp_path: Path) -> None:
    write_file(tmp_path / "blocked", "")
    with pytest.raises(SettingsNotSaved, match=r"settings\.toml: cannot be written"):
        save_settings(tmp_path / "blocked" / "settings.toml", {"strength": 7})


def test_every_setting_has_a_description() -> None:
    assert all(describe_setting(key) for key in setting_types())


def test_profiles_are_separate_but_share_the_tables() -> None:
    own, ada, bob = find_places(), find_places("ada"), find_places("bob")
    assert len({found.settings for found in (own, ada, bob)}) == 3
    assert len({found.games for found in (own, ada, bob)}) == 3
    assert own.tables == ada.tables == bob.tables


@pytest.mark.parametrize("name", ["..", ".", ".hidden", "a/b", "a\\b", "a b", "-" * 65, "é", "a\n"])
def test_a_profile_name_is_a_plain_folder(name: str) -> None:
    with pytest.raises(BadProfile, match="not a valid profile name"):
        find_places(name)


@pytest.mark.parametrize(("own_moves", "moves"), [(1, 1), (3, 5), (99, 197)])
def test_a_number_of_own_moves_is_read_as_moves_of_both_sides(path: Path, own_moves: int, moves: int) -> None:
    write_file(path, f"# mine\nslow_moves = {own_moves}\n")
    found = read_settings(path, {})
    assert (found.settings.slow_by, found.origin("slow_by").place) == (moves, f"{path}:2")
    save_settings(path, {"slow_by": 9})
    assert path.read_text() == "# mine\nslow_by = 9\n"


def test_a_new_name_of_a_setting_counts_more_than_its_old_one(path: Path) -> None:
    for text in ("slow_moves = 3\nslow_by = 9\n", "slow_by = 9\nslow_moves = 3\n"):
        assert read_settings(write_file(path, text), {}).settings.slow_by == 9


def test_an_old_setting_is_refused_if_it_is_no_number(path: Path) -> None:
    with pytest.raises(BadSetting, match=r"settings\.toml:1: slow_moves: unknown setting"):
        read_settings(write_file(path, 'slow_moves = "three"\n'), {})
    with pytest.raises(BadSetting, match=r"settings\.toml:1: slow_by: must be a whole number from 1 to 199, not -1"):
        read_settings(write_file(path, "slow_moves = 0\n"), {})
