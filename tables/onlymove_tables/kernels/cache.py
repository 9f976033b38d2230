"""Stores compiled kernels on disk, and decides which stored ones are trusted.

The folder of a game's kernels is named after their text and after what compiles and runs them: the interpreter, numba
and the processor. So one folder serves every account of a host and every copy of the same version. Each compiled form
of a kernel is one file. If a file is damaged, missing or not trusted, the kernel is compiled again.

Loading this module loads neither numba nor any kernel.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import stat
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onlymove_engines.compiled.jit import Function
from onlymove_engines.core.files import open_regular
from platformdirs import site_cache_path, user_cache_path

from onlymove_tables.file_format import write_whole

if TYPE_CHECKING:
    from onlymove_engines.compiled.machine_code import Code

VARIABLE, SHARED_VARIABLE = "NUMBA_CACHE_DIR", "ONLYMOVE_KERNELS"
GAMES = "onlymove_engines.games."
OTHERS = "others"
"""The folder of kernels that belong to no game, such as those of tests."""

SHARED = "compiled"
"""The package in the engines that every kernel depends on, besides its own source."""

FORBIDDEN = stat.S_IWGRP | stat.S_IWOTH
"""Compiled code that other users run must be writable only by its owner."""

ROOT = 0

SPACE = 1 << 21
"""Bytes that must be free before a game package's kernels are stored."""


def find_named_folder(variable: str) -> Path | None:
    """Return the folder that a variable of the environment names, or `None`. A relative name is ignored, because code
    must not be loaded from the current folder. That may have been unpacked from somebody else's archive."""
    given = Path(os.environ.get(variable, ""))
    return given if given.is_absolute() else None


def kernels_folder() -> Path:
    """Return this account's folder for kernels: `$NUMBA_CACHE_DIR`, or by default one in the user's cache."""
    return find_named_folder(VARIABLE) or user_cache_path("onlymove") / "kernels"


def shared_folder() -> Path:
    """Return a host's folder for kernels: `$ONLYMOVE_KERNELS`, or by default one in the system's cache."""
    return find_named_folder(SHARED_VARIABLE) or site_cache_path("onlymove") / "kernels"


def package_of(module: str) -> str:
    return module.removeprefix(GAMES).partition(".")[0] if module.startswith(GAMES) else OTHERS


@cache
def folder_name(package: str) -> str:
    """Return the name of the folder for a game package's kernels. It depends on their sources, and on what compiles and
    runs them."""
    return name_folder(package, resources.files("onlymove_engines"), describe_machine())


def describe_machine() -> tuple[str, ...]:
    """Return what compiles and runs kernels: the interpreter, the system, numba and the processor."""
    return (sys.implementation.cache_tag or "", platform.system(), *compiler(), processor())


def name_folder(package: str, home: Traversable, parts: tuple[str, ...]) -> str:
    """Return the name for the sources in `home` and a machine with these parts."""
    sha = hashlib.sha256("\0".join(parts).encode())
    inside = home / "games" if package == OTHERS else home / "games" / package
    for source in [*list_modules(home / SHARED), *sources(inside)]:
        sha.update(source.name.encode() + b"\0" + source.read_bytes())
    return f"{package}-{sha.hexdigest()[:12]}"


def list_modules(folder: Traversable) -> list[Traversable]:
    """Return the modules in a folder, sorted by name."""
    return sorted((file for file in folder.iterdir() if file.name.endswith(".py")), key=lambda file: file.name)


def sources(folder: Traversable) -> list[Traversable]:
    """Return every kernel source in a folder and its subfolders, in a fixed order. A test checks that they import
    nothing else that affects the compiled code."""
    found: list[Traversable] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            found += list_modules(entry) if entry.name.startswith("_kernel") else sources(entry)
        elif entry.name.startswith("_kernel") and entry.name.endswith(".py"):
            found.append(entry)
    return found


@cache
def compiler() -> tuple[str, ...]:
    """Return the versions of numba and llvmlite, without importing them. Empty if numba is missing."""
    found = find_spec("numba")
    if found is None or not found.origin:
        return ()
    site = Path(found.origin).parent.parent
    parts = [path.name for name in ("numba", "llvmlite") for path in site.glob(f"{name}-*.dist-info")]
    return tuple(sorted(parts)) or (f"{found.origin} {os.stat(found.origin).st_mtime_ns}",)


