"""Finds all positions that a game's rules lead to, breadth first, and stores them as a graph in arrays. Lists the table
made from it, for the counts on the solution's page.

Symmetric positions are stored once. The position whose text comes first represents them. During solving, a position
takes about 120 bytes plus three times the size of its key, and a move takes 8 bytes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count, islice, product
from typing import Any, Final

import numpy as np

from onlymove_engines.core.analysis import Report, Sections, ignore_report
from onlymove_engines.core.errors import OnlymoveError, Unsolvable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.solution import Batch
from onlymove_engines.core.value import Seat
from onlymove_engines.search.jit import Array
from onlymove_engines.search.position_keys import Known, Texts, WholeNumbers, choose_codec, read_keys
from onlymove_engines.search.rules_analyst import LOST

CHUNK: Final = 2048
"""How many positions a process looks at in one request."""
SMALLEST_BATCH, LARGEST_BATCH = 1 << 13, 1 << 18
"""The least and the most positions to expand before new ones are sorted in. Between these limits it is a quarter of all
known positions."""
BYTES_PER_POSITION: Final = 120
BYTES_PER_MOVE: Final = 8
"""The memory that a position, apart from its key, and a move need during solving. `benchmarks/rules.py` measures it."""
MOST_STARTS: Final = 64
SAMPLE: Final = 48
LARGEST_GROUP: Final = 256
NOTHING: Final = np.empty(0, np.int32)


class TooManyPositions(Unsolvable):
    """The game has too many positions for the limit, or for the memory of this machine."""


def count_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def list_starts(game: AnyGame) -> list[AnyPosition]:
    """Return the default start position, and the start positions of other options if their texts have the same length.

    This includes starts with another side to move, but not larger boards. Options that the player types stay at their
    default.
    """
    choices = [[(option.id, choice) for choice in option.choices] for option in game.play.options if not option.free]
    found = [game.default_start()]
    width = len(game.notation.format_position(found[0]))
    for chosen in islice(product(*choices), MOST_STARTS):
        start = game.start(dict(chosen), 0)
        if len(game.notation.format_position(start)) == width:
            found.append(start)
    return list(dict.fromkeys(found))


def find_image_steps(game: AnyGame) -> list[tuple[int, int]]:
    """Return how to make every symmetric image of a position. Each step says which symmetry to apply to which earlier
    image.

    Combinations of symmetries that agree on a sample of positions count as the same. Raises Unsolvable.
    """
    sample, position = [], game.default_start()
    for turn in range(SAMPLE):
        sample.append(position)
        moves = game.rules.legal_moves(position)
        position = game.rules.play(position, moves[turn * 7 % len(moves)]) if moves else game.default_start()
    found, steps = [tuple(sample)], []
    known = {*found}
    for place, group in enumerate(found):
        for which, symmetry in enumerate(game.solved.symmetries):
            images = tuple(map(symmetry.position, group))
            if images not in known:
                known.add(images)
                found.append(images)
                steps.append((which, place))
            if len(found) > LARGEST_GROUP:
                raise Unsolvable(
                    f"{game.id}: its symmetries give more than {LARGEST_GROUP} different maps of the board"
                )
    return steps


@dataclass(frozen=True)
class Chunk:
    """What the rules say about a batch of positions.

    `children` are the packed positions that moves lead to, and `orbits` says how many positions each represents. If
    positions are integers, `children` may contain one twice. `edges` are the moves, position by position, as indices
    into `children`, and `degrees` is the number of moves of each position.

    `seats` are the sides to move. `ended` is the outcome for the side to move if the game is over. `points` are those
    of the side to move and of the other side, in games with points.
    """

    children: Array
    orbits: Array
    edges: Array
    degrees: Array
    ended: Array
    seats: Array
    points: Array


def refuse_double_turns(game: AnyGame) -> Unsolvable:
    return Unsolvable(f"{game.id}: a side moves twice in a row, which this solver does not support")


class Looking:
    """Asks the rules about positions, many at a time."""

    def __init__(self, game: AnyGame, codec: WholeNumbers | Texts) -> None:
        self.game = game
        self.are_numbers = isinstance(codec, WholeNumbers)
        self.parse: Any = int if self.are_numbers else game.notation.parse_position
        self.spell: Any = int if self.are_numbers else game.notation.format_position
        self.maps = [symmetry.position for symmetry in game.solved.symmetries]
        self.steps = find_image_steps(game) if self.maps else []

    def fold(self, position: AnyPosition) -> tuple[Known, int]:
        """Return the position that represents this one, and how many symmetric positions it represents."""
        images = [position]
        for which, place in self.steps:
            images.append(self.maps[which](images[place]))
        known = set(map(self.spell, images))
        return min(known), len(known)

    def look(self, codec: WholeNumbers | Texts, keys: Array) -> Chunk:
        """Ask the rules about the positions with these keys. Raises Unsolvable if the game does not fit the solver."""
        rules, play = self.game.rules, self.game.rules.play
        known = codec.decode(keys)
        positions: Sequence[AnyPosition] = known if self.are_numbers else list(map(self.parse, known))
        moves_of = list(map(rules.legal_moves, positions))
        degrees = np.array(list(map(len, moves_of)), np.int32)
        after = [play(position, move) for position, moves in zip(positions, moves_of, strict=True) for move in moves]
        seats = np.array(list(map(rules.to_move, positions)), np.int8)
        children, orbits, edges = self._name(codec, after, seats, degrees)
        ended = np.zeros(len(positions), np.int8)
        over = np.flatnonzero(degrees == 0)
        ended[over] = self._outcomes([positions[place] for place in over.tolist()], seats[over].tolist())
        if self.game.play.repetition is not None and positions:
            # Check that endless play has the value that the solver assumes: a draw, or the points each side has.
            result, points = self.game.play.repetition.result(positions[0]), self.game.play.points
            if points is None and result.winner is not None:
                raise Unsolvable(f"{self.game.id}: repetition is not a draw, which this solver does not support")
            if points is not None and result.score not in (None, points(positions[0])):
                raise Unsolvable(f"{self.game.id}: repetition changes the points, which this solver does not support")
        return Chunk(children, orbits, edges, degrees, ended, seats, self.count_points(positions))

    def _name(
        self, codec: WholeNumbers | Texts, after: list[AnyPosition], seats: Array, degrees: Array
    ) -> tuple[Array, Array, Array]:
        if self.are_numbers and not self.steps:
            return codec.pack(after), np.ones(len(after), np.int16), np.arange(len(after), dtype=np.int32)
        slots: defaultdict[AnyPosition, int] = defaultdict(count().__next__)
        line = np.array([slots[position] for position in after], np.int32)
        if not self.steps:
            return codec.pack(list(map(self.spell, slots))), np.ones(len(slots), np.int16), line
        # Check the sides to move now, because the position that represents another may have the other side to move.
        if (np.array(list(map(self.game.rules.to_move, slots)), np.int8)[line] == np.repeat(seats, degrees)).any():
            raise refuse_double_turns(self.game)
        texts: defaultdict[Known, int] = defaultdict(count().__next__)
        folded = list(map(self.fold, slots))
        same = np.array([texts[text] for text, _ in folded], np.int32)
        sizes = np.zeros(len(texts), np.int16)
        sizes[same] = [size for _, size in folded]
        return codec.pack(list(texts)), sizes, same[line]

    def _outcomes(self, positions: Sequence[AnyPosition], seats: Sequence[Seat]) -> list[int]:
        """Return the outcomes of final positions for their sides to move. Raises Unsolvable."""
        rules, outcomes, points = self.game.rules, [], self.game.play.points
        for position, seat in zip(positions, seats, strict=True):
            result = rules.result(position)
            if result is None:
                spelled = self.game.notation.format_position(position)
                raise Unsolvable(f"{self.game.id}: {spelled} has no legal moves, but the game is not over")
            outcome = 0 if result.winner is None else 1 if result.winner == seat else -1
            if points is not None:
                lead = self.game.lead(position, seat)
                if outcome != (lead > 0) - (lead < 0) or result.score not in (None, points(position)):
                    spelled = self.game.notation.format_position(position)
                    raise Unsolvable(f"{self.game.id}: at {spelled} the result does not match the points")
            outcomes.append(outcome)
        return outcomes

    def count_points(self, positions: Sequence[AnyPosition]) -> Array:
        """Return the points of the side to move and of the other side for each position. Empty in a game without
        points."""
        points, to_move = self.game.play.points, self.game.rules.to_move
        if points is None:
            return np.empty((0, 2), np.int32)
        pairs = [points(position)[:: -1 if to_move(position) else 1] for position in positions]
        return np.array(pairs, np.int32).reshape(-1, 2)


_helped: list[Looking] = []
"""What a helper process asks."""


def begin_helping(looking: Looking) -> None:
    """Prepare a helper process. It ends when its parent does, even if that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _helped.append(looking)

    def end_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def help_look(codec: WholeNumbers | Texts, keys: Array) -> Chunk:
    """Ask the rules about positions in a helper process. Raises Unsolvable, also if the rules fail."""
    (looking,) = _helped
    try:
        return looking.look(codec, keys)
    except (OnlymoveError, OverflowError):
        raise
    except Exception as error:
        raise Unsolvable(f"{looking.game.id}: its rules raised an error: {error!r}") from error


