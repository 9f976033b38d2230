"""Everything that is printed about moves and in hints is true. A checker reads it sentence by sentence. It knows only
the rules and the values of positions, and not how the sentences are made."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import onlymove
import pytest
from onlymove_engines import games

from tests.reference.truth import ayoayo, common, orbito, pokemon, riders, tobito
from tests.reference.truth.check import BOARDS, BoardChecker, Page, RidersChecker, Told
from tests.reference.truth.facts import Worth
from tests.reference.truth.printed import Asked, values_of
from tests.reference.truth.survey import survey

TRUTH = Path(__file__).with_name("truth")
ASKING = {"printed.py", "survey.py"}
"""The files that ask the product. All others belong to the checker."""
LIES: list[dict[str, Any]] = tomllib.loads((TRUTH / "lies.toml").read_text("utf-8"))["lie"]
"""Printed sentences, each with another one that is false in its place."""
MODULES = (common, tobito, orbito, pokemon, ayoayo, riders)
RIDERS = "lightriders"
SAMPLE, EVERYTHING = 20, 20_000
RIDERS_SAMPLE, ALL_RIDERS = 15, 1000


def list_amounts() -> list[Any]:
    """Return values for `parametrize`: each game with a few moves, and with many in the slow suite."""
    counts = dict.fromkeys(BOARDS, (SAMPLE, EVERYTHING)) | {RIDERS: (RIDERS_SAMPLE, ALL_RIDERS)}
    few = [pytest.param(game_id, some, id=game_id) for game_id, (some, _) in counts.items()]
    return few + [pytest.param(g, every, id=f"{g}-all", marks=pytest.mark.slow) for g, (_, every) in counts.items()]


def test_every_game_is_checked() -> None:
    assert {facts.id for facts in games.list_own_games()} == {*BOARDS, RIDERS}


@pytest.mark.parametrize("file", sorted({path.name for path in TRUTH.glob("*.py")} - ASKING))
def test_the_checker_knows_nothing_of_the_program(file: str) -> None:
    assert "onlymove" not in (TRUTH / file).read_text("utf-8")


@pytest.mark.parametrize(("game_id", "moves"), list_amounts())
def test_all_that_is_printed_is_true(game_id: str, moves: int, record_property: Callable[[str, object], None]) -> None:
    found, asked = survey(game_id, moves)
    record_property("asked", dict(asked))
    record_property("sentences", dict(found.kinds.most_common()))
    assert not found.faults, f"{len(found.faults)} of {found.kinds.total()}:\n" + "\n".join(found.faults[:40])
    kinds = {"proven", "estimated"} if game_id == RIDERS else {"won", "drawn", "lost", "only move", "end"}
    assert moves in (SAMPLE, RIDERS_SAMPLE) or kinds <= asked.keys(), f"not asked about: {kinds - asked.keys()}"


# False sentences that must be found.

load = cache(onlymove.load)


@cache
def print_page(game_id: str, position: str, seat: int, move: str | None) -> tuple[Asked, Page]:
    """Return a position, and what is printed about it. The checker must find no fault."""
    game = load(game_id)
    asked = Asked(game, game.parse(position), seat)
    page = asked.page([move] if move else [])
    assert not check_page(asked, page).faults
    return asked, page


def replace_sentence(page: Page, truth: str, lie: str) -> Page:
    """Return the page with one sentence replaced by another."""

    def replace_line(lines: Any) -> list[str]:
        return [lie if line == truth else line for line in lines]

    moves = {move: [replace_line(sentences) for sentences in answers] for move, answers in page.moves.items()}
    return replace(
        page, moves=moves, stages=[replace_line(stage) for stage in page.stages], rows=replace_line(page.rows)
    )


def check_page(asked: Asked, page: Page) -> Told:
    """Return the checker after it has read a page."""
    if asked.game.is_simultaneous:
        riders_checker = RidersChecker()
        riders_checker.check_page(asked.field(), page)
        return riders_checker
    checker = BoardChecker(asked.game.id, values_of(asked.game))
    checker.check_page(page)
    return checker


@pytest.mark.parametrize("game_id", sorted({lie["game"] for lie in LIES}))
def test_every_planted_lie_is_caught(game_id: str) -> None:
    for lie in LIES:
        if lie["game"] != game_id:
            continue
        asked, page = print_page(game_id, lie["position"], lie.get("seat", 0), lie.get("move"))
        lines = [*chain(*page.moves.values()), *page.stages, page.rows]
        assert any(lie["truth"] in sentences for sentences in lines), f"not printed: {lie['truth']}"
        faults = check_page(asked, replace_sentence(page, lie["truth"], lie["lie"])).faults
        assert faults, f"this lie is believed: {lie['lie']}"
        misfits = [fault for fault in faults if "kinds fit" in fault]
        assert not misfits, f"a lie is a sentence that might be true elsewhere, unlike {lie['lie']}"


def test_a_lie_of_every_kind_is_planted() -> None:
    kinds = chain.from_iterable((*module.MOVES, *module.HINTS, *module.REMARKS) for module in MODULES)
    every = {kind.pattern for kind in kinds}
    planted = {pattern for lie in LIES for pattern in find_patterns(lie)}
    assert not every - planted
    assert len(every) > 100


def find_patterns(lie: Mapping[str, Any]) -> list[str]:
    """Return the patterns of the kinds that a lie fits: a sentence about a move, a line of a hint, or a remark of its
    last stage."""
    checker = RidersChecker() if lie["game"] == RIDERS else BoardChecker(lie["game"], lambda _: Worth(0))
    words = re.fullmatch(r".+?(?:: | [WL]\d+ +| lost +)(?:(?:win|draw|loss)[^,]*, )?(.+?)\.?", lie["lie"])
    fits = checker.moves.find_kinds(lie["lie"]) if "move" in lie else checker.hints.find_kinds(lie["lie"])
    fits += checker.remarks.find_kinds(words[1]) if words and "move" not in lie else []
    return [kind.pattern for kind, _ in fits]
