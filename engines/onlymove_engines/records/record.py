"""Writes and reads games as text in the style of PGN.

A record that was written reads back as the same line, including judgements. If the rules reject a record, the error
names the line number and the move, and nothing of the text is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove, OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.play.line import AnyLine, AnyNode, Line, find_house_rule, number_move_after
from onlymove_engines.records.judgements import format_annotation, format_glyph, interpret, parse_annotation

WIDTH = 80
OPEN = "*"
MARKS = {"1-0": 0, "0-1": 1, "1/2-1/2": None}


@dataclass
class Record:
    """A game to write or read, up to the line's current position. `tags` are those that do not follow from the line:
    players, the date, and tags that other programs wrote."""

    line: AnyLine
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def game(self) -> AnyGame:
        return self.line.game


def format_record(record: Record) -> str:
    """Return the record as text that ends with a line break."""
    return format_text(list_tags(record), record.line.root, record.line.here)


def format_text(tags: Mapping[str, str], root: AnyNode, here: AnyNode) -> str:
    """Write tags and the moves from `root` to `here` as a record that ends with a line break. `tags` must include the
    result."""
    head = "".join(f"[{name} {quote(text)}]\n" for name, text in tags.items())
    atoms: list[str] = []
    for part in (*format_comment(root, here), *format_moves(root, here), tags["Result"]):
        # Brackets stay with their words.
        if atoms and (part == ")" or atoms[-1].endswith("(")):
            atoms[-1] += part
        else:
            atoms.append(part)
    body = "\n".join(fill_lines(atoms, WIDTH))
    return f"{head}\n{body}\n"


def list_tags(record: Record) -> dict[str, str]:
    """Return every tag in order: the game, the given ones, and those that follow from the line."""
    game, root = record.game, record.line.root
    result = record.line.result
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


def quote(text: str) -> str:
    flat = " ".join(text.split("\n"))
    return '"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"'


def format_moves(node: AnyNode, here: AnyNode | None, is_numbered: bool = True) -> Iterator[str]:
    """Yield the moves after `node`, one word or comment at a time. Each main move is followed by the other moves there
    as variations. The text ends at the current position `here`, if there is one."""
    while node.children and node is not here:
        main, *others = node.children
        yield from format_move(main, here, is_numbered)
        for other in others:
            yield "("
            yield from format_move(other, here, True)
            yield from format_moves(other, here, any(format_comment(other, here)))
            yield ")"
        # After a comment or a variation, the next move needs its number again.
        is_numbered = any(format_comment(main, here)) or bool(others)
        node = main


def format_move(node: AnyNode, here: AnyNode | None, is_numbered: bool) -> Iterator[str]:
    """Yield one move, with its number if needed, its glyph and its comment."""
    assert node.parent is not None, "the root has no move"
    if node.parent.to_move is None or not node.is_second:
        yield f"{node.number}."
    elif is_numbered:
        yield f"{node.number}..."
    yield node.text + format_glyph(node)
    yield from format_comment(node, here)


def format_comment(node: AnyNode, here: AnyNode | None) -> Iterator[str]:
    """Yield the comment after a move, if there is one. Moves that were taken back at the current position are written
    as `[%undone ...]`. They cannot be a variation, because no move was played instead."""
    undone = ""
    if node is here and node.children:
        undone = f"[%undone {escape(' '.join(format_moves(node, None)))}]"
    inside = " ".join(part for part in (format_annotation(node), undone, escape(node.comment)) if part)
    if inside:
        yield "{" + inside + "}"


def escape(text: str) -> str:
    """Escape the braces and brackets of a comment, so that they do not end it."""
    return re.sub(r"([\\{}\[\]])", r"\\\1", text)


def fill_lines(atoms: Iterable[str], width: int) -> list[str]:
    """Wrap words into lines of at most `width` characters. A longer word has its own line."""
    lines = [""]
    for atom in atoms:
        if lines[-1] and len(lines[-1]) + 1 + len(atom) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {atom}" if lines[-1] else atom
    return lines


TOKEN = re.compile(
    r'(?m:^)%[^\n]*|\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{((?:[^}\\]|\\.)*)\}|([()])|([^\s(){}\[\]]+)|(\S)', re.DOTALL
)
NUMBER = re.compile(r"\d+\.+")
UNDONE = re.compile(r"(?<!\\)\[%undone ((?:[^\[\]\\]|\\.)*)\] ?", re.DOTALL)
GLYPH = re.compile(r"(.+?)([!?]{1,2})?")


class BadRecord(BadNotation):
    """A record cannot be read, or the rules reject it. The message names the line and the move."""


def parse_records(
    text: str, load: Callable[[GameId], AnyGame], leave_out: Callable[[str], None] | None = None
) -> list[Record]:
    """Return every record in `text`. If a game cannot be loaded, `leave_out` is called with the reason. Without it, the
    error of `load` is raised. Raises BadRecord."""
    reader = Reader(text, load, leave_out)
    records = []
    while reader.has_more():
        if (record := reader.read_record()) is not None:
            records.append(record)
    return records


class Reader:
    def __init__(
        self, text: str, load: Callable[[GameId], AnyGame], leave_out: Callable[[str], None] | None = None
    ) -> None:
        self.load = load
        self.leave_out = leave_out
        self.text = text
        self.tokens: list[re.Match[str]] = []
        for token in TOKEN.finditer(text):
            # Stop here. Looking for the end of each such comment would take hours in a long file.
            if token[0] == "{":
                raise self.refuse(token, "a comment has no closing bracket")
            # As in PGN, a line that begins with % is meant for other programs and is skipped.
            if token.lastindex is not None:
                self.tokens.append(token)
        self.at = 0
        self.undone = ""

    def has_more(self) -> bool:
        return self.at < len(self.tokens)

    def refuse(self, token: re.Match[str] | None, why: object) -> BadRecord:
        """Return the error at a token, or at the end of the text."""
        end = len(self.text) if token is None else token.start()
        return BadRecord(f"line {self.text.count(chr(10), 0, end) + 1}: {why}")

    def read_record(self) -> Record | None:
        """Return the next record, or `None` for one that is left out. Raises BadRecord."""
        first, tags = self.tokens[self.at], dict[str, str]()
        while self.has_more() and (name := self.tokens[self.at][1]) is not None:
            tags[name] = unescape(self.tokens[self.at][2])
            self.at += 1
        if "Game" not in tags:
            raise self.refuse(first, 'a record must begin with [Game "..."]')
        try:
            game = self.load(tags["Game"])
        except OnlymoveError as refusal:
            if self.leave_out is None:
                raise
            self.leave_out(str(self.refuse(first, refusal)))
            while self.has_more() and self.tokens[self.at][1] is None:
                self.at += 1
            return None
        try:
            start = game.notation.parse_position(tags["Position"]) if "Position" in tags else game.default_start()
        except BadNotation as refusal:
            raise self.refuse(first, f"Position: {refusal}") from refusal
        try:
            house_rule = find_house_rule(game, tags.get("Rule", ""))
        except BadNotation as refusal:
            raise self.refuse(first, refusal) from refusal
        own = {name: text for name, text in tags.items() if name not in DERIVED}
        record = Record(Line(game, start, house_rule), own)
        mark = self.read_moves(record, record.line.root)
        record.line.go_to(record.line.root.end())
        self.close(record, tags, mark, first)
        if self.undone:
            Reader(self.undone, self.load).read_moves(record, record.line.here)
            self.undone = ""
        return record

    def read_moves(self, record: Record, node: AnyNode) -> str:
        """Read moves into the record's line, from `node` on. Return the result mark. Raises BadRecord."""
        forks: list[AnyNode] = []
        while self.has_more():
            token = self.tokens[self.at]
            _, _, note, bracket, word, _ = token.groups()
            if token[1] is not None:
                break
            self.at += 1
            if note is not None:
                # Moves that were taken back are read once the current position is known.
                for undone in UNDONE.finditer(note):
                    self.undone = unescape(undone[1])
                comment = unescape(parse_annotation(node, UNDONE.sub("", note)))
                node.comment = " ".join(text for text in (node.comment, comment) if text)
            elif bracket == "(" and node.parent is not None:
                forks.append(node)
                node = node.parent
            elif bracket == ")" and forks:
                node = forks.pop()
            elif word in (OPEN, *MARKS) and not forks:
                return word
            elif word is not None and word not in (OPEN, *MARKS):
                node = self.read_word(record, node, word, token)
            else:
                raise self.refuse(token, f"'{token[0]}' does not belong here")
        if forks:
            raise self.refuse(None, "a variation has no closing bracket")
        return OPEN

    def read_word(self, record: Record, node: AnyNode, word: str, token: re.Match[str]) -> AnyNode:
        """Return the node after a move, perhaps with a number before it or a glyph after it, or after a number."""
        rest = NUMBER.sub("", word, count=1) if NUMBER.match(word) else word
        if not rest or rest.startswith("$"):
            return node
        found = GLYPH.fullmatch(rest)
        assert found is not None, "the pattern fits every word"
        text, glyph = found[1], found[2] or ""
        try:
            if node.result is not None:
                raise GameOver("the game is over")
            child = record.line.add(node, record.game.notation.parse_move(node.position, text))
        except (BadNotation, IllegalMove) as refusal:
            number, is_second = number_move_after(node.ply, record.line.root.to_move)
            place = f"move {number}{'...' if is_second else '.'} {text}"
            raise self.refuse(token, f"{place}: {refusal}") from refusal
        if node.to_move is not None and (judgement := interpret(glyph, {})) is not None:
            child.judgements[node.to_move] = judgement
        return child

    def close(self, record: Record, tags: Mapping[str, str], mark: str, first: re.Match[str]) -> None:
        """Set how the game ended. Raises BadRecord if the text claims a result that the rules contradict."""
        claimed = tags.get("Result", mark)
        if mark not in (OPEN, claimed):
            raise self.refuse(first, f"the Result tag says {claimed}, but the moves end with {mark}")
        reached = record.line.result
        if reached is not None and claimed not in (OPEN, reached.mark):
            raise self.refuse(first, f"the result should be {reached.mark}, not {claimed}")
        score = None if reached is None or reached.score is None else f"{reached.score[0]}-{reached.score[1]}"
        if score is not None and tags.get("Score", score) != score:
            raise self.refuse(first, f"the score should be {score}, not {tags['Score']}")
        if reached is None and claimed != OPEN:
            if claimed not in MARKS:
                raise self.refuse(first, f"'{claimed}' is not a result")
            record.line.go_to(record.line.here, Result(MARKS[claimed], reason=tags.get("Termination", "")))


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