def processor() -> str:
    """Return text that identifies the processor's features, because compiled code may rely on them."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    return platform.machine() + "".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))


@cache
def list_owners() -> frozenset[int]:
    """Return the other users whose compiled code you may run: root and the owner of the program."""
    return frozenset((ROOT, Path(__file__).stat().st_uid))


def is_trusted(found: os.stat_result) -> bool:
    """Whether code from a folder or file may be run: see `may_run`."""
    return may_run(found, os.geteuid(), list_owners())


def may_run(found: os.stat_result, user: int, others: Collection[int]) -> bool:
    """Whether a user may run code from a folder or file. It must belong to this user or to one of the others, who are
    root and the owner of the program, and nobody else may be able to change it. The user's own files may be writable
    for the group."""
    if found.st_uid == user:
        return not found.st_mode & stat.S_IWOTH
    return found.st_uid in others and not found.st_mode & FORBIDDEN


def is_trusted_folder(folder: Path) -> bool:
    try:
        return is_trusted(folder.stat())
    except OSError:
        return False


def own_folder(package: str) -> Path:
    return kernels_folder() / folder_name(package)


def folders(package: str) -> list[Path]:
    """Return the folders to search for a game package's kernels: your own, then the host's. Folders that are not
    trusted or not absolute are left out."""
    name = folder_name(package)
    return [
        root / name
        for root in (kernels_folder(), shared_folder())
        if root.is_absolute() and is_trusted_folder(root) and is_trusted_folder(root / name)
    ]


def prepare_folder(package: str) -> str:
    """Make the folder for a game package's kernels and check that they can be stored there. Returns one line that says
    what is wrong, or an empty text."""
    folder = own_folder(package)
    try:
        if not folder.is_absolute():
            return "there is no home folder"
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        probe = folder / f".space-{os.getpid()}"
        try:
            probe.write_bytes(bytes(SPACE))
        finally:
            probe.unlink(missing_ok=True)
    except OSError as refusal:
        return f"{folder}: {refusal.strerror or refusal}"
    return "" if folders(package)[:1] == [folder] else f"other users may write to {folder}"


CHECKSUM = hashlib.sha256().digest_size

UNREADABLE = (pickle.UnpicklingError, EOFError, ValueError, AttributeError, ImportError, TypeError)
"""What reading a stored kernel raises if it is missing or was written by something else."""


class KernelForms:
    """Stores the compiled forms of one kernel and finds them again."""

    def __init__(self, function: Function) -> None:
        self.package = package_of(function.__module__)
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        self.source = "" if self.package != OTHERS else Path(function.__code__.co_filename).read_text()
        self.folder = str(own_folder(self.package))
        with suppress(OSError):
            os.utime(self.folder)  # So `clean_up` can tell when it was last used.

    def file_name(self, types: object, processor: object) -> str:
        parts = f"{types} {processor} {self.source}"
        return f"{self.name}-{hashlib.sha256(parts.encode()).hexdigest()[:16]}.kernel"

    def read_forms(self, types: object, processor: object) -> Iterator[Any]:
        """Yield what was stored for arguments of these types, from each trusted folder that has it."""
        for folder in folders(self.package):
            with suppress(*UNREADABLE):
                yield pickle.loads(read_checked(folder / self.file_name(types, processor)))

    def write_form(self, types: object, processor: object, kept: bytes) -> None:
        """Store the pickled form for arguments of these types, if that is possible."""
        folder = own_folder(self.package)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if is_trusted_folder(folder):
                write_whole(folder / self.file_name(types, processor), hashlib.sha256(kept).digest(), kept)

    def load(self, kinds: str) -> Code | None:
        """Return the stored machine code for arguments of these kinds, or `None` if there is none."""
        from onlymove_engines.compiled.machine_code import Code, host  # noqa: PLC0415 - loads LLVM

        return next((Code(*stored) for stored in self.read_forms(kinds, host())), None)

    def save(self, kinds: str, code: Code) -> None:
        from onlymove_engines.compiled.machine_code import host  # noqa: PLC0415 - as above

        self.write_form(kinds, host(), pickle.dumps(tuple(code)))


def read_checked(path: Path) -> bytes:
    """Return what follows a file's checksum. Empty if the file is damaged, missing or not trusted."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            if not is_trusted(os.fstat(file.fileno())):
                return b""
            checksum, kept = file.read(CHECKSUM), file.read()
    except OSError:
        return b""
    return kept if hashlib.sha256(kept).digest() == checksum else b""
