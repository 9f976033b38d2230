"""Finds the values of moves in a game under way, with its history and its house rule, and best play from there.

A table knows the values of positions. In a game, some positions may be closed: they occurred earlier, and reaching one
again would end the game at once. So a value that depends on passing a closed position may be wrong. The values here
take that into account. They are exact, or unknown if the budget is too small. docs/judging.md explains why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from onlymove_engines.core.analysis import (
    Analysis,
    Analyst,
    AnyAnalysis,
    AnyAnalyst,
    HintNotes,
    Ranked,
    SimultaneousAnalyst,
    Tally,
    alternating,
)
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, AnyPosition, Game, Turn
from onlymove_engines.core.rules import M, P, Result, Rules
from onlymove_engines.core.value import (
    Estimate,
    Margin,
    Mixed,
    Move,
    Outcome,
    Seat,
    Value,
    other,
    proven,
    turn_value,
    value_before,
)
from onlymove_engines.play.tree import AnyNode, AnyTree, Conventions, GameTree, Node
from onlymove_engines.search.chances import ProblemSetter, tally_positions
from onlymove_engines.search.deepening import count_moves, find_end_value
from onlymove_engines.search.detour import Cost, DetourMove, Detours

FARTHEST = 10_000
"""The most positions to look at for the advantage of each side. This takes seconds, and mostly a tenth of that."""

SEARCHED = 50
"""A position that is not in the table counts as this many positions, because its moves have to be searched."""

NEVER_SURE = Cost(-(1 << 30), 0)
"""A lower bound on the cost of every move. It is used if the way to a closed position is not known."""


class ValueUnsettled(Exception):
    """The budget ended before the answer was certain."""


def find_payoff(value: Value) -> int:
    """Return a side's payoff: the points to come, or 1 for a win, 0 for a draw and -1 for a loss."""
    return int(value.outcome) if value.margin is None else value.margin


def find_endless_value(law: Conventions[P, M], position: P, seat: Seat) -> Value:
    """Return what `seat` gets from `position` on if positions repeat or play never ends, and no points are made. It
    takes no number of plies."""
    if (result := law.find_endless_result(position)) is None:
        lead = law.game.lead(position, seat)
        return proven(Outcome((lead > 0) - (lead < 0)), None, None if law.game.play.points is None else 0)
    end = find_end_value(law.game, position, result, seat)
    return proven(end.outcome, None, end.margin)


class ClosedPositions(Generic[P, M]):
    """The values of moves after the positions `past`, if reaching some positions again ends the game."""

    def __init__(self, law: Conventions[P, M], past: Sequence[P], analyst: Analyst[P, M], budget: Budget) -> None:
        self.game, self.position, self.closing = law.game, past[-1], law.find_closing(past)
        self.seat: Seat = law.game.rules.to_move(past[-1]) or 0
        self.advantages = tuple(Advantage(law, past[-1], self.closing, analyst, seat, budget) for seat in (0, 1))

    def find_limit(self, to: P, value: Value | None) -> Value | None:
        """Return the most that a move to `to` can be worth, if it would be worth `value` without closed positions."""
        if to in self.closing:
            return find_ending_move_value(self.game, self.position, to, self.closing[to])
        ours = self.advantages[self.seat]
        return value if not self.closing or value is None or ours.find_gain(value) >= 0 else ours.endless

    def is_nearer(self, to: P, value: Value | None) -> bool:
        """Whether a move to `to` with this value is known to bring this side's next points nearer."""
        ours = self.advantages[self.seat]
        here, there = ours.rank(self.position), ours.rank(to)
        if value is None or value.margin is None or ours.find_gain(value) <= 0 or here is None:
            return False
        return ours.leads_away(to) or (there is not None and there < here)

    def find_value(self, to: P, value: Value | None) -> Value | None:
        """Return the value of a move to `to` that would be worth `value` without closed positions."""
        gain = 0 if value is None else self.advantages[self.seat].find_gain(value)
        if to in self.closing or not self.closing or value is None or not gain:
            return self.find_limit(to, value)
        ahead = self.seat if gain > 0 else other(self.seat)
        left = self.advantages[ahead].find_remaining_value(to, turn_value(value, self.seat, ahead))
        return None if left is None else turn_value(left, ahead, self.seat)

    def settle_values(
        self, children: Mapping[M, P], promised: Mapping[M, Value | None], limits: Mapping[M, Value | None], every: bool
    ) -> dict[M, Value | None]:
        """Return what the moves to `children` are worth. Unless `every` move counts, those that cannot be the best are
        left out."""

        def rank_prospect(move: M) -> tuple[int, ...]:
            """Put the most promising moves first, and among equals the nearest, because distant ones may use up the
            budget."""
            limit, value = limits[move], promised[move]
            if limit is None or value is None:
                return (1,)
            rank = self.advantages[self.seat].rank
            plies = rank(children[move]) if value.remoteness is None else value.remoteness
            return (0, *(-number for number in limit.preference), plies or 0)

        found: dict[M, Value | None] = dict.fromkeys(children)
        best: Value | None = None
        for move in sorted(children, key=rank_prospect):
            limit = limits[move]
            if every or best is None or limit is None or limit > best:
                value = found[move] = self.find_value(children[move], promised[move])
                best = value if best is None or (value is not None and value > best) else best
        return found


