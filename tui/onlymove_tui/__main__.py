"""Starts the command line, for `onlymove` and `python -m onlymove_tui`."""

from __future__ import annotations

import io
import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from onlymove_tables.child import limit_threads, trusted_folders
from onlymove_tables.kernels import prepare

from onlymove_tui import SIGNALLED, STDOUT

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Output(io.FileIO):
    """The file behind stdout. Its errors name it, like the errors of other files."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except OSError as trouble:
            trouble.filename = STDOUT
            raise


def settle_streams() -> None:
    """Replace closed standard streams. A closed stdin is empty, and a closed stderr leads nowhere. Writing to a closed
    stdout fails, because nothing must seem to be written. Characters that a stream cannot encode become question
    marks."""
    for name, mode, access in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        stream = getattr(sys, name)
        if stream is None:
            handle = os.open(os.devnull, access)
            setattr(sys, name, open(handle, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - never closed
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if isinstance(out := sys.stdout, io.TextIOWrapper):
        file = Output(out.fileno(), "w", closefd=False)
        sys.stdout = io.TextIOWrapper(
            file if out.write_through else io.BufferedWriter(file),
            out.encoding,
            out.errors,
            line_buffering=out.line_buffering,
            write_through=out.write_through,
        )


def main() -> None:
    settle_streams()
    if sys.platform == "win32":
        # Locks, signals and terminals here are those of Unix.
        sys.stderr.write("onlymove needs Linux or macOS; on Windows it runs in WSL (the Windows Subsystem for Linux)\n")
        sys.exit(2)
    if not os.environ.get("HOME"):
        os.environ.pop("HOME", None)  # Python would take an empty one for the root folder.
    sys.path[:] = trusted_folders()
    limit_threads()
    prepare()
    from onlymove_tui.cli import run  # noqa: PLC0415 - kernels must have a folder before anything imports one

    try:
        code = run(sys.argv[1:])
    except Exception as error:  # noqa: BLE001 - an unexpected error
        from onlymove_tui.crash import report_crash  # noqa: PLC0415 - hardly ever needed
        from onlymove_tui.store.profiles import find_places  # noqa: PLC0415

        code = report_crash(
            error, find_places().log, is_kiosk="--kiosk" in sys.argv or bool(os.environ.get("ONLYMOVE_KIOSK"))
        )
    end_process(code)


def end_process(code: int) -> NoReturn:
    """Exit with this code at once, without waiting for a lost terminal or for a thread that searches or compiles."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            # Python would try again, and exit with a code of its own.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if code >= SIGNALLED or threading.active_count() > 1:
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
