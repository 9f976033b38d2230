"""A session as plain rows, and the session that the rows stand for.

A game is kept as moves in notation and played again through the rules when it is loaded, so nothing that the rules
reject can come back. Knows nothing of SQL.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId, HouseRule
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat
from onlymove_engines.play.line import Line, Node
from onlymove_engines.play.session import Player, Session

from .judgements import format_judgements, parse_judgements

AnySession: TypeAlias = Session[Any, Any]


class GameRefused(OnlymoveError):
    """A saved game does not follow the rules, or its rows are damaged."""


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One node of a line: its parent's number, its place among the siblings, its move in notation, its thoughts."""

    id: int
    parent: int | None
    place: int
    move: str
    judgements: str
    attempts: str
    hinted: str
    comment: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A session in plain values. `pending` holds hidden choices as places in `moves_of`, by seat."""

    game: GameId
    start: str
    house_rule: str
    players: tuple[Player, Player]
    nodes: tuple[NodeRow, ...]
    at: int
    undone: tuple[int, ...]
    pending: Mapping[Seat, int]
    agreed: Result | None


def to_snapshot(session: AnySession, known: Mapping[int, NodeRow] | None = None) -> Snapshot:
    """The rows of a session. `known` are rows of the same session made earlier: their moves are not spelled again."""
    line = session.line
    return Snapshot(
        session.game.id,
        session.game.notation.format_position(line.root.position),
        "" if session.house_rule is None else session.house_rule.id,
        session.players,
        tuple(_row(session.game, line.node(number), (known or {}).get(number)) for number in range(len(line))),
        session.node.id,
        tuple(node.id for node in session.undone),
        {seat: list(session.moves_of(seat)).index(move) for seat, move in session.pending.items()},
        session.agreed,
    )


def _row(game: AnyGame, node: Node[Any, Any], known: NodeRow | None) -> NodeRow:
    if node.parent is None:
        parent, place, move = None, 0, ""
    else:
        parent, place = node.parent.id, node.parent.children.index(node)
        move = game.notation.format_move(node.parent.position, node.move) if known is None else known.move
    return NodeRow(
        node.id,
        parent,
        place,
        move,
        format_judgements(node.judgements),
        format_judgements(node.attempts),
        json.dumps(sorted(node.hinted)),
        node.comment,
    )


def from_snapshot(snapshot: Snapshot, game: AnyGame) -> AnySession:
    """The session that `to_snapshot` saw, every move checked by the rules. Raises GameRefused."""
    try:
        start = game.notation.parse_position(snapshot.start)
        session: AnySession = Session(game, start, snapshot.players, _house_rule(game, snapshot.house_rule))
        for row in snapshot.nodes:
            _grow(session, row)
        _arrange(session.line, snapshot.nodes)
        session.restore(session.line.node(snapshot.at), [session.line.node(number) for number in snapshot.undone])
        session.restore_agreed(snapshot.agreed)
        session.pending.update({seat: session.moves_of(seat)[place] for seat, place in snapshot.pending.items()})
    except GameRefused:
        raise
    except OnlymoveError as error:
        raise GameRefused(f"saved {game.title} game: {error}") from None
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise GameRefused(f"saved {game.title} game: damaged ({type(error).__name__}: {error})") from None
    return session


def _house_rule(game: AnyGame, rule_id: str) -> HouseRule | None:
    if not rule_id:
        return None
    for rule in game.house_rules:
        if rule.id == rule_id:
            return rule
    raise GameRefused(f"saved {game.title} game: no house rule '{rule_id}'")


def _grow(session: AnySession, row: NodeRow) -> None:
    """Add the node of `row` to the line of `session`; its parent is there already."""
    if row.parent is None:
        node = session.line.root
    else:
        parent = session.line.node(row.parent)
        node = session.line.add(parent, *_played(session, parent, row.move))
    if node.id != row.id:
        raise ValueError(f"node {row.id} is out of order")
    node.judgements.update(parse_judgements(row.judgements))
    node.attempts.update(parse_judgements(row.attempts))
    node.hinted.update(json.loads(row.hinted))
    node.comment = row.comment


def _played(session: AnySession, parent: Node[Any, Any], text: str) -> tuple[Any, Any]:
    """The move spelled `text` and the position after it."""
    game, rule = session.game, session.house_rule
    try:
        move = game.notation.parse_move(parent.position, text)
        position = game.rules.play(parent.position, move)
    except OnlymoveError as error:
        raise GameRefused(f"saved {game.title} game, move {parent.ply + 1} '{text}': {error}") from None
    if rule is not None:
        past = [node.position for node in parent.path()]
        if move not in rule.legal_moves(game.rules, past, game.rules.legal_moves(parent.position)):
            raise GameRefused(
                f"saved {game.title} game, move {parent.ply + 1} '{text}': the rule '{rule.title}' forbids it"
            )
    return move, position


def _arrange(line: Line[Any, Any], rows: tuple[NodeRow, ...]) -> None:
    """Put the siblings back in their order: a promoted branch comes first."""
    places = {row.id: row.place for row in rows}
    for row in rows:
        line.node(row.id).children.sort(key=lambda child: places[child.id])
