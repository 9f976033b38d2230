"""The definition of a game: its facts, and which function of its package answers each question.

Code outside a game package asks the definition and never knows the name of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import resources
from typing import Any, Final, Generic, Protocol, Self, TypeAlias, TypeVar, cast

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Columns, HintNotes, Solver
from onlymove_engines.core.budget import UNLIMITED, Budget, Clock
from onlymove_engines.core.encoding import Encoding
from onlymove_engines.core.errors import BadNotation, OnlymoveError
from onlymove_engines.core.facts import FILE_NAME, Facts, GameId
from onlymove_engines.core.rules import M, MovePath, Notation, P, Result, Rules, Target
from onlymove_engines.core.scene import Painter, Role
from onlymove_engines.core.solution import BatchLister, Solution, parse_solution, solution_file
from onlymove_engines.core.value import Mixed, Move, Seat, Value, other


@dataclass(frozen=True, slots=True)
class Measure(Generic[P]):
    """A game's own measure of a position.

    `title` names it. `words` say what the side with the higher figure has more of, such as `winning chances`. `of`
    returns the figures of the first and the second player in a position, 0 or more; `None` if none is stored.
    """

    title: str
    words: str
    of: Callable[[AnyAnalyst, P], tuple[float, float] | None]


@dataclass(frozen=True, slots=True)
class SetUp(Generic[P]):
    """How a player sets up a position. `pieces` are the pieces that a cell may take, by the key that puts them there.
    `put` returns the draft with a piece on the cell of a target, and updates what follows from the board, such as the
    pieces in hand. `there` returns the piece on a cell, or an empty text if it is none of `pieces`. `empty` is the
    draft with nothing on it. `turned` returns the draft with the other side to move; it is `None` if the pieces
    determine who moves.
    """

    pieces: Mapping[str, str]
    put: Callable[[P, Target, str], P]
    there: Callable[[P, Target], str]
    empty: P
    turned: Callable[[P], P] | None = None

    def after(self, draft: P, target: Target) -> P:
        """Return the draft with the next of `pieces` on a cell."""
        signs = list(self.pieces)
        found = self.there(draft, target)
        return self.put(draft, target, signs[(signs.index(found) + 1) % len(signs) if found in signs else 0])


def find_objection(notation: Notation[P, M], draft: P) -> str:
    """Return what is wrong with a draft, in the notation's words; empty if it is a position."""
    try:
        notation.parse_position(notation.format_position(draft))
    except BadNotation as refusal:
        return str(refusal)
    return ""


def always_leads_back(_here: object, _there: object) -> bool:
    """Assume that every position may be repeated."""
    return True


@dataclass(frozen=True, slots=True)
class Repetition(Generic[P]):
    """A position that occurs for the `times`-th time in a game ends it with `result`.

    Two positions are the same if everything that counts is: the side to move, and captures if they matter.
    `leads_back(here, there)` is false only if no line that went from `there` to `here` can return to `there`. In a game
    with points it is false if points were made in between, because such a position is never repeated.
    """

    times: int
    result: Callable[[P], Result]
    leads_back: Callable[[P, P], bool] = always_leads_back


def drawn_by_repetition(_: object) -> Result:
    return Result(None, reason="the same position for the third time")


