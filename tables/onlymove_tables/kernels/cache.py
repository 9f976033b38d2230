"""Where compiled kernels are kept between runs, and which folders are trusted.

Each game has a folder of its own, named by the text of its kernels and by what compiles and runs them: the
interpreter, numba, the processor. Neither dates nor the place of the program count, so that a folder serves every
account of a host and every copy of the same version. Loads neither numba nor any kernel.
"""

from __future__ import annotations

import hashlib
import os
import platform
import stat
import sys
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from platformdirs import site_cache_path, user_cache_path

VARIABLE, SHARED_VARIABLE = "NUMBA_CACHE_DIR", "ONLYMOVE_KERNELS"
DRAWERS = "onlymove_engines.games."
OTHERS = "others"
"""The folder of kernels that belong to no game: those of tests."""

SHARED = ("bits", "jit", "machine_code", "translation")
"""What all kernels are made of besides their own text."""

FORBIDDEN = stat.S_IWGRP | stat.S_IWOTH
"""Nobody but its owner may be able to change compiled code that others run."""

ROOT = 0

ROOM = 1 << 21
"""Bytes that a drawer's kernels may take."""


def kernels_folder() -> Path:
    """Where this account keeps compiled kernels: `$NUMBA_CACHE_DIR`, else in the user's cache."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else user_cache_path("onlymove") / "kernels"


def shared_folder() -> Path:
    """Where a host keeps kernels for all its accounts: `$ONLYMOVE_KERNELS`, else in the system's cache."""
    given = os.environ.get(SHARED_VARIABLE)
    return Path(given) if given else site_cache_path("onlymove") / "kernels"


def drawer_of(module: str) -> str:
    """Whose kernels the module holds."""
    return module.removeprefix(DRAWERS).partition(".")[0] if module.startswith(DRAWERS) else OTHERS


@cache
def folder_name(drawer: str) -> str:
    """What the folder of a drawer's kernels is called."""
    return f"{drawer}-{digest(drawer)}"


def digest(drawer: str) -> str:
    """Twelve hexadecimal digits that change with the drawer's kernels, and with what compiles and runs them."""
    home = resources.files("onlymove_engines")
    told = (sys.implementation.cache_tag, platform.system(), *compiler(), processor())
    sha = hashlib.sha256("\0".join(told).encode())
    inside = home / "games" if drawer == OTHERS else home / "games" / drawer
    shared = [home / "search" / f"{name}.py" for name in SHARED]
    for source in [*shared, *sources(inside)]:
        sha.update(source.name.encode() + b"\0" + source.read_bytes())
    return sha.hexdigest()[:12]


def sources(folder: Traversable) -> list[Traversable]:
    """Every kernel source below `folder`, in a fixed order. A test says that they import nothing else that counts."""
    found: list[Traversable] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            inside = entry.name.startswith("_kernel")
            files = sorted((f for f in entry.iterdir() if f.name.endswith(".py")), key=lambda f: f.name)
            found += files if inside else sources(entry)
        elif entry.name.startswith("_kernel") and entry.name.endswith(".py"):
            found.append(entry)
    return found


@cache
def compiler() -> tuple[str, ...]:
    """Which numba and llvmlite compile, without importing them; nothing where there is no numba."""
    found = find_spec("numba")
    if found is None or not found.origin:
        return ()
    site = Path(found.origin).parent.parent
    told = [path.name for name in ("numba", "llvmlite") for path in site.glob(f"{name}-*.dist-info")]
    return tuple(sorted(told)) or (f"{found.origin} {os.stat(found.origin).st_mtime_ns}",)


def processor() -> str:
    """What the processor can do, as code that is compiled for it takes for granted."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    return platform.machine() + "".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))


@cache
def owners() -> frozenset[int]:
    """Whose compiled code is run beside one's own: root's, and that of the owner of the program."""
    return frozenset((ROOT, Path(__file__).stat().st_uid))


def is_trusted(found: os.stat_result) -> bool:
    """Whether code from a folder or file may be run: it belongs to whoever runs this, to root or to the owner of the
    program, and nobody else can have changed it. What is one's own may be open to one's group."""
    owner = found.st_uid
    if owner == os.geteuid():
        return not found.st_mode & stat.S_IWOTH
    return owner in owners() and not found.st_mode & FORBIDDEN


def trusted(folder: Path) -> bool:
    """Whether code in the folder may be run, as `is_trusted` says; not where there is none."""
    try:
        return is_trusted(folder.stat())
    except OSError:
        return False


def own_folder(drawer: str) -> Path:
    """Where this account keeps a drawer's kernels."""
    return kernels_folder() / folder_name(drawer)


def folders(drawer: str) -> list[Path]:
    """Where a drawer's kernels are looked for: one's own folder, then the host's; only those that are trusted."""
    name = folder_name(drawer)
    return [root / name for root in (kernels_folder(), shared_folder()) if trusted(root) and trusted(root / name)]


def trouble(drawer: str) -> str:
    """Why kernels of the drawer cannot be kept here, in one line; nothing where they can. Makes the folder."""
    folder = own_folder(drawer)
    try:
        if not folder.is_absolute():
            return "there is no home folder"
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        room = folder / f".room-{os.getpid()}"
        try:
            room.write_bytes(bytes(ROOM))
        finally:
            room.unlink(missing_ok=True)
    except OSError as refusal:
        return f"{folder}: {refusal.strerror or refusal}"
    return "" if folders(drawer)[:1] == [folder] else f"{folder}: others may write there"
