"""A game in which one side, or for a looker-on both, is played at another keyboard: the board that every game has, and
what is asked of the other side and by it. Nothing of what moves are worth is shown before the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.match import Match
from textual.timer import Timer

from onlymove_tui.app.panels import game_rows, status_lines
from onlymove_tui.app.screens.people import TablesFound, find_tables
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.layout import Docked
from onlymove_tui.lobby.challenges import find_another, find_rematch_place
from onlymove_tui.lobby.record_file import RecordTrouble
from onlymove_tui.lobby.replay import Request
from onlymove_tui.lobby.shared_game import LONGEST_NAME, shared_of

LOOK_SECONDS = 0.08
"""How often the records are looked at while the game goes on: a move is seen within a fifth of a second."""

ANOTHER_SECONDS = 2.0
"""How often, after the end, it is looked whether the other side wants to play again."""

AFTER_THE_END = frozenset({"review", "overlay", "drill_these"})
"""Commands that would tell what moves are worth."""
REQUESTS = frozenset({"agree_to", "decline"})
CHOOSING = frozenset({"choose", "ask_undo", "type_move", "rematch"})
"""Commands that only those have who sit there."""


class TablePlayScreen(PlayScreen, screen_id="table"):
    """Looks at the table as long as the game goes on, and leaves it when the board is closed."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.shared = shared_of(match)
        self.looking: Timer | None = None
        self.status: Row = ()
        self.is_studied = False
        self.asked_for: Request | None = None
        self.asking: Request | None = None
        self.asks_again = ""

    def on_mount(self) -> None:
        self.looking = self.set_interval(LOOK_SECONDS, self.look)
        self.set_interval(ANOTHER_SECONDS, self.look_for_another)

    def on_unmount(self) -> None:
        self.shared.close()

    # What comes from the table.

    def look(self) -> None:
        """Anything new: a move, a request, somebody who comes or goes. At the end nobody looks any more."""
        match = self.match
        if self.looking is not None and match.session.is_over:
            self.looking.stop()
            self.looking = None
        elif self.looking is not None:
            with self.speaking():
                is_new = self.shared.look()
                status = status_lines.status_with_others(match)
                if is_new:
                    self.follow()
                elif status != self.status:
                    self.changed()
                self.status = status

    def follow(self) -> None:
        """The game stands where the table says."""
        before = self.match.node
        if not self.match.follow():
            self.show_requests()
            return
        if self.board.playback.frames:
            self.board.playback.stand_still()
        if self.match.node.parent is before:
            self.moved(())
        else:
            self.begin([("Taken back.", Tone.DIM)] if self.match.node.ply < before.ply else ())

    def show_requests(self) -> None:
        """What is asked for now; no answer to it counts before it has been seen."""
        asked, asking = self.asked_for, self.asking
        self.asked_for, self.asking = self.shared.request(), self.shared.own_request()
        if self.asked_for is not None and self.asked_for != asked:
            self.board.let_it_be_seen()
        if asking is not None and self.asking is None and not self.match.session.is_over:
            self.board.message = [("The other side declines.", Tone.DIM)]
        self.changed()

    def begin(self, message: Row = ()) -> None:
        self.asked_for, self.asking = self.shared.request(), self.shared.own_request()
        super().begin(message)

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """What is wrong with a record is told in one line."""
        try:
            yield
        except RecordTrouble as trouble:
            self.say(f"{str(trouble).capitalize()}.", Tone.ERROR)

    # What is done here.

    def take_move(self, seat: Seat, move: Move) -> None:
        with self.speaking():
            super().take_move(seat, move)

    def action_ask_undo(self) -> None:
        """Back to one's own last decision, if the other side agrees."""
        if not self.board.playback.is_live:
            self.action_back()
            return
        with self.speaking():
            self.say("" if self.shared.ask_undo(self.match) else "There is nothing to take back.", Tone.DIM)
            self.show_requests()

    def action_draw(self) -> None:
        if not self.confirming.is_given("draw"):
            self.say("A draw? D again offers it, any other key goes on.", Tone.STRONG)
            return
        with self.speaking():
            if self.match.offer_draw(self.match.near_seat):
                self.begin()
            else:
                self.say("")
                self.show_requests()

    def action_resign(self) -> None:
        with self.speaking():
            super().action_resign()

    def action_agree_to(self) -> None:
        self.answer_request(True)

    def action_decline(self) -> None:
        self.answer_request(False)

    def answer_request(self, agrees: bool) -> None:
        if self.board.guard.is_open:
            with self.speaking():
                self.shared.answer(agrees)
                if self.match.follow():
                    self.begin()
                self.show_requests()

    def is_possible(self, action: str) -> bool:
        if action in REQUESTS:
            return self.shared.request() is not None
        if action in AFTER_THE_END and not self.match.session.is_over:
            return False
        if action in CHOOSING and self.shared.own is None:
            return False
        if action in ("ask_undo", "type_move"):
            return not self.match.session.is_over
        return super().is_possible(action)

    # Afterwards.

    def inquire(self) -> None:
        """What the moves were worth, once the game is over."""
        super().inquire()
        if self.match.session.is_over and self.match.knowledge.is_settled and not self.is_studied:
            self.is_studied = True
            self.board.thinking.has_collected = False
            self.board.look(*self.match.node.path())

    def learned(self) -> None:
        super().learned()
        path = self.match.node.path()[:-1]
        if self.is_studied and not any(self.match.knowledge.is_coming(node) for node in path):
            self.collect()

    def look_for_another(self) -> None:
        """Whether the other side wants to play again."""
        room = self.services.room
        if room is not None and self.match.session.is_over and self.shared.own is not None and self.is_current:
            self.fetch(partial(find_tables, room), self.take_tables, "tables")

    def take_tables(self, listed: TablesFound) -> None:
        room, table = self.services.room, self.shared
        if room is None or table.own is None:
            return
        found = find_another(room, table, table.own, listed.tables)
        name = "" if found is None or found.is_mine else found.first[:LONGEST_NAME]
        if name != self.asks_again:
            self.asks_again = name
            self.changed()

    def action_rematch(self, swapped: int) -> None:
        """Sit down where the other side waits for another game, or wait there for it."""
        room, table = self.services.room, self.shared
        if room is not None and (own := table.own) is not None:
            find = partial(find_rematch_place, room, table, own, bool(swapped))
            self.fetch(find, partial(self.open, "waiting"), "again", keys_wait=True)

    # What is shown.

    def heading(self) -> tuple[Row, Row]:
        return game_rows.game_title(self.match), status_lines.terms_with_others(self.match)

    def docked(self) -> Docked:
        board, playback = self.board, self.board.playback
        if playback.refutation is not None or playback.is_past:
            return super().docked()
        prefix, message = board.entering.prefix, board.message
        return status_lines.lines_with_others(
            self.match, playback.result, prefix, message, self.asks_again, self.new_drills
        )
