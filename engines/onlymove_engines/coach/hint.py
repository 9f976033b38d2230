"""Makes hints in three stages. Stage 1 says what the position is worth and names no coordinate, stage 2 names the piece
or area, and stage 3 lists every best move. If every move keeps the value, the first stage shows everything. The
opponent's strength and style do not affect hints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from onlymove_engines.coach.judge import are_settled, find_sound_moves
from onlymove_engines.coach.words import (
    SHARE_OF_TIME,
    describe_keeping,
    format_share,
    format_value,
    is_cut_short,
    label_value,
)
from onlymove_engines.core.analysis import Analysis, HintNotes
from onlymove_engines.core.game import Game
from onlymove_engines.core.judgement import NEARLY_LOST
from onlymove_engines.core.rules import M, MoveEntry, P, Target
from onlymove_engines.core.value import Estimate, Mixed, Move, Outcome, Seat, Value, other

WON, LOST = "won", "lost"
"""Replaces a number of points if the game ends before the rest of them are made."""


MAX_SENTENCES = 2
"""How many sentences of a hint say what the good moves have in common."""
DECISIVE = 0.25
"""The bonus for a trait that all moves keeping the value have, that none of them has, or that no other move has."""


@dataclass(frozen=True, slots=True)
class Trait(Generic[M]):
    """Something that a move does or does not do. `do` is the verb for several moves ("capture"). `always` is the
    sentence to use if all moves that keep the value have the trait, and `never` if none of them has it."""

    do: str
    applies: Callable[[M], bool]
    always: str = ""
    never: str = ""

    @property
    def does(self) -> str:
        """Return the verb for one move ("captures")."""
        verb, space, rest = self.do.partition(" ")
        if verb.endswith("y") and verb[-2:-1] not in "aeiou":
            verb = f"{verb[:-1]}ie"
        ending = "es" if verb.endswith(("o", "s", "x", "z", "ch", "sh")) else "s"
        return f"{verb}{ending}{space}{rest}"

    def describe_count(self, keeping: Collection[M], moves: Collection[M]) -> str:
        """Say how many of the moves that keep the value have this trait, or that every move with it keeps the value."""
        count, size = sum(map(self.applies, keeping)), len(keeping)
        if count == size:
            return self.always or (f"{describe_all(size)} {self.does if size == 1 else self.do}.")
        if count and count == sum(map(self.applies, moves)):
            return f"Every move that {self.does} is good."
        if count:
            return f"{count} of the {size} good moves {self.does if count == 1 else self.do}."
        return self.never or (f"The only good move does not {self.do}." if size == 1 else f"No good move {self.does}.")

    def measure_difference(self, keeping: Collection[M], moves: Collection[M]) -> float:
        """Measure how well this trait distinguishes the moves that keep the value. 0 means not at all."""
        kept, total = sum(map(self.applies, keeping)), sum(map(self.applies, moves))
        difference = abs(kept / len(keeping) - total / len(moves))
        return difference + DECISIVE * (kept in (0, len(keeping), total)) if difference else 0.0


def describe_all(size: int) -> str:
    return {1: "The only good move", 2: "Both good moves"}.get(size, f"All {size} good moves")


def find_telling(traits: Sequence[Trait[M]], keeping: Collection[M], moves: Collection[M]) -> tuple[str, ...]:
    """Return sentences about what distinguishes the moves that keep the value from the other `moves`. The clearest
    difference comes first. Empty if there is none."""
    lines: dict[frozenset[M], str] = {}
    for trait in sorted(traits, key=lambda trait: -trait.measure_difference(keeping, moves)):
        found = frozenset(filter(trait.applies, keeping))
        is_news = found not in lines and frozenset(keeping) - found not in lines
        if is_news and len(lines) < MAX_SENTENCES and trait.measure_difference(keeping, moves):
            lines[found] = trait.describe_count(keeping, moves)
    return tuple(lines.values())


LAST_STAGE = 3
WIDEST = 38
"""The width in columns of a line about one move."""


@dataclass(frozen=True, slots=True)
class ShownMove:
    """One move of the last stage, with its value. `words` are versions of a remark about it, the longest first."""

    move: str
    value: str
    words: tuple[str, ...] = ()

    def shorten_words(self, level: int) -> str:
        return self.words[min(level, len(self.words) - 1)] if self.words else ""


@dataclass(frozen=True, slots=True)
class Hint:
    """The lines of a hint. `targets` are the places to begin, before the last stage. In the last stage, `moves` has the
    best moves, and `shown` has a line about each. Otherwise these are empty."""

    stage: int
    lines: tuple[str, ...]
    targets: tuple[Target, ...] = ()
    moves: tuple[Move, ...] = ()
    shown: tuple[ShownMove, ...] = ()
    stages: int = LAST_STAGE

    @property
    def is_last(self) -> bool:
        return self.stage == self.stages

    def format_lines(self, width: int = WIDEST) -> tuple[str, ...]:
        """Return all lines of the hint. Lines about moves have at most `width` columns."""
        return (*self.lines, *("  ".join(cells).rstrip() for cells in align_moves(self.shown, width)))


def align_moves(shown: Sequence[ShownMove], width: int) -> list[tuple[str, str]]:
    """Return each move with its value, and a remark: in all lines the longest version that fits on every line."""
    wide = max((len(each.move) for each in shown), default=0)
    high = max((len(each.value) for each in shown), default=0)
    room = width - wide - high - 3
    fullest = max((len(each.words) for each in shown), default=0)
    level = next((n for n in range(fullest) if all(len(each.shorten_words(n)) <= room for each in shown)), fullest)
    texts = [each.shorten_words(level) for each in shown]
    return [
        (f"{each.move:<{wide}} {each.value:<{high}}", words if len(words) <= room else "")
        for each, words in zip(shown, texts, strict=True)
    ]


def is_open(known: Analysis[M] | Mixed, seat: Seat = 0) -> bool:
    """Whether every move keeps the value. `seat` matters only if both sides move at once."""
    if isinstance(known, Mixed):
        return len(find_sound_moves(known, seat)) == len(known.strategies[seat])
    return known.is_complete and 0 < len(known.moves) == len(known.list_good_moves())


def make_hint(game: Game[P, M], position: P, analysis: Analysis[M], stage: int, remarks: HintNotes[M] | None) -> Hint:
    """Make the hint of one stage for the side to move. If values are missing, the hint says so and shows no moves. The
    best moves include those that end the game as a win, and are in the coach's order if it has one."""
    if not analysis.moves:
        return Hint(stage, ("The game is over.",))
    found, notes = analysis.list_best_moves(), remarks or HintNotes[M]()
    if not found:
        believed = "Nothing is proven here"
        if isinstance(analysis.value, Value):
            believed = analysis.value.sentence()
        elif isinstance(analysis.value, Estimate):
            share, depth = format_share(analysis.value.expected), analysis.value.depth
            believed = f"About {share} for you, searched to depth {depth}"
        return Hint(stage, (f"{believed}. {analysis.note}".strip(),))
    best = tuple(move for move in analysis.moves if move in found or move in analysis.ends_won)
    if notes.ranked:
        order = {move: place for place, move in enumerate(notes.ranked)}
        best = tuple(sorted(best, key=lambda move: order.get(move, len(order))))
    if is_open(analysis) or stage == LAST_STAGE:
        shown = tuple(_show_move(game, position, analysis, move, notes) for move in best)
        if is_open(analysis):
            return Hint(1, (_describe_worth(game, position, analysis),), moves=best, shown=shown, stages=1)
        return Hint(LAST_STAGE, _describe_slow_moves(analysis, best), moves=best, shown=shown)
    if stage <= 1:
        return Hint(1, (_describe_worth(game, position, analysis),))
    entry = MoveEntry(game.paths(position, tuple(analysis.moves)))
    area = _describe_area(entry, best)
    size, count = len(area), len(entry.next_targets())
    where = f"Look for the best move in {size} of the {count} places."
    return Hint(2, notes.area or (where if size < count else "A best move can begin anywhere.",), area)


