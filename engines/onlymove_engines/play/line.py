"""A game as a tree: what was played, what was tried, and what was thought of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic

from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Seat


@dataclass(eq=False)
class Node(Generic[P, M]):
    """A position in the line and the move that led to it.

    `judgements` are those of that move, by the seat that made it (both seats in a simultaneous round).
    `attempts` are the first moves judged *from* this position, kept or taken back: a retried decision counts by
    its first attempt. `hinted` are the seats that were shown the best moves here before they decided.
    """

    id: int
    position: P
    parent: Node[P, M] | None = None
    move: M | None = None
    children: list[Node[P, M]] = field(default_factory=list)
    judgements: dict[Seat, Judgement] = field(default_factory=dict)
    attempts: dict[Seat, Judgement] = field(default_factory=dict)
    hinted: set[Seat] = field(default_factory=set)
    comment: str = ""

    @property
    def ply(self) -> int:
        """The number of moves (rounds) from the root."""
        return sum(1 for _ in self.lineage()) - 1

    def lineage(self) -> Iterator[Node[P, M]]:
        """This node, its parent and so on up to the root."""
        node: Node[P, M] | None = self
        while node is not None:
            yield node
            node = node.parent

    def path(self) -> list[Node[P, M]]:
        """The nodes from the root to this one, both included."""
        return list(self.lineage())[::-1]

    def main_child(self) -> Node[P, M] | None:
        """The continuation that was played first, or `None` at the end of a branch."""
        return self.children[0] if self.children else None

    def end(self) -> Node[P, M]:
        """The last node of the main continuation from here."""
        node = self
        while (child := node.main_child()) is not None:
            node = child
        return node

    def worst_judgement(self) -> Judgement | None:
        """The judgement that a list or strip shows for this move: the gravest of its seats'."""
        return max(self.judgements.values(), key=lambda judgement: judgement.grade.gravity, default=None)


class Line(Generic[P, M]):
    """The tree of one game, from its starting position. Nodes are numbered in the order they were added."""

    def __init__(self, start: P) -> None:
        self.root: Node[P, M] = Node(0, start)
        self._nodes: list[Node[P, M]] = [self.root]

    def add(self, parent: Node[P, M], move: M, position: P) -> Node[P, M]:
        """The node after `move`: the one that is there already, or a new last variation."""
        for child in parent.children:
            if child.move == move:
                return child
        child = Node(len(self._nodes), position, parent, move)
        parent.children.append(child)
        self._nodes.append(child)
        return child

    def node(self, node_id: int) -> Node[P, M]:
        """The node with this number. Raises IndexError."""
        return self._nodes[node_id]

    def promote(self, node: Node[P, M]) -> None:
        """Make the branch that leads to `node` the main continuation at every fork."""
        for step in node.lineage():
            if step.parent is not None:
                step.parent.children.remove(step)
                step.parent.children.insert(0, step)

    def __len__(self) -> int:
        return len(self._nodes)
