"""A game whose terms can be changed while it goes on: training, what is played for, who plays, giving up, a draw.

What comes of a change is for the board on which it is played.
"""

from __future__ import annotations

from onlymove_engines.coach.tutor import Verdict
from onlymove_engines.play.players import Players

from onlymove_tui.app.board.confirming import Confirming
from onlymove_tui.app.panels import playing
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.match import Match
from onlymove_tui.play.phrases import PLAYS_ON, seating
from onlymove_tui.store.games import Autosave


class TermsScreen(BoardScreen):
    """`autosave` keeps the game; `confirming` knows what is asked twice."""

    def __init__(self, match: Match, autosave: Autosave | None = None) -> None:
        super().__init__(match)
        self.autosave = autosave
        self.confirming = Confirming(self)

    def begin(self, message: Row = ()) -> None:
        """The game stands elsewhere, or others play it."""

    def answer(self, verdict: Verdict) -> None:
        """What comes of a move that was offered."""

    def look_at(self, ply: int) -> None:
        self.confirming.forget()
        super().look_at(ply)

    def action_training(self) -> None:
        """Training on or off; a held move is played when nothing is held any more."""
        if (verdict := self.match.set_training(not self.match.training)) is not None:
            self.answer(verdict)
        self.say("Training on: bad moves are held." if self.match.training else "Training off.", Tone.DIM)
        self.refresh_all()

    def action_objective(self) -> None:
        self.match.toggle_objective()
        self.say(f"Playing for {playing.OBJECTIVES[self.match.coaching.objective]}.", Tone.DIM)
        self.refresh_all()

    def action_swap(self) -> None:
        self.take_players(self.match.session.players[::-1])

    def action_players(self) -> None:
        self.services.change_players(self.match, self.take_players)

    def take_players(self, players: Players) -> None:
        """These two play from here on."""
        self.match.set_players(players)
        if self.flipped != self.match.is_turned:
            self.action_flip()
        self.begin([(seating(self.match.game, players), Tone.DIM)])

    def action_rematch(self, swapped: int) -> None:
        self.services.rematch(self.match, self.autosave, bool(swapped))

    def action_resign(self) -> None:
        if not self.confirming.is_given("resign"):
            self.say("Resign? R again gives the game up, any other key goes on.", Tone.STRONG)
        else:
            self.match.resign(self.match.speaking_seat)
            self.begin()

    def action_draw(self) -> None:
        if not self.confirming.is_given("draw"):
            self.say("A draw? D again offers it, any other key goes on.", Tone.STRONG)
        elif self.match.offer_draw(self.match.speaking_seat):
            self.begin()
        else:
            self.say(PLAYS_ON, Tone.DIM)
