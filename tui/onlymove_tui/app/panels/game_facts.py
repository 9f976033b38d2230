"""What there is to know of a game before it is played: a pitch, what is solved, sizes, the player's own record."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.game import Level
from onlymove_engines.games import TitleCard
from onlymove_engines.match.rating import provisional
from onlymove_engines.play.ladder import Scored, fitting, standing_after

from onlymove_tui.app.panels.prose import READABLE, paragraph
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.store.progress import Tally

LABEL_WIDTH = 12


def fact_rows(
    card: TitleCard,
    notes: Sequence[tuple[str, str]],
    tally: Tally,
    due: int,
    width: int,
    rated: tuple[Scored, ...] = (),
) -> list[Row]:
    """In so many columns, the pitch first."""
    rows: list[Row] = [*paragraph(card.pitch, min(READABLE, width)), []]
    rows += labelled("Known", card.solved, Tone.KEY, width)
    for label, text in notes:
        rows += labelled(label, text, Tone.TEXT, width)
    played = (str(tally), Tone.STRONG) if tally.games else ("no games yet", Tone.DIM)
    rows += labelled("You", *played, width)
    if (level := fitting(card.levels, rated)) is not None:
        now = standing_after(card.levels, rated)
        words = f"{now}{provisional(now)}: play {level.title}" if now else f"none yet: begin against {level.title}"
        rows += labelled("Rating", words, Tone.STRONG, width)
    if due:
        rows += labelled("Drills", f"{due} due", Tone.KEY, width)
    return rows


def offer(levels: tuple[Level, ...], rated: tuple[Scored, ...]) -> str:
    """`Your rating is 1640 ±90: play Club.` Before the first game that counts, only whom to play."""
    now, level = standing_after(levels, rated), fitting(levels, rated)
    if level is None:
        return ""
    return f"Begin against {level.title}." if now is None else f"Your rating is {now}: play {level.title}."


def labelled(label: str, text: str, tone: AnyTone, width: int) -> list[Row]:
    """A fact with its name before it, in as many lines as it takes."""
    lines = list(paragraph(text, max(10, min(READABLE, width) - LABEL_WIDTH)))
    heads = [label.ljust(LABEL_WIDTH), *[" " * LABEL_WIDTH] * (len(lines) - 1)]
    return [[(head, Tone.DIM), *((run, tone) for run, _ in line)] for head, line in zip(heads, lines, strict=True)]
