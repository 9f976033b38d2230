"""The texts of a drill: the round so far, the question, and the verdict on an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove.pictures.colours import Tone
from onlymove_engines.coach.drill import Drill
from onlymove_engines.coach.reasons import choose_fitting_sentence
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Move
from onlymove_engines.live.live_game import LiveGame

from onlymove_tui.app.panels import game_rows, status_lines, value_rows
from onlymove_tui.app.widgets.canvas import Row, Run, fold, row_width
from onlymove_tui.app.widgets.layout import Docked, Note
from onlymove_tui.play import phrases
from onlymove_tui.play.keys import KeyWords
from onlymove_tui.play.training import Practice, return_text, round_summary

RIGHT: Run = ("✓", Tone.BEST)
WRONG: Run = ("✗", Tone.LOSS)
SKIPPED: Run = ("○", Tone.DIM)
HERE: Run = ("●", Tone.CURRENT)
TO_COME: Run = ("·", Tone.DIM)
MAX_DOTS = 10
"""The most symbols that are shown. A longer round shows only those around the current drill."""


DAILY, DRILL, RETRY = "the position of the day", "drill", "retry"
"""The titles of drills."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last answer. `judgement` is `None` if the solution was shown. `reply` is your opponent's, once shown."""

    move: Move | None
    judgement: Judgement | None = None
    reply: str = ""


def dot_row(practice: Practice, most: int = MAX_DOTS) -> Row:
    first = max(0, min(practice.place - most // 2, practice.total - most))
    untried = [*[SKIPPED] * practice.place, HERE, *[TO_COME] * practice.total]
    tried = {True: RIGHT, False: WRONG}
    pairs = zip(practice.attempts, untried, strict=False)
    dots = [sign if attempt is None else tried[attempt] for attempt, sign in pairs]
    return dots[first : first + most]


def round_row(practice: Practice) -> Row:
    """Return a row such as `✓✗●·· drill 3 of 5 2 in a row`, or for the position of the day `● easy`."""
    if practice.daily is not None:
        return [*dot_row(practice), (f"  {practice.daily.level.value}", Tone.DIM)]
    if not practice.total:  # All of its drills have left the round.
        return ()
    place = f"  drill {min(practice.place + 1, practice.total)} of {practice.total}"
    streak = phrases.streak_text(practice.streak)
    return [*dot_row(practice), (place, Tone.DIM), (f"  {streak}" if streak else "", Tone.BEST)]


def round_note(practice: Practice, width: int) -> Note:
    spaced = [run for dot in dot_row(practice, practice.total) for run in (dot, (" ", Tone.TEXT))]
    rows: list[Row] = [*fold(spaced[:-1], width)]
    for number, line in enumerate(round_summary(practice)):
        rows += game_rows.wrap(line, width, Tone.DIM if number else Tone.STRONG)
    return Note("Session", rows)


def end_lines(
    practice: Practice, has_panel: bool, keys: KeyWords = (), is_path_over: bool = False, result: str = ""
) -> Docked:
    """Return the keys to press after a round, after its result if no panel shows that. `result` is the line to share
    about the position of the day."""
    ending = "You have finished learning this game." if is_path_over else "Session complete."
    headline, *rest = [ending] if has_panel else round_summary(practice)
    if result:
        headline, rest = result, []
    trouble: Row = [(f"  {as_sentence(practice.trouble)}", Tone.ERROR)] if practice.trouble else ()
    return status_lines.ask([(headline, Tone.STRONG), (f"  {' '.join(rest)}", Tone.TEXT), *trouble], keys)


def question_row(live: LiveGame, drill: Drill, prefix: Sequence[Target], names_goal: bool) -> Row:
    """Return `Top to move: hold the draw.` or, without the goal, `Top to move.`"""
    goal = f": {phrases.goal_text(live, drill)}" if names_goal else ""
    asks: Run = f" {'chooses' if live.is_simultaneous else 'to move'}{goal}.", Tone.STRONG
    row: Row = [game_rows.seat_run(live.game, drill.seat), asks, *status_lines.steering_row(live.game)]
    return [*row, (f"   {status_lines.describe_next_pick(live.session, prefix)}", Tone.CURSOR)] if prefix else row


def last_answer_row(live: LiveGame, drill: Drill, attempt: Attempt | None, origin: str, width: int) -> Row:
    if attempt is None or attempt.judgement is None:
        return [(origin, Tone.DIM)]
    return [(_describe_mistake(live, drill, attempt, attempt.judgement, width), Tone.DIM)]


def add_dots(practice: Practice, asked: Row, rest: Row, width: int) -> Docked:
    """Put the symbols of the round under the question, with `rest` behind them if it fits."""
    signs: Row = [*dot_row(practice), ("  ", Tone.TEXT)]
    fits = row_width(asked) + row_width(signs) + row_width(rest) + 4 <= width
    return Docked([asked, [*signs, *rest] if fits else signs[:-1]])


def verdict_row(live: LiveGame, drill: Drill, attempt: Attempt, practice: Practice, width: int) -> Row:
    """Return a line with the verdict on an answer and when the drill will be asked again. If that does not fit, leave
    out the words about the move, because a second line would push the board up."""
    again: Run = return_text(practice), Tone.DIM
    if attempt.judgement is None:
        values = live.node.values
        solution = "The best moves are marked. "
        if isinstance(values, Analysis):
            best = values.list_best_moves()
            which = "the best move" if len(best) == 1 else "one of the best moves"
            solution = "No best move is proven here. "
            if best:
                solution = f"{phrases.name_move(live.game, live.node.position, best[0])} is {which}. "
        return [(solution, Tone.HINT), again]
    if not practice.is_solved:
        return [(_describe_mistake(live, drill, attempt, attempt.judgement, width), Tone.LOSS)]
    how, tone = ("correct", Tone.BEST) if attempt.judgement.keeps_value else ("good enough", Tone.TEXT)
    right: Run = f"{phrases.name_move(live.game, live.node.position, attempt.move)} is {how}. ", tone
    whole: Row = [right, (f"{phrases.praise(attempt.judgement)} ", Tone.TEXT), again]
    return whole if row_width(whole) <= width else [right, again]


def _describe_mistake(live: LiveGame, drill: Drill, attempt: Attempt, judgement: Judgement, width: int) -> str:
    name = phrases.name_move(live.game, live.node.position, attempt.move)
    lost = f"{name}: {value_rows.describe_loss(live, drill.seat, judgement)}"
    found = live.get_explanation((live.node, drill.seat, attempt.move))
    reply = attempt.reply and live.game.voice.reasons.noun + attempt.reply
    why = found.select_by_reply(reply)
    return phrases.describe_mistake(lost, reply, choose_fitting_sentence(why, width - len(f"{lost}. ")))
