"""Finds all positions that a game's rules lead to, breadth first, and stores them as a graph in arrays.

Symmetric positions are stored once. The position whose text comes first represents them. While positions are found,
each takes about 40 bytes plus three times the length of its text. During solving, each takes about 144 bytes. A move
takes 8 bytes.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from typing import Any, Final

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Report, ignore_report
from onlymove_engines.core.errors import RefusedRules, Unsolvable
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.repetition import drawn_by_repetition
from onlymove_engines.core.value import Seat
from onlymove_engines.search.endless import find_endless_lead, find_repetition
from onlymove_engines.search.position_keys import Known, narrow, pack, unpack
from onlymove_engines.search.rules_faults import (
    Images,
    check_texts,
    check_unfinished,
    parse_written,
    refuse_failing_rules,
    refuse_text,
)

CHUNK: Final = 2048
"""How many positions a process looks at in one request."""
MIN_BATCH, MAX_BATCH = 1 << 13, 1 << 18
"""The least and the most positions to expand before new ones are sorted in. Between these limits it is a quarter of all
known positions."""
BYTES_PER_POSITION: Final = 144
BYTES_WHILE_FOUND: Final = 40
BYTES_PER_MOVE: Final = 8
"""The memory that solving needs for each position and each move. While positions are found, each needs
`BYTES_WHILE_FOUND` and three copies of its text or number. `benchmarks/rules.py` measures this."""
MAX_POINTS: Final = 1 << 60
"""More points than this are refused, so that sums of a few of them fit into 64 bits."""
MAX_SAMPLED: Final = 16
SAMPLE: Final = 48
MAX_GROUP: Final = 256
NOTHING: Final = np.empty(0, np.int32)


class TooManyPositions(Unsolvable):
    """The game has too many positions for the limit, or for the memory of this machine."""


def count_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def find_image_steps(game: AnyGame, starts: Sequence[AnyPosition]) -> list[tuple[int, int]]:
    """Return how to make every symmetric image of a position. Each step says which symmetry to apply to which earlier
    image.

    Combinations of symmetries that agree on a sample of positions count as the same. The sample comes from the first,
    the last, and a few other starts. Raises RefusedRules.
    """
    sample: list[AnyPosition] = []
    for start in {*starts[:: len(starts) // MAX_SAMPLED + 1], starts[-1]}:
        position = start
        for turn in range(SAMPLE):
            sample.append(position)
            moves = game.rules.legal_moves(position)
            position = game.rules.play(position, moves[turn * 7 % len(moves)]) if moves else start
    found, steps = [tuple(sample)], []
    known = {*found}
    for place, group in enumerate(found):
        for which, symmetry in enumerate(game.solved.symmetries):
            images = tuple(map(symmetry.position, group))
            if images not in known:
                known.add(images)
                found.append(images)
                steps.append((which, place))
            if len(found) > MAX_GROUP:
                raise RefusedRules(f"{game.id}: its symmetries give more than {MAX_GROUP} different maps of the board")
    return steps


@dataclass(frozen=True)
class Chunk:
    """What the rules say about a batch of positions.

    `found` are the packed positions that moves lead to, and `orbits` says how many positions each represents. `found`
    may contain a position twice. `edges` are the moves, position by position, as indices into `found`, and `degrees` is
    the number of moves of each position. In the chunk that `Exploration.explore` returns, `found` is empty, `orbits`
    has an entry for each position of the game, and `edges` are the numbers of the positions that moves lead to.

    `seats` are the sides to move, and `again` marks the edges after which the same side moves again. `ended` is the
    outcome for the side to move if the game is over. In games with points, `points` are those of the side to move and
    of the other side, and `endless` is the margin to come for the side to move if positions repeat.
    """

    found: Array
    orbits: Array
    edges: Array
    degrees: Array
    ended: Array
    seats: Array
    again: Array
    points: Array
    endless: Array


class Looking:
    """Asks the rules about positions, many at a time, and checks what they say."""

    def __init__(self, game: AnyGame, starts: Sequence[AnyPosition], as_text: bool) -> None:
        self.game = game
        self.are_numbers = type(game.default_start()) is int and not as_text
        steps = find_image_steps(game, starts) if game.solved.symmetries else []
        self.images = Images(game, steps) if game.solved.symmetries else None
        self.repetition = find_repetition(game)

    def fold(self, positions: Sequence[AnyPosition]) -> list[tuple[Known, int]]:
        """Return, for each of these different positions, the one that represents it, and how many symmetric positions
        that represents. Raises RefusedRules if a text does not give its position back."""
        if self.images is None:
            known: Sequence[Any] = positions if self.are_numbers else check_texts(self.game, positions)
            return [(one, 1) for one in known]
        return self._fold_images(list(map(self.images.list_all, positions)))

    def _fold_images(self, rows: Sequence[Sequence[AnyPosition]]) -> list[tuple[Known, int]]:
        """Do the same as `fold`, for the images of each position."""
        assert self.images is not None
        groups: dict[AnyPosition, set[AnyPosition]] = {}
        """All images of each position that represents others, by each of its images."""
        found: dict[AnyPosition, tuple[Known, int]] = {}
        for images in rows:
            if images[0] not in found:
                known, least = self._find_least(images)
                group = set(images if least == images[0] else self.images.list_all(least))
                groups.update(dict.fromkeys(group, group))
                found.update(dict.fromkeys(group, (known, len(group))))
            if groups.get(images[0]) != {*images}:
                self.images.refuse_open_group(images[0])
        return [found[images[0]] for images in rows]

    def _find_least(self, images: Sequence[Any]) -> tuple[Known, AnyPosition]:
        """Return the image that represents the others, as it is stored, and the image itself. Raises RefusedRules."""
        if self.are_numbers:
            least = min(images)
            return least, least
        texts = dict(zip(map(self.game.notation.format_position, images), images, strict=True))
        text = min(texts)
        # Another position with the same text might be hidden in it.
        if (found := parse_written(self.game, text)) != texts[text]:
            refuse_text(self.game, text, found)
        return text, texts[text]

    def look(self, packed: Array) -> Chunk:
        """Ask the rules about these positions. Raises Unsolvable if the game does not fit the solver, and RefusedRules
        if the rules contradict each other."""
        rules, play = self.game.rules, self.game.rules.play
        positions = unpack(packed)
        if not self.are_numbers:
            positions = list(map(self.game.notation.parse_position, positions))
        moves_of = list(map(rules.legal_moves, positions))
        if self.images is None:
            check_unfinished(self.game, [here for here, moves in zip(positions, moves_of, strict=True) if moves])
            if self.are_numbers:  # Other texts were checked when they were written.
                check_texts(self.game, positions)
        degrees = np.array(list(map(len, moves_of)), np.int32)
        after = [play(position, move) for position, moves in zip(positions, moves_of, strict=True) for move in moves]
        seats = np.array(list(map(rules.to_move, positions)), np.int8)
        known: Sequence[Any] = after
        edges = np.arange(len(after), dtype=np.int32)
        if self.images is not None or not self.are_numbers:
            slots: defaultdict[AnyPosition, int] = defaultdict(count().__next__)
            edges = np.array([slots[position] for position in after], np.int32)
            known = list(slots)
        orbits, again = np.ones(len(known), np.int16), NOTHING
        if self.images is not None:
            # Compare the sides to move now, because the position that represents another may have the other one.
            again = np.array(list(map(rules.to_move, known)), np.int8)[edges] == np.repeat(seats, degrees)
            rows = list(map(self.images.list_all, known))
            children = iter([rows[edge] for edge in edges.tolist()])
            self.images.check(positions, moves_of, [list(islice(children, len(moves))) for moves in moves_of])
            known, sizes = zip(*self._fold_images(rows), strict=True) if known else ((), ())
            orbits = np.array(sizes, np.int16)
        elif not self.are_numbers:
            known = check_texts(self.game, known)
        ended = np.zeros(len(positions), np.int8)
        over = np.flatnonzero(degrees == 0)
        ended[over] = self._outcomes([positions[place] for place in over.tolist()], seats[over].tolist())
        points = self._list_points(positions, seats)
        endless = self._list_endless(positions, seats, points, degrees)
        return Chunk(pack(known, self.are_numbers), orbits, edges, degrees, ended, seats, again, points, endless)

    def _list_points(self, positions: Sequence[AnyPosition], seats: Array) -> Array:
        """Return the points of the side to move and of the other side. Raises Unsolvable."""
        if (read := self.game.play.points) is None:
            return np.empty((0, 2), np.int32)
        pairs = [read(one)[:: -1 if seat else 1] for one, seat in zip(positions, seats.tolist(), strict=True)]
        points = np.array(pairs).reshape(-1, 2)
        is_wide = points.dtype.kind != "i" or (len(points) and int(np.abs(points).max()) > MAX_POINTS)
        if is_wide:
            raise RefusedRules(f"{self.game.id}: points must be whole numbers of at most {MAX_POINTS:,}")
        return narrow(points, is_signed=True)

    def _list_endless(self, positions: Sequence[AnyPosition], seats: Array, points: Array, degrees: Array) -> Array:
        """Return the margin to come for each side to move if positions repeat, from the rule about repetition. It is 0
        in finished positions. In a game without points, repetition must be a draw. Raises Unsolvable."""
        endless = np.zeros(len(points), np.int64)
        if self.repetition is None:
            return endless
        open_ones = np.flatnonzero(degrees)
        finals: Array | int = 0
        if self.repetition.result is not drawn_by_repetition:
            rows = zip([positions[place] for place in open_ones.tolist()], seats[open_ones].tolist(), strict=True)
            finals = np.array([self._find_final_lead(position, seat) for position, seat in rows], np.int64)
        if len(points):
            endless[open_ones] = finals - (points[open_ones, 0].astype(np.int64) - points[open_ones, 1])
        return endless

    def _find_final_lead(self, position: AnyPosition, seat: Seat) -> int:
        """Return by how much `seat` leads if this position is repeated. Raises Unsolvable if the result of that is none
        that a table can hold."""
        assert self.repetition is not None, "asked only with a rule about repetition"
        result, spelled = self.repetition.result(position), self.game.notation.format_position
        final = find_endless_lead(self.game, position, seat)
        has_points = self.game.play.points is not None
        if result.winner is not None and not has_points:
            raise RefusedRules(
                f"{self.game.id}: at {spelled(position)}, repetition is not a draw, which this solver does not support"
            )
        if has_points and result.outcome_for(seat) != (final > 0) - (final < 0):
            raise RefusedRules(
                f"{self.game.id}: at {spelled(position)}, the result of repetition does not match its score"
            )
        return final

    def _outcomes(self, positions: Sequence[AnyPosition], seats: Sequence[Seat]) -> list[int]:
        """Return the outcomes of final positions for their sides to move. Raises Unsolvable."""
        rules, outcomes, points = self.game.rules, [], self.game.play.points
        for position, seat in zip(positions, seats, strict=True):
            result = rules.result(position)
            if result is None:
                spelled = self.game.notation.format_position(position)
                raise RefusedRules(f"{self.game.id}: {spelled} has no legal moves, but the game is not over")
            outcome = 0 if result.winner is None else 1 if result.winner == seat else -1
            if points is not None:
                lead = self.game.lead(position, seat)
                if outcome != (lead > 0) - (lead < 0) or result.score not in (None, points(position)):
                    spelled = self.game.notation.format_position(position)
                    raise RefusedRules(f"{self.game.id}: at {spelled} the result does not match the points")
            outcomes.append(outcome)
        return outcomes


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


def help_look(packed: Array) -> Chunk:
    """Ask the rules about positions in a helper process. Raises Unsolvable, also if the rules fail."""
    (looking,) = _helped
    return look_safely(looking, packed)


def look_safely(looking: Looking, packed: Array) -> Chunk:
    """Ask the rules about positions. Raises Unsolvable, also if the rules fail. Python's collector of cycles rests
    meanwhile: it would look again and again at thousands of positions that are still in use."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        with refuse_failing_rules(looking.game):
            return looking.look(packed)
    finally:
        if was_enabled:
            gc.enable()


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


