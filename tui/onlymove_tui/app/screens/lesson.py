"""The screen of a game's lessons, one task after another on the real board.

A wrong move is explained and tried again. The last tasks are games against the engine. They are played on the usual
board, on top of this screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from onlymove.pictures.colours import Tone
from onlymove_engines.coach.values import show_single_move
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live.live_game import LiveGame

from onlymove_tui.app.board.answers import Answers
from onlymove_tui.app.board.board import BoardScreen
from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.panels import status_lines
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.widgets.canvas import Row, phrase_row
from onlymove_tui.app.widgets.layout import Docked, Note
from onlymove_tui.play.keys import Phrase, choose_app_text, phrase
from onlymove_tui.play.training import Course, next_keys
from onlymove_tui.store.learning import Milestone

LEAVE = ("leave_lessons", "back")
NEXT_KEYS = (("choose", "next"), LEAVE)
SHOWN_KEYS = (("choose", "next"), ("back", "try it"), LEAVE)
AGAIN_KEYS = (("back", "try again"), ("next_task", "skip"), LEAVE)
PLAY_KEYS = (("choose", "play"), ("next_task", "skip"), LEAVE)
OVER_KEYS = (("drills", "drills"), ("lessons_again", "again"), LEAVE)


def task_row(text: str, tone: Tone) -> Row:
    """Return a sentence of a task, which may name keys."""
    return phrase_row(phrase(choose_app_text(text)), tone)


class LessonScreen(BoardScreen, screen_id="lesson"):
    """Runs the lessons of a game. `is_wrong` says that the last answer was wrong. `played` is a game against the
    engine that this screen opened for the current task."""

    has_background = False
    is_step = True

    def __init__(self, course: Course) -> None:
        super().__init__(course.live_game())
        self.course = course
        course.save_steps = self.save_steps
        self.answers = Answers(self, self.judge_answer, self.show_verdict)
        self.is_wrong = False
        self.shown_answers: Sequence[Move] = ()
        """The answers to a task that is being skipped. The board shows the first one."""
        self.played: LiveGame | None = None
        self.is_over = False

    def on_mount(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.is_wrong, self.answers.waiting = False, None
        self.board.ask_for_move()

    def ask_for_values(self) -> None:
        if self.course.task.needs_values:
            self.board.ask_for_values(self.live.node)

    def handle_values(self) -> None:
        self.answers.take_waiting()

    def save_steps(self, steps: int) -> None:
        if (store := self.services.store) is not None:
            finish_step = partial(store.lessons.finish_step, self.course.game.id, len(self.course.steps))
            self.write(partial(finish_step, steps), lambda _: None, "record")

    def handle_move(self, seat: Seat, move: Move) -> None:
        self.answers.take(seat, move)

    def judge_answer(self, move: Move) -> bool | None:
        return self.course.answer(self.live, move)

    def show_verdict(self, move: Move, is_right: bool) -> None:
        self.is_wrong = not is_right
        node = self.live.node
        shown = self.course.choose_shown_move(node.position, move)
        self.board.play_out(show_single_move(self.live.game, node, shown))

    def find_refusal(self) -> Phrase:
        if self.is_over:
            return "You have done all the lessons."
        if self.course.is_played_out:
            return phrase("Press {choose} to play this game.")
        if self.course.is_solved:
            return phrase("This task is done. Press {choose} to go on.")
        if self.shown_answers:
            return phrase("This is the answer. Press {choose} to go on, or {back} to try it.")
        if self.answers.waiting is not None:
            return "Checking your move..."
        if not self.board.playback.is_live:
            return phrase("Press {back} to try again.")
        return "" if self.board.guard.is_open else "Too quick: look at the position first."

    def before_key(self, key: str) -> bool:
        """After a wrong answer, a key of a move brings the task back and then does its work there. The key that chooses
        only brings the task back."""
        if self.withdraws_question(key):
            return True
        is_of_move = self.board.move_input.enters_move(key, self.find_command(key))
        if is_of_move and self.is_wrong and not self.services.is_gated and not self.board.playback.frames:
            self.action_back()
            return self.find_command(key) == "choose" or super().before_key(key)
        return super().before_key(key)

    def on_pointed(self, message: Pointed) -> None:
        """After a wrong answer, a click on the board brings the task back."""
        if self.is_wrong and not self.board.playback.frames:
            message.prevent_default()
            self.action_back()

    def action_hint(self) -> None:
        """Say how many moves solve the task and where they begin. If that is already on the screen, say how to see the
        answer. After a wrong answer, this brings the task back."""
        if self.is_wrong:
            self.action_back()
        refusal = self.find_refusal() if self.course.is_played_out else ""
        hint = refusal or self.course.describe_hint(self.live)
        if self.board.message == phrase_row(hint, Tone.HINT) and self.course.find_answers(self.live):
            hint = phrase("That was the whole hint. Press {next_task} to see the answer.")
        self.say(hint, Tone.HINT)

    @property
    def would_lose_game(self) -> bool:
        played = self.played
        return played is not None and bool(played.session.list_moves()) and not played.session.is_over

    def action_leave(self) -> None:
        """Go back. If a game of the lesson is under way, ask first, because it is not saved."""
        if not self.would_lose_game or self.confirms_giving_up("leave_lessons"):
            super().action_leave()

    def action_choose(self) -> None:
        if self.is_over:
            self.action_learn()
        elif self.course.is_solved or self.shown_answers:
            self.action_next_task()
        elif self.course.is_played_out:
            self.play()
        else:
            self.board.action_choose()

    def play(self) -> None:
        """Open the task's game on its own board, or go on with it. It is not saved: saved games come later."""
        if self.played is None or self.played.session.is_over:
            session = self.course.live_game().session
            self.played = self.services.live_games.make(session, {}, 0, training=False, is_saved=False)
        self.board.message = ()
        self.open("lesson_game", self.played, self.action_next_task)

    def on_screen_resume(self) -> None:
        """Check whether the game that was played has finished the task. If so, show how it ended."""
        if self.played is not None and not self.course.is_solved:
            if self.course.finish(self.played):
                self.board.show_live_game(self.played)
            self.is_wrong = False
            self.mark_changed()

    def action_back(self) -> None:
        if self.is_over:
            self.action_leave()
        elif not self.course.is_solved:
            self.is_wrong, self.shown_answers = False, ()
            self.answers.return_to_question(is_idle=True)

    def action_next_task(self) -> None:
        self.shown_answers = () if self.shown_answers else self.course.find_answers(self.live)
        if self.shown_answers:
            self.show_verdict(self.shown_answers[0], True)
            return
        self.board.playback.return_to_end()
        self.played = None
        if not self.course.advance():
            self.end()
            return
        self.board.show_live_game(self.course.live_game())
        self.begin()

    def end(self) -> None:
        self.is_over = True
        self.board.move_input.clear()
        self.store_milestone(Milestone.LESSONS)
        self.mark_changed()

    def action_lessons_again(self) -> None:
        self.course.place, self.course.is_solved, self.course.skipped, self.is_over = (0, 0), False, 0, False
        self.board.show_live_game(self.course.live_game())
        self.begin()

    def check_actions(self) -> dict[str, bool]:
        return {
            **super().check_actions(),
            "hint": not (self.is_over or self.course.is_solved or self.shown_answers),
            **dict.fromkeys(("cursor", "type_move", "next_task"), not self.is_over),
            "choose": self.is_over or self.course.is_solved or bool(self.shown_answers) or self.course.is_played_out
            or not self.board.move_input.is_steered,
            "drills": self.is_over,
            "learn": self.is_over,
            "lessons_again": self.is_over,
        }  # fmt: skip

    def title_rows(self) -> tuple[Row, Row]:
        course = self.course
        place: Row = [(f"step {course.place[0] + 1} of {len(course.steps)}", Tone.DIM)]
        return [(self.live.game.facts.title, Tone.TITLE), ("  lesson", Tone.DIM)], place

    def notes(self) -> Note:
        course = self.course
        rows: list[Row] = [
            *paragraph_rows(self.to_text(phrase(choose_app_text(course.step.text))), self.board.layout.note_width)
        ]
        if self.board.layout.arrangement.is_framed:
            rows.append([])
            for number, step in enumerate(course.steps):
                mark, tone = ("▸ ", Tone.CURRENT) if number == course.place[0] else ("  ", Tone.DIM)
                rows.append([(f"{mark}{number + 1}  {step.title}", tone)])
        return Note(course.step.title, rows)

    def docked_lines(self) -> Docked:
        course, task = self.course, self.course.task
        if self.is_over:
            keys = next_keys(course.game, self.progress, "choose")
            return status_lines.ask(self.board.message or [(course.describe_end(), Tone.BEST)], (*keys, *OVER_KEYS))
        if self.answers.waiting is not None:
            return Docked([status_lines.waiting_line(self.live)])
        if course.is_solved:
            return status_lines.ask(task_row(task.right, Tone.BEST), NEXT_KEYS)
        if self.shown_answers:
            which = "The" if len(self.shown_answers) == 1 else "One"
            move = course.to_text(self.live, self.shown_answers[0])
            return status_lines.ask(
                [(f"{which} answer is {move}. ", Tone.HINT), *task_row(task.right, Tone.HINT)], SHOWN_KEYS
            )
        if self.is_wrong:
            return status_lines.ask(task_row(task.wrong, Tone.LOSS), AGAIN_KEYS)
        if course.is_played_out:
            said = ""
            if self.played is not None:
                said = "Not yet. Try again. " if self.played.session.is_over else "Your game goes on. "
            asked: Row = self.board.message or [(said, Tone.SLIP), *task_row(task.ask, Tone.STRONG)]
            return status_lines.ask(asked, PLAY_KEYS)
        prefix = self.board.move_input.entry.prefix
        picked: Row = [(status_lines.describe_next_pick(self.live.session, prefix), Tone.CURSOR)] if prefix else []
        return Docked([task_row(task.ask, Tone.STRONG), self.board.message or picked])
