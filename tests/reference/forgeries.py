"""Changes one thing in a certificate, so that it proves nothing any more.

A certificate with another good move may still be a valid proof. So a move is replaced only by one that, according to
the values, gives away what the side must have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Generic

from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.game import Game, list_images
from onlymove_engines.core.rules import M, P
from onlymove_engines.search.strategy import find_worth, is_safe, list_symmetries

SIDES = ("first", "second")
TRIES = 500


class Forger(Generic[P, M]):
    """Changes the lines of a certificate of `game`."""

    def __init__(self, game: Game[P, M], analyst: AlternatingAnalyst, lines: list[str], seed: int = 0) -> None:
        self.game, self.analyst, self.lines, self.random = game, analyst, lines, Random(seed)
        self.symmetries = list_symmetries(game)
        self.entries = [number for number, line in enumerate(lines) if "\t" in line]
        self.heads = [number for number, line in enumerate(lines) if line.startswith("strategy ")]
        self.listed = {self.list_texts(lines[number].split("\t")[0])[0] for number in self.entries}

    def list_texts(self, text: str) -> list[str]:
        """Return the texts of the positions that have the same entry, sorted."""
        notation = self.game.notation
        return sorted(map(notation.format_position, list_images(notation.parse_position(text), self.symmetries)))

    def forgeries(self) -> Iterator[tuple[str, list[str]]]:
        """Yield one forgery of each possible kind, with its name."""
        kinds: list[Callable[[], list[str] | None]] = [
            *(self.plies, self.drop_entry, self.illegal_move, self.losing_move, self.other_position, self.add_entry),
            *(
                self.add_needless_entry,
                self.repeat_entry,
                self.nonsense,
                self.higher_value,
                self.lower_value,
                self.swap_sides,
                self.cut_short,
            ),
        ]
        for kind in kinds:
            forged = kind()
            if forged is not None:
                yield kind.__name__, forged

    def with_line(self, number: int, *lines: str) -> list[str]:
        """Return the certificate with these lines in place of one."""
        return [*self.lines[:number], *lines, *self.lines[number + 1 :]]

    def fields(self, number: int) -> list[str]:
        """Return the position, the move and the plies of an entry."""
        return self.lines[number].split("\t")

    def find_demand(self, number: int) -> tuple[int, int]:
        """Return which side an entry belongs to, and what that side must have."""
        _, side, least = self.lines[max(head for head in self.heads if head < number)].split(" ")
        return SIDES.index(side), int(least)

    def children(self, text: str) -> dict[str, P]:
        """Return the position after each move."""
        position = self.game.notation.parse_position(text)
        moves = self.game.rules.legal_moves(position)
        return {self.game.notation.format_move(position, m): self.game.rules.play(position, m) for m in moves}

    def draw_entry(self, fits: Callable[[int], bool]) -> int | None:
        """Return a random entry that fits, or `None` if none is found soon."""
        drawn = (self.random.choice(self.entries) for _ in range(TRIES))
        return next(filter(fits, drawn), None)

    def plies(self) -> list[str]:
        position, move, plies = self.fields(number := self.random.choice(self.entries))
        other = "7" if plies == "-" else self.random.choice(["-", str(int(plies) + 1), str(int(plies) - 1)])
        return self.with_line(number, f"{position}\t{move}\t{other}")

    def drop_entry(self) -> list[str]:
        return self.with_line(self.random.choice(self.entries))

    def illegal_move(self) -> list[str] | None:
        position, move, plies = self.fields(number := self.random.choice(self.entries))
        moves = {self.fields(other)[1] for other in self.random.sample(self.entries, min(50, len(self.entries)))}
        wrong = sorted(moves - self.children(position).keys()) or [move + "9"]
        return self.with_line(number, f"{position}\t{self.random.choice(wrong)}\t{plies}")

    def losing_move(self) -> list[str] | None:
        found: list[str] = []

        def is_losing(number: int) -> bool:
            text = self.fields(number)[0]
            position = self.game.notation.parse_position(text)
            _, least = self.find_demand(number)
            values = self.analyst.analyse(position).moves.items()
            found[:] = [
                self.game.notation.format_move(position, move)
                for move, value in values
                if value is not None and find_worth(self.game, position, value) < least
            ]
            return bool(found)

        number = self.draw_entry(is_losing)
        if number is None:
            return None
        position, _, plies = self.fields(number)
        return self.with_line(number, f"{position}\t{self.random.choice(found)}\t{plies}")

    def stranger(self) -> tuple[str, str] | None:
        """Return a position that is not listed, with a move. No move there ends the game."""
        for _ in range(TRIES):
            position, plies = self.game.default_start(), self.random.randint(1, 12)
            while plies and (moves := self.game.rules.legal_moves(position)):
                position, plies = self.game.rules.play(position, self.random.choice(moves)), plies - 1
            text = self.game.notation.format_position(position)
            children = self.children(text)
            ends = [self.game.rules.result(child) for child in children.values()]
            if children and self.list_texts(text)[0] not in self.listed and not any(ends):
                return text, self.random.choice(list(children))
        return None

    def other_position(self) -> list[str] | None:
        number, stranger = self.random.choice(self.entries), self.stranger()
        if stranger is None:
            return None
        return self.with_line(number, f"{stranger[0]}\t{stranger[1]}\t{self.fields(number)[2]}")

    def add_entry(self) -> list[str] | None:
        number, stranger = self.random.choice(self.entries), self.stranger()
        if stranger is None:
            return None
        return self.with_line(number, self.lines[number], f"{stranger[0]}\t{stranger[1]}\t{self.fields(number)[2]}")

    def add_needless_entry(self) -> list[str] | None:
        """Add an entry that is not needed, because a move ends the game well at once."""
        for number in self.random.choices(self.entries, k=50):
            position, move, _ = self.fields(number)
            seat, least = self.find_demand(number)
            after = self.children(position)[move]
            for reply in self.children(self.game.notation.format_position(after)).values():
                text = self.game.notation.format_position(reply)
                ending = [name for name, to in self.children(text).items() if self.is_good(to, seat, least)]
                if ending and not self.is_good(reply, seat, least):
                    plies = "-" if self.game.lead(reply, seat) >= least else "1"
                    return self.with_line(number, self.lines[number], f"{text}\t{ending[0]}\t{plies}")
        return None

    def is_good(self, position: P, seat: int, least: int) -> bool:
        """Whether a side is sure of what it must have."""
        result = self.game.rules.result(position)
        if result is None:
            return is_safe(self.game, position, seat, least)
        if result.score is None:
            return result.outcome_for(seat) >= least
        return result.score[seat] - result.score[1 - seat] >= least

    def repeat_entry(self) -> list[str]:
        number = self.random.choice(self.entries)
        position = self.game.notation.parse_position(self.fields(number)[0])
        image = self.random.choice(self.list_texts(self.game.notation.format_position(position)))
        return self.with_line(number, self.lines[number], "\t".join([image, *self.fields(number)[1:]]))

    def nonsense(self) -> list[str]:
        number = self.random.choice(self.entries)
        return self.with_line(number, self.lines[number], self.random.choice(["", "x", "\t\t", self.lines[number][1:]]))

    def change_value(self, change: int) -> list[str]:
        """Claim another value with the same entries."""
        value = int(self.lines[2].split(" ")[1]) + change
        lines = list(self.lines)
        lines[2] = f"value {value}"
        for number in self.heads:
            seat, _ = self.find_demand(number + 1)
            lines[number] = f"strategy {SIDES[seat]} {-value if seat else value}"
        return lines

    def higher_value(self) -> list[str]:
        return self.change_value(1)

    def lower_value(self) -> list[str]:
        return self.change_value(-1)

    def swap_sides(self) -> list[str]:
        """Give each side the other's strategy, and negate the value."""
        lines = list(self.lines)
        lines[2] = f"value {-int(lines[2].split(' ')[1])}"
        for number in self.heads:
            _, side, least = lines[number].split(" ")
            lines[number] = f"strategy {SIDES[1 - SIDES.index(side)]} {least}"
        return lines

    def cut_short(self) -> list[str]:
        """Leave out everything from some entry on."""
        return [*self.lines[: self.random.choice(self.entries)], "end"]
