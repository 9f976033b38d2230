"""What the command line asks of the app: which game, from where, who plays, and how to draw.

`onlymove_tui.app.run(launch)` takes one of these and returns the exit code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.session import HUMAN, Chair, Sitter

ENGINE = Chair(Sitter.ENGINE)


@dataclass(frozen=True)
class Launch:
    """`game` is `None` for the menu. `start` is where the game begins; `from_text` says that it was given as a
    position on the command line. `profile`, `ascii_only` and `kiosk` are what the flags say; `None` or False
    leaves it to the environment and the settings."""

    game: AnyGame | None = None
    start: Any = None
    from_text: bool = False
    chairs: tuple[Chair, Chair] = (HUMAN, ENGINE)
    profile: str | None = None
    ascii_only: bool = False
    kiosk: bool = False
