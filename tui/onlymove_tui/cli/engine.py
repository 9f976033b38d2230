"""The command `engine`: lets another program talk to a game in UGI or in the game's own protocol.

It reads stdin and the clock. The protocols themselves are state machines without input or output.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Iterator
from itertools import chain

import click
from click import UsageError
from onlymove_engines.core.errors import OnlymoveError, did_you_mean
from onlymove_engines.core.game import AnyGame
from onlymove_engines.protocols.host import Dialect
from onlymove_engines.protocols.ugi import Ugi

from . import close_quietly
from .console import GAME, UGI, complete_from, log, protocol_names, read_batches, seek_analyst, style_names, tell

MAX_WAITING = 16 << 20
"""About so many bytes of lines may wait to be answered."""


class Listener:
    """Reads stdin in a separate thread, so that `stop` is noticed during a search. A `stop` applies to the last `go`
    before it. In a script that is piped in, it does not stop earlier searches. While many lines wait to be answered, no
    others are read."""

    def __init__(self) -> None:
        self.is_leaving = False
        self._fault: OSError | None = None
        self._room = threading.Condition()
        self._waiting = 0
        """The bytes that the waiting lines take in memory."""
        self._lines: queue.SimpleQueue[tuple[int, str] | None] = queue.SimpleQueue()
        self._cut_short: set[int] = set()
        self._search = 0
        self._current = 0

    def lines(self) -> Iterator[str]:
        """Yield the lines as they arrive. Raises OSError if they cannot be read."""
        while (found := self._lines.get()) is not None:
            self._current, line = found
            with self._room:
                self._waiting -= sys.getsizeof(line)
                self._room.notify()
            yield line
        if self._fault is not None:
            raise self._fault

    def is_stopped(self) -> bool:
        """Whether a `stop` has arrived for the line that is being answered."""
        return self._current in self._cut_short

    def hear(self, number: int, line: str) -> None:
        word = line.partition(" ")[0]
        if word == "go":
            self._search = number
        elif word == "stop":
            self._cut_short.add(self._search)
        elif word == "quit":
            self.is_leaving = True
        with self._room:
            self._room.wait_for(lambda: self._waiting < MAX_WAITING)
            self._waiting += sys.getsizeof(line)
        self._lines.put((number, line))

    def listen(self) -> None:
        try:
            for number, line in enumerate(chain.from_iterable(read_batches()), 1):
                self.hear(number, line)
        except OSError as fault:
            self._fault = fault
        self.is_leaving = True
        self._lines.put(None)


@click.command("engine")
@click.argument("game", type=GAME)
@click.option(
    "--protocol",
    metavar="NAME",
    help="Protocol to use: ugi or one of the game's own. `onlymove games GAME` lists them.",
    shell_complete=complete_from(protocol_names),
)
@click.option(
    "--style",
    metavar="NAME",
    help="Playing style. `onlymove games GAME` lists the styles.",
    shell_complete=complete_from(style_names),
)
@click.option("--verbose", is_flag=True, help="Write details of each search to stderr.")
def engine_command(game: AnyGame, protocol: str | None, style: str | None, verbose: bool) -> int:
    """Run an engine on stdin and stdout, for other programs."""
    name = choose_protocol(game, protocol)
    analyst, _ = seek_analyst(game, waits=False)
    listener = Listener()
    speaker: Dialect | None = None

    def stop() -> bool:
        waiting = getattr(speaker, "is_infinite", False)
        return listener.is_stopped() or (waiting and listener.is_leaving)

    def make_ugi() -> Dialect:
        return Ugi(game, analyst, time.monotonic, stop)

    speaker = make_ugi() if name == UGI else game.play.protocols[name](analyst, time.monotonic, stop)
    if style is not None:
        choose_style(game, speaker, name, style)
    threading.Thread(target=listener.listen, daemon=True).start()
    try:
        for line in listener.lines():
            answer(speaker, line)
            if verbose:
                tell_remark(speaker)
            if speaker.handover:
                speaker = make_ugi()
                answer(speaker, line)
            if speaker.finished:
                break
    except BrokenPipeError:
        close_quietly()
        tell("the other program closed the pipe")
    return 0


def answer(speaker: Dialect, line: str) -> None:
    """Write each reply as soon as it is there. Errors that the protocol cannot express go to stderr."""
    try:
        for reply in speaker.replies(line):
            sys.stdout.write(f"{reply}\n")
            sys.stdout.flush()
    except OnlymoveError as refusal:
        tell(str(refusal))


def choose_style(game: AnyGame, speaker: Dialect, protocol: str, name: str) -> None:
    """Set the engine's style. Raises UsageError if the game does not have it or the protocol allows no choice."""
    known = style_names(game)
    if name not in known:
        listed = ", ".join(known) or "none"
        raise UsageError(f"{game.facts.title} has no style '{name}'; choose from {listed}{did_you_mean(name, known)}")
    if not hasattr(speaker, "style"):
        hint = "" if game.facts.simultaneous else f": --protocol {UGI} does"
        raise UsageError(f"protocol '{protocol}' has no styles{hint}")
    speaker.style = name


def tell_remark(speaker: Dialect) -> None:
    """Write the findings of a search to stderr, once."""
    remark: str = getattr(speaker, "remark", "")
    if remark:
        log(remark)
        speaker.remark = ""  # type: ignore[attr-defined]


def choose_protocol(game: AnyGame, asked: str | None) -> str:
    """Return the requested protocol, or the game's first one. Raises UsageError."""
    spoken = protocol_names(game)
    name = spoken[0] if asked is None and spoken else asked
    if name is None or name not in spoken:
        listed, wish = ", ".join(spoken) or "nothing yet", asked or UGI
        raise UsageError(f"unknown protocol '{wish}'; {game.facts.title} supports {listed}{did_you_mean(wish, spoken)}")
    return name
