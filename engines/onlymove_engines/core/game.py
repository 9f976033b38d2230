"""The definition of a game: its facts, and which function of its package answers each question. Code outside a game
package asks the definition, and never depends on the name of a game."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, cast

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Columns, HintNotes, Solver
from onlymove_engines.core.budget import UNLIMITED, Budget, Clock
from onlymove_engines.core.encoding import Encoding
from onlymove_engines.core.errors import BadNotation
from onlymove_engines.core.facts import Facts, GameId
from onlymove_engines.core.repetition import Repetition
from onlymove_engines.core.rules import M, MovePath, Notation, P, Result, Rules, Target
from onlymove_engines.core.scene import Painter, Role
from onlymove_engines.core.solution import BatchLister, Solution, parse_solution, solution_file
from onlymove_engines.core.value import Mixed, Move, Seat, Value, other, proven


@dataclass(frozen=True, slots=True)
class Measure(Generic[P]):
    """A number for each side of a position, beside its value. `words` say what the side with the higher number has more
    of, such as `winning chances`. `of` returns the numbers of the first and the second player, 0 or more, or `None` if
    they are not stored."""

    title: str
    words: str
    of: Callable[[AnyAnalyst, P], tuple[float, float] | None]


@dataclass(frozen=True, slots=True)
class SetUp(Generic[P]):
    """How a player sets up a position on the board. `pieces` maps keys to the pieces that a cell may hold. `put`
    returns the draft with a piece on a cell, and with what follows from that, such as the pieces in hand. `there`
    returns the piece on a cell, or an empty text if it is none of `pieces`. `empty` is an empty board. `turned` returns
    the draft with the other side to move. It is `None` if the pieces determine who moves."""

    pieces: Mapping[str, str]
    put: Callable[[P, Target, str], P]
    there: Callable[[P, Target], str]
    empty: P
    turned: Callable[[P], P] | None = None

    def cycle_piece(self, draft: P, target: Target) -> P:
        """Return the draft with the next of `pieces` on a cell, in turn."""
        signs = list(self.pieces)
        found = self.there(draft, target)
        return self.put(draft, target, signs[(signs.index(found) + 1) % len(signs) if found in signs else 0])


def find_objection(notation: Notation[P, M], draft: P) -> str:
    """Return why a draft is not a valid position, or an empty text if it is one."""
    try:
        notation.parse_position(notation.format_position(draft))
    except BadNotation as refusal:
        return str(refusal)
    return ""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A rule that players may agree on. A side that has legal moves, but none that this rule allows, loses.
    `legal_moves` takes the rules, the positions so far (oldest first, the current one last) and some moves, and returns
    the moves that the rule allows. `stuck` is the reason given for the loss."""

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
"""No move may lead to a position that has already occurred in the game."""


@dataclass(frozen=True)
class MoveContext(Generic[P, M]):
    """A chosen move. `before` holds the values of the moves at `position`, and `after` those of the replies at `child`.
    Each value is seen by the side that plays the move, and takes the history of the game into account."""

    game: Game[P, M]
    position: P
    move: M
    child: P
    before: Analysis[M]
    after: Analysis[M]
    analyst: AnyAnalyst
    ended: Result | None = None
    """How the move ended the game, or `None` if the game goes on."""
    closed: frozenset[P] = frozenset()
    """Earlier positions that would end the game if they occurred again, so that the table's values may be wrong. The
    position before the move is not among them: nobody gains by returning to it after a bad move."""
    stood: frozenset[P] = frozenset()
    """All positions of the game so far, including those before and after the move."""
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
        """Describe a move made by the side whose move is being judged, for players."""
        return self.game.voice.reasons.noun + self.game.describe_move(self.position, move)

    def format_reply(self, move: M) -> str:
        """Describe a reply to the move, for players."""
        return self.game.voice.reasons.noun + self.game.describe_move(self.child, move)


class Substance(enum.IntEnum):
    """What a sentence about a move gives to its reader. What gives more comes first, also where sentences are shown."""

    CONCRETE = 0
    """Something to see on the board: a line, a capture with its size, a piece that is jumped or covered, a region."""
    POINTER = 1
    """A move, a part of a move or a threat, but not what it does."""
    RESTATEMENT = 2
    """The verdict in other words, such as a number of moves, or that all moves of a kind lose."""


