"""Writes and reads games as text in the style of PGN, and judgements also as JSON.

A record that was written reads back as the same line, including judgements. If the rules reject a record, the error
names the line number and the move, and nothing of the text is used.

In records, judgements are words inside comments, `[%command ...]`, before the player's own text.

Two commands are for other programs. `[%value W5]` is the value after the move, seen by the side that played it.
`[%class best]` is the grade, if no glyph shows it. After a simultaneous round, `[%glyph ...]`, `[%class ...]` and
`[%value ...]` list both seats' entries, the first player's first, with `-` for a missing one.

The others restore judgements exactly. `[%was W5]` is the value before the move. `[%judged SEAT ...]` is a whole
judgement, such as `best before=W5 after=W4 only`, if the other commands are not enough. `[%tried SEAT ...]` is a first
attempt that was taken back. `[%hinted SEAT ...]` lists the seats that had seen the best moves.

In the store they are JSON: `{"grade": "best", "before": [1, 5, null], ...}` with values as `[outcome, remoteness,
margin]`. Fields with their default value are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove, OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.text import clean_line, clean_lines, skip_mark
from onlymove_engines.core.value import Outcome, Seat, Value, proven
from onlymove_engines.core.words import fill_lines
from onlymove_engines.play.tree import AnyNode, AnyTree, GameTree, find_house_rule, number_next_move
from onlymove_engines.play.typed import read_exactly, read_position

WIDTH = 80
OPEN = "*"
MARKS = {"1-0": 0, "0-1": 1, "1/2-1/2": None}

MAX_TEXT_BYTES = 64 << 20
"""The most bytes of a text with records. This is room for about 100,000 games."""
MAX_RECORD_LENGTH = 1 << 20
"""The most characters of a record. With every judgement and try written out, a move takes about 200."""
MAX_TAG_LENGTH = 10_000
"""The most characters of a tag. The longest tag of ours names the command lines of two programs."""
MAX_MOVES = 5000
"""The most moves of a record, with all variations. Each position is compared with all earlier ones of its game, so the
time to read a game grows with the square of its length."""
MAX_NESTED = 100
"""How deep variations may be nested in each other."""


@dataclass
class Record:
    """A game to write or read, up to the line's current position. `tags` are those that do not follow from the line:
    players, the date, and tags that other programs wrote."""

    tree: AnyTree
    tags: dict[str, str] = field(default_factory=dict)
    is_cut: bool = False
    """Whether the moves of a record that was read end without a result mark, as if the text had been cut."""

    @property
    def game(self) -> AnyGame:
        return self.tree.game


def format_record(record: Record) -> str:
    """Return the record as text that ends with a line break."""
    return format_text(list_tags(record), record.tree.root, record.tree.here)


def format_text(tags: Mapping[str, str], root: AnyNode, here: AnyNode) -> str:
    """Write tags and the moves from `root` to `here` as a record that ends with a line break. `tags` must include the
    result."""
    head = "".join(f"[{name} {quote(text)}]\n" for name, text in tags.items())
    atoms: list[str] = []
    for part in (*format_symbols(root), *format_comment(root, here), *format_moves(root, here), tags["Result"]):
        # Brackets stay with their words.
        if atoms and (part == ")" or atoms[-1].endswith("(")):
            atoms[-1] += part
        else:
            atoms.append(part)
    body = "\n".join(fill_lines(atoms, WIDTH))
    return f"{head}\n{body}\n"


def list_tags(record: Record) -> dict[str, str]:
    """Return every tag in order: the game, the given ones, and those that follow from the line."""
    game, root = record.game, record.tree.root
    result = record.tree.result
    tags = {"Game": game.id, "Date": "????.??.??", "First": "?", "Second": "?"}
    tags |= {name: text for name, text in record.tags.items() if name not in DERIVED}
    tags["Result"] = OPEN if result is None else result.mark
    if root.position != game.default_start():
        tags["Position"] = game.notation.format_position(root.position)
    if record.tree.house_rule is not None:
        tags["Rule"] = record.tree.house_rule.id
    if result is not None and result.score is not None:
        tags["Score"] = f"{result.score[0]}-{result.score[1]}"
    if record.tree.agreed is not None:
        tags["Termination"] = record.tree.agreed.reason
    return tags


DERIVED = ("Game", "Result", "Position", "Rule", "Score", "Termination")
"""Tags that follow from the line and its end."""


def quote(text: str) -> str:
    return '"' + clean_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


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
    """Yield one move, with its number if needed, its glyph and its comment. A side that moves again has its number
    again, so that a move without a number is always the second player's reply."""
    assert node.parent is not None, "the root has no move"
    if node.parent.to_move is None or not node.is_second:
        yield f"{node.number}."
    elif is_numbered or node.parent.is_second:
        yield f"{node.number}..."
    first, *others = format_symbols(node) or [""]
    if first.startswith("$"):
        yield node.text
        yield first
    else:
        yield node.text + first
    yield from others
    yield from format_comment(node, here)


