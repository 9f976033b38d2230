"""A game as a tree: the moves played and tried, their judgements, the current position, and how the game ended.

`Conventions` decides what may be played and whether a game has ended. It has checked every move in a line, and each
node stores its result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, TypeAlias, cast

from onlymove_engines.core.analysis import AnyAnalysis
from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove, did_you_mean
from onlymove_engines.core.game import Game, HouseRule
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.repetition import THREEFOLD, Repetition
from onlymove_engines.core.rules import M, P, Result
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.play.players import Players

FORBIDDEN = "the house rule '{}' forbids this move"


class Conventions(Generic[P, M]):
    """Applies the rules, the house rule and the rule about repetition to the positions of a game so far. If a game can
    cycle but has no rule about repetition, a position that occurs for the third time is a draw. Otherwise two engines
    might never stop."""

    def __init__(self, game: Game[P, M], house_rule: HouseRule | None = None) -> None:
        self.game = game
        self.house_rule = house_rule
        self.repetition: Repetition[P] | None = game.play.repetition or (THREEFOLD if game.facts.can_cycle else None)

    def list_allowed(self, past: Sequence[P], legal: Sequence[M] | None = None) -> tuple[M, ...]:
        """Return the moves that the rules and the house rule allow. `legal` are the legal moves, if they are known."""
        moves = self.game.rules.legal_moves(past[-1]) if legal is None else legal
        if self.house_rule is not None:
            moves = self.house_rule.legal_moves(self.game.rules, past, moves)
        return tuple(moves)

    def result(self, past: Sequence[P]) -> Result | None:
        """Return how the game has ended, by the rules, by repetition, or without an allowed move, or `None`."""
        position, rules = past[-1], self.game.rules
        if (result := rules.result(position)) is not None:
            return result
        repetition = self.repetition
        if repetition is not None and past.count(position) >= repetition.times:
            return repetition.result(position)
        seat = rules.to_move(position)
        if self.house_rule is not None and seat is not None and not self.list_allowed(past):
            return self.house_rule.result_when_stuck(seat)
        return None

    def find_stuck_results(self, past: Sequence[P]) -> Mapping[M, Result]:
        """Return the moves, with the result, that end the game because the house rule leaves no reply."""
        if self.house_rule is None:
            return {}
        rules, found = self.game.rules, dict[M, Result]()
        for move in self.list_allowed(past):
            child = rules.play(past[-1], move)
            if rules.result(child) is None and (end := self.result([*past, child])) is not None:
                found[move] = end
        return found

    def find_closing(self, past: Sequence[P]) -> Mapping[P, Result]:
        """Return the positions that would end the game by repetition if they were reached now, each with its result."""
        repetition = self.repetition
        if repetition is None:
            return {}
        often = [seen for seen, count in Counter(past).items() if count >= repetition.times - 1]
        return {seen: repetition.result(seen) for seen in often if self.may_come_back(past[-1], [seen])}

    def may_come_back(self, position: P, closing: Iterable[P]) -> bool:
        """Whether a line might lead from `position` back to one of `closing`. Only the answer False is certain."""
        repetition, points = self.repetition, self.game.play.points
        if repetition is None:
            return False
        open_ones = closing if points is None else [seen for seen in closing if points(seen) == points(position)]
        return any(repetition.leads_back(position, seen) for seen in open_ones)

    def find_endless_result(self, position: P) -> Result | None:
        """Return how a game ends that goes round in circles through this position, or `None` if no rule says so."""
        return None if self.repetition is None else self.repetition.result(position)


def find_house_rule(game: Game[P, M], rule_id: str) -> HouseRule | None:
    """Return the game's house rule with this id, or `None` for an empty id. Raises BadNotation for an unknown id."""
    if not rule_id:
        return None
    for rule in game.play.house_rules:
        if rule.id == rule_id:
            return rule
    known = [rule.id for rule in game.play.house_rules]
    choice = f"; choose from {', '.join(known)}{did_you_mean(rule_id, known)}" if known else ""
    raise BadNotation(f"{game.facts.title} has no house rule '{rule_id}'{choice}")


@dataclass(eq=False)
class Node(Generic[P, M]):
    """A position in the tree of a game, and the move that led to it.

    `to_move` is the side that moves here, or `None` if both move at once. `result` is how the game has ended here by
    the rules, by repetition or by the house rule, or `None`. `values` are what the moves here are worth, or `None` if
    that is not known.

    `move` is the move that led here, `text` the same in notation, and `choices` what each seat chose. There are two
    choices after a simultaneous round. `number` is the number of the move, starting at 1. All moves that a side makes
    in a row have the same number. `is_second` says whether the second player made the move.

    `judgements` belong to the move into this node, by the seat that made it. After a simultaneous round there are two.
    `attempts` belong to the first move that each seat tried *from* this position, whether it was played or taken back.
    `hinted` are the seats that saw the best moves here before they decided. `comment` and `symbols` come from records:
    `symbols` are those after the move that are no judgements of ours, such as `!? $10`. `players_at_move` are the
    players when the move was made, or `None` if unknown, as in a game read from a record.
    """

    id: int
    position: P
    to_move: Seat | None = None
    result: Result | None = None
    values: AnyAnalysis | Mixed | None = None
    parent: Node[P, M] | None = None
    move: M | None = None
    ply: int = 0
    text: str = ""
    choices: Mapping[Seat, Move] = field(default_factory=dict)
    number: int = 0
    is_second: bool = False
    children: list[Node[P, M]] = field(default_factory=list)
    judgements: dict[Seat, Judgement] = field(default_factory=dict)
    attempts: dict[Seat, Judgement] = field(default_factory=dict)
    hinted: set[Seat] = field(default_factory=set)
    comment: str = ""
    symbols: str = ""
    players_at_move: Players | None = None

    def path(self) -> list[Node[P, M]]:
        """Return the nodes from the root to this one, including both."""
        path = [self]
        while (parent := path[-1].parent) is not None:
            path.append(parent)
        return path[::-1]

    def positions(self) -> list[P]:
        """Return the positions from the root to this one, including both."""
        return [node.position for node in self.path()]

    def main_child(self) -> Node[P, M] | None:
        """Return the next node of the main line, or `None` at the end of a branch."""
        return self.children[0] if self.children else None

    def end(self) -> Node[P, M]:
        """Return the last node of the main line from here."""
        node = self
        while (child := node.main_child()) is not None:
            node = child
        return node

    def is_by_person(self, seat: Seat) -> bool | None:
        """Whether a person played `seat` when the move was made, or `None` if that is not known."""
        return None if self.players_at_move is None else self.players_at_move[seat].is_human

    def worst_judgement(self) -> Judgement | None:
        """Return the judgement to show for this move in lists: the worse of the two if both seats moved."""
        return max(self.judgements.values(), key=attrgetter("grade.gravity"), default=None)


