"""Rows with the values of moves, hints, payoffs and best play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from onlymove.pictures.colours import Ink, Tone
from onlymove.pictures.painting import HINT
from onlymove_engines.coach.hint import Hint, align_moves, list_die_ranges
from onlymove_engines.coach.judge import find_regret, is_unknown
from onlymove_engines.coach.values import Known, Refutation
from onlymove_engines.coach.words import SHARE_OF_POINTS, SHARE_OF_TIME, format_value, label_value, shorten_value
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import MoveEntry, Target
from onlymove_engines.core.scene import Role
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, Value, other, turn_value
from onlymove_engines.core.words import choose_number
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.app.panels.game_rows import (
    OUTCOME_TONES,
    SEAT_SIGNS,
    piece_tone,
    seat_run,
    seat_tone,
    whole_sentences,
    wrap,
)
from onlymove_tui.app.widgets.canvas import FURTHER, Row, Run, choose_fitting, fold, phrase_row, row_width
from onlymove_tui.app.widgets.layout import SIDE_WIDTH
from onlymove_tui.play.keys import phrase
from onlymove_tui.play.phrases import describe_lost, ending_text, format_lead, format_percent, measure_text

WORDY = 34
"""From this width on, the value of each group of moves is written out in words."""
MAX_LEADS = 5
"""In a narrower list, only this many moves are shown with their lead."""
HALF_A_PERCENT, SMALL_COST = 0.005, 0.05
"""A regret below the first number counts as nothing, and one below the second as an inaccuracy."""
BAR = 8
"""The width in columns of the bar with both sides' chances."""


def describe_change(game: AnyGame, position: AnyPosition, seat: Seat, judgement: Judgement) -> str:
    """Return how a move of `seat` changed the value, such as `Win in 5 moves → Loss`, `Loss by 4` or `costs 12 %`."""
    before, after = judgement.before, judgement.after
    if before is None or after is None:
        return f"costs {format_percent(judgement.regret)}" if judgement.regret >= HALF_A_PERCENT else ""
    words = [format_value(game, position, seat, value).capitalize() for value in (before, after)]
    if before == after:
        return words[1]
    in_points = after.margin is not None and not (judgement.points_lost and before.outcome == after.outcome)
    return " → ".join(words) if in_points else describe_lost(judgement)


def describe_loss(live: LiveGame, seat: Seat, judgement: Judgement) -> str:
    """Return what a move gives away, such as `Win in 5 moves → Loss`, `Win by 12 → Loss by 4` or a number of points."""
    if judgement.before is None or judgement.before.margin is None:
        return describe_lost(judgement)
    return describe_change(live.game, live.node.position, seat, judgement)


def value_labels(
    game: AnyGame,
    position: AnyPosition,
    values: Known,
    entry: MoveEntry[Move],
    seat: Seat,
    in_plain_words: bool = False,
) -> dict[Target, tuple[str, Ink]]:
    """Return, for each target, the value of the best move that begins with it."""
    say = shorten_value if in_plain_words else label_value
    labels: dict[Target, tuple[str, Ink]] = {}
    for target, moves in entry.group_by_target().items():
        if isinstance(values, Mixed):
            move = min(moves, key=lambda each: find_regret(values, seat, each))
            regret = find_regret(values, seat, move)
            cost = "ok" if regret <= values.tolerance() else f"-{max(regret, 0.01):.0%}"
            labels[target] = ("?", Tone.DIM) if is_unknown(values, seat, move) else (cost, cost_tone(values, regret))
        elif known := [value for move in moves if (value := values.moves.get(move)) is not None]:
            best = max(known)
            labels[target] = (say(game, position, seat, best), OUTCOME_TONES[best.outcome])
        else:
            guesses = [values.estimates[move] for move in moves if move in values.estimates]
            top = max(guesses, key=lambda guess: guess.expected, default="")
            labels[target] = (str(top), Tone.DIM)
    return labels