def format_symbols(node: AnyNode) -> list[str]:
    """Return the glyph of a move's judgement and the symbols of other programs. Only the first has no number."""
    glyph = format_glyph(node)
    first, *others = [*filter(None, [glyph]), *node.symbols.split()] or [""]
    return [*filter(None, [first]), *(NUMBERS.get(other, other) for other in others)]


def format_comment(node: AnyNode, here: AnyNode | None) -> Iterator[str]:
    """Yield the comment after a move, if there is one. Moves that were taken back at the current position are written
    as `[%undone ...]`. They cannot be a variation, because no move was played instead."""
    undone = ""
    if node is here and node.children:
        moves = " ".join(format_moves(node, None))
        undone = "[%undone " + re.sub(r"[\\{}\[\]]", r"\\\g<0>", moves) + "]"
    inside = " ".join(part for part in (format_annotation(node), undone, escape(node.comment)) if part)
    if inside:
        yield "{" + inside + "}"


TAG_NAME: Final = r"[\w.+#=:-]+"
"""What the name of a tag may be: letters and digits, and the signs that PGN allows in a symbol."""
TAG: Final = rf'\[\s*({TAG_NAME}+)\s*"((?:[^"\\]++|\\.)*+)"\s*\]'
"""A tag: its name, and its text as it is written. The bracket of a tag in a comment has a backslash before it."""
TOKEN = re.compile(
    rf"(?m:^)%[^\n]*|{TAG}|\{{((?:[^}}\\]++|\\.)*+)\}}|;([^\n]*)|([()])|([^\s(){{}}\[\];]+)|(\S)", re.DOTALL
)
NUMBER = re.compile(r"\d+\.+|\.+")
UNDONE = re.compile(r"(?<!\\)\[%undone ((?:[^\[\]\\]++|\\.)*+)\] ?", re.DOTALL)
GLYPH = re.compile(r"(.*?)([!?]{1,2})?")
NUMBERS: Final = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
"""The numbers that PGN has for the symbols after a move."""

KNOWN = ("value", "was", "class", "glyph", "judged", "tried", "hinted")
"""Our commands, besides `undone`. Those of other programs are a part of the comment."""
MEANS_MORE: Final = re.compile(
    rf'[{{}}]|\\(?=[\\{{}}\[\]"]|\Z)|\[(?=%(?:undone|{"|".join(KNOWN)})\b|\s*{TAG_NAME}\s*")'
)
"""The characters of a comment that would end it, or would be read as a command of ours, a tag or an escape."""


def escape(text: str) -> str:
    """Clean a comment and write a backslash before each character that would mean more than itself. Commands of other
    programs, such as `[%clk 0:01:00]`, stay as they are."""
    return MEANS_MORE.sub(r"\\\g<0>", clean_line(text))


def unescape(text: str) -> str:
    """Read what `escape` or `quote` wrote. Other backslashes stay."""
    return re.sub(r'\\(["\\{}\[\]])', r"\1", text)


