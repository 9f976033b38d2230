"""An end from outside (SIGINT, SIGTERM) for commands that work long: they put away what they hold, and say how far
they came.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

NUMBERS = (signal.SIGINT, signal.SIGTERM)


class Stopped(BaseException):
    """A signal came. Like KeyboardInterrupt not an error, so that nobody takes it for one on the way."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raises Stopped when a signal comes that is not ignored here; a second one ends the process at once."""
    before = {number: signal.getsignal(number) for number in NUMBERS}
    heard = [number for number, handler in before.items() if handler is not signal.SIG_IGN]

    def stop(number: int, _: FrameType | None) -> NoReturn:
        for each in heard:
            signal.signal(each, signal.SIG_DFL)
        raise Stopped(number)

    for number in heard:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])
