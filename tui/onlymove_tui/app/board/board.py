"""The board of a screen: the live game on it, the move being entered, the player's questions, and what is drawn.

The screen itself decides what happens to a complete move, and what is shown beside and under the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from onlymove.pictures.colours import Tone
from onlymove.pictures.painting import NO_MARKS, Marks
from onlymove_engines.coach.explore import OnlyMoveStats
from onlymove_engines.coach.figures import SeatMove
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.reasons import Explanation
from onlymove_engines.coach.values import Refutation, find_refutation
from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.rules import MoveEntry, Target, moves_of
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.live.live_game import LiveGame, is_revealed, may_be_explored
from onlymove_engines.play.tree import AnyNode
from textual import events
from textual.timer import Timer
from textual.widget import Widget

from onlymove_tui.app.base_screen import FULL_WIDTH, BaseScreen, message_row
from onlymove_tui.app.board.background import Background, read_background, read_only_move_stats
from onlymove_tui.app.board.move_input import ARROWS, STEPS, Confirmation, Guard, MoveInput
from onlymove_tui.app.board.playback import Playback
from onlymove_tui.app.board.workers import BoardWorkers, FoundValues, answer_questions
from onlymove_tui.app.commands import ALWAYS, BEHIND_THE_GATE, PANELS, STEERED, Command
from onlymove_tui.app.live_games import find_autosave
from onlymove_tui.app.messages import Jumped, Pointed
from onlymove_tui.app.panels import explore_rows, game_rows, side_panels, status_lines, value_rows
from onlymove_tui.app.services import AnalystFound
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, KeyBar
from onlymove_tui.app.widgets.canvas import Row, key_row, lay_out, phrase_row
from onlymove_tui.app.widgets.layout import Docked, GameLayout, Miniature, Note
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.play.keys import Key, Phrase, phrase, split_phrase
from onlymove_tui.play.phrases import NO_HINT, describe_preparation, explain_choices, find_doubtful_choice
from onlymove_tui.play.situations import Effect, Marking, Situation
from onlymove_tui.store.games import Autosave
from onlymove_tui.store.learning import Learned, Milestone

LONG_SECONDS = 1.0
"""The shortest animation that gets a line about it. A shorter one is over before the line can be read."""
UNSEEN = ("choose", "keep", "back", "undo", "redo", "swap", "rematch", "rematch_swapped", "drill_these")
"""Commands that only end a running animation. The player has not yet seen the position that they would act on."""
PICTURE, LINES, COACH = "picture", "lines", "coach"
"""Parts of the screen that can be painted alone: the board, the lines under it, and the coach's text beside it."""
NOTHING_EARLIER, NOTHING_LATER = "There are no earlier moves.", "There are no more moves."
LAST_HINT = "This is the last hint."
SAVING, LEARNED = "saving", "learned"
"""The groups of the worker that writes the game, and of the one that reads what the player has learned."""


@dataclass(frozen=True, slots=True)
class Requests:
    """What the player has asked to see of the current decision. `is_latest` means that the player asked for this after
    asking for the values."""

    hint: Hint | None = None
    payoffs: bool = False
    is_latest: bool = False


NO_REQUESTS = Requests()


class Side(NamedTuple):
    """What a screen shows beside its board. The moves and values of the positions on `path` are listed: `with_values`
    also the value of every move in the shown position, with `everything` all judgements, whoever has answered what, and
    with `in_plain_words` for a newcomer. Where no values may be shown, `placeholder` says why. `names_engines` means
    that the panel of players names the engine that plays."""

    path: Sequence[AnyNode]
    with_values: bool
    everything: bool
    in_plain_words: bool
    names_engines: bool
    placeholder: Sequence[Row] = ()
    background: Note = Note("This position")
    reply: Miniature | None = None


class BoardPicture(NamedTuple):
    """What a screen shows on its board and around it. The screen makes it once for a change. Parts that have not
    changed are `None`."""

    title: tuple[Row, Row] | None = None
    marks: Marks | None = None
    side: Side | None = None
    note: Note | None = None
    lines: Docked | None = None


