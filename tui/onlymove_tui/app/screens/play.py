"""The game being played: what a player can ask for besides moving. All law and judgement is the match's."""

from __future__ import annotations

from time import monotonic

from onlymove_engines.core.budget import Budget

from onlymove_tui.app.screens.course import Course
from onlymove_tui.app.screens.display import OBJECTIVES
from onlymove_tui.app.services import Players
from onlymove_tui.app.widgets.tones import Tone

WHY_SECONDS = 2.0
WHILE_PLAYING = frozenset(
    {"hint", "values", "type_move", "training", "resign", "draw", "swap", "die", "pause", "players"}
)
"""What makes no sense once the game is over."""


class PlayScreen(Course, screen_id="play"):
    """A board, somebody to play against, and a tutor."""

    def before_key(self, key: str) -> bool:
        """Any key skips an animation, one that holds two engines does it as well, and any key but the same again
        withdraws a question."""
        if self.frames and key not in ("q", "ctrl+q"):
            self.stand_still()
            return not (self.is_key_of(key, "pause") and self.is_possible("pause"))
        if self.asked and not self.is_key_of(key, self.asked):
            self.asked = ""
            self.message = ()
            self.show_notice()
        return False

    def action_choose(self) -> None:
        """Pick the target under the cursor, keep a held move, or go back to the game."""
        if self.why is not None:
            self.step_why(1)
        elif self.viewed is not None:
            self.action_walk_to(1)
        elif self.match.tutor.held is not None:
            self.answer(self.match.keep())
            self.refresh_all()
        elif self.cursor is not None:
            self.pick(self.cursor)

    def action_back(self) -> None:
        """One step back: out of the reason, out of the past, out of a held move, or one target less."""
        if self.why is not None or self.viewed is not None:
            self.why = self.viewed = None
        elif self.match.tutor.held is not None:
            self.rethink()
            return
        elif self.match.waiting is not None:
            self.match.withdraw()
            self.take_entry()
        else:
            self.entry = self.entry.back()
            self.place_cursor()
        self.refresh_all()

    def action_hint(self) -> None:
        """The next rung of the hint ladder."""
        found = self.match.next_hint() if self.is_live else None
        if found is None:
            self.wants_hint = self.is_live and self.match.seat is not None
            if self.wants_hint and self.match.knowledge.analyst is None and self.match.knowledge.note:
                self.say(f"No hint: {self.match.knowledge.note}", Tone.SLIP)
                return
            self.say("One moment: finding out what there is to say." if self.wants_hint else "No hint now.", Tone.DIM)
            return
        self.wants_hint, self.hint, self.message = False, found, ()
        if self.has_class("-narrow") and found.lines:
            self.message = [(found.lines[0], Tone.HINT)]
        self.tell_trouble()
        self.refresh_all()

    def action_why(self) -> None:
        """Play through best play after the held move or the last own one; again: the next step."""
        if self.why is not None:
            self.step_why(1)
            return
        if self.match.is_simultaneous:
            self.values_shown = True
            self.say("Both move at once: the payoffs say what each move risks.", Tone.DIM)
            self.refresh_all()
            return
        refuted = self.match.refuted()
        search = None if refuted is None else self.match.advice.refutation(*refuted)
        if search is None:
            self.say("Your last move needs no refutation.", Tone.DIM)
        else:
            self.why = search(Budget.seconds(WHY_SECONDS, monotonic))
        self.refresh_all()

    def action_undo(self) -> None:
        """Back to the last own decision."""
        if self.why is not None or self.viewed is not None:
            self.action_back()
        elif self.match.tutor.held is not None:
            self.rethink()
        elif self.match.undo():
            self.message = ()
            self.paused = not self.match.session.human_seats()
            self.begin()

    def action_redo(self) -> None:
        """Undo the last undo."""
        if self.match.redo():
            self.message = ()
            self.begin()

    def action_training(self) -> None:
        """Training on or off; a held move is played when nothing is held any more."""
        verdict = self.match.set_training(not self.match.training)
        if verdict is not None:
            self.answer(verdict)
        self.say("Training on: bad moves are held." if self.match.training else "Training off.", Tone.DIM)
        self.tell_trouble()
        self.refresh_all()

    def action_objective(self) -> None:
        """Result or margin, in games that count points."""
        self.match.toggle_objective()
        self.say(f"Playing for {OBJECTIVES[self.match.coaching.objective]}.", Tone.DIM)
        self.tell_trouble()
        self.refresh_all()

    def action_swap(self) -> None:
        """The other side, from here."""
        self.match.swap_sides()
        self.flipped = self.match.is_turned
        self.message = ()
        self.begin()

    def action_players(self) -> None:
        """Others from here on."""
        self.services.change_players(self.match, self.take_players)

    def take_players(self, players: Players) -> None:
        """These two play on."""
        self.match.set_players(players)
        self.flipped = self.match.is_turned
        self.message = ()
        self.begin()

    def action_rematch(self, swapped: int) -> None:
        """The same game once more."""
        self.services.rematch(self.match, self.autosave, bool(swapped))

    def action_die(self) -> None:
        """A throw of 1 to 100 and the move that the mix has there."""
        thrown = None if self.match.seat is None else self.match.advice.throw_die(self.match.seat)
        if thrown is not None:
            self.die = f"die {thrown[0]}: {thrown[1]}"
            self.refresh_all()

    def confirm(self, command: str, question: str) -> bool:
        """Whether the key of the same command has been pressed twice; the first time the question is put."""
        if self.asked == command:
            self.asked = ""
            return True
        self.asked = command
        self.say(question, Tone.STRONG)
        return False

    def action_resign(self) -> None:
        """Give up, after asking once."""
        people = self.match.session.human_seats()
        if not people or self.match.session.is_over:
            return
        if self.confirm("resign", "Resign? R again gives the game up, any other key goes on."):
            self.match.resign(self.match.speaking_seat)
            self.begin()

    def action_draw(self) -> None:
        """A draw by agreement, after asking once."""
        session = self.match.session
        if session.is_over or not session.human_seats():
            return
        if not self.confirm("draw", "A draw? D again offers it, any other key goes on."):
            return
        if self.match.offer_draw(self.match.speaking_seat):
            self.begin()
        else:
            self.say("The engine plays on.", Tone.DIM)

    def action_pause(self) -> None:
        """Hold two engines, or let them go on."""
        if not self.match.session.human_seats():
            self.paused = not self.paused
            self.match.void_thoughts()
            self.thinking.clear()
            self.engines()
            self.refresh_all()

    def action_review(self) -> None:
        """The game so far with all its judgements."""
        self.services.review(self.match, self.autosave)

    def on_screen_resume(self) -> None:
        """The settings may have been changed meanwhile."""
        self.match.coach(self.services.coaching())
        self.refresh_all()

    def action_settings(self) -> None:
        """Change how the app behaves."""
        self.services.show_settings()

    def is_possible(self, action: str) -> bool:
        """What does not apply to this game, or not now, is not offered."""
        game, session = self.match.game, self.match.session
        people = len(session.human_seats())
        if session.is_over and action in WHILE_PLAYING:
            return False
        return {
            "overlay": bool(game.overlay_title),
            "objective": game.facts.has_margin,
            "die": game.facts.simultaneous,
            "pause": not people,
            "rematch": session.is_over,
            "resign": people > 0,
            "draw": people > 0,
            "swap": people == 1,
            "choose": not session.is_over or not self.is_live,
            "panel": self.has_class("-narrow"),
        }.get(action, True)
