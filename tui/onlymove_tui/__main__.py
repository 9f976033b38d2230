"""Starts the command line, for `onlymove` and `python -m onlymove_tui`."""

from __future__ import annotations

import io
import os
import sys
import threading
from contextlib import suppress
from typing import NoReturn

from onlymove_tables.child import trusted_folders
from onlymove_tables.kernels import prepare

from onlymove_tui import SIGNALLED
from onlymove_tui.environment import limit_threads


def settle_streams() -> None:
    """Replace closed standard streams by empty ones. Characters that a stream cannot encode become question marks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as we run
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def main() -> None:
    settle_streams()
    if sys.platform == "win32":
        # Locks, signals and terminals here are those of Unix.
        sys.stderr.write("onlymove needs Linux or macOS; on Windows it runs in WSL (the Windows Subsystem for Linux)\n")
        sys.exit(2)
    sys.path[:] = trusted_folders()
    limit_threads()
    prepare()
    from onlymove_tui.cli import run  # noqa: PLC0415 - kernels must have a folder before anything imports one

    try:
        code = run(sys.argv[1:])
    except Exception as error:  # noqa: BLE001 - an unexpected error
        from onlymove_tui.crash import report_crash  # noqa: PLC0415 - hardly ever needed
        from onlymove_tui.store.profiles import find_places  # noqa: PLC0415

        code = report_crash(error, find_places().log, is_kiosk="--kiosk" in sys.argv or "ONLYMOVE_KIOSK" in os.environ)
    end_process(code)


def end_process(code: int) -> NoReturn:
    """Exit with this code at once, without waiting for a lost terminal or for a thread that searches or compiles."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if code >= SIGNALLED or threading.active_count() > 1:
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
