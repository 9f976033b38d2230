"""The commands of the original program (the seed): position, d, go, go d and exit. The word `ugi` switches to UGI.

The best move is the first one with the best score, in the order of the rules: cell by cell, with the smaller piece
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import BadNotation, Stopped
from onlymove_engines.core.value import Outcome, Value
from onlymove_engines.protocols.host import printable

from .analyst import PokemonAnalyst
from .live import PokemonLiveAnalyst
from .notation import NOTATION, format_for_seed
from .rules import EMPTY, PLACE, RULES, START, TEAMS, Placement, Position

RULE = "+---+---+---+"
COMMANDS = "position startpos, position pos P, d, go, go d, exit"


def score_value(value: Value) -> int:
    """Return the score as the original program defines it: 1000 minus the plies for a win, the negative for a loss, and
    0 for a draw."""
    if value.outcome is Outcome.DRAW:
        return 0
    return int(value.outcome) * (1000 - (value.remoteness or 0))


def print_board(position: Position) -> Iterator[str]:
    """Yield the lines with which the original program prints a position. Rows end in a space."""
    for row in range(3):
        yield RULE
        yield "".join(f"| {cell} " for cell in position.cells[3 * row : 3 * row + 3].replace(EMPTY, " ")) + "| "
    yield RULE
    yield "Pieces left: "
    for number, team in enumerate(TEAMS, start=1):
        yield f"Player {number}: " + " ".join(f"{kind}: {position.hands[PLACE[kind]]}" for kind in team)
    yield f"Turn: Player {position.seat + 1}"
    yield f"Pos: {NOTATION.format_position(position)}"


class SeedDialect:
    """One conversation with a client. `finished` is set after `exit`, and `handover` after `ugi`."""

    def __init__(
        self,
        analyst: PokemonAnalyst | PokemonLiveAnalyst,
        clock: Callable[[], float],
        stop: Callable[[], bool],
    ) -> None:
        self.finished = False
        self.handover = False
        self._analyst = analyst
        self._position: Position | None = START
        """The position to answer about. `None` after a refused position, so that nothing is answered about the one
        before."""
        self._budget = Budget(clock=clock, stop=stop)

    def replies(self, line: str) -> Iterator[str]:
        """Yield the answer to one line. An unknown line gets an error message."""
        try:
            yield from self._answer(line.split())
        except (BadNotation, Stopped) as refusal:
            yield printable(f"error: {refusal}")

    def _answer(self, words: list[str]) -> Iterator[str]:
        match words:
            case []:
                return
            case ["ugi"]:
                self.handover = True
            case ["exit"]:
                self.finished = True
            case ["position", "startpos"]:
                self._position = START
            case ["position", "pos", *fields]:
                self._position, text = None, " ".join(fields)
                position = NOTATION.parse_position(text)
                if not self._analyst.is_reachable(position):
                    raise BadNotation(f"unreachable: no game leads to '{text}'")
                self._position = position
                yield f"Setting position with: {text}"
            case ["d"]:
                yield from print_board(self._require_position())
            case ["go"]:
                value, move = self._best(self._require_position())
                yield f"bestmove {'(none)' if move is None else format_for_seed(move)} score {score_value(value)}"
            case ["go", "d"]:
                yield from self._print_line(self._require_position())
            case _:
                if words[0] == "position":
                    self._position = None
                raise BadNotation(f"unknown command '{' '.join(words)}'; choose from: {COMMANDS}")

    def _require_position(self) -> Position:
        """Return the current position. Raises BadNotation if the last one was refused."""
        if self._position is None:
            raise BadNotation("the last position was refused, so set another one first")
        return self._position

    def _best(self, position: Position) -> tuple[Value, Placement | None]:
        """Return the value and the first of the best moves. There is no move if the game is over. Raises Stopped."""
        analysis = self._analyst.analyse(position, self._budget)
        if not isinstance(analysis.value, Value):
            raise Stopped(f"this position is not proven: {analysis.note or 'the table does not have this position'}")
        return analysis.value, next(iter(analysis.list_best_moves()), None)

    def _print_line(self, position: Position) -> Iterator[str]:
        """Yield the score and the best line to the end, with the board after every move."""
        value, move = self._best(position)
        yield f"Score: {score_value(value)}"
        yield "Moves:"
        for number in count(1):
            if move is None:
                break
            yield f"{number}. {format_for_seed(move)}"
            position = RULES.play(position, move)
            yield from print_board(position)
            _, move = self._best(position)
        yield ""