def move_labels(
    game: AnyGame, position: AnyPosition, values: Known, seat: Seat, in_plain_words: bool = False
) -> dict[Target, tuple[str, Ink]]:
    """Return the labels while no target is picked. They show the choices of `seat` if both sides move at once."""
    choices = values.strategies[seat] if isinstance(values, Mixed) else values.moves
    entry: MoveEntry[Move] = MoveEntry(game.paths(position, choices))
    return value_labels(game, position, values, entry, seat, in_plain_words)


def cost_tone(values: Mixed, regret: float) -> Ink:
    """Return the colour of a cost. It does not depend on how often best play makes the choice."""
    return Tone.WIN if regret <= values.tolerance() else Tone.SLIP if regret < SMALL_COST else Tone.LOSS


def winner_row(live: LiveGame, node: AnyNode, width: int = SIDE_WIDTH, in_plain_words: bool = False) -> Row:
    """Return who wins, in `width` columns, such as `Top wins in 5 moves`, `a draw` or `Second wins by 4; now 6-14`. In
    simultaneous games, return both sides' chances. Empty if it is not known.

    Unless `in_plain_words`, a draw has its symbol in front of it. In a game with points, a value then has its sign and
    the side to move, such as `-4 for Second`. The winner's points come first.
    """
    game, result = live.game, live.session.tree.result_at(node)
    if result is not None:
        return [(ending_text(game, result).split(":")[0].rstrip("."), Tone.STRONG)]
    values, seat = node.values, node.to_move
    if isinstance(values, Mixed):
        return _chances_row(game, values)
    value = None if values is None else values.best_value()
    if value is None or seat is None:
        return ()
    first = {Outcome.WIN: seat, Outcome.DRAW: 0, Outcome.LOSS: other(seat)}[value.outcome]
    points = None if game.play.points is None else game.play.points(node.position)
    now = "" if points is None else f"; now {points[first]}-{points[other(first)]}"
    if value.outcome is Outcome.DRAW:
        signs: Row = [] if in_plain_words else [("D  ", Tone.DRAW)]
        ways: list[Row] = [[*signs, (f"a draw{more}{now}", Tone.TEXT)] for more in (" with best play", "")]
    else:
        seen = turn_value(value, seat, first)
        wins = [format_value(game, node.position, first, seen, word).lstrip() for word in ("wins", "")]
        ways = [[seat_run(game, first), (f" {words}", Tone.STRONG), (now, Tone.TEXT)] for words in wins]
        if game.play.points is not None and not in_plain_words:
            whose = f"{label_value(game, node.position, seat, value)} for {live.game.seats[seat]}"
            ways.insert(0, [(f"{whose}  ", Tone.STRONG), *ways[0]])
    return choose_fitting(ways, width, row_width)


def _chances_row(game: AnyGame, mixed: Mixed) -> Row:
    """Return both sides' shares of the game, with a bar between them. A `~` marks estimates."""
    share = (mixed.expected + 1) / 2
    filled, about = round(share * BAR), "" if mixed.exact else "~"
    tones = [seat_tone(game, seat) for seat in (0, 1)]
    left: Row = [(f"{SEAT_SIGNS[0]} ", tones[0]), (f"{about}{format_percent(share)}  ", Tone.STRONG)]
    right: Row = [(f"  {about}{format_percent(1 - share)}", Tone.STRONG), (f" {SEAT_SIGNS[1]}", tones[1])]
    return [*left, ("█" * filled, tones[0]), ("▒" * (BAR - filled), tones[1]), *right]