def find_ending_move_value(game: Game[P, M], position: P, child: P, end: Result) -> Value:
    """Return what a move from `position` to `child`, which ends the game with `end`, is worth to the side that plays
    it."""
    seat = game.rules.to_move(position) or 0
    gain = game.lead(child, seat) - game.lead(position, seat)
    return value_before(find_end_value(game, child, end, seat), seat, seat, gain)


class Advantage(Generic[P, M]):
    """Works out how much of its value the side ahead can still reach from `position`. It gains what it gets more than
    from closed positions and endless play, which are worth `endless`."""

    def __init__(
        self,
        law: Conventions[P, M],
        position: P,
        closing: Mapping[P, Result],
        analyst: Analyst[P, M],
        ahead: Seat,
        budget: Budget,
    ) -> None:
        self.law, self.rules = law, law.game.rules
        self.closing, self.analyst, self.ahead, self.budget = closing, analyst, ahead, budget
        self.endless = find_endless_value(law, position, ahead)
        self.ranked = analyst if isinstance(analyst, Ranked) else None
        self.detours = Detours(self.list_ways)
        self.worth: dict[int, Value] = {}
        self.is_partial = False
        self.spent = 0
        costs = [cost for cost in map(self.find_cost_if_open, closing) if cost is not None]
        self.nearest = min(costs, default=None)

    def find_gain(self, value: Value) -> int:
        """Return how much better this value of the side ahead is than endless play."""
        return find_payoff(value) - find_payoff(self.endless)

    def find_remaining_value(self, to: P, value: Value) -> Value | None:
        """Return what a move to `to` is still worth to the side ahead, or `None` if that is not settled."""
        way = self.make_way(to, value)
        try:
            cost = self.detours.cost(way)
        except ValueUnsettled:
            return None
        if self.is_partial and cost != way.cost:
            return None
        if cost is None:
            return self.endless
        return self.worth[-cost.minus] if value.remoteness is None else proven(value.outcome, cost.plies + 1)

    def list_ways(self, position: P) -> tuple[bool, Sequence[DetourMove[P]]]:
        """Return whether the side ahead moves, and the moves with which play can continue from a position, with their
        values if nothing were closed."""
        if self.spent >= FARTHEST or self.budget.should_stop():
            raise ValueUnsettled
        self.spent += 1 if self.analyst.probe(position) is not None else SEARCHED
        mover = self.rules.to_move(position) or 0
        is_ours = mover == self.ahead
        ways = []
        for move, value in self.analyst.analyse(position, self.budget).moves.items():
            if value is None:
                if not is_ours:
                    raise ValueUnsettled
                self.is_partial = True
                continue
            to, seen = self.rules.play(position, move), turn_value(value, mover, self.ahead)
            if self.find_gain(seen) > 0 and to not in self.closing:
                ways.append(self.make_way(to, seen))
            elif not is_ours:
                return is_ours, ()
        return is_ours, ways

    def make_way(self, to: P, value: Value) -> DetourMove[P]:
        """Return the move to `to`, which promises `value` to the side ahead, counted from before the move."""
        gain = self.find_gain(value)
        self.worth.setdefault(gain, value)
        plies = self.rank(to) if value.remoteness is None else value.remoteness - 1
        cost = Cost(-gain, plies or 0)
        # Costs only fall along best play by the table, so it surely avoids closed positions that cost more.
        near = self.nearest
        is_sure = near is None or cost.minus < near.minus or (plies is not None and cost <= near)
        return DetourMove(to, cost, is_sure or self.leads_away(to))

    def leads_away(self, to: P) -> bool:
        """Whether no line leads from here to a closed position."""
        return self.law.result([to]) is not None or not self.law.may_come_back(to, self.closing)

    def find_cost_if_open(self, closed: P) -> Cost | None:
        """Return the cost of a closed position as if it were open. Return `None` if the side ahead gains nothing."""
        value = self.analyst.probe(closed)
        if value is None:
            return NEVER_SURE
        seen = turn_value(value, self.rules.to_move(closed) or 0, self.ahead)
        plies, gain = self.rank(closed) if seen.remoteness is None else seen.remoteness, self.find_gain(seen)
        return Cost(-gain, plies or 0) if gain > 0 else None

    def rank(self, position: P) -> int | None:
        return None if self.ranked is None else self.ranked.rank(position)


