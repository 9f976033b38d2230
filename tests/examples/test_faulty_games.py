"""Games of another package whose rules contradict each other, or are not supported. Nothing answers from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.amounts import limit_values
from tests.examples.test_example_game import ROOT, add_package, run_all, write_metadata

EXAMPLE = ROOT / "examples" / "onlymove-dots-and-boxes"
CODE = """
from dataclasses import replace
from onlymove.authoring import BadPosition, Game, Play, Repetition, Result, Solved, Symmetry, read_facts
from onlymove_dots_and_boxes import GAME as SOUND, notation, rules

class Rules:
    to_move, legal_moves = staticmethod(rules.to_move), staticmethod(rules.legal_moves)
    play, result = staticmethod(rules.play), staticmethod(rules.result)

class Words:
    format_position, parse_position = staticmethod(notation.format_position), staticmethod(notation.parse_position)
    format_move, parse_move = staticmethod(notation.format_move), staticmethod(notation.parse_move)
    paths = staticmethod(notation.paths)

points, symmetries, repetition = rules.points, rules.SYMMETRIES, None
{fault}
GAME = replace(
    SOUND,
    facts=read_facts(__name__, "{name}"),
    rules=Rules(),
    notation=Words(),
    play=Play(points=points, repetition=repetition),
    solved=Solved(symmetries=symmetries),
)
GAMES = (GAME,)
"""
FAULTS = {
    "ends": (
        "Rules.result = staticmethod(lambda p: Result(0) if max(p.boxes) == 3 else rules.result(p))",
        "011111/011111 1 3-0 has a result, but legal_moves lists moves there",
    ),
    "hides": (
        "Words.format_position = staticmethod(lambda p: notation.format_position(p._replace(seat=0)))",
        "'000000/000000 1 0-0' is the text of two different positions",
    ),
    "mirror": (
        "symmetries = (Symmetry('mirror', rules.SYMMETRIES[0].position, lambda move: move),)",
        "at 000000/000000 1 0-0, by the symmetry 'mirror', the image of the move b1 leads to another position",
    ),
    "falls": (
        "points, symmetries = (lambda p: (p.boxes[0] % 3, p.boxes[1] % 3)), ()\n"
        "def end(p): return None if rules.result(p) is None else Result(None if points(p)[0] == points(p)[1] else "
        "int(points(p)[0] < points(p)[1]), points(p))\n"
        "Rules.result = staticmethod(end)",
        "a move takes points away from a player",
    ),
    "repeats": (
        "points, symmetries, repetition = None, (), Repetition(2, lambda p: Result(0))",
        "at 000000/000000 1 0-0, repetition is not a draw, which this solver does not support",
    ),
    "unread": (
        "def read(text):\n"
        "    if text.endswith('2-1'): raise BadPosition('no such score')\n"
        "    return notation.parse_position(text)\n"
        "Words.parse_position, symmetries = staticmethod(read), ()",
        "'011111/011111 2 2-1' is the text of a position, but it cannot be read: no such score",
    ),
    "misread": (
        "def read(text):\n"
        "    found = notation.parse_position(text)\n"
        "    return found._replace(seat=0) if found.boxes == (2, 1) else found\n"
        "Words.parse_position, symmetries = staticmethod(read), ()",
        "'011111/011111 2 2-1' is the text of a position, but it is read as '011111/011111 1 2-1'",
    ),
    "hides-images": (
        "def swap(p): return p._replace(seat=1 - p.seat, boxes=p.boxes[::-1])\n"
        "def write(p): return notation.format_position(p if p.lines % 5 else min(p, swap(p)))\n"
        "Words.format_position = staticmethod(write)",
        "is the text of two different positions",
    ),
    "seats": (
        "symmetries = (Symmetry('mirror', rules.SYMMETRIES[0].position, rules.SYMMETRIES[0].move, swaps_seats=True),)",
        "at 000000/000000 1 0-0, by the symmetry 'mirror', the wrong side moves in its image",
    ),
    "repeats-points": (
        "symmetries, repetition = (), Repetition(2, lambda p: Result(0))",
        "at 000000/000000 1 0-0, the result of repetition does not match its score",
    ),
    "raises": (
        "Rules.result = staticmethod(lambda p: rules.result(p) if p.lines % 100 != 99 else 1 // 0)",
        "its rules raised an error: ZeroDivisionError('integer division or modulo by zero')",
    ),
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Where the faulty packages are installed."""
    facts = (EXAMPLE / "onlymove_dots_and_boxes" / "game.toml").read_text("utf-8")
    (tmp_path / "site").mkdir()
    packages = {name: f"faulty_{name.replace('-', '_')}" for name in FAULTS}
    for name, package in packages.items():
        code = CODE.format(fault=FAULTS[name][0], name=name)
        own = facts.replace('"dotsandboxes"', f'"{name}"')
        own = (
            own.replace("has_margin = true", "") if "points, symmetries, repetition = None" in FAULTS[name][0] else own
        )
        add_package(tmp_path / "site", package, code, own)
    write_metadata(tmp_path / "site", "faults", packages)
    return tmp_path / "site"


@pytest.mark.parametrize("fault", limit_values(FAULTS, 5))
def test_a_game_with_wrong_or_unsupported_rules_is_refused_by_every_command(site: Path, fault: str) -> None:
    commands = [(*words, fault) for words in (("analyse",), ("prove",), ("tables", "build", "--jobs", "1"))]
    for command, (code, output, errors) in zip(commands, run_all(site, *commands, example=EXAMPLE), strict=True):
        assert (code, output) == (2, ""), f"{command}: {output}{errors}"
        (line,) = errors.splitlines()
        assert line.lower().startswith(f"onlymove: {fault}: "), line
        assert FAULTS[fault][1] in line, line


def test_an_engine_does_not_search_a_game_that_nobody_has_solved_yet(site: Path) -> None:
    ((code, output, errors),) = run_all(site, ("engine", "ends"), example=EXAMPLE)
    assert (code, output) == (2, "")
    (line,) = errors.splitlines()
    assert FAULTS["ends"][1] in line


def test_a_game_that_a_build_refused_is_not_searched(site: Path) -> None:
    """A game that is too large to be solved at its first use is searched until a build has looked at all of it."""
    commands = [("tables", "build", "ends", "--jobs", "2"), ("analyse", "ends")]
    built, analysed = run_all(site, *commands, example=EXAMPLE)
    assert built == analysed
    assert built[0] == 2
