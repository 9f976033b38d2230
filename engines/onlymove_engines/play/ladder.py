"""Computes a player's rating on the scale of a game's levels, and chooses the level to play next.

Whether a game is rated is chosen before it begins. A person then plays a level without help, from the standard start
and at the strength at which the level was measured. A game that is resigned before the first move does not count.

The scale is in Elo points, with 1000 for the weakest level. Ratings are always computed from the list of games, so that
levels can be measured again. Source: Mark E. Glickman, "Example of the Glicko-2 system", 22 March 2022,
http://www.glicko.net/glicko/glicko2.pdf. The code uses the paper's steps and letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import exp, log, pi, sqrt

from onlymove_engines.core.facts import Level
from onlymove_engines.core.value import other
from onlymove_engines.core.words import format_count
from onlymove_engines.play.players import get_level
from onlymove_engines.play.session import AnySession

SCALE = 173.7178
"""The number of rating points in one unit of the paper's inner scale (step 2)."""
TAU = 0.5
"""How much the volatility may change. This is the paper's own choice in its example."""
SETTLED = 110.0
"""A rating with a smaller deviation than this is no longer provisional. lichess.org uses the same bound."""
TOLERANCE = 0.000001
"""The precision of the volatility (step 5)."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength in Elo points, its standard deviation, and its volatility, which says how erratic the results are. The
    default deviation and volatility are the paper's values for an unknown player."""

    points: float
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        return self.deviation > SETTLED

    def __str__(self) -> str:
        return f"{self.points:.0f} ±{self.deviation:.0f}"


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A game against an opponent of this strength. The score is 1 for a win, 0.5 for a draw and 0 for a loss."""

    points: float
    deviation: float
    score: float


def update_rating(before: Rating, games: Sequence[RatedResult]) -> Rating:
    """Return the rating after a period with these games. A period without games only makes it less certain."""
    phi = before.deviation / SCALE
    if not games:
        return Rating(before.points, SCALE * sqrt(phi**2 + before.volatility**2), before.volatility)
    information, surprise = 0.0, 0.0
    for met in games:
        g = 1 / sqrt(1 + 3 * (met.deviation / SCALE) ** 2 / pi**2)
        expected = 1 / (1 + exp(-g * (before.points - met.points) / SCALE))
        information += g**2 * expected * (1 - expected)
        surprise += g * (met.score - expected)
    v = 1 / information
    sigma = _volatility(phi, before.volatility, v, v * surprise)
    new_phi = 1 / sqrt(1 / (phi**2 + sigma**2) + information)
    return Rating(before.points + SCALE * new_phi**2 * surprise, SCALE * new_phi, sigma)


def _volatility(phi: float, sigma: float, v: float, delta: float) -> float:
    """Return the new volatility (step 5). It is the zero of `f`, found by the Illinois variant of regula falsi."""
    a = log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    low, high = a, a - TAU
    if delta**2 > phi**2 + v:
        high = log(delta**2 - phi**2 - v)
    else:
        while f(high) < 0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)


@dataclass(frozen=True, slots=True)
class Scored:
    """A rated game: the opponent's level, the score (1, 0.5 or 0), and when it ended, as sortable text."""

    level: str
    score: float
    ended: str = ""


