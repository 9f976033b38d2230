"""Defines, reads and writes the settings.

Flags override the environment, which overrides the file, which overrides the defaults. The module also tells where each
value comes from. Writing the file does not remove its comments. Themes and keys are checked by the app, which refuses
unknown ones with `Effective.refuse`.
"""

from __future__ import annotations

import difflib
import enum
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias, get_type_hints

import msgspec
from msgspec import Meta
from onlymove_engines.coach.judge import OnBad
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.files import read_regular
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.text import clean_document, clean_line, decode_text
from onlymove_engines.live.clock import read_time
from onlymove_tables.file_format import write_whole

from onlymove_tui.store.profiles import FILE, make_folder


class Switch(enum.Enum):
    """On, off, or automatic (it depends on what the terminal can do)."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"

    def resolve(self, automatic: bool) -> bool:
        """Return whether it is on. `automatic` decides if this is left to the terminal."""
        return automatic if self is Switch.AUTO else self is Switch.ON


class Keys(enum.Enum):
    """The key preset. The setting `keymap` changes single keys."""

    DEFAULT = "default"
    VI = "vi"


class Goal(enum.Enum):
    """Whether a drill shows what to do."""

    SHOWN = "shown"
    HIDDEN = "hidden"


class Speed(enum.Enum):
    """The speed of animated moves."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"


class Bell(enum.Enum):
    """In which games the terminal's bell rings when it is the player's turn."""

    OFF = "off"
    SHARED = "shared"
    """Games with another user of this machine."""
    ALL = "all"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Every setting with its limits, its description on the settings screen, and its default."""

    theme: Annotated[str, "Colour theme"] = ""
    keys: Annotated[Keys, "Key preset: default or vi (hjkl)"] = Keys.DEFAULT
    keymap: Annotated[dict[str, str], "Keys for single commands, by command id"] = {}
    animation: Annotated[Switch, "Animate moves"] = Switch.AUTO
    speed: Annotated[Speed, "Animation speed"] = Speed.NORMAL
    mouse: Annotated[Switch, "Mouse support"] = Switch.AUTO
    bell: Annotated[Bell, "Ring the terminal's bell when it is your turn"] = Bell.SHARED
    ascii: Annotated[Switch, "Use ASCII characters only"] = Switch.AUTO
    plain: Annotated[bool, "From the next start, lines of text instead of the full screen, for screen readers"] = False
    training: Annotated[bool, "New games start with training on"] = True
    on_bad: Annotated[OnBad, "What training does about a bad move"] = OnBad.ASK
    undo_limit: Annotated[int, Meta(ge=0, le=99), "How often training takes back a bad move in the same position"] = 1
    objective: Annotated[Objective, "Goal of training: keep the result, or keep every point"] = Objective.RESULT
    hint_straight: Annotated[bool, "Skip to the full hint"] = False
    drill_goal: Annotated[Goal, "Tell you what each drill asks for: win, draw or hold out longest"] = Goal.SHOWN
    slow_by: Annotated[
        int,
        Meta(ge=1, le=199),
        "A win longer by this many moves, both sides' counted, or a loss as much sooner, is an inaccuracy",
    ] = 5
    style: Annotated[str, "Engine style, unless the app suggests a level or your last opponent"] = ""
    strength: Annotated[
        int, Meta(ge=0, le=100), "Engine strength (0 to 100), unless the app suggests a level or your last opponent"
    ] = 100
    think: Annotated[float, Meta(ge=0, le=3600), "Seconds a searching engine may think about a move (0 = no limit)"] = (
        0.0
    )
    depth: Annotated[int, Meta(ge=0, le=99), "Moves a searching engine looks ahead (0 = no limit)"] = 0
    compile_ahead: Annotated[bool, "Compile a game's engine in the background when you look at the game"] = True
    kiosk: Annotated[bool, "For a shared account: no suspend, no file names, quits when idle"] = False
    kiosk_copy: Annotated[bool, "Let a kiosk copy to the terminal's clipboard"] = False
    idle_minutes: Annotated[int, Meta(ge=1, le=1440), "Minutes without a key before a kiosk quits"] = 30
    kiosk_memory: Annotated[int, Meta(ge=0, le=65536), "Memory limit of a kiosk in MB (0 = no limit)"] = 1024


RENAMED: Final[Mapping[str, tuple[str, Callable[[int], int]]]] = {"slow_moves": ("slow_by", lambda own: 2 * own - 1)}
"""The old names of settings, each with its new name and a function that converts its value. `slow_moves` counted only
the player's own moves. The least difference of so many own moves is one less than twice as many moves of both sides."""

Setting: TypeAlias = Any
"""The value of a setting, from TOML, a flag or the environment. It is checked when it is read."""

SettingType: TypeAlias = Any
"""An annotated type that msgspec accepts."""


@cache
def setting_types() -> dict[str, SettingType]:
    return get_type_hints(Settings, include_extras=True)


def describe_setting(key: str) -> str:
    return str(setting_types()[key].__metadata__[-1])