def move_value_rows(
    live: LiveGame, node: AnyNode, values: Known | None, width: int, played: Move | None, in_plain_words: bool = False
) -> list[Row]:
    """Return all moves from `node` grouped by value, the best first, with an arrow at the `played` one.

    If the game measures a lead, moves that keep a draw are listed with it, after a line that explains it. With
    `in_plain_words`, for a newcomer, there is no lead, and a narrow list shows each value in words on its own line
    instead of as a symbol.
    """
    if isinstance(values, Mixed):
        options = option_rows(live.game, values, live.session.speaking_seat, played, width)
        return [*options, *wrap(explain_costs(values), width, Tone.DIM)]
    if values is None or not values.moves:
        return []
    top, leads = values.best_value(), {} if in_plain_words else live.find_leads(node)
    rows: list[Row] = [] if top is None else fold(_keeping_row(values, top), width, [FURTHER])
    if leads:
        rows += wrap(f"{measure_text(live.game, node.to_move or 0)}.", width, Tone.DIM)
    game, seat, is_wordy = live.game, node.to_move or 0, width >= WORDY
    say = format_value if is_wordy or in_plain_words else label_value
    unproven = "not proven" if is_wordy or in_plain_words else "?"
    groups = [
        (unproven if value is None else say(game, node.position, seat, value), value, moves)
        for value, moves in values.group_moves()
    ]
    longest = max(len(words) for words, _, _ in groups) + 2 if is_wordy else 5
    for words, value, moves in groups:
        tone: Ink = Tone.DIM if value is None else OUTCOME_TONES[value.outcome]
        name, lead = words, longest
        if value is None:
            moves.sort(key=lambda move: -values.estimates[move].expected if move in values.estimates else 2)
        if in_plain_words and not is_wordy:
            rows.append([(words.capitalize(), tone)])
            name, lead = "", 2
        move_texts = {move: game.describe_move(node.position, move) for move in moves}
        for part in _add_leads(move_texts, leads, width) if leads.keys() & move_texts.keys() else [move_texts]:
            rows += _group_rows(name, tone, [(text, move == played) for move, text in part.items()], width, lead)
            name = ""
    return rows


def _add_leads(move_texts: Mapping[Move, str], leads: Mapping[Move, float], width: int) -> Iterator[Mapping[Move, str]]:
    """Yield the moves with their leads, the greatest first, then the others. A narrow list has only a few leads."""
    lead_texts = {move: format_lead(lead) for move, lead in [*leads.items()][: None if width >= WORDY else MAX_LEADS]}
    wide, most = (max(len(texts[move]) for move in lead_texts) for texts in (move_texts, lead_texts))
    yield {move: f"{move_texts[move]:<{wide}} {lead:>{most}}" for move, lead in lead_texts.items()}
    if rest := [move for move in {**leads, **move_texts} if move not in lead_texts]:
        yield {move: move_texts[move] for move in rest}


def _keeping_row(values: Analysis[Move], top: Value) -> Row:
    """Return how many moves keep the value, such as `3 of 26 moves draw` or `Every move loses`."""
    keeping, count = len(values.list_good_moves()), len(values.moves)
    ending = "s" if keeping in (1, count) else ""
    does = f"{top.outcome.word}{ending}" if top.margin is None else f"keep{ending} every point"
    if values.ends_won:
        does = f"give{ending} nothing away"
    elif keeping == count and top.outcome is Outcome.LOSS:
        does = "loses"
    text = f"{keeping} of {count} moves {does}" if keeping < count else f"Every move {does}"
    if values.ends_won and keeping == count:
        text = "No move gives anything away"
    return [(text, Tone.STRONG)]


