"""One module decides how a game in progress ends. All others ask the game's line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .sources import SOURCES, Source

LAW = "onlymove_engines.play.tree"
WORDS = "onlymove_engines.core.game"
"""The module that defines repetition and house rules."""

SOLVER = tuple(f"onlymove_engines.search.{each}" for each in ("endless", "rules_graph", "rules_analyst"))
"""The modules that ask what endless play is worth, to solve games in which it occurs and to say which file says so."""

OF_THE_LAW = {"repetition", "leads_back", "result_when_stuck"}
"""Only that module may ask a game or a house rule for these."""

APPLYING = re.compile(r"((past|positions(\(\))?)\.count|house_rule\.legal_moves)$")
"""Matches code that counts positions, or asks what a house rule allows."""

OF_ONE_POSITION = {
    "onlymove.position": "is one position",
    "onlymove_engines.coach.lessons": "says what one move from a position does",
    "onlymove_engines.coach.threats": "looks at positions on which no past bears",
    "onlymove_engines.coach.values": "tells an end by the rules from one by repetition, which it asks the line for",
    "onlymove_engines.coach.words": "says what one move from a position does",
    "onlymove_engines.search.deepening": "searches positions, not games",
    "onlymove_engines.search.rules_check": "solves positions; going round is reckoned with",
    "onlymove_engines.search.rules_graph": "lists positions; going round is reckoned with",
    "onlymove_engines.search.strategy": "follows replies to positions; going round is reckoned with in the proof",
    "onlymove_tables.verify": "checks positions, not games",
    "onlymove_tui.app.screens.new_game": "looks at a typed position",
    "onlymove_tui.cli.positions": "answers positions, not games",
    "onlymove_tui.play.exploring": "walks from position to position",
}
"""Modules outside the game packages that may ask the plain rules for a result, and why."""


def own_laws(source: Source) -> Iterator[str]:
    """Yield the places where a module itself applies repetition or a house rule."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and (node.attr in OF_THE_LAW or APPLYING.search(ast.unparse(node))):
            yield f"{source.place}:{node.lineno} {ast.unparse(node)}"


def test_one_module_applies_repetition_and_house_rules() -> None:
    found = [
        place for source in SOURCES.values() if source.name not in (LAW, WORDS, *SOLVER) for place in own_laws(source)
    ]
    assert not found, "\n".join(found)
    assert len(list(own_laws(SOURCES[LAW]))) > 3, "what is looked for is what the law does"


def asks_the_rules(source: Source) -> bool:
    """Whether a module asks a game's rules how a position has ended."""
    calls = (node.func for node in ast.walk(source.tree) if isinstance(node, ast.Call))
    return any(re.search(r"\brules\.result$", ast.unparse(function)) for function in calls)


def test_the_session_and_not_the_rules_says_how_a_game_ended() -> None:
    askers = {source.name for source in SOURCES.values() if ".games." not in source.name and asks_the_rules(source)}
    askers -= {LAW, *OF_ONE_POSITION}
    assert not askers, f"ask the line, which knows repetition and house rules: {sorted(askers)}"
    needless = [name for name in OF_ONE_POSITION if name not in SOURCES or not asks_the_rules(SOURCES[name])]
    assert not needless, f"these ask no rules any more: {needless}"
