"""A game in progress: its line, its players, who chooses next, hidden choices, undo and redo. The line decides what may
be played and how the game ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeAlias, cast

from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.game import Game, HouseRule
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import M, MoveEntry, MovePath, P, Result, moves_of
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.play.line import AnyNode, Line, Node
from onlymove_engines.play.players import HUMAN, Players


class Session(Generic[P, M]):
    """One game from start to end. Every change goes through a method, and the line keeps everything that was tried.
    `undone` are the positions that can be redone. The next one is last."""

    def __init__(
        self,
        game: Game[P, M],
        start: P | None = None,
        players: Players = (HUMAN, HUMAN),
        house_rule: HouseRule | None = None,
        line: Line[P, M] | None = None,
    ) -> None:
        self.game = game
        self.undone: list[Node[P, M]] = []
        self.line = Line(game, start, house_rule) if line is None else line
        self.players = players
        self.pending: dict[Seat, Move] = {}

    @classmethod
    def from_line(
        cls, line: Line[P, M], players: Players = (HUMAN, HUMAN), undone: Sequence[Node[P, M]] = ()
    ) -> Session[P, M]:
        """Continue an existing line at its current position. `undone` can be redone."""
        session = cls(line.game, players=players, line=line)
        session.undone.extend(undone)
        return session

    @property
    def node(self) -> Node[P, M]:
        return self.line.here

    @property
    def position(self) -> P:
        return self.line.here.position

    @property
    def to_move(self) -> Seat | None:
        """Return the side that moves next, or `None` if both move at once."""
        return self.line.here.to_move

    def moves(self) -> list[M]:
        return [node.move for node in self.node.path() if node.move is not None]

    @property
    def result(self) -> Result | None:
        """Return how the game ended, or `None` if it has not: by agreement, by the rules, by repetition, or because the
        house rule allows no move."""
        return self.line.result

    @property
    def is_over(self) -> bool:
        return self.line.result is not None

    def legal_moves(self) -> Sequence[M]:
        return () if self.is_over else self.line.list_allowed(self.node)

    def moves_of(self, seat: Seat) -> Sequence[Move]:
        """Return the choices that `seat` has now, both in games with alternating and with simultaneous moves."""
        if self.is_over:
            return ()
        if self.to_move is None:
            return moves_of(self.game.rules, self.position, seat)
        return self.legal_moves() if self.to_move == seat else ()

    def check_move(self, seat: Seat, move: Move) -> None:
        """Raise GameOver, or an IllegalMove that says why, if `seat` cannot make this choice now."""
        if self.is_over:
            raise GameOver("the game is over")
        if move in self.moves_of(seat):
            return
        if self.to_move == seat:
            self.line.conventions.play(self.node.positions(), cast("M", move))
        raise IllegalMove("that move is not legal here")

    def make_entry(self, seat: Seat) -> MoveEntry[Move]:
        return MoveEntry(self.game.paths(self.position, self.moves_of(seat)))

    def view(self, **overrides: Any) -> View[P, M]:
        return self.line.view(self.node, **overrides)

    def play(self, move: M) -> Node[P, M]:
        """Make a move, or a whole round in simultaneous games. Raises GameOver or IllegalMove, and then changes
        nothing."""
        if self.is_over:
            raise GameOver("the game is over")
        child = self.line.add(self.node, move)
        if not self.line.is_branch:
            child.players_at_move = self.players
        self.line.go_to(child)
        self.pending.clear()
        self.undone.clear()
        return child

    def commit(self, seat: Seat, move: Move) -> Node[P, M] | None:
        """Play a move of `seat` and return its node. In a simultaneous game, store the hidden choice and return `None`
        until both have chosen, and then play the round.

        Until then, a choice can be replaced. Raises GameOver or IllegalMove.
        """
        if self.to_move is not None:
            return self.play(cast("M", move))
        self.check_move(seat, move)
        self.pending[seat] = move
        if len(self.pending) < 2:
            return None
        joint: Any = (self.pending[0], self.pending[1])
        return self.play(joint)

    def resign(self, seat: Seat) -> None:
        self._agree(Result(other(seat), reason=f"{self.game.seats[seat]} resigned"))

    def lose_on_time(self, seat: Seat) -> None:
        """End the game as a loss on time for `seat`. The caller runs the clock."""
        self._agree(Result(other(seat), reason=f"{self.game.seats[seat]} ran out of time"))

    def agree_draw(self) -> None:
        self._agree(Result(None, reason="draw agreed"))

    def _agree(self, result: Result) -> None:
        if self.is_over:
            raise GameOver("the game is over")
        self.line.agreed = result
        self.pending.clear()
        self.undone.clear()

    def undo(self) -> bool:
        """Undo to the last position in which a person had to choose. Between engines, undo one ply. Return whether
        anything changed. What was undone can be redone."""
        target, agreed = self._last_decision(), self.line.agreed
        if target is None and agreed is None:
            return False
        self.line.agreed = None
        self.pending.clear()
        if target is None or (agreed is not None and self._person_decides(self.node)):
            return True
        self.undone.append(self.node)
        self.line.go_to(target)
        return True

    def redo(self) -> bool:
        """Redo what was last undone. Return whether anything changed."""
        if not self.undone:
            return False
        self.line.go_to(self.undone.pop())
        self.pending.clear()
        return True

    def _last_decision(self) -> Node[P, M] | None:
        earlier = self.node.path()[:-1]
        people = [node for node in earlier if self._person_decides(node)]
        if people:
            return people[-1]
        return earlier[-1] if earlier and not self.human_seats() else None

    def _person_decides(self, node: Node[P, M]) -> bool:
        return bool(self.human_seats()) if node.to_move is None else self.players[node.to_move].is_human

    @property
    def choosing_seat(self) -> Seat | None:
        """Return the side that chooses at this keyboard now. `None` if it is another player's turn or the game is
        over."""
        mover = self.to_move
        if self.is_over:
            return None
        if mover is None:
            return next((seat for seat in self.human_seats() if seat not in self.pending), None)
        return mover if self.players[mover].is_human else None

    def human_seats(self) -> tuple[Seat, ...]:
        """Return the seats that play at this keyboard."""
        return tuple(seat for seat in (0, 1) if self.players[seat].is_human)


AnySession: TypeAlias = Session[Any, Any]


def is_between_engines(session: AnySession) -> bool:
    """Whether no person plays, so that nothing needs to be hidden."""
    return all(player.is_engine for player in session.players)


def is_with_others(session: AnySession) -> bool:
    """Whether a person plays at another keyboard. What is known about the game may then not be shown before it is
    over."""
    return any(player.is_elsewhere for player in session.players)


def list_persons(session: AnySession, node: AnyNode) -> list[Seat]:
    """Return the seats of the people who made the move into `node`. If it is not known who played then, the current
    players count."""
    players = node.players_at_move or session.players
    return [seat for seat in find_choices(node) if players[seat].is_human]


def list_own_judgements(session: AnySession, node: AnyNode) -> list[Judgement]:
    """Return the judgements of the choices that people made in the move into `node`. In a game between engines, return
    all judgements."""
    if not any(player.is_human for player in (*(node.players_at_move or ()), *session.players)):
        return list(node.judgements.values())
    people = list_persons(session, node) if node.judgements else ()
    return [judgement for seat, judgement in node.judgements.items() if seat in people]


def start_branch(session: AnySession, node: AnyNode, players: Players) -> AnySession:
    """Return a new game with the moves up to `node`, or with as many of them as can be played before the game is over.
    Nothing says who made these moves, so they count in the old game only. A person at this keyboard takes the place of
    one at another keyboard."""
    first, second = (HUMAN if player.is_elsewhere else player for player in players)
    new: AnySession = Session(session.game, session.line.root.position, (first, second), session.line.house_rule)
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
    game, rule = session.game, session.line.house_rule
    rules, at_once = game.rules, session.to_move is None
    moves = moves_of(rules, session.position, seat) if at_once else rules.legal_moves(session.position)
    by_rules = game.paths(session.position, moves)
    if rule is not None and any(way[: len(path)] == path for way in by_rules):
        return f"the house rule '{rule.title}' forbids this move"
    reason = "" if game.voice.forbidden_by is None else game.voice.forbidden_by(session.position, seat, path)
    return reason or f"{path[-1]} cannot be chosen now."


def find_choices(node: AnyNode) -> Mapping[Seat, Move]:
    """Return the choices that led to `node`, by seat. After a simultaneous round there are two."""
    assert node.parent is not None, "the root was not reached by a move"
    if (seat := node.parent.to_move) is not None:
        return {seat: node.move}
    return dict(enumerate(cast("tuple[Move, Move]", node.move)))
