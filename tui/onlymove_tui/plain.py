"""A game in lines: prints the board, reads a move, prints the verdict. For screen readers, scripts and dumb
terminals.

Knows no files, no terminal and no clock of its own: lines come from an iterator and go to a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import IllegalMove, OnlymoveError
from onlymove_engines.core.hint import LAST_STAGE
from onlymove_engines.core.opponent import Opponent, find_style
from onlymove_engines.core.oracle import Analysis
from onlymove_engines.core.refutation import format_line, refutation
from onlymove_engines.core.session import Chair
from onlymove_engines.core.tutor import Tutor, Verdict
from onlymove_engines.core.value import Mixed, Seat, other

from onlymove_tui.plain_lines import hint_lines, spoken, summary_lines, value_lines

THINKING = 1.0
"""Seconds for an engine's move or a judgement where no table answers."""

HELP = "type a move, or: board, moves, hint, values, why, undo, redo, keep, rethink, position, resign, draw, help, quit"


@dataclass(frozen=True)
class Room:
    """What a game in lines stands in: where its lines go, a clock for searches, lots for engines."""

    write: Callable[[str], None]
    clock: Callable[[], float]
    lots: Random
    ascii_only: bool = False


class PlainGame:
    """One game at the keyboard, in lines."""

    def __init__(self, tutor: Tutor, analyst: Any, room: Room) -> None:
        self.tutor = tutor
        self.session = tutor.session
        self.game = tutor.session.game
        self.analyst = analyst
        self.room = room
        self.write = room.write
        self.hints = 0
        self.last_bad: tuple[Any, Any] | None = None
        self._known: tuple[Any, Analysis[Any] | Mixed] | None = None
        self.commands: dict[str, Callable[[], None]] = {
            "board": self.board,
            "moves": self.moves,
            "hint": self.hint,
            "values": self.values,
            "why": self.why,
            "undo": self.undo,
            "redo": self.redo,
            "keep": self.keep,
            "rethink": self.rethink,
            "position": self.spell,
            "resign": self.resign,
            "draw": self.draw,
            "help": lambda: self.write(HELP),
        }

    def run(self, lines: Iterable[str]) -> int:
        """Play until the game is over, the player quits or the lines end; the exit code is 0."""
        self.introduce()
        reader: Iterator[str] = iter(lines)
        self.engines()
        self.board()
        while not self.session.is_over:
            line = next(reader, None)
            if line is None or line == "quit":
                return 0
            if line:
                self.answer(line)
        self.summary()
        return 0

    def introduce(self) -> None:
        """Who plays what."""
        seats = []
        for name, chair in zip(self.game.seats, self.session.chairs, strict=True):
            who = "you" if chair.is_human else f"engine, strength {chair.strength}"
            seats.append(f"{name}: {who}")
        self.write(f"{self.game.title}. {'. '.join(seats)}. Type help for what can be typed.")
        if not self.analyst.is_reachable(self.session.position):
            self.write("No game leads to this position; it can be played all the same.")

    def answer(self, line: str) -> None:
        """One line of the player's: a command or a move."""
        command = self.commands.get(line.lower())
        if command is not None:
            command()
            return
        try:
            seat = self.human_to_move()
            self.told(seat, self.read_move(seat, line))
        except OnlymoveError as refusal:
            self.write(f"Not played: {refusal}")

    def human_to_move(self) -> Seat:
        """The seat whose move is read: in a simultaneous round the first person who has not chosen."""
        seat = self.session.to_move
        if seat is not None:
            return seat
        return next(seat for seat in self.session.human_seats() if seat not in self.session.pending)

    def read_move(self, seat: Seat, text: str) -> Any:
        """The move of `seat` spelled `text`. Raises BadNotation or IllegalMove."""
        position = self.session.position
        if self.session.to_move is not None:
            return self.game.notation.parse_move(position, text)
        choices = {self.game.notation.format_move(position, move): move for move in self.session.moves_of(seat)}
        if text.lower() not in choices:
            raise IllegalMove(f"{self.game.seats[seat]} can play {' '.join(choices)}")
        return choices[text.lower()]

    def budget(self) -> Budget:
        """As long as one look may take."""
        return Budget.seconds(THINKING, self.room.clock)

    def look(self) -> Analysis[Any] | Mixed:
        """What the current position is worth, looked up once."""
        position = self.session.position
        if self._known is None or self._known[0] != position:
            ask = self.analyst.mixed if self.session.to_move is None else self.analyst.analyse
            self._known = position, ask(position, self.budget())
        return self._known[1]

    def told(self, seat: Seat, move: Any) -> None:
        """The player chose a move: judge it, say so, and let the engine answer."""
        position, before = self.session.position, self.look()
        self.prepare_hidden()
        text = self.game.notation.format_move(position, move)
        verdict = self.tutor.offer(seat, move, before)
        self.last_bad = (position, move) if verdict.judgement.flagged else None
        self.after_offer(text, verdict)

    def after_offer(self, text: str, verdict: Verdict) -> None:
        """Say what came of a move."""
        judgement = verdict.judgement
        if verdict.held is not None:
            self.write(f"{text} {judgement.glyph} {judgement.verdict()} {judgement.lost()}. Held: keep or rethink?")
        elif verdict.returned:
            self.write(f"{text} {judgement.glyph} {judgement.verdict()} {judgement.lost()}. Taken back: try again.")
        else:
            self.write(spoken(text, judgement))
            self.go_on(verdict)

    def go_on(self, verdict: Verdict) -> None:
        """After a move that stands: the hidden replies are shown, engines move, the board is printed."""
        self.hints = 0
        if verdict.node is None:
            return
        if self.session.to_move is None or self.session.is_over:
            self.reveal()
        self.engines()
        self.board()

    def reveal(self) -> None:
        """In a simultaneous game, what both have done."""
        node = self.session.node
        if self.game.facts.simultaneous and node.parent is not None and node.move is not None:
            self.write(f"Round {node.ply}: {self.game.notation.format_move(node.parent.position, node.move)}")

    def prepare_hidden(self) -> None:
        """In a simultaneous game the engines fix their choice before a person commits."""
        if self.session.to_move is not None:
            return
        for seat in (0, 1):
            chair = self.session.chairs[seat]
            if not chair.is_human and seat not in self.session.pending:
                self.session.commit(seat, self.hidden_choice(seat, chair))

    def hidden_choice(self, seat: Seat, chair: Chair) -> Any:
        """What an engine commits to in a simultaneous round."""
        moves = self.session.moves_of(seat)
        return self.opponent(chair).choose_hidden(self.session.position, seat, moves, self.room.lots, self.budget())

    def opponent(self, chair: Chair) -> Opponent:
        """The engine in a chair."""
        return Opponent(self.analyst, find_style(self.game, chair.style), chair.strength)

    def engines(self) -> None:
        """Engines move until a person has to, or the game is over."""
        while not self.session.is_over:
            seat = self.session.to_move
            if seat is None:
                if self.session.human_seats():
                    return
                self.prepare_hidden()
                self.reveal()
                continue
            chair = self.session.chairs[seat]
            if chair.is_human:
                return
            position = self.session.position
            move = self.opponent(chair).choose(position, self.session.legal_moves(), self.room.lots, self.budget())
            self.session.play(move)
            self.write(f"{self.game.seats[seat]} plays {self.game.notation.format_move(position, move)}")

    def board(self) -> None:
        """The picture of the position, and who is to move."""
        self.write(self.game.painter.scene(self.session.view(ascii_only=self.room.ascii_only)).text())
        if self.session.is_over:
            return
        seat = self.session.to_move
        self.write("Both to move." if seat is None else f"{self.game.seats[seat]} to move.")

    def moves(self) -> None:
        """What can be played."""
        seat = self.human_to_move()
        position = self.session.position
        texts = (self.game.notation.format_move(position, move) for move in self.session.moves_of(seat))
        self.write(" ".join(texts))

    def spell(self) -> None:
        """The position as text."""
        self.write(self.game.notation.format_position(self.session.position))

    def hint(self) -> None:
        """The next stage of the hint."""
        self.hints = min(self.hints + 1, LAST_STAGE)
        seat = self.human_to_move()
        for line in hint_lines(self.game, self.session.position, self.look(), seat, self.hints, self.analyst):
            self.write(line)
        if self.hints == LAST_STAGE:
            self.session.node.hinted.add(seat)

    def values(self) -> None:
        """What every move is worth."""
        self.session.node.hinted.add(self.human_to_move())
        for line in value_lines(self.game, self.session.position, self.look()):
            self.write(line)

    def why(self) -> None:
        """Best play after the last bad move."""
        if self.last_bad is None:
            self.write("The last move needs no refutation.")
            return
        position, move = self.last_bad
        if self.game.facts.simultaneous:
            self.write("It gives away expected score against the other side's mix; see values.")
            return
        line = refutation(self.game, position, move, self.analyst, self.budget())
        self.write("Best play after it: " + " ".join(format_line(self.game, position, line)))

    def undo(self) -> None:
        """Back to the last own decision."""
        self.changed(self.session.undo(), "Nothing to undo.")

    def redo(self) -> None:
        """Undo the last undo."""
        self.changed(self.session.redo(), "Nothing to redo.")

    def changed(self, done: bool, otherwise: str) -> None:
        """After stepping through the game: the board, or why it is the same."""
        self.tutor.rethink()
        self.hints = 0
        if done:
            self.board()
        else:
            self.write(otherwise)

    def keep(self) -> None:
        """Play the held move after all."""
        held = self.tutor.held
        if held is None:
            self.write("No move is held.")
            return
        text = self.game.notation.format_move(self.session.position, held.move)
        self.after_offer(text, self.tutor.keep())

    def rethink(self) -> None:
        """Forget the held move."""
        self.tutor.rethink()
        self.board()

    def resign(self) -> None:
        """Give up."""
        self.session.resign(self.human_to_move())

    def draw(self) -> None:
        """A draw by agreement: an engine agrees where the value is a draw."""
        seat = self.human_to_move()
        before = self.look()
        even = isinstance(before, Analysis) and before.value is not None and before.value == -before.value
        if self.session.chairs[other(seat)].is_human or even:
            self.session.agree_draw()
        else:
            self.write("The engine plays on.")

    def summary(self) -> None:
        """How it ended, and how well each person played."""
        for line in summary_lines(self.session):
            self.write(line)
