"""Where a player stands on the ladder of a game's levels, and which of them comes next.

The scale is that of the levels: Elo points, 1000 for the weakest of them. Everything is reckoned anew from the games,
so that levels may be measured again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from onlymove_engines.core.game import Level
from onlymove_engines.play.glicko import Met, Rating, rated

SETTLED = 110.0
"""Below this deviation a rating is no longer provisional; the bound that lichess.org takes."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A game that counts: the id of the level that was met, and 1, 0.5 or 0 for win, draw and loss; when it ended, as
    text that sorts."""

    level: str
    score: float
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating after so many games that count."""

    rating: Rating
    games: int

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known yet."""
        return self.rating.deviation > SETTLED

    def __str__(self) -> str:
        """`1640 ±90`: points and standard deviation."""
        return f"{self.rating.points:.0f} ±{self.rating.deviation:.0f}"


@lru_cache(16)
def standing_after(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> Standing | None:
    """The rating after these games, the oldest first; `None` without one. Each game is a period of its own, and nobody
    is known to begin with: the middle of the ladder. Levels that are gone do not count.

    Remembered, as lists ask at every step of their cursor."""
    known = {level.id: level for level in levels}
    met = [(known[game.level], game.score) for game in games if game.level in known]
    if not met:
        return None
    rating = Rating((levels[0].rating + levels[-1].rating) / 2)
    for level, score in met:
        rating = rated(rating, [Met(level.rating, level.error, score)])
    return Standing(rating, len(met))


def fitting(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> Level | None:
    """The level to meet next: the lowest at first, then a step up after a win and down after a loss, and once the
    rating is settled the one that is nearest to it. `None` where there are no levels."""
    now = standing_after(levels, games)
    if now is None:
        return levels[0] if levels else None
    if not now.is_provisional:
        return min(levels, key=lambda level: abs(level.rating - now.rating.points))
    ids = [level.id for level in levels]
    last = next(game for game in reversed(games) if game.level in ids)
    step = (last.score > 0.5) - (last.score < 0.5)
    return levels[min(len(levels) - 1, max(0, ids.index(last.level) + step))]
