"""Runs a program, and kills everything that it has started once it ends or is no longer wanted. This is a process of
its own between a match and the program: `keeper.py LIFELINE NAME=VALUE COMMAND...`. It needs only the standard library,
because it starts for every game.

On Linux the keeper is the subreaper of its descendants (prctl(2)). A process whose parent has ended becomes a child of
the keeper, whatever its session or its environment. So nothing that the program starts gets away, and its CPU time can
be found. If the keeper itself is killed, the system kills the program. On other systems the keeper knows only the
program's process group.

The program is no longer wanted once the pipe LIFELINE is closed at its other end. This happens when the game is over,
and when the match is killed. SIGTERM is passed on to the program. NAME=VALUE is added to its environment. The keeper
ends as the program did, with its exit code or its signal.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
"""From linux/prctl.h."""

SWEEPS = 100
PAUSE = 50
"""How often to look for what is left, and how many milliseconds to wait for it to end. The system cannot always end a
process at once."""

SHELL = ("/bin/sh", "-c", 'exec "$@"', "sh")
"""The shell says why a program cannot be run, and runs a script without an interpreter line too."""


def set_option(option: int, value: int) -> None:
    """Set an attribute of this process with prctl(2). Other systems than Linux do not have it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def list_descendants(ancestor: int) -> set[int]:
    """Return the descendants of a process, on systems with /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.exists("/proc/self/stat") else ():
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                stat = file.read()
                # The process's name is in parentheses and may contain any characters.
                children.setdefault(int(stat[stat.rindex(b")") + 2 :].split()[1]), []).append(int(name))
    found = {ancestor}
    waiting = [ancestor]
    while waiting:
        own = set(children.get(waiting.pop(), ())) - found
        found |= own
        waiting += own
    return found - {ancestor}


class Keeper:
    """Starts the program at once."""

    def __init__(self, lifeline: int, variable: str, command: list[str]) -> None:
        self.lifeline = lifeline
        self.status: int | None = None
        """How the program ended, as from os.waitpid."""
        set_option(PR_SET_CHILD_SUBREAPER, 1)
        self.signalled, wake = os.pipe()
        os.set_blocking(self.signalled, False)
        os.set_blocking(wake, False)
        os.set_inheritable(lifeline, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self.pass_on)
        keeper = os.getpid()
        self.program = 0
        if not (program := os.fork()):
            become_program(keeper, variable, command)
        self.program = program
        nowhere = os.open(os.devnull, os.O_RDWR)
        for handle in range(3):  # The program alone holds its pipes, so that their ends can be seen.
            os.dup2(nowhere, handle)

    def pass_on(self, number: int, _: FrameType | None) -> None:
        self.signal_group(number)

    def signal_group(self, number: int) -> None:
        if self.program:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.program, number)

    def wait(self) -> None:
        """Wait until the program has ended or is no longer wanted."""
        pipes = select.poll()
        pipes.register(self.lifeline, 0)
        pipes.register(self.signalled, select.POLLIN)
        while self.status is None and self.lifeline not in dict(pipes.poll()):
            self.forget_signals()
            self.reap()

    def forget_signals(self) -> None:
        with suppress(BlockingIOError):
            os.read(self.signalled, 1 << 12)

    def reap(self) -> bool:
        """Let go of the children that have ended. Return whether there are others."""
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == self.program:
                    self.status = found[1]
            return True
        return False

    def kill(self) -> None:
        """Kill everything that is left."""
        pipes = select.poll()
        pipes.register(self.signalled, select.POLLIN)
        for _ in range(SWEEPS):
            self.signal_group(signal.SIGKILL)
            for process in list_descendants(os.getpid()):
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
            if not self.reap():
                return
            pipes.poll(PAUSE)
            self.forget_signals()

    def end(self) -> NoReturn:
        """End as the program did."""
        status = self.status or 0
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if number != signal.SIGKILL:
                signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


def become_program(keeper: int, variable: str, command: list[str]) -> NoReturn:
    """Run the program in this process, which has just been forked."""
    try:
        signal.set_wakeup_fd(-1)
        os.setsid()
        set_option(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == keeper:  # Otherwise it was killed before the system knew what to do then.
            for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them.
                signal.signal(number, signal.SIG_DFL)
            name, _, value = variable.partition("=")
            os.execve(SHELL[0], [*SHELL, *command], {**os.environ, name: value})
    finally:
        os._exit(126)


def main() -> NoReturn:
    keeper = Keeper(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
    keeper.wait()
    keeper.kill()
    keeper.end()


if __name__ == "__main__":
    main()
