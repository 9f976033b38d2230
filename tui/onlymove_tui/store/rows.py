"""Converts between a session and the database rows of a saved game.

A game is stored as moves in notation. Loading plays them by the rules again, so a game that breaks the rules is never
loaded. This module also defines which games to list.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from onlymove_engines.coach.figures import count_figures, has_changed_hands, list_solo_choices
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.text import clean_document
from onlymove_engines.play.players import Player, PlayerKind, Players
from onlymove_engines.play.session import LEFT_GAME, AnySession, Session
from onlymove_engines.play.tree import AnyNode, AnyTree, GameTree, Node, find_house_rule
from onlymove_engines.records.record import judgements_from_json, judgements_to_json

from onlymove_tui.store.database import Database
from onlymove_tui.store.entries import UNFINISHED, Entry, GameDetails, GameNumber
from onlymove_tui.store.schema import StoreTrouble


class GameRefused(OnlymoveError):
    """A saved game breaks the rules, or its rows are damaged."""


AS_BEFORE, NOBODY_KNOWS = "", "null"
"""Values of `NodeRow.players`: the same players as at the move before (the usual case), or unknown players."""


class NodeRow(NamedTuple):
    """One node of a line. `place` is its index among its siblings. `move` is in notation."""

    id: int
    parent: int | None
    place: int
    move: str
    judgements: str
    attempts: str
    hinted: str
    comment: str
    players: str
    symbols: str


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as the database stores it: the columns of its row by name, and its nodes by number."""

    row: Mapping[str, Any]
    nodes: Mapping[int, NodeRow]


FORMATTED: WeakKeyDictionary[AnyNode, tuple[object, NodeRow]] = WeakKeyDictionary()
"""The rows of nodes, and what they were made from, so that a long game is saved as fast as a short one."""


def to_rows(session: AnySession, details: GameDetails) -> StoredGame:
    """Return the rows of a game as it is now. They can be written later, while the session continues."""
    nodes = {node.id: _format_node(node) for node in session.tree.nodes}
    return StoredGame(format_game(session, details), nodes)


def _format_node(node: AnyNode) -> NodeRow:
    parent, now = node.parent, node.players_at_move
    place, before = (0, None) if parent is None else (parent.children.index(node), parent.players_at_move)
    source = (place, before, now, node.comment, node.symbols, {**node.judgements}, {**node.attempts}, {*node.hinted})
    known = FORMATTED.get(node)
    if known is not None and known[0] == source:
        return known[1]
    players = AS_BEFORE
    if now != before:
        players = NOBODY_KNOWS if now is None else format_players(now)
    row = NodeRow(
        node.id,
        None if parent is None else parent.id,
        place,
        node.text,
        judgements_to_json(node.judgements),
        judgements_to_json(node.attempts),
        json.dumps(sorted(node.hinted)),
        node.comment,
        players,
        node.symbols,
    )
    FORMATTED[node] = (source, row)
    return row


def link_nodes(
    rows: Mapping[int, NodeRow], add: Callable[[AnyNode | None, NodeRow], AnyNode] | None = None
) -> dict[int, AnyNode]:
    """Build the tree of a game from its rows. `add` adds the node of a row to its parent. Without it the rules are not
    asked, so moves stay text and positions are missing. Damaged rows raise KeyError, TypeError or ValueError."""
    nodes: dict[int, AnyNode] = {}
    for row in rows.values():
        parent = None if row.parent is None else nodes[row.parent]
        if add is not None:
            node = add(parent, row)
        else:
            ply = 0 if parent is None else parent.ply + 1
            node = Node(row.id, None, parent=parent, move=row.move, ply=ply, text=row.move)
            if parent is not None:
                parent.children.append(node)
        node.judgements.update(judgements_from_json(row.judgements))
        node.attempts.update(judgements_from_json(row.attempts))
        node.hinted.update(json.loads(row.hinted))
        node.comment, node.symbols = row.comment, row.symbols
        if row.players == AS_BEFORE:
            node.players_at_move = None if parent is None else parent.players_at_move
        else:
            node.players_at_move = None if row.players == NOBODY_KNOWS else parse_players(row.players)
        nodes[row.id] = node
    for node in nodes.values():
        node.children.sort(key=lambda child: rows[child.id].place)
    return nodes


