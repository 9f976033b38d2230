"""Finds and checks strategies: for one side, a move at every position that its own moves can lead to.

A strategy guarantees that its side ends at least `least` ahead, whatever the other side does. In a game with points,
`least` counts points. In other games a win is 1, a draw 0 and a loss -1. Endless play counts as the rule about
repetition says, for instance as the points that each side has by then. A side for which that is less than `least` must
therefore make progress, and its entries count the plies until it is not.

A side may move twice in a row. If the strategy's own side does, its next position needs an entry too. If the other side
does, the strategy allows for all its moves, one after the other.

`Finder` finds a strategy from known values. `StrategyChecker` checks one by the plain rules alone, without values. It
follows every reply to every move. `format_certificate` writes the value of a start position with its strategies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, NoReturn, TypeAlias

from onlymove_engines.core.analysis import AlternatingAnalyst, Expanded, Expanding, Ranked, Report, ignore_report
from onlymove_engines.core.errors import Refuted
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import Game, Symmetry, list_images
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Seat, Value, other
from onlymove_engines.search.endless import find_endless_lead

Text: TypeAlias = str
"""A position as text."""

LAST_MOVE = 2
"""If a reply loses in this many plies, one more move ends the game."""

TOGETHER = 256
"""How many positions are looked at together."""

CANDIDATES = 8
"""How many of the promising moves are compared, best first."""


HEAVY = 20
"""A position with this many points left counts as two new ones, because more entries will follow it. This halves the
number of entries."""


class NoStrategy(Refuted):
    """The values contradict each other, so no strategy achieves what they promise."""


class Entry(NamedTuple):
    """The move at a position. `plies` is the latest time at which the game is over or the side has its share: endless
    play gives it `least` or more. It is `None` if the side already has it."""

    move: str
    plies: int | None


@dataclass(frozen=True, slots=True)
class Strategy:
    """The moves of a strategy. `entries` are sorted by the text of the position. Symmetric positions have one entry.

    A position in which a move of the side ends the game well at once has no entry.
    """

    seat: Seat
    least: int
    entries: dict[Text, Entry]


class MoveTo(NamedTuple):
    """A move, the position after it, and its value for the side that plays it. `ends` means that the side needs no
    further move."""

    move: str
    to: Text
    value: Value
    ends: bool


class Replies(NamedTuple):
    """What can follow an entry's move. `ahead` are the positions that need an entry, and `timed` those of them that may
    come before the side has its share, with the plies from the entry until then. `plies` is how long every other way
    takes at most, and `total` the number of replies."""

    ahead: tuple[Text, ...]
    timed: tuple[tuple[Text, int], ...]
    plies: int
    total: int


def has_share(game: Game[P, M], position: P, seat: Seat, least: int) -> bool:
    """Whether endless play through this position gives `seat` a lead of `least` or more."""
    return find_endless_lead(game, position, seat) >= least


def is_safe(game: Game[P, M], position: P, seat: Seat, least: int) -> bool:
    """Whether `seat` is sure to end at least `least` points ahead, however play goes on. False in games without
    points."""
    left = game.play.points_left
    return left is not None and game.lead(position, seat) - left(position) >= least


def find_worth(game: Game[P, M], position: P, value: Value) -> int:
    """Return the final lead of the side to move if it gets `value`."""
    seat = game.rules.to_move(position)
    if value.margin is None or seat is None:
        return int(value.outcome)
    return value.margin + game.lead(position, seat)


def list_symmetries(game: Game[P, M]) -> list[Symmetry[P, M]]:
    """Return the symmetries that do not swap the sides. A strategy has one entry for positions that they map to each
    other."""
    return [symmetry for symmetry in game.solved.symmetries if not symmetry.swaps_seats]


class Finder(Generic[P, M]):
    """Finds a strategy from known values. It prefers moves that lead to few new positions."""

    def __init__(
        self, game: Game[P, M], analyst: AlternatingAnalyst, seat: Seat, least: int, report: Report = ignore_report
    ) -> None:
        self.game, self.analyst, self.seat, self.least, self.report = game, analyst, seat, least, report
        self.parse, self.to_text = game.notation.parse_position, game.notation.format_position
        self.symmetries = list_symmetries(game)
        self.chosen: dict[Text, Text] = {}
        """The positions that represent others."""
        self.moves: dict[Text, str] = {}
        self.at_once: dict[Text, int] = {}
        """The positions in which a move ends the game well, with the plies that this takes. This is 0 if the side
        already has its share."""
        self.replies: dict[Text, Replies] = {}
        """The replies to the side's moves at positions in which it does not have its share yet."""
        self.seen: set[Text] = set()
        self.weights: dict[Text, int] = {}
        """The weights of positions in a game with points. Positions with more points left weigh more, because more
        positions follow them."""

    def find(self) -> Strategy:
        """Find the strategy. Raises NoStrategy if values contradict each other."""
        start = self.game.default_start()
        ahead = [self._choose_image(self.to_text(start))]
        if self.game.rules.to_move(start) != self.seat:
            ahead = [*self._list_replies([self.to_text(start)])[0].ahead]
        self.seen.update(ahead)
        while ahead:
            now = [ahead.pop() for _ in range(min(TOGETHER, len(ahead)))]
            for replies in self._answer(now):
                fresh = [reply for reply in dict.fromkeys(replies.ahead) if reply not in self.seen]
                self.seen.update(fresh)
                ahead += fresh
            self.report("finding a strategy", (len(self.moves) + len(self.at_once)) / len(self.seen))
        plies = self._plies()
        entries = {text: Entry(self.moves[text], plies.get(text)) for text in sorted(self.moves)}
        return Strategy(self.seat, self.least, entries)

    def _choose_image(self, text: Text) -> Text:
        """Return the text that sorts first among those of symmetric positions."""
        if not self.symmetries:
            return text
        if text not in self.chosen:
            self.chosen[text] = min(map(self.to_text, list_images(self.parse(text), self.symmetries)))
        return self.chosen[text]

    def _answer(self, texts: Sequence[Text]) -> Iterable[Replies]:
        """Choose a move at each position, and yield the replies to it. A position in which a move ends the game well at
        once gets no entry and no replies."""
        positions = [self.parse(text) for text in texts]
        choices = [self._filter_promising(*one) for one in zip(positions, self._list_own_moves(positions), strict=True)]
        after = list(dict.fromkeys(move.to for choice in choices for move in choice if not move.ends))
        replies = dict(zip(after, self._list_replies(after), strict=True))

        def find_cost(move: MoveTo) -> tuple[int, int]:
            fresh = {*replies[move.to].ahead} - self.seen
            return sum(self.weights.get(text, HEAVY) for text in fresh), replies[move.to].total

        for text, position, choice in zip(texts, positions, choices, strict=True):
            is_held = has_share(self.game, position, self.seat, self.least)
            if choice[0].ends:
                self.at_once[text] = 0 if is_held else 1
                continue
            best = min(choice, key=find_cost)
            self.moves[text], found = best.move, replies[best.to]
            if not is_held:
                self.replies[text] = found
            yield found

    def _expand(self, positions: Sequence[P]) -> list[tuple[Expanded, list[tuple[Value, bool]]]] | None:
        """Return the moves of these positions, and for each move its value and whether it ends the game. Return `None`
        if the analyst looks at positions one by one."""
        found = self.analyst.expand(positions) if isinstance(self.analyst, Expanding) else None
        return None if found is None else [(one, [one.worth[code] for code in one.codes]) for one in found]

    def _list_own_moves(self, positions: Sequence[P]) -> Iterable[Sequence[MoveTo]]:
        if (found := self._expand(positions)) is None:
            return map(self._look_up_moves, positions)
        rows = (zip(one.moves, one.positions, worth, strict=True) for one, worth in found)
        return [[MoveTo(move, to, *worth) for move, to, worth in row] for row in rows]

    def _look_up_moves(self, position: P) -> Sequence[MoveTo]:
        """List the moves at a position by the plain rules, with the analyst's values."""
        found = []
        for move, value in self.analyst.analyse(position).moves.items():
            to = self.game.rules.play(position, move)
            if value is not None:
                text = self.game.notation.format_move(position, move)
                found.append(MoveTo(text, self.to_text(to), value, self._is_done(to)))
        return found

    def _filter_promising(self, position: P, moves: Sequence[MoveTo]) -> Sequence[MoveTo]:
        """Return the moves that promise at least `least`. If the side does not have its share yet, they must also make
        progress. If one of them ends the game, return only that one."""
        promising = [move for move in moves if find_worth(self.game, position, move.value) >= self.least]
        promising.sort(key=lambda move: move.value.preference, reverse=True)
        ending = [move for move in promising if move.ends]
        if not has_share(self.game, position, self.seat, self.least):
            top = max((move.value.preference for move in promising), default=None)
            promising = [
                move for move in promising if move.value.preference == top and self._makes_progress(position, move)
            ]
        if not (ending or promising):
            raise NoStrategy(f"{self.game.id}: no move at {self.to_text(position)} is as good as the position's value")
        return ending[:1] or promising[:CANDIDATES]

    def _makes_progress(self, position: P, move: MoveTo) -> bool:
        """Whether a best move brings points nearer. In a game without points, every quickest win does."""
        if not isinstance(self.analyst, Ranked) or self.game.play.points is None:
            return True
        to = self.parse(move.to)
        rank, left = self.analyst.rank(position), self.analyst.rank(to)
        has_scored = self.game.play.points(to) != self.game.play.points(position)
        return has_scored or rank is None or (left is not None and left < rank)

    def _list_replies(self, texts: Sequence[Text]) -> list[Replies]:
        """List what can follow at each of these positions after a move of the side."""
        positions, replies = [self.parse(text) for text in texts], []
        if (found := self._expand(positions)) is not None:
            for one, worth in found:
                is_last = [value.outcome < 0 and value.remoteness == LAST_MOVE for value, _ in worth]
                rows = zip(one.positions, worth, is_last, strict=True)
                ahead = [self._choose_image(text) for text, (_, ends), last in rows if not (ends or last)]
                timed = tuple((text, 2) for text in ahead)
                replies.append(Replies(tuple(ahead), timed, 2 + any(is_last), len(worth)))
            return replies
        return list(map(self._follow, positions))

    def _follow(self, position: P) -> Replies:
        """Follow every line from a position after a move of the side, until that side moves again. Raises NoStrategy if
        the other side can go round in circles by itself before the side has its share."""
        rules, ahead, total = self.game.rules, dict[P, Text](), 0
        after: dict[P, list[P]] = {}
        """The positions in which the other side moves, with those that follow."""
        open_ones = [position]
        while open_ones:
            here = open_ones.pop()
            if rules.to_move(here) == self.seat:
                ahead[here] = self._choose_image(self.to_text(here))
            elif here not in after:
                children = [rules.play(here, move) for move in rules.legal_moves(here)]
                total += len(children)
                after[here] = [to for to in children if not self._is_done(to)]
                open_ones += reversed(after[here])
        if self.game.play.points_left is not None:
            self.weights |= {text: HEAVY + self.game.play.points_left(to) for to, text in ahead.items()}
        latest, longest = self._find_latest(position, after)
        timed: dict[Text, int] = {}
        for to, plies in latest.items():
            if to in ahead:
                timed[ahead[to]] = max(plies, timed.get(ahead[to], 0))
        return Replies(tuple(ahead.values()), tuple(timed.items()), longest, total)

    def _find_latest(self, position: P, after: Mapping[P, Sequence[P]]) -> tuple[dict[P, int], int]:
        """Return after how many plies, counted from the entry, each position can occur at the latest before the side
        has its share, and after how many plies the last move of the other side can come. `position` comes after one
        ply. Raises NoStrategy."""
        latest, ahead, longest = {position: 1}, [position], 0
        while ahead:
            here = ahead.pop()
            if here not in after or (here != position and has_share(self.game, here, self.seat, self.least)):
                continue
            longest = max(longest, latest[here] + 1)
            for to in after[here]:
                if to == position and has_share(self.game, to, self.seat, self.least):
                    continue
                if latest.get(to, 0) <= latest[here]:
                    latest[to] = latest[here] + 1
                    ahead.append(to)
                    if latest[to] > len(after) + 1:
                        spelled = self.to_text(here)
                        raise NoStrategy(f"{self.game.id}: from {spelled}, the other side can go round in circles")
        return latest, longest

    def _is_done(self, position: P) -> bool:
        """Whether the game is over or the side is sure to end at least `least` ahead."""
        is_over = self.game.rules.result(position) is not None
        return is_over or is_safe(self.game, position, self.seat, self.least)

    def _plies(self) -> dict[Text, int]:
        """Return, for each position in which the side is not yet `least` ahead, how many plies it takes at most until
        it is. Raises NoStrategy if play can go round in circles."""
        plies = dict(self.at_once)
        for text in self.replies:
            way, entered = [text], set[Text]()
            while way:
                here, replies = way[-1], self.replies[way[-1]]
                open_ones = [to for to, _ in replies.timed if to in self.replies and to not in plies]
                if here in plies or not open_ones:
                    plies[here] = max([replies.plies, *(since + plies.get(to, 0) for to, since in replies.timed)])
                    way.pop()
                elif here in entered:
                    raise NoStrategy(f"{self.game.id}: from {here} the game can go round in circles")
                else:
                    entered.add(here)
                    way += open_ones
        return plies


