"""Checks the reasons with which game packages refuse a choice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources

import pytest
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.session import Session, explain_refusal, parse_choice


@dataclass(frozen=True)
class Case:
    """A choice that is refused. `path` are targets that can be picked at `position`, except the last one, and `typed`
    is a move as text. Each may be empty. `said` is the whole reason, and `rule` the part of it that is on the rules
    page."""

    position: str
    path: str
    said: str
    rule: str
    typed: str = ""
    seat: int | None = None


def cases(*some: Case) -> pytest.MarkDecorator:
    """Run a test once for each case."""
    return pytest.mark.parametrize("case", some, ids=[f"{case.path}: {case.said}" for case in some])


def check(game: AnyGame, case: Case) -> None:
    """Check that the choice is refused with the right reason, both on the board and typed, in the words of the rules
    page."""
    session = Session(game, game.notation.parse_position(case.position))
    seat = (session.to_move if case.seat is None else case.seat) or 0
    if path := tuple(case.path.split()):
        entry = session.make_entry(seat)
        for target in path[:-1]:
            entry = entry.pick(target) or pytest.fail(f"{target} of {path} can be picked on no board")
        assert entry.pick(path[-1]) is None, f"{path} is allowed"
        assert explain_refusal(session, seat, path) == case.said
    if case.typed:
        with pytest.raises(OnlymoveError) as refused:
            parse_choice(session, seat, case.typed)
        assert str(refused.value) == case.said
    page = resources.files(game.facts.package).joinpath("help.md").read_text("utf-8")
    plain = re.sub(r"\s+", " ", re.sub(r"[*`_]", "", page)).lower()
    assert case.rule.lower() in case.said.lower(), f"{case.rule!r} is not what was said"
    assert case.rule.lower() in plain, f"{case.rule!r} is not on the rules page"
