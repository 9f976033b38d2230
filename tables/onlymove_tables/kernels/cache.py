"""Where compiled kernels are kept between runs.

The folder is named by a digest of every kernel source and of what else numba tells kernels apart by: where the
sources are, the interpreter, numba itself. A change in any of them starts a fresh one, so that a folder said to be
complete is so for whoever reads it. Must run before the first kernel module is imported.
"""

from __future__ import annotations

import hashlib
import os
import sys
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_cache_path


def sources(folder: Traversable) -> list[Traversable]:
    """Every kernel source below `folder`, in a fixed order: the kernels, and what they share in `search`."""
    found: list[Traversable] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            inside = entry.name.startswith("_kernel") or entry.name == "search"
            found += [f for f in entry.iterdir() if inside and f.name.endswith(".py")] or sources(entry)
        elif entry.name.startswith("_kernel") and entry.name.endswith(".py"):
            found.append(entry)
    return found


def digest() -> str:
    """Twelve hexadecimal digits that change with any kernel source, and with what runs and compiles it."""
    home = resources.files("onlymove_engines")
    sha = hashlib.sha256(f"{home}\0{sys.implementation.cache_tag}\0{compiler()}\0".encode())
    for source in sources(home):
        sha.update(source.name.encode() + b"\0" + source.read_bytes())
    return sha.hexdigest()[:12]


def compiler() -> str:
    """Which installation of numba compiles, without importing it: every command that starts comes by here."""
    found = find_spec("numba")
    return f"{found.origin} {os.stat(found.origin).st_mtime_ns}" if found and found.origin else ""


def kernels_folder() -> Path:
    """Where the folders of all kernel sources are."""
    return user_cache_path("onlymove") / "kernels"


def prepare() -> Path | None:
    """Name the kernel folder for this process; `None` when nothing is writable and kernels stay in memory.

    The folder is touched, so that `clean_up` can tell when it was last used.
    """
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(given)
    folder = kernels_folder() / digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        return None
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    return folder
