"""Rows with a player's progress (results, decisions, mistakes, drills) and with the facts of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from onlymove.pictures.colours import AnyTone, Tone
from onlymove_engines.coach.figures import Figures
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.facts import Facts, Level
from onlymove_engines.core.words import choose_number, format_count
from onlymove_engines.play.ladder import Scored, choose_level, count_until_shown, describe_rating, has_beaten_all
from onlymove_engines.play.players import Player

from onlymove_tui.app.panels.markdown import READABLE, paragraph_rows
from onlymove_tui.app.widgets.canvas import Row, Run, choose_fitting
from onlymove_tui.play.phrases import opponent_name
from onlymove_tui.store.learning import NOTHING_LEARNED, STAGES, Learned, Milestone, count_parts, has_begun, next_stage
from onlymove_tui.store.progress import RECENT, Progress, Tally, Week

DAYS = 14
DAY_WIDTH, WIDEST_DAY = 4, 9
LINES, MAX_LINES = 5, 12
"""The smallest and the largest height of the chart in lines, without its axis."""
EIGHTHS, MARK = " ▁▂▃▄▅▆▇█", "◆"
ASCII_FULL, ASCII_MARK = "#", "o"
AXIS_WIDTH, WEEK_WIDTH, WIDEST_WEEK = 6, 4, 6
KIND_WIDTH, LABEL_WIDTH, FACT_WIDTH = 16, 16, 12
MAX_BAR_WIDTH = 20
LEVELS, ASCII_LEVELS = "▁▂▃▄▅▆▇█", "_.:-=+*#"
"""The characters of the bar for a game, from no decision that kept the result to all of them."""
MAX_OPPONENTS = 3
NO_GAMES = Tally()
NO_RESULTS = "no finished games against an engine yet"


def due_day_rows(counts: Sequence[int], today: date, width: int) -> list[Row]:
    """Return the weekdays from today on, as many as fit, with the number of due drills under each."""
    shown = counts[: max(1, width // DAY_WIDTH)]
    day_width = max(DAY_WIDTH, min(WIDEST_DAY, width // max(1, len(shown))))
    names, numbers = list[Run](), list[Run]()
    for ahead, count in enumerate(shown):
        name_tone, tone = (Tone.DIM, Tone.TEXT) if ahead else (Tone.STRONG, Tone.KEY)
        day = f"{today + timedelta(days=ahead):%a}"[:2]
        names.append((f"{day:>{day_width - 1}} ", name_tone))
        numbers.append((f"{min(count, 999) or '.':>{day_width - 1}} ", tone if count else Tone.DIM))
    return [names, numbers]


def chart_rows(weeks: Sequence[Week], width: int, ascii_only: bool, lines: int = LINES) -> list[Row]:
    """Return a chart of weeks, with a bar for the share of decisions that kept the result."""
    shown = list(weeks)[-max(1, (width - AXIS_WIDTH) // WEEK_WIDTH) :]
    wide = max(WEEK_WIDTH, min(WIDEST_WEEK, (width - AXIS_WIDTH) // max(1, len(shown))))
    if not any(week.decisions for week in shown):
        return []
    full = ASCII_FULL if ascii_only else EIGHTHS[-1]
    legend = [(full, Tone.WIN), (" good moves per week", Tone.DIM)]
    rows: list[Row] = [legend]
    labels = {lines - 1: "100 %", lines // 2: " 50 %", 0: "  0 %"}
    for line in range(lines - 1, -1, -1):
        axis: Run = (labels.get(line, "").rjust(AXIS_WIDTH - 1) + "┤" if line in labels else " " * 5 + "│", Tone.DIM)
        rows.append([axis, *(run for week in shown for run in chart_cell(week, line, lines, wide, ascii_only))])
    rows.append([(" " * 5 + ("-" if ascii_only else "▔") * (1 + wide * len(shown)), Tone.DIM)])
    dates, last = f"{shown[0].monday:%b %d}", f"{shown[-1].monday:%b %d}"
    space = wide * len(shown) - len(dates)
    dates += last.rjust(space) if space > len(last) else ""
    return [*rows, [(" " * AXIS_WIDTH + dates, Tone.DIM)]]


def chart_cell(week: Week, line: int, lines: int, wide: int, ascii_only: bool) -> list[Run]:
    """Return one week's part of a line of the chart. The lowest line is 0. A week without decisions is a dot."""
    if not week.decisions:
        return [((" ." if line == 0 else "").ljust(wide), Tone.DIM)]
    height = round(8 * lines * week.kept / week.decisions)
    part = max(0, min(8, height - 8 * line))
    full = (ASCII_FULL if part >= 4 else " ") if ascii_only else EIGHTHS[part]
    return [(full * (wide - 1), Tone.WIN), (" ", Tone.TEXT)]