@dataclass(frozen=True)
class Claim:
    """A short sentence about a move that follows from the values alone. `kind` names the claim and `facts` holds its
    data, which a test checks with separate code. With `names_better`, the sentence reveals a better move, which the
    player must not see before choosing. `while_choosing` is then shown instead, if it is not empty. It also replaces
    other sentences that would sound wrong before the choice. With `is_count`, the sentence counts moves and gives no
    reason."""

    kind: str
    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    names_better: bool = False
    is_count: bool = False
    substance: Substance = field(default=Substance.POINTER, kw_only=True)
    while_choosing: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class RelatedMoves(Generic[M]):
    """The other moves that share a part with the chosen one, and what to say about that part, which may be nothing.

    `right` is used if every move that keeps the value has the part and some other moves do not. With `any_tells`, it is
    enough that one move that keeps the value has the part. `wrong` is used if no move with the part is better than the
    chosen one. Its `{does}` stands for "loses", "only draws" or "draws at best". `only` is used if one move with the
    part keeps the value, and so do moves without the part. Its `{move}` stands for the move, and `{would_have}` for
    "would have won" or "would have drawn".
    """

    moves: tuple[M, ...]
    right: str = ""
    wrong: str = ""
    only: str = ""
    any_tells: bool = False


@dataclass(frozen=True)
class GameReasons(Generic[P, M]):
    """What a game adds to the sentences about its moves.

    `passed` returns the same board with the other side to move, or `None` if that is not a position. `related_moves`
    takes the position, the move and the moves that keep the value. `more` returns the game's own claims. `aims` names
    all that a move that wins at once achieves, as in "three in row 2 cannot be stopped". `all_aims` names what all
    such moves of a position achieve together; without it, each move is tried. `achieved` names what the side has
    achieved that won by reaching a position. `mixed` returns claims about a choice (position, seat, move, values) in
    games where both sides move at once. A text is a claim too, and counts as a pointer.
    """

    passed: Callable[[P], P | None] = lambda _position: None
    related_moves: Callable[[P, M, Collection[M]], Iterable[RelatedMoves[M]]] = lambda _position, _move, _keeping: ()
    more: Callable[[MoveContext[P, M]], Iterable[Claim]] = lambda _moment: ()
    aims: Callable[[P, M], Collection[str]] = lambda _position, _move: ()
    all_aims: Callable[[P], Collection[str]] | None = None
    achieved: Callable[[P, Seat], Collection[str]] = lambda _position, _seat: ()
    mixed: Callable[[P, Seat, Move, Mixed], Iterable[Claim | str]] = lambda _position, _seat, _move, _mixed: ()
    noun: str = ""
    """A word put before a move in a sentence, if the text of the move is not clear by itself."""
    line: str = ""
    """What a winning move completes, as in "You could have won at once with three in a row." It may be empty. If it is
    not, the aims are lines, and the coach tells of threats to complete them."""


Chosen = TypeVar("Chosen", bound=Hashable)
"""A whole move, or one side's part of a simultaneous move."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice about the start of a new game, such as who moves first or the size of the board. With `free`, the player
    may also type any text that `Game.start` accepts. `about` explains the choice. `read` finds it in a start
    position."""

    id: str
    title: str
    choices: tuple[str, ...]
    default: str
    free: bool = False
    about: str = ""
    read: Callable[[Any], str] | None = None


@dataclass(frozen=True, slots=True)
class Symmetry(Generic[P, M]):
    """A map of positions and moves that leaves the rules unchanged. With `swaps_seats` it also swaps the two sides."""

    name: str
    position: Callable[[P], P]
    move: Callable[[M], M]
    swaps_seats: bool = False


def list_images(position: P, symmetries: Iterable[Symmetry[P, Any]]) -> list[P]:
    """List a position and all positions that these symmetries, also several of them in a row, lead to, each once."""
    maps = [symmetry.position for symmetry in symmetries]
    found, known = [position], {position}
    for one in found:
        fresh = dict.fromkeys(image for image_of in maps if (image := image_of(one)) not in known)
        found += fresh
        known |= fresh.keys()
    return found


class Index(Protocol[P]):
    """Numbers for the positions of a game. Positions that are symmetric to each other share a number.
    `position(number(p)) == canonical(p)` and `0 <= number < size`."""

    size: int

    def number(self, position: P) -> int: ...

    def position(self, number: int) -> P:
        """Return the canonical position with this number. Raises ValueError if the number is not in use."""

    def canonical(self, position: P) -> P: ...


@dataclass(frozen=True, slots=True)
class Turn(Generic[P, M]):
    """A choice that a style has to make for `seat`. `analysis` lists moves without values if the style needs none, or
    if both sides move at once."""

    position: P
    seat: Seat
    analysis: Analysis[M]
    analyst: AnyAnalyst
    budget: Budget = UNLIMITED


