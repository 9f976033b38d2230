"""Lessons teach a game on its board, step by step, in about two minutes. docs/adding-a-game.md describes the file
`lessons.toml` of a game package, in which they are written."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from onlymove_engines.coach.drill import format_choice, read_setting
from onlymove_engines.coach.judge import judge
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import moves_of
from onlymove_engines.core.text import clean_document, clean_lines, decode_text
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, other
from onlymove_engines.play.players import BadPlayer, read_player
from onlymove_engines.play.tree import AnyTree

FILE: Final = "lessons.toml"
JUDGED: Final[Mapping[str, Callable[[Judgement], bool]]] = {
    "holds": lambda judgement: not judgement.flagged,
    "only": lambda judgement: judgement.only,
    "best": lambda judgement: judgement.is_best,
}
"""Tests that need values: the move keeps the result, no other move does, or no other move is better."""
ENDED: Final[Mapping[str, Callable[[Outcome | None], bool]]] = {
    "plays": lambda _outcome: True,
    "wins": lambda outcome: outcome is Outcome.WIN,
    "goes on": lambda outcome: outcome is None,
    "survives": lambda outcome: outcome is not Outcome.LOSS,
}
"""Tests of the game's outcome after the move, for the side that played it. `None` means that the game goes on."""
REACHED: Final[Mapping[str, frozenset[Outcome]]] = {
    "win": frozenset({Outcome.WIN}),
    "draw": frozenset({Outcome.WIN, Outcome.DRAW}),
    "end": frozenset(Outcome),
}
"""Which outcomes complete a task that is played on to the end, by the task's `result`."""


class BadLesson(OnlymoveError):
    """A lesson is broken: its file cannot be read, a position is invalid, or a task has no answer."""


@dataclass(frozen=True, slots=True)
class Task:
    """A position and what to do in it. The fields are the keys of `lessons.toml`."""

    position: str
    ask: str
    right: str
    counts: tuple[str, ...] = ("plays",)
    wrong: str = ""
    moves: tuple[str, ...] = ()
    seat: Seat | None = None
    other: str = ""
    against: str = ""
    result: str = "end"

    @property
    def needs_values(self) -> bool:
        return any(name in JUDGED for name in self.counts)


@dataclass(frozen=True, slots=True)
class Step:
    """A few tasks that teach one idea."""

    title: str
    text: str
    tasks: tuple[Task, ...]


def find_lessons(game: AnyGame) -> tuple[Step, ...]:
    """Return the lessons of a game in order, or an empty tuple if its package has none. Raises BadLesson."""
    file = resources.files(game.facts.package).joinpath(FILE)
    if not file.is_file():
        return ()
    try:
        steps = clean_document(tomllib.loads(decode_text(file.read_bytes(), "strict")), clean_lines)["step"]
        return tuple(
            Step(step["title"], step["text"], tuple(map(_parse_task, step["task"])))
            for step in steps
            if game.id in step.get("game", (game.id,))
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as fault:
        raise BadLesson(f"{game.id}: {FILE} cannot be read: {fault}") from fault


def _parse_task(entry: Mapping[str, Any]) -> Task:
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Task(**fields)


def start_task(game: AnyGame, task: Task) -> AnyTree:
    """Return the game at the start of a task. Raises BadLesson."""
    try:
        return read_setting(game, task.position)
    except OnlymoveError as refusal:
        raise BadLesson(f"{game.id}: {task.position!r}: {refusal}") from refusal


def find_seat(game: AnyGame, task: Task, position: AnyPosition) -> Seat:
    mover = game.rules.to_move(position)
    return (task.seat or 0) if mover is None else mover


def list_choices(game: AnyGame, task: Task, position: AnyPosition) -> Sequence[Move]:
    if game.facts.simultaneous:
        return moves_of(game.rules, position, find_seat(game, task, position))
    return game.rules.legal_moves(position)


def is_right(
    game: AnyGame, task: Task, position: AnyPosition, move: Move, values: Analysis[Move] | Mixed | None
) -> bool:
    """Whether a legal choice does what a task asks. `values` may be `None` unless it needs them. Raises BadLesson."""
    if task.moves and format_choice(game, position, move) not in task.moves:
        return False
    seat = find_seat(game, task, position)
    for name in task.counts:
        if name in game.voice.lesson_tests:
            passes = bool(game.voice.lesson_tests[name](position, seat, move))
        elif name in ENDED:
            rounds = list_rounds(game, task, position, move)
            passes = all(ENDED[name](find_outcome(game, position, each, seat)) for each in rounds)
        elif name not in JUDGED:
            known = ", ".join((*ENDED, *JUDGED, *game.voice.lesson_tests))
            raise BadLesson(f"{game.id}: 'counts' must be one of {known}, not {name!r}")
        elif values is None:
            raise BadLesson(
                f"{game.id}: the test {name!r} cannot be used, because the values of {task.position} are not known"
            )
        else:
            judged = judge(values, move, seat=seat)
            passes = JUDGED[name](judged)
        if not passes:
            return False
    return True


def list_rounds(game: AnyGame, task: Task, position: AnyPosition, choice: Move) -> list[Move]:
    """List the moves of the game that a choice can become: with simultaneous moves, one for each possible reply."""
    if not game.facts.simultaneous:
        return [choice]
    seat = find_seat(game, task, position)
    replies = [reply for reply in moves_of(game.rules, position, other(seat)) if task.other in ("", str(reply))]
    return [(choice, reply) if seat == 0 else (reply, choice) for reply in replies]


def find_outcome(game: AnyGame, position: AnyPosition, move: Move, seat: Seat) -> Outcome | None:
    """Return the outcome of a move for `seat`, or `None` if the game goes on."""
    result = game.rules.result(game.rules.play(position, move))
    return None if result is None else result.outcome_for(seat)


def check_task(game: AnyGame, task: Task, values: Analysis[Move] | Mixed | None) -> None:
    """Raise BadLesson unless the position is playable, the task has an answer, and each move it lists is legal and
    passes its tests. If every move is an answer, the task must say so by its test `plays`."""
    tree = start_task(game, task)
    position, where = tree.here.position, f"{game.id}: {task.position}: "
    if tree.result is not None:
        raise BadLesson(f"{where}the game is over")
    if task.against:
        if task.result not in REACHED:
            raise BadLesson(f"{where}'result' must be one of {', '.join(REACHED)}, not {task.result!r}")
        try:
            read_player(game, task.against)
        except BadPlayer as refusal:
            raise BadLesson(f"{where}{refusal}") from None
        return
    moves = list_choices(game, task, position)
    texts = {format_choice(game, position, move) for move in moves}
    if unknown := [move for move in task.moves if move not in texts]:
        raise BadLesson(f"{where}{unknown[0]!r} is not a legal move")
    right = [move for move in moves if is_right(game, task, position, move, values)]
    if not right:
        raise BadLesson(f"{where}no legal move is a right answer")
    if len(right) < len(task.moves):
        raise BadLesson(f"{where}one of the listed moves does not pass the tests in 'counts': {', '.join(task.counts)}")
    if len(right) == len(moves) and task.counts != ("plays",):
        raise BadLesson(f"{where}every move is a right answer")
    if task.other and not game.facts.simultaneous:
        raise BadLesson(f"{where}'other' is for games with simultaneous moves")
    if task.other and not list_rounds(game, task, position, moves[0]):
        raise BadLesson(f"{where}the opponent cannot play {task.other!r}")