def find_rating(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> Rating | None:
    """Return the rating after these games (oldest first), or `None` without games.

    Each game is its own rating period. A new player starts in the middle of the scale. Games against levels that no
    longer exist do not count. The latest results are cached, because lists ask for them whenever the cursor moves.
    """
    return _remember_latest(levels)(games)


@lru_cache(16)
def _remember_latest(levels: tuple[Level, ...]) -> Callable[[tuple[Scored, ...]], Rating | None]:
    """Return `_rate` for these levels, which remembers two results: before and after the latest game. Each holds a list
    of all games that a player has ever played."""
    return lru_cache(2)(partial(_rate, levels))


def _rate(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> Rating | None:
    known = {level.id: level for level in levels}
    met = [(known[game.level], game.score) for game in games if game.level in known]
    if not met:
        return None
    rating = Rating((levels[0].rating + levels[-1].rating) / 2)
    for level, score in met:
        rating = update_rating(rating, [RatedResult(level.rating, level.error, score)])
    return rating


BEATEN, LATELY = 2.0, 3
"""A level is beaten with so many points in the last games against it, of which so many count."""
DRAWS_BEAT_PERFECTION = 1.0
"""The points that beat the highest level where best play is a draw, because nobody can win against it there."""


def choose_level(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> Level | None:
    """Return the next level to play, or `None` without levels: the lowest at first, one up from a level that is beaten,
    and one down after two losses in a row against the same level. After such a step down, the lower level has to be
    beaten anew. `games` are the rated games, the oldest first. Games against levels that no longer exist do not
    count."""
    met = _list_known(levels, games)
    if not met:
        return levels[0] if levels else None
    at = met[-1][0]
    if _is_step_down(met, len(met) - 1, at):
        return levels[max(0, at - 1)]
    return levels[min(len(levels) - 1, at + (_count_points(met, at) >= BEATEN))]


def has_beaten_all(levels: tuple[Level, ...], games: tuple[Scored, ...], is_drawn: bool) -> bool:
    """Whether the last rated games beat the highest level. `is_drawn` says whether best play of the game is a draw."""
    met, top = _list_known(levels, games), len(levels) - 1
    if not met or met[-1][0] != top:
        return False
    return _count_points(met, top) >= (DRAWS_BEAT_PERFECTION if is_drawn else BEATEN)


def _list_known(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> list[tuple[int, float]]:
    """Return the place of the level and the score of each game against one of these levels."""
    places = {level.id: place for place, level in enumerate(levels)}
    return [(places[game.level], game.score) for game in games if game.level in places]


def _is_step_down(met: Sequence[tuple[int, float]], last: int, level: int) -> bool:
    """Whether the game at `last` and the one before it were losses against this level."""
    return last > 0 and met[last] == met[last - 1] == (level, 0)


def _count_points(met: Sequence[tuple[int, float]], level: int) -> float:
    """Return the points in the last games against a level, since the player was last sent down to it."""
    since = next((last + 1 for last in reversed(range(len(met))) if _is_step_down(met, last, level + 1)), 0)
    return sum([score for place, score in met[since:] if place == level][-LATELY:])


def score_game(session: AnySession) -> Scored | None:
    """Return what a rated game counts as. `None` before its end, and if it ended before the first move."""
    level, result = find_level(session), session.result
    if level is None or result is None or not session.node.ply:
        return None
    (own,) = session.human_seats
    return Scored(level.id, 0.5 if result.winner is None else float(result.winner == own))


def find_level(session: AnySession) -> Level | None:
    """Return the level that plays against the only person, or `None`."""
    if len(session.human_seats) != 1:
        return None
    (own,) = session.human_seats
    return get_level(session.game, session.players[other(own)])


def may_be_rated(session: AnySession, options: Mapping[str, str], seed: int) -> bool:
    """Whether a new game can be rated: a person plays a level, without a house rule, from the standard start. That
    start may be random."""
    game = session.game
    usual = {option.id: option.default for option in game.play.options}
    is_usual = {**usual, **options} == usual and session.tree.root.position == game.start(options, seed)
    return is_usual and session.tree.house_rule is None and find_level(session) is not None


SHOWN_FROM = 5
"""How many rated games a player needs before the rating is shown. After fewer, it says little about the player."""


def count_until_shown(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> int:
    """Return how many more rated games there must be until the rating is shown."""
    return max(0, SHOWN_FROM - len(_list_known(levels, games)))


def describe_rating(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> str:
    """Return the rating after these games, such as `1640 ±90`, or after how many more games it is shown. Empty without
    games."""
    now, missing = find_rating(levels, games), count_until_shown(levels, games)
    if now is None:
        return ""
    return f"{now}{describe_provisional(now)}" if not missing else _describe_missing(missing)


def _describe_missing(missing: int) -> str:
    return f"{format_count(missing, 'more rated game')} until your rating shows"


def describe_change(levels: tuple[Level, ...], games: tuple[Scored, ...], own: Scored) -> str:
    """Say how a finished rated game changed the rating, as in `Rating 1640 ±90 (+12)`, or after how many more games the
    rating is shown. `games` are all rated games."""
    earlier = tuple(game for game in games if game.ended < own.ended)
    before, after = find_rating(levels, earlier), find_rating(levels, (*earlier, own))
    if after is None:
        return ""
    if missing := count_until_shown(levels, (*earlier, own)):
        return f"Rated. {_describe_missing(missing)}."
    is_first = before is None or count_until_shown(levels, earlier) > 0
    change = "" if is_first or before is None else f" ({after.points - before.points:+.0f})"
    return f"Rating {after}{change}{describe_provisional(after)}"


def describe_provisional(now: Rating) -> str:
    return ", provisional" if now.is_provisional else ""
