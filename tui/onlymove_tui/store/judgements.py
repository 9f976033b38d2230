"""Judgements as JSON text and back. What has its default is left out; values are `[outcome, remoteness, margin]`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Outcome, Seat, Value, proven

GRADES = {grade.word: grade for grade in Grade}


def format_judgements(judgements: Mapping[Seat, Judgement]) -> str:
    """`{"0": {"grade": "best", ...}}`, by seat."""
    return json.dumps({seat: _plain(judgement) for seat, judgement in sorted(judgements.items())})


def parse_judgements(text: str) -> dict[Seat, Judgement]:
    """What `format_judgements` wrote. Raises ValueError, KeyError or TypeError for anything else."""
    return {int(seat): _judgement(found) for seat, found in json.loads(text).items()}


def _plain(judgement: Judgement) -> dict[str, Any]:
    found: dict[str, Any] = {"grade": judgement.grade.word}
    for field in fields(Judgement)[1:]:
        value = getattr(judgement, field.name)
        if value != field.default:
            found[field.name] = value if not isinstance(value, Value) else _plain_value(value)
    return found


def _plain_value(value: Value) -> list[int | None]:
    return [int(value.outcome), value.remoteness, value.margin]


def _judgement(found: Mapping[str, Any]) -> Judgement:
    rest = {name: value for name, value in found.items() if name != "grade"}
    for name in ("before", "after"):
        if name in rest:
            outcome, remoteness, margin = rest[name]
            rest[name] = proven(Outcome(outcome), remoteness, margin)
    return Judgement(GRADES[found["grade"]], **rest)