def kind_rows(kinds: Sequence[tuple[str, int]], width: int, ascii_only: bool) -> list[Row]:
    """Return a row such as `missed win ███ 3` for each kind of mistake in recent games."""
    most = max((count for _, count in kinds), default=0)
    space = max(1, min(max(MAX_BAR_WIDTH, width // 2), width - KIND_WIDTH - 5))
    rows: list[Row] = []
    for kind, count in kinds:
        bar = (ASCII_FULL if ascii_only else EIGHTHS[-1]) * max(1, count * space // most)
        rows.append([(kind.ljust(KIND_WIDTH), Tone.TEXT), (bar, Tone.SLIP), (f" {count}", Tone.STRONG)])
    return rows


def list_row(title: str, progress: Progress, ascii_only: bool) -> Row:
    """Return a row such as `A game 12 games ▃▅▆█▅▆█▇██ 88 % 3 due`. The narrowest screen has just space for it."""
    games = progress.total.games
    row: list[Run] = [(f"{title:<20}", Tone.TEXT)]
    if not games:
        row.append(("  none against an engine".ljust(26), Tone.DIM))
    else:
        row += [(f"{games:>3} {choose_number(games, 'game'):5} ", Tone.DIM)]
        row += [(" " * (RECENT - len(progress.lately)), Tone.TEXT), *recent_bars(progress.lately, ascii_only)]
        row += [(f"{format_kept(*progress.kept):>6}", Tone.STRONG)]
    due = progress.drills.due
    return [*row, (f"{due:>3} due" if due else "", Tone.KEY)]


def recent_bars(lately: Sequence[Figures], ascii_only: bool) -> Row:
    """Return for each game a bar with the share of decisions that kept the result, or a dot if there were none."""
    levels, row = ASCII_LEVELS if ascii_only else LEVELS, list[Run]()
    for kept, decisions in ((game.kept, game.decisions) for game in lately):
        if decisions:
            tone = Tone.WIN if kept == decisions else Tone.DRAW if 2 * kept >= decisions else Tone.LOSS
            row.append((levels[kept * (len(levels) - 1) // decisions], tone))
        else:
            row.append(("·", Tone.DIM))
    return row


def format_kept(kept: int, decisions: int) -> str:
    """Return a share such as `88 %`, rounded down, so that 100 means all of them. Empty without decisions."""
    return f"{100 * kept // decisions} %" if decisions else ""


def progress_rows(progress: Progress, width: int, levels: tuple[Level, ...] = ()) -> list[Row]:
    rows: list[Row] = []
    facts: list[tuple[str, str]] = []
    rating = describe_rating(levels, progress.rated)
    if progress.total.games:
        rows += [*result_rows(progress.against, levels), ()]
        facts.append(("Good first try", describe_kept(progress, width)))
        facts.append(("Mistakes", describe_mistakes(progress.mistakes, width)))
    if rating:
        following, missing = f"; next: {name_next(levels, progress.rated)}", count_until_shown(levels, progress.rated)
        shorter = (f"after {format_count(missing, 'more game')}{following}",) if missing else ()
        facts.append(("Rating", choose_fitting((f"{rating}{following}", *shorter), width - LABEL_WIDTH)))
    if (drills := progress.drills).total:
        counts = ((drills.due, "due now"), (drills.begun, "begun"), (drills.learnt, "learnt"))
        facts.append(("Drills", ", ".join(f"{count} {word}" for count, word in counts if count)))
    return rows + [[(label.ljust(LABEL_WIDTH), Tone.TEXT), (text, Tone.STRONG)] for label, text in facts if text]


def full_progress_rows(
    progress: Progress, width: int, space: int, ascii_only: bool, levels: tuple[Level, ...] = ()
) -> list[Row]:
    """Return the progress with as many of the coming days, the chart and the mistakes as `space` lines can hold."""
    rows = progress_rows(progress, width, levels)
    if not rows:
        return rows
    weeks, kinds = chart_rows(progress.weeks, width, ascii_only), kind_rows(progress.kinds, width, ascii_only)
    days = due_day_rows(progress.ahead, progress.today, width) if any(progress.ahead) else []
    for title, part in (("Drills due on each day", days), ("Kinds of mistakes", kinds)):
        if part:
            part.insert(0, [(title, Tone.DIM)])
    space -= len(rows)
    for part in filter(None, (days, weeks, kinds)):
        if len(part) < space:
            space -= len(part) + 1
        else:
            part.clear()
    if weeks:
        weeks = chart_rows(progress.weeks, width, ascii_only, min(MAX_LINES, LINES + max(0, space)))
    return [row for part in (weeks, rows, days, kinds) if part for row in ((), *part)][1:]


def result_rows(results: Mapping[Player, Tally], levels: Sequence[Level]) -> list[Row]:
    """Return the wins, draws and losses against the most frequent opponents, against all others together, and in total.
    An opponent is a level, or a style and strength, such as `practical 70 4 2 0`."""
    against: dict[str, Tally] = {}
    for engine, tally in results.items():
        name = opponent_name(engine, levels)
        against[name] = against.get(name, Tally()) + tally
    most = sorted(against, key=lambda name: -against[name].games)[:MAX_OPPONENTS]
    lines = [(name, tally) for name, tally in against.items() if name in most]
    if others := [tally for name, tally in against.items() if name not in most]:
        lines.append(("others", sum(others, Tally())))
    if len(lines) > 1:
        lines.append(("total", sum(against.values(), Tally())))
    rows: list[Row] = [[("against".ljust(LABEL_WIDTH) + "  won  drawn   lost", Tone.DIM)]]
    for label, tally in lines:
        cells = (tally.wins, 5, Tone.WIN), (tally.draws, 7, Tone.DRAW), (tally.losses, 7, Tone.LOSS)
        numbers = [(f"{count:>{space}}", tone if count else Tone.DIM) for count, space, tone in cells]
        rows.append([(label.ljust(LABEL_WIDTH), Tone.TEXT), *numbers])
    return rows


def describe_kept(progress: Progress, width: int) -> str:
    """Return words such as `54 of 61 moves, last 10 games`."""
    kept, decisions = progress.kept
    if not decisions:
        return "no moves judged yet"
    number = len(progress.lately)
    words = f"{kept} of {format_count(decisions, 'move')}"
    longer = f"{words}, last {f'{number} games' if number > 1 else 'game'}"
    return choose_fitting((longer, words), width - LABEL_WIDTH)


def describe_mistakes(mistakes: Sequence[tuple[str, int]], width: int) -> str:
    """Return words such as `Draw → Loss: 4, Win → Draw: 2`, with as many mistakes as fit."""
    words = [f"{kind}: {count}" for kind, count in mistakes]
    shorter = [", ".join(words[:number]) for number in range(len(words), 0, -1)]
    return choose_fitting(shorter or [""], width - LABEL_WIDTH).replace("->", "→")


@dataclass(frozen=True, slots=True)
class Experience:
    """A player's experience with a game: the results, the number of due drills, the rated games, and what was learned.
    `lesson_steps` is the number of steps in the game's lessons (0: not known)."""

    tally: Tally = NO_GAMES
    due: int = 0
    rated: tuple[Scored, ...] = ()
    learned: Learned = NOTHING_LEARNED
    lesson_steps: int = 0

    def describe_learning(self) -> str:
        """Return how much of the learning path is done, such as `2 of 11 done, next: lessons`. Empty for a player who
        has not begun the lessons."""
        if not has_begun(self.learned):
            return ""
        done, total = count_parts(self.lesson_steps, self.learned)
        if done == total:
            return "complete (lessons, first game and drills)"
        is_taught = self.lesson_steps > 0
        stage = next_stage(self.learned if is_taught else Learned(reached=self.learned.reached | {Milestone.LESSONS}))
        what = {Milestone.LESSONS: "lessons", Milestone.FIRST_GAME: "a first game"}.get(stage or STAGES[0], "drills")
        return f"{done} of {total} done" + (f", next: {what}" if stage else "")


def fact_rows(facts: Facts, notes: Sequence[tuple[str, str]], experience: Experience, width: int) -> list[Row]:
    """Return the facts of a game in `width` columns, the pitch first."""
    tally, rated, due = experience.tally, experience.rated, experience.due
    rating = ""
    if level := name_next(facts.levels, rated):
        now = describe_rating(facts.levels, rated)
        rating = f"{now}; next: {level}" if now else f"no rated games yet; begin against {level}"
    found: list[tuple[str, str, AnyTone]] = [
        ("Goal", facts.goal, Tone.STRONG),
        ("Solution", facts.solved, Tone.KEY),
        *((label, text, Tone.TEXT) for label, text in notes),
        ("You", str(tally) if tally.games else NO_RESULTS, Tone.STRONG if tally.games else Tone.DIM),
        ("Rating", rating, Tone.STRONG),
        ("Learning", experience.describe_learning(), Tone.TEXT),
        ("Drills", f"{due} due now" if due else "", Tone.KEY),
    ]
    rows: list[Row] = [*paragraph_rows(as_sentence(facts.pitch), min(READABLE, width)), []]
    for label, text, tone in found:
        lines = paragraph_rows(text, max(10, min(READABLE, width) - FACT_WIDTH)) if text else []
        for number, line in enumerate(lines):
            head = "" if number else label
            rows.append([(head.ljust(FACT_WIDTH), Tone.DIM), *((run, tone) for run, _ in line)])
    return rows


def name_next(levels: tuple[Level, ...], rated: tuple[Scored, ...]) -> str:
    """Return the title of the level to play next. Empty without levels."""
    level = choose_level(levels, rated)
    return "" if level is None else level.title


def suggest_level(facts: Facts, rated: tuple[Scored, ...]) -> str:
    """Return a suggestion such as `Your rating is 1640 ±90. Suggested opponent: Club.`"""
    levels = facts.levels
    if not levels:
        return ""
    now = describe_rating(levels, rated)
    rating = f"Your rating is {now}. " if now and not count_until_shown(levels, rated) else f"{now}. " if now else ""
    if has_beaten_all(levels, rated, facts.is_drawn):
        return f"{rating}You have beaten {levels[-1].title}, the highest level."
    return f"{rating}Suggested opponent: {name_next(levels, rated)}."
