"""A game whose player can ask for advice: hints, why a move is bad, values; afterwards its drills and its review.

Asking changes nothing on the board, but the game notes what has been told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onlymove_engines.coach.drill import from_mistakes
from onlymove_engines.match.disclosure import may_be_explained
from onlymove_engines.match.match import Match

from onlymove_tui.app.board.thinking import NO_HINT, ONE_MOMENT
from onlymove_tui.app.messages import Collected, Weighed
from onlymove_tui.app.screens.drills import RoundReady, due_round
from onlymove_tui.app.screens.terms_screen import TermsScreen
from onlymove_tui.app.themes import Tone
from onlymove_tui.play.phrases import NO_REFUTATION
from onlymove_tui.store.autosave import Autosave


class AdvisedScreen(TermsScreen):
    """`new_drills` is how many the last game has given."""

    def __init__(self, match: Match, autosave: Autosave | None = None) -> None:
        super().__init__(match, autosave)
        self.new_drills = 0

    def action_hint(self) -> None:
        self.say(self.thinking.hint() if self.playback.is_live else NO_HINT, Tone.DIM)

    def action_why(self) -> None:
        """Play through best play after the held move or the last own slip; again: the next step."""
        refuted = self.match.refuted()
        if self.playback.refutation is not None:
            self.action_walk(1)
        elif self.match.is_simultaneous:
            self.match.advice.mark_shown()
            self.show_asked(replace(self.asked, payoffs=True, is_latest=True))
            self.say("The payoffs say why.", Tone.DIM)
        elif refuted is not None and self.thinking.refute(*refuted):
            self.thinking.explain_move(*refuted)
            self.say(ONE_MOMENT, Tone.DIM)
        else:
            self.say(NO_REFUTATION, Tone.DIM)

    def reasons(self) -> Sequence[str]:
        return self.refuted_move.discreet if may_be_explained(self.match) else ()

    def action_values(self) -> None:
        self.asked = replace(self.asked, is_latest=False)
        super().action_values()
        self.match.advice.show_values(self.values_shown)
        self.weigh()

    def weigh(self) -> None:
        """While values are shown, have found out which move is hardest to answer."""
        if self.values_shown:
            self.thinking.weigh()

    def on_weighed(self, answer: Weighed) -> None:
        if self.thinking.takes(answer):
            self.match.advice.hardest[answer.node_id] = answer.hardest
            self.show_docked()

    def action_die(self) -> None:
        thrown = "" if self.match.seat is None else self.match.advice.throw_die(self.match.seat)
        self.say(thrown or "Nobody knows the best mix here yet.", Tone.TEXT if thrown else Tone.DIM)

    def on_collected(self, message: Collected) -> None:
        self.new_drills = message.new
        self.refresh_all()

    def action_drill_these(self) -> None:
        """Practise the mistakes of this game, as far as they are still due."""
        mistakes = from_mistakes(self.match.session, self.match.values)
        self.fetch(lambda: due_round(self.services, self.match.game.id, mistakes), "round", keys_wait=True)

    def on_round_ready(self, message: RoundReady) -> None:
        if message.practice is not None and self.is_current:
            self.services.begin_drills(message.practice)
        else:
            self.say(message.note or "These drills are not due again yet.", Tone.DIM)

    def action_review(self) -> None:
        if not self.match.session.is_over:
            self.match.advice.note_explained()
        self.services.review(self.match, self.autosave)
