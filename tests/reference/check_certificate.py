"""Checks a certificate of a game's value with nothing but the rules: `python tests/reference/check_certificate.py FILE`

Stands alone with the rules beside it: no table, no value and no line of the program is used. What a certificate holds,
and why that proves the value, is said in docs/proofs.md. Exit code 1, with the first thing that is wrong.
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parents[2]))
from tests.reference.plain_rules import GAMES, Game

SIDES = ("first", "second")


class Broken(Exception):
    """The certificate proves nothing, and why."""


class Entry(NamedTuple):
    """What a side plays at a position; `plies`: how soon, at the latest, the game is over or the side has what it must
    have. Not told where it has that."""

    line: int
    position: Any
    move: str
    plies: int | None


class Strategy:
    """A side's entries for every position of its own that its moves lead to. It has at least `least` in the end."""

    def __init__(self, game: Game, side: str, least: int) -> None:
        self.game, self.sign, self.least = game, 1 - 2 * SIDES.index(side), least
        self.entries: dict[Any, Entry] = {}
        self.reached: set[Any] = set()
        self.ahead: list[Entry] = []
        self.at_once: set[Any] = set()

    def key(self, position: Any) -> Any:
        """The same for positions that the rules do not tell apart."""
        return min(self.game.images(position))

    def add(self, line: int, text: str, move: str, plies: str) -> None:
        """Take an entry down."""
        position = self.game.parse(text)
        if self.entries.setdefault(self.key(position), Entry(line, position, move, told(plies))).line != line:
            raise Broken("the position, or one like it, is listed already")

    def end(self, position: Any) -> int | None:
        """What the side has more where the game is over, or what it must have where it cannot have less."""
        if self.sign * self.game.lead(position) - self.game.left(position) >= self.least:
            return self.least
        end = self.game.end(position)
        return None if end is None else self.sign * end

    def ends_well(self, position: Any) -> bool:
        """Whether there is an end. Raises Broken where it is a bad one."""
        end = self.end(position)
        if end is not None and end < self.least:
            raise Broken(f"the game can end badly, at {position}")
        return end is not None

    def wins_at_once(self, position: Any) -> bool:
        """Whether a move ends the game well."""
        ends = (self.end(after) for _, after in self.game.moves(position))
        return any(end is not None and end >= self.least for end in ends)

    def plies_from(self, position: Any) -> int:
        """The plies told of a position in which the side moves."""
        if self.ends_well(position):
            return 0
        key = self.key(position)
        if key in self.entries:
            if key not in self.reached:
                self.reached.add(key)
                self.ahead.append(self.entries[key])
            return self.entries[key].plies or 0
        if key not in self.at_once and not self.wins_at_once(position):
            raise Broken(f"nothing is listed for {position}")
        self.at_once.add(key)
        return 1

    def check(self, entry: Entry) -> None:
        """Whatever is replied to the move leads to an entry, which is sooner done, or ends well."""
        after = dict(self.game.moves(entry.position)).get(entry.move)
        if after is None:
            raise Broken(f"{entry.move} is not a move")
        replies = [] if self.ends_well(after) else [self.plies_from(reply) for _, reply in self.game.moves(after)]
        most = 2 + max(replies) if replies else 1
        is_held = self.sign * self.game.lead(entry.position) >= self.least
        if entry.plies != (None if is_held else most):
            raise Broken(f"the plies must be {'-' if is_held else most}")

    def check_all(self) -> str:
        """From the start on; says how much there is."""
        start = self.game.parse(self.game.start)
        for position in [start] if self.sign == 1 else [after for _, after in self.game.moves(start)]:
            self.plies_from(position)
        while self.ahead:
            entry = self.ahead.pop()
            with_line(entry.line, self.check, entry)
        for key in self.entries.keys() - self.reached:
            raise Broken(f"line {self.entries[key].line}: nothing leads there")
        return f"{len(self.entries):,} positions listed, {len(self.at_once):,} more that a move ends at once"


def told(plies: str) -> int | None:
    """What stands in the third column."""
    return None if plies == "-" else int(plies)


def with_line(number: int, check: Any, *what: Any) -> None:
    """Do what may raise Broken, which then tells the line."""
    try:
        check(*what)
    except Broken as why:
        raise Broken(f"line {number}: {why}") from why
    except (ValueError, IndexError, KeyError, TypeError) as why:
        raise Broken(f"line {number}: cannot be read ({why})") from why


def begin(lines: list[str]) -> tuple[str, int]:
    """The game and the value that the first lines name."""
    if lines[:1] != ["onlymove-certificate 1"] or lines[-1] != "end":
        raise Broken("not a whole certificate")
    (game, name), (value, worth) = (line.split(" ") for line in lines[1:3])
    if (game, value) != ("game", "value") or name not in GAMES:
        raise ValueError("no game or no value")
    return name, int(worth)


def read(lines: list[str], game: Game, value: int) -> dict[str, Strategy]:
    """The strategies that are listed, by side."""
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


def proven(lines: Iterable[str]) -> Iterator[str]:
    """What a certificate proves, a line each. Raises Broken at the first thing that is wrong."""
    every = [line.rstrip("\n") for line in lines]
    try:
        name, value = begin(every)
        strategies = read(every[3:-1], GAMES[name], value)
    except (ValueError, LookupError, UnboundLocalError) as why:
        raise Broken(f"cannot be read: {why}") from why
    for side, least in (("first", value), ("second", -value)):
        if side in strategies:
            yield f"{name}: the {side} side has {least:+d} or more: {strategies[side].check_all()}"
        elif least > -GAMES[name].most:
            raise Broken(f"there is no strategy for the {side} side")
    yield f"{name}: the start is worth {value:+d} to the first side"


def main(path: str) -> int:
    """Check a file, plain or packed by xz; the exit code."""
    try:
        with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
            for line in proven(file):
                sys.stdout.write(line + "\n")
    except (Broken, OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as why:
        sys.stdout.write(f"{path}: {why}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