class Exploration:
    """Finds the positions of a game: at most `most` or, without a limit, as many as fit into memory."""

    def __init__(
        self,
        game: AnyGame,
        starts: Sequence[AnyPosition],
        most: int | None,
        report: Report = ignore_report,
        as_text: bool = False,
        room: int | None = None,
        chunk: int = CHUNK,
    ) -> None:
        self.game, self.starts, self.most, self.report, self.chunk = game, starts, most, report, chunk
        self.left_out: list[AnyPosition] = []
        """The starts whose positions are too many. The first start is never left out."""
        self.room = count_memory() if room is None else room
        with refuse_failing_rules(game):
            self.looking = Looking(game, starts, as_text)
        self._forget()

    def _forget(self) -> None:
        self.sorted = pack([], self.looking.are_numbers)
        """All positions, packed and sorted."""
        self.numbers = np.empty(0, np.int32)
        """The number of each of them. Positions are numbered in the order in which they are found."""
        self.ahead = self.sorted
        """The positions that the rules have not been asked about, in the order of their numbers."""
        self.orbits: list[Array] = []
        self.edges: list[Array] = []
        self.chunks: list[Chunk] = []
        self.looked = self.moves = 0

    def explore(self, jobs: int) -> Chunk:
        """Find all positions. If they are too many, leave out the starts that are to blame. Raises Unsolvable,
        TooManyPositions if the first start alone leads to too many, or OverflowError if positions are integers of more
        than 63 bits."""
        with open_pool(self.looking, jobs) as pool:
            try:
                self._explore_from(self.starts, pool)
            except TooManyPositions:
                if len(self.starts) == 1:
                    raise
                self._explore_one_by_one(pool)
        names = ("degrees", "ended", "seats", "again", "points", "endless")
        columns = {name: np.concatenate([getattr(chunk, name) for chunk in self.chunks]) for name in names}
        edges, seats = np.concatenate(self.edges), columns["seats"]
        self.chunks.clear()
        self.edges.clear()
        if self.looking.images is None:
            columns["again"] = seats[edges] == np.repeat(seats, columns["degrees"])
        return Chunk(NOTHING, np.concatenate(self.orbits), edges, **columns)

    def _explore_one_by_one(self, pool: ProcessPoolExecutor | None) -> None:
        self._forget()
        for start in self.starts:
            # Arrays are replaced and not changed, and lists only grow.
            arrays = self.sorted, self.numbers, self.looked, self.moves
            lists: list[tuple[list[Any], int]] = [(one, len(one)) for one in (self.orbits, self.edges, self.chunks)]
            try:
                self._explore_from([start], pool)
            except TooManyPositions:
                if start == self.starts[0]:
                    raise
                self.left_out.append(start)
                self.sorted, self.numbers, self.looked, self.moves = arrays
                self.ahead = self.sorted[:0]
                for one, length in lists:
                    del one[length:]

    def _explore_from(self, starts: Sequence[AnyPosition], pool: ProcessPoolExecutor | None) -> None:
        with refuse_failing_rules(self.game):
            folded = dict(self.looking.fold(starts))
        packed, sizes = pack(list(folded), self.looking.are_numbers), np.array(list(folded.values()), np.int16)
        if len(self.sorted):
            self._learn(packed, sizes)
        else:
            self.sorted, places = np.unique(packed, return_index=True)
            self.numbers, self.ahead = np.arange(len(folded), dtype=np.int32), self.sorted
            self.orbits.append(sizes[places])
        while len(self.ahead):
            self._expand(pool)

    def _look(self, pool: ProcessPoolExecutor | None, packed: Array) -> Iterator[Chunk]:
        """Yield what the rules say about these positions, chunk by chunk, in the same order."""
        pieces = [packed[begin : begin + self.chunk] for begin in range(0, len(packed), self.chunk)]
        try:
            here = partial(look_safely, self.looking)
            yield from map(here, pieces) if pool is None else pool.map(help_look, pieces)
        except BrokenProcessPool as error:
            raise Unsolvable(f"{self.game.id}: a process that was solving the game ended") from error

    def _expand(self, pool: ProcessPoolExecutor | None) -> None:
        total = len(self.sorted)
        size = min(max(total // 4, MIN_BATCH), MAX_BATCH)
        chunks = []
        for chunk in self._look(pool, self.ahead[:size]):
            chunks.append(chunk)
            self.looked += len(chunk.degrees)
            self.report(f"{total:,} positions", self.looked / total)
        self.ahead = self.ahead[size:]
        numbers = self._learn(np.concatenate([c.found for c in chunks]), np.concatenate([c.orbits for c in chunks]))
        for chunk in chunks:
            own, numbers = np.split(numbers, [len(chunk.found)])
            self.edges.append(own[chunk.edges])
            self.moves += len(chunk.edges)
            self.chunks.append(replace(chunk, found=NOTHING, orbits=NOTHING, edges=NOTHING))

    def _learn(self, found: Array, orbits: Array) -> Array:
        """Return the numbers of positions that moves lead to. New ones get the next numbers."""
        positions, where = np.unique(found, return_inverse=True)
        sizes = np.empty(len(positions), np.int16)
        sizes[where] = orbits
        places = np.searchsorted(self.sorted, positions)
        near = np.minimum(places, len(self.sorted) - 1)
        is_new = self.sorted[near] != positions
        fresh, places = positions[is_new], places[is_new]
        total = len(self.sorted) + len(fresh)
        if self.most is not None and total > self.most:
            raise TooManyPositions(f"{self.game.facts.title} has more than {self.most:,} positions")
        size = max(BYTES_PER_POSITION, BYTES_WHILE_FOUND + 3 * found.dtype.itemsize)
        if total * size + self.moves * BYTES_PER_MOVE > self.room:
            raise TooManyPositions(
                f"{self.game.facts.title} has more than {len(self.sorted):,} positions: "
                "this machine does not have enough memory"
            )
        numbers = self.numbers[near]
        numbers[is_new] = np.arange(len(self.sorted), total, dtype=np.int32)
        wide = np.result_type(self.sorted, fresh)  # a later text may be longer
        self.sorted = np.insert(self.sorted.astype(wide, copy=False), places, fresh)
        self.numbers = np.insert(self.numbers, places, numbers[is_new])
        self.ahead = np.concatenate((self.ahead, fresh))
        self.orbits.append(sizes[is_new])
        found_numbers: Array = numbers[where]
        return found_numbers
