"""The texts of a drill: the round so far, the question, the verdict on an answer, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from onlymove_engines.coach.drill import Drill
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Move
from onlymove_engines.match.assistance import choose_fitting_sentence
from onlymove_engines.match.match import Match

from onlymove_tui.app.panels import game_rows, status_lines, value_rows
from onlymove_tui.app.panels.status_lines import key_row
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.canvas import Row, Run, fold, row_width
from onlymove_tui.app.widgets.layout import Docked, Note
from onlymove_tui.play import phrases
from onlymove_tui.play.drills import Practice

WHY_KEY, AGAIN_KEY = ("w", "why"), ("Backspace", "try again")
OVER_KEYS = (("a", "again"), ("d", "other drills"), ("q", "back"))
PATH_OVER = "You have finished learning this game."
RIGHT: Run = ("✓", Tone.BEST)
WRONG: Run = ("✗", Tone.LOSS)
SKIPPED: Run = ("○", Tone.DIM)
HERE: Run = ("●", Tone.CURRENT)
TO_COME: Run = ("·", Tone.DIM)
MOST_DOTS = 10
"""The most symbols that are shown. A longer round shows only those around the current drill."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The title of a question, and the keys that are shown after a right answer, after a wrong one, and along best
    play."""

    title: str
    on: tuple[str, str]
    again: Sequence[tuple[str, str]]
    along: Row


DAILY = "the position of the day"
ALONG = ("Right", "next"), ("Left", "back")
DRILL = Wording(
    "drill",
    ("Enter", "next"),
    (AGAIN_KEY, ("h", "hint"), ("s", "solution"), ("n", "skip")),
    key_row(*ALONG, ("Backspace", "drill")),
)
LAST_DRILL = replace(DRILL, on=("Enter", "finish"))
RETRY = Wording(
    "retry",
    ("Enter", "review"),
    (AGAIN_KEY, ("h", "hint"), ("s", "solution")),
    key_row(*ALONG, ("Backspace", "question")),
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last answer. `judgement` is `None` if the solution was shown. `reply` is your opponent's reply, once it has
    been shown."""

    move: Move | None
    judgement: Judgement | None = None
    reply: str = ""


