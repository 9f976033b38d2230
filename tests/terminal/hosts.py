"""A host on which players meet over a real sshd on loopback. They use profiles of one account, or an account each."""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from onlymove_tables.kernels.cache import kernels_folder

from .accounts import Accounts, administer, as_account, install
from .conftest import APP
from .harness import Pty
from .recipes import PROGRAM, ROOMS, recipes
from .sshd import Sshd, make_key

NAMES = ("ada", "bob", "cat")
"""The third player only watches."""


class Host:
    """An sshd that opens the app, with a profile for each key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: tuple[str, ...] = NAMES
        self.environ = {
            name: os.environ[name] for name in ("PATH", "PYTHONPATH", "XDG_CACHE_HOME") if name in os.environ
        }
        self.environ |= {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CONFIG", "STATE")}
        self.environ |= {"HOME": str(folder), "ONLYMOVE_ROOMS": str(folder / "rooms")}
        command = shlex.join(["env", *(f"{key}={value}" for key, value in self.environ.items()), *APP])
        allowed = [
            f'restrict,pty,command="{command} --kiosk --profile {name}" {make_key(folder / name)}\n' for name in NAMES
        ]
        (folder / "authorized").write_text("".join(allowed))
        self.sshd = Sshd(folder, f"AuthorizedKeysFile {folder}/authorized\nSetEnv LANG=C.UTF-8\n")

    def login(self, name: str) -> Pty:
        """Log in, and return the terminal."""
        return self.sshd.session(pwd.getpwuid(os.geteuid()).pw_name, self.folder / name)

    def apps(self, name: str = "") -> list[int]:
        """Return the ids of the app's processes, for one player or for all."""
        wanted, mine = f"--kiosk --profile {name}", str(self.folder)
        found = [pid for pid, _, args in processes() if wanted in args and args.startswith((sys.executable, "python"))]
        return [pid for pid in found if mine in environ_of(pid)]

    def games_of(self, name: str) -> Path:
        """Return the file with a player's games."""
        return self.folder / "data" / "onlymove" / "profiles" / name / "games.sqlite3"

    def peek(self, name: str, whose: str) -> str:
        """Return what one player can read of another's secrets. Within one account, nothing can be hidden."""
        return ""

    def close(self) -> None:
        self.sshd.close()


class AccountHost(Host):
    """An sshd with an account for each player and a common lobby, made as docs/hosting.md says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # A shell that survives would print "Killed" on the screen that is compared.
        self.accounts = Accounts(folder, shutil.which("bash") or "/bin/sh")
        try:
            self.sshd = self.begin_game(folder, install(folder / "opt"))
        except BaseException:
            self.accounts.close()
            raise

    def begin_game(self, folder: Path, program: Path) -> Sshd:
        """Start the server."""
        self.names = tuple(self.accounts.add(name, is_player=True) for name in NAMES)
        (folder / "key.pub").write_text(make_key(folder / "key"))
        (making,) = recipes("Let players meet")
        administer(*shlex.split(making.replace(ROOMS, str(folder / "rooms"))))
        shutil.copytree(kernels_folder(), folder / "kernels")
        (recipe,) = recipes("One account for each player")
        recipe = recipe.replace(PROGRAM, str(program)).replace("Group players", f"Group {self.accounts.group}")
        environ = f"ONLYMOVE_ROOMS={folder}/rooms ONLYMOVE_KERNELS={folder}/kernels"
        return Sshd(folder, f"AuthorizedKeysFile {folder}/key.pub\nSetEnv {environ}\n{recipe}")

    def login(self, name: str) -> Pty:
        return self.sshd.session(name, self.folder / "key")

    def apps(self, name: str = "") -> list[int]:
        mine = [name] if name else self.names
        found = [pid for pid, user, args in processes() if user in mine and "onlymove_tui --kiosk" in args]
        return [pid for pid in found if str(self.folder) in environ_of(pid)]

    def games_of(self, name: str) -> Path:
        return self.accounts.home(name) / ".local" / "share" / "onlymove" / "games.sqlite3"

    def peek(self, name: str, whose: str) -> str:
        kept = list(self.accounts.home(whose).rglob("seats/*.json"))
        assert kept, "a player who has fixed a choice stores it"
        found = [as_account(name, path.read_text) for path in kept]
        return "".join(text for text in found if text != "PermissionError")

    def close(self) -> None:
        super().close()
        self.accounts.close()


def processes() -> Iterator[tuple[int, str, str]]:
    """Yield the id, account and command line of every process."""
    listed = ["ps", "-ww", "-eo", "pid=,user:32=,args="]
    listing = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        pid, user, args = line.split(None, 2)
        yield int(pid), user, args


def environ_of(pid: int) -> str:
    """Return the environment of a process, or an empty text if it is gone."""
    try:
        return Path(f"/proc/{pid}/environ").read_text(errors="replace")
    except OSError:
        return ""
