"""Both ends of the competition's protocol (riddles.io).

`Riddles` speaks for our engine. It answers every `action` with a direction, whatever came before. If it cannot read a
line, it writes one line about that and plays on.

`RiddlesHost` sends another program the field and asks it for a direction. As in the competition, it treats `pass` as
going straight on, and also turning back, except in the first round. A step into a cell that is not empty is an illegal
move.
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.budget import Budget, Clock
from onlymove_engines.core.errors import BadNotation, IllegalMove
from onlymove_engines.core.game import AnyGame, Turn
from onlymove_engines.core.value import Seat, other
from onlymove_engines.play.session import AnySession
from onlymove_engines.protocols.host import Allowance

from .analyst import LightRidersAnalyst, load_endgame, load_engine, load_fill
from .notation import DIRECTIONS, LightRidersNotation
from .rules import CRASH, RULES, Position, Step, pair_steps
from .styles import STYLES, engine, load_styles, thinking_time
from .territory import find_regions

PASS: Final = "pass"
WORDS: Final[dict[Step, str]] = {**DIRECTIONS, CRASH: PASS}
STEPS: Final = {word: step for step, word in DIRECTIONS.items()}
BACK: Final[dict[Step, Step]] = {"u": "d", "d": "u", "l": "r", "r": "l"}
FIRST_HEADINGS: Final[tuple[Step, Step]] = ("r", "l")


@dataclass(frozen=True)
class Settings:
    """The host's settings, under its own names, with times in milliseconds."""

    player_names: tuple[str, ...] = ()
    your_bot: str = ""
    your_botid: Seat | None = None
    timebank: int = 10_000
    time_per_move: int = 200
    field_width: int | None = None
    field_height: int | None = None
    max_rounds: int | None = None

    def seat(self) -> Seat:
        """Return the seat of our rider: by number, by name, or the first seat if neither is given."""
        if self.your_botid is not None:
            return self.your_botid
        return 1 if self.your_bot in self.player_names[1:2] else 0

    def size(self, cells: int) -> tuple[int, int]:
        """Return the width and height of a field with this many cells. The announced sizes are used as far as they fit.
        Otherwise the field is a square."""
        width, height = self.field_width, self.field_height
        if width and height and width * height == cells:
            return width, height
        if width and cells % width == 0:
            return width, cells // width
        if height and cells % height == 0:
            return cells // height, height
        side = math.isqrt(cells)
        return side, side


def change_setting(settings: Settings, name: str, value: str) -> Settings:
    """Return the settings after one `settings` line. Unknown names change nothing. Raises BadNotation."""
    if name not in {each.name for each in fields(Settings)}:
        return settings
    found: Any = value
    if name == "player_names":
        found = tuple(value.split(","))
    elif name != "your_bot" and (found := read_number([value])) is None:
        raise BadNotation(f"'settings {name}' needs a number, not '{value[:20]}'")
    if name == "your_botid" and found not in (0, 1):
        raise BadNotation(f"'settings your_botid' must be 0 or 1, not {value}")
    return replace(settings, **{name: found})


def read_number(words: Sequence[str]) -> int | None:
    found = words[0] if words else ""
    return int(found) if found.isascii() and found.isdigit() and len(found) < 10 else None


@dataclass
class Riddles:
    """Our end of the protocol, as a state machine. `choose` picks a step within a budget once `ready` is set. Its last
    argument is how many rounds are left before the game is drawn, or `None` if there is no such limit. While `ready` is
    not set, the plain rules decide."""

    choose: Callable[[Position, Seat, Budget, int | None], Step]
    ready: threading.Event
    clock: Clock
    settings: Settings = Settings()
    position: Position | None = None
    round: int | None = None
    style: str = ""
    """The style that chooses. The first style if empty."""
    remark: str = ""
    """What the last search found, for hosts that want to log it."""
    finished: bool = False
    handover: bool = False

    def replies(self, line: str) -> Iterator[str]:
        """Yield the answer to one line. Raises BadNotation for a line that makes no sense, after giving an answer if
        one is due."""
        match line.split():
            case ["settings", name, *value] if value:
                self.settings = change_setting(self.settings, name, " ".join(value))
            case ["settings", *_]:
                raise BadNotation("'settings' needs a name and a value")
            case ["update", "game", "field", *cells]:
                self.position, text = None, "".join(cells)  # no field is better than an outdated one
                width, height = self.settings.size(text.count(",") + 1)
                self.position = LightRidersNotation().parse_position(f"{width} {height} {text}")
            case ["update", "game", "round", *number]:
                self.round = read_number(number)
            case ["action", *words]:
                yield from self._action(words)
            case [word, *_] if word != "update":
                raise BadNotation(f"unknown word '{word[:20]}': expected settings, update or action")

    def _action(self, words: list[str]) -> Iterator[str]:
        began = self.clock()
        if words[:1] != ["move"]:
            raise BadNotation("the only action is 'move'")
        settings, position, seat = self.settings, self.position, self.settings.seat()
        if position is None:
            yield PASS
            raise BadNotation("the field could not be read, so the action is pass")
        moves = RULES.moves_of(position, seat)
        if len(moves) < 2:
            yield WORDS[moves[0] if moves else CRASH]
            return
        found = read_number(words[1:])
        bank = settings.time_per_move if found is None else found
        seconds = thinking_time(position, bank / 1000, settings.time_per_move / 1000, settings.timebank / 1000)
        if not self.ready.wait(seconds / 2):
            self.remark = "the engine is not compiled yet, so it chose a simple move"
            yield WORDS[plain_choice(position, seat)]
            return
        limit = settings.max_rounds
        left = None if limit is None or self.round is None else limit - self.round
        yield WORDS[self.choose(position, seat, Budget(clock=self.clock, deadline=began + seconds), left)]


