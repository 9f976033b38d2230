"""Games as the library shows them: positions and their values, judgements of moves, and engines to play against."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from os import PathLike
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove_engines import games as packages
from onlymove_engines.coach.judge import Coaching, judge
from onlymove_engines.core.analysis import (
    UNKNOWN,
    AnyAnalyst,
    Summary,
    Tabular,
    ValueColumns,
    alternating,
    simultaneous,
)
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.encoding import Encoding, find_encoding
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove, OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition, list_images
from onlymove_engines.core.judgement import Judgement, Objective
from onlymove_engines.core.value import Estimate, Mixed, Move, Seat, Value
from onlymove_engines.games import UnknownGame
from onlymove_engines.live.limits import MOVE_SECONDS, PROOF_SECONDS
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import FULL_STRENGTH, BadPlayer, MoveChooser, find_style, read_player, style_ids
from onlymove_engines.play.session import Session
from onlymove_engines.play.typed import read_exactly, read_position
from onlymove_engines.search.dataset import (
    BATCH,
    WHERE,
    NoTable,
    make_masks,
    make_planes,
    plies_to_end,
    require_table,
    walk_table,
)
from onlymove_engines.search.perft import perft
from onlymove_engines.search.summaries import require_reachable, summarise_many
from onlymove_tables.analysts import open_for
from onlymove_tables.kernels import prepare
from onlymove_tables.open import Opened

from onlymove.arguments import check_seat, check_seconds, check_text, check_whole
from onlymove.dataset import NO_PLIES, NO_SCORE, Form, write_dataset
from onlymove.position import Position, read_state

Errors: TypeAlias = Literal["raise", "mark"]


for error in (BadNotation, BadPlayer, BadPosition, GameOver, IllegalMove, OnlymoveError, UnknownGame):
    error.__module__ = "onlymove"  # Tracebacks then show the name that a program can import.


class Engine:
    """An engine that chooses moves as the app's engines do. It has a style, a strength and a random seed."""

    def __init__(self, definition: AnyGame, opponent: MoveChooser, seed: int | None = None) -> None:
        self._definition = definition
        self._opponent = opponent
        self._random = Random(seed)

    def __repr__(self) -> str:
        return f"<Engine {self._opponent.style.id}@{self._opponent.strength} of {self._definition.id}>"

    @property
    def analyst(self) -> AnyAnalyst:
        return self._opponent.analyst

    def choose(self, position: Position, seat: int | None = None, seconds: float = MOVE_SECONDS) -> str:
        """Return the move to play. If both sides move at once, it is the move of `seat` (0 or 1). Raises GameOver, and
        ValueError if the seat is missing or the position belongs to another game."""
        rules, state = self._definition.rules, read_state(position, self._definition)
        if position.is_over:
            raise GameOver("the game is over")
        budget = Budget.seconds(check_seconds("seconds", seconds), monotonic)
        mover = rules.to_move(state)
        side = seat if mover is None else mover
        if side is None:
            raise ValueError("both sides move at once: give the seat, 0 or 1")
        moves = position.moves_of(side) if mover is None else rules.legal_moves(state)
        chosen = self._opponent.choose(state, side, moves, self._random, budget)
        return str(chosen) if mover is None else self._definition.notation.format_move(state, chosen)


@dataclass(frozen=True)
class Analysis:
    """What is known about a position. `value` is for the side to move. Each value in `moves` is for the side that plays
    the move, with plies counted from the position before it. A value that is not known is `None`. An `Estimate` is not
    proven."""

    value: Value | Estimate | None
    moves: Mapping[str, Value | None]
    best: tuple[str, ...]
    """The best moves. Equally good moves are all listed. The result counts first, then points, then speed."""
    keeping: tuple[str, ...]
    """The moves that keep the result and, in games with points, every point."""
    note: str = ""
    """How the values were found, if not from the table."""


