"""Decides whether and how a game counts for the player's rating.

A game counts only if a person plays a level without help, from the standard start and at the strength at which the
level was measured. A game without moves does not count.
"""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.facts import Level
from onlymove_engines.core.value import other
from onlymove_engines.match.engine import FREE, Effort
from onlymove_engines.play.ladder import Scored, Standing, find_standing
from onlymove_engines.play.players import get_level
from onlymove_engines.play.session import AnySession

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


def score_game(session: AnySession, help_had: str, effort: Effort) -> tuple[str, Scored | None]:
    """Return why a game does not count, as far as that is known yet: how the players have changed, or which help they
    have had. If the game is finished and counts, return its score."""
    seatings = {node.players_at_move for node in session.node.path()[1:]}
    why_not = help_had
    if None in seatings:
        why_not = BRANCHED
    elif seatings - {session.players}:
        why_not = RESEATED
    if why_not or not session.is_over or not session.node.ply or not is_on_a_ladder(session):
        return why_not, None
    (own,), level, result = session.human_seats, _find_level(session), session.result
    if level is None or (why_not := find_obstacle(session, effort)):
        return why_not or NO_LEVEL, None
    winner = None if result is None else result.winner
    return "", Scored(level.id, 0.5 if winner is None else float(winner == own))


def is_on_a_ladder(session: AnySession) -> bool:
    """Whether a person plays alone against an engine, in a game whose engines have levels."""
    return len(session.human_seats) == 1 and bool(session.game.facts.levels)


def find_obstacle(session: AnySession, effort: Effort) -> str:
    """Return why no game with these settings can count for the rating, or an empty text if one can."""
    if _find_level(session) is None:
        return NO_LEVEL
    if session.line.house_rule is not None:
        return HOUSE_RULE
    return SEARCH if effort != FREE and session.game.facts.plays_by_search else ""


def _find_level(session: AnySession) -> Level | None:
    """Return the level of the engine that plays against the only person, or `None`."""
    (own,) = session.human_seats
    return get_level(session.game, session.players[other(own)])


def find_changed_start(session: AnySession, options: Mapping[str, str], seed: int) -> str:
    """Return why a game with this start does not count. Empty for the standard start, even if that is random."""
    game = session.game
    usual = {option.id: option.default for option in game.play.options}
    is_usual = {**usual, **options} == usual and session.line.root.position == game.start(options, seed)
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
    before, after = find_standing(levels, earlier), find_standing(levels, (*earlier, own))
    change = "" if before is None or after is None else f" ({after.rating.points - before.rating.points:+.0f})"
    return "" if after is None else f"Rating {after}{change}{describe_provisional(after)}"


def describe_provisional(now: Standing) -> str:
    return ", provisional" if now.is_provisional else ""
