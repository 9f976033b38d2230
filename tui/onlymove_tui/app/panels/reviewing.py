"""A game that is gone through: what a move was worth and what was best instead. State in, rows out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.move_entry import MoveEntry
from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.panels import advice, telling
from onlymove_tui.app.panels.numbering import numeral
from onlymove_tui.app.widgets.canvas import Row, Run
from onlymove_tui.app.widgets.tones import Ink, Tone
from onlymove_tui.play.match import Match
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
    return telling.value_labels(values, entry, shown)


def headline(match: Match, node: AnyNode) -> Row:
    """The move into `node`, its class, what it did to the value."""
    if node.parent is None:
        return [("The start of the game", Tone.STRONG)]
    text = match.game.notation.format_move(node.parent.position, node.move)
    row: list[Run] = [(f"{numeral(match.game, node)} {text}", Tone.STRONG)]
    for seat in sorted(node.judgements):
        judgement = node.judgements[seat]
        glyph = f" {judgement.glyph}" if judgement.glyph else ""
        name = f"  {match.game.seats[seat]}" if len(node.judgements) > 1 else ""
        row += [(f"{name}{glyph}  {judgement.grade.title}", telling.tone_of(judgement))]
        change = advice.change(judgement)
        row += [(f"  {change}" if change else "", Tone.TEXT)]
    return row


def remark(match: Match, node: AnyNode) -> Row:
    """How the game ended, at its end; else what was noted."""
    result = match.session.result
    if node is match.node and result is not None:
        return [(ending(match.game, result), Tone.STRONG)]
    return [(node.comment, Tone.DIM)]


def notes(match: Match, node: AnyNode, path: Sequence[AnyNode], width: int) -> Sequence[Row]:
    """What was best instead; at both ends of the game the figures."""
    if node.parent is None or node is match.node:
        return telling.summary(match, path)
    values = match.values(node.parent)
    if isinstance(values, Analysis):
        return advice.best_rows(match.game, values, node, width)
    if isinstance(values, Mixed):
        return advice.round_rows(match.game, values, cast("tuple[Move, Move]", node.move), match.near_seat)
    return []