@dataclass(frozen=True, slots=True)
class Style(Generic[P, M]):
    """A way of playing. `choose` returns at least one move, each with its probability. `needs_analysis` is false if the
    style searches by itself."""

    id: str
    title: str
    help: str
    choose: Callable[[Turn[P, M]], Mapping[M, float]]
    needs_analysis: bool = True


def alike(moves: Iterable[M]) -> dict[M, float]:
    return dict.fromkeys(moves, 1.0)


class KernelLoader(Protocol):
    """Loads a part of a game's compiled code, or compiles it. A second call does nothing."""

    __name__: str

    def __call__(self) -> object: ...


@dataclass(frozen=True)
class Play(Generic[P]):
    """What people and engines need to play a game: how it starts, how moves are entered, and the engine's styles."""

    options: tuple[Option, ...] = ()
    house_rules: tuple[HouseRule, ...] = ()
    repetition: Repetition[P] | None = None
    points: Callable[[P], tuple[int, int]] | None = None
    """What each side has captured so far, in a game with points."""
    points_left: Callable[[P], int] | None = None
    """The most points that both sides together can still make, in a game with points."""
    set_up: SetUp[P] | None = None
    """How a player sets up a position on the board. `None` if a position can only be typed."""
    direct_keys: Mapping[str, Target] = field(default_factory=dict)
    """Keys that pick a target at once, such as digits for pits and arrows for directions."""
    goals: tuple[tuple[Target, ...], tuple[Target, ...]] = ((), ())
    """Where each side's pieces are headed, if anywhere. After a pick, the cursor moves in that direction first."""
    hand: tuple[Target, ...] = ()
    """The targets that are pieces beside the board."""
    seat_roles: tuple[Role, Role] = (Role.FIRST, Role.SECOND)
    """The roles in which the two sides' pieces are drawn. Some games have sides that are named after colours."""
    own_side_below: bool = False
    """Whether the board is turned so that the only human player is at the bottom, instead of the first player."""
    overlay_title: str = ""
    """The name of the overlay that `o` shows, such as `next shift`. Empty if the game has no overlay."""
    overlay_when_new: bool = False
    """Whether the overlay is shown in lessons and first games, until the player switches it off."""
    styles: tuple[Style[P, Any], ...] = ()
    plain_choice: Callable[[P, Seat], Any] | None = None
    """Chooses a reasonable move at once, from the plain rules. Engines play it while their search is being compiled."""
    plan_time: Callable[[P, float, float, float], float] | None = None
    """Returns the most seconds to spend on a move. It takes the position, the seconds left in the bank, the seconds
    added after the move, and the size of the full bank. `None` for an even share."""
    protocols: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """Protocols that only this game has. Each name maps to a factory of a state machine for lines of text."""
    hosts: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """The other ends of these protocols, with which the game asks another program for its moves."""

    @cached_property
    def is_steered(self) -> bool:
        """Whether the arrow keys choose targets directly. Then there is no cursor, and the board cannot be flipped."""
        return not {"left", "right", "up", "down"}.isdisjoint(self.direct_keys)


@dataclass(frozen=True)
class Solved(Generic[P, M]):
    """How positions are numbered and valued, and how the game was solved."""

    symmetries: tuple[Symmetry[P, M], ...] = ()
    index: Index[P] | None = None
    encoding: Callable[[], Encoding[P, Any]] | None = None
    """Returns the numbers of moves and the planes of positions, for programs that learn. `None` if there are none."""
    solver: Solver | None = None
    """Builds and checks the table that is shipped for this game. `None` if it has no table."""
    statistics: BatchLister | None = None
    """Lists every position of the table with its moves, for statistics."""
    digest_sources: tuple[str, ...] = ()
    """The files of the game package that define what the numbers and bytes of its table mean."""
    open_analyst: Callable[[Columns | None], AnyAnalyst] | None = None
    """Opens the analyst, with the arrays of a table or without a table. `None` for a search by the plain rules."""
    kernels: tuple[KernelLoader, ...] = ()
    """Functions that each compile or load a part of the code that playing needs. The app waits for all of them."""
    rare_kernels: tuple[KernelLoader, ...] = ()
    """Like `kernels`, for code that only some styles and limits need. Only players who use these wait for it."""
    score: Callable[[P, Value], int | None] | None = None
    """Returns the score column of `analyse`, from a position and a value for its side to move."""
    prove: Callable[[Clock], Iterable[str]] | None = None
    """The game's own part of the argument for the value of the start position, for the `prove` command. It derives the
    value and yields the lines to print. The clock measures how long it took. Raises Refuted if a step is wrong."""


