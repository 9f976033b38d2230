"""Whose choices count for whom: who sat at the table when a move was made decides, not who sits there now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from onlymove_engines.core.value import Seat, other
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import Players

Made: TypeAlias = tuple[AnyNode, Seat]
"""A choice on a path: the node it led to, and the side that made it."""


def made_at(path: Sequence[AnyNode], seat: Seat) -> list[Made]:
    """Every choice of one side, whoever sat there."""
    return [(node, seat) for node in path[1:]]


def made_alone(path: Sequence[AnyNode]) -> list[Made]:
    """What a person chose against an engine, at either side. What was chosen between two people is not the player's
    for certain, and a move of which nobody knows who made it is nobody's."""
    return [
        (node, seat)
        for node in path[1:]
        for seat in (0, 1)
        if node.is_by_person(seat) and not node.is_by_person(other(seat))
    ]


def sides(players: Players, path: Sequence[AnyNode]) -> dict[Seat, list[Made]]:
    """Whose figures a game of these players has: the only person's, at whichever side it sat; else those of both sides,
    and where people play both without what an engine did there before."""
    people = [seat for seat in (0, 1) if players[seat].is_human]
    if len(people) == 1:
        return {people[0]: made_alone(path)}
    return {
        seat: [made for made in made_at(path, seat) if not people or made[0].is_by_person(seat) is not False]
        for seat in (0, 1)
    }


def changed_hands(players: Players, path: Sequence[AnyNode]) -> bool:
    """Whether on the way a person sat where none of `players` is one, or the other way round: then a result is not
    theirs who sit there at the end."""
    people = [player.is_human for player in players]
    return any(node.players is not None and [player.is_human for player in node.players] != people for node in path[1:])


def made_by_people(players: Players, path: Sequence[AnyNode]) -> list[Made]:
    """What the people at the table have to answer for, in the order it was made; nothing between engines."""
    if not any(player.is_human for player in players):
        return []
    return sorted((made for side in sides(players, path).values() for made in side), key=lambda made: made[0].ply)
