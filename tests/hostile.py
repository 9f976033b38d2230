"""Runs the default suite in unusual environments: `make test-hostile`, or `python -m tests.hostile --times 1 busy`.

Each variant runs `make test` with its own environment. If started by root, the suite also runs as a new user (on
Linux), which gets a clone of the last commit. The machine should have nothing else to do.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from onlymove_tables.kernels.cache import VARIABLE, kernels_folder

from tests.terminal.accounts import Accounts, administer, is_open, link_folder

TOP = Path(__file__).resolve().parents[1]
LOOPS = 16
LOOP = "while True: pass"
LOCALES = {"de_DE.UTF-8": "UTF-8", "de_DE.ISO-8859-1": "ISO-8859-1"}
LAST_LINES = 60


@dataclass(frozen=True)
class Place:
    """Where the suite runs: the folder, the account (`None` for this one), and the environment."""

    folder: Path
    account: str | None
    environ: Mapping[str, str]

    def run(self, changes: Mapping[str, str], is_in_background: bool = False) -> subprocess.CompletedProcess[str]:
        """Run the default suite. Like a shell, make a process in the background ignore interrupts."""
        return subprocess.run(
            ["make", "test"],
            cwd=self.folder,
            env={**self.environ, **changes},
            user=self.account,
            group=self.account,
            extra_groups=None if self.account is None else (),
            preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if is_in_background else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )


class Stage:
    """What the variants need, in a temporary folder. Each part is made when a variant first needs it."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.accounts: Accounts | None = None
        environ = {name: os.environ[name] for name in ("PATH", "HOME", "TERM") if name in os.environ}
        self.here = Place(TOP, None, environ)
        self._elsewhere: Place | None = None

    def find_other_place(self) -> Place:
        """Return a place for another user than root: a clone that belongs to a new account. Without root's rights,
        return this place."""
        if os.geteuid() != 0:
            return self.here
        if self._elsewhere is None:
            self.accounts = Accounts(self.scratch)
            name = self.accounts.add("tester")
            home = self.accounts.home(name)
            clone = home / "onlymove"
            subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(TOP), str(clone)], check=True)
            environment_of(clone)
            administer("chown", "-R", f"{name}:{name}", str(clone))
            search = os.pathsep.join(path for path in os.environ["PATH"].split(os.pathsep) if is_open(Path(path)))
            environ = {"PATH": search, "HOME": str(home), "TERM": os.environ.get("TERM", "dumb"), "USER": name}
            self._elsewhere = Place(clone, name, environ)
        return self._elsewhere

    def locales(self) -> str:
        """Return a folder for LOCPATH with locales that few machines have."""
        folder = self.scratch / "locales"
        if not folder.exists():
            folder.mkdir()
            for name, charset in LOCALES.items():
                # Exit code 1 is a warning.
                subprocess.run(["localedef", "-i", "de_DE", "-f", charset, str(folder / name)], check=False)
                assert (folder / name).is_dir(), f"localedef has not made {name}: is the package 'locales' installed?"
        return str(folder)

    def close(self) -> None:
        """Remove the account."""
        if self.accounts is not None:
            self.accounts.close()


def environment_of(clone: Path) -> None:
    """Make a virtual environment with the packages that are installed here, without a package index. Its interpreter
    can be run by every user."""
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    own = Path(sys.base_prefix, "bin", name)
    python = own if is_open(own) else shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")
    assert python is not None, f"there is no {name} that another account may run"
    # A virtual environment made from within another one would point to that one.
    subprocess.run([str(python), "-m", "venv", "--without-pip", str(clone / ".venv")], check=True)
    packages = Path("lib", name, "site-packages")
    shutil.rmtree(clone / ".venv" / packages)
    link_folder(TOP / ".venv" / packages, clone / ".venv" / packages)
    for path in (clone / ".venv" / packages).glob("*.pth"):
        text = path.read_text()
        if str(TOP) in text:
            path.unlink()
            path.write_text(text.replace(str(TOP), str(clone)))
    for stamp in (".installed", ".developed"):
        (clone / ".venv" / stamp).touch()


