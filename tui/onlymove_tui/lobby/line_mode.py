"""Plays a shared game in lines of text, like every line mode. It prints what your opponent does, and reads your moves
and answers. It never says what moves are worth."""

from __future__ import annotations

from collections.abc import Iterable

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.value import Seat
from onlymove_engines.match.clock import describe_time
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.session import parse_choice

from onlymove_tui.lobby.replay import Request
from onlymove_tui.lobby.shared_game import get_shared_game
from onlymove_tui.play.line_mode import LineMode, Voice, introduction
from onlymove_tui.play.phrases import ending_text, hidden_choice_text

AFTER = "To have this game judged, run: onlymove review"
SENT = "Your request was sent. Your opponent can agree or decline."
WARNINGS = (60, 30, 10)
"""The player gets a warning when this many seconds are left."""


class NotYourTurn(OnlymoveError):
    """It is your opponent's turn, or you have already chosen your move."""


class SharedLineMode(LineMode):
    """Your side of a shared game, in lines of text."""

    help_line = (
        "Type a move, or one of: board, words, moves, rules, position, clock, undo, draw, agree, decline, resign, help,"
        " quit. Your opponent has to agree to undo and draw."
    )

    def __init__(self, match: Match, voice: Voice) -> None:
        super().__init__(match, voice)
        self.shared = get_shared_game(match)
        self.near = match.session.near_seat
        self.opponent = match.session.players[1 - self.near].name
        self.asked: Request | None = None
        self.asking: Request | None = None
        self.is_alone = False
        self.warned = 0
        self.stood = match.node
        """The node on the board when requests were last written."""
        shown = ("", "board", "words", "moves", "rules", "position", "resign", "draw", "help")
        self.commands = {name: self.commands[name] for name in shown} | {
            "clock": self.write_clock,
            "undo": self.ask_undo,
            "agree": lambda: self.reply(True),
            "decline": lambda: self.reply(False),
        }

    def run(self, lines: Iterable[str | None]) -> None:
        """Play until the game is over, the player quits or the lines end. `None` means that no line has come yet."""
        self.write(introduction(self.session))
        if self.match.clock is not None:
            self.write(f"Clock: {self.match.clock.control.describe()}.")
        self.go_on()
        self.answer_all(lines, lambda: not self.session.is_over)

    def answer(self, line: str | None = None) -> None:
        """Write what is new: a move, a request, or that your opponent has come or gone. Then answer a line. Raises
        RecordTrouble."""
        before = self.match.node
        self.shared.look()
        if self.match.follow_remote():
            self.write_progress(before)
        self.write_requests()
        if self.session.is_over:
            return
        is_alone = not self.shared.is_here(1 - self.near)
        if is_alone != self.is_alone:
            waits = "The game waits, but the clock is running." if self.match.clock is not None else "The game waits."
            self.write(f"{self.opponent} is away. {waits}" if is_alone else f"{self.opponent} is back.")
        self.is_alone = is_alone
        if self.match.clock is not None:
            left = self.match.clock.seconds_left[self.near]
            if count_warnings(left) > self.warned:
                self.write(f"You have {describe_time(left)}.")
            self.warned = count_warnings(left)
        super().answer(line)

    def write_progress(self, before: AnyNode) -> None:
        node = self.match.node
        if node.ply < before.ply:
            self.write("Taken back.")
        elif node.parent is before and self.match.is_simultaneous:
            self.reveal(node)
        elif node.parent is before:
            seat = before.to_move or 0
            self.write(f"{self.game.seats[seat]} plays {self.game.describe_move(before.position, node.move)}")
        self.go_on()

    def write_requests(self) -> None:
        """Write, once, a new request from your opponent, or that your opponent has declined yours."""
        asked, asking = self.asked, self.asking
        stood, self.stood = self.stood, self.match.node
        self.asked, self.asking = self.shared.find_request(), self.shared.find_own_request()
        if self.asked is not None and self.asked != asked:
            self.write(f"{self.opponent} {self.asked.sentence} Type agree or decline.")
        if asking is not None and self.asking is None and not self.session.is_over and self.stood is stood:
            # A request also ends when the game continues.
            self.write(f"{self.opponent} declines.")

    def go_on(self) -> None:
        super().go_on()
        if self.match.clock is not None and not self.session.is_over:
            self.write_clock()

    def write_clock(self) -> None:
        if (clock := self.match.clock) is None:
            self.write("There is no clock.")
            return
        left = clock.seconds_left
        own, theirs = describe_time(left[self.near]), describe_time(left[1 - self.near])
        self.warned = count_warnings(left[self.near])
        self.write(f"You have {own}. {self.opponent} has {theirs}.")

    def chooser(self) -> Seat:
        """Return your own seat. Raises GameOver, and NotYourTurn if you cannot choose now."""
        if self.match.session.choosing_seat is None and not self.session.is_over:
            raise NotYourTurn("it is not your turn")
        return super().chooser()

    def take(self, text: str) -> None:
        seat = self.chooser()
        before, move = self.match.node, parse_choice(self.session, seat, text)
        self.match.offer(seat, move)
        if self.match.node is before:
            self.write(hidden_choice_text(self.session, seat))
        else:
            self.write_progress(before)

    def ask_undo(self) -> None:
        self.write(SENT if self.shared.ask_undo(self.match) else "There is nothing to take back.")
        self.write_requests()

    def draw(self) -> None:
        if self.match.offer_draw(self.near):
            self.finish()
        else:
            self.write(SENT)
            self.write_requests()

    def reply(self, agrees: bool) -> None:
        before, request = self.match.node, self.shared.find_request()
        if request is None:
            self.write("There is no request to answer.")
        else:
            self.shared.answer(agrees)
            if self.match.follow_remote():
                self.write_progress(before)

    def finish(self) -> None:
        assert self.session.result is not None, "the game is over"
        self.write(ending_text(self.game, self.session.result))
        self.write(AFTER)


def count_warnings(left: float) -> int:
    return sum(left <= seconds for seconds in WARNINGS)
