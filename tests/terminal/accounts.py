"""Makes accounts on this machine for the time of a test, and installs the program where all of them can run it. This
needs root."""

from __future__ import annotations

import grp
import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import onlymove
import onlymove_engines
import onlymove_tables
import onlymove_tui
import pytest

MARK = re.compile(r"om(\d+)")
OTHERS_MAY = 0o005
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make accounts")


class Accounts:
    """New accounts and a new group. The homes are in `folder`, and others may look into them."""

    def __init__(self, folder: Path, shell: str = "/bin/sh") -> None:
        self.folder = folder
        self.shell = shell
        self.mark = f"om{os.getpid()}"
        self.group = f"{self.mark}players"
        self.names: list[str] = []
        clear_dead()
        administer("groupadd", self.group)

    def add(self, name: str, is_player: bool = False) -> str:
        """Make an account and return its name. Its password `*` fits nothing, but does not lock the account."""
        called = f"{self.mark}{name}"
        home = self.home(called)
        home.mkdir(mode=0o755, parents=True)
        group = ("-G", self.group) if is_player else ()
        administer("useradd", "-M", "-d", str(home), "-s", self.shell, "-p", "*", *group, called)
        self.names.append(called)
        shutil.chown(home, called, called)
        return called

    def home(self, called: str) -> Path:
        return self.folder / "home" / called.removeprefix(self.mark)

    def close(self) -> None:
        """Remove the accounts and the group."""
        for name in self.names:
            administer("userdel", "-f", name)
        administer("groupdel", self.group)


def clear_dead() -> None:
    """Remove the processes, accounts and groups of runs that were killed. Their names contain the id of a process that
    is gone, and their homes are in a temporary folder."""
    for account in pwd.getpwall():
        if is_of_dead(account.pw_name) and account.pw_dir.startswith(f"{tempfile.gettempdir()}/"):
            subprocess.run(["pkill", "-KILL", "-u", str(account.pw_uid)], check=False)
            administer("userdel", "-f", account.pw_name)
    for group in grp.getgrall():
        if group.gr_name.endswith("players") and is_of_dead(group.gr_name) and not group.gr_mem:
            administer("groupdel", group.gr_name)


def is_of_dead(name: str) -> bool:
    """Whether this name was made by a run that is gone."""
    found = MARK.match(name)
    return found is not None and not Path(f"/proc/{found[1]}").exists()


def administer(*command: str) -> None:
    """Run a command, which must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{shlex.join(command)}: {done.stderr}"


def as_account(name: str, do: Callable[[], object]) -> str:
    """Call a function as an account, in a process of its own. Return its result as text, or the name of the OSError."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        output = "nothing"
        try:
            become(name)
            output = str(do())
        except OSError as error:
            output = type(error).__name__
        finally:
            os.write(write, output.encode())
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as stream:
        return stream.read()


def become(name: str) -> None:
    """Make this process run as another account."""
    found = pwd.getpwnam(name)
    os.setgroups([])
    os.setgid(found.pw_gid)
    os.setuid(found.pw_uid)


def install(folder: Path) -> Path:
    """Return the program as `bin/onlymove` in `folder`, where others can run it. If others cannot read the interpreter
    or the sources, as in root's home, they are linked there."""
    (folder / "bin").mkdir(parents=True)
    modules = (onlymove, onlymove_engines, onlymove_tables, onlymove_tui)
    sources = [Path(str(module.__file__)).parents[1] for module in modules]
    paths = dict.fromkeys((*sources, Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib"))))
    reached = [
        path if is_open(path) else link_folder(path, folder / f"path-{number}") for number, path in enumerate(paths)
    ]
    lines = [f"export PYTHONPATH={shlex.quote(':'.join(map(str, reached)))} PYTHONDONTWRITEBYTECODE=1"]
    python = Path(sys.executable)
    if not is_open(python.resolve()):
        python = interpreter(folder / "python")
        lines.append(f"export LD_LIBRARY_PATH={shlex.quote(str(python.parents[1] / 'lib'))}")
    program = folder / "bin" / "onlymove"
    program.write_text("\n".join(["#!/bin/sh", *lines, f'exec {shlex.quote(str(python))} -P -m onlymove_tui "$@"', ""]))
    program.chmod(0o755)
    return program


def is_open(path: Path) -> bool:
    """Whether everybody may read this path."""
    return all(parent.stat().st_mode & OTHERS_MAY == OTHERS_MAY for parent in (path, *path.parents))


def interpreter(folder: Path) -> Path:
    """Link the interpreter that runs this into `folder`, without installed packages."""
    base, name = Path(sys.base_prefix), f"python{sys.version_info[0]}.{sys.version_info[1]}"
    (folder / "bin").mkdir(parents=True)
    link(str(base / "bin" / name), str(folder / "bin" / name))
    link_folder(base / "lib" / name, folder / "lib" / name)
    for library in base.glob("lib/libpython*"):
        link(str(library), str(folder / "lib" / library.name))
    return folder / "bin" / name


def link_folder(path: Path, place: Path) -> Path:
    """Link a folder to another place."""
    unused = shutil.ignore_patterns("site-packages", "test", "idlelib", "tkinter", "ensurepip", "config-*")
    ignore = unused if path.name != "site-packages" else None
    return Path(shutil.copytree(path, place, copy_function=link, ignore=ignore))


def link(old: str, new: str) -> str:
    """Link a file to another place, or copy it if it cannot be linked."""
    with suppress(OSError):
        os.link(old, new)
        return new
    return str(shutil.copy2(old, new))