THREEFOLD: Repetition[Any] = Repetition(3, drawn_by_repetition)


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A rule that players may agree on. A side with legal moves of which this rule allows none loses.

    `legal_moves` takes the rules, the positions so far (oldest first, the current one last) and some moves, and returns
    the moves that it allows. `stuck` is the reason given for the loss.
    """

    id: str
    title: str
    legal_moves: Callable[[Any, Sequence[Any], Sequence[Any]], Sequence[Any]]
    stuck: str = ""

    def result_when_stuck(self, seat: Seat) -> Result:
        return Result(other(seat), reason=self.stuck)


def list_moves_to_new_positions(rules: Any, past: Sequence[Any], moves: Sequence[Any]) -> Sequence[Any]:
    seen = set(past)
    return tuple(move for move in moves if rules.play(past[-1], move) not in seen)


NO_REPETITIONS = HouseRule(
    "no-repetitions", "no repetitions", list_moves_to_new_positions, "every move would repeat a position"
)
"""No move may lead to a position that the game has already seen."""


@dataclass(frozen=True)
class Moment(Generic[P, M]):
    """A chosen move and what is known before and after it.

    `before` holds the values of the moves at `position`, and `after` those of the replies at `child`. Each value is
    that for the side that plays the move, and takes the history of the game into account.
    """

    game: Game[P, M]
    position: P
    move: M
    child: P
    before: Analysis[M]
    after: Analysis[M]
    analyst: AnyAnalyst
    ended: Result | None = None
    """How the game ended with the move; `None` while it goes on."""
    closed: frozenset[P] = frozenset()
    """The positions that stood before and would end the game if it came there now: what others are worth in themselves
    need not hold. That in which the move was chosen is not among them: where the move gives something away, nobody
    gains by going back to it."""
    stood: frozenset[P] = frozenset()
    """The positions that have stood in the game, those of the move among them."""
    budget: Budget = UNLIMITED

    @cached_property
    def seat(self) -> Seat:
        return self.game.rules.to_move(self.position) or 0

    @property
    def mover(self) -> str:
        return self.game.seats[self.seat]

    @property
    def opponent(self) -> str:
        return self.game.seats[other(self.seat)]

    @cached_property
    def best(self) -> Value:
        best = self.before.best_value()
        assert best is not None, "moments are looked at only where all values are known"
        return best

    @cached_property
    def value(self) -> Value:
        value = self.before.moves[self.move]
        assert value is not None, "moments are looked at only where all values are known"
        return value

    def format_own(self, move: M) -> str:
        """Describe a move of the side that moved, for players."""
        return self.game.voice.reasons.noun + self.game.describe_move(self.position, move)

    def format_reply(self, move: M) -> str:
        """Describe a reply to the move, for players."""
        return self.game.voice.reasons.noun + self.game.describe_move(self.child, move)


@dataclass(frozen=True)
class Claim:
    """A short sentence about a move that the values alone prove.

    `kind` names the claim and `facts` holds its data; a test checks every kind by a separate routine. `names_better`:
    the sentence gives a better move away, so the player does not see it before choosing. `is_count`: it says how many
    moves, not why.
    """

    kind: str
    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    names_better: bool = False
    is_count: bool = False


@dataclass(frozen=True)
class RelatedMoves(Generic[M]):
    """The other moves that share a part with the chosen one, and what to say about that part.

    Empty texts are not said. `right`: the part was right. It is said if every move that keeps the value has the part
    and others do not or, with `any_tells`, if one that keeps the value has it. `wrong`: none of these moves is better;
    `{does}` stands for what they do ("loses", "only draws", "draws at best"). `only`: one of these moves keeps the
    value, and so do others without the part; `{move}` and `{held}` stand for the move and what it did.
    """

    moves: tuple[M, ...]
    right: str = ""
    wrong: str = ""
    only: str = ""
    any_tells: bool = False


@dataclass(frozen=True)
class GameReasons(Generic[P, M]):
    """What a game contributes to the sentences about its moves.

    `passed` returns the same board with the other side to move, or `None` if there is none; the table need not hold it.
    `related_moves` returns the moves that share a part with a move, given the position, the move and the moves that
    keep the value. `more` returns the game's own claims, in the order in which they are said. `aim` names what a move
    that wins at once achieves, as in "nothing stops three in row 2". `mixed` returns sentences about a choice
    (position, seat, move, values) in games where both sides move at once.
    """

    passed: Callable[[P], P | None] = lambda _position: None
    related_moves: Callable[[P, M, Collection[M]], Iterable[RelatedMoves[M]]] = lambda _position, _move, _keeping: ()
    more: Callable[[Moment[P, M]], Iterable[Claim]] = lambda _moment: ()
    aim: Callable[[P, M], str] = lambda _position, _move: ""
    mixed: Callable[[P, Seat, Move, Mixed], Iterable[str]] = lambda _position, _seat, _move, _mixed: ()
    noun: str = ""
    """What stands before the text of a move in a sentence, where it is not clear by itself."""
    line: str = ""
    """What wins at once, as in "You could have won at once with three in a row."; empty if a game has no such words."""


Chosen = TypeVar("Chosen", bound=Hashable)
"""A whole move, or one side's part of a round."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice in the form for a new game that decides the start: who begins, the size of the board, a seed.

    `choices` are shown in turn; with `free`, any text that `Game.start` accepts may be typed instead. `about` says what
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
    """A map of positions and moves under which the rules stay the same. With `swaps_seats` it also swaps the two
    sides."""

    name: str
    position: Callable[[P], P]
    move: Callable[[M], M]
    swaps_seats: bool = False