Known: TypeAlias = AnyAnalysis | Mixed
T = TypeVar("T")
Search: TypeAlias = Callable[[Budget], T]
"""Finds something within a budget. It changes nothing."""

JUDGED_NODES = 120_000
"""The node limit for judging simultaneous moves by estimates. It takes about 0.6 s on one core."""


def find_values(tree: AnyTree, node: AnyNode, analyst: AnyAnalyst, budget: Budget = UNLIMITED) -> Known:
    """Return what is known about the moves that are allowed at a node of a game. Estimates of simultaneous moves are
    limited by nodes instead of time, so that a busy machine does not change a judgement."""
    if isinstance(analyst, SimultaneousAnalyst):
        return analyst.mixed(node.position, budget if budget.nodes is not None else replace(budget, nodes=JUDGED_NODES))
    return analyse_after(tree.conventions, node.positions(), analyst, budget)


def analyse_after(
    law: Conventions[P, M],
    past: Sequence[P],
    analyst: Analyst[P, M],
    budget: Budget = UNLIMITED,
    every: bool = True,
) -> Analysis[M]:
    """Like `Analyst.analyse`, but for the last of the positions of a game, oldest first. It lists only the moves that
    are allowed, with values that take the history into account. There are none if the game has ended. With `every`
    false, it settles only as many values as it needs to find a best move."""
    position, rules = past[-1], law.game.rules
    base, seat = analyst.analyse(position, budget), rules.to_move(position)
    assert seat is not None, "games with simultaneous moves have no history to look at"
    if (ended := law.result(past)) is not None:
        return replace(base, value=find_end_value(law.game, position, ended, seat), moves={}, estimates={})
    moves = promised = {move: base.moves[move] for move in law.list_allowed(past, tuple(base.moves))}
    for move, end in law.find_stuck_results(past).items():
        promised[move] = find_ending_move_value(law.game, position, rules.play(position, move), end)
    limits: dict[M, Value | None] = {}
    # If nothing is closed, every promised value is right.
    if law.find_closing(past) or not every:
        closed = ClosedPositions(law, past, analyst, budget)
        children = {move: rules.play(position, move) for move in promised}
        limits = {move: closed.find_limit(children[move], promised[move]) for move in children}
        moves = closed.settle_values(children, promised, limits, every)
        nearer = frozenset(move for move in moves if closed.is_nearer(children[move], promised[move]))
        base = replace(base, nearer=nearer, past_counts=bool(closed.closing))
    won = [move for move, value in moves.items() if isinstance(value, Margin) and value.outcome is Outcome.WIN]
    ends_won = frozenset(move for move in won if law.result([rules.play(position, move)]) is not None)
    base = replace(base, ends_won=ends_won)
    if moves == base.moves:
        return base
    guesses = {move: guess for move, guess in base.estimates.items() if move in moves and moves[move] is None}
    known_limits = {move: limit for move, limit in limits.items() if limit is not None and moves[move] is None}
    found = replace(base, value=None, moves=moves, estimates=guesses, limits=known_limits)
    return replace(found, value=found.best_value() or (base.value if isinstance(base.value, Estimate) else None))


MAX_LINE_LENGTH = 120
DRAWN_LINE = 8


