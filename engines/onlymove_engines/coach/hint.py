"""Hints in three stages: what the position is worth, where to look, what to play.

Stage 1 names no coordinate at all, stage 2 the piece or area, stage 3 every co-best move. Strength and style of
the opponent never touch a hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove_engines.core.analysis import Analysis, Remarks
from onlymove_engines.core.game import Game
from onlymove_engines.core.move_entry import MoveEntry
from onlymove_engines.core.rules import M, P, Target
from onlymove_engines.core.value import Estimate, Mixed, Move, Outcome, Seat, Value

LAST_STAGE = 3


@dataclass(frozen=True, slots=True)
class Hint:
    """Some lines to read and the targets to mark on the board. `moves` only at the last stage."""

    stage: int
    lines: tuple[str, ...]
    targets: tuple[Target, ...] = ()
    moves: tuple[Move, ...] = ()


def ranked_best(analysis: Analysis[M], remarks: Remarks[M] | None) -> tuple[M, ...]:
    """The co-best moves, in the coach's order where it has one, else in the rules' order."""
    best = analysis.best()
    if remarks is None or not remarks.ranked:
        return best
    order = {move: place for place, move in enumerate(remarks.ranked)}
    return tuple(sorted(best, key=lambda move: order.get(move, len(order))))


def hint(game: Game[P, M], position: P, analysis: Analysis[M], stage: int, remarks: Remarks[M] | None) -> Hint:
    """The hint of one stage for the side to move. Where values are missing it says so and shows nothing."""
    if not analysis.moves:
        return Hint(stage, ("The game is over.",))
    best = ranked_best(analysis, remarks)
    if not best:
        return Hint(stage, (_unproven(analysis),))
    if stage <= 1:
        return Hint(1, (_worth(analysis),))
    entry = MoveEntry(game.paths(position, tuple(analysis.moves)))
    if stage == 2:
        return Hint(2, remarks.area if remarks is not None else (), _area(entry, best))
    lines = tuple(_line(game, position, analysis, move, remarks) for move in best)
    ends = tuple(dict.fromkeys(game.notation.paths(position, move)[0][-1] for move in best))
    return Hint(LAST_STAGE, lines, ends if len(best) > 1 else game.notation.paths(position, best[0])[0], best)


def _worth(analysis: Analysis[M]) -> str:
    top = analysis.best_value()
    assert top is not None, "callers ask only where a best move is proven"
    if not analysis.is_complete:
        return f"{top.sentence()}."
    keep, count = len(analysis.keeping()), len(analysis.moves)
    if keep == count:
        verb = "loses" if top.outcome is Outcome.LOSS else "keeps it"
        return f"{top.sentence()}. Every move {verb}."
    return f"{top.sentence()}. {keep} of {count} moves {'keeps' if keep == 1 else 'keep'} it."


def _unproven(analysis: Analysis[M]) -> str:
    believed = analysis.value.sentence() if isinstance(analysis.value, Value | Estimate) else "Nothing is proven here"
    return f"{believed}. {analysis.note}".strip()


def _area(entry: MoveEntry[M], best: Sequence[M]) -> tuple[Target, ...]:
    """The piece to look at; where one target is a whole move, about half of the board around the best ones."""
    wanted = set(best)
    by_target = entry.by_target()
    good = [target for target, moves in by_target.items() if wanted & set(moves)]
    if any(len(path) > 1 for path, move in entry.options.items() if move in wanted):
        return tuple(good)
    targets = list(by_target)
    size = max(len(good), (len(targets) + 1) // 2)
    first = min(targets.index(good[0]), len(targets) - size)
    return tuple(dict.fromkeys([*targets[first : first + size], *good]))


def _line(game: Game[P, M], position: P, analysis: Analysis[M], move: M, remarks: Remarks[M] | None) -> str:
    text = f"{game.said(position, move)}  {analysis.moves[move]}"
    remark = "" if remarks is None else remarks.moves.get(move, "")
    return f"{text}  {remark}".rstrip()


def mixed_hint(mixed: Mixed, seat: Seat, stage: int) -> Hint:
    """The hint of one stage in a simultaneous game: value, how many moves are sound, then the mix."""
    kind = "proven" if mixed.exact else "estimate"
    worth = f"Worth {mixed.value_for(seat):+z.2f} to you ({kind})."
    if stage <= 1:
        return Hint(1, (worth,))
    sound = mixed.sound(seat)
    if stage == 2:
        count = len(mixed.strategies[seat])
        mixing = sum(1 for share in mixed.strategies[seat].values() if share > 0) > 1
        advice = "The best play mixes." if mixing else "One move is enough."
        verb = "is" if len(sound) == 1 else "are"
        return Hint(2, (f"{len(sound)} of {count} move{'s' if count > 1 else ''} {verb} sound. {advice}",))
    shares = sorted(mixed.strategies[seat].items(), key=lambda item: -item[1])
    lines = tuple(f"{move}  {share:.0%}".replace("%", " %") for move, share in shares if share > 0)
    return Hint(LAST_STAGE, lines, tuple(str(move) for move in sound), sound)


def die_ranges(mixed: Mixed, seat: Seat) -> tuple[tuple[Move, int, int], ...]:
    """Which throws (1..100) of a die stand for which move, so that a person can really mix."""
    ranges: list[tuple[Move, int, int]] = []
    first, reached = 1, 0.0
    for move, share in mixed.strategies[seat].items():
        reached += share
        last = min(100, round(100 * reached))
        if last >= first:
            ranges.append((move, first, last))
            first = last + 1
    return tuple(ranges)