def to_session(stored: StoredGame, game: AnyGame) -> tuple[AnySession, GameDetails]:
    """Build what `to_rows` made the rows from. The rules check every move. Raises GameRefused."""
    row = stored.row

    def add(parent: AnyNode | None, node_row: NodeRow) -> AnyNode:
        if parent is None:
            node = tree.root
        else:
            try:
                node = tree.add(parent, game.notation.parse_move(parent.position, node_row.move))
            except OnlymoveError as error:
                place = f"saved {game.facts.title} game, move {parent.ply + 1} '{node_row.move}'"
                raise GameRefused(f"{place}: {error}") from None
        if node.id != node_row.id:
            raise ValueError(f"node {node_row.id} is out of order")
        return node

    try:
        start = game.notation.parse_position(row["start"])
        tree: AnyTree = GameTree(game, start, find_house_rule(game, row["house_rule"]))
        nodes = link_nodes(stored.nodes, add)
        tree.go_to(nodes[row["current_node"]], parse_agreed(row["agreed"]))
        undone = [nodes[number] for number in json.loads(row["undone"])]
        session: AnySession = Session.from_tree(tree, parse_players(row["players"]), undone)
        pending = dict(json.loads(row["pending"]))
        session.set_pending({seat: session.moves_of(seat)[place] for seat, place in pending.items()})
        return session, parse_details(row["setup"])
    except GameRefused:
        raise
    except OnlymoveError as error:
        raise GameRefused(f"saved {game.facts.title} game: {error}") from None
    except DAMAGE as error:
        raise refuse_damaged(game.facts.title, error) from None


DAMAGE = (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError)
"""The errors that a damaged row may cause."""


@contextmanager
def refuse_damage(what: str) -> Iterator[None]:
    """Raise StoreTrouble if what the block reads is damaged. `what` begins the message, as in `a saved drill is`."""
    try:
        yield
    except DAMAGE as error:
        raise StoreTrouble(f"{what} damaged: {error}") from None


def refuse_damaged(title: str, error: Exception) -> GameRefused:
    return GameRefused(f"saved {title} game: damaged ({type(error).__name__}: {error})")


def format_players(players: Players) -> str:
    return json.dumps(
        [
            [player.kind.value, player.style, player.strength, *([player.name] if player.name else [])]
            for player in players
        ]
    )


def parse_players(text: str) -> Players:
    """Parse what `format_players` wrote. Raises TypeError or ValueError."""
    first, second = (Player(PlayerKind(kind), *rest) for kind, *rest in clean_document(json.loads(text)))
    return first, second


def parse_agreed(text: str | None) -> Result | None:
    """Parse how players ended their game. Raises ValueError."""
    return None if text is None else msgspec.convert(clean_document(json.loads(text)), Result)


FIGURE_COLUMNS = ("decisions", "kept", "mistakes", "accuracy")
UPDATE_FIGURES = f"UPDATE game SET {', '.join(f'{name} = :{name}' for name in FIGURE_COLUMNS)} WHERE id = :id"
NODE_COLUMNS = ", ".join(NodeRow._fields)
WRITE_NODE = f"INSERT OR REPLACE INTO node (game, {NODE_COLUMNS}) VALUES (?{', ?' * len(NodeRow._fields)})"


PLAYED = "EXISTS (SELECT 1 FROM node WHERE node.game = game.id AND node.id > 0)"
"""A move was played, even if it was taken back later."""
STATES = {
    "unfinished": f"result = '*' AND NOT imported AND {PLAYED}",
    "won": "result != '*' AND winner = own_seat AND NOT changed_hands",
    "drawn": "result != '*' AND winner IS NULL",
    "lost": "result != '*' AND winner = 1 - own_seat AND NOT changed_hands",
}
"""The states of a game as SQL conditions, seen by the only human player."""

LISTED = "listed"
CONDITIONS = STATES | {"": "1", LISTED: f"(result != '*' OR imported OR {PLAYED})"}
"""The states by which games are chosen. The empty one is any. Without a played move, a game is not listed."""

