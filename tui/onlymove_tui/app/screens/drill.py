"""One drill after the other: find a move that keeps the value. The answer is never shown before it is asked for."""

from __future__ import annotations

from typing import Any

from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.hint import LAST_STAGE
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Mixed, Seat

from onlymove_tui.app.panels import telling
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.widgets.bars import Notice, TitleBar
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.drill_round import Practice

SOLVED_KEYS: Row = (
    ("n", Tone.KEY), (" next   ", Tone.TEXT), ("v", Tone.KEY), (" values   ", Tone.TEXT),
)  # fmt: skip
WHY_KEY: Row = (("w", Tone.KEY), (" why", Tone.TEXT))
TRY_KEYS: Row = (
    ("h", Tone.KEY), (" hint   ", Tone.TEXT), ("s", Tone.KEY), (" solution   ", Tone.TEXT),
    ("n", Tone.KEY), (" skip", Tone.TEXT),
)  # fmt: skip


class DrillScreen(PlayScreen, screen_id="drill"):
    """The board of a drill. Nothing is ever played on it: a move is an answer, and no engine sits opposite."""

    names_engines = False

    def __init__(self, practice: Practice) -> None:
        super().__init__(practice.match())
        self.practice = practice
        self.verdict: Row = ()
        self.answered: Any = None

    # The course of a drill.

    def engines(self) -> None:
        """Nobody answers."""

    def offer(self, seat: Seat, move: Any) -> None:
        """An answer: right if it keeps the value, judged as soon as that is known."""
        self.message = ()
        if self.match.values() is None:
            self.match.waiting = (seat, move)
            self.refresh_all()
            return
        self.match.withdraw()
        judgement = self.practice.answer(self.match, move)
        assert judgement is not None, "values are known"
        self.answered = move
        text = self.move_text(move)
        if self.practice.is_solved:
            self.verdict = [(f"{text}: right. ", Tone.BEST), (praise(judgement), Tone.TEXT)]
        else:
            self.verdict = [(f"{text}: {judgement.lost()}. ", Tone.LOSS), ("Try again.", Tone.TEXT)]
        self.take_entry()
        self.refresh_all()

    def release_waiting(self) -> None:
        """The values have come: judge the answer that waited for them."""
        if self.match.waiting is not None and self.match.values() is not None:
            self.offer(*self.match.waiting)

    def move_text(self, move: Any) -> str:
        """An answer as written."""
        return self.match.game.notation.format_move(self.match.node.position, move)

    def action_next_drill(self) -> None:
        """On to the next drill; after the last one back, with what came of it."""
        if not self.practice.advance():
            self.action_leave()
            return
        try:
            match = self.practice.match()
        except OnlymoveError as refusal:
            self.say(str(refusal), Tone.ERROR)
            self.action_next_drill()
            return
        same = match.game.id == self.match.game.id
        if same:
            match.take_analyst(self.match.knowledge.analyst, self.match.knowledge.note)
        self.match, self.verdict, self.answered = match, (), None
        self.message, self.values_shown = (), False
        self.flipped = match.is_turned
        self.begin()
        if match.knowledge.analyst is None:
            self.fetch_analyst()

    def action_solution(self) -> None:
        """Show every best move; the drill counts as not known."""
        values = self.match.values()
        if values is None:
            self.say("One moment: the solution is being looked for.", Tone.DIM)
            return
        if self.answered is None and isinstance(values, Analysis):
            self.answered = next(iter(values.best()), None)
        self.practice.give_up(self.match)
        self.match.advice.stages[self.match.node.id, self.seat] = LAST_STAGE - 1
        self.action_hint()
        self.verdict = [("The solution is marked.", Tone.HINT)]
        self.refresh_all()

    def action_choose(self) -> None:
        """Pick what the cursor is on."""
        if self.why is not None:
            self.step_why(1)
        elif self.cursor is not None:
            self.pick(self.cursor)

    def action_values(self) -> None:
        """The value of every move, once the drill is solved."""
        if self.practice.is_solved:
            super().action_values()
        else:
            self.say("First find a move; h gives a hint.", Tone.DIM)

    def action_why(self) -> None:
        """Best play after the last answer."""
        if self.why is not None or self.answered is None:
            self.step_why(1)
        elif self.match.knowledge.analyst is not None and not self.match.is_simultaneous:
            search = self.match.advice.refutation(self.match.node, self.answered)
            self.why = None if search is None else search(UNLIMITED)
            self.refresh_all()

    def action_leave(self) -> None:
        """Back to the list of drills."""
        self.services.leave_drills(self.practice)

    # What is shown.

    @property
    def drill(self) -> Drill:
        """What is asked."""
        drill = self.practice.drill
        assert drill is not None, "the screen closes after the last drill"
        return drill

    @property
    def seat(self) -> Seat:
        """The side that is to find a move."""
        return self.drill.seat

    def refresh_all(self) -> None:
        """As in a game, but with the place in the round at the top."""
        if not self.is_built or self.practice.drill is None:
            return
        super().refresh_all()
        place = f"drill {self.practice.place + 1} of {self.practice.total}"
        self.query_one(TitleBar).show([(self.match.game.title, Tone.TITLE), ("  drill", Tone.DIM)], [(place, Tone.DIM)])

    def show_notice(self) -> None:
        """What is asked, or what came of the answer."""
        notice = self.query_one(Notice)
        if self.why is not None:
            super().show_notice()
        elif self.message or self.match.waiting is not None:
            notice.show([self.status(), self.message])
        elif self.verdict:
            notice.show([self.verdict, self.keys_now()], is_banner=True)
        else:
            notice.show([self.question(), [(origin_text(self.drill), Tone.DIM)]])

    def keys_now(self) -> Row:
        """What can be done after an answer."""
        if not self.practice.is_solved:
            return TRY_KEYS
        return [*SOLVED_KEYS, *(WHY_KEY if self.is_possible("why") else ())]

    def question(self) -> Row:
        """`Top to move: keep the draw.` The value itself is known to the player, as in any puzzle."""
        name, values = telling.seat_name(self.match, self.seat), self.match.values()
        task = "find a move that keeps the value"
        if isinstance(values, Analysis) and (top := values.best_value()) is not None:
            task = {1: "keep the win", 0: "keep the draw", -1: "hold out longest"}[int(top.outcome)]
        elif isinstance(values, Mixed):
            task = "choose a sound move"
        row: Row = [(name, telling.SEAT_TONES[self.seat]), (f" to move: {task}.", Tone.STRONG)]
        return [*row, (f"   {' - '.join(self.entry.prefix)} - ?", Tone.CURSOR)] if self.entry.prefix else row

    def is_possible(self, action: str) -> bool:
        """What a drill offers."""
        return {
            "overlay": bool(self.match.game.overlay_title),
            "panel": self.has_class("-narrow"),
            "why": self.answered is not None and not self.match.is_simultaneous,
        }.get(action, True)


def praise(judgement: Judgement) -> str:
    """What a right answer was, in a few words."""
    if judgement.only:
        return judgement.verdict()
    if judgement.after is not None:
        return f"{judgement.after.sentence()} kept."
    return f"{judgement.grade.title}."


def origin_text(drill: Drill) -> str:
    """Where the drill comes from, without saying what to do."""
    if drill.origin is Origin.ONLY_MOVE:
        return "Only one move holds."
    return f"You played {drill.played} here." if drill.played else "You went wrong here first."