class BadSetting(OnlymoveError):
    """A setting cannot be used. The message names it, and its place: file and line, variable or flag."""

    def __init__(self, place: str, key: str, why: str) -> None:
        super().__init__(f"{place}: {key}: {why}" if key else f"{place}: {why}")
        self.place = place
        self.key = key
        self.why = why


class SettingsNotSaved(OnlymoveError):
    """The settings file cannot be written."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from: `FILE:LINE`, or the name of the variable or flag that overrides the file."""

    place: str = "default"
    is_override: bool = False


FLAG = Origin("--plain", is_override=True)
"""Where line mode comes from if only this command asks for it."""


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings that apply, and where each comes from. Single keys of the keymap are named `keymap.ID`. If the file
    at `path` is damaged and was ignored, `trouble` is a line for the player."""

    settings: Settings
    origins: Mapping[str, Origin]
    path: Path
    trouble: str = ""

    def origin(self, key: str) -> Origin:
        return self.origins.get(key, Origin())

    def rows(self) -> Iterator[tuple[str, str, Origin]]:
        """Yield each setting's key, its value as the file writes it, and where it comes from."""
        document = msgspec.to_builtins(self.settings)
        keymap = dict(sorted(document["keymap"].items()))
        for key, value in _flatten({**document, "keymap": keymap}):
            yield key, format_toml(value), self.origin(key)

    def choose_plain(self) -> Effective:
        """Return these settings with line mode, which the flag `--plain` asks for."""
        if self.settings.plain:
            return self
        settings = msgspec.structs.replace(self.settings, plain=True)
        return replace(self, settings=settings, origins={**self.origins, "plain": FLAG})

    @property
    def has_screen_reader(self) -> bool:
        """Whether the player always uses line mode, probably because a screen reader reads along."""
        return self.settings.plain and self.origin("plain") != FLAG

    def drop_file(self, damage: BadSetting) -> Effective:
        """Return these settings without the values of the damaged file. A kiosk's `trouble` must name no folder."""
        origins = {key: origin for key, origin in self.origins.items() if origin.is_override}
        kept = {key: value for key, value in msgspec.structs.asdict(self.settings).items() if key in origins}
        trouble = f"Your settings file is damaged ({Path(damage.place).name}), so the defaults apply."
        return Effective(Settings(**kept), origins, self.path, trouble)

    def refuse(self, key: str, why: str) -> BadSetting:
        """Return the error for a value that only the app can check, such as a theme."""
        return BadSetting(self.origin(key).place, key, why)


def convert(key: str, value: Setting, place: str, strict: bool = True) -> Setting:
    """Convert a value to the type of the setting `key`. Unless `strict`, the value may be text. Raises BadSetting."""
    if key.startswith("keymap.") and key != "keymap.":
        wanted: SettingType = str
    elif key in setting_types():
        wanted = setting_types()[key]
    else:
        near = difflib.get_close_matches(key, setting_types(), 1)
        raise BadSetting(place, key, f"unknown setting{f'. Did you mean {near[0]}?' if near else ''}")
    kind = getattr(wanted, "__origin__", wanted)
    if kind is Switch and isinstance(value, bool):
        value = "on" if value else "off"
    if isinstance(value, enum.Enum):
        value = value.value
    if key == "think" and isinstance(value, str) and (seconds := read_time(value, "s")) is not None:
        value = seconds
    try:
        return msgspec.convert(value, wanted, strict=strict)
    except msgspec.ValidationError:
        raise BadSetting(place, key, f"must be {_describe_type(wanted, kind)}, not {format_toml(value)}") from None


def _describe_type(wanted: SettingType, kind: SettingType) -> str:
    """Describe what a setting may be, such as `auto, on or off` or `a whole number from 0 to 100`."""
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        *most, last = [str(member.value) for member in kind]
        return f"{', '.join(most)} or {last}"
    if kind in (int, float):
        limits = wanted.__metadata__[0]
        return f"a {'whole ' if kind is int else ''}number from {limits.ge} to {limits.le}"
    if kind is bool:
        return "true or false"
    return "a list of keys and commands" if getattr(kind, "__origin__", kind) is dict else "text"


def format_toml(value: Setting) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)


MAX_BYTES = 64 * 1024
"""The size of the largest settings file that is read. All settings, with a key for each command, take a tenth of it."""
MAX_LINE_LENGTH = 2000
"""The most characters of a line that is read. tomllib takes a minute for a key with 32,000 dots."""

ENVIRONMENT_PREFIX = "ONLYMOVE_"
ACCESSIBLE = "ACCESSIBLE"
"""A variable that people who use a screen reader set for all their programs."""
HEADER = (
    "A setting that is not in this file has its default value. `onlymove config` prints every value and where it comes"
    " from."
)


def read_settings(path: Path, environ: Mapping[str, str], flags: Mapping[str, Setting] | None = None) -> Effective:
    """Return the settings that apply. Raises BadSetting for a bad value. A kiosk's player cannot repair a damaged file,
    so in a kiosk the file is ignored and `trouble` says so."""
    try:
        return _read(path, _read_file(path), environ, flags or {})
    except BadSetting as damage:
        with suppress(BadSetting):
            others = _read(path, {}, environ, flags or {})
            if others.settings.kiosk:
                return others.drop_file(damage)
        raise


