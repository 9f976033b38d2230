"""Which judgements may be shown while a game goes on, and which reasons. One law for every front end."""

from __future__ import annotations

from onlymove_engines.match.match import Match
from onlymove_engines.match.seats import is_between_engines, is_persons, is_with_others
from onlymove_engines.play.line import AnyNode


def is_revealed(match: Match) -> bool:
    """Whether judgements are shown at all: in training, after the end, between engines."""
    return match.training or match.session.is_over or is_between_engines(match.session)


def may_be_explored(match: Match) -> bool:
    """Whether every line of a game may be looked into: after its end and between engines; of a person's game under way,
    where best play has been shown already."""
    return _hides_nothing(match) or (match.advice.has_explained and _is_alone(match))


def may_be_explained(match: Match) -> bool:
    """Whether it may be said why a judged move is bad: after the end, between engines, and before to one person against
    an engine, in a game that cannot count for the rating."""
    return _hides_nothing(match) or (_is_alone(match) and not match.may_count)


def _hides_nothing(match: Match) -> bool:
    return match.session.is_over or is_between_engines(match.session)


def _is_alone(match: Match) -> bool:
    return len(match.session.human_seats()) == 1 and not is_with_others(match.session)


def is_disclosed(match: Match, node: AnyNode) -> bool:
    """Whether the judgement of the move into `node` may be shown where judgements are: an engine's last move is not
    graded before the person has answered it."""
    if node.parent is None or match.session.is_over or is_between_engines(match.session):
        return True
    return is_persons(match.session, node) or (node is not match.node and node in match.node.lineage())