class Index(Protocol[P]):
    """A numbering of positions up to symmetry: position(number(p)) == canonical(p), 0 <= number < size."""

    size: int

    def number(self, position: P) -> int: ...

    def position(self, number: int) -> P:
        """Return the canonical position with this number. Raises ValueError for a number that is not in use."""
        ...

    def canonical(self, position: P) -> P: ...


@dataclass(frozen=True, slots=True)
class Turn(Generic[P, M]):
    """The choice that a style has to make:

    `seat` chooses at `position`. `analysis` is what is known about the position. It holds moves without values if the
    style needs none, or if both sides move at once.
    """

    position: P
    seat: Seat
    analysis: Analysis[M]
    analyst: AnyAnalyst
    budget: Budget = UNLIMITED


@dataclass(frozen=True, slots=True)
class Style(Generic[P, M]):
    """A way of playing.

    `choose` returns the moves that it likes, at least one, each with its probability. M is the type of what a seat
    chooses. A style with a search of its own ignores the analysis and has `needs_analysis` false.
    """

    id: str
    title: str
    help: str
    choose: Callable[[Turn[P, M]], Mapping[M, float]]
    needs_analysis: bool = True


def alike(moves: Iterable[M]) -> dict[M, float]:
    """Give every one of `moves` the same probability."""
    return dict.fromkeys(moves, 1.0)


class KernelLoader(Protocol):
    """Compiles or loads a part of a game's kernels. A second call does nothing."""

    __name__: str

    def __call__(self) -> None: ...


@dataclass(frozen=True)
class Play(Generic[P]):
    """How a game is started, entered and played, by people and by engines."""

    options: tuple[Option, ...] = ()
    house_rules: tuple[HouseRule, ...] = ()
    repetition: Repetition[P] | None = None
    points: Callable[[P], tuple[int, int]] | None = None
    """What each side has captured so far, in a game with points."""
    points_left: Callable[[P], int] | None = None
    """How many points can still be made at most, by both sides together, in a game with points."""
    set_up: SetUp[P] | None = None
    """How a position is put together on the board; `None`: it can only be typed."""
    direct_keys: Mapping[str, Target] = field(default_factory=dict)
    """Keys that enter a target at once: digits for pits, arrows for directions."""
    goals: tuple[tuple[Target, ...], tuple[Target, ...]] = ((), ())
    """Where each side's pieces are headed, if anywhere: after a choice the cursor goes that way first."""
    hand: tuple[Target, ...] = ()
    """The targets that are pieces beside the board."""
    seat_roles: tuple[Role, Role] = (Role.FIRST, Role.SECOND)
    """The roles in which the two sides' pieces are drawn; another pair where the game names their colours."""
    own_side_below: bool = False
    """The board is turned so that the only person sits below; unturned, that is the first player."""
    overlay_title: str = ""
    """What `o` shows, such as `next shift`; empty: the game has no overlay."""
    styles: tuple[Style[P, Any], ...] = ()
    plain_choice: Callable[[P, Seat], Any] | None = None
    """A fair choice for a side by the plain rules, at once: engines play it while their search is being compiled."""
    plan_time: Callable[[P, float, float, float], float] | None = None
    """Seconds to give to a move at most, from a position, what is left of a bank, what comes back into it after the
    move, and what it holds when full; `None`: an even share."""
    protocols: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """Dialects only this game speaks, by name: a factory of a text-in, text-out state machine."""
    hosts: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """The other ends of such dialects: how the game asks another program for its moves."""