AnyNode: TypeAlias = Node[Any, Any]


def number_next_move(number: int, was_second: bool, seat: Seat | None) -> tuple[int, bool]:
    """Return the number of a move, and whether it is the second player's. `number` and `was_second` are those of the
    move before, or 0 and False at the start. `seat` makes the move, or `None` if both move at once."""
    if seat is None:
        return number + 1, False
    is_second = seat == 1
    return (number or 1) + (was_second and not is_second), is_second


class GameTree(Generic[P, M]):
    """The tree of one game, from its starting position. Nodes are numbered in the order in which they were added.

    `here` is the current position. The path to it is the game, and all other nodes were only tried. `agreed` is a
    resignation or agreed draw that ended the game there. `result` is how the game has ended, or `None` while it goes
    on. `tried` are nodes that a `branch` has added. They have the numbers -1, -2, ... and do not belong to the game.
    """

    def __init__(self, game: Game[P, M], start: P | None = None, house_rule: HouseRule | None = None) -> None:
        self.game = game
        self.house_rule = house_rule
        self.conventions = Conventions(game, house_rule)
        position = game.default_start() if start is None else start
        self.root: Node[P, M] = Node(0, position, game.rules.to_move(position), self.conventions.result([position]))
        self.is_branch = False
        self.tried: list[Node[P, M]] = []
        self.nodes: list[Node[P, M]] = [self.root]
        self.go_to(self.root)
        self._allowed: dict[int, tuple[M, ...]] = {}

    def result_at(self, node: Node[P, M]) -> Result | None:
        """Return how the game has ended at `node`, or `None`. Agreements count only at the current position."""
        return self.result if node is self.here else node.result

    def view(self, node: Node[P, M], **overrides: Any) -> View[P, M]:
        path = node.path()
        positions, moves = tuple(step.position for step in path), tuple(step.move for step in path[1:])
        return View(positions, cast("tuple[M, ...]", moves), is_over=self.result_at(node) is not None, **overrides)

    def list_allowed(self, node: Node[P, M]) -> tuple[M, ...]:
        """Return the moves that may be played from `node`. There are none if the game has ended there."""
        if node.result is not None:
            return ()
        if node.id not in self._allowed:
            self._allowed[node.id] = self.conventions.list_allowed(node.positions())
        return self._allowed[node.id]

    def add(self, parent: Node[P, M], move: M) -> Node[P, M]:
        """Return the node after `move`. If it is new, it is the last variation. Raises GameOver or IllegalMove."""
        for child in parent.children:
            if child.move == move and (self.is_branch or child.id >= 0):
                return child
        if parent.result is not None:
            raise GameOver("the game is over")
        position = self.game.rules.play(parent.position, move)
        if self.house_rule is not None and move not in self.list_allowed(parent):
            raise IllegalMove(FORBIDDEN.format(self.house_rule.title))
        past = [*parent.positions(), position]
        number, added_to = (-1 - len(self.tried), self.tried) if self.is_branch else (len(self.nodes), self.nodes)
        mover, result = self.game.rules.to_move(position), self.conventions.result(past)
        child = Node(number, position, mover, result, None, parent, move, parent.ply + 1)
        child.text = self.game.notation.format_move(parent.position, move)
        child.choices = dict(enumerate(cast("Any", move)) if parent.to_move is None else [(parent.to_move, move)])
        child.number, child.is_second = number_next_move(parent.number, parent.is_second, parent.to_move)
        parent.children.append(child)
        added_to.append(child)
        return child

    def branch(self, node: Node[P, M]) -> GameTree[P, M]:
        """Return a line at `node` of the same tree, for trying moves off the main line. `forget_tried` removes them."""
        branch = copy(self)
        branch.is_branch = True
        branch.go_to(node)
        return branch

    def forget_tried(self) -> None:
        for node in self.tried:
            if node.parent is not None and node in node.parent.children:
                node.parent.children.remove(node)

    def go_to(self, node: Node[P, M], agreed: Result | None = None) -> None:
        """Make `node` the current position. Except in a branch, the moves to it become the main line. If `agreed` is
        given, the game ends there with this result."""
        self.here, self.agreed, self.result = node, agreed, agreed or node.result
        for step in () if self.is_branch else node.path():
            if step.parent is not None and step.parent.children[0] is not step:
                step.parent.children.remove(step)
                step.parent.children.insert(0, step)


AnyTree: TypeAlias = GameTree[Any, Any]