class Board:
    """The board of a screen, with its live game. `flipped` and `values_shown` are the player's view
    options. `message` is the last message. `requests` holds what the player asked about the current decision."""

    def __init__(self, screen: BoardScreen, live: LiveGame) -> None:
        self.screen = screen
        self.layout = GameLayout()
        self.values_shown = False
        self.preparation = ""
        """What delays the values on the first run and how far it is, such as `Compiling the engine: 25%`, or an empty
        text."""
        self.timer: Timer | None = None
        """Shows the next picture of an animation."""
        self._set_live_game(live)

    @property
    def overlay(self) -> bool:
        """Whether the overlay is shown: on all boards or none, but not in a game with others before its end."""
        return self.screen.services.shows_overlay and (self.live.remote is None or self.live.session.is_over)

    def show_live_game(self, live: LiveGame) -> None:
        """Put another live game on the board. If it is of the same game, the analyst is used again."""
        if self.live.is_analyst_settled and live.game.id == self.live.game.id:
            live.set_analyst(self.live.analyst, self.live.source_note)
        self.workers.close()
        self.stop_watching()
        self._set_live_game(live)

    def _set_live_game(self, live: LiveGame) -> None:
        screen = self.screen
        self.live = screen.live = live
        self.stop_watching = live.watch(screen.follow_game)
        screen.saver = find_autosave(live)
        self.playback = Playback(live)
        self._stop_timer()
        self.workers = BoardWorkers(screen, live)
        self.move_input = MoveInput(live.session, self.draw_scene, screen.handle_move)
        name_answer = self.layout.notice.name_answer
        self.guard = Guard(screen.services.clock, screen.call_after_paint, screen.set_timer, name_answer)
        self.requests = NO_REQUESTS
        self.flipped = live.is_turned
        self.message: Row = ()
        self.background: dict[GameId, Background] = {}
        self.below: dict[int, Sequence[OnlyMoveStats | None]] = {}
        self.replies: dict[SeatMove, Refutation | None] = {}
        """The best play that was found after each mistake. It is `None` while the search goes on."""

    def paint(self, picture: BoardPicture) -> None:
        """Show those parts of a picture that are given."""
        layout = self.layout
        if picture.title is not None:
            layout.title_bar.show(*picture.title)
        if picture.marks is not None:
            frames = self.playback.frames
            layout.view.show(*((lambda _: frames[0], NO_MARKS) if frames else (self.draw_scene, picture.marks)))
        if picture.note is not None:
            layout.coach = picture.note
        if picture.side is not None:
            self._show_side(picture.side)
        if picture.note is not None or picture.side is not None:
            layout.share_lines()
        if picture.lines is not None:
            layout.show_docked(picture.lines, not self.guard.is_open)

    def _show_side(self, side: Side) -> None:
        live, playback, layout, path, in_plain_words = (
            self.live,
            self.playback,
            self.layout,
            side.path,
            side.in_plain_words,
        )
        at, result, width, has_ended = playback.node, playback.result, layout.value_width, playback.result is not None
        is_after_round = live.is_simultaneous and at.parent is not None and at is not live.node
        layout.worth = Note("Next round" if is_after_round else "Every move", otherwise=side.placeholder)
        if side.with_values:
            played = next((node.move for node in path if node.parent is at), None)
            rows = value_rows.move_value_rows(live, at, at.values, width, played, in_plain_words)
            layout.worth = replace(layout.worth, rows=rows)
        layout.winner, layout.values = (), None
        if (side.everything or side.with_values or has_ended) and playback.refutation is None:
            layout.winner = value_rows.winner_row(live, at, width, in_plain_words)
        if side.everything or is_revealed(live):
            layout.values = side_panels.build_strip(live, at, path, has_ended, side.everything, in_plain_words)
        layout.background, layout.reply = side.background, side.reply
        layout.players.show(game_rows.player_rows(live, result, playback.mover, side.names_engines, width))
        plies = side_panels.list_plies(live, path, side.everything, in_plain_words)
        layout.moves.show(plies, path.index(at), not live.is_simultaneous)

    def show_message(self, words: Phrase, tone: Tone = Tone.TEXT) -> None:
        self.show_row(phrase_row(words, tone))

    def show_row(self, message: Row) -> None:
        if message != self.message:
            self.message = message
            self.screen.mark_changed(LINES, COACH)

    def make_view(self) -> View[object, object]:
        """Return what the painter needs to draw the current moment. Only the path's end shows chosen targets."""
        playback, entry, is_live = self.playback, self.move_input.entry, self.playback.is_live
        if playback.refutation is not None:
            view = playback.view_refutation(playback.refutation)
        else:
            view = self.live.session.tree.view(playback.node)
        return replace(
            view, flipped=self.flipped, overlay=self.overlay, ascii_only=self.screen.services.ascii_only,
            chosen=entry.prefix if is_live else (), seat=self.live.session.speaking_seat,
            cursor=self.move_input.cursor, is_asked=is_live and bool(entry.options),
        )  # fmt: skip

    def draw_scene(self, scale: int = 1) -> Scene:
        return self.live.game.painter.scene(replace(self.make_view(), scale=scale))

    def play_out(self, line: Refutation) -> None:
        """Show the current move of a line, with its animation."""
        self.playback.refutation = line
        self.animate_last_move()
        self.screen.mark_changed()

    def animate_last_move(self) -> None:
        services = self.screen.services
        if services.terminal.animation:
            frames = self.live.game.painter.between(replace(self.make_view(), scale=self.layout.view.scale))
            self.animate(frames, services.preferences.frame_seconds)

    def animate(self, frames: Sequence[Scene], seconds: float) -> None:
        """Show these pictures, each for some seconds."""
        self.playback.frames, self.playback.takes_long = frames, len(frames) * seconds >= LONG_SECONDS
        if frames:
            self.timer = self.screen.set_interval(seconds, self._show_next_frame)

    def _show_next_frame(self) -> None:
        if len(self.playback.frames) > 1:
            self.playback.frames = self.playback.frames[1:]
            self.screen.mark_changed(PICTURE)
        else:
            self.end_animation()

    def end_animation(self) -> None:
        self.playback.frames, self.playback.takes_long = (), False
        self._stop_timer()
        self.screen.handle_arrival()

    def _stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.stop()
            self.timer = None

    def mark_entry(self, marking: Marking, with_values: bool, in_plain_words: bool) -> Marks:
        """Mark the last move, and where a move can be entered also the cursor, the choices, and what the player has
        asked for. If two people play, a secret choice of either is not marked. If the picture already shows a piece at
        its new place, no number covers it. Every step of a stopped move is marked as a threat."""
        seat, values, entry = self.live.session.choosing_seat, self.live.node.values, self.move_input.entry
        if marking is Marking.LAST_MOVE:
            return Marks(last=self.playback.last_targets)
        if marking is Marking.THREAT:
            return Marks(threat=entry.prefix, hint=self._hinted_targets(MoveEntry(entry.options)))
        labels = {}
        if with_values and values is not None and seat is not None:
            game, position = self.live.game, self.live.node.position
            labels = value_rows.value_labels(game, position, values, entry, seat, in_plain_words)
        return Marks(
            cursor=None if seat is None else self.move_input.cursor,
            chosen=() if self.live.session.is_blind or self.move_input.is_steered else entry.prefix,
            legal=entry.next_targets(),
            last=() if entry.prefix else self.playback.last_targets,
            hint=self._hinted_targets(entry),
            values=labels,
        )

    def _hinted_targets(self, entry: MoveEntry[Move]) -> tuple[Target, ...]:
        """Return the hinted targets that can be picked next. Once the player has begun a move, only a hint that lists
        moves marks anything. Of a long list, only the first moves are marked."""
        hint = self.requests.hint
        if hint is None:
            return ()
        if not hint.moves:
            return () if entry.prefix else hint.targets
        return tuple(
            target
            for target, moves in entry.group_by_target().items()
            if not set(moves).isdisjoint(hint.moves[: value_rows.NUMBERED])
        )

    def pick(self, target: Target) -> None:
        if not self.screen.find_refusal():
            has_said, self.message = bool(self.message), ()
            if why := self.move_input.pick(target):
                self.show_message(why, Tone.ERROR)
            self.screen.mark_changed(*[] if has_said else [PICTURE, LINES])

    def pick_at_cursor(self) -> None:
        if self.move_input.cursor is not None:
            self.pick(self.move_input.cursor)

    def drop_target(self) -> None:
        """Take back the target that was picked last."""
        self.message = ()
        self.move_input.drop_target()
        self.screen.mark_changed()

    def leave_best_line(self) -> None:
        """Show the position from which best play was shown."""
        self.message = ()
        self.playback.refutation = None
        self.screen.mark_changed()

    def takes_key(self, key: str) -> bool:
        """Handle a key on the board, and return whether it is used up. A key ends a running animation. The game's
        own keys pick the target that they name. Digits select a hinted move."""
        hint, target = self.requests.hint, self.move_input.find_named(key)
        if self.screen.services.is_gated:
            return False
        if self.playback.frames:
            self.end_animation()
            refused = (*UNSEEN, *STEPS) if self.move_input.is_steered else UNSEEN
            return target is not None or self.screen.find_command(key) in refused
        hint = hint if self.screen.find_command(key) is None else None
        if (target is None and hint is None) or self.screen.find_refusal():
            return False
        if target is not None:
            self.pick(target)
            return True
        if hint is not None and self.move_input.select_hinted(key, hint):
            self.show_message(phrase("{choose} plays this move."), Tone.DIM)
            self.screen.mark_changed()
            return True
        return False

    def action_type_move(self) -> None:
        """Let the player type a whole move. Targets picked so far are taken back."""
        self.message = ()
        while self.move_input.entry.prefix and not self.screen.find_refusal():
            self.move_input.drop_target()
        self.screen.mark_changed()
        screen = self.screen
        screen.type_text(
            lambda text: text and (screen.to_text(screen.find_refusal()) or self.move_input.play_typed(text))
        )

    def ask_for_move(self) -> None:
        """Start entering a move. A move counts only after the position has been on the screen for a moment."""
        self.move_input.start()
        self.fetch_analyst()
        self.screen.mark_changed()
        self.guard.restart()

    def fetch_analyst(self) -> None:
        """Find the analyst for this game, unless it is known. Then ask for the values that are needed here."""
        if self.live.is_analyst_settled:
            self.screen.ask_for_values()
        else:
            find, game = self.screen.services.find_analyst, self.live.game
            report = partial(self.screen.call_later, self._show_preparation)
            self.workers.ask("analyst", lambda _: [find(game, report)], self._set_analyst)

    def _show_preparation(self, what: str, share: float) -> None:
        """Show what delays the values. A move that was waiting for them is played, and judged later."""
        self.preparation = describe_preparation(what, share)
        self.live.begin_preparing()
        self.screen.handle_values()
        self.screen.mark_changed(LINES)

    def _set_analyst(self, found: AnalystFound) -> None:
        (analyst, note), was_prepared, self.preparation = found, bool(self.preparation), ""
        self.live.set_analyst(analyst, note)
        if note:
            self.show_message(note, Tone.SLIP)
        self.screen.ask_for_values()
        if was_prepared:
            self.ask_for_values(*self.live.node.path())
            self.screen.mark_changed(LINES)
        self.screen.repaint_values()

    def ask_for_values(self, *nodes: AnyNode, group: str = "study") -> None:
        """Find the values of the moves at these nodes, one after the other, and judge the moves played there."""
        if questions := [(node, question) for node in nodes if (question := self.live.prepare_question(node))]:
            self.workers.ask(group, partial(answer_questions, questions), self.store_values)

    def store_values(self, looked: FoundValues) -> None:
        has_judged, screen = self.live.store_values(looked.node, looked.values), self.screen
        if looked.failure:
            self.show_message(as_sentence(looked.failure), Tone.ERROR)
        screen.handle_values()
        if has_judged:
            screen.mark_changed()
        self.screen.repaint_values()

    def ask_for_hint(self, straight: bool = False) -> str:
        """Find the next stage of the hint, or with `straight` the last one. Return why there is no hint yet."""
        live, workers = self.live, self.workers
        shown = self.requests.hint if self.requests.is_latest and not self.screen.has_class("-narrow") else None
        if shown is not None and shown.is_last:
            return LAST_HINT
        search = live.prepare_hint(straight)
        workers.wants_hint = search is None and live.session.choosing_seat is not None
        if search is not None:
            workers.ask("hint", lambda _: [search()], self._show_hint, live.turn)
            return ""
        if workers.wants_hint and live.is_analyst_settled and live.analyst is None:
            return f"There is no hint: {live.source_note}"
        return game_rows.FINDING_VALUES if workers.wants_hint else NO_HINT

    def _show_hint(self, hint: Hint) -> None:
        self.show_message(hint.format_lines()[0] if self.screen.has_class("-narrow") else "", Tone.HINT)
        self.screen.mark_changed(PICTURE, COACH, *() if self.requests.hint else (LINES,))
        self.requests = Requests(hint=hint, is_latest=True)

    def ask_for_explanations(self, choices: Iterable[SeatMove]) -> None:
        searches = [(choice, search) for choice in choices if (search := self.live.prepare_explanation(choice))]
        if searches:
            self.workers.ask(
                "explain",
                lambda budget: ((choice, search(budget())) for choice, search in searches),
                self._store_explanation,
            )

    def _store_explanation(self, found: tuple[SeatMove, Explanation]) -> None:
        self.live.store_explanation(*found)
        self.screen.mark_changed(COACH, LINES)

    def ask_for_refutation(self, start: AnyNode, move: Move, show: Callable[[Refutation], None] | None = None) -> bool:
        """Find best play after a move, and `show` it or step through it. Return whether an analyst can find it."""
        search = self.live.prepare_refutation(start, move)
        if search is None:
            return False
        self.workers.refuting = wanted = (start, move)

        def take(found: Refutation) -> None:
            if self.workers.refuting == wanted:
                self.workers.stop_refuting()
                self.show_message("")
                if show is None:
                    self.playback.refutation = found
                else:
                    show(found)
                self.screen.mark_changed()

        self.workers.ask("refute", lambda budget: [search(budget())], take)
        return True

    def show_ply(self, ply: int) -> None:
        """Show the position after `ply` plies, and cancel the search for a refutation."""
        self.screen.stop_trying()
        self.workers.stop_refuting()
        self.message = ()
        self.playback.show_ply(ply)
        self.screen.mark_changed()

    def action_cursor(self, dx: int, dy: int) -> None:
        """Move the cursor, choose a direction where the arrow keys steer, or step through best play."""
        if self.playback.refutation is not None:
            self.action_walk(dx)
        elif (target := self.move_input.find_named(ARROWS[dx, dy])) is not None:
            self.pick(target)
        elif not self.screen.find_refusal():
            self.show_message(self.move_input.move_cursor(dx, dy), Tone.DIM)
            self.screen.mark_changed(PICTURE)

    def action_flip(self) -> None:
        self.flipped = not self.flipped
        self.screen.mark_changed()

    def action_overlay(self) -> None:
        self.screen.services.shows_overlay = not self.overlay
        self.screen.mark_changed()

    def action_values(self) -> None:
        self.values_shown, self.message = not self.values_shown, ()
        self.screen.mark_changed()

    def action_walk(self, by: int) -> None:
        """Go forwards or back in best play or in the game. If the game has no move there, say so."""
        if self.playback.refutation is not None:
            self.playback.refutation = self.playback.refutation.step_by(by)
            self.message = ()
            self.screen.mark_changed()
            return
        before = self.playback.node
        self.show_ply(before.ply + by)
        if self.playback.node is before:
            self.show_message(NOTHING_LATER if by > 0 else NOTHING_EARLIER, Tone.DIM)

    def action_walk_to(self, end: int) -> None:
        self.screen.stop_trying()
        self.show_ply(0 if end < 0 else self.playback.last_node.ply)

    def action_mistake(self, by: int) -> None:
        self.screen.stop_trying()
        everything, here = self.screen.shows_everything, self.playback.node.ply
        path = self.playback.last_node.path()
        marked = [node.ply for node in path if side_panels.is_marked(self.live, node, everything)]
        ahead = [ply for ply in marked if (ply - here) * by > 0]
        if ahead:
            self.show_ply(ahead[0 if by > 0 else -1])
        else:
            self.show_message(game_rows.no_mistakes_text(self.live, by, everything, bool(marked)), Tone.DIM)

    def action_explore(self) -> None:
        if may_be_explored(self.live):
            self.screen.open("explore", Exploration(self.live.game, self.playback.node))

    def action_new(self) -> None:
        self.screen.open("new", self.live.game.id)