@dataclass(frozen=True)
class Analyses:
    """What is known about many positions. Each field has one entry for each position, in their order. If both sides
    move at once, `moves` and `keeping` count the moves of the first player."""

    value: npt.NDArray[np.int8] | npt.NDArray[np.float64]
    """The value for the side to move: 1 for a win, 0 for a draw, -1 for a loss, 127 if not known. If both sides move at
    once, the expected value for the first player, NaN if not known."""
    exact: npt.NDArray[np.bool_]
    """Whether the value is proven."""
    remoteness: npt.NDArray[np.int64]
    """Plies to the end if both sides play well. It is -1 if not known or if the game does not end."""
    score: npt.NDArray[np.int64]
    """In a game with points the margin still to come, otherwise the game's own score, as `onlymove analyse` prints it.
    It means something only where `has_score` is true."""
    has_score: npt.NDArray[np.bool_]
    """Whether there is a score and it is known."""
    moves: npt.NDArray[np.int16]
    """The number of legal moves."""
    keeping: npt.NDArray[np.int16]
    """The number of moves that keep the result."""
    best: list[tuple[str, ...]]
    """The best moves as text, in alphabetical order."""

    def __len__(self) -> int:
        return len(self.best)

    @classmethod
    def unknown(cls, count: int, simultaneous: bool) -> Analyses:
        """Return arrays that say that nothing is known about this many positions."""
        value: Any = np.full(count, np.nan) if simultaneous else np.full(count, UNKNOWN, np.int8)
        plies, score = np.full(count, NO_PLIES, np.int64), np.full(count, NO_SCORE, np.int64)
        moves, keeping = np.zeros(count, np.int16), np.zeros(count, np.int16)
        exact, has_score = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        return cls(value, exact, plies, score, has_score, moves, keeping, [()] * count)

    def fill_row(self, game: AnyGame, at: int, position: AnyPosition, row: Summary) -> None:
        value = row.value
        self.moves[at], self.keeping[at] = (int(count.partition("x")[0]) for count in (row.moves, row.keeping))
        if row.best != "-":
            self.best[at] = tuple(row.best.partition("/")[0].split(" "))
        if isinstance(value, Mixed):
            self.value[at], self.exact[at] = value.expected, value.exact
            return
        self.value[at], self.exact[at] = int(value.outcome), True
        if (plies := plies_to_end(row)) is not None:
            self.remoteness[at] = plies
        if (score := game.find_score(position, value)) is not None:
            self.score[at], self.has_score[at] = score, True


@dataclass(frozen=True)
class Table:
    """All positions of a game's table, as arrays with an entry for each. Mirror images are one position.

    A row of Ayòayò stands for a closed board, with captures as in `Game.positions`. `value` and `margin` are those of
    this position."""

    number: npt.NDArray[np.int64]
    """The numbers of the positions, in ascending order, as `Game.number` gives them."""
    value: npt.NDArray[np.int8]
    """The value for the side to move: 1 for a win, 0 for a draw, -1 for a loss."""
    remoteness: npt.NDArray[np.int32] | None
    """Plies to the end if both sides play well. It is 0 if the game is over, and -1 in a draw that is not the end.
    `None` in a game with points, where plies are not counted."""
    margin: npt.NDArray[np.int64] | None
    """In a game with points the margin still to come for the side to move, otherwise `None`."""

    def __len__(self) -> int:
        return len(self.number)


