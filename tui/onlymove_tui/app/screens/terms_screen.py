"""A game whose terms can be changed while it goes on: training, what is played for, who plays, giving up, a draw.

What comes of a change is for the board on which it is played.
"""

from __future__ import annotations

from functools import partial

from onlymove_engines.coach.tutor import Verdict
from onlymove_engines.core.game import Level
from onlymove_engines.match.match import Match
from onlymove_engines.match.rating import told
from onlymove_engines.play.players import Players

from onlymove_tui.app.board.confirming import Confirming
from onlymove_tui.app.messages import RatingTold
from onlymove_tui.app.panels import playing
from onlymove_tui.app.panels.telling import player_rows
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.play.phrases import PLAYS_ON, seating
from onlymove_tui.store.autosave import Autosave


def read_rating(autosave: Autosave, levels: tuple[Level, ...]) -> RatingTold:
    """Ask the store; for a worker. Raises StoreTrouble."""
    setup = autosave.setup
    games = autosave.store.rated().get(autosave.session.game.id, ())
    return RatingTold(told(levels, games, setup.rated, setup.unrated))


class TermsScreen(BoardScreen):
    """`autosave` keeps the game; `confirming` knows what is asked twice."""

    def __init__(self, match: Match, autosave: Autosave | None = None) -> None:
        super().__init__(match)
        self.autosave = autosave
        self.confirming = Confirming(self)
        self.rating = ""

    def begin(self, message: Row = ()) -> None:
        """The game stands elsewhere, or others play it."""

    def answer(self, verdict: Verdict) -> None:
        """What comes of a move that was offered."""

    def look_at(self, ply: int) -> None:
        self.confirming.forget()
        super().look_at(ply)

    def on_mount(self) -> None:
        """Where there is a clock, look at it every second."""
        if self.match.timing is not None:
            self.set_interval(1.0, self.look_at_clock)

    def set_clock(self) -> None:
        """Let the time of the side run that is to choose; of nobody while a choice waits for the other side."""
        match = self.match
        if match.timing is not None:
            match.timing.start(match.seat if match.waiting is None else None, match.node.ply)
            if match.keeper is not None:
                match.keeper.save()

    def look_at_clock(self) -> None:
        """The time is up, or is shown and kept: whoever kills the program gains none."""
        match = self.match
        if match.timing is None or match.session.is_over or not self.is_current or self.lose_on_time():
            return
        self.set_clock()
        self.table.show_players(player_rows(match, None, self.names_engines, self.table.note_width))
        self.show_docked()
        self.thinking.is_saved()

    def lose_on_time(self) -> bool:
        """Whether the side that is to choose has run out of time, and has lost."""
        timing = self.match.timing
        if timing is None or (late := timing.late) is None or self.match.session.is_over:
            return False
        timing.lose(late)
        self.match.resign(late, is_late=True)
        self.begin()
        return True

    def rate(self) -> None:
        """Find out what the game did to the player's rating, once it is over: `RatingTold`."""
        self.rating = ""
        if self.autosave is not None and self.match.session.is_over:
            self.fetch(partial(read_rating, self.autosave, self.match.game.levels), "rating")

    def on_rating_told(self, message: RatingTold) -> None:
        self.rating = message.text
        self.refresh_all()

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
