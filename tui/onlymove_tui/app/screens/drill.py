"""The screen of a round of drills, in which the player looks for a move that keeps the result.

A move is an answer, not part of a game. The screen judges it, shows your opponent's reply, and asks again after a wrong
one. It shows the solution only when the player asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from onlymove.pictures.colours import Tone
from onlymove.pictures.painting import Marks
from onlymove_engines.coach.values import Refutation, show_single_move
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.tree import AnyNode
from textual import on
from textual.message import Message

from onlymove_tui.app.base_screen import finds
from onlymove_tui.app.commands import Command
from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.panels import drill_rows, side_panels, status_lines
from onlymove_tui.app.panels.drill_rows import Attempt
from onlymove_tui.app.panels.game_rows import FINDING_REASONS
from onlymove_tui.app.screens.all_drills import AllDrillsScreen
from onlymove_tui.app.screens.answers import TOO_QUICK, Answers
from onlymove_tui.app.screens.board_screen import LINES, BoardScreen
from onlymove_tui.app.screens.drills import DrillsScreen
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.layout import Docked, Note
from onlymove_tui.play import phrases
from onlymove_tui.play.keys import Phrase
from onlymove_tui.play.situations import (
    Animated,
    Asking,
    BestLine,
    Checking,
    Effect,
    Past,
    Refuted,
    RoundOver,
    Situation,
    Solved,
    find_in_drill,
    find_situation,
)
from onlymove_tui.play.training import (
    ASK_REMOVE,
    PUT_ASIDE,
    REMOVED,
    TAKEN_BACK,
    Daily,
    Practice,
    next_keys,
    read_result_line,
    retry_mistake,
)
from onlymove_tui.store.settings import Goal


@dataclass
class DrillFound(Message, bubble=False):
    """Posted when the next position of a round is on its board. `live` is `None` if the round is over."""

    practice: Practice
    live: LiveGame | None


class Retried(NamedTuple):
    """Describes a mistake that is tried again: where in the game it was made, and by whom. `uncover` is called when the
    player leaves after finding or seeing the better moves."""

    where: str
    who: str
    uncover: Callable[[], None]


class DrillScreen(BoardScreen):
    """Runs a round of drills, with a summary after the last one. With `retried` there is only a single mistake from a
    game, which the player tries again from the review below. `attempt` is the last answer, or the solution that was
    asked for. The board shows an answer, and the `reply` to it once that is found. With `explains`, the player steps
    through best play. An answer counts only once the player has seen the question. Keys of a move that are pressed
    earlier do nothing."""

    is_step = True

    def __init__(self, practice: Practice, retried: Retried | None = None) -> None:
        super().__init__(practice.live_game())
        self.practice = practice
        self.retried = retried
        self.answers = Answers(self, self.judge_answer, self.show_verdict)
        self.forget()

    def forget(self) -> None:
        self.attempt: Attempt | None = None
        self.answers.waiting = None
        self.reply: Refutation | None = None
        self.explains = False
        self.shows_verdict = False
        """Whether the lines under the board are about an answer that the board does not show. The board shows none if
        both sides move at once."""
        self.is_over = False
        self.result = ""
        """The line to share about the position of the day, after it."""
        self.progress = None

    def on_mount(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.forget()
        self.ask_for_move()

    def ask_for_values(self) -> None:
        self.questions.ask_for_values(self.live.node)

    def handle_values(self) -> None:
        self.answers.take_waiting()
        if self.questions.wants_hint:
            self.action_hint()
        self.mark_changed(LINES)

    def handle_move(self, seat: Seat, move: Move) -> None:
        self.answers.take(seat, move)

    def judge_answer(self, move: Move) -> Judgement | None:
        return self.practice.answer(self.live, move)

    def show_verdict(self, move: Move, judgement: Judgement) -> None:
        self.attempt = Attempt(move, judgement)
        self.shows_verdict = self.live.is_simultaneous
        self.record()
        if (seat := self.live.session.choosing_seat) is not None:
            self.questions.ask_for_explanations([(self.live.node, seat, move)])
        if not self.live.is_simultaneous:
            self.play_out(show_single_move(self.live.game, self.live.node, move))
            self.questions.ask_for_refutation(self.live.node, move)

    @property
    def present(self) -> RoundOver | Checking | Solved | Refuted | Asking:
        """What the player is doing if the board does not show best play or the past."""
        is_retry = self.retried is not None
        is_shown = self.state.playback.refutation is not None and not self.explains
        answered = self.answers.find_state(is_shown, self.shows_verdict, self.explains)
        return find_in_drill(
            self.live, self.state.move_input.entry.prefix, answered, self.find_over(),
            is_solved=self.practice.is_solved, is_given=self.practice.is_given, is_retry=is_retry, is_last=self.is_last,
        )  # fmt: skip

    def find_over(self) -> RoundOver | None:
        """Return the situation after the last drill, or `None` before that."""
        if not self.is_over:
            return None
        practice, following = self.practice, next_keys(self.live.game, self.progress)
        return RoundOver(practice.was_hard, practice.daily is not None, following[0][1] if following else "")

    @property
    def situation(self) -> Situation:
        shown = self.state.playback.shown
        return find_situation(self.present, shown if self.explains else shown._replace(line=None))

    def find_refusal(self) -> Phrase:
        return super().find_refusal() or (TOO_QUICK if self.is_too_soon else "")

    @property
    def effects(self) -> Mapping[Effect, Callable[[], object]]:
        return {
            **super().effects,
            Effect.SAY_NOTHING_CHOSEN: self.answers.say_nothing_chosen,
            Effect.WITHDRAW: self.answers.withdraw,
            Effect.ASK_AGAIN: self.show_question,
            Effect.EXPLAIN: self.explain_answer,
            Effect.LEAVE_BEST_LINE: self.show_question,
            Effect.NEXT_TASK: self.action_next_drill,
            Effect.LEAVE: self.leave_round,
            Effect.ROUND_AGAIN: self.action_round_again,
            Effect.LEARN_ON: self.learn_on,
            Effect.OTHER_DRILLS: self.action_drills,
        }

    @property
    def is_too_soon(self) -> bool:
        """Whether a key of a move comes before the player could see what it is for. The question of a retry is never
        too new, because the player has just asked for that position."""
        situation = self.situation
        is_asked = isinstance(situation, Asking) and not situation.has_verdict
        return not self.guard.is_open and (self.retried is None or not is_asked)

    def before_key(self, key: str) -> bool:
        """Withdraw a question that the key does not answer. Use up a key of a move that was pressed before the player
        saw the position, and say so. After a wrong answer, such a key brings the question back and then does its work
        there. The key that chooses only brings the question back. Once the drill is solved, it goes to the next drill
        even while the reply is animated."""
        if self.confirming.withdraws(self.find_command(key)):
            return True
        command, situation = self.find_command(key), self.situation
        is_seen = self.guard.is_open
        match situation:
            case Animated(now=Solved()) if command == "choose" and is_seen:
                self.end_animation()
                return False
            case _ if self.services.is_gated or not self.state.move_input.enters_move(key, command):
                return super().before_key(key)
            case Animated():
                return super().before_key(key)
            case Refuted() if is_seen:
                self.show_question()
                return self.find_command(key) == "choose" or super().before_key(key)
            case Asking(has_verdict=False) if self.is_too_soon:
                self.say(TOO_QUICK, Tone.DIM)
        return self.is_too_soon or super().before_key(key)

    def on_pointed(self, message: Pointed) -> None:
        """After a wrong answer, a click on the board brings the question back."""
        if isinstance(self.situation, Refuted) and self.guard.is_open:
            message.prevent_default()
            self.show_question()

    def action_type_move(self) -> None:
        self.ask_again()
        super().action_type_move()

    def ask_again(self) -> None:
        """After a wrong answer, show the question again."""
        if isinstance(self.situation, Refuted):
            self.show_question()

    def record(self) -> None:
        self.write(self.practice.save, self.handle_recorded, "record", keys_wait=True)

    def handle_recorded(self, trouble: str) -> None:
        """Show when the drill will be asked again, or what went wrong while its result was saved."""
        if trouble:
            self.say(trouble, Tone.ERROR)
        self.mark_changed()

    def handle_refutation(self, refutation: Refutation) -> None:
        if self.explains:
            self.state.playback.refutation = refutation
        elif self.state.playback.refutation is not None and refutation.reply:
            self.reply = refutation
            self.reply_soon()

    def handle_arrival(self) -> None:
        self.mark_changed()
        self.reply_soon()

    def reply_soon(self) -> None:
        if self.reply is not None and not self.state.playback.frames:
            self.set_timer(self.services.timers.reply, partial(self.show_reply, self.reply))
            self.reply = None

    def show_reply(self, line: Refutation) -> None:
        shown = self.state.playback.refutation
        if self.attempt is None or shown is None or self.explains or shown.positions != line.positions[:2]:
            return
        self.attempt = replace(self.attempt, reply=line.reply)
        if not self.practice.is_solved:
            self.guard.restart()
        self.play_out(line.step_by(1))

    def action_hint(self) -> None:
        self.ask_again()
        self.say(self.ask_for_hint(), Tone.DIM)

    def action_solution(self) -> None:
        """Show every best move. The drill counts as missed."""
        values = self.live.node.values
        if values is None:
            self.say("Looking for the solution...", Tone.DIM)
            return
        best = next(iter(values.list_best_moves()), None) if isinstance(values, Analysis) else None
        self.attempt = Attempt(best if self.attempt is None else self.attempt.move)
        self.practice.give_up(self.live)
        self.record()
        self.show_question()
        self.state.move_input.start()
        self.ask_for_hint(straight=True)
        self.guard.restart()
        self.mark_changed()

    def action_values(self) -> None:
        if refusal := self.situation.no_values:
            self.ask_again()
            self.say(refusal, Tone.DIM)
        else:
            self.show_question()
            super().action_values()

    def explain_answer(self) -> None:
        """Look for best play after the last answer."""
        if self.attempt is not None and self.questions.ask_for_refutation(self.live.node, self.attempt.move):
            self.explains = True
            self.say(FINDING_REASONS, Tone.DIM)

    def show_question(self) -> None:
        """Take an answer or best play off the board, so that it shows the question."""
        self.questions.stop_refuting()
        self.state.playback.return_to_end()
        self.answers.waiting = None
        self.explains, self.shows_verdict, self.reply = False, False, None
        self.mark_changed()

    def action_next_drill(self) -> None:
        """Go to the next drill, or to the summary after the last one. From a retry, go back to the review."""
        if self.retried is not None:
            self.leave_round()
            return
        self.answers.waiting = None
        self.find_next(self.practice)

    @finds("next", keys_wait=True)
    def find_next(self, practice: Practice) -> Message:
        return DrillFound(practice, practice.live_game() if practice.advance() else None)

    def action_unanswer(self) -> None:
        """Take back the only answer to the drill, and ask again."""
        self.write(self.practice.take_back, self.show_untried, "record", keys_wait=True)

    def show_untried(self, _: object) -> None:
        self.show_question()
        self.attempt = None
        self.guard.restart()
        self.say(TAKEN_BACK, Tone.DIM)

    def action_put_aside(self) -> None:
        self.leave_out(self.practice.put_aside, PUT_ASIDE)

    def action_remove_drill(self) -> None:
        if self.confirming.allows("remove_drill", ASK_REMOVE):
            self.leave_out(self.practice.remove, REMOVED)

    def leave_out(self, do: Callable[[], bool], words: str) -> None:
        """Take the drill out of the round as `do` does, and go to the next one. Say what was done."""
        practice = self.practice

        def take(live: LiveGame | None) -> None:
            self.go_on(DrillFound(practice, live))
            self.say(words, Tone.DIM)

        self.answers.waiting = None
        self.write(lambda: practice.live_game() if do() else None, take, "next", keys_wait=True)

    def action_copy_result(self) -> None:
        self.copy(self.result, "your result")

    def action_round_again(self) -> None:
        self.find_first(self.practice.repeat())

    @finds("next", keys_wait=True)
    def find_first(self, practice: Practice) -> Message:
        return DrillFound(practice, practice.live_game())

    @on(DrillFound)
    def go_on(self, message: DrillFound) -> None:
        """Show the next drill, or the summary after the last one."""
        self.practice, live = message.practice, message.live
        self.questions.cancel()
        if live is None:
            self.show_question()
            self.message = ()
            self.state.move_input.clear()
            self.is_over = True
            if (daily := self.practice.daily) is not None:
                self.read_result(daily)
            if self.practice.milestone is not None and self.practice.is_complete:
                self.store_milestone(self.practice.milestone)
            self.guard.restart()
            self.mark_changed()
            return
        self.show_live_game(live)
        self.begin()

    def read_result(self, daily: Daily) -> None:
        """Read the line to share about the position of the day."""

        def take(line: str) -> None:
            self.result = line
            self.mark_changed()

        self.fetch(partial(read_result_line, daily, self.live.game.facts), take, "result")

    def action_leave(self) -> None:
        self.carry_out(self.situation.leave)

    def leave_round(self) -> None:
        """Leave the screen. A list of drills below then shows the result of the round."""
        below = self.app.screen_stack[-2]
        self.app.pop_screen()
        if self.retried is not None and self.practice.is_solved:
            self.retried.uncover()
        if isinstance(below, DrillsScreen | AllDrillsScreen):
            below.report(self.practice)

    def action_drills(self) -> None:
        below = self.app.screen_stack[-2]
        self.leave_round()
        if not isinstance(below, DrillsScreen | AllDrillsScreen):
            self.open("drills")

    def check_actions(self) -> dict[str, bool]:
        has_answered = self.attempt is not None and self.attempt.move is not None
        return {
            **super().check_actions(),
            "why": has_answered and not self.live.is_simultaneous,
            "copy_result": bool(self.result),
            "unanswer": self.practice.may_be_taken_back,
            "round_again": self.practice.total > 0,
            "put_aside": self.practice.may_be_changed and not self.practice.is_put_aside,
            "remove_drill": self.practice.may_be_changed,
            **dict.fromkeys(self.situation.lacks, False),
        }

    @property
    def is_last(self) -> bool:
        """Whether no other drill comes after this one. A retry is no drill of a round."""
        return self.retried is None and self.practice.place + 1 == self.practice.total

    def own_words(self) -> Mapping[str, str]:
        return {**super().own_words(), **({"next_drill": "finish"} if self.is_last else {})}

    def describe_command(self, command: Command) -> str:
        if command.id == "solution" and self.retried is not None:
            return "Show the best moves"
        is_end = command.id == "next_drill" and self.is_last
        return "Finish the round" if is_end else super().describe_command(command)

    def shows_worth(self) -> bool:
        return isinstance(self.present, Solved) and self.situation.shows_position

    def marks(self) -> Marks:
        return self.state.mark_entry(
            self.situation.marking, self.state.values_shown and not self.situation.no_values, self.is_newcomer
        )

    def title_rows(self) -> tuple[Row, Row]:
        title = drill_rows.DRILL if self.retried is None else drill_rows.RETRY
        title = drill_rows.DAILY if self.practice.daily is not None else title
        place = drill_rows.round_row(self.practice) if self.retried is None else [(self.retried.where, Tone.DIM)]
        return [(self.live.game.facts.title, Tone.TITLE), (f"  {title}", Tone.DIM)], place

    def notes(self) -> Note:
        width = self.board.note_width
        match self.situation:
            case RoundOver():
                return drill_rows.round_note(self.practice, width)
            case BestLine(line=line):
                return side_panels.best_line_note(self.live, line, self.live.explain_line(line).discreet, width)
        return Note("Coach", self.advice_rows(with_values=False, width=width))

    def docked_lines(self) -> Docked:
        return self.describe(self.situation)

    def describe(self, situation: Situation) -> Docked:
        """Return the lines under the board in a situation."""
        message = self.message
        match situation:
            case BestLine():
                return status_lines.refutation_lines(self.live.game, situation, message)
            case Past():
                return status_lines.past_lines(self.live, situation, message)
            case Animated(now=now):
                return self.describe(now)
            case RoundOver():
                return self.end_lines(situation)
            case Checking():
                return Docked([status_lines.waiting_line(self.live)])
            case Solved() | Refuted() | Asking(has_verdict=True, prefix=()) if not message:
                return self.verdict_lines(situation)
        return self.question_lines()

    def end_lines(self, situation: RoundOver) -> Docked:
        is_path_over = self.progress is not None and not situation.next_step
        lines = drill_rows.end_lines(
            self.practice, not self.has_class("-narrow"), situation.keys, is_path_over, self.result
        )
        return replace(lines, rows=[self.message]) if self.message else lines

    def verdict_lines(self, situation: Solved | Refuted | Asking) -> Docked:
        practice, drill, attempt = self.practice, self.practice.drill, self.attempt
        if drill is None or attempt is None:
            return self.question_lines()
        verdict = drill_rows.verdict_row(self.live, drill, attempt, practice, self.line_width)
        return status_lines.ask(verdict, situation.keys, is_guarded=isinstance(situation, Solved))

    def question_lines(self) -> Docked:
        drill = self.practice.drill
        if drill is None:
            return Docked([self.message])
        names_goal = self.practice.is_answered or self.services.preferences.settings.drill_goal is Goal.SHOWN
        asked = drill_rows.question_row(self.live, drill, self.state.move_input.entry.prefix, names_goal)
        if self.retried is None:
            origin = phrases.origin_text(self.live, drill, names_goal)
        else:
            origin = phrases.played_text(self.live, drill, self.retried.who)
        width = self.line_width
        rest = self.message or drill_rows.last_answer_row(self.live, drill, self.attempt, origin, width)
        if self.has_class("-short") and not self.message:
            return drill_rows.add_dots(self.practice, asked, rest, self.size.width)
        return Docked([asked, rest], has_hint=self.shows_hint)


def retry_screen(reviewed: LiveGame, node: AnyNode, seat: Seat, where: str, uncover: Callable[[], None]) -> DrillScreen:
    """Make a drill, which is not saved, of the position before a mistake: the move of `seat` that led to `node` in
    `reviewed`. `where` is its place in the game. `uncover` is called if the player leaves with the drill solved."""
    who = "You" if reviewed.session.human_seats == (seat,) else reviewed.game.seats[seat]
    return DrillScreen(retry_mistake(reviewed, node, seat), Retried(where, who, uncover))