@contextmanager
def open_pool(looking: Looking, jobs: int) -> Iterator[ProcessPoolExecutor | None]:
    """Open helper processes, or none for a single job. An error or an interrupt ends them at once, whatever they are
    asking the rules."""
    if jobs <= 1:
        yield None
        return
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), begin_helping, (looking,)) as pool:
        try:
            yield pool
        except BaseException:
            for helper in set(multiprocessing.active_children()) - others:
                helper.terminate()
            raise


@dataclass(frozen=True)
class RulesGraph:
    """All positions, numbered in the order in which they were found. `by_key` holds their numbers in the order of
    `keys`, which are sorted. `points` are as in `Chunk`."""

    codec: WholeNumbers | Texts
    keys: Array
    by_key: Array
    degrees: Array
    children: Array
    ended: Array
    orbits: Array
    points: Array


class Exploration:
    """Finds the positions of a game: at most `most` or, without a limit, as many as fit into memory."""

    def __init__(self, game: AnyGame, most: int | None, report: Report = ignore_report, as_text: bool = False) -> None:
        self.game, self.most, self.report = game, most, report
        self.room = count_memory()
        self.codec = choose_codec(game.default_start(), as_text)
        self.looking = Looking(game, self.codec)
        self.orbits: list[Array] = []
        self.total = self.edges = self.looked = 0
        self.sorted, self.numbers = np.empty(0, np.uint64), np.empty(0, np.int32)
        """The keys of all positions, sorted, and the number of each position."""
        self.ahead = self.sorted
        """The keys of the positions that have not been expanded yet, in the order in which they were found."""
        self.chunks: list[Chunk] = []
        """The expanded positions, by number. The children are numbers too, one for each edge."""

    def explore(self, jobs: int) -> RulesGraph:
        """Find the whole graph. Raises Unsolvable, TooManyPositions, or OverflowError if positions are integers that
        are too large for keys."""
        with open_pool(self.looking, jobs) as pool:
            known, sizes = zip(*map(self.looking.fold, list_starts(self.game)), strict=True)
            packed = self.codec.pack(known)
            self._learn([packed])
            keys, first = np.unique(self.codec.encode(packed), return_index=True)
            self.sorted = self.ahead = keys[:0]
            self._take(keys, np.array(sizes, np.int16)[first])
            while len(self.ahead):
                self._expand(pool)
        return self._graph()

    def _look(self, pool: ProcessPoolExecutor | None, keys: Array) -> Iterator[Chunk]:
        """Yield what the rules say about the positions with these keys, chunk by chunk, in the same order."""
        pieces = [keys[begin : begin + CHUNK] for begin in range(0, len(keys), CHUNK)]
        codecs = [self.codec] * len(pieces)
        try:
            yield from map(self.looking.look, codecs, pieces) if pool is None else pool.map(help_look, codecs, pieces)
        except BrokenProcessPool as error:
            raise Unsolvable(f"{self.game.id}: a process that was solving the game ended") from error

    def _expand(self, pool: ProcessPoolExecutor | None) -> None:
        size = min(max(self.total // 4, SMALLEST_BATCH), LARGEST_BATCH)
        chunks = []
        for chunk in self._look(pool, self.ahead[:size]):
            chunks.append(chunk)
            self.looked += len(chunk.degrees)
            self.report(f"{self.total:,} positions", self.looked / self.total)
        self.ahead = self.ahead[size:]
        self._learn([chunk.children for chunk in chunks if len(chunk.children)])
        packed = [self.codec.encode(chunk.children) for chunk in chunks if len(chunk.children)]
        numbers = np.empty(0, np.int32)
        if packed:
            keys, places = np.unique(np.concatenate(packed), return_inverse=True)
            sizes = np.empty(len(keys), np.int16)
            sizes[places] = np.concatenate([chunk.orbits for chunk in chunks])
            numbers = self._take(keys, sizes)[places]
        for chunk in chunks:
            own, numbers = np.split(numbers, [len(chunk.children)])
            self.chunks.append(replace(chunk, children=own[chunk.edges], orbits=NOTHING, edges=NOTHING))
            self.edges += len(chunk.edges)

    def _take(self, keys: Array, sizes: Array) -> Array:
        """Return the numbers of the positions with these keys, which must be sorted. New positions get the next
        numbers."""
        places = np.searchsorted(self.sorted, keys)
        numbers = np.full(len(keys), -1, np.int32)
        if self.total:
            near = np.minimum(places, self.total - 1)
            numbers = np.where(self.sorted[near] == keys, self.numbers[near], np.int32(-1))
        is_new = numbers < 0
        fresh = keys[is_new]
        total = self.total + len(fresh)
        if self.most is not None and total > self.most:
            raise TooManyPositions(f"{self.game.facts.title} has more than {self.most:,} positions")
        if total * (BYTES_PER_POSITION + 3 * keys.dtype.itemsize) + self.edges * BYTES_PER_MOVE > self.room:
            raise TooManyPositions(
                f"{self.game.facts.title} has more than {self.total:,} positions: "
                "this machine does not have enough memory"
            )
        numbers[is_new] = np.arange(self.total, total, dtype=np.int32)
        is_old = np.ones(total, np.bool_)
        is_old[places[is_new] + np.arange(len(fresh))] = False
        self.sorted = merge(is_old, self.sorted, fresh)
        self.numbers = merge(is_old, self.numbers, numbers[is_new])
        self.ahead = np.concatenate((self.ahead, fresh))
        self.orbits.append(sizes[is_new])
        self.total = total
        return numbers

    def _learn(self, packed: Iterable[Array]) -> None:
        """Compute all keys again if new characters have appeared."""
        former = self.codec
        for one in packed:
            self.codec = self.codec.learn(one)
        if self.codec is not former and self.total:
            self.ahead = recode(self.ahead, former, self.codec)
            self._sort(recode(self.sorted, former, self.codec))

    def _sort(self, keys: Array) -> None:
        """Replace the keys of all positions, which may have another order now."""
        order = np.argsort(keys, kind="stable")
        self.sorted, self.numbers = keys[order], self.numbers[order]

    def _graph(self) -> RulesGraph:
        """Return the graph with its final keys, and free what is no longer needed."""
        # Sort the characters, so that the keys do not depend on the order in which positions were found.
        codec = self.codec.sort_characters()
        if codec is not self.codec:
            self._sort(recode(self.sorted, self.codec, codec))
        keys, by_key, chunks = self.sorted, self.numbers, self.chunks
        self.sorted, self.numbers, self.chunks = keys[:0], by_key[:0], []
        if not self.looking.steps:
            seats = np.concatenate([chunk.seats for chunk in chunks])
            for chunk in chunks:
                if (seats[chunk.children] == np.repeat(chunk.seats, chunk.degrees)).any():
                    raise refuse_double_turns(self.game)
        columns = {
            name: np.concatenate([getattr(chunk, name) for chunk in chunks])
            for name in ("degrees", "children", "ended", "points")
        }
        return RulesGraph(codec, keys, by_key, orbits=np.concatenate(self.orbits), **columns)


def merge(is_old: Array, former: Array, fresh: Array) -> Array:
    """Merge two arrays. The former elements go where `is_old` is true, and the fresh ones elsewhere."""
    merged = np.empty(len(is_old), fresh.dtype)
    merged[is_old], merged[~is_old] = former, fresh
    return merged


def recode(keys: Array, former: WholeNumbers | Texts, codec: WholeNumbers | Texts) -> Array:
    """Return the keys of the same positions in another codec. Only a part of them is decoded at a time, to save
    memory."""
    if not len(keys):
        return codec.encode(codec.pack([]))
    pieces = [keys[begin : begin + LARGEST_BATCH] for begin in range(0, len(keys), LARGEST_BATCH)]
    return np.concatenate([codec.encode(codec.pack(former.decode(piece))) for piece in pieces])


@dataclass
class RulesStatistics:
    """The positions of a table with their moves, in batches. If `one_in` is not 1, only one position in that many is
    listed."""

    game: AnyGame
    sections: Sections
    one_in: int = 1

    def __post_init__(self) -> None:
        self.codec, self.keys = read_keys(self.sections)
        self.looking = Looking(self.game, self.codec)

    def position(self, number: int) -> AnyPosition:
        found: AnyPosition = self.looking.parse(self.codec.decode(self.keys[number : number + 1])[0])
        return found

    def batches(self) -> Iterator[Batch]:
        """Yield each position once, in the order of the table."""
        numbers = np.arange(0, len(self.keys), self.one_in)
        return (self._batch(numbers[begin : begin + CHUNK]) for begin in range(0, len(numbers), CHUNK))

    def _batch(self, numbers: Array) -> Batch:
        chunk = self.looking.look(self.codec, self.keys[numbers])
        row = np.repeat(np.arange(len(numbers)), chunk.degrees)
        codes_of_children = self.codec.encode(chunk.children) if len(row) else self.keys[:0]
        children = np.searchsorted(self.keys, codes_of_children)
        if "margins" in self.sections:
            value, distance = (self._column(name, numbers) for name in ("margins", "ranks"))
            positions = map(self.looking.parse, self.codec.decode(self.keys[children]))
            own, theirs = (np.subtract(*points.T) for points in (chunk.points, self.looking.count_points([*positions])))
            worth = -(theirs + self._column("margins", children))[chunk.edges] - own[row]
        else:
            codes = self._column("codes", numbers)
            value, distance = outcomes_of(codes), np.maximum(codes - LOST, 0) // 2
            worth = -outcomes_of(self._column("codes", children))[chunk.edges]
        weight = self._column("orbits", numbers) if "orbits" in self.sections else np.ones(len(numbers), np.int64)
        return Batch(numbers, weight, value, distance, chunk.degrees > 0, row, worth)

    def _column(self, name: str, numbers: Array) -> Array:
        """Return the entries of a section for the positions at these indices."""
        return np.asarray(self.sections[name])[numbers].astype(np.int64)


def outcomes_of(codes: Array) -> Array:
    """Return 1 for a won position, 0 for a drawn one and -1 for a lost one."""
    return np.where(codes < LOST, 0, np.where(codes % 2 == 1, 1, -1))
