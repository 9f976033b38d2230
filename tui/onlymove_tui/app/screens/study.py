"""A game that is gone through, as far as it is looked at: what its moves were worth and how that is shown."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import Any

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.move_entry import MoveEntry
from onlymove_engines.core.value import Mixed, Seat
from onlymove_engines.play.line import AnyNode
from textual.worker import get_current_worker

from onlymove_tui.app.messages import Looked, Seated
from onlymove_tui.app.panels import advice, telling
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.widgets.bars import Notice, TitleBar
from onlymove_tui.app.widgets.canvas import Row, Run
from onlymove_tui.app.widgets.paint import Marks
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.knowledge import Question
from onlymove_tui.play.match import Match
from onlymove_tui.play.phrases import ending

LOOK_SECONDS = 2.0


class Study(BoardScreen):
    """A finished, imported or interrupted game at node `at`, on the line to `leaf`. The session is never moved."""

    def __init__(self, match: Match, at: AnyNode | None = None) -> None:
        super().__init__(match)
        self.at: AnyNode = at or match.session.line.root
        self.leaf: AnyNode = self.at.end()
        self.message: Row = ()

    def on_mount(self) -> None:
        """Show the start, and have everything judged that is not judged yet."""
        self.refresh_all()
        if self.match.knowledge.analyst is None:
            self.fetch_analyst()
        else:
            self.study()

    def on_seated(self, message: Seated) -> None:
        """Now the values can be found."""
        self.match.take_analyst(message.analyst, message.note)
        if message.note:
            self.message = [(message.note, Tone.SLIP)]
        self.study()
        self.refresh_all()

    def study(self) -> None:
        """Find the values of every position of the line in the background."""
        if self.match.knowledge.analyst is None:
            return
        asked = [(node.id, self.match.question(node)) for node in self.match.session.line.nodes()]
        wanted = [(number, question) for number, question in asked if question is not None]
        self.run_worker(partial(self._study, wanted), thread=True, group="study", exclusive=True)

    def _study(self, questions: list[tuple[int, Question]]) -> None:
        worker = get_current_worker()
        for number, question in questions:
            budget = Budget.seconds(LOOK_SECONDS, monotonic, lambda: worker.is_cancelled)
            try:
                found = Looked(number, question(budget))
            except OnlymoveError as refusal:
                found = Looked(number, None, str(refusal))
            if worker.is_cancelled:
                return
            self.post_message(found)

    def on_looked(self, message: Looked) -> None:
        """One position more is known."""
        self.match.learn(message.node_id, message.values)
        self.refresh_all()

    # What is shown.

    def shown_node(self) -> AnyNode:
        """The node on the board."""
        return self.at

    def shown_path(self) -> list[AnyNode]:
        """The line that the shown node lies on, to its end."""
        return self.leaf.path()

    def shows_everything(self) -> bool:
        """Nothing is hidden in a review."""
        return True

    def refresh_all(self) -> None:
        """Board, side, notes, docked lines, keys."""
        if not self.is_built:
            return
        self.show_board()
        self.show_side()
        self.show_notes(self.notes())
        self.query_one(Notice).show([self.headline(), self.message or self.ending()])
        left: list[Run] = [(self.match.game.title, Tone.TITLE), ("  review", Tone.DIM)]
        self.query_one(TitleBar).show(left, [(f"move {self.at.ply} of {self.leaf.ply}", Tone.DIM)])
        self.show_keys()

    def marks(self) -> Marks:
        """Both ends of the move, and on demand the value of every next one."""
        labels = {}
        values = self.match.knowledge.known.get(self.at.id)
        if self.values_shown and values is not None and self.why is None:
            labels = telling.value_labels(values, self.entry_here(values), self.mover_here())
        return Marks(last=self.last_targets(), values=labels)

    def mover_here(self) -> Seat:
        """Whose values are shown: the mover's, or the near side's where both move at once."""
        seat = self.match.game.rules.to_move(self.at.position)
        return self.match.near_seat if seat is None else seat

    def entry_here(self, values: Any) -> MoveEntry[object]:
        """The moves from the shown position."""
        notation: Any = self.match.game.notation
        moves = values.strategies[self.mover_here()] if isinstance(values, Mixed) else values.moves
        return MoveEntry({path: move for move in moves for path in notation.paths(self.at.position, move)})

    def headline(self) -> Row:
        """The move, its class, what it did to the value."""
        node = self.at
        if self.why is not None:
            return advice.why_line(self.match.game, self.why)
        if node.parent is None:
            return [("The start of the game", Tone.STRONG)]
        text = self.match.game.notation.format_move(node.parent.position, node.move)
        row: list[Run] = [(f"{node.ply}. {text}", Tone.STRONG)]
        for seat in sorted(node.judgements):
            judgement = node.judgements[seat]
            glyph = f" {judgement.glyph}" if judgement.glyph else ""
            name = f"  {self.match.game.seats[seat]}" if len(node.judgements) > 1 else ""
            row += [(f"{name}{glyph}  {judgement.grade.title}", telling.tone_of(judgement))]
            change = advice.change(judgement)
            row += [(f"  {change}" if change else "", Tone.TEXT)]
        return row

    def ending(self) -> Row:
        """How the game ended, at its end."""
        result = self.match.session.result
        if self.at is self.match.node and result is not None:
            return [(ending(self.match.game, result), Tone.STRONG)]
        return [(self.at.comment, Tone.DIM)]

    def notes(self) -> list[Row]:
        """What was best instead; at the end the figures."""
        if self.why is not None:
            return advice.why_rows(self.why)
        node = self.at
        if node.parent is None or node is self.match.node:
            return telling.summary(self.match, self.shown_path())
        values = self.match.knowledge.known.get(node.parent.id)
        if isinstance(values, Analysis):
            return advice.best_rows(self.match.game, values, node, self.note_width)
        if isinstance(values, Mixed) and isinstance(node.move, tuple):
            return advice.round_rows(self.match.game, values, node.move, self.match.near_seat)
        return []
