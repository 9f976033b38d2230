"""A game in lines: says the position, reads a move, says the verdict.

A front end of the match, which knows all law; this knows only what is typed and printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from onlymove_engines.coach.tutor import Verdict
from onlymove_engines.core.value import Seat
from onlymove_engines.match.disclosure import is_revealed, may_be_explained
from onlymove_engines.match.explanation import Explanation
from onlymove_engines.match.match import Match
from onlymove_engines.match.seats import parse_choice
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.players import BadPlayer, Player, PlayerKind, Players, read_players

from onlymove_tui.play.lines import introduction, summary_lines
from onlymove_tui.play.phrases import NO_REFUTATION, PLAYS_ON, has_chosen, judged, seating
from onlymove_tui.play.spoken import Spoken, Voice

AFTER = "Type undo to go back, or quit."


class LineMode(Spoken):
    """One game at the keyboard."""

    help_line = (
        "type a move, or: board, words, moves, hint, values, why, undo, redo, keep, rethink, position, resign, draw,"
        " players, players A,B, swap, help, quit"
    )

    def __init__(self, match: Match, voice: Voice) -> None:
        super().__init__(match, voice)
        self.trouble = ""
        self.commands |= {
            "why": self.why,
            "undo": lambda: self.stepped(self.match.undo(), "Nothing to undo."),
            "redo": lambda: self.stepped(self.match.redo(), "Nothing to redo."),
            "keep": self.keep,
            "rethink": self.rethink,
            "resign": self.resign,
            "draw": self.draw,
            "players": lambda: self.write(seating(self.game, self.session.players)),
            "swap": lambda: self.take_seats(self.session.players[::-1]),
        }

    def run(self, lines: Iterable[str]) -> None:
        """Play until the player quits or the lines end; a finished game can be taken back. Between engines, until it
        is over."""
        self.write(introduction(self.session))
        analyst = self.match.knowledge.analyst
        if analyst is not None and not analyst.is_reachable(self.session.position):
            self.write("No game leads to this position; it can be played all the same.")
        self.go_on()
        self.answer_all(lines, lambda: bool(self.session.human_seats()))

    def answer(self, line: str) -> None:
        """One line, and what is wrong with keeping the game; an empty one is nothing."""
        command, _, rest = line.partition(" ")
        if command.lower() == "players" and rest:
            self.seat(rest)
        elif line:
            super().answer(line)
        self.tell_trouble()

    def tell_trouble(self) -> None:
        """What is wrong with keeping the game, once."""
        if self.match.trouble and self.match.trouble != self.trouble:
            self.write(self.match.trouble)
        self.trouble = self.match.trouble

    # Moves.

    def take(self, text: str) -> None:
        """The player chose a move."""
        seat = self.chooser()
        move = parse_choice(self.session, seat, text)
        spelled = self.game.said(self.session.position, move)
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
            self.give_reasons()
            return
        if verdict.returned:
            self.write(f"{text} {judgement.glyph} {judgement.verdict()} {judgement.lost()}. Taken back: try again.")
            self.give_reasons()
            return
        if self.match.is_blind:
            self.write(has_chosen(self.game, seat))
        else:
            self.write(f"{text} {judged(judgement)}" if is_revealed(self.match) else text)
            if is_revealed(self.match):
                self.give_reasons()
        if verdict.node is not None:
            self.reveal(verdict.node)
            self.go_on()

    def give_reasons(self) -> None:
        """Why the last move that was offered is bad; of one that stands nothing about replies."""
        choice = self.match.offered
        self.given.clear()
        if choice is not None and may_be_explained(self.match):
            found = self.explanation(choice)
            self.give(choice, found.discreet if choice[0] is self.match.node else found.lasting)

    def sayable(self, found: Explanation) -> Sequence[str]:
        return found.discreet if may_be_explained(self.match) else ()

    def reveal(self, node: AnyNode) -> None:
        """What both have done in a simultaneous round; what two people's choices were worth is told only now."""
        if not self.match.is_simultaneous or node.parent is None:
            return
        assert isinstance(node.move, tuple), "a round is a pair of moves"
        steps = (f"{name} {move}" for name, move in zip(self.game.seats, node.move, strict=True))
        self.write(f"Round {node.ply}: {', '.join(steps)}.")
        if self.match.is_blind and is_revealed(self.match):
            for seat, judgement in sorted(node.judgements.items()):
                self.write(f"{self.game.seats[seat]}: {judged(judgement)}")

    def go_on(self) -> None:
        """Engines move until a person has to, or the game is over; the position is said."""
        self.engines()
        self.show()
        if self.session.is_over:
            self.finish()

    def finish(self) -> None:
        """How the game ended, and what a person can do now."""
        self.write_all(summary_lines(self.session))
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
                self.write(f"{self.game.seats[seat]} plays {self.game.said(position, move)}")

    # What can be typed besides a move.

    def why(self) -> None:
        """Best play after the held move, or the last one if it was bad."""
        refuted = self.match.refuted()
        if refuted is None:
            self.write(NO_REFUTATION)
        else:
            self.explain(*refuted)

    def seat(self, text: str) -> None:
        """Others play from here on, spelled as on the command line; a plain `engine` is the one that plays already."""
        engines = [player for player in self.session.players if not player.is_human]
        try:
            self.take_seats(read_players(self.game, text, engines[0] if engines else Player(PlayerKind.ENGINE)))
        except BadPlayer as refusal:
            self.write(str(refusal))

    def take_seats(self, players: Players) -> None:
        """These two play from here on."""
        self.match.set_players(players)
        self.write(seating(self.game, players))
        self.go_on()

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
        text = self.game.said(self.session.position, held.move)
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
