"""Rows beside the explorer's board: the moves so far, the value of the position, its moves, and the next plies."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onlymove.pictures.colours import Ink, Tone
from onlymove_engines.coach.drill import Origin
from onlymove_engines.coach.explore import AnyExplored, Choice, OnlyMoveStats
from onlymove_engines.coach.words import SHARE_OF_POINTS, SHARE_OF_TIME, format_share, format_value, label_value
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Estimate, Mixed, Move
from onlymove_engines.core.words import format_count

from onlymove_tui.app.panels import value_rows
from onlymove_tui.app.panels.game_rows import FINDING_REASONS, OUTCOME_TONES, mover_row, wrap
from onlymove_tui.app.widgets.canvas import FURTHER, Row, Run, choose_fitting, row_width
from onlymove_tui.play.exploring import START, Exploration
from onlymove_tui.play.phrases import (
    DRILL_WORDS,
    ONE_GOOD_MOVE,
    describe_keeping,
    describe_measure,
    ending_text,
    format_percent,
    format_replies,
    keeping_words,
)
from onlymove_tui.store.progress import Tally

VALUE_WIDTH = 5
UNBROKEN = "\u00a0"
MAX_REASON_LINES = 8
NOWHERE = Tally()


@dataclass(frozen=True, slots=True)
class Branch:
    """A line of the list: a move, its text, its value as text, the replies to it, or the next moves if the same side
    moves again (`is_again`), and the other moves that are `alike` by symmetry. Moves of one `group` have the same
    result. `own` are the results of the player's games with it."""

    move: Move
    text: str
    worth: str
    tone: Ink
    replies: Choice | None = None
    group: int = 0
    own: Tally = NOWHERE
    alike: Sequence[Move] = ()
    is_again: bool = False

    @property
    def moves(self) -> Sequence[Move]:
        return (self.move, *self.alike)


def list_branches(
    game: AnyGame,
    position: AnyPosition,
    known: AnyExplored | Mixed | None,
    own: Mapping[AnyPosition, Tally],
    alike: Mapping[Move, Sequence[Move]],
) -> list[Branch]:
    """Return every move, the best first, or in the rules' order. Moves that are `alike` share a line."""

    def describe(move: Move) -> str:
        return game.describe_move(position, move)

    found: list[Branch] = []
    if isinstance(known, Mixed):
        rounds = [(payoff, (first, second)) for first, row in known.matrix.items() for second, payoff in row.items()]
        for payoff, pair in sorted(rounds, key=lambda each: -each[0]):
            games = own.get(game.rules.play(position, pair), NOWHERE)
            tone = value_rows.payoff_tone(payoff)
            found.append(Branch(pair, describe(pair), format_share(payoff), tone, own=games))
        return found
    if known is None:
        return [Branch(move, describe(move), "", Tone.DIM) for move in game.rules.legal_moves(position)]
    seat = game.rules.to_move(position) or 0
    others = {move for moves in alike.values() for move in moves[1:]}
    for value, group in known.analysis.group_moves():
        worth = "?" if value is None else label_value(game, position, seat, value)
        tone = Tone.DIM if value is None else OUTCOME_TONES[value.outcome]
        outcome = -2 if value is None else int(value.outcome)
        for move in group:
            if move not in others:
                moves = alike.get(move, (move,))
                games = sum((own.get(known.children[each], NOWHERE) for each in moves), NOWHERE)
                replies = known.get_replies(move)
                again = move in known.again
                found.append(Branch(move, describe(move), worth, tone, replies, outcome, games, moves[1:], again))
    return found


def branch_entries(branches: Sequence[Branch], width: int) -> list[list[Row]]:
    """Return a line for each move. A value repeated from the line above is dim. A gap is between different results."""
    wide = max((len(branch.text) for branch in branches), default=0)
    worth = max([VALUE_WIDTH, *(len(branch.worth) + 1 for branch in branches)])
    entries: list[list[Row]] = []
    for place, branch in enumerate(branches):
        before = branches[place - 1] if place else None
        row = branch_row(branch, worth, wide, width)
        if before is not None and before.group != branch.group:
            entries[-1].append([])
        is_repeated = before is not None and before.worth == branch.worth
        entries.append([[(row[0][0], Tone.DIM), *row[1:]] if is_repeated else row])
    return entries


