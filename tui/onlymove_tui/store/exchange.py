"""Converts saved games to records and records to saved games, as text. Does not read or write files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import count, groupby
from typing import TypeAlias
from unicodedata import normalize

from onlymove_engines.core.facts import GameId
from onlymove_engines.core.words import format_count
from onlymove_engines.games import UnknownGame
from onlymove_engines.play.players import Player, Players, format_player
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.tree import AnyNode, number_next_move
from onlymove_engines.records.record import Record, format_record, format_text, is_round, list_tags

from onlymove_tui.store import rows
from onlymove_tui.store.entries import Entry, GameDetails, GameNumber
from onlymove_tui.store.games import GameStore, Saved
from onlymove_tui.store.learning import MAX_STEPS, Milestone
from onlymove_tui.store.rows import GameRefused, StoredGame

PLAYERS = ("First", "Second")
"""The tags for the players' names."""

CALENDAR_OFFSETS = tuple(timedelta(hours=ahead) for ahead in (-12, 0, 14))
"""The offsets of UTC and of the extreme time zones. A game near midnight may be dated by any of them."""

UNREADABLE = (UnknownGame, GameRefused)
"""Errors for a saved game whose package is missing or broken, or whose moves break the rules."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A saved game as a record. If the game could not be opened, `fault` says why, and the text comes from its rows
    alone, or is empty."""

    text: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """The number of an imported game, and whether it was already saved."""

    number: GameNumber
    was_there: bool


def to_record(entry: Entry, saved: Saved) -> Record:
    """Return a saved game as a record. A game that was played here gets its local date and its players as tags."""
    tree = saved.session.tree
    if saved.details.imported:
        names = zip(PLAYERS, saved.details.names, strict=True)
        return Record(tree, {**{tag: name for tag, name in names if name}, **saved.details.tags})
    first, second = name_players(saved.session)
    return Record(tree, {"Date": _day(entry.started.astimezone()), "First": first, "Second": second})


def _day(moment: datetime) -> str:
    return moment.strftime("%Y.%m.%d")


def name_players(session: AnySession) -> tuple[str, str]:
    """Return the name of each side's player for the tags, or the names of all its players, in order."""
    return _name_along(session.node.path(), session.players, partial(format_player, session.game))


def _name_along(path: Sequence[AnyNode], players: Players, to_text: Callable[[Player], str]) -> tuple[str, str]:
    """Name the players as `you`, by the name of another user, or as in `engine prudent@80`."""

    def name_player(player: Player) -> str:
        if player.is_elsewhere:
            return player.name
        return "you" if player.is_human else f"engine {to_text(player)}"

    seatings = [node.players_at_move for node in path if node.players_at_move is not None] or [players]
    first, second = (
        " then ".join(name for name, _ in groupby(name_player(seating[seat]) for seating in seatings))
        for seat in (0, 1)
    )
    return first, second


def export_games(store: GameStore, game: GameId | None = None) -> Iterator[Exported]:
    """Yield every listed game, or those of one kind, oldest first. Raises StoreTrouble."""
    for entry in reversed(store.list(store.count(rows.LISTED, game), rows.LISTED, game=game)):
        try:
            yield Exported(format_record(to_record(entry, store.peek(entry.number))))
        except UNREADABLE as refusal:
            try:
                text = format_stored(entry, store.read_rows(entry.number))
            except rows.DAMAGE as error:
                yield Exported("", f"left out {describe(entry)}: {rows.refuse_damaged(entry.game, error)}")
            else:
                yield Exported(text, f"exported {describe(entry)} exactly as it is stored: {refusal}")


LEARNED = re.compile(r"^%learned (\S+) (\d{1,4})((?: [a-z0-9-]+)*)\r?$", re.MULTILINE)
"""A line of an export that says what a player has learned of a game, such as `%learned GAME 7 lessons rules`."""
STEP = "step-"
"""What comes before the number of a finished lesson step if a step before it is not finished."""


def export_learned(store: GameStore, game: GameId | None = None) -> str:
    """Return what the player has learned of all games or of one, as a line for each. Raises StoreTrouble."""
    lines = []
    for name, learned in sorted(store.lessons.read_learned().items()):
        stored = sorted(one.value for one in learned.reached - {Milestone.FIRST_GAME})
        first = next(number for number in count() if number not in learned.steps)
        stored += [f"{STEP}{number + 1}" for number in sorted(learned.steps) if number > first]
        if game in (None, name) and (first or stored):
            lines.append(" ".join(["%learned", name, str(first), *stored]))
    return "".join(f"{line}\n" for line in lines)


def import_learned(store: GameStore, text: str) -> int:
    """Add the learning progress in an exported text to the progress made here, which is never reduced. Returns the
    number of games in the text. Raises StoreTrouble."""
    known = {milestone.value: milestone for milestone in Milestone}
    found = LEARNED.findall(text)
    for game, first, rest in found:
        words = rest.split()
        numbers = [int(word.removeprefix(STEP)) - 1 for word in words if re.fullmatch(STEP + r"\d{1,4}", word)]
        steps = {*range(int(first)), *numbers}.intersection(range(MAX_STEPS))
        store.lessons.save(game, steps, [known[word] for word in words if word in known])
    return len({game for game, _, _ in found})


