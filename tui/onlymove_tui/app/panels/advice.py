"""What the coach has to say, as rows to read: hints, payoffs where both move at once, best play after a move."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.hint import Hint, aligned, die_ranges
from onlymove_engines.coach.judge import luck
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import Role
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.match.explanation import Refutation

from onlymove_tui.app.panels.telling import whole_sentences, wrapped
from onlymove_tui.app.widgets.canvas import Row, Run
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.play.phrases import ending

BY_THROW = "By a throw of 1 to 100:"
SHOWN_STEPS = 8
"""How many moves of a reason are in sight at once."""
LEFT_BELOW = 5
"""Lines that are left below them on a screen of 24 lines."""
NUMBERED = 9
"""Lines that a digit can name."""


def hint_rows(hint: Hint, width: int, with_numbers: bool) -> list[Row]:
    """A hint; at its last stage a line for each move, numbered where digits play them."""
    rows: list[Row] = [[(f"Hint {hint.stage} of {hint.stages}", Tone.HINT)]]
    for line in hint.lines:
        rows += wrapped(line, width)
    is_numbered = with_numbers and len(hint.shown) > 1
    for number, (move, words) in enumerate(aligned(hint.shown, width - 2 * is_numbered), 1):
        sign = f"{number} " if number <= NUMBERED else "  "
        rows.append([(sign if is_numbered else "", Tone.KEY), (move, Tone.STRONG), (f"  {words}", Tone.TEXT)])
    return rows


def payoff_rows(mixed: Mixed, seat: Seat, key: str) -> list[Row]:
    """The payoffs, what they rest on, and where best play mixes which throws stand for which move; `key` throws."""
    basis = "proven" if mixed.exact else f"estimate, depth {mixed.depth}"
    rows: list[Row] = [[("Your share, you ↓ they →", Tone.DIM)], *matrix_rows(mixed, seat), [(basis, Tone.DIM)]]
    throws = die_ranges(mixed, seat)
    if len(throws) > 1:
        ranges = ", ".join(f"{first}-{last} {move}" for move, first, last in throws)
        rows.append([(key, Tone.KEY), (" throws 1 to 100 for you:", Tone.DIM)] if key else [(BY_THROW, Tone.DIM)])
        rows.append([(ranges, Tone.TEXT)])
    return rows


def refutation_rows(line: Refutation) -> list[Row]:
    """The moves of a refutation around the current one, which is marked."""
    rows: list[Row] = []
    for number, text in enumerate(line.texts, 1):
        is_here = number == line.step
        rows.append([("▸ " if is_here else "  ", Tone.CURRENT), (text, Tone.CURRENT if is_here else Tone.TEXT)])
    first = max(0, min(len(rows) - SHOWN_STEPS, line.step - 3))
    return rows[first : first + SHOWN_STEPS]


def reason_rows(sentences: Sequence[str], width: int) -> list[Row]:
    """Below a refutation, what proves the move bad."""
    rows = whole_sentences(sentences, width, LEFT_BELOW)
    return [(), *rows] if rows else []


def refutation_line(game: AnyGame, line: Refutation) -> Row:
    """Where in the refutation the board is; at its end, how the game ends."""
    step, count = line.step, len(line.moves)
    text = line.texts[step - 1] if step else "before the move"
    result = game.rules.result(line.positions[-1]) if step == count else None
    end = "" if result is None else f": {ending(game, result)}"
    return [("Why  ", Tone.STRONG), (f"{step} of {count}  {text}{end}", Tone.TEXT)]


SIDES = (Role.FIRST, Role.SECOND)


def matrix_rows(mixed: Mixed, seat: Seat) -> Sequence[Row]:
    """My share of the game after every pair of choices: rows mine, columns theirs, the mixes at the edges."""
    mine, theirs = mixed.strategies[seat], mixed.strategies[1 - seat]
    wide = 6 if len(theirs) <= 3 else 5
    header: list[Run] = [("  mix ", Tone.DIM), *((f"{move!s:>{wide}}", SIDES[1 - seat]) for move in theirs)]
    shares: Row = [("      ", Tone.DIM), *((f"{share:>{wide}.0%}", Tone.DIM) for share in theirs.values())]
    rows: list[Row] = [header, shares]
    for move, share in mine.items():
        row: list[Run] = [(f"{move!s:<2}", SIDES[seat]), (f"{share:>4.0%}", Tone.STRONG if share else Tone.DIM)]
        for reply in theirs:
            payoff = mixed.payoff(seat, move, reply)
            tone = Tone.WIN if payoff > 0.02 else Tone.LOSS if payoff < -0.02 else Tone.DRAW
            row.append((f"{(payoff + 1) / 2:>{wide}.0%}", tone))
        rows.append(row)
    return rows


def round_rows(game: AnyGame, mixed: Mixed, joint: tuple[Move, Move], near: Seat) -> list[Row]:
    """Both sides' shares before a round, and what of the game chance gave each side in it."""
    rows = [*matrix_rows(mixed, near)]
    for seat in (0, 1):
        gained = luck(mixed, seat, joint[seat], joint[1 - seat])
        rows.append([(f"{game.seats[seat]}: luck {gained / 2:+.0%}", Tone.DIM)])
    return rows
