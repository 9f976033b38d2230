"""A game in lines: prints the board, reads a move, prints the verdict. For screen readers, scripts and dumb
terminals.

Knows no files, no terminal and no clock of its own: lines come from an iterator and go to a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from onlymove_engines.coach.hint import LAST_STAGE
from onlymove_engines.coach.refutation import format_line, refutation
from onlymove_engines.coach.tutor import Tutor, Verdict
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.value import Seat, other

from onlymove_tui.play.lines import hint_lines, spoken, summary_lines, value_lines
from onlymove_tui.play.table import PlainTable, Room

HELP = "type a move, or: board, moves, hint, values, why, undo, redo, keep, rethink, position, resign, draw, help, quit"


class PlainGame(PlainTable):
    """One game at the keyboard, in lines."""

    def __init__(self, tutor: Tutor, analyst: Any, room: Room) -> None:
        super().__init__(tutor, analyst, room)
        self.hints = 0
        self.last_bad: tuple[Any, Any] | None = None
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
                self.save()
        self.summary()
        return 0

    def introduce(self) -> None:
        """Who plays what."""
        seats = []
        for name, player in zip(self.game.seats, self.session.players, strict=True):
            who = "you" if player.is_human else f"engine, strength {player.strength}"
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
        self.save()
        if verdict.node is None:
            return
        if self.session.to_move is None or self.session.is_over:
            self.reveal()
        self.engines()
        self.board()

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
        if self.session.players[other(seat)].is_human or even:
            self.session.agree_draw()
        else:
            self.write("The engine plays on.")

    def summary(self) -> None:
        """How it ended, and how well each person played."""
        for line in summary_lines(self.session):
            self.write(line)
