"""A position in lines: what can be asked about it. For screen readers, scripts and dumb terminals.

The base of the game, the drills and the review in lines. It has no files, no terminal and no clock of its own:
lines come from an iterator and go to a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import GameOver, OnlymoveError
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.explanation import Explanation, Key, SeatMove, key_of
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode

from onlymove_tui.play.lines import hint_lines, value_lines
from onlymove_tui.play.measuring import leads_said
from onlymove_tui.play.phrases import NO_LINE


@dataclass(frozen=True, slots=True)
class Voice:
    """Where lines go, and how: `clock` gives seconds, with `draws` a position is a picture instead of words."""

    write: Callable[[str], None]
    clock: Callable[[], float]
    draws: bool = False
    ascii_only: bool = False


class Spoken:
    """A board in lines, and the commands that every kind of it knows. `node` is the moment that is spoken of."""

    help_line = ""

    def __init__(self, match: Match, voice: Voice) -> None:
        self.voice = voice
        self.write = voice.write
        self.sit_down(match)
        self.commands: dict[str, Callable[[], None]] = {
            "board": self.board,
            "words": self.words,
            "moves": self.moves,
            "hint": self.hint,
            "values": self.values,
            "position": lambda: self.write(self.game.notation.format_position(self.node.position)),
            "help": lambda: self.write(self.help_line),
        }

    def sit_down(self, match: Match) -> None:
        """This match is spoken of from now on."""
        self.match = match
        self.session = match.session
        self.game = match.game
        self.given: set[tuple[Key, str]] = set()

    @property
    def node(self) -> AnyNode:
        """The moment that is spoken of."""
        return self.match.node

    def answer_all(self, lines: Iterable[str], goes_on: Callable[[], bool]) -> None:
        """Answer one line after the other until the player quits, the lines end or nothing goes on."""
        reader: Iterator[str] = iter(lines)
        while goes_on() and (line := next(reader, "quit")) != "quit":
            self.answer(line)

    def answer(self, line: str) -> None:
        """One line of the player's: a command or something else."""
        command = self.commands.get(line.lower())
        try:
            if command is not None:
                command()
            else:
                self.take(line)
        except OnlymoveError as refusal:
            self.write(str(refusal) if command is not None else f"Not played: {refusal}")

    def take(self, text: str) -> None:
        """What was typed is no command."""

    # The position.

    def show(self) -> None:
        """The position as the player wants it, and who is to move."""
        if self.voice.draws:
            self.board()
        else:
            self.words()

    def board(self) -> None:
        """The picture of the position, and who is to move."""
        view = self.session.line.view(self.node, ascii_only=self.voice.ascii_only)
        self.write(self.game.painter.scene(view).text())
        self.say_mover()

    def words(self) -> None:
        """The position in sentences, and who is to move."""
        for sentence in self.game.described(self.node.position):
            self.write(sentence)
        self.say_mover()

    def say_mover(self) -> None:
        """Who is to move, while the game goes on."""
        is_over = self.session.is_over if self.node is self.match.node else self.node.result is not None
        if not is_over:
            seat = self.game.rules.to_move(self.node.position)
            self.write("Both to move." if seat is None else f"{self.game.seats[seat]} to move.")

    # What can be asked.

    def chooser(self) -> Seat:
        """Whose move is read. Raises GameOver."""
        seat = self.match.seat
        if seat is None:
            raise GameOver("the game is over")
        return seat

    def moves(self) -> None:
        """What can be played."""
        spell, allowed = self.game.said, self.session.moves_of(self.chooser())
        self.write(" ".join(spell(self.node.position, move) for move in allowed))

    def hint(self) -> None:
        """The next stage of the hint."""
        self.chooser()
        self.find_out()
        climb = self.match.climb()
        if climb is None:
            self.write("No hint now.")
            return
        self.write_all(hint_lines(self.game, self.node.position, self.match.values(self.node), climb()))

    def values(self) -> None:
        """What every move is worth."""
        self.find_out()
        known = self.match.values(self.node)
        if known is None:
            self.write("No values now.")
            return
        self.match.advice.mark_shown()
        self.write_all(value_lines(self.game, self.node.position, known, self.match.speaking_seat))
        find = self.match.advice.chances() if self.node is self.match.node else None
        ahead = leads_said(self.game, self.node.position, self.match.knowledge.leads(self.node))
        self.write_all(said for said in (ahead, "" if find is None else find(self.budget())) if said)

    def explain(self, node: AnyNode, move: Move) -> None:
        """Best play after a move."""
        search = self.match.advice.refutation(node, move)
        if search is None:
            self.write(NO_LINE)
        else:
            self.write("Best play after it: " + " ".join(search(self.budget()).texts))
            seat = self.game.rules.to_move(node.position)
            assert seat is not None, "where both move at once no line is looked for"
            choice = (node, seat, move)
            self.give(choice, self.sayable(self.explanation(choice)))

    def give(self, choice: SeatMove, reasons: Iterable[str]) -> None:
        """Why a move is bad, as far as that has not been said since it was made or gone to."""
        fresh = [reason for reason in reasons if (key_of(choice), reason) not in self.given]
        self.given |= {(key_of(choice), reason) for reason in fresh}
        self.write_all(fresh)

    def explanation(self, choice: SeatMove) -> Explanation:
        """Why a judged move is bad, which is found out now if it is not known."""
        return self.match.explain(choice, self.budget())

    def sayable(self, found: Explanation) -> Sequence[str]:
        """What may be said here of a move that can be thought over."""
        return found.discreet

    def write_all(self, lines: Iterable[str]) -> None:
        """Some lines."""
        for line in lines:
            self.write(line)

    def budget(self) -> Budget:
        """As long as one question may take."""
        return Budget.seconds(self.match.knowledge.patience, self.voice.clock)

    def find_out(self, node: AnyNode | None = None) -> None:
        """What the moves from here are worth, if that is not known yet; why not, if it cannot be found out."""
        node = node or self.node
        question = self.match.question(node)
        if question is None:
            return
        try:
            self.match.learn(node.id, question(self.budget()))
        except OnlymoveError as refusal:
            self.match.learn(node.id, None)
            self.write(str(refusal))
