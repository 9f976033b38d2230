"""How this program starts Python again for a process of its own, which folders that process imports from, and the
environment for numpy and for other programs.

A module in the current folder may come from somebody else and have the name of one of ours. `python -m` and `python -c`
look there first, and so does an empty or relative entry of PYTHONPATH. So a child never imports from a folder only
because it is the current one. Apart from that, it imports from the same folders as its parent.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

VARIABLE = "PYTHONPATH"
OWN_PACKAGES = ("onlymove", "onlymove_engines", "onlymove_tables", "onlymove_tui")


def build_command(module: str, *arguments: str) -> list[str]:
    """Return the command line of a child that runs a module, like `python -m`. It must be started in the environment
    that `build_environment` returns. What the child starts in turn sees PYTHONPATH as it is here."""
    program = f"import os, runpy, sys; sys.path[:] = {trusted_folders()!a}; "
    if (entries := os.environ.get(VARIABLE)) != build_environment().get(VARIABLE):
        program += f"os.environ[{VARIABLE!r}] = {entries!a}; "
    program += "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
    return [sys.executable, "-P", "-c", program, module, *arguments]


def build_script(path: str, *arguments: str) -> list[str]:
    """Return the command line of a child that runs a file. It imports from the standard library alone, in any
    environment."""
    return [sys.executable, "-I", "-S", path, *arguments]


def build_environment() -> dict[str, str]:
    """Return the environment for the start of a child: this one, without the relative entries of PYTHONPATH. Python
    already imports modules before it runs any program."""
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if folders := [entry for entry in list_entries() if os.path.isabs(entry)]:
        environment[VARIABLE] = os.pathsep.join(folders)
    return environment


def trusted_folders() -> list[str]:
    """Return the folders of `sys.path`, except those that are there only because of the current folder: the one that
    `python -m` puts first, and the empty or relative entries of PYTHONPATH, which Python has turned into full paths.
    Folders that this program itself was loaded from are always among them."""
    own = (
        os.path.dirname(place) for name in OWN_PACKAGES if name in sys.modules for place in sys.modules[name].__path__
    )
    entries = list_entries()
    trusted, folders = {*own, *entries}, sys.path
    relative: set[str] = set()
    with suppress(FileNotFoundError):  # nobody can put a module into a folder that is gone
        relative = {os.path.abspath(entry) for entry in entries if not os.path.isabs(entry)}
        if folders[:1] == [os.getcwd()] and folders[0] not in trusted:
            folders = folders[1:]
    return [folder for folder in folders if os.path.isabs(folder) and (folder in trusted or folder not in relative)]


def list_entries() -> list[str]:
    """Return the entries of PYTHONPATH. Python ignores the variable if it is empty."""
    entries = os.environ.get(VARIABLE)
    return entries.split(os.pathsep) if entries else []


THREADS: Final = "OPENBLAS_NUM_THREADS"
"""The environment variable with the number of threads that numpy starts for linear algebra
(openmathlib.org/OpenBLAS/docs/runtime_variables). Without it, numpy starts one for each core, which takes 65 ms of
processor time on two cores, and this program does no linear algebra."""

GIVEN: Final = os.environ.get(THREADS)


def limit_threads() -> None:
    """Stop numpy from starting threads, unless the player has asked for some. Call this before numpy is loaded."""
    os.environ[THREADS] = os.environ.get(THREADS) or "1"


def outer_environment() -> dict[str, str]:
    """Return the environment for other programs: the one that this program was started with."""
    outer = dict(os.environ)
    outer.pop(THREADS, None)
    return outer if GIVEN is None else {**outer, THREADS: GIVEN}
