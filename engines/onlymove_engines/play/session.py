"""A game in progress: its tree, its players, who chooses next, hidden choices, undo and redo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias, cast

from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.game import Game, HouseRule
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import M, MoveEntry, MovePath, P, Result, moves_of
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.play.players import HUMAN, Players
from onlymove_engines.play.tree import FORBIDDEN, AnyNode, GameTree, Node

RESIGNED, LATE, LEFT_GAME = "resigned", "ran out of time", "left the game"
"""What a side did that lost by itself. It follows the side's name in the reason of a result."""


class Session(Generic[P, M]):
    """One game from start to end. Every change goes through a method, and the tree keeps everything that was tried."""

    def __init__(
        self,
        game: Game[P, M],
        start: P | None = None,
        players: Players = (HUMAN, HUMAN),
        house_rule: HouseRule | None = None,
        tree: GameTree[P, M] | None = None,
    ) -> None:
        self.game: Final = game
        self.tree: Final = GameTree(game, start, house_rule) if tree is None else tree
        self.undone: Final[list[Node[P, M]]] = []
        """The positions that can be redone. The next one is last."""
        self._players = players
        self._pending: Mapping[Seat, Move] = {}

    @classmethod
    def from_tree(
        cls, tree: GameTree[P, M], players: Players = (HUMAN, HUMAN), undone: Sequence[Node[P, M]] = ()
    ) -> Session[P, M]:
        """Continue an existing game at its current position. `undone` can be redone."""
        session = cls(tree.game, players=players, tree=tree)
        session.undone.extend(undone)
        return session

    # Players.

    @property
    def players(self) -> Players:
        return self._players

    def set_players(self, players: Players) -> None:
        """Let these players go on with the game, and drop hidden choices."""
        self._players, self._pending = players, {}

    @property
    def human_seats(self) -> tuple[Seat, ...]:
        """The seats of the people who play at this keyboard."""
        return tuple(seat for seat in (0, 1) if self.players[seat].is_human)

    @property
    def engine_seats(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in (0, 1) if self.players[seat].is_engine)

    @property
    def near_seat(self) -> Seat:
        """The side at the bottom of the board: the only human player's, and otherwise the first player's."""
        people = self.human_seats
        return people[0] if len(people) == 1 else 0

    @property
    def is_blind(self) -> bool:
        """Whether two people choose in secret at one keyboard. Nothing may be revealed before both have chosen."""
        return self.game.facts.simultaneous and len(self.human_seats) == 2

    @property
    def is_with_others(self) -> bool:
        """Whether a person plays at another keyboard. Nothing that is known about the game may be shown before it is
        over."""
        return any(player.is_elsewhere for player in self.players)

    @property
    def is_against_engine(self) -> bool:
        return len(self.human_seats) == 1 and not self.is_with_others

    @property
    def is_between_engines(self) -> bool:
        return len(self.engine_seats) == 2

    # The position, and who chooses in it.

    @property
    def node(self) -> Node[P, M]:
        """The current node."""
        return self.tree.here

    @property
    def position(self) -> P:
        return self.node.position

    @property
    def to_move(self) -> Seat | None:
        """The side that moves next, or `None` if both move at once."""
        return self.node.to_move

    @property
    def result(self) -> Result | None:
        """How the game ended, or `None` if it has not."""
        return self.tree.result

    @property
    def is_over(self) -> bool:
        return self.result is not None

    @property
    def is_open(self) -> bool:
        """Whether nothing about the game needs to be hidden: after its end, and between engines."""
        return self.is_over or self.is_between_engines

    @property
    def pending(self) -> Mapping[Seat, Move]:
        """The hidden choices of a round."""
        return self._pending

    def set_pending(self, pending: Mapping[Seat, Move]) -> None:
        self._pending = pending

    @property
    def choosing_seat(self) -> Seat | None:
        """The side that chooses at this keyboard now. `None` if it is another player's turn or the game is over."""
        if self.is_over:
            return None
        seats = self.human_seats if self.to_move is None else (self.to_move,)
        return next((seat for seat in seats if self.players[seat].is_human and seat not in self.pending), None)

    @property
    def speaking_seat(self) -> Seat:
        """The side that resigns or offers a draw from this keyboard: the one that chooses, or else the one at the
        bottom."""
        seat = self.choosing_seat
        return self.near_seat if seat is None else seat

    # Going on and back.

    def go_to(self, node: Node[P, M], agreed: Result | None = None) -> None:
        """Go to a node of the line. If `agreed` is given, the game ends there with this result."""
        self.tree.go_to(node, agreed)
        self.set_pending({})

    def list_moves(self) -> list[M]:
        return [node.move for node in self.node.path() if node.move is not None]

    def legal_moves(self) -> Sequence[M]:
        return () if self.is_over else self.tree.list_allowed(self.node)

    def moves_of(self, seat: Seat) -> Sequence[Move]:
        """Return the choices that `seat` has now, both in games with alternating and with simultaneous moves."""
        if self.is_over:
            return ()
        if self.to_move is None:
            return moves_of(self.game.rules, self.position, seat)
        return self.tree.list_allowed(self.node) if self.to_move == seat else ()

    def check_move(self, seat: Seat, move: Move) -> None:
        """Raise GameOver, or an IllegalMove that says why, if `seat` cannot make this choice now."""
        if self.is_over:
            raise GameOver("the game is over")
        if move in self.moves_of(seat):
            return
        if self.to_move == seat:
            self.game.rules.play(self.position, cast("M", move))  # raises what the rules say
            if self.tree.house_rule is not None:
                raise IllegalMove(FORBIDDEN.format(self.tree.house_rule.title))
        raise IllegalMove("that move is not legal here")

    def make_entry(self, seat: Seat) -> MoveEntry[Move]:
        return MoveEntry(self.game.paths(self.position, self.moves_of(seat)))

    def play(self, move: M) -> Node[P, M]:
        """Make a move or a whole round. Raises GameOver or IllegalMove, and then changes nothing."""
        if self.is_over:
            raise GameOver("the game is over")
        child = self.tree.add(self.node, move)
        if not self.tree.is_branch:
            child.players_at_move = self.players
        self.undone.clear()
        self.go_to(child)
        return child

    def commit(self, seat: Seat, move: Move) -> Node[P, M] | None:
        """Play a move of `seat` and return its node. In a simultaneous game, store the hidden choice, which can be
        replaced, and return `None` until both have chosen. Raises GameOver or IllegalMove."""
        if self.to_move is not None:
            return self.play(cast("M", move))
        self.check_move(seat, move)
        pending = {**self.pending, seat: move}
        if len(pending) < 2:
            self.set_pending(pending)
            return None
        joint: Any = (pending[0], pending[1])
        return self.play(joint)

    def resign(self, seat: Seat) -> None:
        self.end(Result(other(seat), reason=f"{self.game.seats[seat]} {RESIGNED}"))

    def lose_on_time(self, seat: Seat) -> None:
        """End the game as a loss on time for `seat`. The caller runs the clock."""
        self.end(Result(other(seat), reason=f"{self.game.seats[seat]} {LATE}"))

    def forfeit(self, seat: Seat) -> None:
        """End the game as a loss for `seat`, who has left it."""
        self.end(Result(other(seat), reason=f"{self.game.seats[seat]} {LEFT_GAME}"))

    def agree_draw(self) -> None:
        self.end(Result(None, reason="draw agreed"))

    def end(self, result: Result) -> None:
        """End the game with a result that does not follow from the rules. Raises GameOver."""
        if self.is_over:
            raise GameOver("the game is over")
        self.undone.clear()
        self.go_to(self.node, result)

    def undo(self) -> bool:
        """Undo to the last position in which a person had to choose. Between engines, undo one ply. Return whether
        anything changed. What was undone can be redone."""
        agreed, target = self.tree.agreed, self._find_last_decision()
        if target is None and agreed is None:
            return False
        if target is None or (agreed is not None and self._person_decides(self.node)):
            self.go_to(self.node)
            return True
        self.undone.append(self.node)
        self.go_to(target)
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to undo."""
        return self._find_last_decision() is not None or self.tree.agreed is not None

    def _find_last_decision(self) -> Node[P, M] | None:
        """Return the last position before this one in which a person had to choose. Between engines, return the one
        before this."""
        earlier, decides = self.node.path()[-2::-1], self._person_decides if self.human_seats else lambda _: True
        return next(filter(decides, earlier), None)

    def redo(self) -> bool:
        """Redo what was last undone. Return whether anything changed."""
        if not self.undone:
            return False
        self.go_to(self.undone.pop())
        return True

    def _person_decides(self, node: Node[P, M]) -> bool:
        return bool(self.human_seats) if node.to_move is None else node.to_move in self.human_seats


AnySession: TypeAlias = Session[Any, Any]


def list_persons(session: AnySession, node: AnyNode) -> list[Seat]:
    """Return the seats of the people who made the move into `node`, by the current players if that is not known."""
    players = node.players_at_move or session.players
    return [seat for seat in node.choices if players[seat].is_human]


def list_own_judgements(session: AnySession, node: AnyNode) -> list[Judgement]:
    """Return the judgements of people's choices in the move into `node`, or between engines all judgements."""
    if not any(player.is_human for player in (*(node.players_at_move or ()), *session.players)):
        return list(node.judgements.values())
    people = list_persons(session, node)
    return [judgement for seat, judgement in node.judgements.items() if seat in people]


