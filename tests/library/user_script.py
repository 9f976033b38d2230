"""A program that uses the library. A test has mypy check it, as its author would."""
# ruff: noqa: T201 - it is a script

from __future__ import annotations

from itertools import islice

import numpy as np
import numpy.typing as npt
import onlymove


def print_hardest(game_id: str, count: int) -> None:
    """Print positions in which only one move keeps the result, with that move."""
    game = onlymove.load(game_id)
    positions: list[onlymove.Position] = game.sample(count, where="only", seed=1)
    known: onlymove.Analyses = game.analyse_many(positions)
    plies: npt.NDArray[np.int64] = known.remoteness
    for position, best, distance in zip(positions, known.best, plies.tolist(), strict=True):
        text: str = best[0]
        print(position, text, distance)


def count_wins(game: onlymove.Game, count: int) -> int:
    """Count the first positions of a table that the side to move wins."""
    return int((game.analyse_many(islice(game.positions(), count)).value == 1).sum())


def learn(game: onlymove.Game) -> npt.NDArray[np.float64]:
    """Return linear weights that distinguish wins from losses."""
    positions = game.sample(500, lambda position: not position.is_over, seed=2)
    planes: npt.NDArray[np.uint8] = game.planes(positions)
    legal: npt.NDArray[np.bool_] = game.legal_actions(positions)
    numbers: list[int] = [game.action(position, position.moves[0]) for position in positions]
    assert all(legal[row, number] for row, number in enumerate(numbers))
    move: str = game.move(positions[0], numbers[0])
    assert move in positions[0].moves
    inputs = planes.reshape(len(positions), -1).astype(np.float64)
    targets = game.analyse_many(positions).value.astype(np.float64)
    weights: npt.NDArray[np.float64] = np.linalg.pinv(inputs) @ targets
    return weights


def judge_start(game: onlymove.Game) -> str:
    """Return the grade of the first legal move, or the length of a win."""
    start = game.start()
    known: onlymove.Analysis = game.analyse(start)
    value: onlymove.Value | onlymove.Estimate | None = known.value
    if isinstance(value, onlymove.Win):
        return f"win in {value.remoteness}"
    judgement: onlymove.Judgement = game.judge(start, start.moves[0])
    return judgement.grade.word


def play(game: onlymove.Game) -> list[onlymove.PlayedGame]:
    """Play two games between engines and read their records."""
    result: onlymove.MatchResult = onlymove.match(game.id, "random", "random", games=2, seed=1, max_plies=20)
    return onlymove.read_games(result.records)


if __name__ == "__main__":
    tobito = onlymove.load("tobito")
    print_hardest("tobito", 3)
    print(learn(tobito).shape, judge_start(tobito), len(play(tobito)), count_wins(tobito, 500))
