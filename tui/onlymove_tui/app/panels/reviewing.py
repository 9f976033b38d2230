"""A game that is gone through: what a move was worth and what was best instead. State in, rows out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from onlymove_engines.core.move_entry import MoveEntry
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.match.explanation import blamed
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.panels import docked, telling, worth
from onlymove_tui.app.panels.telling import named
from onlymove_tui.app.themes import Ink, Tone
from onlymove_tui.app.widgets.canvas import Row, Run, folded
from onlymove_tui.app.widgets.table import Told
from onlymove_tui.play.phrases import ending


def labels(match: Match, node: AnyNode) -> Mapping[Target, tuple[str, Ink]]:
    """What every move from `node` is worth, as far as it is known."""
    values = match.values(node)
    if values is None:
        return {}
    seat = match.game.rules.to_move(node.position)
    shown: Seat = match.near_seat if seat is None else seat
    choices = values.strategies[shown] if isinstance(values, Mixed) else values.moves
    entry: MoveEntry[Move] = MoveEntry(match.game.paths(node.position, choices))
    return worth.value_labels(match.game, node.position, values, entry, shown)


def headline(match: Match, node: AnyNode) -> Row:
    """The move into `node`, its class, what it did to the value."""
    if node.parent is None:
        return [("The start of the game", Tone.STRONG)]
    row: list[Run] = [(named(match.game, node), Tone.STRONG)]
    for seat in sorted(node.judgements):
        judgement = node.judgements[seat]
        glyph = f" {judgement.glyph}" if judgement.glyph else ""
        name = f"  {match.game.seats[seat]}" if len(node.judgements) > 1 else ""
        row += [(f"{name}{glyph}  {judgement.grade.title}", telling.tone_of(judgement))]
        change = worth.change(match.game, node.parent.position, seat, judgement)
        row += [(f"  {change}" if change else "", Tone.TEXT)]
    return row


def remark(match: Match, node: AnyNode) -> Row:
    """How the game ended, at its end; else what was noted."""
    result = match.session.result
    if node is match.node and result is not None:
        return [(ending(match.game, result), Tone.STRONG)]
    return [(node.comment, Tone.DIM)]


def notes(match: Match, node: AnyNode, path: Sequence[AnyNode], width: int, is_brief: bool) -> Told:
    """What else could have been played; at both ends of the game the figures."""
    if node.parent is None or node is match.node:
        return docked.end_card(match, path, width, is_brief)
    values, title = match.values(node.parent), f"Instead of {named(match.game, node)}"
    is_blamed = not is_brief and bool(blamed(match.game, node))
    why = telling.reason_rows(match, match.advice.reasons(node), width) if is_blamed else []
    if isinstance(values, Mixed):
        joint = cast("tuple[Move, Move]", node.move)
        return Told(title, [*why, *worth.round_rows(match.game, values, joint, match.near_seat)])
    said = [] if is_brief else [*verdict(node, width), *why]
    return Told(title, [*said, *worth.moves_by_worth(match, node.parent, values, width, node.move)])


def verdict(node: AnyNode, width: int) -> Sequence[Row]:
    """One sentence about the move into `node`, where it was a decision."""
    found = node.worst_judgement()
    if found is None or not found.grade.is_graded:
        return []
    return folded([(f"{found.glyph} {found.verdict()}".strip(), telling.tone_of(found))], width)