@dataclass(frozen=True)
class Solved(Generic[P, M]):
    """How positions are numbered and valued, and how the game was solved."""

    symmetries: tuple[Symmetry[P, M], ...] = ()
    index: Index[P] | None = None
    encoding: Callable[[], Encoding[P, Any]] | None = None
    """Gives moves their numbers and positions their planes, for programs that learn; `None`: there are none."""
    solver: Solver | None = None
    """Builds and checks the table that is shipped for this game; `None`: it has none."""
    statistics: BatchLister | None = None
    """Shows every position of that table with its moves, to be counted."""
    digest_sources: tuple[str, ...] = ()
    """The files of the game package that decide what a number and a byte of its table mean."""
    open_analyst: Callable[[Columns | None], AnyAnalyst] | None = None
    """Opens the analyst, on the sections of a table or on none; `None`: search by the plain rules."""
    kernels: tuple[KernelLoader, ...] = ()
    """Each compiles or loads a part of the kernels that the game is played with; the app waits for all of them."""
    rare_kernels: tuple[KernelLoader, ...] = ()
    """The same for what only some styles and limits need: only those who play with them wait."""
    score: Callable[[P, Value], int | None] | None = None
    """The score column of `analyse`, from a position and a value for its side to move."""
    prove: Callable[[Clock], Iterable[str]] | None = None
    """What of the argument for the start's value is the game's own, for `prove`: derives it and yields its lines; the
    clock says how long it took. Raises Refuted where it does not hold."""


@dataclass(frozen=True)
class Voice(Generic[P, M]):
    """How a game speaks about its positions and moves."""

    describe_position: Callable[[P], Sequence[str]] | None = None
    """A position for people who listen, some short sentences; `None`: its text is read."""
    describe_move: Callable[[P, M], str] | None = None
    """A move as the edges of the board name its cells, where its text does not; both can be typed."""
    describe_overlay: Callable[[P], Sequence[str]] | None = None
    """What the overlay shows, in numbers: some short lines to read beside the board."""
    forbidden_by: Callable[[P, Seat, MovePath], str] | None = None
    """The rule that forbids `seat` to go on with the last of these targets, in the words of the help page; also of a
    whole path that is no move."""
    describe_pick: Callable[[P, MovePath], str] | None = None
    """What to choose after these targets, where `picks` in the facts does not say it; else empty."""
    hints: Callable[[P, Analysis[M], AnyAnalyst], HintNotes[M]] | None = None
    """What the game's coach adds to a hint."""
    reasons: GameReasons[P, M] = field(default_factory=GameReasons)
    """What it takes to say why a move is bad."""
    measure: Measure[P] | None = None
    """What players are shown beside the moves that hold a draw."""
    outlook: Callable[[P, Seat, Sequence[Move]], Sequence[str]] | None = None
    """What a side sees ahead of it where both move at once and these of its moves are sound, for the second stage of a
    hint; names no move."""
    lesson_tests: Mapping[str, Callable[[P, Seat, Any], bool]] = field(default_factory=dict)
    """What a move of `seat` may do that lessons ask for, such as "captures", by name."""