@contextmanager
def keep_busy() -> Iterator[None]:
    """Run the block while other processes use all processor time."""
    loops = [subprocess.Popen([sys.executable, "-I", "-S", "-c", LOOP]) for _ in range(LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


Run = Callable[[Stage], "subprocess.CompletedProcess[str]"]


def run_busy(stage: Stage) -> subprocess.CompletedProcess[str]:
    """Run in the background of a busy machine. With more jobs the suite gets a larger share of the processors and ends
    sooner, although each job is slower."""
    with keep_busy():
        return stage.here.run({"JOBS": str(LOOPS // 2)}, is_in_background=True)


def run_at_a_locked_home(stage: Stage) -> subprocess.CompletedProcess[str]:
    """Run with a home folder that cannot be written. The account says where else compiled kernels are stored."""
    place = stage.find_other_place()
    home, kernels = stage.scratch / "locked", stage.scratch / "kernels"
    home.mkdir(exist_ok=True)
    home.chmod(0o555)
    if place.account is None:
        kernels = kernels_folder()
    elif not kernels.exists():
        kernels.mkdir()
        shutil.chown(kernels, place.account, place.account)
    return place.run({"HOME": str(home), VARIABLE: str(kernels)})


VARIANTS: Mapping[str, Run] = {
    "empty": lambda stage: stage.here.run({}),
    "user": lambda stage: stage.find_other_place().run({}),
    "C": lambda stage: stage.here.run({"LANG": "C", "TZ": "America/St_Johns"}),
    "german": lambda stage: stage.here.run({"LANG": "de_DE.UTF-8", "TZ": "Asia/Kathmandu", "LOCPATH": stage.locales()}),
    "latin-1": lambda stage: stage.here.run(
        {"LC_ALL": "de_DE.ISO-8859-1", "TZ": "Pacific/Kiritimati", "LOCPATH": stage.locales()}
    ),
    "locked-home": run_at_a_locked_home,
    "slow": lambda stage: stage.here.run({"PYTHONPATH": str(TOP / "tests" / "slow_machine")}),
    "busy": run_busy,
}
"""The variants by name. The environment has LANG, LC_ALL or TZ only if the variant sets it."""


def main() -> None:
    """Run the variants and report how each one went. The exit code is 1 if one has failed."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("variants", nargs="*", metavar="VARIANT", help=f"of {', '.join(VARIANTS)}; all of them if none")
    ask.add_argument("--times", type=int, default=3)
    asked = ask.parse_args()
    unknown = {*asked.variants} - {*VARIANTS}
    if unknown:
        ask.error(f"no variant {', '.join(sorted(unknown))}: there are {', '.join(VARIANTS)}")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        scratch = Path(folder)
        scratch.chmod(0o755)
        stage = Stage(scratch)
        try:
            for name in asked.variants or VARIANTS:
                for number in range(1, asked.times + 1):
                    failed += not run_variant(name, number, stage)
        finally:
            stage.close()
    sys.exit(failed > 0)


def run_variant(name: str, number: int, stage: Stage) -> bool:
    """Run a variant once and report it in one line, after its last lines if it failed. Return whether it passed."""
    began = time.monotonic()
    done = VARIANTS[name](stage)
    *lines, last = done.stdout.splitlines() or [""]
    if done.returncode:
        sys.stdout.writelines(f"{line}\n" for line in lines[-LAST_LINES:])
    output = "failed" if done.returncode else "passed"
    seconds, load = time.monotonic() - began, os.getloadavg()[0]
    sys.stdout.write(f"{name} {number}: {output} after {seconds:.0f} s, load {load:.0f}: {last}\n")
    sys.stdout.flush()
    return not done.returncode


if __name__ == "__main__":
    main()