def _group_rows(name: str, tone: Ink, texts: Sequence[tuple[str, bool]], width: int, lead: int) -> list[Row]:
    """Return moves side by side, each with whether it was played. The first `lead` columns have the group's name."""
    wide = max(len(text) for text, _ in texts) + 2
    count = max(1, (width - lead + 1) // wide)
    rows: list[list[Run]] = []
    for place, (text, is_played) in enumerate(texts):
        if place % count == 0:
            rows.append([(("" if place else name).ljust(lead - 1), tone)])
        rows[-1].append(("▸" if is_played else " ", Tone.CURRENT))
        rows[-1].append((text.ljust(wide - 1), Tone.CURRENT if is_played else Tone.TEXT))
    return list(rows)


def option_rows(game: AnyGame, mixed: Mixed, seat: Seat, joint: Move | None, width: int) -> list[Row]:
    """Return the choices of one side, with how often best play makes each and what each gives away."""
    shares, often = mixed.strategies[seat], f" {SHARE_OF_TIME}" if width >= WORDY else ""
    name, options = seat_run(game, seat), "'s options"
    heading = "" if often else f"{'':{max(1, 17 - len(name[0] + options))}}often"
    rows: list[Row] = [[name, (options, Tone.TEXT), (heading, Tone.DIM)]]
    regrets = {move: find_regret(mixed, seat, move) for move in shares}
    for move, regret in sorted(regrets.items(), key=lambda item: item[1]):
        is_played = isinstance(joint, tuple) and joint[seat] == move
        cost = f"costs {format_percent(regret)}" if regret >= HALF_A_PERCENT else "costs < 1 %"
        cost_run: Run = f"{'no cost' if regret <= mixed.tolerance() else cost:<11}", cost_tone(mixed, regret)
        if is_unknown(mixed, seat, move):
            cost_run = f"{'not known':<11}", Tone.DIM
        share = f"  {format_percent(shares[move])}{often}" if shares[move] > HALF_A_PERCENT else ""
        arrow: Run = "▸" if is_played else " ", Tone.CURRENT
        rows.append([arrow, (f"{move!s:<3}", Tone.STRONG), cost_run, (share, Tone.DIM)])
    return rows


SHOWN_STEPS = 8
LEFT_BELOW = 5
"""The number of lines of reasons below them that fit on a screen of 24 lines."""
NUMBERED = 9
"""The number of hinted moves that are marked on the board and can be selected by a digit."""


def hint_in_words(hint: Hint, live: LiveGame) -> Hint:
    """Return the hint with each value in words, such as `win` instead of `W5`, or `lose by 4` instead of `-4`."""
    node, seat = live.node, live.session.choosing_seat
    if seat is None or not isinstance(node.values, Analysis):
        return hint
    shown = list(hint.shown)
    for place, move in enumerate(hint.moves):
        if (value := node.values.moves.get(move)) is not None:
            words = shorten_value(live.game, node.position, seat, value).replace(" ", " by ")
            shown[place] = replace(shown[place], value=words)
    return replace(hint, shown=tuple(shown))


def hint_rows(hint: Hint, width: int, with_numbers: bool) -> list[Row]:
    """Return a hint. At the last stage there is a line for each move, with the digit that selects it."""
    found = f": {choose_number(len(hint.shown), 'best move')}" if hint.shown else ""
    stage = f" {hint.stage} of {hint.stages}" if hint.stages > 1 else ""
    rows: list[Row] = [[(f"Hint{stage}{found}", Tone.HINT)]]
    for line in hint.lines:
        rows += wrap(line, width)
    if hint.targets:
        rows.append([(HINT, Tone.HINT), (" A good move may be here.", Tone.TEXT)])
    for number, (move, words) in enumerate(align_moves(hint.shown, width - 2 * with_numbers), 1):
        sign = f"{number} " if number <= NUMBERED else "  "
        rows.append([(sign if with_numbers else "", Tone.KEY), (move, Tone.STRONG), (f"  {words}", Tone.TEXT)])
    return rows


def payoff_rows(mixed: Mixed, seat: Seat, has_die: bool) -> list[Row]:
    """Return the payoffs and, if best play mixes moves, which rolls from 1 to 100 stand for which move. With `has_die`,
    the command `die` rolls."""
    basis = f"{'~: ' if mixed.exact else ''}Estimated {mixed.depth} moves ahead." if mixed.has_estimates else "Proven."
    notes: list[Row] = [[("Columns: your opponent's.", Tone.DIM)], [OFTEN], [(basis, Tone.DIM)]]
    throws = list_die_ranges(mixed, seat)
    if len(throws) > 1:
        ranges = ", ".join(f"{first}-{last} {move}" for move, first, last in throws)
        how = phrase("{die} rolls a number for you:") if has_die else "Roll 1 to 100:"
        notes += [phrase_row(how, Tone.DIM), [(ranges, Tone.TEXT)]]
    return [[(f"Your {SHARE_OF_POINTS}.", Tone.DIM)], *matrix_rows(mixed, seat), *notes]


def refutation_rows(game: AnyGame, line: Refutation) -> list[Row]:
    """Return the moves of a refutation around the current step, each with the symbol of the side that makes it."""
    rows: list[Row] = []
    for number, text in enumerate(line.texts, 1):
        seat = game.rules.to_move(line.positions[number - 1]) or 0
        arrow, tone = ("▸ ", Tone.CURRENT) if number == line.step else ("  ", Tone.TEXT)
        rows.append([(arrow, Tone.CURRENT), (SEAT_SIGNS[seat], piece_tone(game, seat)), (f" {text}", tone)])
    first = max(0, min(len(rows) - SHOWN_STEPS, line.step - 3))
    return rows[first : first + SHOWN_STEPS]


def reason_rows(sentences: Sequence[str], width: int) -> list[Row]:
    rows = whole_sentences(sentences, width, LEFT_BELOW)
    return [*rows, ()] if rows else []


def refutation_line(game: AnyGame, line: Refutation) -> Row:
    """Return the current step of a refutation, with the side that moved. At its end, add the result."""
    step, count = line.step, len(line.moves)
    if not step:
        return [("Before the move", Tone.STRONG)]
    text = f" {line.texts[step - 1]}"
    if step == count and line.is_drawn:
        text += ": a draw with best play"
    elif step == count and line.result is not None:
        text += f": {ending_text(game, line.result)}"
    mover = seat_run(game, game.rules.to_move(line.positions[step - 1]) or 0)
    return [(f"Move {step} of {count}   ", Tone.DIM), mover, (text, Tone.TEXT)]


SIDES = (Role.FIRST, Role.SECOND)
OFTEN: Run = ("often: used by best play", Tone.DIM)
"""Explains the first row and column of the payoffs."""


def matrix_rows(mixed: Mixed, seat: Seat) -> Sequence[Row]:
    """Return the share of `seat` after each pair of choices. Each row is one choice of `seat`, and the one that
    best play makes most often comes first. The edges show how often best play makes each choice."""
    mine, theirs = mixed.strategies[seat], mixed.strategies[1 - seat]
    wide = 6 if len(theirs) <= 3 else 5
    header: list[Run] = [("often ", Tone.DIM), *((f"{move!s:>{wide}}", SIDES[1 - seat]) for move in theirs)]
    shares: Row = [("      ", Tone.DIM), *((f"{share:>{wide}.0%}", Tone.DIM) for share in theirs.values())]
    rows: list[Row] = [header, shares]
    for move, share in sorted(mine.items(), key=lambda choice: -choice[1]):
        cells = [
            (f"{_format_payoff(mixed, seat, move, r):>{wide}}", payoff_tone(mixed.payoff(seat, move, r)))
            for r in theirs
        ]
        often: Run = f"{share:>4.0%}", Tone.STRONG if share else Tone.DIM
        rows.append([(f"{move!s:<2}", SIDES[seat]), often, *cells])
    return rows


def _format_payoff(mixed: Mixed, seat: Seat, own: Move, theirs: Move) -> str:
    """Return a payoff in percent. A `~` marks an estimate if others are proven, so that not all of them have one."""
    about = "~" if mixed.exact and not mixed.is_proven(seat, own, theirs) else ""
    return f"{about}{(mixed.payoff(seat, own, theirs) + 1) / 2:.0%}"


def payoff_tone(payoff: float) -> Ink:
    """Return the colour of a payoff from -1 to 1. Up to 0.02 it counts as even."""
    return Tone.WIN if payoff > 0.02 else Tone.LOSS if payoff < -0.02 else Tone.DRAW


def explain_costs(mixed: Mixed) -> str:
    """Say why a cost is not the difference between two payoffs. An estimated cost is the smallest possible one."""
    return f"Costs: {'' if mixed.exact else 'at least this, '}against best play."
