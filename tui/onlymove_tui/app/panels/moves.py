"""The moves of a game with their numbers and signs, and what they did to the value. State in, rows out."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.worth import at_end, in_list
from onlymove_engines.core.value import ForFirst, Value, proven
from onlymove_engines.match.disclosure import is_disclosed, is_revealed
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
from onlymove_engines.records.record import move_number

from onlymove_tui.app.panels.telling import OUTCOME_TONES, tone_of
from onlymove_tui.app.widgets.move_list import Ply
from onlymove_tui.app.widgets.tones import AnyTone, Tone
from onlymove_tui.app.widgets.value_strip import Column, height_of, height_of_expected

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
