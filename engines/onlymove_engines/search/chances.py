"""Measures how easily the opponent can go wrong, and defines a style that makes mistakes as likely as possible.

Among moves of the same value, the style prefers those after which the largest share of the replies gives something
away. Every reply counts the same, so that a player can check this on the board. docs/levels.md measures how much it
gains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeAlias

from onlymove_engines.core.analysis import Analysis, AnyAnalyst, Tally, Tallying, alternating
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import Style, Turn, alike
from onlymove_engines.core.rules import M, P, Rules
from onlymove_engines.core.value import Outcome, Seat, Value, value_before
from onlymove_engines.search.deepening import count_moves

PLY = 1 / 1000
"""How much each ply lowers the hope for a win. It is too little to make another result look better."""

Deeper: TypeAlias = Callable[[AnyAnalyst, P, Seat], float]
"""Returns how much `seat` likes the position after its move. It decides between moves whose replies are equally hard to
find."""


class Difficulty(NamedTuple):
    """How hard a move makes the opponent's task. A greater chance is a harder task.

    `result` is the mean result (win 1, draw 1/2, loss 0) for the side that plays the move, if every reply is equally
    likely. In a lost position it is the chance that at least one of the opponent's moves goes wrong. `deeper` is the
    game's own measure of the position. `slips` is the share of replies that are not best, for example those that make a
    win slower.
    """

    result: float
    deeper: float
    slips: float


def tally_positions(
    rules: Rules[P, M], positions: Sequence[P], analyst: AnyAnalyst, budget: Budget = UNLIMITED
) -> Sequence[Tally | None]:
    """Count the moves of each position, in order. A count is `None` if a value is not known without a search. An
    analyst of a game with points has to be `Tallying`, because only it knows what a move makes."""
    if isinstance(analyst, Tallying):
        return analyst.tallies(positions, budget)
    probe = alternating(analyst).probe

    def find_value(position: P, move: M) -> Value | None:
        child = rules.play(position, move)
        after = probe(child)
        return None if after is None else value_before(after, rules.to_move(position) or 0, rules.to_move(child) or 0)

    values = ({move: find_value(one, move) for move in rules.legal_moves(one)} for one in positions)
    return [count_moves(Analysis(None, moves)) for moves in values]


def choose_worth_trying(analysis: Analysis[M]) -> Sequence[M]:
    """Return the best moves. If not all values are proven, return the quickest wins, or otherwise the most promising
    moves."""
    if best := analysis.list_best_moves():
        return best
    # Proven wins are above every estimate, and quick ones come first. A move without either counts as a draw.
    hopes = dict.fromkeys(analysis.moves, 0.0)
    hopes |= {move: guess.expected for move, guess in analysis.estimates.items()}
    for move, value in analysis.moves.items():
        if value is not None:
            hopes[move] = float(value.outcome) * (2 - (value.remoteness or 0) * PLY)
    top = max(hopes.values(), default=0.0)
    return [move for move, hope in hopes.items() if hope == top]


@dataclass(frozen=True)
class ProblemSetter(Generic[P, M]):
    """A way of playing that keeps the result and sets the opponent the hardest task.

    In a won game it wins as fast as possible. In a drawn game it counts the replies to every move that holds the draw.
    In a lost game it also values a long defence, because the winner may go wrong at every move.
    """

    rules: Rules[P, M]
    deeper: Deeper[P] | None = None
    candidates: Callable[[Turn[P, M]], Sequence[M]] = lambda turn: choose_worth_trying(turn.analysis)
    """Returns the equally good moves or, if not everything is proven, the moves worth trying."""

    def choose(self, turn: Turn[P, M]) -> Mapping[M, float]:
        """Return the moves that make the opponent's task hardest. All of them get the same probability."""
        chances = self.chances(turn)
        top = max(chances.values(), default=None)
        return alike(move for move, chance in chances.items() if chance == top) or alike(self.candidates(turn))

    def chances(self, turn: Turn[P, M]) -> dict[M, Difficulty]:
        """Return the task that each candidate move sets, the hardest first. A move after which the same side moves
        again sets no task yet. Empty if some values are not known."""
        top = turn.analysis.best_value()
        if top is None:
            return {}
        moves = turn.analysis.list_good_moves() if is_lost_by_plies(top) else self.candidates(turn)
        after = {move: self.rules.play(turn.position, move) for move in moves}
        found: dict[M, Difficulty] = {}
        replies = tally_positions(self.rules, list(after.values()), turn.analyst, turn.budget)
        for (move, child), replies_to_it in zip(after.items(), replies, strict=True):
            value = turn.analysis.moves[move]
            if value is None or replies_to_it is None:
                return {}
            deeper = 0.0 if self.deeper is None else self.deeper(turn.analyst, child, turn.seat)
            is_answered = self.rules.to_move(child) != turn.seat
            found[move] = chance(value, replies_to_it if is_answered else Tally(), deeper)
        return dict(sorted(found.items(), key=lambda item: item[1], reverse=True))


FASTEST: Style[Any, Any] = Style(
    "fastest",
    "Fastest",
    "Wins as fast and loses as slowly as it can. In drawn positions it plays any move that holds the draw.",
    lambda turn: alike(choose_worth_trying(turn.analysis)),
)
"""Without proven values, it plays what looks most promising."""


def is_lost_by_plies(value: Value) -> bool:
    """Whether the position is lost in a known number of plies. Then only a long defence or a mistake can help."""
    return value.outcome is Outcome.LOSS and value.remoteness is not None


def chance(value: Value, replies: Tally, deeper: float = 0.0) -> Difficulty:
    """Measure how hard a move with this value makes the opponent's task, by the replies to it.

    In a position lost in n plies, the winner has to find n // 2 replies. The chance of finding them all is estimated as
    (1 - result) ^ (n // 2), as if they were all equally hard.
    """
    if not replies.moves:
        return Difficulty((1 + value.outcome) / 2, deeper, 0.0)
    result = (replies.losses + replies.draws / 2) / replies.moves
    if is_lost_by_plies(value):
        result = 1 - (1 - result) ** ((value.remoteness or 0) // 2)
    return Difficulty(result, deeper, 1 - replies.best / replies.moves)
