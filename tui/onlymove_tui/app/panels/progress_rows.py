"""Rows with a player's progress (results, decisions, mistakes, drills) and with the facts of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from onlymove_engines.coach.judge import Figures
from onlymove_engines.core.errors import as_sentence
from onlymove_engines.core.facts import Facts, Level
from onlymove_engines.match.rating import describe_provisional
from onlymove_engines.play.ladder import Scored, choose_level, find_standing
from onlymove_engines.play.players import Player

from onlymove_tui.app.panels.markdown import READABLE, paragraph_rows
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.canvas import Row, Run
from onlymove_tui.play.phrases import opponent_name
from onlymove_tui.store.learning import STAGES, Learned, Milestone, next_stage
from onlymove_tui.store.progress import RECENT, Progress, Tally, Week

DAY_WIDTH, WIDEST_DAY = 4, 9
DAYS = 14
"""The number of days that are shown."""


def due_day_rows(counts: Sequence[int], today: date, width: int) -> list[Row]:
    """Return the weekdays from today on, with the number of due drills under each. The rows show as many days as fit,
    as wide as possible."""
    shown = list(enumerate(counts[: max(1, width // DAY_WIDTH)]))
    day_width = max(DAY_WIDTH, min(WIDEST_DAY, width // max(1, len(shown))))
    days = [today + timedelta(days=ahead) for ahead, _ in shown]
    names: Row = [
        (f"{day:%a}"[:2].rjust(day_width - 1) + " ", Tone.STRONG if ahead == 0 else Tone.DIM)
        for (ahead, _), day in zip(shown, days, strict=True)
    ]
    numbers: Row = [
        (f"{min(count, 999) or '.':>{day_width - 1}} ", (Tone.KEY if ahead == 0 else Tone.TEXT) if count else Tone.DIM)
        for ahead, count in shown
    ]
    return [names, numbers]


def format_streak(streak: int) -> str:
    return f"{streak}-day streak" if streak else ""


LINES, MOST_LINES = 5, 12
"""The smallest and the largest height of the chart in lines, without its axis."""
EIGHTHS, MARK = " ▁▂▃▄▅▆▇█", "◆"
ASCII_FULL, ASCII_MARK = "#", "o"
AXIS_WIDTH, WEEK_WIDTH, WIDEST_WEEK = 6, 4, 6
KIND_WIDTH = 16
LONGEST_BAR = 20


def chart_rows(weeks: Sequence[Week], width: int, ascii_only: bool, lines: int = LINES) -> list[Row]:
    """Return a chart with one bar for each week. The bar shows the share of decisions that kept the result, and a mark
    shows the accuracy. The chart is `lines` high and shows as many weeks as fit."""
    shown = list(weeks)[-max(1, (width - AXIS_WIDTH) // WEEK_WIDTH) :]
    wide = max(WEEK_WIDTH, min(WIDEST_WEEK, (width - AXIS_WIDTH) // max(1, len(shown))))
    if not any(week.decisions for week in shown):
        return []
    full, mark = (ASCII_FULL, ASCII_MARK) if ascii_only else (EIGHTHS[-1], MARK)
    legend = [(full, Tone.WIN), (" good moves  ", Tone.DIM), (mark, Tone.KEY), (" accuracy per week", Tone.DIM)]
    rows: list[Row] = [legend]
    labels = {lines - 1: "100 %", lines // 2: " 50 %", 0: "  0 %"}
    for line in range(lines - 1, -1, -1):
        axis: Run = (labels.get(line, "").rjust(AXIS_WIDTH - 1) + "┤" if line in labels else " " * 5 + "│", Tone.DIM)
        rows.append([axis, *(run for week in shown for run in chart_cell(week, line, lines, wide, ascii_only))])
    rows.append([(" " * 5 + ("-" if ascii_only else "▔") * (1 + wide * len(shown)), Tone.DIM)])
    return [*rows, chart_dates(shown[0].monday, shown[-1].monday, wide * len(shown))]


def chart_cell(week: Week, line: int, lines: int, wide: int, ascii_only: bool) -> list[Run]:
    """Return one week's part of a line of the chart. The lowest line is 0. A week without decisions is a dot."""
    if not week.decisions:
        return [((" ." if line == 0 else "").ljust(wide), Tone.DIM)]
    height = round(8 * lines * week.kept / week.decisions)
    part = max(0, min(8, height - 8 * line))
    full = (ASCII_FULL if part >= 4 else " ") if ascii_only else EIGHTHS[part]
    at = min(lines - 1, int(lines * week.accuracy / 100))
    bar, middle = wide - 1, (wide - 1) // 2
    if at != line:
        return [(full * bar, Tone.WIN), (" ", Tone.TEXT)]
    mark = ASCII_MARK if ascii_only else MARK
    return [(full * middle, Tone.WIN), (mark, Tone.KEY), (full * (bar - middle - 1), Tone.WIN), (" ", Tone.TEXT)]