class BoardScreen(BaseScreen):
    """A screen with a board. A subclass decides what happens to a complete move (`handle_move`), and knows what the
    player is doing (`situation`). It also decides what is shown above (`title_rows`), beside (`notes`) and under the
    board (`docked_lines`)."""

    names_engines = False
    """Whether the panel of players names the engine that plays."""
    is_newcomer = False
    """Whether the player has never finished a game of this kind. `False` while that is not known. A newcomer sees
    values in words."""
    has_background = True
    """Whether a wide screen shows what the player's games and drills say about a position."""
    shows_everything = False
    """Whether judgements are shown no matter who has answered what."""
    is_framed = False
    """The board lays out its own panels."""

    def __init__(self, live: LiveGame) -> None:
        super().__init__()
        self.live = live
        self.saver: Autosave | None = None
        self._after_paint: list[Callable[[], None]] = []
        self.board = Board(self, live)
        self.keys_named: AbstractSet[str] = frozenset()
        """The commands whose keys the lines under the board name instead of the footer."""
        self.saving_trouble = ""
        self.progress: Learned | None = None
        """What the player has learned of this game, or `None` if that is not known."""
        self.actors.append(self.board)
        self.confirming = Confirmation(self.services.clock, self.call_after_paint, self.set_timer)

    def handle_move(self, seat: Seat, move: Move) -> None:
        raise NotImplementedError

    @property
    def situation(self) -> Situation:
        """What the player is doing. It decides what Enter, Back and the way out do, and what is possible."""
        raise NotImplementedError

    def find_refusal(self) -> Phrase:
        """Return why no move can be entered now, or an empty text if one can."""
        return self.situation.refusal

    @property
    def effects(self) -> Mapping[Effect, Callable[[], object]]:
        """What the situations call by a name, as methods of this screen."""
        board = self.board
        return {
            Effect.NOTHING: lambda: None,
            Effect.PICK: board.pick_at_cursor,
            Effect.DROP_TARGET: board.drop_target,
            Effect.STEP_ON: partial(board.action_walk, 1),
            Effect.LEAVE_BEST_LINE: board.leave_best_line,
            Effect.RETURN: partial(board.action_walk_to, 1),
            Effect.LEAVE: self.action_leave,
        }

    def carry_out(self, effect: Effect) -> None:
        """Do what a key does in the situation that the player is in."""
        self.effects[effect]()

    def action_choose(self) -> None:
        self.carry_out(self.situation.enter)

    def action_back(self) -> None:
        effect = self.situation.back
        self.board.workers.stop_refuting()
        self.carry_out(effect)

    def find_refuted(self) -> SeatMove | None:
        """Return the mistake whose best reply a wide screen shows beside the board."""
        return None

    def title_rows(self) -> tuple[Row, Row]:
        raise NotImplementedError

    def notes(self) -> Note:
        raise NotImplementedError

    def docked_lines(self) -> Docked:
        raise NotImplementedError

    def ask_for_values(self) -> None:
        """Ask for the values that this screen needs. This is called once the search for an analyst is over."""

    def handle_values(self) -> None:
        """React to new values."""

    def handle_arrival(self) -> None:
        """React to the end of an animated move."""
        self.mark_changed()

    def stop_trying(self) -> None:
        """Go back from moves that are only tried, because another position will be shown."""

    def follow_game(self) -> None:
        """React to a change of the game. It may have been made on a screen below this one."""
        self.mark_changed()

    def show_learned(self, learned: Learned) -> None:
        self.progress = learned
        self.mark_changed()

    def store_milestone(self, milestone: Milestone) -> None:
        """Store that the player has reached this milestone in learning the game."""
        if (store := self.services.store) is not None:
            reach = partial(store.lessons.reach, self.live.game.id, milestone)
            self.write(reach, self.show_learned, "over", keys_wait=True)

    def path(self) -> Sequence[AnyNode]:
        """Return the nodes whose moves and values are listed."""
        return self.board.playback.last_node.path()

    def shows_worth(self) -> bool:
        """Whether the value of each move may be shown beside the board."""
        return False

    def is_puzzle(self) -> bool:
        """Whether the player has to find a move before the values may be shown."""
        return False

    def marks(self) -> Marks:
        return self.board.mark_entry(self.situation.marking, self.board.values_shown, self.is_newcomer)

    def is_own_key(self, key: str) -> bool:
        """Whether this is one of the game's own keys, on a screen where moves are entered."""
        return self.screen_id in STEERED and key in self.board.move_input.keys

    def check_actions(self) -> dict[str, bool]:
        play = self.live.game.play
        return {"overlay": bool(play.overlay_title), "panel": self.has_class("-narrow"), "flip": not play.is_steered}

    def describe_command(self, command: Command) -> str:
        if command.id == "why" and self.live.is_simultaneous:
            return "Explain the last round and your choices now"
        is_choice = command.name == "cursor" and self.live.game.play.is_steered
        return f"Choose {command.word}" if is_choice else command.help

    def compose_content(self) -> Iterable[Widget]:
        yield self.board.layout

    def paint(self, stale: AbstractSet[str]) -> None:
        """Paint what has changed, once all of it is on disk. The player never sees anything that could still be
        lost. A new board is painted at once, and for the second time when it is known what the player has learned."""
        self.save_changes()
        if SAVING in self._awaited or (self.is_laid_out and LEARNED in self._awaited):
            self._stale |= stale
        else:
            picture = self.make_picture(stale)
            self.board.paint(picture)
            if picture.lines is not None:
                self.query_one(KeyBar).repaint()  # The footer leaves out the keys that are named there.
            # Called by a widget, and not by the screen, these wait until the widgets painted before it are drawn.
            while self._after_paint:
                self.query_one(KeyBar).call_after_refresh(self._after_paint.pop())

    def make_picture(self, parts: AbstractSet[str]) -> BoardPicture:
        """Return these parts of what the screen shows. Names that are not parts stand for all of it."""
        is_whole = bool(parts - {PICTURE, LINES, COACH})
        return BoardPicture(
            title=self.title_rows() if is_whole else None,
            marks=self.marks() if is_whole or PICTURE in parts else None,
            side=self.make_side() if is_whole else None,
            note=self.make_note() if is_whole or COACH in parts else None,
            lines=self.make_lines() if is_whole or LINES in parts else None,
        )

    def make_side(self) -> Side:
        with_values = self.shows_worth()
        side = Side(self.path(), with_values, self.shows_everything, self.is_newcomer, self.names_engines)
        if not self.board.layout.arrangement.has_two_stacks:
            return side
        background = Note("This position", self.make_background())
        return side._replace(
            placeholder=self.make_placeholder(with_values), background=background, reply=self.find_best_reply()
        )

    def make_note(self) -> Note:
        """Return the coach's text, with what the overlay shows in words."""
        notes, width = self.notes(), self.board.layout.note_width
        if self.board.overlay and (words := self.live.game.voice.describe_overlay) is not None:
            lines = [row for line in words(self.board.make_view().position) for row in game_rows.wrap(line, width)]
            title = notes.title if notes.rows else self.live.game.play.overlay_title.capitalize()
            notes = replace(notes, title=title, rows=(*notes.rows, *lines))
        return replace(notes, rows=lay_out(notes.rows, width, self.name_key))

    def advice_rows(self, with_values: bool, width: int) -> Sequence[Row]:
        """Return the hint. If both sides move at once, the payoffs follow it when they may be shown. Reasons that the
        player asked for come before them, or replace them beside a stopped move on a small screen."""
        live, hint = self.live, self.board.requests.hint
        if hint is not None and self.is_newcomer:
            hint = value_rows.hint_in_words(hint, live)
        rows = [] if hint is None else value_rows.hint_rows(hint, width, self.board.move_input.numbers_hints)
        values, is_full_hint = live.node.values, hint is not None and hint.is_last
        if not isinstance(values, Mixed):
            return rows
        if self.board.requests.payoffs:
            texts = explain_choices(live, values)
            rows = [*(row for text in texts for row in game_rows.wrap(text, width)), *rows]
        choice = find_doubtful_choice(live, values)
        is_past = choice is not None and choice[0] is not live.node
        has_space = not is_past and (live.stopped_move is None or self.board.layout.arrangement.is_framed)
        may_be_seen = with_values and not (self.board.requests.payoffs and is_past)
        if may_be_seen or is_full_hint or (self.board.requests.payoffs and has_space):
            rows += value_rows.payoff_rows(values, live.session.speaking_seat, "die" in self.live_keys())
        return rows

    def make_placeholder(self, with_values: bool) -> Sequence[Row]:
        words: Phrase = side_panels.TO_BE_FOUND
        if not self.is_puzzle():
            possible = self.live_keys()
            words = side_panels.describe_hidden_values(self.live, self.board.playback.node, with_values, possible)
        return lay_out([phrase_row(words, Tone.DIM)], self.board.layout.value_width, self.name_key)

    def find_best_reply(self) -> Miniature | None:
        """Return a small board with the best reply to a mistake, or with the end of best play if that is shown."""
        board, playback = self.board, self.board.playback
        if self.live.is_simultaneous:
            return None
        if (found := playback.refutation) is not None:
            title, line = "After best play", found.step_by(len(found.moves))
        else:
            if (mistake := self.find_refuted()) is None:
                return None
            start, _, move = mistake
            if (analyst := self.live.analyst) is None:
                return None
            search, budget = partial(find_refutation, self.live.session.tree, start, move), board.workers.new_budget
            found = self.look_up(board.replies, mistake, None, lambda: search(analyst, budget()), "reply")
            if found is None or not found.reply:
                return None
            title, line = f"Best reply: {found.reply}", found.step_by(1)
        view = playback.view_refutation(line)
        view = replace(view, flipped=board.flipped, ascii_only=self.services.ascii_only)
        draw = self.live.game.painter.scene
        return Miniature(
            title, lambda scale: draw(replace(view, scale=scale)), Marks(last=playback.trace_refutation(line))
        )

    def make_background(self) -> Sequence[Row]:
        """Return facts about the player's games and drills here and, if values may be shown, the next plies."""
        board, live, at = self.board, self.live, self.board.playback.node
        if not self.has_background:
            return ()
        store = self.services.store
        read = partial(read_background, store, live.game)
        known = self.look_up(board.background, live.game.id, Background(), read, "background")
        own, drills = known.own.get(at.position, explore_rows.NOWHERE), list(known.answers.items())
        rules, is_over = live.game.rules, live.session.tree.result_at(at) is not None
        near, is_joint = live.session.near_seat, live.is_simultaneous
        moves = moves_of(rules, at.position, near) if is_joint else rules.legal_moves(at.position)
        count = 0 if is_over else len(moves)
        rows = explore_rows.background_rows(count, own, drills, known.due, board.layout.value_width)
        analyst, is_searched = live.analyst, live.is_simultaneous or live.game.facts.plays_by_search
        if self.shows_worth() and analyst is not None and not is_searched and not is_over:
            find, budget = (
                partial(read_only_move_stats, live.game, at.position, alternating(analyst)),
                board.workers.new_budget,
            )
            below = self.look_up(board.below, at.id, (), lambda: find(budget()), "below")
            rows += explore_rows.below_rows(below, board.layout.value_width)
        return rows

    @property
    def line_width(self) -> int:
        return self.size.width - 1

    def make_lines(self) -> Docked:
        """Return the lines under the board, or the text being typed, with the names of their keys."""
        if self.typing:
            game, position, seat = self.live.game, self.live.node.position, self.live.session.choosing_seat
            shown = status_lines.typing_lines(self.typing, self.size.width, game, position, seat)
        else:
            shown = self.docked_lines()
        width, is_low = self.size.width, self.size.height < FULL_HEIGHT
        possible = [key for key in shown.keys if key[0] in self.live_keys()]
        in_footer = () if is_low else self.footer_commands()[-ALWAYS:]  # a low screen has no footer
        keys = status_lines.fit_keys(possible, shown.gap, width, in_footer, self.name_key)
        self.keys_named = frozenset(command for command, _ in keys)
        unnamed = (*shown.rows, *([key_row(keys, shown.gap)] if keys else ()))
        rows: Sequence[Row] = [self.name_keys(row) for row in unnamed]
        if self.board.layout.arrangement.is_folded:
            rows = status_lines.add_times(self.live, rows)
        if is_low and keys:
            rows = status_lines.add_footer(rows, self.footer_words((PANELS,)), width, self.name_key)
        return replace(shown, rows=rows)

    def repaint_values(self) -> None:
        """Paint again if anything may be shown that depends on values."""
        if self.shows_everything or self.shows_worth() or self.board.requests != NO_REQUESTS:
            self.mark_changed()

    def call_after_paint(self, do: Callable[[], None]) -> None:
        """Call `do` when everything that has changed is on the screen. Until the game is on disk, nothing of it is."""
        self._after_paint.append(do)
        if not self._stale:
            self.mark_changed(LINES)

    def save_changes(self, tries_again: bool = False) -> None:
        """Have a worker write the game if it has changed, or with `tries_again` also if it could not be written before.
        Keys wait until it is on disk."""
        if self.saver is None or SAVING in self._awaited:
            return
        if self.saver.has_changed or (tries_again and self.is_unsaved):
            self.write(self.saver.begin_writing(), self.report_saving, SAVING, keys_wait=True)

    def report_saving(self, trouble: str) -> None:
        """Say what went wrong when the game was saved, or that it is saved again, unless that was said before."""
        if trouble != self.saving_trouble:
            self.say(trouble or "Your game is saved again.", Tone.ERROR if trouble else Tone.STRONG)
        self.saving_trouble = trouble
        if not trouble and self.confirming.asked == "menu":
            self.confirming.asked = ""

    @property
    def is_unsaved(self) -> bool:
        """Whether the last changes could not be written. `False` if no game is saved here at all."""
        return bool(self.saving_trouble) and self.saver is not None and not self.saver.store.trouble

    def open(self, name: str, *arguments: object) -> None:
        """Open another screen, unless it would replace a game whose last moves cannot be saved."""
        if name in ("menu", "new", "play") and self.save_at_last():
            leave = Key(self.way_back)
            self.say(("Your last moves are not saved. Press ", leave, " to leave this game first."), Tone.ERROR)
        else:
            super().open(name, *arguments)

    def save_at_last(self) -> str:
        if self.saver is not None and self.is_unsaved:
            self.saving_trouble = self.saver.save_now()
            return self.saving_trouble
        return ""

    def on_unmount(self) -> None:
        self.board.stop_watching()
        self.save_changes(tries_again=True)

    def say(self, words: Phrase, tone: Tone = Tone.TEXT) -> None:
        self.board.show_row(message_row(words, tone))

    def is_confirmed(self, command: str, question: Phrase) -> bool:
        """Return whether a command was asked about and confirmed. If not, ask. If the answer came too soon, say so."""
        hasty = "Too quick: read the question first. " if self.confirming.asked == command else ""
        is_given = self.confirming.confirm(command)
        if not is_given:
            self.say((hasty, *split_phrase(question)), Tone.STRONG)
        return is_given

    def confirms_giving_up(self, command: str) -> bool:
        """Return whether to give up a game that is not saved. A second press of the key of `command` confirms it."""
        words = ("Your game here is not saved. Press ", Key(command), " again to give it up.")
        return self.is_confirmed(command, words)

    def confirms_quitting(self) -> bool:
        self.typing = None
        return self.services.is_gated or self.confirms_giving_up("quit")

    def withdraw_question(self) -> None:
        self.confirming.asked = ""
        self.say("")

    def withdraws_question(self, key: str) -> bool:
        """Whether a key does nothing but withdraw a pending question. The key that asked it answers it."""
        command = self.find_command(key)
        if not self.confirming.asked or command == self.confirming.asked:
            return False
        self.withdraw_question()
        return command not in BEHIND_THE_GATE

    def show_typing(self) -> None:
        self.mark_changed(LINES)

    def save_all(self) -> None:
        saver = self.saver
        if saver is not None and (saver.has_changed or self.is_unsaved or SAVING in self._awaited):
            saver.save_now()

    def game_to_read(self) -> GameId:
        return self.live.game.id

    def action_learn(self) -> None:
        """Look for the next step. A message says so first, because finding drills can take a while."""
        self.say("Finding positions...", Tone.DIM)
        super().action_learn()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out the board again. An animation ends, because its pictures have the old size. A hint under the board is
        cleared if the screen is now wide enough to show it beside the board."""
        board = self.board
        board.layout.share(*event.size)
        if board.playback.frames:
            board.end_animation()
        if board.message and board.message[0][1] is Tone.HINT and event.size.width >= FULL_WIDTH:
            board.message = ()

    def on_pointed(self, message: Pointed) -> None:
        """Choose the clicked target, as Enter does. During an animation, only end the animation."""
        board = self.board
        if board.playback.frames:
            board.end_animation()
        elif not self.find_refusal():
            if not board.move_input.is_steered:
                board.move_input.cursor = message.target
            board.pick(message.target)

    def on_jumped(self, message: Jumped) -> None:
        """Show the clicked position. A running animation ends, because it belongs to another one."""
        if self.board.playback.frames:
            self.board.end_animation()
        self.board.show_ply(message.ply)

    def before_key(self, key: str) -> bool:
        return self.board.takes_key(key)

    def footer(self) -> list[tuple[str, str]]:
        """Return the footer's words. If the lines under the board name keys, the footer does not repeat them."""
        named = self.keys_named
        if not named:
            return super().footer()
        return self.footer_words([name for name in (PANELS, *self.footer_commands()[-ALWAYS:]) if name not in named])