def explain_numbers(branches: Sequence[Branch], width: int) -> list[Row]:
    """Return a row such as `3/14: good replies / all`, for the first line of the list with such a number. Empty if
    all lines say it in words."""
    for branch, entry in zip(branches, branch_entries(branches, width), strict=True):
        replies = branch.replies
        if replies is not None and replies.keeping:
            number, what = format_replies(replies), "next moves" if branch.is_again else "replies"
            if any(text.strip() == number for text, _ in entry[0]):
                return wrap(f"{number}: good {what} / all", width, Tone.DIM)
    return []


def branch_row(branch: Branch, worth: int, wide: int, width: int) -> Row:
    """Return a row such as `W5 a4b3 3 of 14 replies are good 4 alike yours: 2`. Parts that do not fit are left out."""
    replies = branch.replies
    row: list[Run] = [(branch.worth.ljust(worth), branch.tone), (branch.text.ljust(wide), Tone.TEXT)]
    if replies is not None and replies.keeping:
        are = "is" if replies.keeping == 1 else "are"
        in_words = f"{replies.keeping} of {replies.moves} {'next moves' if branch.is_again else 'replies'} {are} good"
        text = choose_fitting([in_words, format_replies(replies)], width - worth - wide - 2)
        row.append((f"  {text}", Tone.HINT if replies.is_narrow else Tone.DIM))
    alike: Run = (f"  {len(branch.moves)} alike" if branch.alike else "", Tone.DIM)
    own: Run = (f"  yours: {branch.own.games}" if branch.own.games else "", Tone.KEY)
    return choose_fitting([[*row, alike, own], [*row, alike], [*row, own], row], width, row_width)


def position_rows(
    game: AnyGame, trail: Exploration, known: AnyExplored | Mixed | None, width: int, waiting: str = ""
) -> list[Row]:
    """Return who is to move, the value, and how many moves keep it. While it is not known, `waiting` says why. If both
    sides move at once, return their expected shares, and how often best play chooses each of their moves."""
    result, seat = trail.result, game.rules.to_move(trail.position)
    if result is not None:
        return wrap(ending_text(game, result), width, Tone.STRONG)
    if isinstance(known, Mixed):
        about, rows = "" if known.exact else "about ", list[Row]()
        for side in (0, 1):
            share: Run = f": {about}{format_share(known.value_for(side))}", Tone.STRONG
            rows.append([*mover_row(game, side)[:2], share])
            mix = [f"{move} {format_percent(part)}" for move, part in known.strategies[side].items() if part >= 0.005]
            often = f"  {', '.join(mix)}"
            rows.append([(choose_fitting([f"{often} {SHARE_OF_TIME}", often], width), Tone.DIM)])
        whose = f"{game.seats[0]}'s"
        return [*rows, [(choose_fitting([f"{whose} {SHARE_OF_POINTS}:", f"{whose} share:"], width), Tone.DIM)]]
    mover: Row = [("Both sides move at once", Tone.TEXT)] if seat is None else mover_row(game, seat)
    if known is None or seat is None:
        return [mover, *wrap(waiting, width, Tone.DIM)]
    value = known.analysis.value
    if isinstance(value, Estimate):
        worths = [f"about {format_share(value.expected)}, not proven"]
    elif value is None:
        worths = ["not known"]
    else:
        worths = [write(game, trail.position, seat, value) for write in (format_value, label_value)]
    said = [f" to move: {worths[0]}", *(f": {worth}" for worth in worths)]
    ways: list[Row] = [[*mover[:2], (words, Tone.STRONG)] for words in said]
    return [choose_fitting(ways, width, row_width), *wrap(describe_keeping(known.choice, game.facts.has_margin), width)]


