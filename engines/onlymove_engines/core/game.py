"""The card of a game: its facts, and where each answer is found.

Everything outside a drawer asks the card; nothing outside a drawer knows a game's name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, cast

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Columns, Remarks, Solver
from onlymove_engines.core.budget import UNLIMITED, Budget, Clock
from onlymove_engines.core.measure import Measure

from .claim import Claims
from .house_rules import HouseRule, Repetition
from .rules import M, MovePath, Notation, P, Rules, Target
from .scene import Painter, Role
from .set_up import SetUp
from .survey import Survey
from .value import Move, Seat, Value

GameId: TypeAlias = str
Chosen = TypeVar("Chosen", bound=Hashable)
"""A whole move, or one side's part of a round."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice in the new-game panel that decides the start: who begins, the size of the board, a seed.

    `choices` are shown in turn; with `free` any text that `Game.start` accepts may be typed instead. `about` says what
    is chosen.
    """

    id: str
    title: str
    choices: tuple[str, ...]
    default: str
    free: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class Symmetry(Generic[P, M]):
    """A map of positions and moves that the rules do not notice. `swaps_seats`: it also trades the two sides."""

    name: str
    position: Callable[[P], P]
    move: Callable[[M], M]
    swaps_seats: bool = False


class Index(Protocol[P]):
    """A numbering of positions up to symmetry: position(number(p)) == canonical(p), 0 <= number < size."""

    size: int

    def number(self, position: P) -> int:
        """The number of the position's class."""
        ...

    def position(self, number: int) -> P:
        """The canonical position with this number. Raises ValueError for a number that is not in use."""
        ...

    def canonical(self, position: P) -> P:
        """The chosen representative of the position's orbit."""
        ...


@dataclass(frozen=True, slots=True)
class Turn(Generic[P, M]):
    """What a style is asked about: `seat` is to choose at `position`, and this is what is known of it.

    `analysis` holds the moves without values where the style asked for none, and where both sides move at once.
    """

    position: P
    seat: Seat
    analysis: Analysis[M]
    analyst: AnyAnalyst
    budget: Budget = UNLIMITED


@dataclass(frozen=True, slots=True)
class Style(Generic[P, M]):
    """A way of playing. `choose` gives the moves it likes, never none, each with its share of the lots; M is what a
    seat chooses. A style with a search of its own does not look at the analysis and says so (`needs_analysis`)."""

    id: str
    title: str
    help: str
    choose: Callable[[Turn[P, M]], Mapping[M, float]]
    needs_analysis: bool = True


WEAKEST_RATING = 1000
"""What the weakest level of every game has: only differences are measured, and 100 losses do not lead below 0."""


@dataclass(frozen=True, slots=True)
class Level:
    """An engine by name, placed by matches: `elo` above the game's weakest level, with its standard error."""

    id: str
    title: str
    style: str
    strength: int
    elo: float
    error: float

    @property
    def rating(self) -> float:
        """Its place on the scale that players are rated on."""
        return WEAKEST_RATING + self.elo


def alike(moves: Iterable[M]) -> dict[M, float]:
    """The choice among `moves` that likes each as well as the others."""
    return dict.fromkeys(moves, 1.0)


@dataclass(frozen=True, slots=True)
class Facts:
    """What algorithms check at the door.

    `max_plies`: no game is longer; `None`: the game can cycle. `simultaneous`: both sides move at once.
    `has_margin`: values carry points. `plays_by_search`: moves and hints need compiled kernels, with or without a
    table.
    """

    max_plies: int | None = None
    simultaneous: bool = False
    has_margin: bool = False
    plays_by_search: bool = False

    @property
    def can_cycle(self) -> bool:
        """Whether a position can come back, so that a game need not end by itself."""
        return self.max_plies is None


class Unit(Protocol):
    """Compiles or loads a part of a game's kernels; called again it does nothing."""

    __name__: str

    def __call__(self) -> None: ...


