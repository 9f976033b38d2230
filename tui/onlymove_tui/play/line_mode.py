"""A game in lines: prints the board, reads a move, prints the verdict. For screen readers, scripts and dumb
terminals.

A front end of the match, which knows all law; this knows only what is typed and printed. It has no files, no
terminal and no clock of its own: lines come from an iterator and go to a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from onlymove_engines.coach.tutor import Verdict
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import GameOver, OnlymoveError
from onlymove_engines.core.value import Seat
from onlymove_engines.play.line import AnyNode

from onlymove_tui.play.disclosure import is_revealed
from onlymove_tui.play.lines import hint_lines, introduction, summary_lines, value_lines
from onlymove_tui.play.match import Match
from onlymove_tui.play.phrases import NO_LINE, NO_REFUTATION, PLAYS_ON, has_chosen, judged
from onlymove_tui.play.seating import parse_choice

HELP = "type a move, or: board, moves, hint, values, why, undo, redo, keep, rethink, position, resign, draw, help, quit"
AFTER = "Type undo to go back, or quit."


class LineMode:
    """One game at the keyboard, in lines: they go to `write`; `clock` gives seconds."""

    def __init__(
        self, match: Match, write: Callable[[str], None], clock: Callable[[], float], ascii_only: bool = False
    ) -> None:
        self.match = match
        self.session = match.session
        self.game = match.game
        self.write = write
        self.clock = clock
        self.ascii_only = ascii_only
        self.trouble = ""
        self.commands: dict[str, Callable[[], None]] = {
            "board": self.board,
            "moves": self.moves,
            "hint": self.hint,
            "values": self.values,
            "why": self.why,
            "undo": lambda: self.stepped(self.match.undo(), "Nothing to undo."),
            "redo": lambda: self.stepped(self.match.redo(), "Nothing to redo."),
            "keep": self.keep,
            "rethink": self.rethink,
            "position": lambda: self.write(self.game.notation.format_position(self.session.position)),
            "resign": self.resign,
            "draw": self.draw,
            "help": lambda: self.write(HELP),
        }

    def run(self, lines: Iterable[str]) -> None:
        """Play until the player quits or the lines end; a finished game can be taken back. Between engines, until it
        is over."""
        self.write(introduction(self.session))
        analyst = self.match.knowledge.analyst
        if analyst is not None and not analyst.is_reachable(self.session.position):
            self.write("No game leads to this position; it can be played all the same.")
        self.go_on()
        reader: Iterator[str] = iter(lines)
        while self.session.human_seats() and (line := next(reader, "quit")) != "quit":
            if line:
                self.answer(line)
                self.tell_trouble()

    def answer(self, line: str) -> None:
        """One line of the player's: a command or a move."""
        command = self.commands.get(line.lower())
        try:
            if command is not None:
                command()
            else:
                self.offer(line)
        except OnlymoveError as refusal:
            self.write(str(refusal) if command is not None else f"Not played: {refusal}")

    def tell_trouble(self) -> None:
        """What is wrong with keeping the game, once."""
        if self.match.trouble and self.match.trouble != self.trouble:
            self.write(self.match.trouble)
        self.trouble = self.match.trouble

    # Moves.

    def chooser(self) -> Seat:
        """Whose move is read. Raises GameOver: engines have moved, and some person is to, unless it is over."""
        seat = self.match.seat
        if seat is None:
            raise GameOver("the game is over")
        return seat

    def offer(self, text: str) -> None:
        """The player chose a move."""
        seat = self.chooser()
        move = parse_choice(self.session, seat, text)
        spelled = self.game.notation.format_move(self.session.position, move)
        self.find_out()
        verdict = self.match.offer(seat, move)
        if verdict is None:
            # A held choice was thought over: the engine draws again before the new one is taken.
            self.engines()
            verdict = self.match.release()
        assert verdict is not None, "nothing else is waited for"
        self.told(spelled, seat, verdict)

    def told(self, text: str, seat: Seat, verdict: Verdict) -> None:
        """Say what came of a move; after one that stands the engines answer."""
        judgement = verdict.judgement
        if verdict.held is not None:
            self.write(f"{text} {judgement.glyph} {judgement.verdict()} {judgement.lost()}. Held: keep or rethink?")
            return
        if verdict.returned:
            self.write(f"{text} {judgement.glyph} {judgement.verdict()} {judgement.lost()}. Taken back: try again.")
            return
        if self.match.is_blind:
            self.write(has_chosen(self.game, seat))
        else:
            self.write(f"{text} {judged(judgement)}" if is_revealed(self.match) else text)
        if verdict.node is not None:
            self.reveal(verdict.node)
            self.go_on()

    def reveal(self, node: AnyNode) -> None:
        """What both have done in a simultaneous round; what two people's choices were worth is told only now."""
        if not self.match.is_simultaneous or node.parent is None:
            return
        self.write(f"Round {node.ply}: {self.game.notation.format_move(node.parent.position, node.move)}")
        if self.match.is_blind and is_revealed(self.match):
            for seat, judgement in sorted(node.judgements.items()):
                self.write(f"{self.game.seats[seat]}: {judged(judgement)}")

    def go_on(self) -> None:
        """Engines move until a person has to, or the game is over; the board is printed."""
        self.engines()
        self.board()
        if self.session.is_over:
            self.finish()

    def finish(self) -> None:
        """How the game ended, and what a person can do now."""
        for line in summary_lines(self.session):
            self.write(line)
        if self.session.human_seats():
            self.write(AFTER)

    def engines(self) -> None:
        """Every engine that owes a move makes it."""
        while owing := self.match.engines_to_choose():
            self.find_out()
            seat, position = owing[0], self.session.position
            move = self.match.thought(seat)(self.budget())
            node = self.match.take_reply(seat, move)
            self.tell_trouble()
            if self.match.is_simultaneous and node is not None:
                self.reveal(node)
            elif node is not None:
                self.write(f"{self.game.seats[seat]} plays {self.game.notation.format_move(position, move)}")

    def budget(self) -> Budget:
        """As long as one question may take."""
        return Budget.seconds(self.match.knowledge.patience, self.clock)

    def find_out(self) -> None:
        """What the moves from here are worth, if that is not known yet; why not, if it cannot be found out."""
        question, node = self.match.question(), self.match.node
        if question is None:
            return
        try:
            self.match.learn(node.id, question(self.budget()))
        except OnlymoveError as refusal:
            self.match.learn(node.id, None)
            self.write(str(refusal))

    # What can be typed besides a move.

    def board(self) -> None:
        """The picture of the position, and who is to move."""
        self.write(self.game.painter.scene(self.session.view(ascii_only=self.ascii_only)).text())
        if self.session.is_over:
            return
        seat = self.session.to_move
        self.write("Both to move." if seat is None else f"{self.game.seats[seat]} to move.")

    def moves(self) -> None:
        """What can be played."""
        position, spell = self.session.position, self.game.notation.format_move
        self.write(" ".join(spell(position, move) for move in self.session.moves_of(self.chooser())))

    def hint(self) -> None:
        """The next stage of the hint."""
        self.chooser()
        self.find_out()
        climb = self.match.climb()
        for line in ["No hint now."] if climb is None else hint_lines(climb()):
            self.write(line)

    def values(self) -> None:
        """What every move is worth."""
        self.chooser()
        self.find_out()
        known = self.match.values()
        if known is None:
            self.write("No values now.")
            return
        self.match.advice.mark_shown()
        for line in value_lines(self.game, self.session.position, known):
            self.write(line)

    def why(self) -> None:
        """Best play after the held move, or the last one if it was bad."""
        refuted = self.match.refuted()
        if refuted is None:
            self.write(NO_REFUTATION)
            return
        search = self.match.advice.refutation(*refuted)
        if search is None:
            self.write(NO_LINE)
        else:
            self.write("Best play after it: " + " ".join(search(self.budget()).texts))

    def stepped(self, done: bool, otherwise: str) -> None:
        """After stepping through the game: the board, or why it is the same."""
        if done:
            self.go_on()
        else:
            self.write(otherwise)

    def keep(self) -> None:
        """Play the held move after all."""
        held = self.match.tutor.held
        if held is None:
            self.write("No move is held.")
            return
        text = self.game.notation.format_move(self.session.position, held.move)
        self.told(text, held.seat, self.match.keep())

    def rethink(self) -> None:
        """Forget the held move."""
        self.match.rethink()
        self.go_on()

    def resign(self) -> None:
        """Give up."""
        self.match.resign(self.match.speaking_seat)
        self.finish()

    def draw(self) -> None:
        """Offer a draw."""
        self.find_out()
        if self.match.offer_draw(self.match.speaking_seat):
            self.finish()
        else:
            self.write(PLAYS_ON)
