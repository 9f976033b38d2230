"""The base of screens with a board: a live game, the move being entered, the player's questions, and what is shown.

A screen makes a picture of all that for the board. What happens to a complete move is up to the subclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial

from onlymove.pictures.colours import Tone
from onlymove.pictures.painting import Marks
from onlymove_engines.coach.figures import SeatMove
from onlymove_engines.coach.values import Refutation
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.core.words import mentions_distance
from onlymove_engines.live.live_game import LiveGame, allows_help
from onlymove_engines.play.tree import AnyNode
from textual import events, on
from textual.widget import Widget

from onlymove_tui.app.base_screen import FULL_WIDTH, TYPING_WORDS, message_row
from onlymove_tui.app.board.beside import Beside
from onlymove_tui.app.board.board import Board
from onlymove_tui.app.board.move_input import ARROWS, STEPS
from onlymove_tui.app.board.picture import BoardPicture, Side, Stage, advice_rows, make_side
from onlymove_tui.app.board.state import NO_REQUESTS, BoardState, Requests
from onlymove_tui.app.board.workers import (
    AnalystOpened,
    ExplanationFound,
    HintFound,
    LineFound,
    Preparing,
    Questions,
    ValuesFound,
)
from onlymove_tui.app.commands import ALWAYS, STEERED, Command
from onlymove_tui.app.confirmation import Confirmation, Guard
from onlymove_tui.app.live_games import find_autosave
from onlymove_tui.app.messages import Arrived, Jumped, Pointed
from onlymove_tui.app.panels import game_rows, side_panels, status_lines
from onlymove_tui.app.saving import Saving
from onlymove_tui.app.situated import SituatedScreen
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, KeyBar
from onlymove_tui.app.widgets.canvas import KEY_GAP, Row, are_same, fold, key_row, lay_out, phrase_row, row_width
from onlymove_tui.app.widgets.fields import Typing
from onlymove_tui.app.widgets.layout import AND_MORE, Docked, Note
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.play.keys import Key, KeyWords, Phrase, phrase
from onlymove_tui.play.phrases import describe_counting, describe_preparation
from onlymove_tui.play.situations import FIND_FIRST, PANELS, Effect
from onlymove_tui.store.learning import Learned, Milestone

UNSEEN = ("choose", "keep", "back", "undo", "redo", "swap", "rematch", "rematch_swapped", "drill_these")
"""Commands that only end a running animation. The player has not yet seen the position that they would act on."""
PICTURE, LINES, COACH = "picture", "lines", "coach"
"""Parts of the screen that can be painted alone: the board, the lines under it, and the coach's text beside it."""
LAST_HINT = "This is the last hint."
HINT = "hint"
"""The subject of a message that is a hint."""
COACH_READY = "The coach is ready. It judges your moves now, also those that you have made."
NO_OPPONENT = phrase("Your opponent cannot play at its level now. {menu} keeps this rated game for later.")
SAVING, LEARNED = "saving", "learned"
"""The groups of the worker that writes the game, and of the one that reads what the player has learned."""


