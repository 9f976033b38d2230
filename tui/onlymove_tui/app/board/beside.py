"""What a wide screen shows beside a board only if it was looked up: the best reply to a mistake, and facts about the
player's games and drills."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from onlymove.pictures.painting import Marks
from onlymove_engines.coach.explore import OnlyMoveStats
from onlymove_engines.coach.figures import SeatMove
from onlymove_engines.coach.values import Refutation, find_refutation
from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.rules import moves_of
from textual.widget import Widget

from onlymove_tui.app.board.background import Background, read_background, read_only_move_stats
from onlymove_tui.app.board.state import BoardState
from onlymove_tui.app.board.workers import Questions
from onlymove_tui.app.finding import look_up
from onlymove_tui.app.panels import explore_rows
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.layout import Miniature
from onlymove_tui.store.games import GameStore


class Beside:
    """Looks these things up for one live game, in workers of `host`. What is not known yet is left out."""

    def __init__(self, host: Widget, state: BoardState, questions: Questions, store: GameStore | None) -> None:
        self.host, self.state, self.questions, self.store = host, state, questions, store
        self.backgrounds: dict[GameId, Background] = {}
        self.below: dict[int, Sequence[OnlyMoveStats | None]] = {}
        self.replies: dict[SeatMove, Refutation | None] = {}
        """The best play after each mistake. It is `None` while the search goes on."""

    def draw_reply(self, mistake: SeatMove | None) -> Miniature | None:
        """Return a small board with the best reply to a mistake, or with the end of best play if that is shown."""
        live, playback = self.state.live, self.state.playback
        if live.is_simultaneous:
            return None
        if (found := playback.refutation) is not None:
            title, line = "After best play", found.step_by(len(found.moves))
        else:
            if mistake is None or (analyst := live.analyst) is None:
                return None
            start, _, move = mistake
            search, budget = partial(find_refutation, live.session.tree, start, move), self.questions.new_budget
            found = look_up(self.host, self.replies, mistake, None, lambda: search(analyst, budget()), "reply")
            if found is None or not found.reply:
                return None
            title, line = f"Best reply: {found.reply}", found.step_by(1)
        return Miniature(title, partial(self.state.draw_line, line), Marks(last=playback.trace_refutation(line)))

    def background_rows(self, with_values: bool, width: int) -> Sequence[Row]:
        """Return facts about the player's games and drills here and, `with_values`, the next plies."""
        live, at = self.state.live, self.state.playback.node
        read = partial(read_background, self.store, live.game)
        known = look_up(self.host, self.backgrounds, live.game.id, Background(), read, "background")
        own, drills = known.own.get(at.position, explore_rows.NOWHERE), list(known.answers.items())
        rules, is_over = live.game.rules, live.session.tree.result_at(at) is not None
        near, is_joint = live.session.near_seat, live.is_simultaneous
        moves = moves_of(rules, at.position, near) if is_joint else rules.legal_moves(at.position)
        count = 0 if is_over else len(moves)
        rows = explore_rows.background_rows(count, own, drills, known.due, width)
        analyst, is_searched = live.analyst, is_joint or live.game.facts.plays_by_search
        if with_values and analyst is not None and not is_searched and not is_over:
            find = partial(read_only_move_stats, live.game, at.position, alternating(analyst))
            budget = self.questions.new_budget
            below = look_up(self.host, self.below, at.id, (), lambda: find(budget()), "below")
            rows += explore_rows.below_rows(below, width)
        return rows