LATEST_FIRST = "ORDER BY changed > ?, changed DESC, id DESC"
"""The latest games first. The parameter is the time now. A game that was changed in the future comes after all others,
because the clock has been set back since then. Otherwise it would be the latest game until the clock is there again."""

COUNTED = "result != '*' AND own_seat IS NOT NULL AND NOT imported"
"""Finished games of one human player against an engine. Their decisions count."""

WON_OR_LOST = f"{COUNTED} AND NOT changed_hands"
"""Counted games in which the player had the same side throughout. Their results count too."""


def format_game(session: AnySession, details: GameDetails) -> dict[str, Any]:
    """Return the columns of a game, except its number and times. `pending` are indices into `moves_of`."""
    tree, result, people = session.tree, session.result, session.human_seats
    pending = {seat: list(session.moves_of(seat)).index(move) for seat, move in session.pending.items()}
    return {
        "game": session.game.id,
        "start": session.game.notation.format_position(tree.root.position),
        "house_rule": "" if tree.house_rule is None else tree.house_rule.id,
        "players": format_players(session.players),
        "own_seat": people[0] if len(people) == 1 else None,
        "people": len(people),
        "setup": json.dumps(msgspec.to_builtins(details)),
        "imported": details.imported,
        "training": details.training,
        "current_node": session.node.id,
        "undone": json.dumps([node.id for node in session.undone]),
        "pending": json.dumps(sorted(pending.items())),
        "agreed": None if tree.agreed is None else json.dumps(asdict(tree.agreed)),
        "result": UNFINISHED if result is None else result.mark,
        "winner": None if result is None else result.winner,
        "reason": "" if result is None else result.reason,
        "score": None if result is None or result.score is None else json.dumps(result.score),
        "plies": session.node.ply,
        "changed_hands": has_changed_hands(session.players, session.node.path()),
        **format_figures(session.node.path() if result is not None and len(people) == 1 else None),
    }


def format_figures(path: Sequence[AnyNode] | None) -> dict[str, object]:
    """Return the figures of the only human player's moves on a path. Without a path they are `None`."""
    if path is None:
        return dict.fromkeys(FIGURE_COLUMNS)
    made = list_solo_choices(path)
    found = count_figures(made)
    return dict(zip(FIGURE_COLUMNS, (found.decisions, found.kept, found.slips, found.accuracy), strict=True))


def read_nodes(database: Database, number: GameNumber) -> dict[int, NodeRow]:
    query = f"SELECT {NODE_COLUMNS} FROM node WHERE game = ? ORDER BY id"
    return {row["id"]: NodeRow(*row) for row in database.rows(query, (number,))}


def parse_details(text: str) -> GameDetails:
    """Parse the details of a game. Raises KeyError, TypeError or ValueError."""
    found = clean_document(json.loads(text))
    if "names" not in found:
        raise KeyError("names")
    return msgspec.convert(found, GameDetails)


UNDER_WAY = f"""{STATES["unfinished"]} AND json_extract(setup, '$.is_rated')
    AND json_extract(setup, '$.rated') IS NULL"""
"""A rated game that has not ended yet. One that went on after its end is no longer rated."""
IS_LEFT = f"result != '*' AND NOT imported AND reason LIKE '% {LEFT_GAME}'"
"""A game that ended because the player left it."""
IS_RATED, HAS_ENDED = '"is_rated": true', '"rated": {'
"""The texts of details that say the same."""


def read_entry(row: sqlite3.Row) -> Entry:
    """Read a game of the list. Raises StoreTrouble."""
    with refuse_damage(f"saved game {row['id']} is"):
        return Entry(
            row["id"],
            row["game"],
            datetime.fromisoformat(row["started"]),
            datetime.fromisoformat(row["changed"]),
            parse_players(row["players"]),
            row["own_seat"],
            row["result"],
            row["winner"],
            None if row["score"] is None else msgspec.json.decode(row["score"], type=tuple[int, int]),
            row["plies"],
            bool(row["imported"]),
            row["decisions"],
            row["kept"] or 0,
            bool(row["changed_hands"]),
            row["result"] == UNFINISHED and IS_RATED in row["setup"] and HAS_ENDED not in row["setup"],
        )