class BoardScreen(SituatedScreen):
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
        self.board = Board()
        self._after_paint: list[Callable[[], None]] = []
        self.keys_named: KeyWords = ()
        """The keys that the lines under the board name instead of the footer, with their words."""
        self.progress: Learned | None = None
        """What the player has learned of this game, or `None` if that is not known."""
        self.confirming = Confirmation(
            self.services.clock, self.call_after_paint, self.set_timer, partial(self.say, tone=Tone.STRONG)
        )
        self.state = BoardState(live, self.services, self.handle_move)
        self._watch(live)

    def show_live_game(self, live: LiveGame) -> None:
        """Put another live game on the board. If it is of the same game, the analyst is used again."""
        if self.live.is_analyst_settled and live.game.id == self.live.game.id:
            live.set_analyst(self.live.analyst, self.live.source_note)
        self.questions.close()
        self.stop_watching()
        self.message = ()
        self.state.show_live_game(live)
        self._watch(live)

    def _watch(self, live: LiveGame) -> None:
        self.live = live
        self.stop_watching = live.watch(self.follow_game)
        self.saving = Saving(find_autosave(live))
        self.questions = Questions(self, live)
        self.guard = Guard(self.services.clock, self.call_after_paint, self.set_timer, self.board.name_answer)
        self.beside = Beside(self, self.state, self.questions, self.services.store)

    def handle_move(self, seat: Seat, move: Move) -> None:
        raise NotImplementedError

    def find_refusal(self) -> Phrase:
        """Return why no move can be entered now, or an empty text if one can."""
        return self.situation.refusal

    @property
    def effects(self) -> Mapping[Effect, Callable[[], object]]:
        return {
            **super().effects,
            Effect.PICK: self.pick_at_cursor,
            Effect.DROP_TARGET: self.drop_target,
            Effect.STEP_ON: partial(self.action_walk, 1),
            Effect.LEAVE_BEST_LINE: self.leave_best_line,
            Effect.RETURN: partial(self.action_walk_to, 1),
            Effect.LEAVE: self.action_leave,
        }

    def action_choose(self) -> None:
        self.carry_out(self.situation.enter)

    def action_why(self) -> None:
        self.carry_out(self.situation.why)

    def action_back(self) -> None:
        effect = self.situation.back
        self.questions.stop_refuting()
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

    def handle_refutation(self, line: Refutation) -> None:
        """React to the best play that was looked for: step through it."""
        self.state.playback.refutation = line

    def handle_arrival(self) -> None:
        """React to the end of an animated move."""
        self.mark_changed()

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
        return self.state.playback.last_node.path()

    def shows_worth(self) -> bool:
        """Whether the value of each move may be shown beside the board."""
        return False

    def marks(self) -> Marks:
        return self.state.mark_entry(self.situation.marking, self.state.values_shown, self.is_newcomer)

    def find_own_keys(self) -> Callable[[str], bool]:
        """Return which keys are the game's own, where moves are entered."""
        keys = self.state.move_input.keys if self.command_set in STEERED else ()
        return lambda key: key in keys

    def check_actions(self) -> dict[str, bool]:
        play = self.live.game.play
        return {
            "overlay": bool(play.overlay_title) and not self.state.playback.shows_end,
            "panel": self.has_class("-narrow"),
            "flip": not play.is_steered,
        }

    def describe_command(self, command: Command) -> str:
        if command.id == "why" and self.live.is_simultaneous:
            return "Explain the last round and your choices now"
        is_choice = command.name == "cursor" and self.live.game.play.is_steered
        return f"Choose {command.word}" if is_choice else command.help

    def compose_content(self) -> Iterable[Widget]:
        yield self.board

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
        """Return these parts of what the screen shows. Any other name means the whole screen."""
        is_whole = bool(parts - {PICTURE, LINES, COACH})
        return BoardPicture(
            title=self.title_rows() if is_whole else None,
            stage=self.make_stage() if is_whole or PICTURE in parts else None,
            side=self.make_side() if is_whole else None,
            note=self.make_note() if is_whole or COACH in parts else None,
            lines=self.make_lines() if is_whole or LINES in parts else None,
            more=self.name_keys(AND_MORE),
        )

    def make_stage(self) -> Stage:
        playback = self.state.playback
        return Stage(self.state.draw, self.marks(), playback.frames, playback.frame_seconds)

    def make_side(self) -> Side:
        board, with_values, has_two_stacks = self.board, self.shows_worth(), self.board.arrangement.has_two_stacks
        side = make_side(
            self.state, self.path(), board.value_width, with_values=with_values, everything=self.shows_everything,
            in_plain_words=self.is_newcomer, names_engines=self.names_engines,
            placeholder=self.make_placeholder(with_values) if has_two_stacks else (),
        )  # fmt: skip
        if not has_two_stacks:
            return side
        has_background = self.has_background and not self.live.is_rated
        rows = self.beside.background_rows(with_values, board.value_width) if has_background else ()
        return side._replace(background=Note("This position", rows), reply=self.beside.draw_reply(self.find_refuted()))

    def make_note(self) -> Note:
        """Return the coach's text, with what the overlay shows in words."""
        notes, width = self.notes(), self.board.note_width
        if self.state.overlay and (words := self.live.game.voice.describe_overlay) is not None:
            lines = [row for line in words(self.state.make_view().position) for row in game_rows.wrap(line, width)]
            title = notes.title if notes.rows else self.live.game.play.overlay_title.capitalize()
            notes = replace(notes, title=title, rows=(*notes.rows, *lines))
        if not self.board.arrangement.is_folded and self.meets_distance((*notes.rows, self.message)):
            counting = game_rows.wrap(describe_counting(self.live.game), width, Tone.DIM)
            notes = replace(notes, rows=game_rows.add_after_distance(notes.rows, counting))
        return replace(notes, rows=lay_out(notes.rows, width, self.name_key))

    def meets_distance(self, rows: Sequence[Row]) -> bool:
        """Whether these rows say how far away something is, and this is the position where the game first does so."""
        if not mentions_distance(" ".join(text for row in rows for text, _ in self.name_keys(row))):
            return False
        here = self.state.playback.node.position
        return bool(self.services.distances_met.setdefault(self.live.game.id, here) == here)

    def advice_rows(self, with_values: bool, width: int) -> Sequence[Row]:
        """Return the hint that the player has asked for, and in a simultaneous game the payoffs."""
        has_die, is_framed = "die" in self.key_table.by_command, self.board.arrangement.is_framed
        return advice_rows(self.state, width, with_values, self.is_newcomer, has_die, is_framed)

    def make_placeholder(self, with_values: bool) -> Sequence[Row]:
        words = self.situation.no_values
        if words == FIND_FIRST:
            words = side_panels.TO_BE_FOUND
        elif not words:
            possible = self.key_table.by_command
            words = side_panels.describe_hidden_values(self.live, self.state.playback.node, with_values, possible)
        return lay_out([phrase_row(words, Tone.DIM)], self.board.value_width, self.name_key)

    @property
    def line_width(self) -> int:
        return self.size.width - 1

    def make_lines(self) -> Docked:
        """Return the lines under the board, or the text being typed, with the names of their keys."""
        if self.typing:
            return self.make_typing_lines(self.typing)
        shown = self.docked_lines()
        width, is_low = self.size.width, self.size.height < FULL_HEIGHT
        keys: KeyWords = [key for key in shown.keys if key[0] in self.key_table.by_command]
        if keys:
            in_footer = None if is_low else self.footer_without(keys)
            keys = status_lines.fit_keys(keys, in_footer, self.way_back, shown.gap, width, self.name_key)
        self.keys_named = keys
        unnamed = (*shown.rows, *([key_row(keys, shown.gap)] if keys else ()))
        rows: Sequence[Row] = [self.name_keys(row) for row in unnamed]
        if self.board.arrangement.is_folded:
            rows = status_lines.add_times(self.live, rows, shown.has_hint)
            counted = status_lines.add_counting(self.live.game, rows, width)
            rows = counted if counted != rows and self.meets_distance(rows) else rows
        if is_low and keys:
            rows = status_lines.add_footer(rows, self.key_table.choose_words((PANELS,)), width, self.name_key)
        return replace(shown, rows=rows, is_guarded=shown.is_guarded and not self.guard.is_open)

    def make_typing_lines(self, typing: Typing) -> Docked:
        """Return the text being typed and what is said of it. If that takes two lines, the keys stand beside the text
        and not in a line of their own, so that the board keeps its space."""
        session = self.state.move_input.session
        game, position, seat = session.game, session.position, session.choosing_seat
        shown = status_lines.typing_lines(typing, self.size.width, game, position, seat)
        text, why = shown.rows
        beside = self.name_keys([*text, (KEY_GAP, Tone.TEXT), *key_row(TYPING_WORDS)])
        is_long = len(fold(why, self.line_width)) > 1 and row_width(beside) <= self.line_width
        self.keys_named = TYPING_WORDS if is_long else ()
        rows: Sequence[Row] = [beside if is_long else text, why]
        if self.board.arrangement.is_folded:
            rows = status_lines.add_times(self.live, rows, shown.has_hint)
        return replace(shown, rows=rows, has_footer=is_long)

    def repaint_values(self) -> None:
        """Paint again if anything may be shown that depends on values."""
        if self.shows_everything or self.shows_worth() or self.state.requests != NO_REQUESTS:
            self.mark_changed()

    def call_after_paint(self, do: Callable[[], None]) -> None:
        """Call `do` when everything that has changed is on the screen. Until the game is on disk, nothing of it is."""
        self._after_paint.append(do)
        if not self._stale:
            self.mark_changed(LINES)

    def save_changes(self, tries_again: bool = False) -> None:
        """Have a worker write the game if it has changed, or with `tries_again` also if it could not be written before.
        Keys wait until it is on disk."""
        if SAVING not in self._awaited and (write := self.saving.begin(tries_again)) is not None:
            self.write(write, self.report_saving, SAVING, keys_wait=True)

    def report_saving(self, trouble: str) -> None:
        """Say what went wrong when the game was saved, or that it is saved again, unless that was said before."""
        if said := self.saving.report(trouble):
            self.say(said, Tone.ERROR if trouble else Tone.STRONG)
        if not trouble and self.confirming.asked == "menu":
            self.confirming.withdraw()

    def open(self, name: str, *arguments: object) -> None:
        """Open another screen, unless it would replace a game whose last moves cannot be saved."""
        if name in ("menu", "new", "play") and self.save_at_last():
            leave = Key(self.way_back)
            self.say(("Your last moves are not saved. Press ", leave, " to leave this game first."), Tone.ERROR)
        else:
            super().open(name, *arguments)

    def save_at_last(self) -> str:
        return self.saving.save_at_last()

    def on_unmount(self) -> None:
        self.stop_watching()
        self.save_changes(tries_again=True)

    def say(self, words: Phrase, tone: Tone = Tone.TEXT) -> None:
        self.show_message(message_row(words, tone) if words else (), LINES, COACH)

    def show_message(self, row: Row, *parts: str) -> None:
        """Show a message, and paint these parts of the screen if it is new."""
        if not are_same([row], [self.message]):
            self.message = row
            self.mark_changed(*parts)

    @property
    def shows_hint(self) -> bool:
        """Whether the message is the hint that the player has asked for."""
        return bool(self.message) and self.subject is HINT

    def confirms_giving_up(self, command: str) -> bool:
        """Return whether to give up a game that is not saved. A second press of the key of `command` confirms it."""
        words = ("Your game here is not saved. Press ", Key(command), " again to give it up.")
        return self.confirming.allows(command, words)

    def confirms_quitting(self) -> bool:
        self.typing = None
        return self.services.is_gated or self.confirms_giving_up("quit")

    def show_typing(self) -> None:
        self.mark_changed(LINES)

    def save_all(self) -> None:
        self.saving.save_all(is_writing=SAVING in self._awaited)

    def game_to_read(self) -> GameId:
        return self.live.game.id

    def learn_on(self) -> None:
        """Look for the next step. A message says so first, because finding drills can take a while."""
        self.say("Finding positions...", Tone.DIM)
        super().learn_on()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out the board again. An animation ends, because its pictures have the old size. A hint under the board is
        cleared if the screen is now wide enough to show it beside the board."""
        self.board.share(*event.size)
        self.ends_animation()
        if event.size.width >= FULL_WIDTH and self.shows_hint:
            self.message = ()

    def on_pointed(self, message: Pointed) -> None:
        """Choose the clicked target, as Enter does. During an animation, only end the animation."""
        if not self.ends_animation() and not self.find_refusal():
            if not self.state.move_input.is_steered:
                self.state.move_input.cursor = message.target
            self.pick(message.target)

    def on_jumped(self, message: Jumped) -> None:
        """Show the clicked position. A running animation ends, because it belongs to another one."""
        self.ends_animation()
        self.show_ply(message.ply)

    def before_key(self, key: str) -> bool:
        """Handle a key on the board. A key ends a running animation. The game's own keys pick the target that they
        name. Digits select a hinted move."""
        move_input, hint = self.state.move_input, self.state.requests.hint
        target, command = move_input.find_named(key), self.find_command(key)
        if self.services.is_gated:
            return False
        if self.ends_animation():
            refused = (*UNSEEN, *STEPS) if move_input.is_steered else UNSEEN
            return target is not None or self.find_command(key) in refused
        hint = hint if command is None else None
        if (target is None and hint is None) or self.find_refusal():
            return False
        if target is not None:
            self.pick(target)
            return True
        if hint is not None and move_input.select_hinted(key, hint):
            self.say(phrase("{choose} plays this move."), Tone.DIM)
            self.mark_changed()
            return True
        return False

    # Entering a move.

    def pick(self, target: Target) -> None:
        if not self.find_refusal():
            has_said, self.message = bool(self.message), ()
            if why := self.state.move_input.pick(target):
                self.say(why, Tone.ERROR)
            self.mark_changed(*[] if has_said else [PICTURE, LINES])

    def pick_at_cursor(self) -> None:
        if self.state.move_input.cursor is not None:
            self.pick(self.state.move_input.cursor)

    def drop_target(self) -> None:
        """Take back the target that was picked last."""
        self.message = ()
        self.state.move_input.drop_target()
        self.mark_changed()

    def action_cursor(self, dx: int, dy: int) -> None:
        """Move the cursor, choose a direction where the arrow keys steer, or step through best play."""
        move_input = self.state.move_input
        if not self.situation.shows_position:
            self.action_walk(dx)
        elif (target := move_input.find_named(ARROWS[dx, dy])) is not None:
            self.pick(target)
        elif not self.find_refusal():
            self.say(move_input.move_cursor(dx, dy), Tone.DIM)
            self.mark_changed(PICTURE)

    @property
    def names_near_moves(self) -> bool:
        """Whether the refusal of a typed move may name a legal move that is spelled much like it. It may not while the
        player has to find a move, or could win or lose rating."""
        return False

    def action_type_move(self) -> None:
        """Let the player type a whole move. Targets picked so far are taken back."""
        self.message, move_input = (), self.state.move_input
        while move_input.entry.prefix and not self.find_refusal():
            move_input.drop_target()
        self.mark_changed()
        near = self.names_near_moves
        self.type_text(lambda text: text and (self.to_text(self.find_refusal()) or move_input.play_typed(text, near)))

    def ask_for_move(self) -> None:
        """Start entering a move. A move counts only after the position has been on the screen for a moment."""
        self.state.move_input.start()
        self.fetch_analyst()
        self.mark_changed()
        self.guard.restart()

    # What is shown on the board.

    def play_out(self, line: Refutation) -> None:
        """Show the current move of a line, with its animation."""
        self.state.playback.refutation = line
        self.animate_last_move()
        self.mark_changed()

    def animate_last_move(self) -> None:
        if self.services.terminal.animation:
            frames = self.state.draw_last_move(self.board.scale)
            self.state.playback.animate(frames, self.services.preferences.frame_seconds)

    @on(Arrived)
    def note_arrival(self, message: Arrived) -> None:
        if message.frames is self.state.playback.frames:
            self.end_animation()

    def ends_animation(self) -> bool:
        """End a running animation. Return whether there was one."""
        is_running = bool(self.state.playback.frames)
        if is_running:
            self.end_animation()
        return is_running

    def end_animation(self) -> None:
        self.state.playback.end_animation()
        self.handle_arrival()

    def leave_best_line(self) -> None:
        """Show the position from which best play was shown."""
        self.message = ()
        self.state.playback.refutation = None
        self.mark_changed()

    def show_ply(self, ply: int) -> None:
        """Show the position after `ply` plies, and cancel the search for a refutation."""
        self.questions.stop_refuting()
        self.message = ()
        self.state.playback.show_ply(ply)
        self.mark_changed()

    def action_walk(self, by: int) -> None:
        """Go forwards or back in best play or in the game. If the game has no move there, say so."""
        if self.state.playback.refutation is None:
            self.questions.stop_refuting()
        self.message = ()
        self.mark_changed()
        if nothing := self.state.walk(by):
            self.say(nothing, Tone.DIM)

    def action_walk_to(self, end: int) -> None:
        self.show_ply(0 if end < 0 else self.state.playback.last_node.ply)

    def action_mistake(self, by: int) -> None:
        if nothing := self.state.walk_to_mistake(by, self.shows_everything):
            self.say(nothing, Tone.DIM)
        else:
            self.questions.stop_refuting()
            self.message = ()
            self.mark_changed()

    def action_turn_page(self) -> None:
        if not self.board.turn_page():
            self.say("All of the text beside the board is shown.", Tone.DIM)

    def action_flip(self) -> None:
        self.state.flipped = not self.state.flipped
        self.mark_changed()

    def action_overlay(self) -> None:
        self.services.shows_overlay = not self.state.overlay
        self.mark_changed()

    def action_values(self) -> None:
        self.state.values_shown, self.message = not self.state.values_shown, ()
        self.mark_changed()

    def action_explore(self) -> None:
        if allows_help(self.live):
            self.open("explore", Exploration(self.live.game, self.state.playback.node))

    def action_new(self) -> None:
        self.open("new", self.live.game.id)

    # What is found out about the game.

    def fetch_analyst(self) -> None:
        """Find the analyst for this game, unless it is known. Then ask for the values that are needed here."""
        if self.live.is_analyst_settled:
            self.ask_for_values()
        else:
            self.questions.ask_for_analyst(self.services.find_analyst)

    @on(Preparing)
    def show_preparation(self, message: Preparing) -> None:
        """Show what delays the values. A move that was waiting for them is played, and judged later."""
        if message.is_late(self.live):
            return
        self.state.preparation = describe_preparation(message.what, message.share)
        self.live.begin_preparing()
        self.handle_values()
        self.mark_changed(LINES)

    @on(AnalystOpened)
    def use_analyst(self, message: AnalystOpened) -> None:
        if message.is_late(self.live):
            return
        was_prepared, self.state.preparation = bool(self.state.preparation), ""
        self.live.set_analyst(message.analyst, message.note)
        if message.analyst is None and self.live.is_rated:
            self.say(NO_OPPONENT, Tone.SLIP)
        elif message.note:
            self.say(message.note, Tone.SLIP)
        self.ask_for_values()
        if was_prepared:
            self.questions.ask_for_values(*self.live.node.path())
            if message.analyst is not None and self.live.comments and self.live.session.can_undo:
                self.say(COACH_READY, Tone.STRONG)
            self.mark_changed(LINES)
        self.repaint_values()

    @on(ValuesFound)
    def store_values(self, message: ValuesFound) -> None:
        """Store the values of the moves at a node, and judge the moves played there."""
        if message.is_late(self.live):
            return
        has_judged = self.live.store_values(message.node, message.values)
        if message.failure:
            self.say(message.failure, Tone.ERROR)
        self.handle_values()
        if has_judged:
            self.mark_changed()
        self.repaint_values()

    def ask_for_hint(self, straight: bool = False) -> str:
        """Find the next stage of the hint, or with `straight` the last one. Return why there is no hint yet."""
        requests = self.state.requests
        shown = requests.hint if requests.is_latest and not self.has_class("-narrow") else None
        return LAST_HINT if shown is not None and shown.is_last else self.questions.ask_for_hint(straight)

    @on(HintFound)
    def show_hint(self, message: HintFound) -> None:
        if message.is_late(self.live):
            return
        had_hint, self.state.requests = self.state.requests.hint, Requests(hint=message.hint, is_latest=True)
        self.mark_changed(PICTURE, COACH, *() if had_hint else (LINES,))
        row = self.hint_row() if self.has_class("-narrow") else ()
        self.show_message(row, LINES)
        self.subject = HINT if row else None

    def hint_row(self) -> Row:
        """Return the hint in one line, for a screen that has no space for it beside the board."""
        hint = self.state.requests.hint
        return () if hint is None else phrase_row(hint.format_lines()[0], Tone.HINT)

    @on(ExplanationFound)
    def store_explanation(self, message: ExplanationFound) -> None:
        if not message.is_late(self.live):
            self.live.store_explanation(message.choice, message.explanation)
            self.mark_changed(COACH, LINES)

    @on(LineFound)
    def take_refutation(self, message: LineFound) -> None:
        """Use best play after a move, if it is still looked for."""
        if message.is_late(self.live) or self.questions.refuting != (message.start, message.move):
            return
        self.questions.stop_refuting()
        self.say("")
        self.handle_refutation(message.line)
        self.mark_changed()

    def footer(self) -> list[tuple[str, str]]:
        """Return the footer's words. A question has only the keys that answer it. If the lines under the board name
        keys, the footer does not repeat them."""
        if self.typing:
            return [] if self.keys_named else super().footer()
        if self.confirming.asked:
            return self.key_table.choose_answers(self.confirming.asked, ("back", self.way_back))
        return self.footer_without(self.keys_named) if self.keys_named else super().footer()

    def footer_without(self, keys: KeyWords) -> list[tuple[str, str]]:
        """Return the footer's words beside these keys, which are named under the board."""
        named = {command for command, _ in keys}
        left = [name for name in (PANELS, *self.footer_commands()[-ALWAYS:]) if name not in named]
        return self.key_table.choose_words(left, self.own_words())
