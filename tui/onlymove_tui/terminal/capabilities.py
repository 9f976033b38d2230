"""What the current terminal can show: sizes, characters, colours. Neither imports Textual nor draws anything."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from onlymove_engines.core.errors import OnlymoveError

from onlymove_tui.store.settings import Settings

Size: TypeAlias = tuple[int, int]
"""The numbers of columns and lines."""

MIN_SIZE: Final[Size] = (60, 20)
"""Every screen fits into this size. In a smaller terminal only `Gate` is shown."""

MAX_SIZE: Final[Size] = (500, 200)
"""The largest size that is drawn, more than any monitor shows. A window may claim 65,535 columns and lines, and drawing
all of them would take gigabytes, so the cells beyond stay empty."""


def is_too_small(terminal: Size) -> bool:
    """Whether a terminal of this size cannot show a screen.

    >>> is_too_small((60, 20)), is_too_small((59, 20)), is_too_small((200, 1))
    (False, True, True)
    """
    return terminal[0] < MIN_SIZE[0] or terminal[1] < MIN_SIZE[1]


def layout_size(terminal: Size) -> Size:
    """Return the size at which screens are laid out in a terminal of this size.

    >>> layout_size((80, 24)), layout_size((1, 70)), layout_size((20_000, 50))
    ((80, 24), (60, 70), (500, 50))
    """
    width, height = (
        min(max(side, least), most) for side, least, most in zip(terminal, MIN_SIZE, MAX_SIZE, strict=True)
    )
    return width, height


PLAIN_HINT = "Try `onlymove play GAME --plain`"


class NoTerminal(OnlymoveError):
    """The app cannot be shown in this terminal, or there is none."""


def require_terminal() -> None:
    """Raise NoTerminal, with one clear line, if the app cannot run here. Textual reads stdin, asks stdout for its size
    and draws on stderr, except in a browser (`TEXTUAL_DRIVER`)."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return
    streams = {"stdin": sys.__stdin__, "stdout": sys.__stdout__, "stderr": sys.__stderr__}
    missing = [name for name, stream in streams.items() if stream is None or not stream.isatty()]
    if missing:
        wrong = "is not one" if len(missing) == 1 else "are not"
        raise NoTerminal(f"the app needs a terminal, but {' and '.join(missing)} {wrong}. {PLAIN_HINT}")
    term = os.environ.get("TERM", "")
    if term in ("", "dumb"):
        kind = f"TERM is {term}" if term else "TERM is not set"
        raise NoTerminal(f"this terminal cannot show the app ({kind}). {PLAIN_HINT}")


def has_terminal() -> bool:
    """Whether the app can run here."""
    try:
        require_terminal()
    except NoTerminal:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Terminal:
    """What the app may use in this terminal. `remote`: it is at the other end of an SSH connection."""

    ascii_only: bool
    colour: bool
    animation: bool
    mouse: bool
    remote: bool


def detect_terminal(settings: Settings, environ: Mapping[str, str] = os.environ) -> Terminal:
    """Return what the terminal can do. A setting decides, unless it is `auto`."""
    remote = bool(environ.get("SSH_CONNECTION"))
    return Terminal(
        ascii_only=settings.ascii.resolve(environ.get("TERM") == "linux" or not is_utf8(environ)),
        colour=not environ.get("NO_COLOR"),
        animation=settings.animation.resolve(not remote),
        mouse=settings.mouse.resolve(not remote),
        remote=remote,
    )


def _read_coerced_lc_ctype() -> str | None:
    """Return the LC_CTYPE that Python set because the locale was C (PEP 538), or `None`. The kernel still shows the
    environment with which the process was started."""
    lc_ctype = os.environ.get("LC_CTYPE")
    if lc_ctype not in ("C.UTF-8", "C.utf8", "UTF-8"):
        return None
    try:
        given = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return None if f"LC_CTYPE={lc_ctype}".encode() in given else lc_ctype


COERCED_LC_CTYPE: Final = _read_coerced_lc_ctype()
"""Read when the program starts, because the thread that draws the screen must not open files."""


def is_utf8(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the player's locale is UTF-8, according to the first of LC_ALL, LC_CTYPE and LANG that is set."""
    lc_ctype = environ.get("LC_CTYPE", "")
    if environ is os.environ and lc_ctype == COERCED_LC_CTYPE:
        lc_ctype = ""
    locale = environ.get("LC_ALL") or lc_ctype or environ.get("LANG", "")
    return locale.partition("@")[0].lower().replace("-", "").endswith("utf8")


def prepare_environment(terminal: Terminal, environ: dict[str, str] | None = None) -> None:
    """Set variables that Textual reads when it is imported. Over SSH there are fewer frames and no smooth scrolling.
    Variables that the player has set do not change."""
    variables = os.environ if environ is None else environ
    if terminal.colour:
        # An empty NO_COLOR has no meaning (no-color.org), but Textual would obey it.
        variables.pop("NO_COLOR", None)
    if not terminal.animation:
        variables.setdefault("TEXTUAL_ANIMATIONS", "none")
    if terminal.remote:
        variables.setdefault("TEXTUAL_SMOOTH_SCROLL", "0")
        variables.setdefault("TEXTUAL_FPS", "30")


def strip_folders(text: str) -> str:
    """Remove the folders from the names of files in a text. It must fit on a line, and a kiosk shows no paths.

    >>> strip_folders("/var/lib/onlymove/heap.tbl: damaged")
    'heap.tbl: damaged'
    """
    return re.sub(r"(?:/[^/\s:]+)+/([^/\s:]+)", r"\1", text)