class BadRecord(BadNotation):
    """A record cannot be read, or the rules reject it. The message names the line and the move."""


def parse_records(
    text: str, load: Callable[[GameId], AnyGame], leave_out: Callable[[str], None] | None = None
) -> list[Record]:
    """Return every record in `text` (see `read_records`)."""
    return list(read_records(text, load, leave_out))


def read_records(
    text: str,
    load: Callable[[GameId], AnyGame],
    leave_out: Callable[[str], None] | None = None,
    report: Callable[[float], object] | None = None,
) -> Iterator[Record]:
    """Yield every record in `text`, which is cleaned first. If a game cannot be loaded, `leave_out` is called with the
    reason. Without it, the error of `load` is raised. `report` is called with the share of the text that is read.
    Raises BadRecord."""
    reader = Reader(clean_lines(skip_mark(text)), load, leave_out)
    while reader.ahead is not None:
        if report is not None:
            report(reader.ahead.start() / len(reader.text))
        if (record := reader.read_record()) is not None:
            yield record


class Reader:
    """Reads records one after another. `ahead` is the next token, or `None` at the end of the text."""

    def __init__(
        self, text: str, load: Callable[[GameId], AnyGame], leave_out: Callable[[str], None] | None = None
    ) -> None:
        self.load = load
        self.leave_out = leave_out
        self.text = text
        self.undone = ""
        self._comments: dict[AnyNode, list[str]] = {}
        """The comments of the current record so far."""
        self._asked: tuple[AnyNode, bool] | None = None
        """What `has_numbers` found last."""
        self._tokens = TOKEN.finditer(text)
        self._begin = 0
        """Where the current record begins."""
        self._counted, self._line = 0, 1
        """A place in the text, and the number of its line."""
        self.ahead = self._find_token()

    def _find_token(self) -> re.Match[str] | None:
        """Return the next token. Raises BadRecord."""
        for token in self._tokens:
            # Stop here. Looking for the end of each such comment would take hours in a long file.
            if token[0] == "{":
                raise self.refuse(token, "a comment has no closing bracket")
            # As in PGN, a line that begins with % is meant for other programs and is skipped.
            if token.lastindex is not None:
                return token
        return None

    def take(self) -> re.Match[str]:
        """Return the token ahead and go on to the next. Raises BadRecord if the record is too long."""
        token = self.ahead
        assert token is not None, "the caller has looked"
        if token[1] is not None and len(token[2]) > MAX_TAG_LENGTH:
            raise self.refuse(token, f"the tag {token[1][:20]} has more than {MAX_TAG_LENGTH:,} characters")
        if token.end() - self._begin > MAX_RECORD_LENGTH:
            raise self.refuse(token, f"the record has more than {MAX_RECORD_LENGTH:,} characters")
        self.ahead = self._find_token()
        return token

    def refuse(self, token: re.Match[str] | None, why: object) -> BadRecord:
        """Return the error at a token, or at the end of the text."""
        place = len(self.text) if token is None else token.start()
        if place < self._counted:
            self._counted, self._line = 0, 1
        self._line += self.text.count("\n", self._counted, place)
        self._counted = place
        return BadRecord(f"line {self._line}: {why}")

    def read_record(self) -> Record | None:
        """Return the next record, or `None` for one that is left out. Raises BadRecord."""
        first, tags, places = self.ahead, dict[str, str](), dict[str, re.Match[str]]()
        assert first is not None, "the caller has looked"
        self._begin = first.start()
        comments: list[re.Match[str]] = []
        while (token := self.ahead) is not None and (token[1] is not None or is_comment(token)):
            self.take()
            if token[1] is None:
                comments.append(token)
                continue
            name, text = token[1], clean_line(unescape(token[2]))
            if tags.setdefault(name, text) != text:
                raise self.refuse(token, f"there is another tag {name} with a different text")
            places[name] = token
        if "Game" not in tags:
            raise self.refuse(first, 'a record must begin with [Game "..."]')
        try:
            game = self.load(tags["Game"])
        except OnlymoveError as refusal:
            if self.leave_out is None:
                raise
            self.leave_out(str(self.refuse(places["Game"], refusal)))
            while self.ahead is not None and self.ahead[1] is None:
                self.take()
            return None
        try:
            start = read_position(game, tags["Position"]) if "Position" in tags else game.default_start()
        except BadNotation as refusal:
            raise self.refuse(places["Position"], f"Position: {refusal}") from refusal
        try:
            house_rule = find_house_rule(game, tags.get("Rule", ""))
        except BadNotation as refusal:
            raise self.refuse(places["Rule"], refusal) from refusal
        own = {name: text for name, text in tags.items() if name not in DERIVED}
        record = Record(GameTree(game, start, house_rule), own)
        root = record.tree.root
        for comment in comments:
            self.read_comment(root, comment)
        ending = self.read_moves(record, root)
        record.is_cut = ending is None
        record.tree.go_to(root.end())
        while self.ahead is not None and is_comment(self.ahead):
            self.read_comment(record.tree.here, self.take())
        self.close(record, tags, places, ending)
        self.join_comments()
        if self.undone:
            undone = Reader(self.undone, self.load)
            undone.read_moves(record, record.tree.here)
            undone.join_comments()
            self.undone = ""
        return record

    def read_comment(self, node: AnyNode, token: re.Match[str]) -> None:
        """Read a comment at a node. What they say is put together at the end of the record."""
        if token[4] is not None:
            text = token[4].strip()
        else:
            # Moves that were taken back are read once the current position is known.
            for undone in UNDONE.finditer(token[3]):
                self.undone = unescape(undone[1])
            text = unescape(parse_annotation(node, UNDONE.sub("", token[3])))
        self._comments.setdefault(node, []).append(clean_line(text))

    def join_comments(self) -> None:
        for node, texts in self._comments.items():
            node.comment = " ".join(filter(None, texts))
        self._comments.clear()

    def read_moves(self, record: Record, node: AnyNode) -> re.Match[str] | None:
        """Read moves into the record's line, from `node` on. Return the result mark, or `None` if there is none. Raises
        BadRecord."""
        forks: list[AnyNode] = []
        while self.ahead is not None and self.ahead[1] is None:
            token = self.take()
            bracket, word = token.group(5, 6)
            if is_comment(token):
                self.read_comment(node, token)
            elif bracket == "(" and node.parent is not None:
                if len(forks) == MAX_NESTED:
                    raise self.refuse(token, f"more than {MAX_NESTED} variations are nested in each other")
                forks.append(node)
                node = node.parent
            elif bracket == ")" and forks:
                node = forks.pop()
            elif word in (OPEN, *MARKS) and not forks:
                return token
            elif word is not None and word not in (OPEN, *MARKS):
                node = self.read_word(record, node, word, token)
                if len(record.tree.nodes) > MAX_MOVES + 1:
                    raise self.refuse(token, f"the record has more than {MAX_MOVES:,} moves")
            else:
                expected = '. A tag is written [Name "text"]' if token[0] == "[" else ""
                raise self.refuse(token, f"'{token[0]}' does not belong here{expected}")
        if forks:
            raise self.refuse(None, "a variation has no closing bracket")
        return None

    def has_numbers(self, game: AnyGame, node: AnyNode) -> bool:
        """Whether a move from a node is written in digits."""
        if self._asked is None or self._asked[0] is not node:
            moves = game.rules.legal_moves(node.position)
            found = any(game.notation.format_move(node.position, move).isdecimal() for move in moves)
            self._asked = node, found
        return self._asked[1]

    def read_word(self, record: Record, node: AnyNode, word: str, token: re.Match[str]) -> AnyNode:
        """Return the node after a move, perhaps with a number before it or a glyph after it, or after a number or a
        symbol alone."""
        rest = NUMBER.sub("", word, count=1)
        # The number of a move may lack its dot, unless the moves of the game are numbers.
        if not rest or (rest.isdecimal() and not self.has_numbers(record.game, node)):
            return node
        if re.fullmatch(r"\$\d+", rest):
            node.symbols = f"{node.symbols} {rest}".strip()
            return node
        found = GLYPH.fullmatch(rest)
        assert found is not None, "the pattern fits every word"
        text, glyph = found[1], found[2] or ""
        if text:
            try:
                if node.result is not None:
                    raise GameOver("the game is over")
                move = read_exactly(record.game, node.position, text)
            except (BadNotation, IllegalMove) as refusal:
                number, is_second = number_next_move(node.number, node.is_second, node.to_move)
                place = f"move {number}{'...' if is_second else '.'} {text}"
                raise self.refuse(token, f"{place}: {refusal}") from refusal
            node = record.tree.add(node, move)
        if glyph:
            add_glyph(node, glyph)
        return node

    def close(
        self, record: Record, tags: Mapping[str, str], places: Mapping[str, re.Match[str]], ending: re.Match[str] | None
    ) -> None:
        """Set how the game ended. Raises BadRecord if the text claims a result that the rules contradict. `places` are
        the tokens of the tags, and `ending` that of the result mark."""
        claimed, place = tags.get("Result", OPEN), places.get("Result")
        if ending is not None and place is None:
            claimed, place = ending[0], ending
        if claimed not in (OPEN, *MARKS):
            raise self.refuse(place, f"'{claimed}' is not a result: write {', '.join(MARKS)} or {OPEN}")
        if ending is not None and ending[0] not in (OPEN, claimed):
            raise self.refuse(place, f"the Result tag says {claimed}, but the moves end with {ending[0]}")
        reached = record.tree.result
        if reached is not None and claimed not in (OPEN, reached.mark):
            raise self.refuse(place, f"the result should be {reached.mark}, not {claimed}")
        score = None if reached is None or reached.score is None else f"{reached.score[0]}-{reached.score[1]}"
        if score is not None and tags.get("Score", score) != score:
            raise self.refuse(places["Score"], f"the score should be {score}, not {tags['Score']}")
        if reached is None and claimed != OPEN:
            record.tree.go_to(record.tree.here, Result(MARKS[claimed], reason=tags.get("Termination", "")))


