"""Finds all positions that a game's rules lead to, breadth first, and stores them as a graph in arrays.

Symmetric positions are stored once. The position whose text comes first represents them. During solving, a position
takes about 120 bytes plus three times the size of its key, and a move takes 8 bytes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count, islice, product
from multiprocessing.connection import Connection
from typing import Any, Final

import numpy as np

from onlymove_engines.core.analysis import Report, ignore_report
from onlymove_engines.core.errors import OnlymoveError, Unsolvable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Seat
from onlymove_engines.search.jit import Array
from onlymove_engines.search.position_keys import Known, Texts, WholeNumbers, choose_codec

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


class Folding:
    """Chooses one position to represent all that are symmetric to it."""

    def __init__(self, game: AnyGame, codec: WholeNumbers | Texts) -> None:
        self.maps = [symmetry.position for symmetry in game.solved.symmetries]
        self.spell: Any = int if isinstance(codec, WholeNumbers) else game.notation.format_position
        self.steps = self._steps(game) if self.maps else []

    def _steps(self, game: AnyGame) -> list[tuple[int, int]]:
        """Return how to make every symmetric image of a position. Each step says which map to apply to which earlier
        image.

        Combinations of maps that agree on a sample of positions count as the same.
        """
        sample, position = [], game.default_start()
        for turn in range(SAMPLE):
            sample.append(position)
            moves = game.rules.legal_moves(position)
            if not moves:
                position = game.default_start()
                continue
            position = game.rules.play(position, moves[turn * 7 % len(moves)])
        found, steps, place = [tuple(sample)], [], 0
        known = {found[0]}
        while place < len(found):
            for which, image in enumerate(self.maps):
                images = tuple(image(one) for one in found[place])
                if images not in known:
                    known.add(images)
                    found.append(images)
                    steps.append((which, place))
                if len(found) > LARGEST_GROUP:
                    raise Unsolvable(
                        f"{game.id}: its symmetries give more than {LARGEST_GROUP} different maps of the board"
                    )
            place += 1
        return steps

    def fold(self, position: AnyPosition) -> tuple[Known, int]:
        """Return the position that represents this one, and how many positions it represents."""
        if not self.steps:
            return self.spell(position), 1
        images = [position]
        for which, place in self.steps:
            images.append(self.maps[which](images[place]))
        known = set(map(self.spell, images))
        return min(known), len(known)


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
        self.folding = Folding(game, codec)
        self.parse: Any = int if self.are_numbers else game.notation.parse_position

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
            self._check_repetition(positions[0])
        return Chunk(children, orbits, edges, degrees, ended, seats, self.count_points(positions))

    def _name(
        self, codec: WholeNumbers | Texts, after: list[AnyPosition], seats: Array, degrees: Array
    ) -> tuple[Array, Array, Array]:
        if self.are_numbers and not self.folding.steps:
            return codec.pack(after), np.ones(len(after), np.int16), np.arange(len(after), dtype=np.int32)
        slots: defaultdict[AnyPosition, int] = defaultdict(count().__next__)
        line = np.array([slots[position] for position in after], np.int32)
        if not self.folding.steps:
            return codec.pack(list(map(self.folding.spell, slots))), np.ones(len(slots), np.int16), line
        # Check the sides to move now, because the position that represents another may have the other side to move.
        if (np.array(list(map(self.game.rules.to_move, slots)), np.int8)[line] == np.repeat(seats, degrees)).any():
            raise refuse_double_turns(self.game)
        texts: defaultdict[Known, int] = defaultdict(count().__next__)
        folded = list(map(self.folding.fold, slots))
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

    def _check_repetition(self, position: AnyPosition) -> None:
        """Check that endless play has the value that the solver assumes: a draw, or the points each side has. Raises
        Unsolvable."""
        assert self.game.play.repetition is not None, "asked only where there is one"
        result = self.game.play.repetition.result(position)
        if self.game.play.points is None and result.winner is not None:
            raise Unsolvable(f"{self.game.id}: repetition is not a draw, which this solver does not support")
        if self.game.play.points is not None and result.score not in (None, self.game.play.points(position)):
            raise Unsolvable(f"{self.game.id}: repetition changes the points, which this solver does not support")

    def count_points(self, positions: Sequence[AnyPosition]) -> Array:
        """Return the points of the side to move and of the other side for each position. Empty in a game without
        points."""
        points, to_move = self.game.play.points, self.game.rules.to_move
        if points is None:
            return np.empty((0, 2), np.int32)
        pairs = [points(position)[:: -1 if to_move(position) else 1] for position in positions]
        return np.array(pairs, np.int32).reshape(-1, 2)


class Crew:
    """Processes that expand positions, or this process alone. They always end when this process does."""

    def __init__(self, looking: Looking, jobs: int) -> None:
        self.looking = looking
        self.lines: list[Connection[Any, Any]] = []
        self.workers: list[Any] = []
        for _ in range(jobs if jobs > 1 else 0):
            context = multiprocessing.get_context("fork")
            ours, theirs = context.Pipe()
            worker = context.Process(target=self._serve, args=(theirs, [*self.lines, ours]), daemon=True)
            worker.start()
            theirs.close()
            self.lines.append(ours)
            self.workers.append(worker)

    def _serve(self, line: Connection[Any, Any], others: Sequence[Connection[Any, Any]]) -> None:
        """Answer requests until there are no more. Close the other connections first, so that the end of the parent
        process is noticed."""
        for connection in others:
            connection.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(EOFError, OSError):
            while True:
                codec, keys = line.recv()
                try:
                    answer: object = self.looking.look(codec, keys)
                except (OnlymoveError, OverflowError) as refusal:
                    answer = refusal
                except Exception as error:  # noqa: BLE001 - any error in the rules is passed to the parent process
                    answer = Unsolvable(f"{self.looking.game.id}: its rules raised an error: {error!r}")
                line.send(answer)

    def look(self, codec: WholeNumbers | Texts, keys: Array) -> Iterator[Chunk]:
        """Yield what the rules say about the positions with these keys, chunk by chunk, in the same order."""
        pieces = [keys[begin : begin + CHUNK] for begin in range(0, len(keys), CHUNK)]
        if not self.lines:
            yield from (self.looking.look(codec, piece) for piece in pieces)
            return
        # Each worker has only one request at a time. Otherwise both ends of a full pipe could wait for each other.
        workers = len(self.lines)
        for place, piece in enumerate(pieces[:workers]):
            self.lines[place].send((codec, piece))
        for place in range(len(pieces)):
            line = self.lines[place % workers]
            try:
                answer = line.recv()
                if place + workers < len(pieces):
                    line.send((codec, pieces[place + workers]))
            except (EOFError, OSError) as error:
                raise Unsolvable(f"{self.looking.game.id}: a process that was solving the game ended") from error
            if isinstance(answer, Exception):
                raise answer
            yield answer

    def close(self) -> None:
        for line in self.lines:
            line.close()
        for worker in self.workers:
            worker.terminate()
            worker.join()


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


def merge(former: Array, fresh: Array, inserted: Array, is_old: Array) -> Array:
    """Merge two arrays. The `fresh` elements go to the indices `inserted`, and the former ones fill those where
    `is_old` is true, in their order."""
    merged = np.empty(len(is_old), fresh.dtype)
    merged[inserted], merged[is_old] = fresh, former
    return merged


class Exploration:
    """Finds the positions of a game: at most `most` or, without a limit, as many as fit into memory."""

    def __init__(self, game: AnyGame, most: int | None, report: Report = ignore_report, as_text: bool = False) -> None:
        self.game, self.most, self.report = game, most, report
        self.room = count_memory()
        self.codec = choose_codec(game.default_start(), as_text)
        self.looking = Looking(game, self.codec)
        self.found: list[Array] = []
        """The keys by number, in batches."""
        self.orbits: list[Array] = []
        self.total = self.edges = self.looked = 0
        self.sorted, self.numbers = np.empty(0, np.uint64), np.empty(0, np.int32)
        self.chunks: list[tuple[Array, ...]] = []
        """For each chunk: degrees, children by number, ended, points and seats."""

    def explore(self, jobs: int) -> RulesGraph:
        """Find the whole graph. Raises Unsolvable, TooManyPositions, or OverflowError if positions are integers that
        are too large for keys."""
        with closing(Crew(self.looking, jobs)) as crew:
            known, sizes = zip(*map(self.looking.folding.fold, list_starts(self.game)), strict=True)
            packed = self.codec.pack(known)
            self._learn([packed])
            keys, first = np.unique(self.codec.encode(packed), return_index=True)
            self.sorted = keys[:0]
            self._take(keys, np.array(sizes, np.int16)[first])
            while self.looked < self.total:
                self._batch(crew)
        return self._graph()

    def _batch(self, crew: Crew) -> None:
        """Expand the next positions, in the order in which they were found."""
        size = min(max(self.total // 4, SMALLEST_BATCH), LARGEST_BATCH)
        begin, end = self.looked, min(self.total, self.looked + size)
        chunks = []
        for chunk in crew.look(self.codec, self._keys(begin, end)):
            chunks.append(chunk)
            self.looked += len(chunk.degrees)
            self.report(f"{self.total:,} positions", self.looked / max(self.total, 1))
        self._learn([chunk.children for chunk in chunks if len(chunk.children)])
        packed = [self.codec.encode(chunk.children) for chunk in chunks if len(chunk.children)]
        numbers = np.empty(0, np.int32)
        if packed:
            keys, places = np.unique(np.concatenate(packed), return_inverse=True)
            sizes = np.empty(len(keys), np.int16)
            sizes[places] = np.concatenate([chunk.orbits for chunk in chunks])
            numbers = self._take(keys, sizes)[places]
        begin = 0
        for chunk in chunks:
            own = numbers[begin : begin + len(chunk.children)]
            begin += len(own)
            self.chunks.append((chunk.degrees, own[chunk.edges], chunk.ended, chunk.points, chunk.seats))
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
        self._check_room(len(fresh), keys.dtype.itemsize)
        numbers[is_new] = np.arange(self.total, self.total + len(fresh), dtype=np.int32)
        inserted = places[is_new] + np.arange(len(fresh))
        is_old = np.ones(self.total + len(fresh), np.bool_)
        is_old[inserted] = False
        self.sorted = merge(self.sorted, fresh, inserted, is_old)
        self.numbers = merge(self.numbers, numbers[is_new], inserted, is_old)
        self.found.append(fresh)
        self.orbits.append(sizes[is_new])
        self.total += len(fresh)
        return numbers

    def _check_room(self, more: int, width: int) -> None:
        total = self.total + more
        if self.most is not None and total > self.most:
            raise TooManyPositions(f"{self.game.facts.title} has more than {self.most:,} positions")
        if total * (BYTES_PER_POSITION + 3 * width) + self.edges * BYTES_PER_MOVE > self.room:
            raise TooManyPositions(
                f"{self.game.facts.title} has more than {self.total:,} positions: "
                "this machine does not have enough memory"
            )

    def _keys(self, begin: int, end: int) -> Array:
        """Return the keys of the positions with these numbers."""
        if len(self.found) > 1 and begin >= self.total - len(self.found[-1]):
            before = self.total - len(self.found[-1])
            return self.found[-1][begin - before : end - before]
        self.found = [np.concatenate(self.found)]
        return self.found[0][begin:end]

    def _learn(self, packed: Sequence[Array]) -> None:
        """Compute all keys again if new characters have appeared."""
        former = self.codec.copy() if isinstance(self.codec, Texts) else None
        learned = [self.codec.learn(one) for one in packed]
        if not any(learned) or not self.total or former is None:
            return
        keys = np.concatenate(self.found)
        self.found = [self.codec.encode(self.codec.pack(former.decode(keys)))]
        order = np.argsort(self.found[0], kind="stable")
        self.sorted, self.numbers = self.found[0][order], order.astype(np.int32)

    def _graph(self) -> RulesGraph:
        """Return the graph with its final keys, and free what is no longer needed."""
        codec, keys, by_key = self.codec, self.sorted, self.numbers
        self.found, self.sorted, self.numbers = [], keys[:0], by_key[:0]
        if isinstance(codec, Texts):
            # Sort the characters, so that the keys do not depend on the order in which positions were found.
            final = codec.sort_characters()
            keys = np.concatenate(
                [
                    final.encode(codec.pack(codec.decode(keys[begin : begin + LARGEST_BATCH])))
                    for begin in range(0, len(keys), LARGEST_BATCH)
                ]
            )
            order = np.argsort(keys, kind="stable")
            keys, by_key, codec = keys[order], by_key[order], final
        if not self.looking.folding.steps:
            seats = np.concatenate([chunk[4] for chunk in self.chunks])
            for degrees, children, _, _, own in self.chunks:
                if (seats[children] == np.repeat(own, degrees)).any():
                    raise refuse_double_turns(self.game)
        degrees, children, ended, points = (
            np.concatenate([chunk[place] for chunk in self.chunks]) for place in range(4)
        )
        self.chunks = []
        return RulesGraph(codec, keys, by_key, degrees, children, ended, np.concatenate(self.orbits), points)
