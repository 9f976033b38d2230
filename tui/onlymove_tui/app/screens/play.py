"""The screen of a game being played: what happens after a move, what a player may ask for, and how players and rules
are changed.

The live game applies the rules, judges moves, decides which ones have to wait, and runs the clock. A change of the game
is saved before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

from onlymove.pictures.colours import Tone
from onlymove_engines.coach.drill import make_mistake_drills
from onlymove_engines.coach.figures import SeatMove
from onlymove_engines.coach.reasons import choose_fitting_sentence
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.live.live_game import LiveGame, Verdict, allows_help
from onlymove_engines.play.players import Players
from textual import on
from textual.message import Message

from onlymove_tui.app.base_screen import finds
from onlymove_tui.app.board.state import NO_REQUESTS
from onlymove_tui.app.board.workers import AnswerInTurn, EngineMoved, HardestFound, RestFound
from onlymove_tui.app.commands import Command
from onlymove_tui.app.live_games import get_details, read_rating
from onlymove_tui.app.messages import Jumped, Pointed
from onlymove_tui.app.panels import game_rows, side_panels, status_lines
from onlymove_tui.app.screens.board_screen import LEARNED, LINES, BoardScreen
from onlymove_tui.app.screens.drills import begin_round, make_due_round
from onlymove_tui.app.widgets.bars import BETWEEN, FULL_HEIGHT, TITLE_MARGIN
from onlymove_tui.app.widgets.canvas import Row, choose_fitting, phrase_row, row_width
from onlymove_tui.app.widgets.layout import Docked, Note
from onlymove_tui.play.keys import Key, phrase
from onlymove_tui.play.phrases import (
    NO_REFUTATION,
    NOTHING_TO_REDO,
    NOTHING_TO_UNDO,
    PLAYS_ON,
    describe_lost,
    describe_players,
    describe_training,
    explain_choices,
    find_doubtful_choice,
    hidden_choice_text,
)
from onlymove_tui.play.reasons import list_reasons_of_line, select_reasons
from onlymove_tui.play.situations import (
    HOW_TO_ANSWER,
    Animated,
    BestLine,
    Choosing,
    Effect,
    End,
    HiddenChoice,
    Past,
    Present,
    Situation,
    Stopped,
    Thinking,
    Waiting,
    find_present,
    find_situation,
)
from onlymove_tui.play.training import collect_drills, next_keys
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import NOTHING_LEARNED, Learned, Milestone, adapt_coaching, is_newcomer

NOTHING_TO_WITHDRAW = "You have already chosen in this round. Your choice cannot be taken back."
OBJECTIVES = {Objective.RESULT: "keep the result", Objective.MARGIN: "give no points away"}


@dataclass
class LearnedRead(Message, bubble=False):
    """Posted when it is known what the player has learned of the game."""

    learned: Learned


@dataclass
class RatingFound(AnswerInTurn):
    """How the game changed the player's rating."""

    text: str


PLAYED = Learned(reached=frozenset((Milestone.FIRST_GAME,)))
"""The progress that is assumed if a player's progress is not known. It is just enough that the player is not a
newcomer."""

FIRST_RUN = " (first run only)"
"""What is left out of the name of a preparation where space is short."""
JUDGED_LATER = "Moves are judged as soon as the coach is ready."
LESSON = "lesson"
"""The `way_out` of a game that is a task in a lesson."""

ASK_LEAVE = phrase("Your last moves are not saved. Press {menu} again to leave without them.")
ASK_DRAW = phrase("Offer a draw? Press {draw} again to confirm.")
ASK_RESIGN = phrase("Resign? Press {resign} again to confirm, any other key to continue.")


