"""What stands beside a board: players, moves, who is winning, the values so far, what there is to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove_engines.coach.worth import at_end, in_list
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import ForFirst, Value, proven
from onlymove_engines.match.disclosure import is_disclosed, is_revealed
from onlymove_engines.match.match import Match
from onlymove_engines.match.seats import is_with_others
from onlymove_engines.play.line import AnyNode
from onlymove_engines.records.record import move_number

from onlymove_tui.app.panels import worth
from onlymove_tui.app.panels.docked import turning_ply
from onlymove_tui.app.panels.telling import OUTCOME_TONES, named, piece_tone, player_rows, tone_of
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.move_list import Ply
from onlymove_tui.app.widgets.table import Side, Told
from onlymove_tui.app.widgets.value_strip import Column, Strip, height_of, height_of_expected

NOT_SHOWN: tuple[str, AnyTone] = "", Tone.TEXT
"""Of a move whose worth is not to be seen."""


def is_shown(match: Match, node: AnyNode, everything: bool) -> bool:
    """Whether the judgement of the move into `node` may be seen, by `everything` that there is or by who has answered
    what."""
    return everything or (is_revealed(match) and is_disclosed(match, node))


def is_mistake(match: Match, node: AnyNode, everything: bool) -> bool:
    """Whether the move into `node` was flagged, and that may be seen."""
    worst = node.worst_judgement()
    return worst is not None and worst.flagged and is_shown(match, node, everything)


def glyph_of(node: AnyNode) -> tuple[str, AnyTone]:
    """The sign of the move into a node; both seats' in a simultaneous round."""
    judgements = [node.judgements[seat] for seat in sorted(node.judgements)]
    worst = node.worst_judgement()
    if worst is None:
        return "", Tone.TEXT
    glyphs = [judgement.glyph for judgement in judgements]
    return ("/".join(glyphs) if any(glyphs) and len(glyphs) > 1 else "".join(glyphs)), tone_of(worst)


def plies_of(match: Match, path: Sequence[AnyNode], everything: bool) -> list[Ply]:
    """The move list of a path, root first; judgements only where they may be seen."""
    plies = []
    for node in path[1:]:
        assert node.parent is not None
        number, is_second = move_number(match.game, node.parent)
        text = match.game.said(node.parent.position, node.move)
        glyph, tone = glyph_of(node) if is_shown(match, node, everything) else ("", Tone.TEXT)
        branches = len(node.parent.children) - 1 if everything else 0
        value, value_tone = worth_of(match, node) if is_shown(match, node, everything) else NOT_SHOWN
        plies.append(Ply(number, is_second, text, glyph, tone, branches, value, value_tone))
    return plies


def worth_of(match: Match, node: AnyNode) -> tuple[str, AnyTone]:
    """What the move into a node is worth to the side that made it: `W5`; nothing where both moved at once."""
    for seat, judgement in node.judgements.items():
        after = judgement.after
        if after is not None and node.parent is not None:
            return in_list(match.game, node.parent.position, seat, after), OUTCOME_TONES[after.outcome]
    return NOT_SHOWN


def columns_of(match: Match, path: Sequence[AnyNode], everything: bool) -> list[Column]:
    """The value strip of a path, root first; nothing where it may not be seen."""
    columns = []
    for node, following in zip(path, [*path[1:], None], strict=True):
        known = following if following is not None and is_shown(match, following, everything) else None
        sign = "?" if is_mistake(match, node, everything) else ""
        columns.append(Column(_height(match, node, known), sign) if is_shown(match, node, everything) else Column(None))
    return columns


def _height(match: Match, node: AnyNode, following: AnyNode | None) -> int | None:
    """How good the position of `node` is for the first player, from the judgements around it."""
    result = match.session.line.result_at(node)
    if result is not None:
        return 4 * result.outcome_for(0)
    for seat, judgement in node.judgements.items():
        if judgement.after is not None:
            assert node.parent is not None, "what was judged was a move"
            after = at_end(match.game, node.parent.position, seat, judgement.after)
            return height_of(ForFirst.seen_by(seat, _one_ply_on(after)))
    for seat, judgement in following.judgements.items() if following is not None else ():
        if judgement.before is not None:
            return height_of(ForFirst.seen_by(seat, at_end(match.game, node.position, seat, judgement.before)))
        if judgement.expected is not None:
            return height_of_expected(judgement.expected if seat == 0 else -judgement.expected)
    return None


def _one_ply_on(value: Value) -> Value:
    nearer = None if value.remoteness is None else max(0, value.remoteness - 1)
    return proven(value.outcome, nearer, value.margin)


ASK: Row = (("v", Tone.KEY), (" shows what every move leads to", Tone.DIM))
NOT_WHILE_HELD: Row = (("Not while a move is held", Tone.DIM),)
AFTERWARDS: Row = (("Told when the game is over", Tone.DIM),)
NOTHING_TO_CHOOSE: Row = (("Nothing is chosen here", Tone.DIM),)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a board shows: a match, the moment `at` of a `path` of moments, `result` once the end has been seen.
    `is_refutation`: best play after a move is on the board instead; `with_worth`: what every move leads to may be seen;
    `everything`: judgements are shown without regard to who has answered what; `names_engines`: which engine plays."""

    match: Match
    at: AnyNode
    path: Sequence[AnyNode]
    result: Result | None
    is_refutation: bool
    with_worth: bool
    everything: bool
    names_engines: bool


def side(shown: Shown, coach: Told, width: int) -> Side:
    """Everything beside the board; what there is to read has `width` columns."""
    match, path, everything = shown.match, shown.path, shown.everything
    is_told = everything or shown.with_worth or shown.result is not None
    return Side(
        player_rows(match, shown.result, shown.names_engines, width),
        plies_of(match, path, everything),
        path.index(shown.at),
        not match.is_simultaneous,
        worth.who_wins(match, shown.at, width) if is_told and not shown.is_refutation else (),
        strip(shown) if everything or is_revealed(match) else None,
        coach,
        every_move(shown, width),
    )


def strip(shown: Shown) -> Strip:
    """The values of the path, the shown moment pointed at and named; at the end of a game the moment it turned."""
    match, path = shown.match, shown.path
    above, below = match.game.seats
    tones = (piece_tone(match.game, 0), piece_tone(match.game, 1))
    here, turned = path.index(shown.at), turning_ply(match, path)
    is_end = shown.result is not None and here == len(path) - 1
    marked, said = (turned, "turned at ") if is_end and turned is not None else (here, "")
    caption = said + named(match.game, path[marked])
    return Strip(columns_of(match, path, shown.everything), here, marked, caption, f"↑ {above}  ↓ {below}", tones)


def every_move(shown: Shown, width: int) -> Told:
    """What each move from the shown moment leads to, where that may be seen."""
    match, at, rows = shown.match, shown.at, list[Row]()
    if shown.with_worth:
        following = next((node for node in shown.path if node.parent is at), None)
        played = None if following is None else following.move
        rows = worth.moves_by_worth(match, at, match.values(at), width, played)
    return Told("Every move", rows, otherwise=instead(match, shown.with_worth))


def instead(match: Match, with_worth: bool) -> Row:
    """What stands there while no values do: the key that shows them, where it does."""
    if not match.session.is_over and is_with_others(match.session):
        return AFTERWARDS
    if with_worth or match.session.is_over:
        return NOTHING_TO_CHOOSE
    return NOT_WHILE_HELD if match.is_held and not match.is_simultaneous else ASK