def dot_row(practice: Practice, most: int = MOST_DOTS) -> Row:
    first = max(0, min(practice.place - most // 2, practice.total - most))
    return [_dot(practice, place) for place in range(practice.total)][first : first + most]


def _dot(practice: Practice, place: int) -> Run:
    attempt = practice.attempts[place]
    if attempt is not None:
        return RIGHT if attempt else WRONG
    return TO_COME if place > practice.place else HERE if place == practice.place else SKIPPED


def round_row(practice: Practice) -> Row:
    """Return a row such as `✓✗●·· drill 3 of 5`, with the number of right answers in a row. For the position of the
    day, return only its symbol."""
    if practice.is_daily:
        return dot_row(practice)
    here = min(practice.place + 1, practice.total)
    streak = phrases.streak_text(practice.streak)
    return [
        *dot_row(practice),
        (f"  drill {here} of {practice.total}", Tone.DIM),
        (f"  {streak}" if streak else "", Tone.BEST),
    ]


def round_note(practice: Practice, width: int) -> Note:
    spaced = [run for dot in dot_row(practice, practice.total) for run in (dot, (" ", Tone.TEXT))]
    rows: list[Row] = [*fold(spaced[:-1], width)]
    for number, line in enumerate(phrases.round_summary(practice)):
        rows += game_rows.wrap(line, width, Tone.DIM if number else Tone.STRONG)
    return Note("Session", rows)


def end_lines(
    practice: Practice, has_panel: bool, following: Sequence[tuple[str, str]] = (), is_path_over: bool = False
) -> Docked:
    """Return the keys to press after a round. If no panel shows its result, the result comes first. `following` are the
    keys for the next step in learning the game."""
    ending = PATH_OVER if is_path_over else "Session complete."
    headline, *rest = [ending] if has_panel else phrases.round_summary(practice)
    trouble: Row = [(f"  {as_sentence(practice.trouble)}", Tone.ERROR)] if practice.trouble else ()
    return status_lines.ask(
        [(headline, Tone.STRONG), (f"  {' '.join(rest)}", Tone.TEXT), *trouble], key_row(*following, *OVER_KEYS)
    )


def question_row(match: Match, drill: Drill, prefix: Sequence[Target], names_goal: bool) -> Row:
    """Return `Top to move: hold the draw.` or, without the goal, `Top to move.` If both sides move at once, it is `Top
    chooses.`"""
    goal = f": {phrases.goal_text(match, drill)}" if names_goal else ""
    row: Row = [
        game_rows.seat_run(match.game, drill.seat),
        (f" {'chooses' if match.is_simultaneous else 'to move'}{goal}.", Tone.STRONG),
        *status_lines.steering_row(match.game),
    ]
    return [*row, (f"   {status_lines.describe_next_pick(match.session, prefix)}", Tone.CURSOR)] if prefix else row


def last_answer_row(match: Match, drill: Drill, attempt: Attempt | None, origin: str, width: int) -> Row:
    if attempt is None or attempt.judgement is None:
        return [(origin, Tone.DIM)]
    return [(_describe_mistake(match, drill, attempt, attempt.judgement, width), Tone.DIM)]


def add_dots(practice: Practice, asked: Row, rest: Row, width: int) -> Docked:
    """Put the symbols of the round under the question, because the title has no space for them. `rest` follows them if
    it fits."""
    signs: Row = [*dot_row(practice), ("  ", Tone.TEXT)]
    fits = row_width(asked) + row_width(signs) + row_width(rest) + 4 <= width
    return Docked([asked, [*signs, *rest] if fits else signs[:-1]])


def verdict_row(match: Match, drill: Drill, attempt: Attempt, practice: Practice, width: int) -> Row:
    """Return a line with the verdict on an answer and when the drill will be asked again. If that does not fit, leave
    out the words about the move, because a second line would push the board up."""
    again = phrases.return_text(practice)
    if attempt.judgement is None:
        values = match.node.values
        solution = "The best moves are marked. "
        if isinstance(values, Analysis):
            best = values.list_best_moves()
            solution = f"{phrases.name_move(match.game, match.node.position, best[0])} is "
            solution += "the best move. " if len(best) == 1 else "one of the best moves. "
        return [(solution, Tone.HINT), (again, Tone.DIM)]
    if practice.is_solved:
        praise = phrases.praise(attempt.judgement)
        is_best = attempt.judgement.keeps_value
        right: Run = (
            f"{_describe_attempt(match, attempt)} is {'correct' if is_best else 'good enough'}. ",
            Tone.BEST if is_best else Tone.TEXT,
        )
        whole: Row = [right, (f"{praise} ", Tone.TEXT), (again, Tone.DIM)]
        return whole if row_width(whole) <= width else [right, (again, Tone.DIM)]
    return [(_describe_mistake(match, drill, attempt, attempt.judgement, width), Tone.LOSS)]


def _describe_mistake(match: Match, drill: Drill, attempt: Attempt, judgement: Judgement, width: int) -> str:
    lost = f"{_describe_attempt(match, attempt)}: {value_rows.describe_loss(match, drill.seat, judgement)}"
    found = match.assistance.get_explanation((match.node, drill.seat, attempt.move))
    reply = attempt.reply and match.game.voice.reasons.noun + attempt.reply
    why = found.select_by_reply(reply)
    return phrases.describe_mistake(lost, reply, choose_fitting_sentence(why, width - len(f"{lost}. ")))


def _describe_attempt(match: Match, attempt: Attempt) -> str:
    return phrases.name_move(match.game, match.node.position, attempt.move)


def answer_keys(wording: Wording, is_solved: bool, has_why: bool) -> Row:
    why = (WHY_KEY,) if has_why else ()
    if not is_solved:
        return key_row(*wording.again, *why)
    return key_row(wording.on, ("v", "values"), *why)
