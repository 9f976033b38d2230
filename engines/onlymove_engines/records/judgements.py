"""Judgements as text and as JSON.

In records they are words inside comments, `[%command ...]`, before the player's own text.

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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Final

from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Outcome, Seat, Value, proven
from onlymove_engines.play.line import AnyNode

GRADES: Final = {grade.word: grade for grade in Grade}
OUTCOMES: Final = {outcome.letter: outcome for outcome in Outcome}
VALUE: Final = re.compile(r"([WDL])(\d*)([+-]\d+)?")


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
    **dict.fromkeys(("only", "flagged", "estimate", "uncertain"), lambda _: True),
    "slower": int,
    "points_lost": int,
    "regret": float,
    "expected": float,
}


def list_fields(judgement: Judgement) -> Iterable[tuple[str, object]]:
    """Return every field that differs from its default, except the grade."""
    for field in fields(Judgement)[1:]:
        value: object = getattr(judgement, field.name)
        if value != field.default:
            yield field.name, value


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


COMMAND = re.compile(r"(?<!\\)\[%(\w+)([^\[\]]*)\] ?")
KNOWN = {"value", "was", "class", "glyph", "judged", "tried", "hinted"}
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
    comment, which a player wrote. Unknown commands stay in it, so that what other programs wrote is not lost."""
    commands: list[tuple[str, str]] = []

    def take(found: re.Match[str]) -> str:
        if found[1] not in KNOWN:
            return found[0]
        commands.append((found[1], found[2].strip()))
        return ""

    rest = COMMAND.sub(take, note)
    fields_read = {name: text for name, text in commands if name in ("value", "was", "class")}
    seat = None if node.parent is None else node.parent.to_move
    if seat is not None and fields_read:
        stored = node.judgements.get(seat)
        judgement = interpret("" if stored is None else stored.glyph, fields_read)
        if judgement is not None:
            node.judgements[seat] = judgement
    for name, text in commands:
        words = text.split()
        if name == "hinted":
            node.hinted |= {int(word) for word in words if word in ("0", "1")}
        elif name in ("judged", "tried") and words[:1] in (["0"], ["1"]):
            exact = parse_judgement(words[1:])
            if exact is not None:
                (node.judgements if name == "judged" else node.attempts)[int(words[0])] = exact
    return rest