def start_branch(session: AnySession, node: AnyNode, players: Players) -> AnySession:
    """Return a new game with the moves up to `node`, or up to the end of the game if that comes first. It does not say
    who made them, so that they count only in the old game. A person at this keyboard replaces one at another."""
    first, second = (HUMAN if player.is_elsewhere else player for player in players)
    new: AnySession = Session(session.game, session.tree.root.position, (first, second), session.tree.house_rule)
    for step in node.path()[1:]:
        if new.is_over:
            break
        twin = new.play(step.move)
        twin.players_at_move = None
        twin.judgements.update(step.judgements)
    return new


def parse_choice(session: AnySession, seat: Seat, text: str) -> Move:
    """Parse a choice of `seat`. Raises BadNotation, IllegalMove or GameOver."""
    position, notation = session.position, session.game.notation
    if session.to_move is not None:
        move: Move = notation.parse_move(position, text)
        return move
    found = {notation.format_move(position, choice): choice for choice in session.moves_of(seat)}
    choice = text.lower()
    if choice in found:
        return found[choice]
    if session.game.voice.forbidden_by is not None and not session.is_over:
        raise IllegalMove(session.game.voice.forbidden_by(position, seat, (choice,)))
    raise BadNotation(f"'{text}' is not one of {' '.join(found)}")


def explain_refusal(session: AnySession, seat: Seat, path: MovePath) -> str:
    """Return the rule that forbids `seat` to choose the last of these targets after the others."""
    game, rule = session.game, session.tree.house_rule
    rules, at_once = game.rules, session.to_move is None
    moves = moves_of(rules, session.position, seat) if at_once else rules.legal_moves(session.position)
    by_rules = game.paths(session.position, moves)
    if rule is not None and any(way[: len(path)] == path for way in by_rules):
        return FORBIDDEN.format(rule.title)
    reason = "" if game.voice.forbidden_by is None else game.voice.forbidden_by(session.position, seat, path)
    return reason or f"You cannot choose {path[-1]} now."
