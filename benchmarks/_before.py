"""Earlier figures, to be printed beside today's.

They are the docs': processor time of commit fa5e2bf on an Intel Xeon whose two cores others used as well. A ratio to
them says something on such a machine only; for `command_line` an earlier checkout, given as `before=FOLDER`, is
measured in turns with this one on any.
"""

from __future__ import annotations

from collections.abc import Mapping

SOLVING = {"tobito": 0.5, "haneto": 4.9, "orbito": 3.2, "pokemon": 5.9, "ayoayo": 1.4}
"""Seconds (docs/tables.md)."""

ONE_POSITION = {"tobito": 0.25, "haneto": 0.25, "orbito": 0.29, "pokemon": 0.27, "ayoayo": 0.67}
"""Seconds of `analyse GAME --json` (docs/answering.md)."""

OBJECTS = {"tobito": 1270, "haneto": 1560, "orbito": 570, "pokemon": 1320, "ayoayo": 2300}
"""Lines a second of `analyse GAME - --json` (docs/answering.md)."""


def format_earlier(today: float, before: Mapping[str, float], game_id: str) -> str:
    """Return the earlier figure of a game in brackets, with the ratio of today's to it. Empty if there is no earlier
    figure."""
    return f" (before {before[game_id]:,g}, ratio {today / before[game_id]:.2g})" if game_id in before else ""