def plain_choice(position: Position, seat: Seat) -> Step:
    """Choose the step that leaves the rider best off after the other's best reply, by the cells it reaches first. It
    needs no compiled code."""

    def lead(mine: Step, theirs: Step) -> int:
        after = RULES.play(position, pair_steps(seat, mine, theirs))
        result = RULES.result(after)
        if result is not None:
            return 1000 * int(result.outcome_for(seat))
        sides = find_regions(after)
        return len(sides[seat]) - len(sides[other(seat)])

    replies = RULES.moves_of(position, other(seat))
    return max(RULES.moves_of(position, seat), key=lambda mine: min(lead(mine, theirs) for theirs in replies))


def make_riddles(analyst: AnyAnalyst, clock: Clock, stop: Callable[[], bool]) -> Riddles:
    """Speak the protocol for our engine. Its kernels are compiled or loaded in the background."""
    assert isinstance(analyst, LightRidersAnalyst)
    ready = threading.Event()

    def choose(position: Position, seat: Seat, budget: Budget, rounds_left: int | None) -> Step:
        began, budget = clock(), replace(budget, stop=stop)
        searches = analyst.lookahead(position)
        searches.latest = None
        turn: Turn[Position, Step] = Turn(position, seat, Analysis(None, {}), analyst, budget)
        if speaker.style in ("", STYLES[0].id):
            mix = engine(turn, rounds_left)
        else:
            mix = next(style for style in STYLES if style.id == speaker.style).choose(turn)
        depth = searches.latest
        found = "solved or filled" if depth is None else f"depth {depth.rounds}, value {depth.value:+.2f}"
        shares = " ".join(f"{WORDS[step]} {100 * share:.0f} %" for step, share in mix.items() if share > 0.0)
        speaker.remark = f"{found}, {shares}, {clock() - began:.3f} s"
        return random.choices(list(mix), list(mix.values()))[0]

    def make_ready() -> None:
        for load in (load_engine, load_endgame, load_fill):
            load()
        if speaker.style not in ("", STYLES[0].id):
            load_styles()
        ready.set()

    speaker = Riddles(choose, ready, clock)
    threading.Thread(target=make_ready, name="lightriders-warm", daemon=True).start()
    return speaker


class RiddlesHost:
    """Another program that steers the rider of `seat` in one game."""

    name = ""
    counts_nodes = False
    usual = Allowance(bank=10.0, increment=0.2)
    farewell: Sequence[str] = ()

    def __init__(self, game: AnyGame, start: Position, seat: Seat, seed: int) -> None:
        self.start = start
        self.seat = seat
        self.ready = False
        self.answer: str | None = None

    def begin(self, allowance: Allowance) -> Sequence[str]:
        """Return the settings to send. The program does not answer them."""
        self.ready = True
        own = f"player{self.seat}"
        settings = {
            "timebank": to_milliseconds(allowance.bank or allowance.seconds),
            "time_per_move": to_milliseconds(allowance.increment if allowance.bank else allowance.seconds),
            "player_names": "player0,player1",
            "your_bot": own,
            "your_botid": self.seat,
            "field_width": self.start.width,
            "field_height": self.start.height,
        }
        return tuple(f"settings {name} {value}" for name, value in settings.items())

    def hear(self, line: str) -> Sequence[str]:
        if self.answer is None:
            self.answer = line.strip()
        return ()

    def ask(self, session: AnySession, allowance: Allowance) -> Sequence[str]:
        """Return the round, the field and the time left, to be sent. A rider that can only crash is not asked."""
        self.answer = None
        position: Position = session.position
        if session.moves_of(self.seat) == (CRASH,):
            self.answer = PASS
            return ()
        return (
            f"update game round {session.node.ply}",
            f"update game field {','.join(position.cells)}",
            f"action move {to_milliseconds(allowance.bank or allowance.seconds)}",
        )

    def move(self, session: AnySession) -> Step:
        """Read the step from the program's answer. Raises BadNotation, or IllegalMove for a step into a cell that is
        not empty."""
        word = self.answer or ""
        if word != PASS and word not in STEPS:
            raise BadNotation("a direction is up, down, left, right or pass")
        open_steps = session.moves_of(self.seat)
        if tuple(open_steps) == (CRASH,):
            return CRASH
        rounds = session.list_moves()
        heading: Step = rounds[-1][self.seat] if rounds else FIRST_HEADINGS[self.seat]
        step = heading if word == PASS else STEPS[word]
        if rounds and step == BACK[heading]:
            step = heading
        if step not in open_steps:
            raise IllegalMove("that direction leads into a wall")
        return step


def to_milliseconds(seconds: float | None) -> int:
    return int(1000 * (seconds or 0.0))