@dataclass(frozen=True)
class Voice(Generic[P, M]):
    """How a game describes its positions and moves."""

    describe_position: Callable[[P], Sequence[str]] | None = None
    """Describes a position in a few short sentences, for people who use a screen reader. `None` to use its text."""
    describe_move: Callable[[P, M], str] | None = None
    """Describes a move by the cell names on the board, if the text of the move differs. Players can type both."""
    describe_overlay: Callable[[P], Sequence[str]] | None = None
    """Describes the overlay in a few short lines, to be read beside the board."""
    forbidden_by: Callable[[P, Seat, MovePath], str] | None = None
    """Returns the help page's words for the rule that forbids `seat` the last of these targets, or a whole path."""
    describe_pick: Callable[[P, MovePath], str] | None = None
    """Says what to choose after these targets, if `picks` in the facts does not. Otherwise returns an empty text."""
    hints: Callable[[P, Analysis[M], AnyAnalyst], HintNotes[M]] | None = None
    """Returns what the game's coach adds to a hint."""
    reasons: GameReasons[P, M] = field(default_factory=GameReasons)
    """What the game adds to explanations of bad moves."""
    measure: Measure[P] | None = None
    """A number that players see beside the moves that hold a draw."""
    outlook: Callable[[P, Seat, Sequence[Move]], Sequence[str]] = lambda _position, _seat, _sound: ()
    """For the second stage of a hint in a game with simultaneous moves: describes a side's prospects if it plays one of
    these sound moves. The text names no move."""
    lesson_tests: Mapping[str, Callable[[P, Seat, Any], bool]] = field(default_factory=dict)
    """Tests whether a move of `seat` does what a lesson asks for. Each has a name, such as "captures"."""


@dataclass(frozen=True)
class Game(Generic[P, M]):
    """The definition of a game. Its package creates it once, in `__init__.py`. `start` returns the start position. It
    takes the chosen options by id, where missing ones have their default, and a random seed."""

    facts: Facts
    """The facts in `game.toml`, read by `read_facts`."""
    seats: tuple[str, str]
    rules: Rules[P, M]
    notation: Notation[P, M]
    painter: Painter[P, M]
    start: Callable[[Mapping[str, str], int], P]
    play: Play[P] = field(default_factory=Play)
    solved: Solved[P, M] = field(default_factory=Solved)
    voice: Voice[P, M] = field(default_factory=Voice)

    @property
    def id(self) -> GameId:
        return self.facts.id

    def warm(self) -> None:
        """Compile or load all code that playing the game may need, so that no move has to wait for it."""
        for load in (*self.solved.kernels, *self.solved.rare_kernels):
            load()

    def paths(self, position: P, moves: Iterable[Chosen]) -> dict[MovePath, Chosen]:
        """Return every way of entering each of `moves`. If both sides move at once, these are one side's moves."""
        paths = cast("Callable[[P, Chosen], Sequence[MovePath]]", self.notation.paths)
        return {path: move for move in moves for path in paths(position, move)}

    def add_points_made(self, position: P, seat: Seat, value: Value) -> Value:
        """Add the points made so far to a value that `seat` sees, so that its margin covers the whole game."""
        if value.margin is None or self.play.points is None:
            return value
        return proven(value.outcome, None, self.lead(position, seat) + value.margin)

    def find_score(self, position: P, value: Value) -> int | None:
        """Return the score column of `analyse` for a position and a value for its side to move. In a game with points
        it is the margin still to come, unless the game has a score of its own. `None` if there is neither."""
        return value.margin if self.solved.score is None else self.solved.score(position, value)

    def describe_move(self, position: P, move: M) -> str:
        """Describe `move` for players. Files and programs use the text of the notation instead."""
        return (self.voice.describe_move or self.notation.format_move)(position, move)

    def describe_position(self, position: P) -> Sequence[str]:
        describe = self.voice.describe_position
        return [self.notation.format_position(position)] if describe is None else describe(position)

    def lead(self, position: P, seat: Seat) -> int:
        """Return by how many points `seat` leads. It is 0 in a game without points."""
        points = (0, 0) if self.play.points is None else self.play.points(position)
        return points[seat] - points[other(seat)]

    def default_start(self) -> P:
        """Return the start position with all options at their defaults and seed 0."""
        return self.start({}, 0)


AnyGame: TypeAlias = Game[Any, Any]
AnyPosition: TypeAlias = Hashable


def find_solution(game: AnyGame) -> Solution | None:
    """Return the statistics of the game's shipped table, or `None` without a table. Raises UnreadableSolution."""
    if not game.facts.package:
        return None
    file = resources.files(game.facts.package) / solution_file(game.id)
    return parse_solution(file.read_text("utf-8")) if file.is_file() else None
