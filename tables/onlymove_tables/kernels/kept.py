"""One kernel's compiled forms on disk, for `search.keeping`: as machine code, or, where numba calls the kernel, in a
cache in its sense.

A form is one file: a checksum, then the machine code or what numba makes of the form to be kept. Whatever is damaged,
not trusted or not there is compiled again; what cannot be written lasts as long as the process. numba's own cache would
go by dates, ask for write access even to read, and end the program when the disk is full.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from contextlib import suppress
from pathlib import Path

from onlymove_engines.search.keeping import Foreign, Function
from onlymove_engines.search.machine_code import Code, code_from, host

from onlymove_tables.files import write_whole
from onlymove_tables.kernels import cache

CHECKSUM = hashlib.sha256().digest_size


class Kept:
    """The forms of one function."""

    def __init__(self, function: Function) -> None:
        self.drawer = cache.drawer_of(function.__module__)
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        source = function.__code__
        self.told = "" if self.drawer != cache.OTHERS else Path(source.co_filename).read_text()
        self.cache_path = str(cache.own_folder(self.drawer))
        with suppress(OSError):
            os.utime(self.cache_path)  # so that `clean_up` can tell when it was last used

    def file_name(self, types: object, processor: object) -> str:
        """What the form for these types of arguments and this processor is called."""
        told = f"{types} {processor} {self.told}"
        return f"{self.name}-{hashlib.sha256(told.encode()).hexdigest()[:16]}.kernel"

    def load(self, kinds: str) -> Code | None:
        """The machine code for arguments of these kinds, or `None`."""
        name = self.file_name(kinds, host())
        for folder in cache.folders(self.drawer):
            if kept := whole(folder / name):
                with suppress(ValueError, TypeError):
                    return code_from(kept)
        return None

    def save(self, kinds: str, code: Code) -> None:
        """Keep machine code, where that can be."""
        self.write(self.file_name(kinds, host()), code.to_bytes())

    def write(self, name: str, kept: bytes) -> None:
        """Keep a form under this name, where that can be."""
        folder = cache.own_folder(self.drawer)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if cache.trusted(folder):
                write_whole(folder / name, hashlib.sha256(kept).digest(), kept)

    def load_overload(self, signature: object, target: Foreign) -> Foreign:
        """The form for these types, or `None`."""
        from numba.core.compiler import CompileResult  # noqa: PLC0415 - loaded by whoever asks

        target.refresh()
        rebuild: Foreign = CompileResult._rebuild
        name = self.file_name(signature, target.codegen().magic_tuple())
        for folder in cache.folders(self.drawer):
            if kept := whole(folder / name):
                with suppress(pickle.UnpicklingError, AttributeError, ImportError, TypeError):
                    return rebuild(target, *pickle.loads(kept))
        return None

    def save_overload(self, signature: object, result: Foreign) -> None:
        """Keep a form, where that can be."""
        from numba.core import serialize  # noqa: PLC0415 - loaded by whoever asks

        dumps: Foreign = serialize.dumps
        self.write(self.file_name(signature, result.codegen.magic_tuple()), dumps(result._reduce()))


def whole(path: Path) -> bytes:
    """What a file holds behind its checksum; nothing where it is damaged, not trusted or not there."""
    try:
        with path.open("rb") as file:
            if not cache.is_trusted(os.fstat(file.fileno())):
                return b""
            checksum, kept = file.read(CHECKSUM), file.read()
    except OSError:
        return b""
    return kept if hashlib.sha256(kept).digest() == checksum else b""
