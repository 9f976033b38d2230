"""The review of a game. The player steps through its moves, mistakes and refutations, tries other moves, and plays on
from any position.

The game itself never changes. Tried moves are variations in its tree until the player leaves the review.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from onlymove.pictures.colours import Tone
from onlymove.pictures.painting import Marks
from onlymove_engines.coach.figures import SeatMove, find_flagged_choices
from onlymove_engines.coach.reasons import choose_fitting_sentence
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live.live_game import LiveGame, allows_help, find_blunderer
from onlymove_engines.play.session import AnySession, Session, start_branch
from onlymove_engines.play.tree import AnyNode
from textual.timer import Timer

from onlymove_tui.app.live_games import get_details
from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.panels import game_rows, side_panels, status_lines
from onlymove_tui.app.panels.game_rows import describe_place
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.widgets.bars import BETWEEN, FULL_HEIGHT
from onlymove_tui.app.widgets.canvas import Row, phrase_row, row_width
from onlymove_tui.app.widgets.layout import Docked, Note
from onlymove_tui.play.keys import phrase
from onlymove_tui.play.situations import (
    OVER_HERE,
    BestLine,
    Effect,
    Marking,
    Shown,
    Situation,
    Stepping,
    Trying,
    find_in_review,
    find_situation,
)

ENTER_DOES_NOTHING = phrase("{play_on} plays a new game from here. {try_move} tries a move.")


class ReviewScreen(BoardScreen):
    """Reviews a finished, imported or interrupted game from its start. `base` is the node from which moves are tried,
    with the end of the path on which it lies. It is `None` while no move is tried. `branch` is the session in which
    they are tried."""

    names_engines = True
    shows_everything = True

    def __init__(self, live: LiveGame) -> None:
        super().__init__(live)
        self.is_newcomer = live.coaching.for_newcomer and not live.session.is_over
        self.replay: Timer | None = None
        self.base: tuple[AnyNode, AnyNode] | None = None
        self.branch: AnySession = Session.from_tree(live.session.tree.branch(live.node))
        self.uncovered: set[int] = set()
        """The ids of the nodes after mistakes to which the player has found or asked for the better moves."""
        self.state.playback.show_ply(0)

    def on_mount(self) -> None:
        self.mark_changed()
        self.fetch_analyst()

    def on_unmount(self) -> None:
        self.live.session.tree.forget_tried()

    def follow_game(self) -> None:
        """Add the moves that engines have played since the review was opened. The board stays as it is."""
        playback, end = self.state.playback, self.live.node
        if self.base is not None:
            at, tip = self.base
            self.base = (at, end) if tip in end.path() else self.base
        elif playback.last_node in end.path():
            playback.last_node = end
        self.ask_for_values()
        self.mark_changed()

    def ask_for_values(self) -> None:
        self.questions.ask_for_values(*self.live.session.tree.nodes)
        self.handle_values()

    def handle_values(self) -> None:
        """If all moves are judged, find out why some are bad, beginning with the shown one."""
        tree, is_coming = self.live.session.tree, self.live.awaits_values
        if not any(node.result is None and is_coming(node) for node in tree.nodes):
            nodes = (self.state.playback.node, *tree.nodes, *tree.tried)
            self.questions.ask_for_explanations(choice for node in nodes for choice in find_flagged_choices(node))

    def action_walk(self, by: int) -> None:
        """Step through the game. At its end, step on through moves that were taken back."""
        if self.situation.shows_position:
            self.stop_trying()
        beyond = self.state.playback.last_node.main_child()
        if by > 0 and beyond is not None and self.state.playback.is_live:
            self.state.playback.show_node(beyond)
        else:
            super().action_walk(by)
        self.mark_changed()

    def show_ply(self, ply: int) -> None:
        self.stop_trying()
        super().show_ply(ply)

    def action_walk_to(self, end: int) -> None:
        self.stop_trying()
        super().action_walk_to(end)

    def action_mistake(self, by: int) -> None:
        self.stop_trying()
        super().action_mistake(by)

    def action_replay(self) -> None:
        if self.replay is not None:
            self.replay.stop()
            self.replay = None
            return
        if not self.state.playback.is_past:
            self.show_ply(0)
        self.replay = self.set_interval(4 * self.services.preferences.frame_seconds, self.replay_step)

    def replay_step(self) -> None:
        self.action_walk(1)
        if not self.state.playback.is_past:
            self.action_replay()

    def before_key(self, key: str) -> bool:
        """End a replay. Where Enter does nothing, say which keys play on from here and try a move."""
        if self.replay is not None and self.find_command(key) != "replay":
            self.action_replay()
        if super().before_key(key):
            return True
        situation = self.situation
        if key != "enter" or self.services.is_gated or not isinstance(situation, Stepping):
            return False
        if self.find_command(key) is not None or "play_on" not in self.key_table.by_command:
            return False
        self.carry_out(situation.enter)
        return True

    @property
    def situation(self) -> Situation:
        playback, base = self.state.playback, None if self.base is None else self.base[0]
        prefix, seeks_line = self.state.move_input.entry.prefix, self.questions.refuting is not None
        present = find_in_review(self.live, prefix, playback.node, playback.last_node, base, seeks_line)
        return find_situation(present, Shown(playback.node, playback.node, playback.refutation))

    @property
    def effects(self) -> Mapping[Effect, Callable[[], object]]:
        return {
            **super().effects,
            Effect.EXPLAIN: self.explain_move,
            Effect.GO_ON: self.say_how_to_go_on,
            Effect.TAKE_BACK: self.take_back,
            Effect.STOP_TRYING: self.stop_trying,
            Effect.LEAVE: super().action_leave,
        }

    def say_how_to_go_on(self) -> None:
        is_over = self.state.playback.node.result is not None
        self.say(OVER_HERE if is_over else ENTER_DOES_NOTHING, Tone.DIM)

    def action_branch(self, by: int) -> None:
        self.stop_trying()
        parent = self.state.playback.node.parent
        if parent is not None:
            place = parent.children.index(self.state.playback.node) + by
            sibling = parent.children[place % len(parent.children)]
            self.state.playback.show_node(sibling)
            self.show_ply(sibling.ply)

    def explain_move(self) -> None:
        """Look for best play after the shown move."""
        at = self.state.playback.node
        if at.parent is not None and self.questions.ask_for_refutation(at.parent, at.move):
            self.say(game_rows.FINDING_REASONS, Tone.DIM)

    def action_leave(self) -> None:
        """Leave best play, take back one target or one tried move, stop trying, or leave the review."""
        effect = self.situation.leave
        self.questions.stop_refuting()
        self.carry_out(effect)

    def take_back(self) -> None:
        """Take back the last tried move."""
        if (parent := self.state.playback.node.parent) is not None:
            self.start_trying_at(parent)
        self.message = ()
        self.mark_changed()

    def action_play_on(self) -> None:
        """Start a new game from the shown position, with the moves so far. At the end of a game that is still being
        played, go back to that game."""
        session, at = self.live.session, self.state.playback.node
        if at is session.node and not session.is_over and isinstance(self.app.screen_stack[-2], PlayScreen):
            self.app.pop_screen()
            return
        new = start_branch(session, at, session.players)
        if new.is_over:
            self.say(OVER_HERE, Tone.DIM)
        else:
            details = get_details(self.live)
            live = self.services.live_games.make(new, details.options, details.seed, self.live.training)
            self.open("play_from", live)

    def action_try_move(self) -> None:
        """Ask for a better move if a person's mistake led here. Otherwise, start entering moves, or stop that."""
        at = self.state.playback.node
        if self.base is not None:
            self.stop_trying()
        elif (seat := find_blunderer(self.live, at)) is not None:
            self.show_ply(at.ply)
            where = describe_place(at, self.path()[-1])
            self.open("retry", self.live, at, seat, where, partial(self.uncover, at))
        else:
            self.begin_trying()
        self.mark_changed()

    def find_refuted(self) -> SeatMove | None:
        """Return the mistake that led to the shown position. If the reply to it was also a mistake that can still be
        retried, return `None`, because the best reply would give that away."""
        is_hidden = self.hides_better(self.find_following())
        return None if is_hidden else next(iter(find_flagged_choices(self.state.playback.node)), None)

    def find_following(self) -> AnyNode | None:
        return next((node for node in self.path() if node.parent is self.state.playback.node), None)

    def hides_better(self, node: AnyNode | None) -> bool:
        """Whether `node` follows a mistake that the player can still retry without knowing the better moves."""
        if node is None or node.id < 0 or node.id in self.uncovered or self.state.values_shown:
            return False
        return find_blunderer(self.live, node) is not None

    def uncover(self, node: AnyNode) -> None:
        self.uncovered.add(node.id)
        self.mark_changed()

    def action_values(self) -> None:
        """Show the better moves that are hidden after a mistake. Otherwise, show or hide all values."""
        at = self.state.playback.node
        if self.hides_better(at):
            self.uncover(at)
        else:
            super().action_values()

    def begin_trying(self) -> None:
        at, tip = self.state.playback.node, self.state.playback.last_node
        self.questions.stop_refuting()
        self.state.playback.show_node(at)
        if at.result is not None:
            self.say(OVER_HERE, Tone.DIM)
            return
        self.base = (at, tip)
        self.message = ()
        self.start_trying_at(at)
        self.mark_changed()

    def start_trying_at(self, node: AnyNode) -> None:
        self.state.playback.show_current(node)
        self.branch.go_to(node)
        self.state.move_input.start(self.branch)
        self.questions.ask_for_values(node, group=f"look {node.id}")

    def stop_trying(self) -> None:
        """Go back to where trying began. The tried moves remain as variations."""
        if self.base is not None:
            at, tip = self.base
            self.base = None
            self.state.playback.show_current(tip)
            self.state.playback.show_node(at)
            self.state.move_input.clear()
            self.message = ()
            self.mark_changed()

    def handle_move(self, seat: Seat, move: Move) -> None:
        node = self.branch.commit(seat, move)
        if node is None:
            self.state.move_input.start()
        else:
            self.live.judge_move_into(node)
            self.start_trying_at(node)
        self.mark_changed()

    def on_pointed(self, message: Pointed) -> None:
        """Start trying moves on a click, so that it chooses a target as on any board."""
        if isinstance(self.situation, Stepping):
            self.begin_trying()

    def action_type_move(self) -> None:
        if self.base is None:
            self.begin_trying()
            self.mark_changed()
        if self.base is not None:
            super().action_type_move()

    def path(self) -> Sequence[AnyNode]:
        if self.base is not None and self.state.playback.node is self.base[0]:
            return self.base[1].path()
        return super().path()

    def check_actions(self) -> dict[str, bool]:
        parent = self.state.playback.node.parent
        return {
            **super().check_actions(),
            "explore": allows_help(self.live),
            "why": parent is not None and not self.live.is_simultaneous,
            "branch": parent is not None and len(parent.children) > 1,
            **dict.fromkeys(self.situation.lacks, False),
        }

    def marks(self) -> Marks:
        last, entry, situation = self.state.playback.last_targets, self.state.move_input.entry, self.situation
        is_asked = self.state.values_shown and situation.shows_position
        values = side_panels.review_labels(self.live, self.state.playback.node) if is_asked else {}
        if situation.marking is Marking.LAST_MOVE:
            return Marks(last=last, values=values)
        last = () if entry.prefix else last
        return Marks(self.state.move_input.cursor, entry.prefix, entry.next_targets(), last, values=values)

    def title_rows(self) -> tuple[Row, Row]:
        title: Row = [(self.live.game.facts.title, Tone.TITLE), ("  review", Tone.DIM)]
        return title, [(describe_place(self.state.playback.node, self.path()[-1]), Tone.DIM)]

    def notes(self) -> Note:
        at = self.state.playback.node
        situation, width = self.situation, self.board.note_width
        if isinstance(situation, BestLine):
            found = self.live.explain_line(situation.line)
            reasons = found.discreet if self.hides_better(at) else found.full
            return side_panels.best_line_note(self.live, situation.line, reasons, width)
        is_brief = not self.board.arrangement.is_framed
        return side_panels.review_notes(self.live, at, self.path(), width, is_brief, self.hides_better(at))

    def shows_worth(self) -> bool:
        """Whether the value of each move is shown beside the board. It is if the player asked for it, or if there is
        space for it and the next move is not a mistake that can still be retried."""
        if not self.situation.shows_position:
            return False
        has_space = self.board.arrangement.has_value_panel
        return self.state.values_shown or (has_space and not self.hides_better(self.find_following()))

    def docked_lines(self) -> Docked:
        live, at, situation = self.live, self.state.playback.node, self.situation
        if isinstance(situation, BestLine):
            return status_lines.refutation_lines(live.game, situation, self.message)
        lack = game_rows.missing_values_row(live, at) if self.state.values_shown else ()
        first = side_panels.review_headline(live, at)
        remark = self.name_keys(self.describe(situation))
        return Docked([first, self.message or lack or self.with_reason(first, remark)])

    def with_reason(self, first: Row, remark: Row) -> Row:
        """Return the remark, with the reason why the shown move is bad if that fits and no panel shows it. On a low
        screen, the remark shares its line with the first line."""
        live, at, is_low = self.live, self.state.playback.node, self.size.height < FULL_HEIGHT
        sentences: Sequence[str] = ()
        if at is live.node or not self.board.arrangement.is_framed:
            sentences = live.list_reasons(at, not self.hides_better(at))
        gap = BETWEEN if row_width(remark) else ""
        taken = row_width([*remark, (gap, Tone.TEXT)]) + is_low * (row_width(first) + len(BETWEEN))
        text = choose_fitting_sentence(sentences, self.line_width - taken)
        return [*remark, (f"{gap}{text}", Tone.TEXT)] if text else remark

    def describe(self, situation: Situation) -> Row:
        """Return the second line under the board."""
        if not isinstance(situation, Trying):
            return side_panels.review_comment(self.live, self.state.playback.node)
        if situation.refusal:
            return [("Trying: ", Tone.CURRENT), *phrase_row(situation.refusal, Tone.DIM)]
        prefix = self.state.move_input.entry.prefix
        asks = status_lines.describe_next_pick(self.branch, prefix) if prefix else "What would you play?"
        return [("Trying: ", Tone.CURRENT), (asks, Tone.DIM)]
