"""A judgement as words, in records, and as JSON, in the store. What has its default is left out.

Words: `best before=W5 after=W4 only`; JSON: `{"grade": "best", "before": [1, 5, null], ...}` with values as
`[outcome, remoteness, margin]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Final, TypeAlias

from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Loss, Margin, Outcome, Seat, Value, Win, proven

Plain: TypeAlias = "str | bool | int | float | list[int | None]"
"""A field of a judgement as JSON has it."""

GRADES: Final = {grade.word: grade for grade in Grade}
OUTCOMES: Final = {outcome.letter: outcome for outcome in Outcome}
VALUE: Final = re.compile(r"([WDL])(\d*)([+-]\d+)?")


def format_value(value: Value) -> str:
    """A value in full: `W5`, `D`, `W+4`."""
    margin = "" if value.margin is None else f"{value.margin:+d}"
    return f"{value.outcome.letter}{'' if value.remoteness is None else value.remoteness}{margin}"


def parse_value(text: str) -> Value | None:
    """The value that `format_value` wrote; `None` for anything else."""
    found = VALUE.fullmatch(text)
    if found is None:
        return None
    letter, remoteness, margin = found.groups()
    return proven(OUTCOMES[letter], int(remoteness) if remoteness else None, int(margin) if margin else None)


FROM_WORDS: Final[Mapping[str, Callable[[str], object]]] = {
    "before": parse_value,
    "after": parse_value,
    "only": lambda _: True,
    "flagged": lambda _: True,
    "estimate": lambda _: True,
    "uncertain": lambda _: True,
    "slower": int,
    "points_lost": int,
    "regret": float,
    "expected": float,
}


def said(judgement: Judgement) -> Iterable[tuple[str, object]]:
    """Every field but the class that is not at its default."""
    for field in fields(Judgement)[1:]:
        value: object = getattr(judgement, field.name)
        if value != field.default:
            yield field.name, value


def format_judgement(judgement: Judgement) -> str:
    """A judgement as words."""
    return " ".join([judgement.grade.word, *(word(name, value) for name, value in said(judgement))])


def word(name: str, value: object) -> str:
    """One field: its name alone where it is only true or not."""
    if value is True:
        return name
    return f"{name}={format_value(value) if isinstance(value, Win | Loss | Draw | Margin) else repr(value)}"


def parse_judgement(words: list[str]) -> Judgement | None:
    """The judgement that `format_judgement` wrote; `None` for anything else."""
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
    """`{"0": {"grade": "best", ...}}`, by seat."""
    return json.dumps({seat: plain(judgement) for seat, judgement in sorted(judgements.items())})


def judgements_from_json(text: str) -> dict[Seat, Judgement]:
    """What `judgements_to_json` wrote. Raises ValueError, KeyError or TypeError for anything else."""
    return {int(seat): judgement_of(found) for seat, found in json.loads(text).items()}


def plain(judgement: Judgement) -> dict[str, object]:
    """A judgement as JSON has it."""
    found: dict[str, object] = {"grade": judgement.grade.word}
    for name, value in said(judgement):
        if isinstance(value, Win | Loss | Draw | Margin):
            found[name] = [int(value.outcome), value.remoteness, value.margin]
        else:
            found[name] = value
    return found


def judgement_of(found: Mapping[str, Plain]) -> Judgement:
    """What `plain` made of a judgement."""
    rest: dict[str, object] = {name: value for name, value in found.items() if name != "grade"}
    for name in ("before", "after"):
        if isinstance(seen := rest.get(name), list):
            outcome, remoteness, margin = seen
            rest[name] = proven(Outcome(outcome), remoteness, margin)
    return Judgement(GRADES[str(found["grade"])], **rest)  # type: ignore[arg-type]
