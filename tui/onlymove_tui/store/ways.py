"""Which ways the player's own games have gone, and how each of them ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition, GameId

from .database import Database
from .progress import Tally
from .rows import WON_OR_LOST

LATEST = 300
"""Games that are looked at: some tenths of a second."""


@dataclass(frozen=True, slots=True)
class OwnWay:
    """A finished game of one person against an engine: its start and its moves as text; how it ended for the person."""

    start: str
    moves: tuple[str, ...]
    tally: Tally


def own_ways(database: Database, game: GameId) -> list[OwnWay]:
    """The latest games, as far as they were played. Raises StoreTrouble."""
    query = (
        f"SELECT id, start, at, own, winner FROM game WHERE {WON_OR_LOST} AND game = ? ORDER BY changed DESC LIMIT ?"
    )
    found = database.rows(query, (game, LATEST))
    nodes: dict[int, dict[int, sqlite3.Row]] = {}
    if found:
        marks = ", ".join("?" * len(found))
        query = f"SELECT game, id, parent, move FROM node WHERE game IN ({marks})"
        for row in database.rows(query, tuple(row["id"] for row in found)):
            nodes.setdefault(row["game"], {})[row["id"]] = row
    return [OwnWay(row["start"], moves_to(nodes.get(row["id"], {}), row["at"]), tally_of(row)) for row in found]


def moves_to(nodes: Mapping[int, sqlite3.Row], at: int) -> tuple[str, ...]:
    """The moves that led to a node; nothing where rows are missing."""
    moves: list[str] = []
    while at in nodes and nodes[at]["parent"] is not None and len(moves) < len(nodes):
        moves.append(nodes[at]["move"])
        at = nodes[at]["parent"]
    return tuple(reversed(moves))


def tally_of(row: sqlite3.Row) -> Tally:
    """One game as its person counts it."""
    if row["winner"] is None:
        return Tally(draws=1)
    return Tally(wins=1) if row["winner"] == row["own"] else Tally(losses=1)


def passages(game: AnyGame, ways: Sequence[OwnWay]) -> dict[AnyPosition, Tally]:
    """For each position how often those games came through it, each once, and how they ended. What the rules do not
    understand any more is left out."""
    found: dict[AnyPosition, Tally] = {}
    for way in ways:
        for position in positions_of(game, way):
            found[position] = found.get(position, Tally()) + way.tally
    return found


def positions_of(game: AnyGame, way: OwnWay) -> set[AnyPosition]:
    """The positions of a game, as far as it is understood."""
    seen: set[AnyPosition] = set()
    try:
        position = game.notation.parse_position(way.start)
        seen.add(position)
        for text in way.moves:
            position = game.rules.play(position, game.notation.parse_move(position, text))
            seen.add(position)
    except OnlymoveError:
        return seen
    return seen
