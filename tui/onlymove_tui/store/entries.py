"""What the store knows of a game besides its moves: how it was set up, and what a list shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import msgspec
from onlymove_engines.coach.judge import OnBad
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Seat
from onlymove_engines.play.ladder import Scored
from onlymove_engines.play.players import Players

GameNumber: TypeAlias = int
UNFINISHED = "*"


class GameDetails(msgspec.Struct, frozen=True):
    """What the session does not say about a game: its options, the settings of its training, and where it came from. An
    `imported` game was read from a record and does not count for the player. `names` and `tags` come from that
    record. A game that `is_rated` was begun as a rated game, and `rated` is what it counted as when it first ended.
    `clock` is the time control as text, and `left` the seconds that each side has left. `challenge_id` is the id of a
    game against another user."""

    options: Mapping[str, str] = {}
    seed: int = 0
    training: bool = True
    on_bad: OnBad = OnBad.ASK
    objective: Objective = Objective.RESULT
    names: tuple[str, str] = ("", "")
    imported: bool = False
    tags: Mapping[str, str] = {}
    is_rated: bool = False
    rated: Scored | None = None
    clock: str = ""
    left: tuple[float, float] | None = None
    challenge_id: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the list. `own` is the seat of the only human player. `result` is `*` while the game goes on. The
    player's moves kept the result in `kept` of `decisions` (`None`: the game goes on), and the others
    are `slips`. If a side changed hands, the game counts as neither won nor lost."""

    number: GameNumber
    game: GameId
    started: datetime
    changed: datetime
    players: Players
    own: Seat | None
    result: str
    winner: Seat | None
    score: tuple[int, int] | None
    plies: int
    imported: bool
    decisions: int | None
    kept: int
    changed_hands: bool
    is_rated: bool
    """Whether it is a rated game that has not ended yet."""

    @property
    def slips(self) -> int:
        return (self.decisions or 0) - self.kept

    @property
    def is_over(self) -> bool:
        return self.result != UNFINISHED


@dataclass(frozen=True, slots=True)
class LastPlayed:
    """How the last game was set up."""

    players: Players
    house_rule: str
    details: GameDetails
