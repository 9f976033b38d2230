"""A session as plain rows, and the session that the rows stand for.

A game is kept as moves in notation and played again through the rules when it is loaded, so nothing that the rules
reject can come back. Knows nothing of SQL.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat
from onlymove_engines.play.conventions import find_house_rule
from onlymove_engines.play.line import AnyLine, AnyNode, Line, Node
from onlymove_engines.play.players import Player, PlayerKind, Players
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.records.codec import judgements_from_json, judgements_to_json


class GameRefused(OnlymoveError):
    """A saved game does not follow the rules, or its rows are damaged."""


Thoughts: TypeAlias = tuple[Mapping[Seat, Judgement], Mapping[Seat, Judgement], Set[Seat]]
"""Judgements, attempts and who was shown the best moves, as they were when a row was made of them."""

AS_BEFORE, NOBODY_KNOWS = "", "null"
"""Who made a move: the same players as the move before it, which is most of the time; or there is nothing to tell."""


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One node of a line: its parent's number, its place among the siblings, its move in notation, its thoughts, who
    played there."""

    id: int
    parent: int | None
    place: int
    move: str
    judgements: str
    attempts: str
    hinted: str
    comment: str
    players: str
    spelled_from: Thoughts | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A session in plain values, its nodes by number.

    `pending` holds hidden choices as places in `moves_of`, by seat.
    """

    game: GameId
    start: str
    house_rule: str
    players: Players
    nodes: Mapping[int, NodeRow]
    at: int
    undone: tuple[int, ...]
    pending: Mapping[Seat, int]
    agreed: Result | None


NOTHING_KNOWN: Mapping[int, NodeRow] = {}


def to_snapshot(session: AnySession, known: Mapping[int, NodeRow] = NOTHING_KNOWN) -> Snapshot:
    """The rows of a session. `known` are rows of the same session made earlier: what has not changed since is not
    spelled again, so that a long game is saved as fast as a short one."""
    line = session.line
    return Snapshot(
        session.game.id,
        session.game.notation.format_position(line.root.position),
        "" if line.house_rule is None else line.house_rule.id,
        session.players,
        {node.id: _row(session.game, node, known.get(node.id)) for node in line.nodes()},
        session.node.id,
        tuple(node.id for node in session.undone),
        {seat: list(session.moves_of(seat)).index(move) for seat, move in session.pending.items()},
        line.agreed,
    )


def _row(game: AnyGame, node: AnyNode, known: NodeRow | None) -> NodeRow:
    place = 0 if node.parent is None else node.parent.children.index(node)
    thoughts: Thoughts = (node.judgements, node.attempts, node.hinted)
    players = format_seating(node)
    rest = (place, node.comment, players, thoughts)
    if known is not None and (known.place, known.comment, known.players, known.spelled_from) == rest:
        return known
    if node.parent is None:
        move = ""
    else:
        move = game.notation.format_move(node.parent.position, node.move) if known is None else known.move
    return NodeRow(
        node.id,
        None if node.parent is None else node.parent.id,
        place,
        move,
        judgements_to_json(node.judgements),
        judgements_to_json(node.attempts),
        json.dumps(sorted(node.hinted)),
        node.comment,
        players,
        (dict(node.judgements), dict(node.attempts), frozenset(node.hinted)),
    )


def bare_nodes(rows: Iterable[NodeRow]) -> dict[int, AnyNode]:
    """The nodes of one game by number, as they are stored: a move is its text, there are no positions, and no rule has
    been asked. The rows come by number. Raises KeyError, TypeError or ValueError for damage."""
    nodes: dict[int, AnyNode] = {}
    places = {}
    for row in rows:
        parent = None if row.parent is None else nodes[row.parent]
        node: AnyNode = Node(row.id, None, parent=parent, move=row.move, ply=0 if parent is None else parent.ply + 1)
        _take_thoughts(node, row)
        if parent is not None:
            parent.children.append(node)
        nodes[row.id], places[row.id] = node, row.place
    for node in nodes.values():
        node.children.sort(key=lambda child: places[child.id])
    return nodes


def from_snapshot(snapshot: Snapshot, game: AnyGame) -> AnySession:
    """The session that `to_snapshot` saw, every move checked by the rules. Raises GameRefused."""
    try:
        start = game.notation.parse_position(snapshot.start)
        line: AnyLine = Line(game, start, find_house_rule(game, snapshot.house_rule))
        for row in snapshot.nodes.values():
            _grow(line, row)
        _arrange(line, snapshot.nodes.values())
        line.stand_at(line.node(snapshot.at))
        line.agreed = snapshot.agreed
        session: AnySession = Session.of(line, snapshot.players, [line.node(number) for number in snapshot.undone])
        session.pending.update({seat: session.moves_of(seat)[place] for seat, place in snapshot.pending.items()})
    except GameRefused:
        raise
    except OnlymoveError as error:
        raise GameRefused(f"saved {game.title} game: {error}") from None
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise GameRefused(f"saved {game.title} game: damaged ({type(error).__name__}: {error})") from None
    return session


def _grow(line: AnyLine, row: NodeRow) -> None:
    """Add the node of `row` to `line`; its parent is there already."""
    node = line.root if row.parent is None else _played(line, line.node(row.parent), row.move)
    if node.id != row.id:
        raise ValueError(f"node {row.id} is out of order")
    _take_thoughts(node, row)


def _take_thoughts(node: AnyNode, row: NodeRow) -> None:
    """Put what was thought of a node, and who played there, into it."""
    node.judgements.update(judgements_from_json(row.judgements))
    node.attempts.update(judgements_from_json(row.attempts))
    node.hinted.update(json.loads(row.hinted))
    node.comment = row.comment
    node.players = parse_seating(row.players, node.parent)


def _played(line: AnyLine, parent: AnyNode, text: str) -> AnyNode:
    """The node after the move spelled `text`."""
    try:
        return line.add(parent, line.game.notation.parse_move(parent.position, text))
    except OnlymoveError as error:
        raise GameRefused(f"saved {line.game.title} game, move {parent.ply + 1} '{text}': {error}") from None


def _arrange(line: AnyLine, rows: Collection[NodeRow]) -> None:
    """Put the siblings back in their order: a promoted branch comes first."""
    places = {row.id: row.place for row in rows}
    for row in rows:
        line.node(row.id).children.sort(key=lambda child: places[child.id])


def format_players(players: Players) -> str:
    """Both players, as text."""
    return json.dumps([plain_player(player) for player in players])


def plain_player(player: Player) -> list[str | int]:
    """One player; a name only where there is one."""
    return [player.kind.value, player.style, player.strength, *([player.name] if player.name else [])]


def parse_players(text: str) -> Players:
    """What `format_players` wrote. Raises TypeError or ValueError for anything else."""
    first, second = (Player(PlayerKind(kind), *rest) for kind, *rest in json.loads(text))
    return first, second


def format_seating(node: AnyNode) -> str:
    """Who sat at the table when the move into a node was made."""
    before = None if node.parent is None else node.parent.players
    if node.players == before:
        return AS_BEFORE
    return NOBODY_KNOWS if node.players is None else format_players(node.players)


def parse_seating(text: str, parent: AnyNode | None) -> Players | None:
    """What `format_seating` wrote of a node after `parent`. Raises TypeError or ValueError for anything else."""
    if text == AS_BEFORE:
        return None if parent is None else parent.players
    return None if text == NOBODY_KNOWS else parse_players(text)
