"""The screen of a game between users of one machine: it follows the records of both, and asks and answers requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove.pictures.colours import Tone
from onlymove_engines.live.live_game import LiveGame
from textual import on
from textual.message import Message
from textual.timer import Timer

from onlymove_tui.app.base_screen import finds
from onlymove_tui.app.panels import status_lines
from onlymove_tui.app.screens.play import PLAYED, PlayScreen
from onlymove_tui.app.widgets.canvas import Row, are_same
from onlymove_tui.app.widgets.layout import Docked
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge, find_next_challenge, find_rematch_place
from onlymove_tui.lobby.lobby import Lobby, LobbyEntry, list_entries
from onlymove_tui.lobby.record_file import RecordTrouble
from onlymove_tui.lobby.replay import Request
from onlymove_tui.lobby.shared_game import MAX_NAME_LENGTH, get_shared_game
from onlymove_tui.play.phrases import NOTHING_TO_UNDO
from onlymove_tui.play.situations import Choosing, End, HiddenChoice, Requested, Situation, Thinking


@dataclass
class PlaceFound(Message, bubble=False):
    """Posted when there is a challenge to play the same game again."""

    place: OpenChallenge | JoinedChallenge


@dataclass
class LobbyListed(Message, bubble=False):
    """Posted when the lobby has been read, after a game."""

    listed: Sequence[LobbyEntry]


class SharedPlayScreen(PlayScreen):
    """Plays a shared game against an opponent at another keyboard, or shows one to a spectator. It follows the moves
    and requests of the others until the game is over. Until then, no value of a move is shown. `looking` is the timer
    that reads the records, and `None` after the end. `asked_for` and `asking` are the open requests of the opponent and
    of this player. `asks_again` is the name of an opponent who wants to play again."""

    undo_command = "ask_undo"

    def __init__(self, live: LiveGame) -> None:
        super().__init__(live)
        self.shared = get_shared_game(live)
        self.progress = PLAYED
        self.looking: Timer | None = None
        self.others_status: Row = ()
        self.is_studied = False
        self.asked_for: Request | None = None
        self.asking: Request | None = None
        self.asks_again = ""

    def on_mount(self) -> None:
        self.looking = self.set_interval(self.services.timers.record, self.check_record)
        self.set_interval(self.services.timers.rematch, self.find_rematch_offer)

    def on_unmount(self) -> None:
        self.shared.close()

    def check_record(self) -> None:
        """Check for a move, a request, or a player who comes or goes. Stop after the end of the game."""
        if self.looking is not None and self.live.session.is_over:
            self.looking.stop()
            self.looking = None
        elif self.looking is not None:
            try:
                is_new = self.shared.look()
                status = status_lines.status_with_others(self.live)
                if is_new:
                    self.follow_others()
                elif not are_same([status], [self.others_status]):
                    self.mark_changed()
                self.others_status = status
            except RecordTrouble as trouble:
                self.say(str(trouble), Tone.ERROR)

    def follow_others(self) -> None:
        """Show the move or the request that others have added to their records."""
        before = self.live.node
        if not self.live.follow_remote():
            self.show_requests()
            return
        self.ends_animation()
        if self.live.node.parent is before:
            self.show_move(())
            self.services.ring_for_turn(self.live)
        else:
            self.begin([("Taken back.", Tone.DIM)] if self.live.node.ply < before.ply else ())

    def begin(self, message: Row = ()) -> None:
        self.note_requests()
        super().begin(message)

    def note_requests(self) -> None:
        self.asked_for, self.asking = self.shared.find_request(), self.shared.find_own_request()

    def show_requests(self) -> None:
        """Show the open requests. An answer counts only after the player has seen the request."""
        asked, asking = self.asked_for, self.asking
        self.note_requests()
        if self.asked_for is not None and self.asked_for != asked:
            self.guard.restart()
        if asking is not None and self.asking is None and not self.live.session.is_over:
            self.message = [("Your opponent declines.", Tone.DIM)]
        self.mark_changed()

    def action_ask_undo(self) -> None:
        if not self.situation.is_live:
            self.action_back()
            return
        self.say("" if self.shared.ask_undo(self.live) else NOTHING_TO_UNDO, Tone.DIM)
        self.show_requests()

    def action_answer_request(self, agrees: bool) -> None:
        if self.guard.is_open:
            self.shared.answer(agrees)
            if self.live.follow_remote():
                self.begin()
            self.show_requests()

    def go_on_after_offer(self) -> None:
        self.say("")
        self.show_requests()

    def action_rematch(self, swapped: int) -> None:
        """Play again. Join your opponent's new challenge, or open one and wait there."""
        lobby = self.services.lobby
        if lobby is not None and self.shared.own is not None:
            self.find_place(lobby, bool(swapped))

    @finds("again", keys_wait=True)
    def find_place(self, lobby: Lobby, swapped: bool) -> Message:
        return PlaceFound(find_rematch_place(lobby, self.shared, swapped))

    @on(PlaceFound)
    def wait_there(self, message: PlaceFound) -> None:
        self.open("waiting", message.place)

    def find_rematch_offer(self) -> None:
        lobby = self.services.lobby
        if lobby is not None and self.live.session.is_over and self.shared.own is not None and self.is_current:
            self.list_lobby(lobby)

    @finds("lobby")
    def list_lobby(self, lobby: Lobby) -> Message:
        return LobbyListed(list_entries(lobby))

    @on(LobbyListed)
    def show_rematch_offer(self, message: LobbyListed) -> None:
        lobby = self.services.lobby
        if lobby is None or self.shared.own is None:
            return
        found = find_next_challenge(lobby, self.shared, message.listed)
        name = "" if found is None or found.is_mine else found.first[:MAX_NAME_LENGTH]
        if name != self.asks_again:
            self.asks_again = name
            self.mark_changed()

    def ask_for_values(self) -> None:
        super().ask_for_values()
        self.study()

    def study(self) -> None:
        """Once the game is over, find the values of all its positions, and judge its moves."""
        if self.live.session.is_over and self.live.is_analyst_settled and not self.is_studied:
            self.is_studied = True
            self.has_collected = False
            self.questions.ask_for_values(*self.live.node.path())

    def handle_values(self) -> None:
        """Make drills of the mistakes when all moves are judged."""
        super().handle_values()
        path = self.live.node.path()[:-1]
        if self.is_studied and not any(self.live.awaits_values(node) for node in path):
            self.collect()

    def title_rows(self) -> tuple[Row, Row]:
        """Return the rows of the title bar. The solved value is left out on a narrow screen, because the rest can
        grow."""
        title, terms = super().title_rows()
        return title[:1] if self.has_class("-narrow") else title, terms

    def describe_terms(self) -> str:
        return "shared game" if self.shared.own else "watching"

    def describe_request(self) -> str:
        return status_lines.describe_request(self.live)

    def describe(self, situation: Situation) -> Docked:
        live, message = self.live, self.message
        match situation:
            case Requested(asks=asks):
                return status_lines.ask([(asks, Tone.STRONG)], situation.keys)
            case End():
                return self.end_lines(situation, message or status_lines.rematch_row(self.asks_again))
            case Choosing(prefix=prefix):
                turn = status_lines.turn_line(live, prefix)
                return Docked([turn, message or status_lines.status_with_others(live)])
            case HiddenChoice() | Thinking():
                turn = status_lines.turn_of_others(live)
                return Docked([turn, message or status_lines.status_with_others(live)])
        return super().describe(situation)
