"""Records every call of one of our functions, in all threads of a process: when, in which file, and its name.

Call `install` from a `sitecustomize` on the path of a program: each of its processes then writes one file into the
folder that the environment variable `FOLDER_VARIABLE` names.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
import time
from pathlib import Path
from types import CodeType, FrameType

FOLDER_VARIABLE = "ONLYMOVE_CALLS"
ROOTS = ("engines", "tables", "tui", "library")
FLUSH_SECONDS = 0.05
NO_FUNCTIONS = frozenset({"<module>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Code objects that nobody calls by a name."""


def install() -> None:
    """Start recording, if the environment asks for it."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        return
    top = Path(__file__).resolve().parents[1]
    prefixes = tuple(f"{top / root}{os.sep}" for root in ROOTS)
    calls: list[tuple[int, CodeType]] = []
    append, clock = calls.append, time.monotonic_ns
    is_ours: dict[CodeType, bool] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            known = is_ours.get(code)
            if known is None:
                known = code.co_filename.startswith(prefixes) and code.co_name not in NO_FUNCTIONS
                # A class body is not a function: its locals are not its own.
                is_ours[code] = known = known and bool(code.co_flags & inspect.CO_NEWLOCALS)
            if known:
                append((clock(), code))

    def write() -> None:
        sys.setprofile(None)
        with open(Path(folder, f"{os.getpid()}.calls"), "a", encoding="utf-8") as file:
            while True:
                time.sleep(FLUSH_SECONDS)
                count = len(calls)
                for when, code in calls[:count]:
                    place = os.path.relpath(code.co_filename, top)
                    file.write(f"{when}\t{place}\t{code.co_qualname}\n")
                del calls[:count]
                file.flush()

    threading.Thread(target=write, daemon=True).start()
    threading.setprofile(note)
    sys.setprofile(note)
