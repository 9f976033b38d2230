"""Whose choice it is in a session, who made which move, and how a choice is read from text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from onlymove_engines.core.errors import BadNotation, IllegalMove
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import MovePath, moves_of
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.session import AnySession


def choosing_seat(session: AnySession) -> Seat | None:
    """Whose choice this keyboard is to make now; `None` when it is not its turn or the game is over."""
    if session.is_over:
        return None
    if session.to_move is None:
        return next((seat for seat in session.human_seats() if seat not in session.pending), None)
    return session.to_move if session.players[session.to_move].is_human else None


def is_between_engines(session: AnySession) -> bool:
    """Whether nobody plays, so that there is nobody from whom to keep anything."""
    return all(player.is_engine for player in session.players)


def is_with_others(session: AnySession) -> bool:
    """Whether somebody plays at another keyboard: nothing that is known of the game may be shown before it is over."""
    return any(player.is_elsewhere for player in session.players)


def is_persons(session: AnySession, node: AnyNode) -> bool:
    """Whether the move into `node` was a person's, or partly; where nobody knows, by who plays now."""
    return bool(persons_of(session, node))


def persons_of(session: AnySession, node: AnyNode) -> list[Seat]:
    """The people among those who made the move into `node`, by seat; where nobody knows, by who plays now."""
    players = node.players or session.players
    return [seat for seat in choices(session.game, node) if players[seat].is_human]


def parse_choice(session: AnySession, seat: Seat, text: str) -> Move:
    """The choice of `seat` spelled `text`. Raises BadNotation, IllegalMove or GameOver."""
    position, notation = session.position, session.game.notation
    if session.to_move is not None:
        move: Move = notation.parse_move(position, text)
        return move
    found = {notation.format_move(position, choice): choice for choice in session.moves_of(seat)}
    choice = text.lower()
    if choice in found:
        return found[choice]
    if session.game.forbidden_by is not None and not session.is_over:
        raise IllegalMove(session.game.forbidden_by(position, seat, (choice,)))
    raise BadNotation(f"'{text}' is not one of {' '.join(found)}")


def refusal(session: AnySession, seat: Seat, path: MovePath) -> str:
    """The rule that forbids `seat` to go on with the last of these targets."""
    game, rule = session.game, session.line.house_rule
    rules, at_once = game.rules, session.to_move is None
    moves = moves_of(rules, session.position, seat) if at_once else rules.legal_moves(session.position)
    by_rules = game.paths(session.position, moves)
    if rule is not None and any(way[: len(path)] == path for way in by_rules):
        return f"the house rule '{rule.title}' forbids this move"
    said = "" if game.forbidden_by is None else game.forbidden_by(session.position, seat, path)
    return said or f"{path[-1]} cannot be chosen now."


def choices(game: AnyGame, node: AnyNode) -> Mapping[Seat, Move]:
    """What led to `node`, by the seat that chose it: both after a simultaneous round."""
    assert node.parent is not None, "the root was not reached by a move"
    seat = game.rules.to_move(node.parent.position)
    if seat is not None:
        return {seat: node.move}
    return dict(enumerate(cast("tuple[Move, Move]", node.move)))