@dataclass(frozen=True)
class Game(Generic[P, M]):
    """A game as the house sees it. Made once, in its drawer's `__init__.py`.

    `start` takes the chosen options by id (missing ones: the default) and a random seed. `direct_keys` names keys
    that enter a target at once (digits for pits, arrows for directions). `digest_sources` are the files of the
    drawer that decide what a number and a byte of its table mean.
    """

    id: GameId
    title: str
    pitch: str
    solved: str
    seats: tuple[str, str]
    facts: Facts
    rules: Rules[P, M]
    notation: Notation[P, M]
    painter: Painter[P, M]
    start: Callable[[Mapping[str, str], int], P]
    folder: str
    """The drawer's package, such as `onlymove_engines.games.<name>`; for its help page and digest."""
    options: tuple[Option, ...] = ()
    symmetries: tuple[Symmetry[P, M], ...] = ()
    index: Index[P] | None = None
    solver: Solver | None = None
    """Builds and checks the table that is shipped for this id; `None`: it has none."""
    survey: Survey | None = None
    """Shows every position of that table with its moves, for whoever counts them."""
    digest_sources: tuple[str, ...] = ()
    open_analyst: Callable[[Columns | None], AnyAnalyst] | None = None
    """Who knows the values, on the sections of a table or on none; `None`: search by the plain rules."""
    units: tuple[Unit, ...] = ()
    """Each compiles or loads a part of the kernels that the game is played with; together they are waited for."""
    seldom: tuple[Unit, ...] = ()
    """The same for what only some styles and limits need: nobody waits for it who does not play with them."""
    plain_choice: Callable[[P, Seat], Any] | None = None
    """A fair choice for a side by the plain rules, at once: engines play it while their search is being compiled."""
    plan_time: Callable[[P, float, float, float], float] | None = None
    """Seconds to give to a move at most, from a position, what is left of a bank, what comes back into it after the
    move, and what it holds when full; `None`: an even share."""
    styles: tuple[Style[P, Any], ...] = ()
    levels: tuple[Level, ...] = ()
    """The weakest first, as `card.toml` lists them; none as long as nobody has measured them."""
    set_up: SetUp[P] | None = None
    """How a position is put together on the board; `None`: it can only be typed."""
    house_rules: tuple[HouseRule, ...] = ()
    repetition: Repetition[P] | None = None
    score: Callable[[P, Value], int | None] | None = None
    """The score column of `analyse`, from a position and a value for its side to move."""
    points: Callable[[P], tuple[int, int]] | None = None
    """What each side has captured so far, in a game with points."""
    points_left: Callable[[P], int] | None = None
    """How many points can still be made at most, by both sides together, in a game with points."""
    remarks: Callable[[P, Analysis[M], AnyAnalyst], Remarks[M]] | None = None
    """What the game's coach says: (position, analysis, analyst)."""
    measure: Measure[P] | None = None
    """What players are shown beside the moves that hold a draw."""
    claims: Claims[P, M] = field(default_factory=Claims)
    """What it takes to say why a move is bad."""
    outlook: Callable[[P, Seat, Sequence[Move]], Sequence[str]] | None = None
    """What a side sees ahead of it where both move at once and these of its moves are sound, for the second stage of a
    hint; names no move."""
    forbidden_by: Callable[[P, Seat, MovePath], str] | None = None
    """The rule that forbids `seat` to go on with the last of these targets, in the words of the help page; also of a
    whole path that is no move."""
    direct_keys: Mapping[str, Target] = field(default_factory=dict)
    overlay_title: str = ""
    """What `o` shows, such as `next shift`; empty: the game has no overlay."""
    overlay_words: Callable[[P], Sequence[str]] | None = None
    """The same in numbers, some short lines to read beside the board."""
    say_move: Callable[[P, M], str] | None = None
    """A move as the edges of the board name its cells, where its text does not; both can be typed."""
    in_words: Callable[[P], Sequence[str]] | None = None
    """A position for the ear, some short sentences; `None`: it is read as it is spelled."""
    seat_roles: tuple[Role, Role] = (Role.FIRST, Role.SECOND)
    """What the two sides' pieces are drawn in; another pair where the game names their colours."""
    own_side_below: bool = False
    """The board is turned so that the only person sits below; unturned, that is the first player."""
    protocols: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """Dialects only this game speaks, by name: a factory of a text-in, text-out state machine."""
    hosts: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """The other ends of such dialects: how the game asks another program for its moves."""
    prove: Callable[[Clock], Iterable[str]] | None = None
    """What of the argument for the start's value is the game's own, for `prove`: derives it and yields its lines; the
    clock says how long it took. Raises Refuted where it does not hold."""

    def warm(self) -> None:
        """Compile or load every kernel that the game can be played with, so that no move waits for it."""
        for load in (*self.units, *self.seldom):
            load()

    def paths(self, position: P, moves: Iterable[Chosen]) -> dict[MovePath, Chosen]:
        """Every way of entering each of `moves`, as one table; where both sides move at once, of one side's moves."""
        paths = cast("Callable[[P, Chosen], Sequence[MovePath]]", self.notation.paths)
        return {path: move for move in moves for path in paths(position, move)}

    def said(self, position: P, move: M) -> str:
        """`move` as a player reads it; files and programs take its text from the notation."""
        return (self.say_move or self.notation.format_move)(position, move)

    def described(self, position: P) -> Sequence[str]:
        """The position in words."""
        return [self.notation.format_position(position)] if self.in_words is None else self.in_words(position)

    def default_start(self) -> P:
        """The start position with every option at its default and seed 0."""
        return self.start({}, 0)


AnyGame: TypeAlias = Game[Any, Any]
AnyPosition: TypeAlias = Hashable
