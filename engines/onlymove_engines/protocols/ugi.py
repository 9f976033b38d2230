"""Both ends of UGI, the Universal Game Interface. UGI extends UCI to all turn-based games:
https://github.com/kz04px/ugi.

Both ends are state machines that turn lines into lines. They do no input or output and never wait. The caller's `stop`
says whether the answer is wanted now.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from random import Random

from onlymove_engines import __version__
from onlymove_engines.coach.values import find_best_line, find_values, format_line
from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.budget import MAX_LIMIT, Budget, Clock
from onlymove_engines.core.errors import BadNotation, NoCompiler, OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Outcome, Seat, Value
from onlymove_engines.play.players import FULL_STRENGTH, MoveChooser, find_style, plan_seconds
from onlymove_engines.play.session import AnySession
from onlymove_engines.play.tree import AnyTree, GameTree
from onlymove_engines.play.typed import read_exactly, read_position
from onlymove_engines.protocols.host import Allowance, printable

USUAL_SECONDS = 1.0
"""The time for a `go` without a limit."""

MAX_SEED = (1 << 31) - 1
"""The largest value of the option that seeds random choices."""

SEED = "seed"
"""The option with which a program takes a seed for its random choices."""

CLOCKS = frozenset({"p1time", "p2time", "p1inc", "p2inc"})
"""Limits that may be negative if a clock has run out. They then count as zero."""

MARKS = {0: "p1win", 1: "p2win", None: "draw"}


class Ugi:
    """A conversation in UGI about one game. `line` is the game so far, or `None` after a refused position.
    `is_infinite` means that the answer to the last `go` has to wait for `stop`."""

    def __init__(self, game: AnyGame, analyst: AnyAnalyst, clock: Clock, stop: Callable[[], bool]) -> None:
        self.game = game
        self.analyst = analyst
        self.clock = clock
        self.stop = stop
        self.random = Random()
        self.style = ""
        self.strength = FULL_STRENGTH
        self.tree: AnyTree | None = GameTree(game)
        self.finished = False
        self.handover = False
        self.is_infinite = False
        self._waiting_answer: str | None = None

    def replies(self, line: str) -> Iterator[str]:
        """Yield the answer to one line. Unknown or invalid lines are answered with one `info string`."""
        command, *words = line.split() or [""]
        try:
            match command:
                case "ugi" | "uci":
                    yield from self._identify()
                case "isready":
                    # Load what the first move needs, because the other side may measure its time.
                    if self.game.facts.plays_by_search:
                        with suppress(NoCompiler):  # the answer to `go` reports it
                            self.game.warm()
                    yield "readyok"
                case "uginewgame":
                    self.tree, self._waiting_answer = GameTree(self.game), None
                case "setoption":
                    self._set_option(words)
                case "position":
                    self.tree = None  # an invalid line leaves no position
                    self.tree = self._read_line(words)
                case "query":
                    yield f"response {self._query(' '.join(words))}"
                case "go":
                    yield from self._go(words)
                case "stop":
                    waiting, self._waiting_answer, self.is_infinite = self._waiting_answer, None, False
                    if waiting is not None:
                        yield waiting
                case "quit":
                    self.finished = True
                case _ if command:
                    yield f"info string unknown command: {printable(line)}"
        except (OnlymoveError, ValueError) as refusal:
            yield f"info string {printable(str(refusal))}"

    def _identify(self) -> Iterator[str]:
        yield f"id name onlymove {__version__} {self.game.facts.title}"
        yield "id author the onlymove founders"
        if self.game.play.styles:
            styles = " ".join(f"var {style.id}" for style in self.game.play.styles)
            yield f"option name Style type combo default {self.game.play.styles[0].id} {styles}"
        yield f"option name Strength type spin default {FULL_STRENGTH} min 0 max {FULL_STRENGTH}"
        yield f"option name Seed type spin default 0 min 0 max {MAX_SEED}"
        yield "ugiok"

    def _set_option(self, words: list[str]) -> None:
        if words[:1] != ["name"] or "value" not in words:
            raise ValueError("'setoption' needs name X value Y")
        cut = words.index("value")
        name, value = " ".join(words[1:cut]).lower(), " ".join(words[cut + 1 :])
        largest = {"strength": FULL_STRENGTH, SEED: MAX_SEED}.get(name)
        if largest is not None and (not value.isdecimal() or int(value) > largest):
            raise ValueError(f"{name.capitalize()} must be 0 to {largest}, not {value}")
        if name == "strength":
            self.strength = int(value)
        elif name == SEED:
            self.random = Random(int(value))
        elif name == "style":
            known = [style.id for style in self.game.play.styles]
            if value not in known:
                raise ValueError(f"unknown style {value}; choose from {', '.join(known) or 'none'}")
            self.style = value
        else:
            raise ValueError(f"unknown option {name}")

    def _read_line(self, words: list[str]) -> AnyTree:
        """Parse `startpos` or `fen POSITION`, optionally followed by `moves ...`."""
        cut = words.index("moves") if "moves" in words else len(words)
        head, moves = words[:cut], words[cut + 1 :]
        if head == ["startpos"]:
            tree: AnyTree = GameTree(self.game)
        elif head[:1] == ["fen"]:
            tree = GameTree(self.game, read_position(self.game, " ".join(head[1:])))
        else:
            raise ValueError("'position' needs startpos or fen POSITION")
        for text in moves:
            move = read_exactly(self.game, tree.here.position, text)
            tree.go_to(tree.add(tree.here, move))
        return tree

    def _game(self) -> AnyTree:
        """Return the game so far. Raises ValueError after a refused position, about which nothing can be said."""
        if self.tree is None:
            raise ValueError("there is no position: the last one was refused")
        return self.tree

    def _query(self, asked: str) -> str:
        tree = self._game()
        result = tree.result
        answers = {
            "gameover": "true" if result is not None else "false",
            "p1turn": "true" if tree.here.to_move == 0 else "false",
            "result": "none" if result is None else MARKS[result.winner],
        }
        if asked not in answers:
            raise ValueError(f"query must be one of {', '.join(answers)}")
        return answers[asked]

    def _go(self, words: list[str]) -> Iterator[str]:
        """Yield the answer to `go`. It always ends with a `bestmove`, so that the other side never waits for ever.
        After `go infinite`, that waits for `stop`. Before `bestmove (none)`, a line may give the reason."""
        self.is_infinite = "infinite" in words
        try:
            tree = self._game()
            budget = self._budget(words, tree)
            best = "(none)" if tree.result is not None else (yield from self._search(tree, budget))
        except (OnlymoveError, ValueError) as refusal:
            yield f"info string {printable(str(refusal))}"
            best = "(none)"
        if self.is_infinite and not self.stop():
            self._waiting_answer = f"bestmove {best}"
        else:
            self.is_infinite = False
            yield f"bestmove {best}"

    def _search(self, tree: AnyTree, budget: Budget) -> Generator[str, None, str]:
        """Yield lines about what was found. Return the best move as text."""
        position, seat = tree.here.position, tree.here.to_move
        assert seat is not None, "one side moves at a time in what is played by UGI"
        found = find_values(tree, tree.here, self.analyst, budget)
        assert isinstance(found, Analysis), "one side moves at a time"
        opponent = MoveChooser(self.analyst, find_style(self.game, self.style), self.strength)
        move = opponent.choose(position, seat, tree.list_allowed(tree.here), self.random, budget, lambda _: found)
        if found.note:
            yield f"info string {printable(found.note)}"
        try:
            moves = find_best_line(tree, tree.here, move, self.analyst, budget)
        except OnlymoveError:  # the budget may not be enough for a whole line
            moves = [move]
        best = format_line(self.game, position, moves)
        yield f"info depth {len(best)} {format_score(found.moves.get(move))}pv {' '.join(best)}"
        return best[0]

    def _budget(self, words: list[str], tree: AnyTree) -> Budget:
        """Return the limits of a `go`. Raises ValueError."""
        limits = {
            name: max(0, min(MAX_LIMIT, int(value)))
            for name, value in pairwise(words)
            if value.removeprefix("-" if name in CLOCKS else "").isdecimal()
        }
        if self.is_infinite:
            return Budget(stop=self.stop)
        seat = "p1" if tree.here.to_move == 0 else "p2"
        seconds: float | None = None
        if "movetime" in limits:
            seconds = limits["movetime"] / 1000
        elif f"{seat}time" in limits:
            left, increment = limits[f"{seat}time"] / 1000, limits.get(f"{seat}inc", 0) / 1000
            seconds = plan_seconds(self.game, tree.here.position, left, increment, left)
        elif not {"depth", "nodes"} & limits.keys():
            if words:
                raise ValueError(f"'go' does not support {' '.join(words)}")
            seconds = USUAL_SECONDS
        deadline = None if seconds is None else self.clock() + seconds
        return Budget(self.clock, deadline, limits.get("nodes"), limits.get("depth"), self.stop)


def format_score(value: Value | None) -> str:
    """Write a value as `score win 5 `, with a space at the end. Empty if the value is not proven."""
    if value is None:
        return ""
    if value.margin is not None:
        return f"score points {value.margin} "
    if value.outcome is Outcome.DRAW:
        return "score draw "
    return f"score {value.outcome.word} {value.remoteness} "


class UgiHost:
    """The host of a UGI program that plays `seat` in one game."""

    counts_nodes = True
    usual = Allowance(seconds=1.0)
    farewell: Sequence[str] = ("quit",)

    def __init__(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        self.game = game
        self.seat = seat
        self.seed = seed
        is_usual = start == game.default_start()
        self.start = "startpos" if is_usual else f"fen {game.notation.format_position(start)}"
        self.options: dict[str, Sequence[str]] = {}
        """What the program said about its options, by name in lower case."""
        self.name = ""
        self.ready = False
        self.answer: str | None = None

    def begin(self, allowance: Allowance) -> Sequence[str]:
        return ("ugi",)

    def hear(self, line: str) -> Sequence[str]:
        """Handle a line from the program. `ugiok` is answered with the program's seed, if it takes one, and with what
        the game needs. Unknown lines are ignored."""
        words = line.split()
        match words[:1]:
            case ["id"] if words[1:2] == ["name"]:
                self.name = printable(" ".join(words[2:]))
            case ["option"] if words[1:2] == ["name"]:
                name = words[2 : words.index("type")] if "type" in words else words[2:]
                self.options[" ".join(name).lower()] = words
            case ["ugiok"]:
                taking = self.options.get(SEED, ())
                maxima = [int(most) for name, most in pairwise(taking) if name == "max" and most.isdecimal()]
                seed = self.seed % (min([MAX_SEED, *maxima]) + 1)
                given = [f"setoption name {taking[2]} value {seed}"] if taking else []
                return (*given, "uginewgame", "isready")
            case ["readyok"]:
                self.ready = True
            case ["bestmove"]:
                self.answer = " ".join(words[1:2])
        return ()

    def ask(self, session: AnySession, allowance: Allowance) -> Sequence[str]:
        """Return the `go` line after a `position` line with the whole game, which some programs need."""
        self.answer = None
        moves = f" moves {' '.join(node.text for node in session.node.path()[1:])}" if session.node.ply else ""
        player = f"p{self.seat + 1}"
        limits = {
            "nodes": allowance.nodes,
            "movetime": to_milliseconds(allowance.seconds),
            f"{player}time": to_milliseconds(allowance.bank),
            f"{player}inc": None if allowance.bank is None else int(1000 * allowance.increment),
        }
        given = " ".join(f"{name} {number}" for name, number in limits.items() if number is not None)
        return (f"position {self.start}{moves}", f"go {given}")

    def move(self, session: AnySession) -> Move:
        if not self.answer:
            raise BadNotation("'bestmove' needs a move")
        return read_exactly(self.game, session.position, printable(self.answer))


def to_milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else max(1, int(1000 * seconds))
