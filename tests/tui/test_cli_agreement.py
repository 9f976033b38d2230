"""`analyse` says the same in every format: the counts and best moves of a TSV row follow from the moves in the JSON
output."""

from __future__ import annotations

import json
from itertools import islice
from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import Expanding, alternating
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Draw
from onlymove_engines.search.batch import TableAnalyst
from onlymove_engines.search.deepening import LiveAnalyst, make_summary
from onlymove_tables.open import open_analyst, open_game
from onlymove_tui.cli import run
from onlymove_tui.cli.positions import expanded_line, position_facts, tsv_row

from tests.commands import give_input

DRAWS_TO_FIND = 6
MAX_PLIES = 60
ALTERNATING = [facts.id for facts in games.list_games() if not games.load(facts.id).facts.simultaneous]
ORDER = {"loss": -1, "draw": 0, "win": 1}


def positions(game: AnyGame) -> list[str]:
    """Return positions of random games, fewer if each has to be searched."""
    random, found = Random(11), list[str]()
    while len(found) < 80:
        position = game.default_start()
        for _ in range(40):
            found.append(game.notation.format_position(position))
            moves = game.rules.legal_moves(position)
            if not moves:
                break
            position = game.rules.play(position, random.choice(list(moves)))
    return found[: 10 if game.facts.has_margin else 80]


def pick_best(game: AnyGame, moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the moves that keep the value, including the margin if there is one."""
    worth = [move["score"] if game.facts.has_margin else ORDER[move["value"]] for move in moves]
    return [move for move, value in zip(moves, worth, strict=True) if value == max(worth)]


def co_best(game: AnyGame, moves: list[dict[str, Any]]) -> str:
    """Return the best of the moves that keep the value: quickest wins, slowest losses, and every draw."""
    kept = pick_best(game, moves)
    if kept and not game.facts.has_margin and kept[0]["value"] != "draw":
        choose = min if kept[0]["value"] == "win" else max
        distance = choose(move["remoteness"] for move in kept)
        kept = [move for move in kept if move["remoteness"] == distance]
    return " ".join(sorted(move["move"] for move in kept)) or "-"


@pytest.mark.parametrize("game_id", ALTERNATING)
def test_a_row_follows_from_the_moves(
    game_id: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = games.load(game_id)
    lines = positions(game)
    answers = []
    for form in ("tsv", "json"):
        give_input(monkeypatch, "\n".join(lines))
        assert run(["analyse", game_id, "-", "--format", form]) == 0
        answers.append(capsys.readouterr().out.splitlines())
    rows = [row.split("\t") for row in islice(answers[0], 1, None)]
    facts = [json.loads(line) for line in answers[1]]
    assert [row[0] for row in rows] == [found["position"] for found in facts] == lines
    for row, found in zip(rows, facts, strict=True):
        moves = found["moves"]
        output = [found[name] for name in ("value", "remoteness", "score")]
        expected = ["-" if fact is None else str(fact) for fact in output]
        expected += [str(len(moves)), str(len(pick_best(game, moves))), co_best(game, moves)]
        assert row[1:] == expected, f"{game_id} {row[0]}"


def find_late_draws(game: AnyGame, analyst: Any) -> list[Any]:
    """Return the last positions of random games that became drawn and in which both sides then held the draw."""
    random, found = Random(3), list[Any]()
    while len(found) < DRAWS_TO_FIND:
        line = [game.default_start()]
        while moves := game.rules.legal_moves(line[-1]):
            held = analyst.analyse(line[-1]).list_good_moves() if isinstance(analyst.probe(line[-1]), Draw) else moves
            line.append(game.rules.play(line[-1], random.choice(list(held))))
        found += line[-3:] if isinstance(analyst.probe(line[-1]), Draw) else []
    return [position for position in found if isinstance(analyst.probe(position), Draw)]


@pytest.mark.parametrize("game_id", [name for name in ALTERNATING if games.load(name).facts.max_plies is not None])
def test_a_searched_draw_is_reported_like_one_from_the_table(game_id: str) -> None:
    game = games.load(game_id)
    table = open_game(game).analyst
    draws = find_late_draws(game, table)
    expected = [tsv_row(game, *pair) for pair in zip(draws, table.summarise(draws), strict=True)]
    assert {row.split("\t")[2] for row in expected} == {"0", "-"}, "some are over and some are not"
    for searching in (alternating(open_analyst(game, None)), LiveAnalyst(game)):
        found = [make_summary(game.notation, position, searching.analyse(position)) for position in draws]
        rows = [tsv_row(game, *pair) for pair in zip(draws, found, strict=True)]
        assert rows == expected, f"{game_id}: by {type(searching).__name__}"


TABLED = [
    name for name in ALTERNATING if games.load(name).solved.solver is not None and not games.load(name).facts.has_margin
]


@pytest.mark.parametrize("game_id", TABLED)
def test_positions_expanded_together_are_reported_as_one_by_one(game_id: str) -> None:
    game, random = games.load(game_id), Random(5)
    table = alternating(open_game(game).analyst)
    assert isinstance(table, Expanding), f"{game_id}: JSON of many positions takes ten times as long as TSV"
    assert isinstance(table, TableAnalyst)
    table.quick = 0
    line = [game.default_start()]
    while len(line) < MAX_PLIES:
        moves = game.rules.legal_moves(line[-1])
        line.append(game.rules.play(line[-1], random.choice(list(moves))) if moves else game.default_start())
    expanded = table.expand(line)
    assert expanded is not None
    for position, one in zip(line, expanded, strict=True):
        output = json.dumps(position_facts(game, table, position, UNLIMITED), ensure_ascii=False)
        assert expanded_line(game, position, one) == output, game.notation.format_position(position)
    rows = list(table.summarise(line))
    assert rows == [make_summary(game.notation, position, table.analyse(position)) for position in line]