class Game:
    """A game, opened by `load`. Its methods raise ValueError for a position of another game. Any thread may use it."""

    def __init__(self, definition: AnyGame) -> None:
        self.definition = definition

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def __reduce__(self) -> tuple[object, ...]:
        return load, (self.id,)

    @property
    def id(self) -> str:
        """The game's name on the command line, such as `tobito`."""
        return self.definition.id

    @property
    def title(self) -> str:
        return self.definition.facts.title

    @property
    def seats(self) -> tuple[str, str]:
        """The names of the two sides."""
        return self.definition.seats

    @property
    def is_simultaneous(self) -> bool:
        """Whether both sides move at the same time."""
        return self.definition.facts.simultaneous

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """The options that `start` accepts, with the choices for each."""
        return {option.id: option.choices for option in self.definition.play.options}

    def start(self, seed: int = 0, **options: str) -> Position:
        """Return the starting position. Raises ValueError for an unknown option or choice, and BadPosition if an option
        is a position that cannot occur."""
        known = {option.id: option for option in self.definition.play.options}
        for name, chosen in options.items():
            if name not in known:
                raise ValueError(f"{self.id} has no option {name}")
            if known[name].free:
                check_text(name, chosen)
            elif chosen not in known[name].choices:
                raise ValueError(f"{name} must be one of {', '.join(known[name].choices)}, not {chosen}")
        return Position(self.definition, self.definition.start(options, check_whole("the seed", seed)))

    def parse(self, text: str) -> Position:
        """Read a position from text. Raises BadNotation or BadPosition with the reason."""
        return Position(self.definition, read_position(self.definition, check_text("a position", text)))

    def play(self, position: Position, move: str) -> Position:
        """Return the position after a move. Raises BadNotation, IllegalMove or GameOver with the reason."""
        played = self._read(position, move)
        past = (*position.past, (position.state, played))
        return Position(self.definition, self.definition.rules.play(position.state, played), past)

    def analyse(
        self, position: Position, seconds: float = PROOF_SECONDS, nodes: int | None = None, depth: int | None = None
    ) -> Analysis:
        """Return the values of all moves, from the table or from a search within these limits. Raises TypeError if both
        sides move at once. Use `mixed` for such games."""
        found = alternating(self.analyst).analyse(
            read_state(position, self.definition), self._budget(seconds, nodes, depth)
        )
        to_text = self.definition.notation.format_move
        named = {move: to_text(position.state, move) for move in found.moves}
        return Analysis(
            found.value,
            {named[move]: value for move, value in found.moves.items()},
            tuple(named[move] for move in found.list_best_moves()),
            tuple(named[move] for move in found.list_good_moves()),
            found.note,
        )

    def analyse_many(
        self,
        positions: Iterable[Position | str],
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        *,
        errors: Errors = "raise",
    ) -> Analyses:
        """Return the values of many positions, given as positions or as text. The result is a set of arrays. Looking
        positions up together is ten times as fast as one by one. Limits apply to each position that is not in a table.

        Raises BadNotation for text that cannot be read, and LookupError for a position that is not proven. The error
        says which one. With `errors="mark"` nothing is raised, and the arrays mark such positions as unknown (127).
        """
        if errors not in ("raise", "mark"):
            raise ValueError(f"'errors' must be 'raise' or 'mark', not {errors!r}")
        if isinstance(positions, (str, Position)):
            raise TypeError("expected several positions, such as a list, not one position")
        states = [self._read_reachable(at, position, errors) for at, position in enumerate(positions)]
        found = Analyses.unknown(len(states), self.is_simultaneous)
        usable = ((at, state) for at, state in enumerate(states) if state is not None)
        limit = None
        if (seconds, nodes, depth) != (None, None, None):
            limit = partial(self._budget, PROOF_SECONDS if seconds is None else seconds, nodes, depth)
        while batch := list(islice(usable, BATCH)):
            rows = summarise_many(self.definition, self.analyst, [state for _, state in batch], limit)
            for (at, state), row in zip(batch, rows, strict=True):
                if isinstance(row, Summary):
                    found.fill_row(self.definition, at, state, row)
                elif errors == "raise":
                    raise LookupError(f"position {at}: {row.why}")
        return found

    def _read_reachable(self, at: int, position: Position | str, errors: Errors) -> AnyPosition | None:
        """Return a position in the game's own form, or `None` for one to mark as unknown. Raises BadNotation or
        ValueError, which name the position."""
        try:
            parse = self.definition.notation.parse_position
            state = parse(position) if isinstance(position, str) else read_state(position, self.definition)
            require_reachable(self.analyst, state)
        except (BadNotation, ValueError) as refusal:
            if errors == "raise":
                raise type(refusal)(f"position {at}: {refusal}") from None
            return None
        return state

    def positions(self, symmetries: bool = False) -> Iterator[Position]:
        """Yield every position of the table, in the table's order. With `symmetries`, each one is followed by its
        mirror images. In Ayòayò the table holds the positions where no pit has more than three seeds and both sides
        have captured the same number, or differ by four. Raises TypeError for a game without a table."""
        for states in walk_table(self.definition, self.analyst):
            for state in states:
                images = list_images(state, self.definition.solved.symmetries) if symmetries else (state,)
                yield from (Position(self.definition, image) for image in images)

    def sample(
        self, count: int, where: str | Callable[[Position], bool] | None = None, seed: int | None = None
    ) -> list[Position]:
        """Return `count` different positions of the table, chosen at random. The same seed gives the same positions.
        `where` limits the choice to "win", "draw" or "loss" for the side to move, to "only" (exactly one of several
        moves keeps the result), or to the positions that a function accepts. Raises ValueError if there are not enough
        positions, and TypeError for a game without a table."""
        if where is not None and not isinstance(where, str) and not callable(where):
            raise TypeError(f"'where' must be text or a function, not {where!r}")
        check_whole("the count", count, 0)
        if seed is not None:
            check_whole("the seed", seed, 0)
        if isinstance(where, str):
            check_where(where)
        found: list[Position] = []
        for states in walk_table(self.definition, self.analyst, True, seed):
            positions = [Position(self.definition, state) for state in states]
            if isinstance(where, str):
                pairs = zip(positions, summarise_many(self.definition, self.analyst, states), strict=True)
                positions = [position for position, row in pairs if isinstance(row, Summary) and WHERE[where](row)]
            elif where is not None:
                positions = [position for position in positions if where(position)]
            found += positions[: count - len(found)]
            if len(found) == count:
                return found
        raise ValueError(f"there are only {len(found):,} such positions")

    def write_dataset(
        self,
        path: str | PathLike[str],
        form: Form = "csv",
        *,
        where: str | None = None,
        sample: int | None = None,
        seed: int | None = None,
    ) -> int:
        """Write the positions of the table to a file, as `onlymove dataset` does, and return how many there are. The
        form is "csv", or "npz" for numpy arrays. With `sample`, write at most that many positions, chosen at random.
        The same seed chooses the same ones. `where` limits the choice as in the method `sample`. Raises TypeError for a
        game without a table, NoEncoding (an OnlymoveError) for the arrays of a game that does not number its moves, and
        OSError."""
        if form not in ("csv", "npz"):
            raise ValueError(f"'form' must be 'csv' or 'npz', not {form!r}")
        if where is not None:
            check_where(check_text("where", where))
        if sample is not None:
            check_whole("the sample", sample, 1)
        if seed is not None:
            check_whole("the seed", seed, 0)
            if sample is None:
                raise ValueError("a seed needs a sample")
        return write_dataset(self.definition, self.analyst, Path(path), form, where, sample, seed)

    def number(self, position: Position) -> int:
        """Return the number of a position. Its mirror images have the same number. In a game that is solved from its
        rules, it is the position's place in the table. Raises ValueError for a position without a number, and TypeError
        for a game that does not number its positions."""
        state, index = read_state(position, self.definition), self.definition.solved.index
        if index is not None:
            return index.number(state)
        number = int(self._tabular().number_many([state])[0])
        if number < 0:
            raise ValueError("the position is not in the table")
        return number

    def position(self, number: SupportsIndex) -> Position:
        """Return the position with this number. Mirror images share a number, so one of them stands for all. Raises
        ValueError for an unused number, and TypeError for a game that does not number its positions."""
        wanted, index = check_whole("the number of a position", number), self.definition.solved.index
        if index is not None:
            return Position(self.definition, index.position(wanted))
        table = require_table(self.definition, self.analyst)
        if not 0 <= wanted < table.entries:
            raise ValueError(f"there is no position {wanted}")
        return Position(self.definition, table.positions_at([wanted])[0])

    def number_many(self, positions: Iterable[Position]) -> npt.NDArray[np.int64]:
        """Return the numbers of many positions, as `number` does for one, and -1 for a position without a number.
        Raises TypeError for a game that does not number its positions."""
        return self._tabular().number_many(self._read_all(positions, None)[0])

    def values(self, numbers: npt.ArrayLike) -> ValueColumns:
        """Return the values of the positions with these numbers, as arrays: `value`, `remoteness` and `margin`, as
        those of `table`. The value is 127 for a number that is not in the table. Raises TypeError for a game without a
        table, and ValueError for what is not a list of whole numbers."""
        wanted = np.asarray(numbers)
        if wanted.ndim != 1 or (wanted.size and not np.issubdtype(wanted.dtype, np.integer)):
            raise ValueError("expected a list of whole numbers")
        return self._tabular().read_values(wanted.astype(np.int64))

    def table(self) -> Table:
        """Return all positions of the table and their values as arrays. Raises TypeError for a game without a table."""
        tabular = self._tabular()
        numbers = tabular.list_numbers()
        return Table(numbers, *tabular.read_values(numbers))

    def _tabular(self) -> Tabular[Any]:
        """Return the analyst, which has a table to be read as arrays. Raises NoTable (a TypeError) if it has none."""
        if self._opened.sections is None or not isinstance(self.analyst, Tabular):
            raise NoTable(f"{self.title} has no table, and so its positions have no numbers")
        return self.analyst

    def perft(self, depth: int, position: Position | None = None) -> int:
        """Count the sequences of `depth` legal moves from the start or from `position`."""
        state = self.definition.default_start() if position is None else read_state(position, self.definition)
        return perft(self.definition, state, check_whole("the depth", depth, 0))

    @property
    def encoding(self) -> Encoding[Any, Any]:
        """How moves become numbers and positions become planes. Raises NoEncoding (an OnlymoveError) if the game's
        package does not define this."""
        return find_encoding(self.definition)

    def action(self, position: Position, move: str, seat: int = 0) -> int:
        """Return the number of a legal move. If both sides move at once, it is the number of `seat`'s choice. Raises
        what `play` raises."""
        seat, choice = self._read_choice(position, move, seat)
        return self.encoding.numbers[seat][choice]

    def move(self, position: Position, action: SupportsIndex, seat: int = 0) -> str:
        """Return the move with this number for the side to move, or for `seat` if both sides move at once. The move
        need not be legal. Raises IndexError for a number that is not an action."""
        mover = self.definition.rules.to_move(read_state(position, self.definition))
        number = check_action(check_whole("an action", action), self.encoding)
        side = check_seat(seat) if mover is None else mover
        return self.definition.notation.format_move(position.state, self.encoding.moves[side][number])

    def planes(self, positions: Iterable[Position], seat: int | None = None) -> npt.NDArray[np.uint8]:
        """Return positions as planes, seen by the side to move or by `seat`. The axes are position, channel, row and
        column."""
        return make_planes(self.definition, *self._read_all(positions, seat))

    def legal_actions(self, positions: Iterable[Position], seat: int | None = None) -> npt.NDArray[np.bool_]:
        """Return which action numbers are legal for the side to move. If both sides move at once, `seat` says for whom.
        The default is the first player. The axes are position and action number."""
        return make_masks(self.definition, *self._read_all(positions, seat))

    def mixed(
        self, position: Position, seconds: float = PROOF_SECONDS, nodes: int | None = None, depth: int | None = None
    ) -> Mixed:
        """Return the equilibrium of a position in which both sides move at once. Its field `exact` says whether it is
        proven. Raises TypeError for other games."""
        return simultaneous(self.analyst).mixed(
            read_state(position, self.definition), self._budget(seconds, nodes, depth)
        )

    def judge(self, position: Position, move: str, seat: int | None = None, *, by_points: bool = False) -> Judgement:
        """Judge a move. The judgement gives its grade, the values before and after it, and whether training flags it.
        If both sides move at once, `move` is the choice of `seat`. Raises what `play` raises."""
        live = self._match(position, by_points)
        seat, played = self._read_choice(position, move, seat)
        values = live.get_values(live.node, self._budget(live.question_seconds))
        return judge(values, played, live.coaching, seat)

    def why(self, position: Position, move: str) -> tuple[str, ...]:
        """Return up to three short sentences about a move, each proven by the values. They say why a flagged move is
        bad, or what problem a move that keeps a draw sets your opponent. The result may be empty, and always is if both
        sides move at once. Raises what `play` raises."""
        live = self._match(position)
        seat = live.session.to_move
        if seat is None:
            return ()
        choice, patience = (live.node, seat, self._read(position, move)), live.question_seconds
        live.get_values(live.node, self._budget(patience))
        find = live.prepare_sentences(choice)
        return () if find is None else find(self._budget(patience)).full

    def engine(self, style: str = "", strength: int = FULL_STRENGTH, seed: int | None = None) -> Engine:
        """Return an engine with a style and a strength from 0 to 100. Without a style it plays the game's first one.
        `style` may also name a whole player as on the command line (`prudent@80`, `random`, a level). Raises BadPlayer,
        which lists what there is."""
        if check_text("the style", style) and style not in style_ids(self.definition):
            player = read_player(self.definition, style)
            style, strength = player.style, player.strength
        if not 0 <= check_whole("the strength", strength) <= FULL_STRENGTH:
            raise BadPlayer(f"the strength must be a number from 0 to {FULL_STRENGTH}, not {strength}")
        if seed is not None:
            check_whole("the seed", seed)
        return Engine(self.definition, MoveChooser(self.analyst, find_style(self.definition, style), strength), seed)

    @cached_property
    def analyst(self) -> AnyAnalyst:
        """The game's analyst. It uses the table if there is one, and is opened when it is first used. A warning says so
        if another table or a search replaces a table that is missing, damaged or outdated."""
        return self._opened.analyst

    @cached_property
    def _opened(self) -> Opened:
        """The analyst, and what is wrong with the table if a search replaces it."""
        opened = open_for(self.definition, tell=warnings.warn)
        if opened.note:
            warnings.warn(f"{opened.note}. Searching instead", stacklevel=2)
        return opened

    def _read(self, position: Position, move: str) -> Move:
        state = read_state(position, self.definition)
        read: Move = read_exactly(self.definition, state, check_text("a move", move))
        return read

    def _read_all(self, positions: Iterable[Position], seat: int | None) -> tuple[list[Any], int | None]:
        """Return the positions in the game's own form, and the seat. Raises TypeError or ValueError for bad ones."""
        if isinstance(positions, Position):
            raise TypeError("expected several positions, such as a list, not one position")
        states = [read_state(position, self.definition) for position in positions]
        return states, None if seat is None else check_seat(seat)

    def _read_choice(self, position: Position, move: str, seat: int | None) -> tuple[Seat, Move]:
        """Return the side that moves and its move. If both sides move at once, these are `seat` and its choice."""
        mover = self.definition.rules.to_move(read_state(position, self.definition))
        if mover is not None:
            return mover, self._read(position, move)
        if seat is None:
            raise IllegalMove("both sides move at once: give the seat, 0 or 1")
        if check_text("a move", move) not in position.moves_of(seat):
            raise IllegalMove(f"seat {seat} cannot choose {move} here")
        return seat, move

    def _match(self, position: Position, by_points: bool = False) -> LiveGame:
        """Return a game that begins at this position. Raises ValueError for a position of another game."""
        objective = Objective.MARGIN if by_points else Objective.RESULT
        live = LiveGame(
            Session(self.definition, read_state(position, self.definition)),
            Coaching(objective=objective),
            training=False,
        )
        live.set_analyst(self._opened.analyst, self._opened.note)
        return live

    @staticmethod
    def _budget(seconds: float, nodes: int | None = None, depth: int | None = None) -> Budget:
        if nodes is not None:
            check_whole("nodes", nodes, 1)
        if depth is not None:
            check_whole("depth", depth, 1)
        return Budget(monotonic, monotonic() + check_seconds("seconds", seconds), nodes, depth)


def check_where(where: str) -> None:
    if where not in WHERE:
        raise ValueError(f"'where' must be one of {', '.join(WHERE)}, not {where!r}")


def check_action(number: int, encoding: Encoding[Any, Any]) -> int:
    """Return the number of an action unchanged. Raises IndexError for a number that is not an action."""
    if not 0 <= number < encoding.actions:
        raise IndexError(f"{number} is not an action; use a number from 0 to {encoding.actions - 1}")
    return number


def load(game_id: str) -> Game:
    """Return the game with this id. Raises UnknownGame, which lists the known ids."""
    prepare()
    return Game(packages.load(check_text("the id of a game", game_id)))