def _describe_slow_moves(analysis: Analysis[M], best: Sequence[M]) -> tuple[str, ...]:
    """Say how many moves give nothing away either, but are not among the best, because they are not known to bring
    points nearer."""
    rest = len(set(analysis.list_good_moves()) - set(best)) if analysis.nearer else 0
    if not rest:
        return ()
    moves = "1 other move gives" if rest == 1 else f"{rest} other moves give"
    return (f"{moves} nothing away either, but may make no progress.",)


def _show_move(game: Game[P, M], position: P, analysis: Analysis[M], move: M, notes: HintNotes[M]) -> ShownMove:
    value = analysis.moves[move]
    assert value is not None, "best moves are proven"
    worth = label_value(game, position, game.rules.to_move(position) or 0, value)
    if move in analysis.ends_won or is_cut_short(game, position, move, value):
        worth = WON if value.outcome is Outcome.WIN else LOST
    return ShownMove(game.describe_move(position, move), worth, tuple(notes.moves.get(move, ())))


def _describe_worth(game: Game[P, M], position: P, analysis: Analysis[M]) -> str:
    top = analysis.best_value()
    assert top is not None, "callers ask only where a best move is proven"
    words = format_value(game, position, game.rules.to_move(position) or 0, top).capitalize()
    if analysis.ends_won:
        words = "Win at once" if analysis.ends_won.issuperset(analysis.list_good_moves()) else f"{words}, or at once"
    if not analysis.is_complete:
        return f"{words}."
    keep, count = len(analysis.list_good_moves()), len(analysis.moves)
    if count == 1:
        return f"{words}. There is only one move."
    if keep < count:
        return f"{words}. {describe_keeping(analysis)}."
    does = {Outcome.WIN: "wins", Outcome.DRAW: "draws", Outcome.LOSS: "loses"}[top.outcome]
    if top.margin is not None and top.outcome is not Outcome.LOSS:
        does = "is equally good"
    return f"{words}. Every move {does}."


