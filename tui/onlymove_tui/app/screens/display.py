"""What is shown of a game that goes on: marks, notes, the two docked lines. Decides nothing."""

from __future__ import annotations

from onlymove_engines.coach.hint import LAST_STAGE
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Mixed

from onlymove_tui.app.panels import advice, telling
from onlymove_tui.app.screens.entering import Entering
from onlymove_tui.app.widgets.bars import Notice, TitleBar
from onlymove_tui.app.widgets.canvas import Row, Run
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.match import Match
from onlymove_tui.play.phrases import ending

HELD_KEYS: Row = (
    ("Enter", Tone.KEY), (" keep   ", Tone.TEXT), ("u", Tone.KEY), (" rethink   ", Tone.TEXT),
    ("h", Tone.KEY), (" hint   ", Tone.TEXT), ("w", Tone.KEY), (" why", Tone.TEXT),
)  # fmt: skip
OVER_KEYS: Row = (
    ("e", Tone.KEY), (" review  ", Tone.TEXT), ("a", Tone.KEY), (" again  ", Tone.TEXT),
    ("A", Tone.KEY), (" other side  ", Tone.TEXT), ("c", Tone.KEY), (" new  ", Tone.TEXT),
    ("u", Tone.KEY), (" undo  ", Tone.TEXT), ("g", Tone.KEY), (" games", Tone.TEXT),
)  # fmt: skip
WHY_KEYS: Row = (
    ("w", Tone.KEY), (" next   ", Tone.TEXT), ("[", Tone.KEY), (" back   ", Tone.TEXT),
    ("u", Tone.KEY), (" to the game", Tone.TEXT),
)  # fmt: skip
PAST_KEYS: Row = (
    ("[", Tone.KEY), (" earlier   ", Tone.TEXT), ("]", Tone.KEY), (" later   ", Tone.TEXT),
    ("End", Tone.KEY), (" to the game", Tone.TEXT),
)  # fmt: skip
OBJECTIVES = {Objective.RESULT: "the result", Objective.MARGIN: "every point"}


class Display(Entering):
    """The board of a match as its players may see it."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.paused = False
        self.die = ""
        self.new_drills = 0

    def refresh_all(self) -> None:
        """Board, side, notes, docked lines, keys."""
        if not self.is_built:
            return
        self.show_board()
        self.show_side()
        self.show_notes(self.notes())
        self.show_notice()
        self.show_keys()
        training = "training on" if self.match.training else "training off"
        objective = f", for {OBJECTIVES[self.match.coaching.objective]}" if self.match.game.facts.has_margin else ""
        left: list[Run] = [(self.match.game.title, Tone.TITLE), (f"  {self.match.game.solved}", Tone.DIM)]
        rule = self.match.session.line.house_rule
        house_rule = "" if rule is None else f"{rule.title.lower()}  "
        self.query_one(TitleBar).show(left, [(f"{house_rule}{training}{objective}", Tone.DIM)])

    def marks(self) -> Marks:
        """Cursor, choices and whatever was asked to be shown."""
        held = self.match.tutor.held
        if not self.is_live or self.match.session.is_over:
            return Marks(last=self.last_targets())
        if held is not None:
            # Not where its pieces would end up: the board still shows the position before it.
            paths = self.match.game.notation.paths(self.match.node.position, held.move)
            threat = () if self.is_hidden else paths[0]
            hint = self.hint.targets if self.hint is not None else ()
            return Marks(chosen=tuple(t for t in self.entry.prefix if t not in threat), threat=threat, hint=hint)
        seat, values = self.match.seat, self.match.values()
        labels = {}
        if self.values_shown and values is not None and seat is not None:
            labels = telling.value_labels(values, self.entry, seat)
        return Marks(
            cursor=self.cursor if seat is not None and not self.is_steered else None,
            chosen=() if self.is_hidden else self.entry.prefix,
            legal=self.entry.next_targets(),
            last=self.last_targets() if not self.entry.prefix else (),
            hint=self.hint.targets if self.hint is not None else (),
            values=labels,
        )

    @property
    def is_hidden(self) -> bool:
        """Whether the other person at this keyboard must not see the choice."""
        return self.match.is_simultaneous and len(self.match.session.human_seats()) == 2

    def notes(self) -> list[Row]:
        """What there is to read at the side: the reason, the summary, the hint, the matrix."""
        if self.why is not None:
            return advice.why_rows(self.why)
        if self.match.session.is_over:
            return [] if self.result is None else telling.summary(self.match, self.shown_path())
        rows = [] if self.hint is None else advice.hint_rows(self.hint, self.note_width)
        values = self.match.values()
        if isinstance(values, Mixed) and (self.values_shown or (self.hint and self.hint.stage == LAST_STAGE)):
            rows += advice.payoff_rows(values, self.match.near_seat if self.match.seat is None else self.match.seat)
        return rows

    def show_notice(self) -> None:
        """The two docked lines."""
        held = self.match.tutor.held
        notice = self.query_one(Notice)
        if held is not None and self.why is None:
            glyph = f"{held.judgement.glyph}  "
            first: Row = [(glyph, Tone.LOSS), (held.judgement.lost(), Tone.STRONG), ("  ", Tone.TEXT), *self.message]
            notice.show([first, HELD_KEYS], is_banner=True)
        elif self.why is not None:
            notice.show([advice.why_line(self.match.game, self.why), WHY_KEYS], is_banner=True)
        elif self.viewed is not None:
            ply = self.viewed.ply
            notice.show([[(f"After move {ply} of {self.match.node.ply}", Tone.STRONG)], PAST_KEYS])
        elif (result := self.result) is not None:
            drills = f"  {self.new_drills} new drill{'s' if self.new_drills > 1 else ''}" if self.new_drills else ""
            end: Row = [(ending(self.match.game, result), Tone.STRONG), (drills, Tone.HINT)]
            notice.show([end, OVER_KEYS], is_banner=True)
        else:
            notice.show([self.status(), self.message])

    def status(self) -> Row:
        """Whose turn it is, and what has been entered so far."""
        seat, session = self.match.seat, self.match.session
        if session.is_over:
            return []
        if self.match.waiting is not None:
            prepares = self.match.knowledge.analyst is None and self.match.game.facts.plays_by_search
            what = "Getting the search ready, once on a machine. " if prepares else "Finding out what that is worth. "
            return [
                (what, Tone.DIM),
                ("Backspace", Tone.KEY),
                (" takes it back", Tone.DIM),
            ]
        if seat is None:
            if not session.human_seats() and self.paused:
                return [("Paused: ", Tone.STRONG), ("p", Tone.KEY), (" goes on", Tone.DIM)]
            mover = session.to_move
            who = "The engines" if mover is None else telling.seat_name(self.match, mover)
            thinking: Row = [(f"{who} {'are' if mover is None else 'is'} thinking", Tone.DIM)]
            return thinking if session.human_seats() else [*thinking, ("   p", Tone.KEY), (" pause", Tone.DIM)]
        name = telling.seat_name(self.match, seat)
        row: list[Run] = [(name, telling.SEAT_TONES[seat]), (" to move", Tone.TEXT)]
        if self.entry.prefix:
            row.append((f"   {' - '.join(self.entry.prefix)} - ?", Tone.CURRENT))
        if self.die:
            row.append((f"   {self.die}", Tone.STRONG))
        return row
