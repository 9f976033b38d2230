"""Handles unexpected errors. The details go into a file, and the player sees one line."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from onlymove_engines import __version__
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.text import clean_line, clean_lines

from onlymove_tui.store.profiles import open_own_file

CODE = 1
"""The exit code after an unexpected error."""
MAX_BYTES = 256 * 1024
"""A log that is longer starts again from empty, so that a player who can crash the app cannot fill the disk."""
MAX_WORDS = 200
"""How many characters of the error's text are shown."""


def report_crash(error: BaseException, log: Path, is_kiosk: bool, lost: str = "") -> int:
    """Say in one line that the program had to stop, and return the exit code. In a kiosk, the line has no path, and no
    text from the error, because that may contain a path. `lost` says which games could not be saved."""
    is_logged = write_details(error, log)
    is_out_of_memory = isinstance(error, MemoryError)
    line = f"onlymove had to stop because {'it ran out of memory' if is_out_of_memory else 'of an internal error'}"
    if is_kiosk:
        details = ", and the details are in its log" if is_logged else ""
        line += f". {as_sentence(lost)}" if lost else f". Games outside lessons are saved{details}."
    else:
        line += "" if is_out_of_memory else f" ({type(error).__name__}: {str(error)[:MAX_WORDS]})"
        line += f". {as_sentence(lost)} Details" if lost else ". Details"
        line += f" are in {log}" if is_logged else " could not be written."
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{clean_line(line)}\n")
    return CODE


def write_details(error: BaseException, log: Path) -> bool:
    """Append the traceback to the log, without the values of variables. Returns whether that was possible."""
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    head = f"{now} onlymove {__version__}, Python {platform.python_version()}, {platform.platform()}, {os.getpid()}\n"
    with suppress(OSError, MemoryError):
        with os.fdopen(open_own_file(log, os.O_WRONLY | os.O_APPEND), "a", encoding="utf-8", errors="replace") as file:
            if os.fstat(file.fileno()).st_size > MAX_BYTES:
                file.truncate(0)
            file.write(clean_lines(head + "".join(traceback.format_exception(error)) + "\n"))
        return True
    return False