def describe(entry: Entry) -> str:
    return f"game {entry.number} ({entry.game}, {entry.started.astimezone():%Y-%m-%d})"


def format_stored(entry: Entry, stored: StoredGame) -> str:
    """Return the record of a game that cannot be opened, from its rows alone. It always names the start. Its moves are
    numbered as if the first player had moved first and the sides had taken turns. Damaged rows raise KeyError,
    TypeError or ValueError."""
    row, details = stored.row, rows.parse_details(stored.row["setup"])
    nodes = rows.link_nodes(stored.nodes)
    here = nodes[row["current_node"]]
    if details.imported:
        first, second = (name or "?" for name in details.names)
        known = {"Date": "????.??.??", "First": first, "Second": second, **details.tags}
    else:
        first, second = _name_along(
            here.path(), rows.parse_players(row["players"]), lambda player: f"{player.style}@{player.strength}"
        )
        known = {"Date": _day(entry.started.astimezone()), "First": first, "Second": second}
    tags = {"Game": row["game"], **known, "Result": entry.result, "Position": row["start"]}
    tags |= {"Rule": row["house_rule"]} if row["house_rule"] else {}
    tags |= {"Score": "-".join(map(str, entry.score))} if entry.score is not None else {}
    agreed = rows.parse_agreed(row["agreed"])
    tags |= {"Termination": agreed.reason} if agreed is not None else {}
    is_simultaneous = any(map(is_round, nodes.values()))
    for node in nodes.values():
        node.to_move = None if is_simultaneous else node.ply % 2
        if (before := node.parent) is not None:
            node.number, node.is_second = number_next_move(before.number, before.is_second, before.to_move)
    return format_text(tags, nodes[0], here)


class Importer:
    """Adds recorded games to a store. Games that it has already are recognised. Each saved game is read at most once,
    and no records are kept in memory."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._known: dict[tuple[GameId, str, int], dict[Identity, GameNumber]] = {}

    def find(self, record: Record) -> GameNumber | None:
        """Return the number of the saved game with this record, or `None`. The date may come from any time zone. Raises
        StoreTrouble."""
        return self._find_similar(record).get(identify(record))

    def add(self, records: Sequence[Record]) -> list[Imported]:
        """Save all records of games that are not saved yet, or none if one cannot be saved. Raises StoreTrouble."""
        new: dict[Identity, Record] = {}
        for record in records:
            if self.find(record) is None:
                new.setdefault(identify(record), record)
        drafts = []
        for record in new.values():
            first, second = (record.tags.get(tag, "") for tag in PLAYERS)
            rest = {tag: text for tag, text in record.tags.items() if tag not in PLAYERS}
            details = GameDetails(training=False, names=(first, second), imported=True, tags=rest)
            drafts.append((rows.to_rows(Session.from_tree(record.tree), details), None))
        for (identity, record), number in zip(new.items(), self._store.write(drafts), strict=True):
            self._find_similar(record)[identity] = number
        taken = [self._find_similar(record)[identify(record)] for record in records]
        return [
            Imported(number, new.get(identify(record)) is not record)
            for record, number in zip(records, taken, strict=True)
        ]

    def _find_similar(self, record: Record) -> dict[Identity, GameNumber]:
        """Return the saved games with the start and length of a record."""
        tree = record.tree
        kind = (tree.game.id, tree.game.notation.format_position(tree.root.position), tree.here.ply)
        if kind not in self._known:
            self._known[kind] = {}
            for identity, number in list_identities(self._store, *kind):
                self._known[kind].setdefault(identity, number)
        return self._known[kind]


def describe_import(taken: Sequence[Imported]) -> str:
    """Return a line such as `Imported 2 games; 1 was already there.`"""
    there = sum(found.was_there for found in taken)
    new = len(taken) - there
    known = f"; {there} {'was' if there == 1 else 'were'} already there" if there else ""
    return f"Imported {format_count(new, 'game')}{known}."


Identity: TypeAlias = bytes
"""A checksum, which takes little memory."""


def list_identities(store: GameStore, game: GameId, start: str, plies: int) -> Iterator[tuple[Identity, GameNumber]]:
    """Yield what `identify` returns for the records of all saved games with this start and length, one for each date
    that a record may have."""
    for entry in store.find_similar(game, start, plies):
        try:
            saved = store.peek(entry.number)
        except UNREADABLE:
            continue
        known = to_record(entry, saved)
        yield identify(known), entry.number
        for day in () if saved.details.imported else {_day(entry.started + ahead) for ahead in CALENDAR_OFFSETS}:
            yield identify(replace(known, tags={**known.tags, "Date": day})), entry.number


def identify(record: Record) -> Identity:
    """Return the tags and moves by which two records are recognised as the same game."""
    tags = list_tags(record)
    names = ("Game", "Date", *PLAYERS, "Result", "Position", "Rule")
    # The same name may be written with one character for an accented letter, or with two.
    known = (normalize("NFC", tags[name]) if name in tags else None for name in names)
    facts = [*known, *(node.text for node in record.tree.here.path())]
    return sha256(json.dumps(facts).encode()).digest()