def is_comment(token: re.Match[str]) -> bool:
    return token[3] is not None or token[4] is not None


def add_glyph(node: AnyNode, glyph: str) -> None:
    """Judge the move into a node by its glyph. One that is no judgement is kept as a symbol."""
    before = node.parent
    seat = None if before is None else before.to_move
    judgement = interpret(glyph, {})
    if seat is not None and judgement is not None and not node.judgements:
        node.judgements[seat] = judgement
        return
    is_judging = before is None or (seat is not None and judgement is not None)
    node.symbols = f"{node.symbols} {NUMBERS[glyph] if is_judging else glyph}".strip()


# Judgements.


GRADES: Final = {grade.word: grade for grade in Grade}
OUTCOMES: Final = {outcome.letter: outcome for outcome in Outcome}
VALUE: Final = re.compile(r"([WDL])(\d{0,9})([+-]\d{1,9})?")


def format_value(value: Value) -> str:
    """Write a value in full, as in `W5`, `D` or `W+4`."""
    margin = "" if value.margin is None else f"{value.margin:+d}"
    return f"{value.outcome.letter}{'' if value.remoteness is None else value.remoteness}{margin}"


def parse_value(text: str) -> Value | None:
    """Read a value that `format_value` wrote. Return `None` for any other text."""
    found = VALUE.fullmatch(text)
    if found is None:
        return None
    letter, remoteness, margin = found.groups()
    return proven(OUTCOMES[letter], int(remoteness) if remoteness else None, int(margin) if margin else None)


