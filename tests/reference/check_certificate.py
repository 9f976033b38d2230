"""Checks a certificate of a game's value by the rules alone: `python tests/reference/check_certificate.py FILE [RULES]`

docs/proofs.md says what a certificate must list and why that proves the value, and docs/formats.md how it is written.
This program checks exactly that. It uses only the standard library and the rules in this folder, and no table, values
or code of the product. The exit code is 1 if something is wrong, and the first error is printed.
"""

from __future__ import annotations

import lzma
import runpy
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parents[2]))
from tests.reference.plain_rules import GAMES, Game

SIDES = ("first", "second")


class Broken(Exception):
    """The certificate proves nothing. The message says why."""


class Entry(NamedTuple):
    """What a side plays at a position. `plies` is the latest time at which the game is over or the side has its share.
    It is `None` if it already has its share."""

    line: int
    position: Any
    move: str
    plies: int | None


class Strategy:
    """The entries of a side. They promise that it ends at least `least` ahead."""

    def __init__(self, game: Game, side: str, least: int) -> None:
        self.game, self.sign, self.least = game, 1 - 2 * SIDES.index(side), least
        self.entries: dict[Any, Entry] = {}
        self.reached: set[Any] = set()
        self.ahead: list[Entry] = []
        self.finishing: set[Any] = set()
        self.left: dict[Any, int | None] = {}

    def key(self, position: Any) -> Any:
        """Return a key that a position shares with its turned and mirrored images."""
        return min(self.game.images(position))

    def add(self, line: int, text: str, move: str, plies: str) -> None:
        """Add an entry. Raises Broken if its position is listed already."""
        position = self.game.parse(text)
        entry = Entry(line, position, move, None if plies == "-" else int(plies))
        if self.entries.setdefault(self.key(position), entry) is not entry:
            raise Broken("the position, or one like it, is listed already")

    def has_share(self, position: Any) -> bool:
        """Whether the side is ahead by `least` or more now."""
        return self.sign * self.game.lead(position) >= self.least

    def is_good(self, position: Any) -> bool:
        """Whether the side is sure of `least`, because the game is over or too few points are left to change that."""
        if self.sign * self.game.lead(position) - self.game.left(position) >= self.least:
            return True
        end = self.game.end(position)
        return end is not None and self.sign * end >= self.least

    def is_done(self, position: Any) -> bool:
        """Whether a position is good. Raises Broken if the game has ended badly there."""
        if self.is_good(position):
            return True
        if self.game.end(position) is not None:
            raise Broken(f"the game can end badly, at {position}")
        return False

    def can_finish(self, position: Any) -> bool:
        """Whether some move of the side leads to a good position."""
        return any(self.is_good(after) for _, after in self.game.moves(position))

    def plies_from(self, position: Any) -> int:
        """Return how many plies are left in a position in which the side is to move. Its entry is checked later. Raises
        Broken if a needed entry is missing."""
        if self.is_done(position):
            return 0
        key = self.key(position)
        entry = self.entries.get(key)
        if entry is not None and key not in self.reached:
            self.reached.add(key)
            self.ahead.append(entry)
        if entry is None and key not in self.finishing:
            if not self.can_finish(position):
                raise Broken(f"nothing is listed for {position}")
            self.finishing.add(key)
        return 0 if self.has_share(position) else 1 if entry is None else entry.plies or 0

    def moves_again(self, before: Any, after: Any) -> bool:
        """Whether the side that moved from `before` to `after` moves again."""
        again = getattr(self.game, "again", None)
        return again is not None and bool(again(before, after))

    def follow(self, before: Any, after: Any) -> int:
        """Return how many plies are left after a move of the other side, which may move again. Raises Broken."""
        if self.is_done(after) or not self.moves_again(before, after):
            return self.plies_from(after)
        if after not in self.left:
            self.left[after] = 0 if self.has_share(after) else None
            most = 1 + max(self.follow(after, reply) for _, reply in self.game.moves(after))
            self.left[after] = 0 if self.has_share(after) else most
        if (plies := self.left[after]) is None:
            raise Broken(f"the other side can go round in circles, at {after}")
        return plies

    def check(self, entry: Entry) -> None:
        """Check that an entry is needed, that its move is legal, and that its number of plies is right. Raises
        Broken."""
        if self.can_finish(entry.position):
            raise Broken("a move ends the game well there, so nothing may be listed")
        after = dict(self.game.moves(entry.position)).get(entry.move)
        if after is None:
            raise Broken(f"{entry.move} is not a move")
        if self.is_done(after) or self.moves_again(entry.position, after):
            most = 1 + self.plies_from(after)
        else:
            most = 2 + max(self.follow(after, reply) for _, reply in self.game.moves(after))
        if entry.plies != (None if self.has_share(entry.position) else most):
            raise Broken(f"the plies must be {'-' if self.has_share(entry.position) else most}")

    def check_all(self) -> str:
        """Check everything that the start leads to. Return what was checked. Raises Broken."""
        start = self.game.parse(self.game.start)
        if self.sign == 1:
            self.plies_from(start)
        else:
            for _, after in self.game.moves(start):
                self.follow(start, after)
        while self.ahead:
            entry = self.ahead.pop()
            with_line(entry.line, self.check, entry)
        for key in self.entries.keys() - self.reached:
            raise Broken(f"line {self.entries[key].line}: nothing leads there")
        return f"{len(self.entries):,} positions listed, {len(self.finishing):,} more that a move ends at once"


