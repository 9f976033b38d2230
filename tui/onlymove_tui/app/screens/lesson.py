"""The screen of a game's lessons, one task after another on the real board.

A wrong move is explained and tried again. The last tasks are games against the engine. They are played on the usual
board, on top of this screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from onlymove.pictures.colours import Tone
from onlymove_engines.coach.values import show_single_move
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live.live_game import LiveGame

from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.panels import status_lines
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.screens.answers import TOO_QUICK, Answers
from onlymove_tui.app.screens.board_screen import HINT, BoardScreen
from onlymove_tui.app.widgets.canvas import Row, phrase_row
from onlymove_tui.app.widgets.layout import Docked, Note
from onlymove_tui.play.keys import Phrase, choose_app_text, phrase
from onlymove_tui.play.phrases import NOT_YET
from onlymove_tui.play.situations import (
    Animated,
    AnswerShown,
    Checking,
    Effect,
    LessonsOver,
    Past,
    Refuted,
    Situation,
    TaskDone,
    ToBePlayed,
    find_in_lesson,
    find_situation,
)
from onlymove_tui.play.training import Course, next_keys
from onlymove_tui.store.learning import Milestone, Place


def task_row(text: str, tone: Tone) -> Row:
    """Return a sentence of a task, which may name keys."""
    return phrase_row(phrase(choose_app_text(text)), tone)


class LessonScreen(BoardScreen):
    """Runs the lessons of a game. `is_wrong` says that the last answer was wrong. `played` is a game against the
    engine that this screen opened for the current task."""

    has_background = False
    is_step = True

    def __init__(self, course: Course) -> None:
        super().__init__(course.live_game())
        self.course = course
        self.state.is_learning = True
        course.save_place = self.save_place
        self.answers = Answers(self, self.judge_answer, self.show_verdict)
        self.is_wrong = False
        self.shown_answers: Sequence[Move] = ()
        """The answers to a task that is being skipped. The board shows the first one."""
        self.is_hint_whole = False
        """Whether the last hint said all that can be said without the answer."""
        self.played: LiveGame | None = None
        self.is_over = False

    def on_mount(self) -> None:
        self.compile_ahead(self.live.game.id)
        self.begin()

    def begin(self) -> None:
        self.is_wrong, self.answers.waiting = False, None
        self.ask_for_move()

    def ask_for_values(self) -> None:
        if self.course.task.needs_values:
            self.questions.ask_for_values(self.live.node)

    def handle_values(self) -> None:
        self.answers.take_waiting()

    def save_place(self, place: Place) -> None:
        if (store := self.services.store) is not None:
            is_last = place.step == len(self.course.steps) - 1
            save = partial(store.lessons.save_place, self.course.game.id, place, is_last)
            self.write(save, lambda _: None, "record")

    def handle_move(self, seat: Seat, move: Move) -> None:
        self.answers.take(seat, move)

    def judge_answer(self, move: Move) -> bool | None:
        return self.course.answer(self.live, move)

    def show_verdict(self, move: Move, is_right: bool) -> None:
        self.is_wrong = not is_right
        node = self.live.node
        shown = self.course.choose_shown_move(node.position, move)
        self.play_out(show_single_move(self.live.game, node, shown))

    @property
    def present(self) -> Situation:
        """What the player is doing if the board shows the task."""
        course, answered = self.course, self.answers.find_state(is_shown=self.is_wrong)
        return find_in_lesson(
            self.live, self.state.move_input.entry.prefix, answered,
            is_over=self.is_over, is_solved=course.is_solved, is_skipped=bool(self.shown_answers),
            is_played=course.is_played_out,
        )  # fmt: skip

    @property
    def situation(self) -> Situation:
        # What the board shows besides positions are answers, and no best play.
        return find_situation(self.present, self.state.playback.shown._replace(line=None))

    def find_refusal(self) -> Phrase:
        return super().find_refusal() or ("" if self.guard.is_open else TOO_QUICK)

    @property
    def effects(self) -> Mapping[Effect, Callable[[], object]]:
        return {
            **super().effects,
            Effect.SAY_NOTHING_CHOSEN: self.answers.say_nothing_chosen,
            Effect.WITHDRAW: self.answers.withdraw,
            Effect.ASK_AGAIN: self.show_task,
            Effect.NEXT_TASK: self.action_next_task,
            Effect.PLAY_TASK: self.play,
            Effect.LEARN_ON: self.learn_on,
        }

    def before_key(self, key: str) -> bool:
        """After a wrong answer, a key of a move brings the task back and then does its work there. The key that chooses
        only brings the task back."""
        if self.confirming.withdraws(self.find_command(key)):
            return True
        is_of_move = self.state.move_input.enters_move(key, self.find_command(key))
        if is_of_move and isinstance(self.situation, Refuted) and not self.services.is_gated:
            self.show_task()
            return self.find_command(key) == "choose" or super().before_key(key)
        return super().before_key(key)

    def on_pointed(self, message: Pointed) -> None:
        """After a wrong answer, a click on the board brings the task back."""
        if isinstance(self.situation, Refuted):
            message.prevent_default()
            self.show_task()

    def action_hint(self) -> None:
        """Say how many moves solve the task and where they begin. If that is already on the screen, say how to see the
        answer. After a wrong answer, this brings the task back."""
        if isinstance(self.situation, Refuted):
            self.show_task()
        is_shown = self.shows_hint and self.is_hint_whole
        self.say(self.course.describe_hint(self.live, is_shown), Tone.HINT)
        self.subject, self.is_hint_whole = HINT, bool(self.course.find_answers(self.live))

    @property
    def would_lose_game(self) -> bool:
        played = self.played
        return played is not None and bool(played.session.list_moves()) and not played.session.is_over

    def action_leave(self) -> None:
        """Go back. If a game of the lesson is under way, ask first, because it is not saved."""
        if not self.would_lose_game or self.confirms_giving_up("leave_lessons"):
            super().action_leave()

    def action_learn(self) -> None:
        """Go to the map of learning. If a game of the lesson is under way, ask first, because it is not saved."""
        if not self.would_lose_game or self.confirms_giving_up("learn"):
            super().action_learn()

    def play(self) -> None:
        """Open the task's game on its own board, or go on with it. It is not saved: saved games come later."""
        if self.played is None or self.played.session.is_over:
            session = self.course.live_game().session
            self.played = self.services.live_games.make(session, {}, 0, training=False, is_saved=False)
        self.message = ()
        self.open("lesson_game", self.played, self.action_next_task)

    def on_screen_resume(self) -> None:
        """Check whether the game that was played has finished the task. If so, show how it ended."""
        if self.played is not None and not self.course.is_solved:
            if self.course.finish(self.played):
                self.show_live_game(self.played)
            self.is_wrong = False
            self.mark_changed()

    def show_task(self) -> None:
        """Show the task again, without an answer."""
        self.is_wrong, self.shown_answers, self.answers.waiting = False, (), None
        self.state.playback.return_to_end()
        self.mark_changed()

    def action_next_task(self) -> None:
        self.shown_answers = () if self.shown_answers else self.course.find_answers(self.live)
        if self.shown_answers:
            self.show_verdict(self.shown_answers[0], True)
            return
        self.state.playback.return_to_end()
        self.played = None
        if not self.course.advance():
            self.end()
            return
        self.show_live_game(self.course.live_game())
        self.begin()

    def end(self) -> None:
        self.is_over = True
        self.state.move_input.clear()
        self.store_milestone(Milestone.LESSONS)
        self.mark_changed()

    def action_lessons_again(self) -> None:
        self.course.begin_again()
        self.is_over = False
        self.show_live_game(self.course.live_game())
        self.begin()

    def check_actions(self) -> dict[str, bool]:
        return {**super().check_actions(), **dict.fromkeys(self.situation.lacks, False)}

    def title_rows(self) -> tuple[Row, Row]:
        course = self.course
        place: Row = [(f"step {course.place[0] + 1} of {len(course.steps)}", Tone.DIM)]
        return [(self.live.game.facts.title, Tone.TITLE), ("  lesson", Tone.DIM)], place

    def notes(self) -> Note:
        course = self.course
        rows: list[Row] = [
            *paragraph_rows(self.to_text(phrase(choose_app_text(course.step.text))), self.board.note_width)
        ]
        if self.board.arrangement.is_framed:
            rows.append([])
            for number, step in enumerate(course.steps):
                mark, tone = ("▸ ", Tone.CURRENT) if number == course.place[0] else ("  ", Tone.DIM)
                rows.append([(f"{mark}{number + 1}  {step.title}", tone)])
        return Note(course.step.title, rows)

    def docked_lines(self) -> Docked:
        return self.describe(self.situation)

    def describe(self, situation: Situation) -> Docked:
        """Return the lines under the board in a situation."""
        course, task, message = self.course, self.course.task, self.message
        match situation:
            case Past():
                return status_lines.past_lines(self.live, situation, message)
            case Animated(now=now):
                return self.describe(now)
            case LessonsOver():
                keys = next_keys(course.game, self.progress, "choose")
                return status_lines.ask(message or [(course.describe_end(), Tone.BEST)], (*keys, *situation.keys))
            case Checking():
                return Docked([status_lines.waiting_line(self.live)])
            case TaskDone():
                return status_lines.ask(task_row(task.right, Tone.BEST), situation.keys)
            case AnswerShown():
                answer = course.describe_answer(self.live, self.shown_answers)
                return status_lines.ask([(f"{answer} ", Tone.HINT), *task_row(task.right, Tone.HINT)], situation.keys)
            case Refuted():
                return status_lines.ask(task_row(task.wrong, Tone.LOSS), situation.keys)
            case ToBePlayed():
                said = ""
                if self.played is not None:
                    said = f"{NOT_YET} " if self.played.session.is_over else "Your game goes on. "
                asked: Row = message or [(said, Tone.SLIP), *task_row(task.ask, Tone.STRONG)]
                return status_lines.ask(asked, situation.keys)
        prefix = self.state.move_input.entry.prefix
        picked: Row = [(status_lines.describe_next_pick(self.live.session, prefix), Tone.CURSOR)] if prefix else []
        return Docked([task_row(task.ask, Tone.STRONG), message or picked], has_hint=self.shows_hint)