def _read(
    path: Path, found: dict[str, tuple[Setting, Origin]], environ: Mapping[str, str], flags: Mapping[str, Setting]
) -> Effective:
    known = dict(found)
    for key in setting_types():
        variable = ENVIRONMENT_PREFIX + key.upper()
        # A variable that is set and empty counts as unset.
        if key != "keymap" and (text := environ.get(variable)):
            value = convert(key, clean_line(text), variable, strict=False)
            known[key] = (value, Origin(variable, is_override=True))
    if not environ.get(f"{ENVIRONMENT_PREFIX}PLAIN") and environ.get(ACCESSIBLE, "") not in ("", "0", "false"):
        known["plain"] = (True, Origin(ACCESSIBLE, is_override=True))
    for key, value in flags.items():
        flag = f"--{key.replace('_', '-')}"
        known[key] = (convert(key, value, flag, strict=False), Origin(flag, is_override=True))
    values = {key: value for key, (value, _) in known.items()}
    origins = {key: origin for key, (_, origin) in known.items()}
    keymap = {key.removeprefix("keymap."): values.pop(key) for key in list(values) if key.startswith("keymap.")}
    return Effective(Settings(**values, keymap=keymap), origins, path)


def _read_file(path: Path) -> dict[str, tuple[Setting, Origin]]:
    text = _read_text(path)
    found: dict[str, tuple[Setting, Origin]] = {}
    lines = _find_lines(text)
    for key, value in _flatten(_parse(path, text)):
        place = f"{path}:{lines.get(key) or lines.get(key.partition('.')[0]) or 1}"
        new, renew = RENAMED.get(key, (key, None))
        if renew is None or type(value) is not int:
            found[key] = (convert(key, value, place), Origin(place))
        elif new not in lines:
            found[new] = (convert(new, renew(value), place), Origin(place))
    return found


def _read_text(path: Path) -> str:
    """Return the text of the settings file, or an empty text if there is no file. Raises BadSetting."""
    try:
        text = decode_text(read_regular(path, MAX_BYTES), "strict")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadSetting(str(path), "", f"cannot be read: {why}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MAX_LINE_LENGTH:
            raise BadSetting(f"{path}:{number}", "", f"the line has more than {MAX_LINE_LENGTH} characters")
    return text


def _parse(path: Path, text: str) -> dict[str, Setting]:
    try:
        document: dict[str, Setting] = clean_document(tomllib.loads(text))
        return document
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+)", str(error))
        line = int(where[1]) if where else text.count("\n") + 1
        why = re.sub(r" \(at .*\)", "", str(error))
        lines = text.splitlines()
        key = lines[line - 1].partition("=")[0].strip() if line <= len(lines) else ""
        raise BadSetting(f"{path}:{line}", key, f"not TOML: {why}") from None
    except RecursionError:
        raise BadSetting(str(path), "", "its values are nested too deeply") from None
    except ValueError:
        # PYTHONINTMAXSTRDIGITS can allow as few as 640 digits.
        raise BadSetting(str(path), "", "a number in it has too many digits") from None


def _flatten(document: Mapping[str, Setting]) -> Iterator[tuple[str, Setting]]:
    for key, value in document.items():
        if key == "keymap" and isinstance(value, dict):
            yield from ((f"keymap.{command}", text) for command, text in value.items())
        else:
            yield key, value


def _find_lines(text: str) -> dict[str, int]:
    """Return the number of the line that sets each key, and of the line that begins each section."""
    section = ""
    at: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            section = line.strip().lstrip("[").partition("]")[0].strip().strip("\"'")
            at.setdefault(section, number)
        elif "=" in line:
            name = ".".join(part.strip().strip("\"'") for part in line.partition("=")[0].split("."))
            at.setdefault(f"{section}.{name}" if section else name, number)
    return at


def save_settings(path: Path, changes: Mapping[str, Setting]) -> None:
    """Change settings in the file, or remove those that are `None`. Its comments and their order do not change. The
    file is replaced in one step. Raises BadSetting, or SettingsNotSaved if the file cannot be written."""
    import tomlkit  # noqa: PLC0415  (only who changes a setting pays for it)

    new = {key: None if value is None else convert(key, value, "new value") for key, value in changes.items()}
    _read_file(path)
    target = path.resolve()
    document = tomlkit.parse(_read_text(target))
    if not target.exists():
        document.add(tomlkit.comment(HEADER))
    for key, value in new.items():
        title, _, command = key.partition(".")
        section, name = (document.setdefault(title, {}), command) if command else (document, key)
        for old in (old for old, (new_name, _) in RENAMED.items() if new_name == key):
            document.pop(old, None)
        if value is None:
            section.pop(name, None)
        else:
            section[name] = value.value if isinstance(value, enum.Enum) else value
    try:
        make_folder(target.parent)
        mode = target.stat().st_mode & 0o777 if target.exists() else FILE
        write_whole(target, tomlkit.dumps(document).encode(), mode=mode)
    except OSError as error:
        raise SettingsNotSaved(f"{target}: cannot be written: {error.strerror}") from None
