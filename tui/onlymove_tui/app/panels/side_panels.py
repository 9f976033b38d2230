"""The panels beside a board: players, moves, values, a stopped move, the end of a game, and a move in review."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import cast

from onlymove.pictures.colours import Ink, Tone
from onlymove_engines.coach.figures import (
    SeatChoice,
    choices_by_side,
    count_figures,
    find_flagged_choices,
    format_symbol,
)
from onlymove_engines.coach.judge import measure_luck
from onlymove_engines.coach.values import Refutation
from onlymove_engines.coach.words import label_value, shorten_value
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Mixed, Move, other, proven
from onlymove_engines.live.live_game import LiveGame, StoppedMove, is_disclosed
from onlymove_engines.play.session import list_own_judgements
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.app.panels import game_rows, value_rows
from onlymove_tui.app.panels.game_rows import OUTCOME_TONES, judgement_tone, piece_tone
from onlymove_tui.app.widgets.canvas import Row, Run, choose_fitting, fold, phrase_row
from onlymove_tui.app.widgets.course import Column, Ply, Strip, expected_height, value_height
from onlymove_tui.app.widgets.layout import Note
from onlymove_tui.play.keys import Phrase, phrase
from onlymove_tui.play.phrases import describe_largest_mistakes, ending_text, move_label, mover_name, own_ending_text

LABEL, MAX_BAR_WIDTH = 11, 10
"""The width in columns of the name of a grade, and the length of the longest bar."""


def stopped_move_note(
    live: LiveGame, stopped_move: StoppedMove, reasons: Sequence[Row], hints: Sequence[Row], width: int, is_brief: bool
) -> Note:
    """Return a large band that says what a stopped move gives away, with the reasons and hints below it."""
    lost = value_rows.describe_loss(live, stopped_move.seat, stopped_move.judgement)
    texts = ["".join(text for text, _ in row) for row in fold([(lost, Tone.ALARM)], width - 2)]
    edge = () if is_brief and reasons else ("",)
    band: list[Row] = [[(text.center(width), Tone.ALARM)] for text in (*edge, *texts, *edge)]
    gap: list[Row] = [()] if hints else []
    return Note("Not played yet", [*band, *reasons, *gap, *hints], is_alarm=True)


def best_line_note(live: LiveGame, line: Refutation, reasons: Sequence[str], width: int) -> Note:
    """Return best play after a move, with the reasons why that move is bad above it."""
    is_own = len(live.session.human_seats) == 1 and line.start.to_move in live.session.human_seats
    why = value_rows.reason_rows(reasons, width)
    return Note(f"After {'your' if is_own else 'this'} move", [*why, *value_rows.refutation_rows(live.game, line)])


def game_end_note(live: LiveGame, path: Sequence[AnyNode], width: int, is_brief: bool, rating: str = "") -> Note:
    """Return the result, the new `rating`, and the player's figures. If people played both sides, there are figures for
    both, which are in words if the note must be brief (`is_brief`). Where space is still too short, all figures are in
    words, the result is left out, because a line under the board says it too, and then the last figures."""
    result, found = live.session.result, choices_by_side(live.session.players, path)
    ending = [] if result is None else game_rows.wrap(own_ending_text(live, result), width, Tone.STRONG)
    rated = game_rows.wrap(rating, width, Tone.STRONG)

    def list_figures(in_words: bool, most: int = 4) -> list[Row]:
        rows = [*rated]
        for seat, made in found.items():
            name: Row = [game_rows.seat_run(live.game, seat)]
            rows += [name] if len(found) > 1 else [] if in_words else [()]
            rows += [row for part in list_figure_parts(made, width, in_words)[:most] for row in part]
        return rows

    usual, *shorter = list_figures(is_brief and len(found) > 1), *(list_figures(True, most) for most in (4, 3, 2, 1))
    return Note("The game", [*ending, *usual], shorter=([*ending, *shorter[0]], *shorter))


def list_figure_parts(made: Sequence[SeatChoice], width: int, in_words: bool = False) -> list[list[Row]]:
    """Return a player's figures in four parts, the most important first: good decisions, moves left out, moves of each
    grade in words or bars, and where the mistakes were."""
    found = count_figures(made)
    graded = [(grade, count) for grade, count in found.counts.items() if grade.is_graded]
    counts = sorted(graded, key=lambda item: item[0].gravity)
    only_moves = [f"Only moves found: {found.only_moves}"] if found.only_moves else []
    headline = game_rows.wrap(found.format_headline().removesuffix("."), width, Tone.STRONG)
    left_out = [row for text in found.describe_left_out() for row in game_rows.wrap(text, width, Tone.DIM)]
    if in_words:
        words = [grade.format_count(count) for grade, count in counts]
        grades = game_rows.wrap(", ".join([*words, *only_moves]), width)
    else:
        most, grades = max((count for _, count in counts), default=0), []
        for grade, count in counts:
            bar = "█" * max(1, round(count * min(MAX_BAR_WIDTH, most) / most)), judgement_tone(Judgement(grade))
            grades.append([(f"{grade.title:<{LABEL}}", Tone.TEXT), bar, (f" {count}", Tone.STRONG)])
        grades += [[(text, Tone.BEST)] for text in only_moves]
    place = ""
    if found.turning_point is not None:
        place = f"First slip: move {found.turning_point}."
    largest = game_rows.wrap(describe_largest_mistakes(made), width, Tone.DIM)
    return [headline, left_out, grades, [*game_rows.wrap(place, width, Tone.DIM), *largest]]


def list_plies(live: LiveGame, path: Sequence[AnyNode], everything: bool, in_plain_words: bool = False) -> list[Ply]:
    """Return the moves of a path, whose first node is the root, for the move list. Each has the symbol of its judgement
    and its value for the side that made it, such as `W5`, or just `win` with `in_plain_words`. A simultaneous round has
    both players' symbols. The value has the colour of its result, but after a careless move it has the colour of the
    judgement. Judgements that may not be shown are left out."""
    plies = []
    for node in path[1:]:
        assert node.parent is not None
        position = node.parent.position
        text, branches = live.game.describe_move(position, node.move), len(node.parent.children) - 1
        worst, glyphs, value = node.worst_judgement(), list[str](), ""
        tone: Ink = Tone.TEXT
        value_tone: Ink = Tone.DIM
        if worst is not None and (everything or is_disclosed(live, node)):
            tone = judgement_tone(worst)
            for seat, judgement in sorted(node.judgements.items()):
                glyphs.append(format_symbol(node, seat) if everything or live.coaching.tells(judgement) else "")
                if (after := judgement.after) is not None:
                    say = shorten_value if in_plain_words else label_value
                    value = say(live.game, position, seat, after)
                    is_careless = judgement.grade.gravity >= Grade.INACCURACY.gravity
                    value_tone = tone if is_careless else OUTCOME_TONES[after.outcome]
        glyph = "/".join(glyphs) if any(glyphs) else ""
        plies.append(Ply(node.ply, node.is_second, text, glyph, tone, branches if everything else 0, value, value_tone))
    return plies


def list_columns(live: LiveGame, path: Sequence[AnyNode], everything: bool) -> list[Column]:
    """Return the columns of the value strip for a path from the root. Values that may not be shown are left out."""
    seen = [everything or is_disclosed(live, node) for node in path]
    columns = []
    for place, node in enumerate(path):
        following = path[place + 1] if place + 1 < len(path) and seen[place + 1] else None
        flagged = [found for found in list_own_judgements(live.session, node) if found.flagged]
        sign = "?" if any(everything or live.coaching.tells(found) for found in flagged) else ""
        columns.append(Column(_column_height(live, node, following), sign) if seen[place] else Column(None))
    return columns


def _column_height(live: LiveGame, node: AnyNode, following: AnyNode | None) -> int | None:
    """Return how good a position is for the first player, by the judgements of the moves into and out of it."""
    result = live.session.tree.result_at(node)
    if result is not None:
        return 4 * result.outcome_for(0)
    for seat, judgement in node.judgements.items():
        if judgement.after is not None:
            assert node.parent is not None, "what was judged was a move"
            after = live.game.add_points_made(node.parent.position, seat, judgement.after)
            nearer = None if after.remoteness is None else max(0, after.remoteness - 1)
            return value_height(proven(after.outcome, nearer, after.margin), seat)
    for seat, judgement in following.judgements.items() if following is not None else ():
        if judgement.before is not None:
            return value_height(live.game.add_points_made(node.position, seat, judgement.before), seat)
        if judgement.expected is not None:
            return expected_height(judgement.expected if seat == 0 else -judgement.expected)
    return None


TO_BE_FOUND = "Hidden until you have found a move."


def build_strip(
    live: LiveGame, at: AnyNode, path: Sequence[AnyNode], has_ended: bool, everything: bool, in_plain_words: bool
) -> Strip:
    """Return the chart of values on a path. It marks the shown position, or the first slip at the end of a game."""
    marked = here = path.index(at)
    caption = move_label(live.game, at)
    if has_ended and here == len(path) - 1:
        found = [count_figures(made).turning_point for made in choices_by_side(live.session.players, path).values()]
        if slips := [ply for ply in found if ply is not None]:
            marked = min(slips)
            caption = f"first slip: move {marked}"
    (above, below), tones = live.game.seats, (piece_tone(live.game, 0), piece_tone(live.game, 1))
    explanation = (
        "Bars show who is winning.",
        f"Up: {above}",
        f"Down: {below}",
        "Dot: even.",
        "Gap: told after your move.",
    )
    reason = "better chances" if live.is_simultaneous else "more points" if live.game.play.points else "a faster win"
    return Strip(
        list_columns(live, path, everything), here, marked, caption, f"↑ {above}  ↓ {below}",
        f"taller bar: {reason}", tones, explanation if in_plain_words else (),
    )  # fmt: skip


def describe_hidden_values(live: LiveGame, at: AnyNode, with_values: bool, possible: Container[str]) -> Phrase:
    """Return the sentence that is shown instead of values: which of the `possible` commands shows them, or why there
    are none."""
    if with_values or at.result is not None:
        return game_rows.describe_missing_values(live, at) or "There is no choice to make here."
    if "values" in possible:
        return phrase("{values} shows the value of every move.")
    return phrase("{review} shows every value in the review.") if "review" in possible else "Values are not shown here."


def review_labels(live: LiveGame, node: AnyNode) -> Mapping[Target, tuple[str, Ink]]:
    if node.values is None:
        return {}
    seat = live.session.near_seat if node.to_move is None else node.to_move
    is_newcomer = live.coaching.for_newcomer and not live.session.is_over
    return value_rows.move_labels(live.game, node.position, node.values, seat, is_newcomer)


def review_headline(live: LiveGame, node: AnyNode) -> Row:
    if node.parent is None:
        return [("Start of the game", Tone.STRONG)]
    row: list[Run] = [(move_label(live.game, node), Tone.STRONG)]
    for seat, judgement in sorted(node.judgements.items()):
        glyph = f" {judgement.glyph}" if judgement.glyph else ""
        name = f"  {live.game.seats[seat]}" if len(node.judgements) > 1 else ""
        row += [(f"{name}{glyph}  {judgement.grade.title}", judgement_tone(judgement))]
        change = value_rows.describe_change(live.game, node.parent.position, seat, judgement)
        row += [(f"  {change}" if change else "", Tone.TEXT)]
    return row


def review_comment(live: LiveGame, node: AnyNode) -> Row:
    result = live.session.result
    if node is live.node and result is not None:
        return [(ending_text(live.game, result), Tone.STRONG)]
    return [(node.comment, Tone.DIM)]


def review_notes(
    live: LiveGame, node: AnyNode, path: Sequence[AnyNode], width: int, is_brief: bool, hides_better: bool = False
) -> Note:
    """Return the alternatives to a move, or with `hides_better` the keys to them. At both ends, return the figures."""
    if node.parent is None or node is live.node:
        return game_end_note(live, path, width, is_brief)
    values, label = node.parent.values, move_label(live.game, node)
    title = choose_fitting((f"Moves instead of {label}", f"Instead of {label}", "Other moves"), width)
    rows: list[Row] = []
    found = node.worst_judgement()
    if found is not None and found.has_verdict and not is_brief and not live.is_simultaneous:
        (seat, *_) = [seat for seat, judgement in node.judgements.items() if judgement is found]
        verdict = found.verdict(mover_name(live.session, node, seat), live.game.voice.reasons.line)
        rows += game_rows.wrap(f"{found.glyph} {verdict}".strip(), width, judgement_tone(found))
    if not is_brief and find_flagged_choices(node):
        rows += game_rows.reason_rows(live, live.list_reasons(node, not hides_better), width)
    if hides_better:
        asked = [
            phrase_row(phrase(text), Tone.DIM) for text in ("{try_move} lets you try.", "{values} shows every move.")
        ]
        return Note(title, [*rows, [("Which move is better?", Tone.STRONG)], *asked])
    if not isinstance(values, Mixed):
        return Note(title, [*rows, *value_rows.move_value_rows(live, node.parent, values, width, node.move)])
    joint, near = cast("tuple[Move, Move]", node.move), live.session.near_seat
    for seat in () if is_brief else (near, other(near)):
        rows += value_rows.option_rows(live.game, values, seat, node.move, width)
    rows += [*value_rows.matrix_rows(values, near), [value_rows.OFTEN]]
    for seat in (0, 1):
        gained = measure_luck(values, seat, joint[seat], joint[1 - seat])
        rows.append([(f"{live.game.seats[seat]}: luck {gained:+.0%}", Tone.DIM)])
    rows += game_rows.wrap(value_rows.explain_costs(values), width, Tone.DIM)
    return Note(title, [*rows, [("Luck: added by this reply.", Tone.DIM)]], is_first=True)
