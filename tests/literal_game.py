"""A game with its whole tree written out, to test judgements, searches and screens without real rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import Game, HouseRule
from onlymove_engines.core.rules import MovePath, Result
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, View


@dataclass(frozen=True)
class Over:
    """A finished position: the winner, or `None` for a draw, and the seat whose turn it would be."""

    winner: int | None
    to_move: int


# Positions in which the game is not over have the seat to move, and where each move leads.
Tree = Mapping[str, tuple[int, Mapping[str, str]] | Over]

#              start (0)
#           a/   |b    \c
#         A(1)  B(1)   drawn
#        x/ \y    \x
#   gift:0  C(0)  lost:1
#             |z
#          mated:0
LITERAL: Tree = {
    "start": (0, {"a": "A", "b": "B", "c": "drawn"}),
    "A": (1, {"x": "gift", "y": "C"}),
    "B": (1, {"x": "lost"}),
    "C": (0, {"z": "mated"}),
    "gift": Over(0, 0),
    "mated": Over(0, 1),
    "lost": Over(1, 0),
    "drawn": Over(None, 1),
}


@dataclass(frozen=True)
class LiteralRules:
    """The rules given by a tree."""

    tree: Tree

    def to_move(self, position: str) -> int:
        node = self.tree[position]
        return node.to_move if isinstance(node, Over) else node[0]

    def legal_moves(self, position: str) -> Sequence[str]:
        node = self.tree[position]
        return () if isinstance(node, Over) else tuple(node[1])

    def play(self, position: str, move: str) -> str:
        node = self.tree[position]
        if isinstance(node, Over):
            raise GameOver("the game is over")
        if move not in node[1]:
            raise IllegalMove(f"{move} is not legal in {position}")
        return node[1][move]

    def result(self, position: str) -> Result | None:
        node = self.tree[position]
        return Result(node.winner) if isinstance(node, Over) else None


@dataclass(frozen=True)
class LiteralNotation:
    """Uses the names of positions and moves as their text."""

    rules: LiteralRules

    def format_position(self, position: str) -> str:
        return position

    def parse_position(self, text: str) -> str:
        if text not in self.rules.tree:
            raise BadNotation(f"no position '{text}'")
        return text

    def format_move(self, position: str, move: str) -> str:
        return move

    def parse_move(self, position: str, text: str) -> str:
        if text not in self.rules.legal_moves(position):
            raise IllegalMove(f"{text} is not legal here")
        return text

    def paths(self, position: str, move: str) -> Sequence[MovePath]:
        return [(move,)]


def forbid_move(forbidden: str) -> HouseRule:
    """Return a house rule that forbids one move."""
    return HouseRule("forbidding", "one move less", lambda _, __, moves: [move for move in moves if move != forbidden])


class LiteralPainter:
    """Draws the name of the position, and a place for each letter that can be a move."""

    def scene(self, view: View[str, str]) -> Scene:
        sprites = (Sprite(0, 0, (f"{view.position:8}",), Role.FIRST),)
        letters = "abcxyz"
        places = tuple(Place(letter, 4 * i + 1, 2, 3, 1) for i, letter in enumerate(letters))
        labels = tuple(Sprite(4 * i + 2, 2, (letter,), Role.LABEL) for i, letter in enumerate(letters))
        return Scene(26, 4, sprites + labels, places)

    def between(self, view: View[str, str]) -> tuple[Scene, ...]:
        return ()

    def trace(self, position: str, move: str) -> tuple[str, ...]:
        return (move,)


def literal_game(tree: Tree = LITERAL, start: str = "start") -> Game[str, str]:
    rules = LiteralRules(tree)
    return Game(
        facts=Facts(
            id="literal",
            title="Literal",
            pitch="A tree in a test.",
            solved="by hand",
            max_plies=4,
        ),
        seats=("First", "Second"),
        rules=rules,
        notation=LiteralNotation(rules),
        painter=LiteralPainter(),
        start=lambda options, seed: start,
    )