def with_line(number: int, check: Any, *what: Any) -> None:
    """Run a check. Any error becomes Broken with the number of the line."""
    try:
        check(*what)
    except Broken as why:
        raise Broken(f"line {number}: {why}") from why
    except (ValueError, IndexError, KeyError, TypeError) as why:
        raise Broken(f"line {number}: cannot be read ({why})") from why


def begin(lines: list[str]) -> tuple[str, int]:
    """Return the game and the value that the first lines name."""
    if lines[:1] != ["onlymove-certificate 1"] or lines[-1] != "end":
        raise Broken("not a whole certificate")
    (game, name), (value, worth) = (line.split(" ") for line in lines[1:3])
    if (game, value) != ("game", "value") or name not in GAMES:
        raise ValueError("no game or no value")
    return name, int(worth)


def read_strategies(lines: list[str], game: Game, value: int) -> dict[str, Strategy]:
    """Return the strategies by side."""
    found: dict[str, Strategy] = {}
    for number, line in enumerate(lines, start=4):
        word, *rest = line.split(" ")
        if word == "strategy":
            side, least = rest
            if side in found or int(least) != (value if side == "first" else -value):
                raise Broken(f"line {number}: not a strategy for this value")
            found[side] = Strategy(game, side, int(least))
        else:
            with_line(number, found[side].add, number, *line.split("\t"))
    return found


def list_proven_facts(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that say what the certificate proves. Raises Broken at the first error."""
    every = [line.rstrip("\n") for line in lines]
    try:
        name, value = begin(every)
        strategies = read_strategies(every[3:-1], GAMES[name], value)
    except (ValueError, LookupError, UnboundLocalError) as why:
        raise Broken(f"cannot be read: {why}") from why
    for side, least in (("first", value), ("second", -value)):
        if (side in strategies) != (least > -GAMES[name].most):
            raise Broken(f"the {side} side must have {'no' if side in strategies else 'a'} strategy")
        if side in strategies:
            yield f"{name}: the {side} side has {least:+d} or more: {strategies[side].check_all()}"
    yield f"{name}: the start is worth {value:+d} to the first side"


def main(path: str, rules: str | None = None) -> int:
    """Check a text file or an xz file. Return the exit code. `rules` is a Python file with more games in `GAMES`."""
    try:
        GAMES.update(runpy.run_path(rules)["GAMES"] if rules else {})
        with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
            for line in list_proven_facts(file):
                sys.stdout.write(line + "\n")
    except (Broken, OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as why:
        sys.stdout.write(f"{path}: {why}\n")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python check_certificate.py FILE [RULES.py]")
    sys.exit(main(*sys.argv[1:]))