def chart_dates(first: date, last: date, width: int) -> Row:
    left, right = f"{first:%b %d}", f"{last:%b %d}"
    gap = width - len(left) - len(right)
    text = f"{left}{' ' * gap}{right}" if gap > 0 else left
    return [(" " * AXIS_WIDTH + text, Tone.DIM)]


def kind_rows(kinds: Sequence[tuple[str, int]], width: int, ascii_only: bool) -> list[Row]:
    """Return a row such as `missed win ███ 3` for each kind of mistake in recent games."""
    most = max((count for _, count in kinds), default=0)
    space = max(1, min(max(LONGEST_BAR, width // 2), width - KIND_WIDTH - 5))
    full = ASCII_FULL if ascii_only else EIGHTHS[-1]
    return [
        [
            (kind.ljust(KIND_WIDTH), Tone.TEXT),
            (full * max(1, count * space // most), Tone.SLIP),
            (f" {count}", Tone.STRONG),
        ]
        for kind, count in kinds
    ]


NAME_WIDTH = 20
LABEL_WIDTH = 16
LEVELS, ASCII_LEVELS = "▁▂▃▄▅▆▇█", "_.:-=+*#"
"""The characters of the bar for a game, from no decision that kept the result to all of them."""
MOST_OPPONENTS = 3


def list_row(title: str, progress: Progress, ascii_only: bool) -> Row:
    """Return a row such as `A game 12 games ▃▅▆█▅▆█▇██ 88 % 3 due`. It has 53 columns, which is all that the narrowest
    screen has beside the arrow."""
    games = progress.total.games
    row: list[Run] = [(title.ljust(NAME_WIDTH), Tone.TEXT)]
    if not games:
        row.append(("  no games yet".ljust(26), Tone.DIM))
    else:
        row += [(f"{games:>3} game{'s' if games > 1 else ' '} ", Tone.DIM)]
        row += [(" " * (RECENT - len(progress.lately)), Tone.TEXT), *recent_bars(progress.lately, ascii_only)]
        row += [(f"{format_kept(*progress.kept):>6}", Tone.STRONG)]
    due = progress.drills.due
    return [*row, (f"{due:>3} due" if due else "", Tone.KEY)]


def recent_bars(lately: Sequence[Figures], ascii_only: bool) -> Row:
    """Return a bar for each game that shows the share of decisions that kept the result. A game without decisions is a
    dot."""
    levels, row = ASCII_LEVELS if ascii_only else LEVELS, list[Run]()
    for kept, decisions in ((game.kept, game.decisions) for game in lately):
        if decisions:
            tone = Tone.WIN if kept == decisions else Tone.DRAW if 2 * kept >= decisions else Tone.LOSS
            row.append((levels[kept * (len(levels) - 1) // decisions], tone))
        else:
            row.append(("·", Tone.DIM))
    return row


def format_kept(kept: int, decisions: int) -> str:
    """Return a share such as `88 %`. It is rounded down, so that 100 means all of them. Empty if there were no
    decisions."""
    return f"{100 * kept // decisions} %" if decisions else ""


def progress_rows(progress: Progress, width: int, levels: tuple[Level, ...] = ()) -> list[Row]:
    rows: list[Row] = []
    now, offered = find_standing(levels, progress.rated), choose_level(levels, progress.rated)
    if progress.total.games:
        rows += [
            *result_rows(group_by_opponent(progress.against, levels)),
            (),
            kept_row(progress, width),
            *mistake_rows(progress.mistakes, width),
        ]
    if now is not None and offered is not None:
        rows.append(label_row("Rating", f"{now}{describe_provisional(now)}; next: {offered.title}"))
    if (drills := progress.drills).total:
        counts = ((drills.due, "due now"), (drills.begun, "begun"), (drills.learnt, "learnt"))
        rows.append(label_row("Drills", ", ".join(f"{count} {word}" for count, word in counts if count)))
    return rows


def full_progress_rows(
    progress: Progress, width: int, space: int, ascii_only: bool, levels: tuple[Level, ...] = ()
) -> list[Row]:
    """Return the progress, with as much as fits into `space` lines of the coming days, the chart of weeks and the kinds
    of mistakes. The chart takes up the lines that are left."""
    rows = progress_rows(progress, width, levels)
    if not rows:
        return rows
    weeks, kinds = chart_rows(progress.weeks, width, ascii_only), kind_rows(progress.kinds, width, ascii_only)
    days = due_day_rows(progress.ahead, date.today(), width) if any(progress.ahead) else []
    days, kinds = add_title("Drills due on each day", days), add_title("Kinds of mistakes", kinds)
    space -= len(rows)
    parts = list[list[Row]]()
    for part in (days, weeks, kinds):
        if fits := bool(part) and len(part) < space:
            space -= len(part) + 1
        parts.append(part if fits else [])
    days, weeks, kinds = parts
    if weeks:
        weeks = chart_rows(progress.weeks, width, ascii_only, min(MOST_LINES, LINES + max(0, space)))
    return [row for part in (weeks, rows, days, kinds) if part for row in ((), *part)][1:]


def add_title(title: str, rows: list[Row]) -> list[Row]:
    return [[(title, Tone.DIM)], *rows] if rows else []


def group_by_opponent(against: Mapping[Player, Tally], levels: Sequence[Level]) -> dict[str, Tally]:
    """Add up the results by the engine's name, which is its level or its style and strength."""
    found: dict[str, Tally] = {}
    for engine, tally in against.items():
        name = opponent_name(engine, levels)
        found[name] = found.get(name, Tally()) + tally
    return found


def result_rows(against: Mapping[str, Tally]) -> list[Row]:
    """Return the results against the most frequent opponents, against all others together, and in total."""
    most = sorted(against, key=lambda name: -against[name].games)[:MOST_OPPONENTS]
    lines = [(name, tally) for name, tally in against.items() if name in most]
    if others := [tally for name, tally in against.items() if name not in most]:
        lines.append(("others", sum(others, Tally())))
    if len(lines) > 1:
        lines.append(("total", sum(against.values(), Tally())))
    head: Row = [("against".ljust(LABEL_WIDTH) + "  won  drawn   lost", Tone.DIM)]
    return [head, *(tally_row(label, tally) for label, tally in lines)]


def tally_row(label: str, tally: Tally) -> Row:
    """Return a row with wins, draws and losses, such as `practical 70 4 2 0`."""
    cells: tuple[tuple[int, int, AnyTone], ...] = (
        (tally.wins, 5, Tone.WIN),
        (tally.draws, 7, Tone.DRAW),
        (tally.losses, 7, Tone.LOSS),
    )
    numbers = [(f"{count:>{width}}", tone if count else Tone.DIM) for count, width, tone in cells]
    return [(label.ljust(LABEL_WIDTH), Tone.TEXT), *numbers]


def kept_row(progress: Progress, width: int) -> Row:
    """Return a row such as `Good first try 54 of 61 moves, last 10 games`."""
    kept, decisions = progress.kept
    if not decisions:
        return label_row("Good first try", "no moves judged yet")
    number = len(progress.lately)
    span = f"last {number} games" if number > 1 else "last game"
    words = f"{kept} of {decisions} move{'s' if decisions > 1 else ''}"
    longer = f"{words}, {span}"
    return label_row("Good first try", longer if LABEL_WIDTH + len(longer) <= width else words)


def mistake_rows(mistakes: Sequence[tuple[str, int]], width: int) -> list[Row]:
    """Return a row such as `Mistakes Draw → Loss: 4, Win → Draw: 2`, with as many as fit. Empty without mistakes."""
    words = ""
    for kind, count in mistakes:
        longer = f"{words}, {kind}: {count}" if words else f"{kind}: {count}"
        if words and LABEL_WIDTH + len(longer) > width:
            break
        words = longer
    return [label_row("Mistakes", words.replace("->", "→"))] if words else []


def label_row(label: str, words: str) -> Row:
    return [(label.ljust(LABEL_WIDTH), Tone.TEXT), (words, Tone.STRONG)]


FACT_WIDTH = 12


def fact_rows(
    facts: Facts,
    notes: Sequence[tuple[str, str]],
    tally: Tally,
    due: int,
    width: int,
    rated: tuple[Scored, ...] = (),
    learned: str = "",
) -> list[Row]:
    """Return the facts of a game in `width` columns, the pitch first. `learned` says how far the player has come in
    learning it."""
    rows: list[Row] = [*paragraph_rows(as_sentence(facts.pitch), min(READABLE, width)), []]
    rows += fact_lines("Goal", facts.goal, Tone.STRONG, width) if facts.goal else []
    rows += fact_lines("Solution", facts.solved, Tone.KEY, width)
    for label, text in notes:
        rows += fact_lines(label, text, Tone.TEXT, width)
    played = (str(tally), Tone.STRONG) if tally.games else ("no games yet", Tone.DIM)
    rows += fact_lines("You", *played, width)
    if (level := choose_level(facts.levels, rated)) is not None:
        now = find_standing(facts.levels, rated)
        words = (
            f"{now}{describe_provisional(now)}: play {level.title}"
            if now
            else f"not rated yet; start against {level.title}"
        )
        rows += fact_lines("Rating", words, Tone.STRONG, width)
    if learned:
        rows += fact_lines("Learning", learned, Tone.TEXT, width)
    if due:
        rows += fact_lines("Drills", f"{due} due now", Tone.KEY, width)
    return rows


def progress_text(learned: Learned, lesson_steps: int) -> str:
    """Return how far the player has come, such as `2 of 5 done, next: drills`. Until the lessons are done, return how
    many of their `lesson_steps` are done (0: not known how many there are)."""
    done = [stage for stage in STAGES if stage in learned.reached]
    following = next_stage(learned)
    if following is None:
        return "complete (lessons, first game and drills)"
    if following is Milestone.LESSONS:
        number = f"{learned.steps} of {lesson_steps}" if lesson_steps else str(learned.steps)
        return f"{number} lesson step{'' if number == '1' else 's'} done" if learned.steps else "next: lessons"
    what = "a first game" if following is Milestone.FIRST_GAME else "drills"
    return f"{len(done)} of {len(STAGES)} done, next: {what}"


def suggest_level(levels: tuple[Level, ...], rated: tuple[Scored, ...]) -> str:
    """Return a suggestion such as `Your rating is 1640 ±90. Suggested opponent: Club.` Before the first rated game it
    is only the opponent."""
    now, level = find_standing(levels, rated), choose_level(levels, rated)
    if level is None:
        return ""
    return (
        f"Suggested opponent: {level.title}."
        if now is None
        else f"Your rating is {now}. Suggested opponent: {level.title}."
    )


def fact_lines(label: str, text: str, tone: AnyTone, width: int) -> list[Row]:
    """Return a fact after its label, on as many lines as needed."""
    lines = list(paragraph_rows(text, max(10, min(READABLE, width) - FACT_WIDTH)))
    heads = [label.ljust(FACT_WIDTH), *[" " * FACT_WIDTH] * (len(lines) - 1)]
    return [[(head, Tone.DIM), *((run, tone) for run, _ in line)] for head, line in zip(heads, lines, strict=True)]