GROUPS: Final = {"play": Play, "solved": Solved, "voice": Voice}
FORMER_FIELDS: Final = {
    **dict.fromkeys(("id", "title", "pitch", "goal", "picks", "levels", "folder"), "facts"),
    **{each.name: f"{group}.{each.name}" for group, members in GROUPS.items() for each in fields(members)},
    "units": "solved.kernels",
    "seldom": "solved.rare_kernels",
    "survey": "solved.statistics",
    "in_words": "voice.describe_position",
    "say_move": "voice.describe_move",
    "overlay_words": "voice.describe_overlay",
    "remarks": "voice.hints",
    "claims": "voice.reasons",
}
"""Where the arguments that `Game` took until 0.1 are now."""


class FormerDefinition(OnlymoveError):
    """A package defines its game in the form that version 0.1 used."""

    def __init__(self, names: Iterable[str]) -> None:
        moved: dict[str, list[str]] = {}
        for name in names:
            group, _, now = FORMER_FIELDS[name].partition(".")
            moved.setdefault(group, []).append(now or name)
        changes = (
            [f"put the facts into {FILE_NAME} and write facts=read_facts(__name__, ID)"] if "facts" in moved else []
        )
        changes += [
            f"write {', '.join(moved[group])} in {group}={kind.__name__}(...)"
            for group, kind in GROUPS.items()
            if group in moved
        ]
        super().__init__(f"its Game(...) was written for onlymove 0.1: {'; '.join(changes)}; see docs/adding-a-game.md")


@dataclass(frozen=True)
class Game(Generic[P, M]):
    """The definition of a game, created once in its package's `__init__.py`.

    `start` takes the chosen options by id (missing ones have their default) and a random seed.
    """

    facts: Facts
    """From `game.toml`, by `read_facts`."""
    seats: tuple[str, str]
    rules: Rules[P, M]
    notation: Notation[P, M]
    painter: Painter[P, M]
    start: Callable[[Mapping[str, str], int], P]
    play: Play[P] = field(default_factory=Play)
    solved: Solved[P, M] = field(default_factory=Solved)
    voice: Voice[P, M] = field(default_factory=Voice)

    def __new__(cls, *_args: object, **given: object) -> Self:
        """Refuse a definition that uses the argument names of 0.1. Raises FormerDefinition."""
        if former := [name for name in given if name in FORMER_FIELDS and name not in GROUPS]:
            raise FormerDefinition(former)
        return super().__new__(cls)

    @property
    def id(self) -> GameId:
        return self.facts.id

    def warm(self) -> None:
        """Compile or load every kernel that playing the game may need, so that no move waits for it."""
        for load in (*self.solved.kernels, *self.solved.rare_kernels):
            load()

    def paths(self, position: P, moves: Iterable[Chosen]) -> dict[MovePath, Chosen]:
        """Return every way of entering each of `moves`, as one table. If both sides move at once, these are one side's
        moves.
        """
        paths = cast("Callable[[P, Chosen], Sequence[MovePath]]", self.notation.paths)
        return {path: move for move in moves for path in paths(position, move)}

    def describe_move(self, position: P, move: M) -> str:
        """Describe `move` for players; files and programs use the notation's text."""
        return (self.voice.describe_move or self.notation.format_move)(position, move)

    def describe_position(self, position: P) -> Sequence[str]:
        describe = self.voice.describe_position
        return [self.notation.format_position(position)] if describe is None else describe(position)

    def default_start(self) -> P:
        """The start position with every option at its default and seed 0."""
        return self.start({}, 0)


AnyGame: TypeAlias = Game[Any, Any]
AnyPosition: TypeAlias = Hashable


def find_solution(game: AnyGame) -> Solution | None:
    """Return the counts of the game's shipped table; `None` without one. Raises UnreadableSolution."""
    if not game.facts.package:
        return None
    file = resources.files(game.facts.package) / solution_file(game.id)
    return parse_solution(file.read_text("utf-8")) if file.is_file() else None
