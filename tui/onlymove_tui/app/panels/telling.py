"""What a match looks like in words and rows: lists, labels, banners. Headless; the screens only place it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from onlymove_engines.coach.figures import Figures, figures
from onlymove_engines.coach.in_line import Known
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.move_entry import MoveEntry
from onlymove_engines.core.rules import Result, Target
from onlymove_engines.core.scene import Role
from onlymove_engines.core.value import ForFirst, Mixed, Outcome, Seat, Value, proven
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.session import Player

from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.move_list import Ply
from onlymove_tui.app.widgets.tones import AnyTone, Tone
from onlymove_tui.app.widgets.value_strip import Column, height_of, height_of_expected
from onlymove_tui.play.disclosure import is_disclosed, is_revealed
from onlymove_tui.play.match import Match

OUTCOME_TONES: Mapping[Outcome, AnyTone] = {
    Outcome.WIN: Tone.WIN,
    Outcome.DRAW: Tone.DRAW,
    Outcome.LOSS: Tone.LOSS,
}
SEAT_TONES: Sequence[AnyTone] = (Role.FIRST, Role.SECOND)
SEAT_SIGNS = ("●", "○")
SIDE_WIDTH = 26
"""Columns of text beside a board at 80 columns."""
PLAYER_WIDTH = 24
"""Columns of a side's name, who sits there and whether it won; the arrow and a gap are before them."""


def tone_of(judgement: Judgement) -> AnyTone:
    """How the sign of a judgement is shown."""
    if judgement.only:
        return Tone.BEST
    return (Tone.DIM, Tone.BEST, Tone.DIM, Tone.SLIP, Tone.LOSS, Tone.LOSS)[judgement.grade.gravity]


def glyph_of(node: AnyNode) -> tuple[str, AnyTone]:
    """The sign of the move into a node; both seats' in a simultaneous round."""
    judgements = [node.judgements[seat] for seat in sorted(node.judgements)]
    worst = node.worst_judgement()
    if worst is None:
        return "", Tone.TEXT
    glyphs = [judgement.glyph for judgement in judgements]
    return ("/".join(glyphs) if any(glyphs) and len(glyphs) > 1 else "".join(glyphs)), tone_of(worst)


def plies_of(match: Match, path: Sequence[AnyNode], everything: bool = False) -> list[Ply]:
    """The move list of a path, root first; judgements only where they may be seen."""
    plies = []
    for number, node in enumerate(path[1:], 1):
        assert node.parent is not None
        text = match.game.notation.format_move(node.parent.position, node.move)
        glyph, tone = glyph_of(node)
        if not everything and not (is_revealed(match) and is_disclosed(match, node)):
            glyph, tone = "", Tone.TEXT
        branches = len(node.parent.children) - 1 if everything else 0
        plies.append(Ply(number, text, glyph, tone, branches))
    return plies


def columns_of(match: Match, path: Sequence[AnyNode], everything: bool = False) -> list[Column]:
    """The value strip of a path, root first; nothing where it may not be seen."""
    columns = []
    for number, node in enumerate(path):
        following = path[number + 1] if number + 1 < len(path) else None
        if not everything and not (is_revealed(match) and is_disclosed(match, node)):
            columns.append(Column(None))
            continue
        worst = node.worst_judgement()
        sign = "?" if worst is not None and worst.flagged else ""
        if not everything and following is not None and not is_disclosed(match, following):
            following = None
        columns.append(Column(_height(match, node, following), sign))
    return columns


def _height(match: Match, node: AnyNode, following: AnyNode | None) -> int | None:
    """How good the position of `node` is for the first player, from the judgements around it."""
    result = match.session.result if node is match.node else match.game.rules.result(node.position)
    if result is not None:
        return 4 * result.outcome_for(0)
    for seat, judgement in node.judgements.items():
        if judgement.after is not None:
            return height_of(ForFirst.seen_by(seat, _one_ply_on(judgement.after)))
    for seat, judgement in following.judgements.items() if following is not None else ():
        if judgement.before is not None:
            return height_of(ForFirst.seen_by(seat, judgement.before))
        if judgement.expected is not None:
            return height_of_expected(judgement.expected if seat == 0 else -judgement.expected)
    return None


def _one_ply_on(value: Value) -> Value:
    nearer = None if value.remoteness is None else max(0, value.remoteness - 1)
    return proven(value.outcome, nearer, value.margin)


