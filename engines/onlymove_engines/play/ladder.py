"""Computes a player's rating on the scale of a game's levels, chooses the level to play next, and decides which games
count.

A game counts only if a person plays a level without help, from the standard start and at the strength at which the
level was measured. A game without moves does not count.

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


def choose_level(levels: tuple[Level, ...], games: tuple[Scored, ...]) -> Level | None:
    """Return the next level to play, or `None` without levels. It is the lowest at first, then one up after a win and
    one down after a loss. Once the rating is settled, it is the nearest level."""
    now = find_rating(levels, games)
    if now is None:
        return levels[0] if levels else None
    if not now.is_provisional:
        return min(levels, key=lambda level: abs(level.rating - now.points))
    ids = [level.id for level in levels]
    last = next(game for game in reversed(games) if game.level in ids)
    step = (last.score > 0.5) - (last.score < 0.5)
    return levels[min(len(levels) - 1, max(0, ids.index(last.level) + step))]


TAKEN_BACK, HINTED, VALUES, EXPLAINED, REVIEWED = (
    "you took back a move",
    "you used a hint",
    "you looked at the values",
    "you asked why a move was bad",
    "you opened the review",
)
RESEATED, BRANCHED = "the players changed", "the game continues an earlier game"
HOUSE_RULE, SEARCH, NO_LEVEL, START = (
    "the game has a house rule",
    "you set the engine's time",
    "the engine has no level",
    "the game did not start from the standard position",
)
UNPREPARED = "the engine was still being compiled"
GUEST = "this account is shared"


def score_game(session: AnySession, help_had: str, is_limited: bool) -> tuple[str, Scored | None]:
    """Return why a game does not count, as far as that is known yet: how the players have changed, or which help they
    have had. `is_limited` says whether the engine has limits of its own. If the game is finished and counts, return its
    score."""
    seatings = {node.players_at_move for node in session.node.path()[1:]}
    why_not = help_had
    if None in seatings:
        why_not = BRANCHED
    elif seatings - {session.players}:
        why_not = RESEATED
    if why_not or not session.is_over or not session.node.ply or not is_on_a_ladder(session):
        return why_not, None
    (own,), level, result = session.human_seats, _find_level(session), session.result
    if level is None or (why_not := find_obstacle(session, is_limited)):
        return why_not or NO_LEVEL, None
    winner = None if result is None else result.winner
    return "", Scored(level.id, 0.5 if winner is None else float(winner == own))


def is_on_a_ladder(session: AnySession) -> bool:
    """Whether a person plays alone against an engine, in a game whose engines have levels."""
    return len(session.human_seats) == 1 and bool(session.game.facts.levels)


def find_obstacle(session: AnySession, is_limited: bool) -> str:
    """Return why no game with these settings can count for the rating, or an empty text if one can."""
    if _find_level(session) is None:
        return NO_LEVEL
    if session.tree.house_rule is not None:
        return HOUSE_RULE
    return SEARCH if is_limited and session.game.facts.plays_by_search else ""


def _find_level(session: AnySession) -> Level | None:
    """Return the level of the engine that plays against the only person, or `None`."""
    (own,) = session.human_seats
    return get_level(session.game, session.players[other(own)])


def find_changed_start(session: AnySession, options: Mapping[str, str], seed: int) -> str:
    """Return why a game with this start does not count. Empty for the standard start, even if that is random."""
    game = session.game
    usual = {option.id: option.default for option in game.play.options}
    is_usual = {**usual, **options} == usual and session.tree.root.position == game.start(options, seed)
    return "" if is_usual else START


def describe_rating(levels: tuple[Level, ...], games: tuple[Scored, ...], own: Scored | None, unrated: str) -> str:
    """Say how a finished game changed the rating, as in `Rating 1640 ±90 (+12)`, or why it did not. `games` are all
    games that count. Empty if there is nothing to rate."""
    if not levels or (own is None and not unrated):
        return ""
    if own is None:
        return f"Not rated: {unrated}."
    if unrated:
        return "The game was rated when it first ended."
    earlier = tuple(game for game in games if game.ended < own.ended)
    before, after = find_rating(levels, earlier), find_rating(levels, (*earlier, own))
    change = "" if before is None or after is None else f" ({after.points - before.points:+.0f})"
    return "" if after is None else f"Rating {after}{change}{describe_provisional(after)}"


def describe_provisional(now: Rating) -> str:
    return ", provisional" if now.is_provisional else ""