class PlayScreen(BoardScreen):
    """Plays a game on a board, with an opponent and a coach. `way_out` names the screen that leaving leads to.
    `new_drills` is how many drills the game has given. `skip` goes on with the lesson that the game belongs to."""

    names_engines = True
    undo_command = "undo"
    """The command that takes back a move, or asks for that."""

    def __init__(self, live: LiveGame, skip: Callable[[], None] | None = None, way_out: str = "menu") -> None:
        super().__init__(live)
        self.skip = skip
        self.way_out = way_out
        self.state.is_learning = way_out == LESSON
        self.game_title = game_rows.game_title(live)
        self.is_rated_game = get_details(live).is_rated
        self.rating = ""
        self.new_drills = 0
        self.has_collected = live.session.is_over or way_out == LESSON
        """Whether no drills are to be made of the mistakes. A task of a lesson is no game of the player's."""
        self.replies: list[EngineMoved] = []
        self.seen_at = 0.0

    def on_mount(self) -> None:
        if self.live.clock is not None:
            self.set_interval(1.0, self.check_clock)
        if (store := self.services.store) is None:
            self.progress = PLAYED
        elif self.progress is None:
            # Keys wait for this. Which moves are stopped depends on whether the player has finished a game.
            self.read_learned(store)
        self.apply_coaching()
        self.live.run_clock()
        self.begin()
        self.guard.restart()
        self.fetch_analyst()

    @finds(LEARNED, keys_wait=True)
    def read_learned(self, store: GameStore) -> Message:
        return LearnedRead(store.lessons.read_game(self.live.game.id))

    @on(LearnedRead)
    def use_learned(self, message: LearnedRead) -> None:
        self.show_learned(message.learned)

    def show_learned(self, learned: Learned) -> None:
        super().show_learned(learned)
        self.is_newcomer = is_newcomer(learned)
        self.state.is_learning = self.is_newcomer or self.way_out == LESSON
        self.apply_coaching()

    def apply_coaching(self) -> None:
        learned = NOTHING_LEARNED if self.progress is None else self.progress
        self.live.set_coaching(adapt_coaching(self.services.preferences.coaching(), learned))

    def begin(self, message: Row = ()) -> None:
        """Continue from the current position. Drop everything about the last decision, and ask the next player."""
        self.message = message
        self.questions.cancel()
        self.replies.clear()
        self.confirming.withdraw()
        self.state.playback.show_current(self.live.node)
        self.state.move_input.start()
        self.rating = ""
        if self.live.session.is_over:
            self.collect()
            if get_details(self.live).rated is not None:
                self.find_rating(self.live.turn)
        self.state.requests = NO_REQUESTS
        self.mark_changed()
        # The new position is drawn first. Nothing in it needs its values or an engine's reply.
        self.call_after_paint(self.ask_for_values)

    def ask_for_values(self) -> None:
        node = self.live.node
        self.questions.ask_for_values(node, group=f"look {node.id}")
        self.handle_values()

    def handle_values(self) -> None:
        self.questions.start_engines()
        self.ask_for_hardest()
        if self.live.session.choosing_seat is not None:
            self.questions.ask_for_rest()
        if self.state.requests.payoffs:
            self.explain_choices()
        if self.questions.wants_hint:
            self.action_hint()
        if (verdict := self.live.retry_waiting_move()) is not None:
            self.report_verdict(verdict)

    @on(EngineMoved)
    def play_reply(self, reply: EngineMoved) -> None:
        if self.state.playback.frames:
            self.replies.append(reply)
        elif not reply.is_late(self.live):
            self.questions.busy.discard(reply.seat)
            if self.live.play_reply(reply.seat, reply.move) is None:
                self.handle_values()
                self.mark_changed()
            else:
                self.show_move(() if self.confirming.asked else self.message)
                self.services.ring_for_turn(self.live)

    def handle_move(self, seat: Seat, move: Move) -> None:
        """Offer a move to the live game. One that comes after the time has run out is ignored."""
        if self.lose_on_time():
            return
        self.message = ()
        if (verdict := self.live.offer(seat, move)) is not None:
            self.report_verdict(verdict)

    def report_verdict(self, verdict: Verdict) -> None:
        if verdict.stopped_move is not None:
            self.explain()
            self.state.move_input.pick_all(verdict.stopped_move.move)
            self.state.requests = NO_REQUESTS
            self.report_refused_text(self.situation.refusal)
            self.guard.restart()
        elif verdict.is_taken_back:
            self.state.move_input.start()
            self.message = [(f"Taken back: {describe_lost(verdict.judgement)}. Try again.", Tone.LOSS)]
            self.explain()
        elif verdict.node is None:
            self.state.move_input.start()
            self.questions.stop_hinting()
            self.state.requests = NO_REQUESTS
            chosen = [seat for seat in self.live.session.human_seats if seat in self.live.session.pending]
            self.say(hidden_choice_text(self.live.session, max(chosen, default=0)), Tone.DIM)
            self.questions.start_engines()
        else:
            self.show_move(game_rows.verdict_row(self.live, verdict.node, verdict.judgement))
            self.explain()
        self.mark_changed()

    def explain(self) -> None:
        """If a person's last move is bad, find the reasons to show with the verdict. Reasons that have to stay hidden
        are not searched for. For a stopped move they are, because a hint may allow them before the player decides."""
        choice, is_stopped = self.live.offered, self.live.stopped_move is not None
        if choice is not None and (is_stopped or allows_help(self.live)):
            self.subject = choice
            self.questions.ask_for_explanations([choice])

    def list_reasons(self, choice: SeatMove | None) -> Sequence[str]:
        """Return why a move is bad, as far as that is known and may be told now."""
        return () if choice is None else select_reasons(self.live, choice, self.live.get_explanation(choice))

    @property
    def tells_why_beside(self) -> bool:
        """Whether the coach explains bad moves beside the board without being asked, as it does for newcomers."""
        return self.is_newcomer and not self.has_class("-narrow")

    def find_verdict_reasons(self) -> Sequence[str]:
        """Return the reasons for the verdict on the last move. Empty once the verdict is no longer shown."""
        choice = self.live.offered
        return self.list_reasons(choice) if self.message and self.subject == choice else ()

    def message_row(self) -> Row:
        """Return the message. If it is a verdict, add a reason that fits, unless the reasons are beside the board."""
        message = self.name_keys(self.message)
        if self.tells_why_beside or self.size.height < FULL_HEIGHT:
            return message
        space = self.line_width - row_width(message) - len(BETWEEN)
        text = choose_fitting_sentence(self.find_verdict_reasons(), space)
        return [*message, (f"{BETWEEN}{text}", Tone.TEXT)] if text else message

    def show_move(self, message: Row) -> None:
        self.begin(() if self.live.session.is_over else message)
        self.animate_last_move()
        self.guard.restart()
        self.replay_early_keys()
        if len(self.live.session.human_seats) == 1:
            self.seen_at = inf
            self.call_after_refresh(self.note_seen)

    def note_seen(self) -> None:
        self.seen_at = Message().time

    def handle_arrival(self) -> None:
        self.mark_changed()
        self.guard.restart()
        replies, self.replies = self.replies, []
        for reply in replies:
            self.play_reply(reply)
        self.replay_early_keys()

    def replay_early_keys(self) -> None:
        self.report_refused_text("")
        if self.state.move_input.early and not self.situation.refusal:
            self.state.move_input.replay_early()
            self.mark_changed()

    @property
    def names_near_moves(self) -> bool:
        return self.way_out != LESSON and not self.live.is_rated

    @property
    def present(self) -> Present:
        prefix, is_task = self.state.move_input.entry.prefix, self.way_out == LESSON
        return find_present(self.live, prefix, self.describe_request(), is_task, self.is_newcomer)

    @property
    def situation(self) -> Situation:
        return find_situation(self.present, self.state.playback.shown)

    def describe_request(self) -> str:
        """Return what the opponent asks for, or an empty text."""
        return ""

    def on_pointed(self, message: Pointed) -> None:
        """Withdraw a pending question on a click. Just after a change of the board, a click completes no move."""
        if self.confirming.withdraws(None):
            message.prevent_default()
        if self.situation.is_live and not self.guard.is_open and self.state.move_input.completes(message.target):
            message.prevent_default()

    def on_jumped(self, message: Jumped) -> None:
        self.confirming.withdraw()

    def before_key(self, key: str) -> bool:
        """Withdraw a pending question on any key but the one that asked it. That key then does nothing else. Keys that
        enter a move while an engine thinks are remembered."""
        if self.confirming.withdraws(self.find_command(key)):
            return True
        if self.services.is_gated:
            return False
        is_unseen, entering = self.pressed_at < self.seen_at and not self.situation.refusal, self.state.move_input
        if is_unseen and entering.remember(key, self.find_command(key)):
            self.replay_early_keys()
            return True
        if super().before_key(key):
            return True
        return self.situation.remembers_keys and entering.remember(key, self.find_command(key))

    def action_type_move(self) -> None:
        """Let the player type a move. If a stopped move waits for an answer, explain how to answer instead. If that
        question has only just appeared, the player can type but the move is refused, because the keys may have been
        meant for another position."""
        is_stopped = isinstance(self.situation, Stopped)
        if is_stopped and not self.is_fresh:
            self.carry_out(Effect.SAY_HOW_TO_ANSWER)
            return
        super().action_type_move()
        if is_stopped:
            self.report_refused_text(self.situation.refusal)

    @property
    def effects(self) -> Mapping[Effect, Callable[[], object]]:
        return {
            **super().effects,
            Effect.SAY_NOTHING_CHOSEN: self.say_nothing_chosen,
            Effect.SAY_CHOSEN: partial(self.say, NOTHING_TO_WITHDRAW, Tone.DIM),
            Effect.SAY_HOW_TO_ANSWER: partial(self.say, HOW_TO_ANSWER),
            Effect.EXPLAIN: self.explain_mistake,
            Effect.RETHINK: self.rethink,
            Effect.REVIEW: self.review_end,
            Effect.WITHDRAW: self.withdraw,
            Effect.LEAVE: self.leave_game,
        }

    def action_menu(self) -> None:
        self.carry_out(self.situation.leave)
        self.mark_changed()

    def say_nothing_chosen(self) -> None:
        undo = self.undo_command
        is_possible = undo in self.key_table.by_command and not self.situation.refuse(undo)
        takes_back = (Key(undo), " takes a move back, ") if is_possible else ()
        self.say(("You have chosen nothing yet. ", *takes_back, Key("menu"), " leaves the game."), Tone.DIM)

    def rethink(self) -> None:
        self.live.rethink()
        self.begin()

    def withdraw(self) -> None:
        self.live.withdraw_waiting_move()
        self.state.move_input.start()
        self.mark_changed()

    def leave_game(self) -> None:
        if self.saving.is_unsaved and not self.confirming.allows("menu", ASK_LEAVE):
            self.save_changes(tries_again=True)
        else:
            self.action_leave()

    def action_keep(self) -> None:
        if not self.is_fresh:
            self.report_verdict(self.live.play_stopped_move())

    def action_undo(self) -> None:
        if not self.situation.is_live:
            self.action_back()
        elif self.live.undo():
            self.begin()
        else:
            self.say(NOTHING_TO_UNDO, Tone.DIM)

    def action_redo(self) -> None:
        if self.live.redo():
            self.begin()
        else:
            self.say(NOTHING_TO_REDO, Tone.DIM)

    def own_words(self) -> Mapping[str, str]:
        return {"menu": self.way_out, **super().own_words()}

    def describe_command(self, command: Command) -> str:
        if self.way_out == LESSON and command.id == "menu":
            return "Go back to the lesson (the game waits until you leave the lesson)"
        if self.live.is_rated and self.situation.refuse(command.id):
            return f"{command.help} (after the game)"
        return super().describe_command(command)

    def action_pause(self) -> None:
        self.live.set_paused(not self.live.is_paused)
        self.questions.cancel()
        self.questions.start_engines()

    def action_skip_game(self) -> None:
        self.action_leave()
        if self.skip is not None:
            self.skip()

    def on_screen_resume(self) -> None:
        self.apply_coaching()
        self.live.set_effort(self.services.preferences.effort())
        if self.is_laid_out:  # Otherwise it is new, and is painted anyway.
            self.mark_changed()

    def check_clock(self) -> None:
        """Show and save the clock, so that killing the program gains no time."""
        live = self.live
        if live.session.is_over or not self.is_current or self.lose_on_time():
            return
        live.run_clock()
        mover, width = self.state.playback.mover, self.board.note_width
        self.board.show_players(game_rows.player_rows(live, None, mover, self.names_engines, width))
        self.mark_changed(LINES)

    def lose_on_time(self) -> bool:
        """End the game if the side that has to choose has run out of time. Return whether it has."""
        is_late = self.live.lose_on_time()
        if is_late:
            self.begin()
        return is_late

    @finds("rating")
    def find_rating(self, turn: int) -> Message:
        return RatingFound(self.live, turn, read_rating(self.live))

    @on(RatingFound)
    def show_rating(self, message: RatingFound) -> None:
        if not message.is_late(self.live):
            self.rating = message.text
            self.mark_changed()

    def collect(self) -> None:
        """Make drills of the mistakes in a finished game, once."""
        session = self.live.session
        if session.is_over and not self.has_collected:
            self.has_collected = True
            self.guard.restart()
            found = make_mistake_drills(session)
            # Keys wait for this, so that the next screen counts these drills too.
            collect = partial(collect_drills, self.services.store, found)
            self.write(collect, self.show_new_drills, "collect", keys_wait=True)

    def show_new_drills(self, new: int) -> None:
        self.new_drills = new
        self.mark_changed()

    def action_training(self) -> None:
        if self.is_fresh:
            return
        if (verdict := self.live.set_training(not self.live.training)) is not None:
            self.report_verdict(verdict)
        does = describe_training(self.live.coaching.on_bad)
        self.say(f"Training is on: it {does}." if self.live.training else "Training is off.", Tone.DIM)

    def action_objective(self) -> None:
        self.live.toggle_objective()
        self.say(f"Training: {OBJECTIVES[self.live.coaching.objective]}.", Tone.DIM)

    def action_swap(self) -> None:
        self.set_players(self.live.session.players[::-1])

    def action_players(self) -> None:
        self.open("players", self.live.game, self.live.session.players, self.set_players)

    def set_players(self, players: Players) -> None:
        self.live.set_players(players)
        if self.state.flipped != self.live.is_turned:
            self.action_flip()
        self.begin([(describe_players(self.live.game, players), Tone.DIM)])

    def action_rematch(self, swapped: int) -> None:
        self.open("play", self.services.live_games.make_rematch(self.live, bool(swapped)))

    def action_resign(self) -> None:
        if self.confirming.allows("resign", ASK_RESIGN):
            self.live.resign(self.live.session.speaking_seat)
            self.begin()

    def action_draw(self) -> None:
        if not self.confirming.allows("draw", ASK_DRAW):
            return
        if self.live.offer_draw(self.live.session.speaking_seat):
            self.begin()
        else:
            self.go_on_after_offer()

    def go_on_after_offer(self) -> None:
        """Show what has become of a draw offer that did not end the game."""
        self.say(PLAYS_ON, Tone.DIM)

    # What the player can ask for. It changes nothing on the board, but the game records what the player was told.

    def action_hint(self) -> None:
        """Give a hint about the position of the game, even while the last move is still moving."""
        self.say(self.ask_for_hint(), Tone.DIM)

    def explain_mistake(self) -> None:
        """Step through best play after the stopped move or the player's last mistake. If both sides move at once, go to
        the current position and show its payoffs instead."""
        refuted = self.live.find_refuted()
        if self.live.is_simultaneous:
            if isinstance(self.situation, Past):
                self.action_walk_to(1)
            self.live.mark_values_shown()
            self.state.requests = replace(self.state.requests, payoffs=True, is_latest=True)
            self.mark_changed()
            self.explain_choices()
        elif refuted is not None:
            if not self.questions.ask_for_refutation(*refuted):
                self.say(NO_REFUTATION, Tone.DIM)
                return
            node, move = refuted
            self.questions.ask_for_explanations(() if node.to_move is None else [(node, node.to_move, move)])
            self.say(game_rows.FINDING_REASONS, Tone.DIM)
        else:
            self.say(NO_REFUTATION, Tone.DIM)

    def explain_choices(self) -> None:
        """Find out why a move is bad where both sides move at once, once the values are known. On a narrow screen, say
        under the board which moves are good."""
        values = self.live.node.values
        if not isinstance(values, Mixed):
            self.say(game_rows.FINDING_VALUES, Tone.DIM)
            return
        choice = find_doubtful_choice(self.live, values)
        self.questions.ask_for_explanations(() if choice is None else [choice])
        is_folded = self.board.arrangement.is_folded
        self.say(explain_choices(self.live, values)[0] if is_folded else "", Tone.DIM)

    def action_values(self) -> None:
        self.state.requests = replace(self.state.requests, is_latest=False)
        super().action_values()
        self.live.show_values(self.state.values_shown)
        self.ask_for_hardest()

    def ask_for_hardest(self) -> None:
        if self.state.values_shown:
            self.questions.ask_for_hardest()

    @on(RestFound)
    def store_rest(self, message: RestFound) -> None:
        if not message.is_late(self.live):
            self.live.store_rest(message.node, message.moves)
            self.mark_changed()

    def action_play_out(self) -> None:
        self.live.play_rest()
        self.begin()
        # So that these moves are counted as those with nothing to decide.
        self.questions.ask_for_values(*self.live.node.path())

    @on(HardestFound)
    def store_hardest(self, message: HardestFound) -> None:
        if not message.is_late(self.live):
            self.live.store_hardest(message.node, message.hardest)
            self.mark_changed(LINES)

    def action_die(self) -> None:
        seat = self.live.session.choosing_seat
        thrown = "" if seat is None else self.live.roll_die(seat)
        self.say(thrown or "It is not known yet how best play mixes moves here.", Tone.TEXT if thrown else Tone.DIM)

    def action_drill_these(self) -> None:
        """Practise the mistakes of this game that are due or new as drills. None of them is new after that."""
        self.new_drills = 0
        mistakes = make_mistake_drills(self.live.session)
        find = partial(make_due_round, self.services, self.live.game.id, mistakes)
        begin_round(self, find, nothing="These drills are not due yet.")

    def review_end(self) -> None:
        """Review the game, once the player has had time to see how it ended."""
        if self.guard.is_open:
            self.action_review()

    def action_review(self) -> None:
        if not self.live.session.is_over:
            self.live.mark_explored()
        self.open("review", self.live)

    def action_explore(self) -> None:
        if not self.live.session.is_over:
            self.live.mark_explored()
        super().action_explore()

    @property
    def is_fresh(self) -> bool:
        """Whether a stopped move is so new on the screen that no key may play it yet."""
        return isinstance(self.situation, Stopped) and not self.guard.is_open

    def check_actions(self) -> dict[str, bool]:
        live, people, lacks = self.live, len(self.live.session.human_seats), self.situation.lacks
        return {
            **super().check_actions(),
            "objective": live.game.facts.has_margin,
            **dict.fromkeys(("type_move", "hint", "training", "resign", "draw"), people > 0),
            "die": live.is_simultaneous and people > 0,
            "pause": not people,
            "explore": allows_help(live) or bool(self.situation.refuse("explore")),
            "drill_these": "drill_these" not in lacks and status_lines.has_drills(live),
            "swap": people == 1,
            "play_out": bool(live.rest) and isinstance(self.situation, Choosing),
            **dict.fromkeys(lacks, False),
        }

    def shows_worth(self) -> bool:
        return self.state.values_shown and self.situation.shows_position

    def title_rows(self) -> tuple[Row, Row]:
        title, rule = self.game_title, self.live.session.tree.house_rule
        terms = self.describe_terms() if rule is None else f"{rule.title.lower()}  {self.describe_terms()}"
        # The solved value is left out where it does not fit.
        has_space = row_width(title) + len(terms) + TITLE_MARGIN <= self.size.width
        return title if has_space else title[:1], [(terms, Tone.DIM)]

    def describe_terms(self) -> str:
        """Return how the game is played, for the right end of the title bar."""
        live = self.live
        if live.is_rated or (live.session.is_over and self.is_rated_game):
            return "rated"
        if live.training and live.game.facts.has_margin:
            return f"training: {OBJECTIVES[live.coaching.objective]}"
        return f"training {'on' if live.training else 'off'}"

    def notes(self) -> Note:
        live, width = self.live, self.board.note_width
        is_brief = not self.board.arrangement.is_framed
        match self.situation:
            case BestLine(line=line):
                return side_panels.best_line_note(live, line, list_reasons_of_line(live, line), width)
            case End() | Past(now=End()) as situation:
                note = side_panels.game_end_note(live, self.path(), width, is_brief, self.rating)
                return replace(note, is_first=situation.is_live)
            case Stopped(stopped_move=stopped_move):
                reasons = self.list_reasons(live.offered)
                lines = game_rows.reason_rows(live, reasons, width) if self.explains_beside else ()
                hints = self.advice_rows(self.state.values_shown, width)
                return side_panels.stopped_move_note(live, stopped_move, lines, hints, width, is_brief)
        reasons = self.find_verdict_reasons() if self.tells_why_beside else ()
        hints = self.advice_rows(self.state.values_shown, width)
        shown = [*game_rows.whole_sentences(reasons, width, game_rows.REASON_LINES), *hints]
        if not shown and self.is_newcomer and live.game.facts.goal:
            return Note("Goal", game_rows.wrap(live.game.facts.goal, width, Tone.STRONG))
        return Note("Coach", shown, is_first=self.state.requests.is_latest)

    def find_refuted(self) -> SeatMove | None:
        is_stopped = isinstance(self.situation, Stopped)
        return self.live.offered if is_stopped and self.live.has_explained else None

    @property
    def explains_beside(self) -> bool:
        """Whether the reasons against a stopped move are beside the board. Where space is short, only newcomers read
        them there, and hints replace them."""
        arrangement, board = self.board.arrangement, self.board
        is_asked = bool(self.advice_rows(self.state.values_shown, board.note_width))
        has_space = arrangement.is_framed or (not arrangement.is_folded and self.is_newcomer and not is_asked)
        return has_space and allows_help(self.live)

    def docked_lines(self) -> Docked:
        return self.describe(self.situation)

    def describe(self, situation: Situation) -> Docked:
        """Return the lines under the board in a situation. While a move is still moving, they are those that follow it,
        unless they would give away the end."""
        live, message = self.live, self.name_keys(self.message)
        match situation:
            case BestLine():
                return status_lines.refutation_lines(live.game, situation, message)
            case Past():
                return status_lines.past_lines(live, situation, message)
            case Animated(takes_long=True) if live.session.human_seats:
                return Docked([status_lines.animation_row(live)])
            case Animated(now=now) if not now.is_over:
                return self.describe(now)
            case End():
                return self.end_lines(situation, message)
            case Stopped():
                reasons = () if self.explains_beside else self.list_reasons(live.offered)
                is_folded = self.board.arrangement.is_folded
                return status_lines.stopped_move_lines(
                    situation, message, reasons, self.line_width, is_folded, self.name_key
                )
            case Waiting():
                turn = status_lines.waiting_line(live)
            case Choosing(prefix=prefix):
                turn = status_lines.turn_line(live, prefix, self.is_newcomer)
            case Thinking() | HiddenChoice():
                turn = status_lines.thinking_line(live)
            case _:
                turn = ()
        if message := self.message_row():
            return Docked([turn, message], has_hint=self.shows_hint)
        return self.idle_lines(turn)

    def describe_meanwhile(self, preparation: str) -> str:
        """Say what delays the values, and what that means for the player until then."""
        live = self.live
        if live.is_rated:
            return f"{preparation}. Then your opponent can move."
        plain = "" if live.game.play.plain_choice is None else " Until then it plays simple moves."
        if not (live.comments and live.session.human_seats):
            return f"{preparation}.{plain}"
        brief = preparation.replace(FIRST_RUN, "")
        texts = (f"{brief}.{plain} {JUDGED_LATER}", f"{brief}. {JUDGED_LATER}", JUDGED_LATER)
        return choose_fitting(texts, self.line_width)

    def end_lines(self, situation: End, message: Row) -> Docked:
        leave = () if situation.is_task else (("menu", self.way_out),)
        keys = (*self.next_keys(), *situation.keys, *leave)
        return status_lines.end_lines(self.live, self.new_drills, message, keys)

    def next_keys(self) -> tuple[tuple[str, str], ...]:
        """Return the keys to the next step of learning, if the player has finished the lessons."""
        learned = self.progress
        is_kept = self.live.node.ply > 0
        if learned is None or Milestone.LESSONS not in learned.reached or self.way_out != "menu" or not is_kept:
            return ()
        return next_keys(self.live.game, replace(learned, reached=learned.reached | {Milestone.FIRST_GAME}))

    def idle_lines(self, turn: Row) -> Docked:
        """Return the lines under the board while there is no message: whose turn it is, and what may help."""
        live = self.live
        is_asked = isinstance(self.present, Choosing) and not self.state.values_shown
        is_beside = not self.board.arrangement.is_folded and self.state.requests.hint is None
        if self.is_newcomer and live.game.facts.goal and is_asked and not is_beside:
            goal: Row = [(f"{live.game.facts.goal}   ", Tone.STRONG), *phrase_row(phrase("{rules} rules"), Tone.DIM)]
            return Docked([turn, goal])
        if self.state.preparation:
            return Docked([turn, [(self.describe_meanwhile(self.state.preparation), Tone.DIM)]])
        if self.state.values_shown and live.session.choosing_seat is not None:
            if row := game_rows.missing_values_row(live, live.node):
                return Docked([turn, row])
            if live.hardest:
                return Docked([turn, [(live.hardest, Tone.HINT)]], has_hint=True)
        return Docked([turn, game_rows.round_row(live)])