def find_best_line(
    tree: GameTree[P, M], node: Node[P, M], move: M, analyst: AnyAnalyst, budget: Budget = UNLIMITED
) -> list[M]:
    """Return `move` from `node`, followed by best play of both sides under the rules and history of this game. A won or
    lost line ends with the promised result at the promised distance. A drawn line stops after `DRAWN_LINE` plies if the
    game can cycle. With points, a line runs to the end or to a repeated position."""
    law, play = tree.conventions, tree.game.rules.play
    most_drawn = DRAWN_LINE if tree.game.facts.can_cycle else MAX_LINE_LENGTH
    past, moves = [*node.positions(), play(node.position, move)], [move]
    while law.result(past) is None and len(moves) < MAX_LINE_LENGTH:
        analysis = analyse_after(law, past, alternating(analyst), budget, every=False)
        top = analysis.best_value()
        if top is None or (top.remoteness is None and top.margin is None and len(moves) >= most_drawn):
            break
        # If nothing is won, a move that ends the game by repetition keeps the line short.
        best, closing = analysis.list_best_moves(), {} if top.outcome is Outcome.WIN else law.find_closing(past)
        moves.append(next((move for move in best if play(past[-1], move) in closing), best[0]))
        past.append(play(past[-1], moves[-1]))
    return moves


@dataclass(frozen=True, slots=True)
class Refutation:
    """Best play after a move from `start`. `positions` begin before the move, and `moves` and `texts` with the move
    itself. The first `step` moves have been shown. `result` says how the rules end the game after the last move, and is
    `None` if they do not. `is_drawn` means that the line stops in a draw that does not follow from the rules alone.
    `reply` is the opponent's reply to the move. It is empty if the game has ended or the same side moves again."""

    start: AnyNode
    positions: tuple[AnyPosition, ...]
    moves: tuple[Move, ...]
    texts: tuple[str, ...]
    step: int = 1
    result: Result | None = None
    is_drawn: bool = False
    reply: str = ""

    @property
    def shows_end(self) -> bool:
        """Whether the rules have ended the game at the current step."""
        return self.result is not None and self.step == len(self.moves)

    def step_by(self, by: int) -> Refutation:
        """Move forwards or backwards along the line, without going past its ends."""
        return replace(self, step=max(0, min(len(self.moves), self.step + by)))


def find_refutation(tree: AnyTree, node: AnyNode, move: Move, analyst: AnyAnalyst, budget: Budget) -> Refutation:
    game, moves, positions = tree.game, find_best_line(tree, node, move, analyst, budget), [node.position]
    for step in moves:
        positions.append(game.rules.play(positions[-1], step))
    texts = tuple(game.describe_move(*step) for step in zip(positions, moves, strict=False))
    result, past = game.rules.result(positions[-1]), [*node.positions(), *positions[1:]]
    ended = tree.conventions.result(past)
    is_drawn = result is None and ended is not None and ended.winner is None
    if ended is None:
        top = analyse_after(tree.conventions, past, alternating(analyst), budget, every=False).best_value()
        is_drawn = top is not None and top.outcome is Outcome.DRAW
    is_answered = len(texts) > 1 and game.rules.to_move(positions[1]) != game.rules.to_move(positions[0])
    reply = texts[1] if is_answered else ""
    return Refutation(node, tuple(positions), tuple(moves), texts, result=result, is_drawn=is_drawn, reply=reply)


def show_single_move(game: AnyGame, node: AnyNode, move: Move) -> Refutation:
    after, text = game.rules.play(node.position, move), game.describe_move(node.position, move)
    return Refutation(node, (node.position, after), (move,), (text,), result=game.rules.result(after))


def format_line(game: AnyGame, position: AnyPosition, moves: Sequence[Move]) -> list[str]:
    texts = []
    for move in moves:
        texts.append(game.notation.format_move(position, move))
        position = game.rules.play(position, move)
    return texts


MAX_COUNTED = 9
"""For how many moves the losing replies are counted. It is the number of moves with a digit on screen."""


def describe_best_moves(
    setter: ProblemSetter[P, M], turn: Turn[P, M], describe: Callable[[P, M], tuple[str, ...]]
) -> HintNotes[M]:
    """Return the best moves for a hint, beginning with those that make the opponent's task hardest. In a draw, say how
    many of the replies lose. Use `describe` for other moves."""
    analysis, best, top = turn.analysis, turn.analysis.list_best_moves(), turn.analysis.best_value()
    ranked = tuple(move for move in setter.chances(turn) if move in best)
    texts = {move: describe(turn.position, move) for move in best}
    if top is not None and top.outcome is Outcome.DRAW and not analysis.past_counts:
        counted = list_answered(setter.rules, turn.position, ranked or best)[:MAX_COUNTED]
        after = [setter.rules.play(turn.position, move) for move in counted]
        for move, found in zip(counted, tally_positions(setter.rules, after, turn.analyst), strict=True):
            if found is not None:
                texts[move] = describe_losing_replies(found.losses, found.moves) or texts[move]
    return HintNotes(moves=texts, ranked=ranked)