def _describe_area(entry: MoveEntry[M], best: Sequence[M]) -> tuple[Target, ...]:
    """Return the first targets of the best moves. If a target is a whole move, return half of the board around them."""
    wanted = set(best)
    by_target = entry.group_by_target()
    good = [target for target, moves in by_target.items() if wanted & set(moves)]
    if any(len(path) > 1 for path, move in entry.options.items() if move in wanted):
        return tuple(good)
    targets = list(by_target)
    size = max(len(good), (len(targets) + 1) // 2)
    first = min(targets.index(good[0]), len(targets) - size)
    return tuple(dict.fromkeys([*targets[first : first + size], *good]))


# Games with simultaneous moves.


def make_mixed_hint(mixed: Mixed, seat: Seat, stage: int, area: Sequence[str] = ()) -> Hint:
    """Make the hint of one stage in a simultaneous game: first the value, then how many moves are sound, then the best
    mix. `area` is the game's advice on where to go."""
    shares, count = mixed.strategies[seat], len(mixed.strategies[seat])
    sound = tuple(sorted(find_sound_moves(mixed, seat), key=lambda move: -shares[move]))
    shown = tuple(
        ShownMove(
            str(move),
            f"{shares[move]:.0%}".replace("%", " %"),
            (SHARE_OF_TIME,) if shares[move] else (f"{SHARE_OF_TIME}, but a sound choice", "also sound"),
        )
        for move in sound
    )
    worth = f"You {'win' if mixed.value_for(seat) > 0 else 'lose'} against best play."
    if not is_decided(mixed):
        about = "" if mixed.exact else "about "
        worth = f"With best play you score {about}{format_share(mixed.value_for(seat))} of the points."
    if is_open(mixed, seat):
        reason = "There is only one move." if count == 1 else "Every move is sound."
        line = describe_best(mixed, seat, {}) if count > 1 and is_decided(mixed) else f"{worth} {reason}"
        return Hint(1, (line,), moves=sound, shown=shown, stages=1)
    if stage <= 1:
        return Hint(1, (worth,))
    if stage == LAST_STAGE:
        return Hint(LAST_STAGE, (), moves=sound, shown=shown)
    surely = "" if are_settled(mixed, seat) else "surely "
    if len(sound) == 1:
        return Hint(2, (f"1 of {count} moves is {surely}sound.", *area))
    mixing = sum(share > 0 for share in shares.values()) > 1
    advice = "Best play picks one at random." if mixing else "Best play always picks the same one."
    return Hint(2, (f"{len(sound)} of {count} moves are {surely}sound. {advice}", *area))


def is_decided(mixed: Mixed) -> bool:
    """Whether one side is proven to win with best play."""
    return mixed.exact and abs(mixed.expected) == 1


def find_worst(mixed: Mixed, seat: Seat) -> Move | None:
    """Return the move of `seat` that gives away most, or `None` if all are sound."""
    sound = find_sound_moves(mixed, seat)
    unsound = [move for move in mixed.strategies[seat] if move not in sound]
    return max(unsound, key=lambda move: mixed.regret(seat, move), default=None)


def describe_best(mixed: Mixed, seat: Seat, names: Mapping[Move, str]) -> str:
    """Return `Left is best.` or, for an estimate, `Left and up are about equally good.`"""
    sound, count = find_sound_moves(mixed, seat), len(mixed.strategies[seat])
    if count == 1:
        return "There is only one move."
    is_nearly_lost = mixed.value_for(seat) <= NEARLY_LOST
    alike = "bad" if is_nearly_lost else "good"
    alike = f"equally {alike} against best play" if mixed.exact else f"about equally {alike}"
    if len(sound) == count:
        does = "wins whatever your opponent plays" if mixed.value_for(seat) > 0 else "loses against best play"
        return f"Every move {does}." if is_decided(mixed) else f"Every move is {alike}."
    *others, last = (names[move] for move in sound)
    if not others:
        return f"{last.capitalize()} {'is' if mixed.exact else 'seems'} best."
    least_bad = f"{'are' if mixed.exact else 'seem'} the least bad"
    return f"{', '.join(others)} and {last} {least_bad if is_nearly_lost else f'are {alike}'}.".capitalize()


def compare_with_best(mixed: Mixed, seat: Seat, move: Move, names: Mapping[Move, str]) -> str:
    """Compare an unsound move with the best one against a reply that best play may choose. That can be any reply if the
    opponent is lost. The reply is the one that makes the largest difference."""
    shares, replies = mixed.strategies[seat], mixed.strategies[other(seat)]
    best = max(find_sound_moves(mixed, seat), key=lambda each: shares[each])
    reply = max(
        (each for each, share in replies.items() if share > 0 or is_decided(mixed)),
        key=lambda each: mixed.payoff(seat, best, each) - mixed.payoff(seat, move, each),
    )
    scores = [mixed.payoff(seat, each, reply) for each in (move, best)]
    when, (worse, better) = f"If your opponent plays {names[reply]}", (names[move], names[best])
    is_proven = all(mixed.is_proven(seat, each, reply) for each in (move, best))
    if is_proven and all(score in ENDS for score in scores):
        return f"{when}, {worse} {ENDS[scores[0]]} and {better} {ENDS[scores[1]]}."
    about = "" if is_proven else "about "
    first, second = map(format_share, scores)
    return f"{when}, {worse} scores {about}{first} and {better} {second}."


ENDS = {-1.0: "loses", 0.0: "draws", 1.0: "wins"}
"""What a move does whose proven payoff is this."""


def list_die_ranges(mixed: Mixed, seat: Seat) -> tuple[tuple[Move, int, int], ...]:
    """Return which rolls of a hundred-sided die, from the first to the last, select each move of the best mix."""
    ranges: list[tuple[Move, int, int]] = []
    first, reached = 1, 0.0
    for move, part in mixed.strategies[seat].items():
        reached += part
        last = min(100, round(100 * reached))
        if last >= first:
            ranges.append((move, first, last))
            first = last + 1
    return tuple(ranges)