FROM_WORDS: Final[Mapping[str, Callable[[str], object]]] = {
    **dict.fromkeys(("before", "after"), parse_value),
    **dict.fromkeys(("only", "flagged", "estimate", "uncertain", "changes_nothing"), lambda _: True),
    "slower": int,
    "points_lost": int,
    "regret": float,
    "expected": float,
}


def list_fields(judgement: Judgement) -> Iterable[tuple[str, object]]:
    """Return every field that differs from its default, except the grade."""
    for each in fields(Judgement)[1:]:
        value: object = getattr(judgement, each.name)
        if value != each.default:
            yield each.name, value


def format_command(command: str, seat: Seat, judgement: Judgement) -> str:
    """Write a command with a whole judgement. A true flag is written as its name alone."""
    words = [judgement.grade.word]
    for name, value in list_fields(judgement):
        text = format_value(value) if isinstance(value, Value) else repr(value)
        words.append(name if value is True else f"{name}={text}")
    return f"[%{command} {seat} {' '.join(words)}]"


def parse_judgement(words: list[str]) -> Judgement | None:
    """Read a judgement that `format_command` wrote. Return `None` for any other words."""
    if not words or words[0] not in GRADES:
        return None
    found: dict[str, object] = {}
    for name, _, text in (each.partition("=") for each in words[1:]):
        try:
            found[name] = FROM_WORDS[name](text)
        except (KeyError, ValueError):
            return None
    return Judgement(GRADES[words[0]], **found)  # type: ignore[arg-type]