REPORTED = 500
"""The number of positions between two progress reports."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much was checked, with symmetric positions counted once: positions with an entry, positions in which a move
    ends the game well at once, positions of the other side, and replies. `plies` is the longest time from the start
    until the game is over or the side has its share. In a game with points the side may lose its share again."""

    listed: int
    at_once: int
    others: int
    replies: int
    plies: int


class StrategyChecker(Generic[P, M]):
    def __init__(self, game: Game[P, M], strategy: Strategy, report: Report = ignore_report) -> None:
        self.game, self.strategy, self.report = game, strategy, report
        self.rules, self.symmetries = game.rules, list_symmetries(game)
        self.listed: dict[P, Entry] = {}
        self.reached: set[P] = set()
        self.at_once: set[P] = set()
        self.others: set[P] = set()
        self.replies = 0
        self.left: dict[P, int] = {}
        """The plies left at positions that follow a position in which the other side moved twice in a row."""

    def check(self) -> Size:
        """Follow every reply from the start. Raises Refuted."""
        entries = {self.game.notation.parse_position(text): entry for text, entry in self.strategy.entries.items()}
        for position, entry in entries.items():
            self.listed |= dict.fromkeys(list_images(position, self.symmetries), entry)
        start = self.game.default_start()
        if self.rules.to_move(start) == self.strategy.seat:
            plies = self._find_plies(start)
        else:
            after_first_move = [self._follow(position) for position in self._children(start)]
            plies = 0 if self._has_share(start) else 1 + max(after_first_move)
        for done, (position, entry) in enumerate(entries.items()):
            if done % REPORTED == 0:
                self.report("checking the strategy against the rules", done / len(entries))
            after = self.rules.play(position, self.game.notation.parse_move(position, entry.move))
            self.others.add(self._one_of(after))
            most = 1 + self._find_plies(after)
            if entry.plies != (None if self._has_share(position) else most):
                self._refute(position, f"at most {most} moves are left, not {entry.plies}")
        for position in entries:
            images = list_images(position, self.symmetries)
            if self.reached.isdisjoint(images):
                self._refute(position, "no line of the strategy leads to that position")
        return Size(len(entries), len(self.at_once), len(self.others), self.replies, plies)

    def _find_plies(self, position: P) -> int:
        """Return how many plies are left after a move of the side. If the other side moves, all its moves are followed
        until the side moves again."""
        if self._ends_well(position):
            return 0
        if self.rules.to_move(position) == self.strategy.seat:
            return self._find_stated_plies(position)
        children = list(self._children(position))
        self.replies += len(children)
        return 1 + max(map(self._follow, children))

    def _follow(self, first: P) -> int:
        """Return how many plies are left after a move of the other side, which may move again. Whatever follows is
        checked, even after the side has its share. Raises Refuted."""
        if self._ends_well(first):
            return 0
        if self.rules.to_move(first) == self.strategy.seat:
            return self._find_stated_plies(first)
        way, entered = [first], set[P]()
        while way:
            here = way[-1]
            if here in self.left:
                way.pop()
            elif self._ends_well(here):
                self.left[here] = 0
            elif self.rules.to_move(here) == self.strategy.seat:
                self.left[here] = self._find_stated_plies(here)
            else:
                children = list(self._children(here))
                open_ones = [child for child in children if child not in self.left]
                if here not in entered:
                    self.others.add(self._one_of(here))
                    self.replies += len(children)
                elif open_ones:
                    self._refute(here, "the other side can go round in circles")
                entered.add(here)
                if self._has_share(here):
                    self.left[here] = 0
                elif not open_ones:
                    self.left[here] = 1 + max(self.left[child] for child in children)
                way += open_ones
        return self.left[first]

    def _find_stated_plies(self, position: P) -> int:
        """Return the plies stated for an unfinished position in which the side moves."""
        entry = self.listed.get(position)
        if entry is not None:
            self.reached.add(position)
            return entry.plies or 0
        key = self._one_of(position)
        if key not in self.at_once:
            ends = map(self._lead_at_end, self._children(position))
            if not any(end is not None and end >= self.strategy.least for end in ends):
                self._refute(position, "the strategy has no move")
            self.at_once.add(key)
        return 0 if self._has_share(position) else 1

    def _children(self, position: P) -> Iterator[P]:
        return (self.rules.play(position, move) for move in self.rules.legal_moves(position))

    def _one_of(self, position: P) -> P:
        """Return one position to represent all that are symmetric to it."""
        images = list_images(position, self.symmetries)
        return min(images, key=hash)

    def _has_share(self, position: P) -> bool:
        """Whether endless play gives the side what the strategy promises."""
        return has_share(self.game, position, self.strategy.seat, self.strategy.least)

    def _lead_at_end(self, position: P) -> int | None:
        """Return the side's lead if the game is over, or `least` if it is already sure to end that far ahead. Otherwise
        return `None`."""
        if is_safe(self.game, position, self.strategy.seat, self.strategy.least):
            return self.strategy.least
        result = self.rules.result(position)
        if result is None:
            return None
        if self.game.play.points is None or result.score is None:
            return int(result.outcome_for(self.strategy.seat))
        return result.score[self.strategy.seat] - result.score[other(self.strategy.seat)]

    def _ends_well(self, position: P) -> bool:
        """Whether the game is over. Raises Refuted if it ended worse than promised."""
        end = self._lead_at_end(position)
        if end is not None and end < self.strategy.least:
            self._refute(position, f"the game ends with {end:+d}, not {self.strategy.least:+d}")
        return end is not None

    def _refute(self, position: P, why: str) -> NoReturn:
        raise Refuted(f"{self.game.id}: at {self.game.notation.format_position(position)}: {why}")


VERSION = 1
SIDES = ("first", "second")


def format_certificate(game: GameId, value: int, strategies: Sequence[Strategy]) -> Iterator[str]:
    """Yield the lines of a certificate (docs/formats.md), which says that the start position is worth `value` to the
    first player and contains everything needed to check that by the rules."""
    yield f"onlymove-certificate {VERSION}"
    yield f"game {game}"
    yield f"value {value}"
    for strategy in strategies:
        yield f"strategy {SIDES[strategy.seat]} {strategy.least}"
        for position, entry in strategy.entries.items():
            yield f"{position}\t{entry.move}\t{'-' if entry.plies is None else entry.plies}"
    yield "end"
