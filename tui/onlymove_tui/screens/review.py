"""Going through a game: every move with its judgement, what was best, where the value was lost; and playing on."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.oracle import Analysis
from onlymove_engines.core.path import Entry
from onlymove_engines.core.session import Session
from onlymove_engines.core.value import Mixed, Seat
from textual.timer import Timer
from textual.worker import get_current_worker

from onlymove_tui import advice, telling
from onlymove_tui.match import AnyNode, Match
from onlymove_tui.messages import Jumped, Looked, Seated
from onlymove_tui.paint import Marks
from onlymove_tui.tones import Tone
from onlymove_tui.widgets.bars import Notice, TitleBar
from onlymove_tui.widgets.canvas import Row, Run

from .board_screen import BoardScreen

LOOK_SECONDS = 2.0


class ReviewScreen(BoardScreen, room="review"):
    """A finished, imported or interrupted game. The session is only looked at, never moved."""

    def __init__(self, match: Match, autosave: Any = None, at: AnyNode | None = None) -> None:
        super().__init__(match)
        self.autosave = autosave
        self.at: AnyNode = at or match.line_root
        self.leaf: AnyNode = self.at.end()
        self.message: Row = ()
        self.clock: Timer | None = None

    def on_mount(self) -> None:
        """Show the start, and have everything judged that is not judged yet."""
        self.refresh_all()
        if self.match.analyst is None:
            self.fetch_analyst()
        else:
            self.study()

    def on_seated(self, message: Seated) -> None:
        """Now the values can be found."""
        self.match.seat_analyst(message.analyst, message.note)
        if message.note:
            self.message = [(message.note, Tone.SLIP)]
        self.study()
        self.refresh_all()

    def study(self) -> None:
        """Find the values of every position of the line in the background."""
        if self.match.analyst is None:
            return
        line = self.match.session.line
        nodes = [line.node(number) for number in range(len(line)) if number not in self.match.known]
        wanted = [node for node in nodes if self.match.game.rules.result(node.position) is None]
        self.run_worker(partial(self._study, wanted), thread=True, group="study", exclusive=True)

    def _study(self, nodes: list[AnyNode]) -> None:
        worker, analyst = get_current_worker(), self.match.analyst
        find = analyst.mixed if self.match.is_simultaneous else analyst.analyse
        for node in nodes:
            budget = Budget.seconds(LOOK_SECONDS, monotonic, lambda: worker.is_cancelled)
            try:
                found = Looked(node.id, find(node.position, budget))
            except OnlymoveError as refusal:
                found = Looked(node.id, None, str(refusal))
            if worker.is_cancelled:
                return
            self.post_message(found)

    def on_looked(self, message: Looked) -> None:
        """One position more is known."""
        if message.values is not None:
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
        values = self.match.known.get(self.at.id)
        if self.values_shown and values is not None and self.why is None:
            labels = telling.value_labels(values, self.entry_here(values), self.mover_here())
        return Marks(last=self.last_targets(), values=labels)

    def mover_here(self) -> Seat:
        """Whose values are shown: the mover's, or the near side's where both move at once."""
        seat = self.match.game.rules.to_move(self.at.position)
        return self.match.near_seat if seat is None else seat

    def entry_here(self, values: Any) -> Entry[object]:
        """The moves from the shown position."""
        notation: Any = self.match.game.notation
        moves = values.strategies[self.mover_here()] if isinstance(values, Mixed) else values.moves
        return Entry({path: move for move in moves for path in notation.paths(self.at.position, move)})

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
            row += [(f"  {advice.change(judgement)}", Tone.TEXT)]
        return row

    def ending(self) -> Row:
        """How the game ended, at its end."""
        result = self.match.session.result
        if self.at is self.match.node and result is not None:
            return [(telling.ending(self.match.game, result), Tone.STRONG)]
        return [(self.at.comment, Tone.DIM)]

    def notes(self) -> list[Row]:
        """What was best instead; at the end the figures."""
        if self.why is not None:
            return advice.why_rows(self.why)
        node = self.at
        if node.parent is None or node is self.match.node:
            return telling.summary(self.match, self.shown_path())
        values = self.match.known.get(node.parent.id)
        if isinstance(values, Analysis):
            return advice.best_rows(self.match.game, values, node, self.note_width)
        if isinstance(values, Mixed) and isinstance(node.move, tuple):
            return advice.round_rows(self.match.game, values, node.move, self.match.near_seat)
        return []

    # Going.

    def go(self, node: AnyNode) -> None:
        """Show this node."""
        if node not in self.leaf.path():
            self.leaf = node.end()
        self.at = node
        self.why = None
        self.message = ()
        self.refresh_all()

    def action_walk(self, by: int) -> None:
        """One move back or on; along the reason while one is shown."""
        if self.why is not None:
            self.step_why(by)
            return
        path = self.leaf.path()
        at = path.index(self.at) + by
        if 0 <= at < len(path):
            self.go(path[at])

    def action_replay(self) -> None:
        """The moves one after the other from here, or from the start at the end; again: stop."""
        if self.clock is None:
            if self.at is self.leaf:
                self.go(self.match.line_root)
            self.clock = self.set_interval(4 * self.house.frame_seconds, self.replay_step)
        else:
            self.clock.stop()
            self.clock = None

    def replay_step(self) -> None:
        """One move on; the last one ends it."""
        self.action_walk(1)
        if self.at is self.leaf:
            self.action_replay()

    def before_key(self, key: str) -> bool:
        """Any key but the one that stops it ends the replay."""
        if self.clock is not None and not self.is_key_of(key, "replay"):
            self.action_replay()
        return False

    def action_walk_to(self, end: int) -> None:
        """To either end of the line."""
        self.go(self.leaf.path()[0 if end < 0 else -1])

    def on_jumped(self, message: Jumped) -> None:
        """A ply was clicked."""
        self.go(self.leaf.path()[message.ply])

    def action_branch(self, by: int) -> None:
        """To another move that was tried in the place of this one."""
        if self.at.parent is None:
            return
        siblings = self.at.parent.children
        if len(siblings) > 1:
            other = siblings[(siblings.index(self.at) + by) % len(siblings)]
            self.leaf = other.end()
            self.go(other)

    def action_mistake(self, by: int) -> None:
        """To the next or previous flagged move."""
        path = self.leaf.path()
        at = path.index(self.at)
        flagged = [
            ply
            for ply, node in enumerate(path)
            if (worst := node.worst_judgement()) is not None and worst.flagged and (ply - at) * by > 0
        ]
        if flagged:
            self.go(path[min(flagged) if by > 0 else max(flagged)])
        else:
            self.message = [("No mistake that way.", Tone.DIM)]
            self.refresh_all()

    def action_why(self) -> None:
        """Play through best play after the shown move; again: the next step."""
        if self.why is not None:
            self.step_why(1)
        elif self.at.parent is not None and self.match.analyst is not None and not self.match.is_simultaneous:
            budget = Budget.seconds(LOOK_SECONDS, monotonic)
            self.why = self.match.line_after(self.at.parent.position, self.at.move, budget)
            self.refresh_all()

    def action_play_on(self) -> None:
        """A new game from the shown position, with the moves so far; the game itself is played on where it stands."""
        session = self.match.session
        if self.at is session.node and not session.is_over:
            self.house.pop_screen()
            return
        branch: Session[Any, Any] = Session(
            session.game, session.line.root.position, session.chairs, session.house_rule
        )
        for node in self.at.path()[1:]:
            if branch.is_over:
                break
            branch.play(node.move)
        if branch.is_over:
            self.message = [("The game is over here: go back a move first.", Tone.DIM)]
            self.refresh_all()
            return
        for copy, node in zip(branch.node.path(), self.at.path(), strict=False):
            copy.judgements.update(node.judgements)
        self.house.play_branch(branch, self.match, self.autosave)

    def keep(self) -> None:
        """The judgements that were found belong to the game."""
        if self.autosave is not None and self.autosave.number is not None:
            self.autosave.store.annotate(self.match.session, self.autosave.number)

    def action_leave(self) -> None:
        """Back."""
        self.keep_quietly()
        self.house.pop_screen()

    def action_menu(self) -> None:
        """To the list of games."""
        self.keep_quietly()
        super().action_menu()

    def keep_quietly(self) -> None:
        """What cannot be kept is found again next time."""
        with suppress(OnlymoveError):
            self.keep()

    def action_settings(self) -> None:
        """Change how the app behaves."""
        self.house.show_settings()

    def is_possible(self, action: str) -> bool:
        """What does not apply is not offered."""
        return {
            "overlay": bool(self.match.game.overlay_title),
            "panel": self.has_class("-narrow"),
            "why": not self.match.is_simultaneous,
            "branch": self.at.parent is not None and len(self.at.parent.children) > 1,
        }.get(action, True)
