"""Collects the settings that hold: flags over environment over file over defaults. Writes the file, comments kept."""

from __future__ import annotations

import enum
import os
import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path

from .private import make_folder
from .settings import (
    SECTIONS,
    BadSetting,
    Effective,
    Origin,
    Setting,
    Settings,
    SettingsNotSaved,
    Source,
    converted,
    fields,
)

ENVIRONMENT_PREFIX = "ONLYMOVE_"
HEADER = "What is not set here has its default; `onlymove config` prints every value and where it comes from."


def read_settings(path: Path, environ: Mapping[str, str], flags: Mapping[str, Setting] | None = None) -> Effective:
    """The settings that hold. `flags` maps keys to what the command line asked for. Raises BadSetting. In a kiosk the
    player cannot mend the file, so a damaged one is passed over, and `trouble` says so."""
    try:
        return _read(path, _from_file(path), environ, flags or {})
    except BadSetting as damage:
        with suppress(BadSetting):
            others = _read(path, {}, environ, flags or {})
            if others.settings.kiosk:
                return others.without_file(damage)
        raise


def _read(
    path: Path, found: dict[str, tuple[Setting, Origin]], environ: Mapping[str, str], flags: Mapping[str, Setting]
) -> Effective:
    values: dict[str, Setting] = {}
    origins: dict[str, Origin] = {}
    for key, (value, origin) in found.items():
        values[key], origins[key] = value, origin
    for key, (value, origin) in _from_environment(environ).items():
        values[key], origins[key] = value, origin
    for key, value in flags.items():
        origins[key] = Origin(Source.FLAG, f"--{key.replace('_', '-')}")
        values[key] = converted(key, value, origins[key].place, strict=False)
    keymap = {key.removeprefix("keymap."): values.pop(key) for key in list(values) if key.startswith("keymap.")}
    return Effective(Settings(**values, keymap=keymap), origins, path)


def _from_file(path: Path) -> dict[str, tuple[Setting, Origin]]:
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(
            str(path), "", f"cannot be read: {error.strerror if isinstance(error, OSError) else 'not UTF-8'}"
        ) from None
    found: dict[str, tuple[Setting, Origin]] = {}
    for key, value in _flat(_parsed(path, text)):
        place = f"{path}:{_line_of(text, key)}"
        found[key] = (converted(key, value, place), Origin(Source.FILE, place))
    return found


def _parsed(path: Path, text: str) -> dict[str, Setting]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+)", str(error))
        line = int(where[1]) if where else text.count("\n") + 1
        why = re.sub(r" \(at .*\)", "", str(error))
        lines = text.splitlines()
        key = lines[line - 1].partition("=")[0].strip() if line <= len(lines) else ""
        raise BadSetting(f"{path}:{line}", key, f"not TOML: {why}") from None


def _flat(table: Mapping[str, Setting]) -> Iterator[tuple[str, Setting]]:
    for key, value in table.items():
        if key in SECTIONS and isinstance(value, dict):
            yield from ((f"{key}.{inner}", text) for inner, text in value.items())
        else:
            yield key, value


def _from_environment(environ: Mapping[str, str]) -> dict[str, tuple[Setting, Origin]]:
    found: dict[str, tuple[Setting, Origin]] = {}
    for key in fields():
        variable = ENVIRONMENT_PREFIX + key.upper()
        if key not in SECTIONS and variable in environ:
            value = converted(key, environ[variable], variable, strict=False)
            found[key] = (value, Origin(Source.ENVIRONMENT, variable))
    return found


def _line_of(text: str, key: str) -> int:
    """The line (from 1) where `key` is set; for keys in an inline table, that of the table."""
    table = ""
    at: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            table = header[1].strip("\"'")
            at.setdefault(table, number)
        elif assigned := re.match(r"\s*([\w\"'. -]+?)\s*=", line):
            name = ".".join(part.strip().strip("\"'") for part in assigned[1].split("."))
            at.setdefault(f"{table}.{name}" if table else name, number)
    return at.get(key) or at.get(key.partition(".")[0]) or 1


def save(path: Path, changes: Mapping[str, Setting]) -> None:
    """Write single settings into the file, keeping its comments and order; `None` takes a setting out.

    The file is replaced in one step. Raises BadSetting when what is there, or a new value, is no good, and
    SettingsNotSaved when it cannot be written; the file is then unchanged.
    """
    import tomlkit  # noqa: PLC0415  (only who changes a setting pays for it)

    new = {key: None if value is None else converted(key, value, "new value") for key, value in changes.items()}
    _from_file(path)
    target = path.resolve()
    document = tomlkit.parse(target.read_text("utf-8")) if target.exists() else tomlkit.document()
    if not target.exists():
        document.add(tomlkit.comment(HEADER))
    for key, value in new.items():
        _put(document, key, value.value if isinstance(value, enum.Enum) else value)
    _replace(target, tomlkit.dumps(document))


def _put(document: MutableMapping[str, Setting], key: str, value: Setting) -> None:
    section, _, inner = key.partition(".")
    table, name = (document.setdefault(section, {}), inner) if inner else (document, key)
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value


def _replace(path: Path, text: str) -> None:
    try:
        make_folder(path.parent)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise SettingsNotSaved(f"{path}: cannot be written: {error.strerror}") from None
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise SettingsNotSaved(f"{path}: cannot be written: {error.strerror}") from None