def judgements_to_json(judgements: Mapping[Seat, Judgement]) -> str:
    """Write judgements by seat as JSON: `{"0": {"grade": "best", ...}}`."""
    rows: dict[Seat, dict[str, object]] = {}
    for seat, found in sorted(judgements.items()):
        rows[seat] = {"grade": found.grade.word}
        for name, value in list_fields(found):
            parts = (value.outcome, value.remoteness, value.margin) if isinstance(value, Value) else None
            rows[seat][name] = parts or value
    return json.dumps(rows)


def judgements_from_json(text: str) -> dict[Seat, Judgement]:
    """Read what `judgements_to_json` wrote. Raises AttributeError, KeyError, RecursionError, TypeError, ValueError."""

    def read(name: str, found: Any) -> Any:
        if name == "grade":
            return GRADES[found]
        if name in ("before", "after") and isinstance(found, list):
            outcome, remoteness, margin = found
            return proven(Outcome(outcome), remoteness, margin)
        return found

    rows: dict[str, dict[str, Any]] = json.loads(text)
    return {
        int(seat): Judgement(**{name: read(name, found) for name, found in row.items()}) for seat, row in rows.items()
    }


COMMAND = re.compile(r"(?<!\\)\[%(\w++)([^\[\]]*+)\] ?")
OF_MOVE = ("value", "was", "class")
"""The commands that tell the judgement of a move together with its glyph."""
BY_GLYPH = {"!": Grade.BEST, "?!": Grade.INACCURACY, "?": Grade.MISTAKE, "??": Grade.BLUNDER}
FLAGGED = (Grade.MISTAKE, Grade.MISSED_WIN, Grade.BLUNDER)
NONE = "-"


def format_glyph(node: AnyNode) -> str:
    """Return the glyph to write after a move. A simultaneous round has its two glyphs in the comment instead."""
    return "" if is_round(node) else "".join(map(find_glyph, node.judgements.values()))


def find_glyph(judgement: Judgement) -> str:
    """Return the glyph of a judgement in records, which have none for a good move."""
    return "" if judgement.glyph == "." else judgement.glyph


def is_round(node: AnyNode) -> bool:
    """Whether both sides moved at once. Such a move has two judgements, or one with an expected result."""
    return len(node.judgements) > 1 or any(found.expected is not None for found in node.judgements.values())


