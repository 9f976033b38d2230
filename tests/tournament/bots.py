"""Programs that play the heap game over UGI, with various faults."""

from __future__ import annotations

import sys
from collections.abc import Sequence

HONEST = 'say("bestmove 1")'
"""Taking one is always legal."""

BOT = """
import os, signal, subprocess, sys, threading, time

def say(text):
    os.write(1, (text + "\\n").encode())

def burn(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass

{at_start}
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        say("id name Honest\x07 Bot 1.2"); say("ugiok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "go":
        {answer}
    elif words[0] == "quit":
        {at_end}
"""


def bot(answer: str = HONEST, at_start: str = "", at_end: str = "break") -> Sequence[str]:
    """Return the command line of a program that answers `go` in this way. The arguments are Python statements on one
    line, separated by semicolons."""
    return sys.executable, "-I", "-S", "-c", BOT.format(answer=answer, at_start=at_start, at_end=at_end)


CHILD = "subprocess.Popen([sys.executable, '-I', '-S', '-c', {code!r}]{how})"


def child(code: str, how: str = "") -> str:
    """Return a statement that starts another process with this code."""
    return CHILD.format(code=code, how=how)


ESCAPE = """
import os, sys
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", {code!r}], {{}})
"""


def orphan(code: str) -> str:
    """Return a statement that starts a process with this code which has no parent left, a session of its own and an
    empty environment."""
    return child(ESCAPE.format(code=code))
