"""Who sits where in a game, whose choice it is, and how it is spelled. Knows no values and no screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from onlymove_engines.core.errors import BadNotation, IllegalMove
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import MovePath, moves_of
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.session import AnySession


class Seating:
    """A session as one keyboard sees it."""

    def __init__(self, session: AnySession) -> None:
        self.session = session
        self.game: AnyGame = session.game

    @property
    def node(self) -> AnyNode:
        """Where the game stands."""
        return self.session.node

    @property
    def is_simultaneous(self) -> bool:
        """Whether both sides choose unseen."""
        return self.game.facts.simultaneous

    @property
    def seat(self) -> Seat | None:
        """Whose choice this keyboard is to make now; `None` when it is not its turn or the game is over."""
        return choosing_seat(self.session)

    @property
    def near_seat(self) -> Seat:
        """The side that sits below: the person's, or the first player's when two or none play."""
        people = self.session.human_seats()
        return people[0] if len(people) == 1 else 0

    @property
    def is_turned(self) -> bool:
        """Whether the board has to be turned round for the only person to sit below."""
        return self.game.own_side_below and self.near_seat == 1

    @property
    def speaking_seat(self) -> Seat:
        """The side that gives up or offers a draw from this keyboard: the one that is to choose, else the near one."""
        return self.near_seat if self.seat is None else self.seat

    @property
    def is_blind(self) -> bool:
        """Whether two people choose unseen at one keyboard, so that nothing may be said before both have chosen."""
        return self.is_simultaneous and len(self.session.human_seats()) == 2

    def engines_to_choose(self) -> tuple[Seat, ...]:
        """The engines' seats that owe a move."""
        if self.session.is_over:
            return ()
        engines = tuple(seat for seat in (0, 1) if self.session.players[seat].is_engine)
        if self.is_simultaneous:
            return tuple(seat for seat in engines if seat not in self.session.pending)
        return tuple(seat for seat in engines if seat == self.session.to_move)


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