def format_annotation(node: AnyNode) -> str:
    """Return the commands of one node, without braces. Empty if there is nothing to write."""
    commands: list[str] = []
    if is_round(node):
        commands += round_commands(node.judgements)
        commands += [format_command("judged", seat, judgement) for seat, judgement in sorted(node.judgements.items())]
    else:
        for seat, judgement in node.judgements.items():
            commands += move_commands(seat, judgement)
    after = node.main_child()
    for seat, attempt in sorted(node.attempts.items()):
        if after is None or after.judgements.get(seat) != attempt:
            commands.append(format_command("tried", seat, attempt))
    if node.hinted:
        commands.append(f"[%hinted {' '.join(map(str, sorted(node.hinted)))}]")
    return " ".join(commands)


def move_commands(seat: Seat, judgement: Judgement) -> list[str]:
    """Return the commands for one move, with the whole judgement if values and grade do not determine it."""
    fields_read: dict[str, str] = {}
    if judgement.after is not None:
        fields_read["value"] = str(judgement.after)
    if judgement.before is not None and judgement.before != judgement.after:
        fields_read["was"] = str(judgement.before)
    glyph = find_glyph(judgement)
    if BY_GLYPH.get(glyph) is not judgement.grade:
        fields_read["class"] = judgement.grade.word
    commands = [f"[%{name} {text}]" for name, text in fields_read.items()]
    if interpret(glyph, fields_read) != judgement:
        commands.append(format_command("judged", seat, judgement))
    return commands


def interpret(glyph: str, fields_read: Mapping[str, str]) -> Judgement | None:
    """Return the judgement that a glyph and the commands of a move describe, or `None`."""
    grade = GRADES.get(fields_read.get("class", ""), BY_GLYPH.get(glyph))
    if grade is None:
        return None
    value = parse_value(fields_read.get("value", ""))
    before = parse_value(fields_read["was"]) if "was" in fields_read else value
    return Judgement(grade, before, value, only=glyph == "!", flagged=grade in FLAGGED)


def round_commands(judgements: Mapping[Seat, Judgement]) -> list[str]:
    lists: dict[str, list[str]] = {"glyph": [], "class": [], "value": []}
    for side in (judgements.get(seat) for seat in (0, 1)):
        lists["glyph"].append(NONE if side is None else find_glyph(side) or NONE)
        lists["class"].append(NONE if side is None else side.grade.word)
        # From -1 to 1: the value of the position minus what the move gave away.
        after = None if side is None or side.expected is None else side.expected - 2 * side.regret
        lists["value"].append(NONE if after is None else f"{after:z.3f}")
    return [f"[%{name} {','.join(texts)}]" for name, texts in lists.items() if set(texts) != {NONE}]


def parse_annotation(node: AnyNode, note: str) -> str:
    """Store the commands of a comment in the node, whose judgement so far is that of its glyph. Return the rest of the
    comment. Commands that we do not understand stay in it, so that what other programs wrote is not lost."""
    commands = [(found[1], found[2].strip()) for found in COMMAND.finditer(note) if found[1] in KNOWN]
    fields_read = {name: text for name, text in commands if name in OF_MOVE}
    taken: set[str] = set()
    seat = None if node.parent is None else node.parent.to_move
    if seat is not None and fields_read:
        stored = node.judgements.get(seat)
        judgement = interpret("" if stored is None else stored.glyph, fields_read)
        if judgement is not None:
            node.judgements[seat] = judgement
            taken.update(OF_MOVE)
    for name, text in commands:
        words = text.split()
        if name == "hinted" and {*words} <= {"0", "1"}:
            node.hinted |= {int(word) for word in words}
            taken.add(name)
        elif name in ("judged", "tried") and words[:1] in (["0"], ["1"]):
            exact = parse_judgement(words[1:])
            if exact is not None:
                (node.judgements if name == "judged" else node.attempts)[int(words[0])] = exact
                # A judgement says all that the commands beside it say.
                taken.update((name,) if name == "tried" else (name, "glyph", *OF_MOVE))
    return COMMAND.sub(lambda found: "" if found[1] in taken else found[0], note)
