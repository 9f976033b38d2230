"""The engines you can play against: the strongest one, which combines several searches, and each search by itself.

The strongest plays small positions by their proven equilibrium, and fills with separated riders. Otherwise it searches
by saddle points, deepening within the budget, and mixes only if no single step is best. A style returns a mix for one
seat: the probability of each step. `thinking_time` decides how much time a step may take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Final, TypeAlias

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Style, Turn
from onlymove_engines.core.value import Mixed, Seat
from onlymove_engines.search.stop import ENDLESS, bound_budget, limit_nodes, ready

from ._kernel.evaluation import CHAMBERS, FLOOD
from .analyst import SMALL, LightRidersAnalyst, load_endgame, load_engine, load_fill, load_grader
from .live import FILL_NODES, Depth, Lookahead, find_heads, find_longest_path
from .rules import EMPTY, RULES, Position, Step
from .territory import are_separated, find_reachable

SAFETY: Final = 0.06
"""Seconds of the bank that stay in reserve, because the thread that stops the search may be late."""

PHASES: Final = ((0.12, 0.1), (0.65, 1.0), (1.0, 0.1))
"""Pairs of a share of the field and a weight. The weight is how much a move matters until that share is filled. Moves
matter most when the riders have come close."""

RESERVES: Final = ((0.5, 0.2), (1.0, 0.08))
"""Pairs of a share of the field and the part of the full bank that is reserved until that share is filled. Most of the
reserve is for the last rounds before the riders are separated. After that, a fill needs little time."""
MIN_SHARE_OF_TIME = 0.05
"""The least share of the reserve that a move may take. Without an increment, it lets the last moves be searched too."""

INCREMENTS, SHARES = 1.5, 4.8
"""A move may take this many increments, and this many times its share of the time above the reserve. On average, moves
take half of that at first and less later. The engine stops once its answer is settled, and forced steps take no
time."""


def thinking_time(position: Position, left: float, increment: float, full: float) -> float:
    """Return the most seconds that a step may take. There are `left` seconds on the clock, which gets `increment` back
    after each step, and `full` is the clock's full time. The time above the reserve is spread over the coming rounds by
    how much they matter. The result is at most half of `left`."""
    cells = len(position.cells)
    filled = 1 - position.cells.count(EMPTY) / cells
    begins = (0.0, *(until for until, _ in PHASES))
    phases = [(max(filled, begin), until, weight) for begin, (until, weight) in zip(begins, PHASES, strict=False)]
    rounds = sum(weight * max(0.0, until - begin) for begin, until, weight in phases) * cells / 2
    kept = look_up(filled, RESERVES) * full
    spare = max(0.0, left - increment - kept)
    most = INCREMENTS * increment + SHARES * spare * look_up(filled, PHASES) / max(rounds, 1.0)
    return max(0.0, min(max(most, MIN_SHARE_OF_TIME * min(left, kept)), 0.5 * left, left - SAFETY))


def look_up(filled: float, figures: tuple[tuple[float, float], ...]) -> float:
    return next((figure for until, figure in figures if filled < until), figures[-1][1])


Mix: TypeAlias = Mapping[Step, float]
Search: TypeAlias = Callable[[Lookahead, Position, Seat, Budget, int], Iterator[Depth]]

UNBUDGETED, ENGINE_ROUNDS = 4, 8
"""How many rounds a full-width search and the engine look ahead without a budget."""

FEW_CELLS = 26
"""Positions with at most this many reachable cells are solved before anything else is tried."""

TRIED_SHARE = 0.3
"""With a clock, the share of the time in which larger positions may be solved."""

MIXING_GAIN, MIN_SHARE = 0.05, 0.2
"""A mix is played only if it is worth this much more than the best step alone. Then only its steps with at least this
probability are played."""

SETTLED, FALL = 0.3, 0.08
"""No further depth is begun after this share of the time, unless the step has just changed or the value has fallen by
FALL."""

CONTEMPT = 0.04
"""By how much the engine values a draw below 0, against any opponent. It therefore leaves symmetric positions early,
and prefers unclear lines to drawn ones."""

MARGIN = 0.1
"""The engine accepts a value from a shorter search if it is this far outside the window."""

LAST_ROUNDS = 7
"""If at most this many rounds are left before the game is drawn, all of them are searched. There are about 10,000
leaves."""


def engine(turn: Turn[Position, Step], rounds_left: int | None = None) -> Mix:
    """Return the engine's mix over the seat's steps. If `rounds_left` is given, the game is drawn after that many
    rounds."""
    analyst, position, seat = turn.analyst, turn.position, turn.seat
    assert isinstance(analyst, LightRidersAnalyst)
    budget = ready(turn.budget, load_engine, load_endgame, load_fill)
    moves = RULES.moves_of(position, seat)
    if len(moves) == 1:
        return {moves[0]: 1.0}
    with analyst.lock:
        if rounds_left is not None and 0 < rounds_left <= LAST_ROUNDS:
            found = analyst.lookahead(position).search_last_rounds(position, seat, rounds_left, budget)
            if found is not None:
                return found.mix
        if are_separated(position):
            return {fill_step(analyst.lookahead(position), position, seat, budget): 1.0}
        if proven := solve_few_cells(analyst, position, budget):
            return {str(step): share for step, share in proven.strategies[seat].items()}
        return deep_mix(analyst.lookahead(position), position, seat, budget)


def solve_few_cells(analyst: LightRidersAnalyst, position: Position, budget: Budget) -> Mixed | None:
    """Return the proven equilibrium if few cells are left and it is found in time."""
    seconds, cells = budget.find_seconds_left(), len(find_reachable(position))
    if cells > FEW_CELLS and budget.clock and budget.deadline and seconds:
        return analyst.solve_exactly(position, replace(budget, deadline=budget.deadline - (1 - TRIED_SHARE) * seconds))
    return analyst.solve_exactly(position, budget) if cells <= FEW_CELLS else None


def fill_step(searches: Lookahead, position: Position, seat: Seat, budget: Budget) -> Step:
    """Return the first step of the longest path found, in this search or in that for the last move."""
    head = find_heads(position, seat)[0]
    plan = searches.plan[seat]
    kept = plan[plan.index(head) + 1 :] if head in plan else ()
    if any(position.cells[cell] != EMPTY for cell in kept):
        kept = ()
    found = find_longest_path(searches, position, head, allow_fill_nodes(budget), budget)
    path = found.path if found.least > len(kept) else kept
    searches.plan[seat] = path
    return position.list_neighbours(head)[path[0]]


def allow_fill_nodes(budget: Budget) -> int:
    """Return how many nodes a fill may visit. This is the budget's limit. Without one, there is no limit if there is a
    deadline, and otherwise it is FILL_NODES."""
    return limit_nodes(budget, FILL_NODES if budget.deadline is None else ENDLESS)


def deep_mix(searches: Lookahead, position: Position, seat: Seat, budget: Budget) -> Mix:
    """Return the mix of the deepest search. In a lost position, return that of the deepest search that did not see the
    loss yet."""
    moves = RULES.moves_of(position, seat)
    mix: Mix = {moves[0]: 1.0}
    value, seconds = 1.0, budget.find_seconds_left() or 0.0
    with searches.play_to_win(CONTEMPT, MARGIN):
        for found in searches.saddle(position, seat, bound_budget(budget, ENGINE_ROUNDS)):
            before, value_before = mix, value
            if found.mix and (found.value > -1.0 or found.rounds == 1):
                mix, value = drop_weak_steps(found), found.value
            settled = mix.keys() == before.keys() and value > value_before - FALL
            left = budget.find_seconds_left()
            if settled and left is not None and left < (1 - SETTLED) * seconds:
                break
    return mix


def drop_weak_steps(found: Depth) -> Mix:
    """Return the best step alone, unless its mix is worth clearly more. Otherwise, return the mix without its least
    likely steps."""
    if not found.alone:
        return found.mix
    best = max(found.alone, key=lambda step: (found.alone[step], found.mix.get(step, 0.0)))
    if found.value - found.alone[best] <= MIXING_GAIN:
        return {best: 1.0}
    likely = {step: share for step, share in found.mix.items() if share >= MIN_SHARE}
    return {step: share / sum(likely.values()) for step, share in likely.items()}


def choose_by_search(
    search: Search, apart: Search = Lookahead.nash, mode: int = CHAMBERS
) -> Callable[[Turn[Position, Step]], Mix]:
    """Return a style that plays what one search finds within the budget, with this evaluation of its leaves. `apart` is
    the search for separated riders, because searches that prune treat them as a leaf and find no step for them."""

    def choose(turn: Turn[Position, Step]) -> Mix:
        position, seat, budget = turn.position, turn.seat, ready(turn.budget, load_grader, load_styles)
        moves = RULES.moves_of(position, seat)
        mix: Mix = {moves[0]: 1.0}
        if len(moves) == 1:
            return mix
        assert isinstance(turn.analyst, LightRidersAnalyst)
        with turn.analyst.lock:
            searches, budget = turn.analyst.lookahead(position), bound_budget(budget, UNBUDGETED)
            for found in (apart if are_separated(position) else search)(searches, position, seat, budget, mode):
                mix = {move: share for move, share in found.mix.items() if move in moves} or mix
        return mix

    return choose


def search_one_round(searches: Lookahead, position: Position, seat: Seat, budget: Budget, mode: int) -> Iterator[Depth]:
    """Yield the equilibrium of the next round alone. The budget is ignored."""
    return searches.nash(position, seat, replace(budget, depth=1, nodes=None, deadline=None), mode)


make_style = partial(Style, needs_analysis=False)

STYLES: tuple[Style[Position, Step], ...] = (
    make_style("engine", "Engine", "The strongest style: searches deep and plays endgames perfectly.", engine),
    make_style(
        "nash",
        "Nash",
        "Looks a few moves ahead and solves each round as a matrix game.",
        choose_by_search(Lookahead.nash),
    ),
    make_style(
        "smab", "SMAB", "Like Nash, but looks deeper because it skips hopeless moves.", choose_by_search(Lookahead.smab)
    ),
    make_style(
        "serial",
        "Cautious",
        "Looks deep and plays as if you could see its move first. Never plays at random.",
        choose_by_search(Lookahead.serial),
    ),
    make_style(
        "voronoi",
        "Grabber",
        "Looks one move ahead and counts the cells that each rider can reach first.",
        choose_by_search(search_one_round, search_one_round, FLOOD),
    ),
)


@cache
def load_styles() -> None:
    """Compile or load the searches that only some styles use."""
    searches = LightRidersAnalyst().lookahead(SMALL)
    for search in (Lookahead.nash, Lookahead.smab):
        list(search(searches, SMALL, 0, Budget(depth=1), CHAMBERS))
