"""A correct game with points that may go in circles, but hardly ever does."""

from __future__ import annotations

from pathlib import Path

from tests.examples.test_example_game import LAWS, add_package, run, write_metadata

CODE = """
from typing import NamedTuple
from onlymove.authoring import BadNotation, Game, GameOver, IllegalMove, Place, Play, Repetition, Result, Role, Scene
from onlymove.authoring import Sprite, read_facts

class Position(NamedTuple):
    token: int
    coins: str
    seat: int
    points: tuple[int, int]

class Rules:
    def to_move(self, position): return position.seat
    def legal_moves(self, position):
        return [] if not position.coins.strip("0") else [position.token, position.token + 1]
    def play(self, position, move):
        if not position.coins.strip("0"): raise GameOver("the game is over: no coin is left")
        if move not in self.legal_moves(position): raise IllegalMove("the token cannot go there")
        coins, points = list(position.coins), list(position.points)
        points[position.seat] += int(coins[move])
        coins[move] = "0"
        return Position(move, "".join(coins), 1 - position.seat, tuple(points))
    def result(self, position): return None if position.coins.strip("0") else end(position)

def end(position):
    first, second = position.points
    return Result(None if first == second else int(first < second), position.points, "no coin is left")

class Words:
    def format_position(self, position):
        token, coins, seat, (first, second) = position
        return f"{token} {coins} {seat} {first}-{second}"
    def parse_position(self, text):
        try:
            token, coins, seat, points = text.split(" ")
            first, second = map(int, points.split("-"))
            position = Position(int(token), coins, int(seat), (first, second))
        except ValueError:
            raise BadNotation("no position") from None
        is_board = len(coins) == 5 and {*coins} <= {*"01234"} and first + second <= 10
        if self.format_position(position) != text or not is_board:
            raise BadNotation("no position")
        return position
    def format_move(self, position, move): return "abcde"[move]
    def parse_move(self, position, text):
        if text not in [*"abcde"]: raise BadNotation("no move")
        rules.play(position, "abcde".index(text))
        return "abcde".index(text)
    def paths(self, position, move): return [("abcde"[move],)]

class Picture:
    def scene(self, view):
        places = tuple(Place(name, 3 * cell, 0, 3, 1) for cell, name in enumerate("abcde"))
        names = (Sprite(3 * cell + 1, 0, (name,), Role.LABEL) for cell, name in enumerate("abcde"))
        return Scene(15, 1, tuple(names), places)
    def between(self, view): return ()
    def trace(self, position, move): return ("abcde"[move],)

rules = Rules()
GAME = Game(
    facts=read_facts(__name__, "row"), seats=("First", "Second"), rules=rules, notation=Words(), painter=Picture(),
    start=lambda options, seed: Position(0, "04321", 0, (0, 0)),
    play=Play(points=lambda position: position.points, points_left=lambda position: sum(map(int, position.coins)),
              repetition=Repetition(3, end, lambda here, there: here.points == there.points)),
)
GAMES = (GAME,)
"""
FACTS = """
[[game]]
id = "row"
title = "Row"
pitch = "Take the next coin or stay, and coins get smaller"
solved = "first player wins"
order = 110
goal = "Take more coins than your opponent."
picks = ["Choose where the token goes"]
has_margin = true
"""
LAW_FACTS = """
[laws.row]
source = "counted by hand"
perft = [2, 4, 8]
max_moves = 2
"""

PROJECT = """
[project]
name = "row"
[project.entry-points."onlymove.games"]
row = "row"
"""


def test_laws_about_repetition_are_skipped_with_a_reason_where_none_comes_up(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    add_package(tmp_path / "site", "row", CODE, FACTS)
    write_metadata(tmp_path / "site", "rows", {"row": "row"})
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "facts.toml").write_text(LAW_FACTS)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    done = run(tmp_path / "site", *LAWS, "-rs", "-k", "value_laws or rules_laws", folder=tmp_path, example=tmp_path)
    assert "no position came up again in these games, so nothing about repetition was tested" in done.stdout, (
        done.stdout
    )