def value_labels(values: Known, entry: MoveEntry[object], seat: Seat) -> dict[Target, tuple[str, AnyTone]]:
    """For each target that can be picked next, the best that it leads to."""
    labels: dict[Target, tuple[str, AnyTone]] = {}
    for target, moves in entry.by_target().items():
        if isinstance(values, Mixed):
            share = max(values.strategies[seat].get(move, 0.0) for move in moves)
            labels[target] = (f"{share:.0%}", Tone.WIN if share > 0 else Tone.LOSS)
        else:
            labels[target] = _label(values, moves)
    return labels


def _label(values: Analysis[object], moves: Sequence[object]) -> tuple[str, AnyTone]:
    known = [value for move in moves if (value := values.moves.get(move)) is not None]
    if known:
        best = max(known)
        return str(best), OUTCOME_TONES[best.outcome]
    guesses = [values.estimates[move] for move in moves if move in values.estimates]
    if guesses:
        return str(max(guesses, key=lambda guess: guess.expected)), Tone.DIM
    return "", Tone.DIM


def seat_name(match: Match, seat: Seat) -> str:
    """The side's name in this game."""
    return match.game.seats[seat]


def player_name(match: Match, player: Player) -> str:
    """Who sits there: `you`, a person, or the engine with its style and strength."""
    if player.is_human:
        return "you" if len(match.session.human_seats()) == 1 else "person"
    style = next((style.title for style in match.game.styles if style.id == player.style), "")
    if not player.style and match.game.styles:
        style = match.game.styles[0].title
    return f"{style or 'engine'} {player.strength}".strip()


def player_rows(match: Match, mover: Seat | None, result: Result | None, names_engines: bool = True) -> list[Row]:
    """Both sides, an arrow at whose turn it is; the far one first where the board is turned to the player."""
    far_first = (1 - match.near_seat, match.near_seat)
    return [
        player_row(match, seat, seat == mover, result is not None and result.winner == seat, names_engines)
        for seat in (far_first if match.game.own_side_below else (0, 1))
    ]


def player_row(match: Match, seat: Seat, is_mover: bool, has_won: bool, names_engines: bool) -> Row:
    """One side. Where not everything fits, an engine's strength gives way first, then its style."""
    player = match.session.players[seat]
    name, won = f"{SEAT_SIGNS[seat]} {seat_name(match, seat)}", "  won" if has_won else ""
    words = player_name(match, player).split() if names_engines or player.is_human else []
    while words and len(name) + len(" ".join(words)) + len(won) > PLAYER_WIDTH:
        words.pop()
    return [
        ("▸ " if is_mover else "  ", Tone.CURRENT),
        (name, SEAT_TONES[seat]),
        (f"  {' '.join(words)}" if words else "", Tone.DIM),
        (won, Tone.WIN),
    ]


def summary(match: Match, path: Sequence[AnyNode]) -> list[Row]:
    """The figures of a finished game: counts first, one percentage last."""
    rows: list[Row] = []
    people = match.session.human_seats() or (0, 1)
    for seat in people:
        found = figures(path, seat)
        if len(people) > 1:
            rows.append([(seat_name(match, seat), SEAT_TONES[seat])])
        rows += figure_rows(found)
    return rows


def figure_rows(found: Figures) -> list[Row]:
    """One side's figures: what was kept, how often which class, where it turned."""
    counts = sorted(found.counts.items(), key=lambda item: item[0].gravity)
    words = [f"{count} {grade.title.lower()}" for grade, count in counts if grade.is_graded]
    if found.only_moves:
        words.append(f"{found.only_moves} only move{'s' if found.only_moves > 1 else ''} found")
    last = [] if found.turning_point is None else [f"turned at move {found.turning_point}"]
    if found.accuracy is not None:
        last.append(f"accuracy {found.accuracy:.0f} %")
    rows: list[Row] = [[(f"Kept the value {found.kept} of {found.decisions}", Tone.STRONG)]]
    rows += wrapped(", ".join(words), SIDE_WIDTH)
    rows += wrapped(", ".join(last), SIDE_WIDTH, Tone.DIM)
    return rows


def wrapped(text: str, width: int, tone: AnyTone = Tone.TEXT) -> list[Row]:
    """Text cut at blanks into lines of so many columns."""
    return [[(line, tone)] for line in textwrap.wrap(text, width, subsequent_indent="  ")]