def path_rows(trail: Exploration, width: int, lines: int) -> list[Row]:
    begun = [] if trail.name == START and trail.moves else [trail.name]
    steps = [*begun, *(step.replace(" ", UNBROKEN) for step in trail.format_steps())]
    for first in range(len(steps)):
        text = " ".join(["▴", *steps[first:]] if first else steps)
        found = textwrap.wrap(text, width, break_on_hyphens=False)
        if len(found) <= lines:
            return [[(line.replace(UNBROKEN, " "), Tone.TEXT)] for line in found]
    return []


def below_rows(lower: Sequence[OnlyMoveStats | None], width: int) -> list[Row]:
    """Return in what share of the positions in the next plies only one move keeps the result."""
    shares = [(found.plies, found.share) for found in lower if found is not None and found.share is not None]
    parts = [f"{format_percent(part)} after {'one move' if plies == 1 else 'two moves'}" for plies, part in shares]
    whole = f"{ONE_GOOD_MOVE}: {', '.join(parts)}"
    if len(whole) <= width or not parts:
        return [[(whole, Tone.DIM)]] if parts else []
    head = choose_fitting([f"{ONE_GOOD_MOVE}:", "Only one good move in:"], width)
    return [[(head, Tone.DIM)], *([FURTHER, (part, Tone.DIM)] for part in parts)]


def measure_rows(game: AnyGame, both: tuple[float, float] | None, width: int) -> list[Row]:
    if game.voice.measure is None or both is None:
        return []
    values = ", ".join(f"{name} {value:.1f}" for name, value in zip(game.seats, both, strict=True))
    return wrap(f"{describe_measure(game.voice.measure)}: {values}.", width, Tone.DIM)


def why_rows(sentences: Sequence[str] | None, width: int) -> list[Row]:
    if sentences is None:
        return [[(FINDING_REASONS, Tone.DIM)]]
    text = sentences or ["There is no short explanation for this move."]
    rows = [row for sentence in text for row in wrap(sentence, width)]
    return rows if len(rows) <= MAX_REASON_LINES else [*rows[: MAX_REASON_LINES - 1], [("...", Tone.DIM)]]


def own_games_rows(own: Tally, width: int) -> list[Row]:
    return wrap(f"Your games here: {own}", width, Tone.KEY) if own.games else []


def background_rows(
    count: int, own: Tally, drills: Sequence[tuple[Origin, tuple[int, int]]], due: int, width: int
) -> list[Row]:
    """Return what a player may see of a position before its values."""
    rows: list[Row] = [[(f"{format_count(count, 'move')} to choose from", Tone.TEXT)]] if count else []
    rows += own_games_rows(own, width)
    if due or drills:
        rows += [[("Drills of this game  ", Tone.DIM), (f"{due} due now", Tone.KEY if due else Tone.DIM)]]
    return rows + [
        [(f"  {DRILL_WORDS[theme]:<22}", Tone.TEXT), (f"{right} of {tries} right", Tone.STRONG)]
        for theme, (right, tries) in drills
        if tries
    ]


def describe_branch(
    game: AnyGame, position: AnyPosition, known: AnyExplored | Mixed | None, branch: Branch, width: int
) -> Row:
    """Return what a move leads to, then as far as that fits, the player's games with it and the moves alike."""
    row: list[Run] = [(branch.text, Tone.STRONG)]
    if known is None:
        return row
    if isinstance(known, Mixed):
        return [*row, (f"  then {game.seats[0]} scores {'' if known.exact else 'about '}{branch.worth}", Tone.TEXT)]
    value, seat = known.analysis.moves.get(branch.move), game.rules.to_move(position) or 0
    row.append((f"  {'not proven' if value is None else format_value(game, position, seat, value)}", branch.tone))
    if (replies := branch.replies) is not None and replies.moves:
        names = ("next move", "next moves") if branch.is_again else ("reply", "replies")
        row.append((f"  {keeping_words(replies, *names)}", Tone.TEXT))
    own = f"  yours: {branch.own}" if branch.own.games else ""
    alike = f"  {len(branch.moves)} moves are alike by symmetry" if branch.alike else ""
    for more in ((own, Tone.KEY), (alike, Tone.DIM)):
        row += [more] if row_width([*row, more]) <= width else []
    return row
