"""Games as text, in PGN's shape: the record of a game, and how it is written.

Knows tags, moves, comments, variations and glyphs. How a judgement is spelled is `annotation`'s to know, how text
is read `record_reader`'s; where records are kept is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat
from onlymove_engines.play.line import AnyLine, AnyNode
from onlymove_engines.records.annotation import format_annotation, glyph_of

WIDTH = 80
OPEN = "*"
MARKS = {"1-0": 0, "0-1": 1, "1/2-1/2": None}


@dataclass
class Record:
    """A game to keep: its line and what is known about it.

    The main line leads to where the line stands. `tags` are those beyond the ones that follow from the rest: players,
    date and what other programs wrote.
    """

    line: AnyLine
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def game(self) -> AnyGame:
        """What is played."""
        return self.line.game

    def result(self) -> Result | None:
        """How the game ended, `None` while it is open."""
        return self.line.result


def format_record(record: Record) -> str:
    """The record as text, ending with a line break."""
    line, game = record.line, record.game

    def spell(node: AnyNode) -> str:
        assert node.parent is not None, "the root has no move"
        return game.notation.format_move(node.parent.position, node.move)

    moves = MoveText(line.root, line.here, lambda node: game.rules.to_move(node.position), spell)
    return format_text(all_tags(record), moves)


def format_text(tags: Mapping[str, str], moves: MoveText) -> str:
    """Tags and moves as the text of a record, ending with a line break. The tags have the result."""
    head = "".join(f"[{name} {quoted(text)}]\n" for name, text in tags.items())
    return f"{head}\n{wrapped(chain(moves.words(), [tags['Result']]))}\n"


def all_tags(record: Record) -> dict[str, str]:
    """Every tag in order: the game, the given ones, and those that follow from the line."""
    game, root = record.game, record.line.root
    result = record.result()
    tags = {"Game": game.id, "Date": "????.??.??", "First": "?", "Second": "?"}
    tags |= {name: text for name, text in record.tags.items() if name not in DERIVED}
    tags["Result"] = OPEN if result is None else result.mark
    if root.position != game.default_start():
        tags["Position"] = game.notation.format_position(root.position)
    if record.line.house_rule is not None:
        tags["Rule"] = record.line.house_rule.id
    if result is not None and result.score is not None:
        tags["Score"] = f"{result.score[0]}-{result.score[1]}"
    if record.line.agreed is not None:
        tags["Termination"] = record.line.agreed.reason
    return tags


DERIVED = ("Game", "Result", "Position", "Rule", "Score", "Termination")
"""Tags that follow from the line and its end."""


def quoted(text: str) -> str:
    """A tag's text in quotation marks."""
    flat = " ".join(text.split("\n"))
    return '"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(frozen=True, slots=True)
class MoveText:
    """The text of a game's moves, from `root` to `here`, where the game stands. `to_move` says who moves at a node
    (`None`: both at once), `spell` writes the move that led to a node."""

    root: AnyNode
    here: AnyNode
    to_move: Callable[[AnyNode], Seat | None]
    spell: Callable[[AnyNode], str]

    def words(self) -> Iterator[str]:
        """All of it, a word or a whole comment at a time."""
        yield from self.comment(self.root)
        yield from self.branch(self.root, numbered=True)

    def branch(self, node: AnyNode, numbered: bool, beyond: bool = False) -> Iterator[str]:
        """The moves after `node`: the main one, the others as variations, and so on. Ends where the game stands, unless
        what lies `beyond` is asked for."""
        while node.children and (beyond or node is not self.here):
            main, *others = node.children
            yield from self.move_words(main, numbered)
            for other in others:
                yield "("
                yield from self.move_words(other, True)
                yield from self.branch(other, self.is_annotated(other), beyond)
                yield ")"
            numbered = self.is_annotated(main) or bool(others)
            node = main

    def move_words(self, node: AnyNode, numbered: bool) -> Iterator[str]:
        """One move with its number where it needs one, its glyph and its comment."""
        assert node.parent is not None, "the root has no move"
        seat = self.to_move(node.parent)
        number, is_second = number_after(node.parent.ply, self.to_move(self.root))
        if seat is None or not is_second:
            yield f"{number}."
        elif numbered:
            yield f"{number}..."
        yield self.spell(node) + glyph_of(node)
        yield from self.comment(node)

    def is_annotated(self, node: AnyNode) -> bool:
        """Whether a comment follows the move, so that the next needs its number again."""
        return any(self.comment(node))

    def comment(self, node: AnyNode) -> Iterator[str]:
        """The comment after a move, if there is anything to say.

        What was taken back where the game stands goes into it, as `[%undone ...]`: a variation stands beside a move
        that was played, and there is none yet.
        """
        undone = ""
        if node is self.here and node.children:
            undone = f"[%undone {escaped(' '.join(self.branch(node, numbered=True, beyond=True)))}]"
        inside = " ".join(part for part in (format_annotation(node), undone, escaped(node.comment)) if part)
        if inside:
            yield "{" + inside + "}"


def move_number(game: AnyGame, node: AnyNode) -> tuple[int, bool]:
    """The number of the move from `node`, from 1, and whether it is the second player's."""
    root = next(iter(node.path()))
    return number_after(node.ply, game.rules.to_move(root.position))


def number_after(plies: int, first: Seat | None) -> tuple[int, bool]:
    """The number of the move after so many plies where `first` began (`None`: both move at once), and whether it is
    the second player's."""
    if first is None:
        return plies + 1, False
    return (plies + first) // 2 + 1, (plies + first) % 2 == 1


def escaped(text: str) -> str:
    """A comment's text, so that braces and brackets in it end nothing."""
    return re.sub(r"([\\{}\[\]])", r"\\\1", text)


def wrapped(parts: Iterator[str]) -> str:
    """The words in lines of at most `WIDTH` characters where they can be broken; brackets stay at their words."""
    atoms: list[str] = []
    for part in parts:
        if atoms and (part == ")" or atoms[-1].endswith("(")):
            atoms[-1] += part
        else:
            atoms.append(part)
    return "\n".join(filled(atoms, WIDTH))


def filled(atoms: Iterable[str], width: int) -> list[str]:
    """What cannot be broken in lines of at most `width` characters; what is longer has one to itself."""
    lines = [""]
    for atom in atoms:
        if lines[-1] and len(lines[-1]) + 1 + len(atom) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {atom}" if lines[-1] else atom
    return lines
