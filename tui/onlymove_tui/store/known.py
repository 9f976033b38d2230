"""What this process knows of the games on disk, so that only what has changed is written. Knows no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from .rows import GameNumber
from .snapshot import NodeRow

MOST_KNOWN = 16
"""Games that are kept in mind, the latest: those on boards, one above the other, are always among them."""


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game as it was written or read here last, and its stamp."""

    nodes: Mapping[int, NodeRow]
    stamp: str
    row: Mapping[str, object]


NEVER_SEEN = KnownGame({}, "", {})


class KnownGames:
    """The games that were written or read last. Any thread may use it."""

    def __init__(self) -> None:
        self._games: dict[GameNumber, KnownGame] = {}
        self._alone = Lock()

    def get(self, number: GameNumber | None) -> KnownGame:
        """What is known of a game; nothing of one that was never seen."""
        with self._alone:
            return NEVER_SEEN if number is None else self._games.get(number, NEVER_SEEN)

    def put(self, number: GameNumber, known: KnownGame) -> None:
        """This is how it stands on disk now."""
        with self._alone:
            self._games.pop(number, None)
            self._games[number] = known
            if len(self._games) > MOST_KNOWN:
                del self._games[next(iter(self._games))]

    def forget(self, number: GameNumber) -> None:
        """It is gone."""
        with self._alone:
            self._games.pop(number, None)