def list_answered(rules: Rules[P, M], position: P, moves: Sequence[M]) -> list[M]:
    """Return the moves after which the opponent moves, and not the same side again."""
    seat = rules.to_move(position)
    return [move for move in moves if rules.to_move(rules.play(position, move)) != seat]


def find_hardest(
    law: Conventions[P, M], past: Sequence[P], moves: Sequence[M], analyst: AnyAnalyst, budget: Budget = UNLIMITED
) -> tuple[M, Tally] | None:
    """Return the move that leaves the opponent the largest share of losing replies, with the number of replies by
    value. `None` if no move leaves some, but not all, replies losing, or if a value is not known."""
    rules = law.game.rules
    moves = list_answered(rules, past[-1], moves)
    lines = [[*past, rules.play(past[-1], move)] for move in moves]
    found: Sequence[Tally | None]
    if law.find_closing(past):
        found = [
            None if budget.should_stop() else count_moves(analyse_after(law, line, alternating(analyst), budget))
            for line in lines
        ]
    else:
        found = tally_positions(rules, [line[-1] for line in lines], analyst, budget)
    known = [(move, tally) for move, tally in zip(moves, found, strict=True) if tally is not None]
    chances = [(move, tally) for move, tally in known if 0 < tally.losses < tally.moves]
    if not chances or len(known) < len(moves):
        return None
    return max(chances, key=lambda chance: chance[1].losses / chance[1].moves)


def describe_losing_replies(losing: int, count: int) -> tuple[str, ...]:
    """Return `16 of 26 replies lose`, and the same in fewer words. Empty if none loses."""
    if not losing:
        return ()
    verb = "loses" if losing == 1 else "lose"
    return f"{losing} of {count} replies {verb}", f"{losing} of {count} {verb}"


def describe_hardest(tree: AnyTree, node: AnyNode, known: AnyAnalysis, analyst: AnyAnalyst, budget: Budget) -> str:
    """Return `Trickiest move: b3 (16 of 26 replies lose).` for the moves that keep the value, or an empty text."""
    found = find_hardest(tree.conventions, node.positions(), known.list_good_moves(), analyst, budget)
    if found is None:
        return ""
    move, tally = found
    replies = describe_losing_replies(tally.losses, tally.moves)[0]
    return f"Trickiest move: {tree.game.describe_move(node.position, move)} ({replies})."


def measure_moves(
    game: Game[P, M], position: P, moves: Iterable[M], analyst: AnyAnalyst
) -> Mapping[M, tuple[float, float]]:
    """Return the measures of the first and the second player after each move. Empty if one of them is not known."""
    measure = game.voice.measure
    if measure is None:
        return {}
    found = {move: measure.of(analyst, game.rules.play(position, move)) for move in moves}
    known = {move: both for move, both in found.items() if both is not None}
    return known if len(known) == len(found) else {}


def find_leads(law: Conventions[P, M], past: Sequence[P], known: Analysis[M], analyst: AnyAnalyst) -> Mapping[M, float]:
    """Return, for each move that holds a draw, how far the side to move leads in the game's measure after it. The
    largest lead comes first. A move that ends the game by repetition is left out. Empty if there is no draw to hold, or
    if only one move holds it."""
    top, position, game = known.best_value(), past[-1], law.game
    seat = game.rules.to_move(position)
    if game.voice.measure is None or seat is None or top is None or top.outcome is not Outcome.DRAW:
        return {}
    closing = law.find_closing(past)
    going_on = [move for move in known.list_good_moves() if game.rules.play(position, move) not in closing]
    both = measure_moves(game, position, going_on, analyst) if len(known.list_good_moves()) > 1 else {}
    ahead = {move: sides[seat] - sides[other(seat)] for move, sides in both.items()}
    return dict(sorted(ahead.items(), key=lambda item: -item[1]))
