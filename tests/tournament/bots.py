"""Programs that play the game of the heap over UGI, and what they do wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence

HONEST = 'say("bestmove 1")'
"""There is always something to take."""

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
    """The command line of a program that answers `go` so; statements of one line, parted by semicolons."""
    return sys.executable, "-I", "-S", "-c", BOT.format(answer=answer, at_start=at_start, at_end=at_end)


CHILD = "subprocess.Popen([sys.executable, '-I', '-S', '-c', {code!r}]{how})"


def child(code: str, how: str = "") -> str:
    """Starts another process that does this."""
    return CHILD.format(code=code, how=how)
