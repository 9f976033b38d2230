"""The coach of Orbito: whether to push and where the marbles end up, and reasons why a move is bad."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from onlymove_engines.coach.hint import MAX_SENTENCES, Trait, describe_all, find_telling
from onlymove_engines.coach.values import describe_best_moves
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, HintNotes
from onlymove_engines.core.game import Claim, GameReasons, MoveContext, RelatedMoves, Substance, Turn
from onlymove_engines.core.value import Loss, Outcome, Seat, Value, Win
from onlymove_engines.core.words import format_count

from .notation import CORNERS
from .picture import trace
from .rules import (
    BIT,
    FULL,
    INNER,
    LINES,
    NEIGHBOURS,
    NEXT,
    OUTER,
    RULES,
    Cell,
    CellSet,
    Move,
    Position,
    count_extra_shifts,
    settle,
    shift,
)
from .styles import PRACTICAL


def collect_hints(position: Position, analysis: Analysis[Move], analyst: AnyAnalyst) -> HintNotes[Move]:
    """Return what the coach adds to a hint. First it says why to push or not, without naming a cell. For each best
    move, it says how many replies lose if the position is a draw, and otherwise where the shift takes the marbles."""
    top = analysis.best_value()
    if top is None:
        return HintNotes()
    keeping, moves = analysis.list_good_moves(), tuple(analysis.moves)
    push = Trait(
        "start by moving an opposing marble",
        is_push,
        _explain_push(position, analysis, top),
        "Leave your opponent's marbles where they are.",
    )
    area = (*find_telling((push,), keeping, moves), *find_telling(TRAITS, keeping, moves))[:MAX_SENTENCES]
    notes = describe_best_moves(PRACTICAL, Turn(position, RULES.to_move(position), analysis, analyst), _describe_end)
    return replace(notes, area=area)


def is_push(move: Move) -> bool:
    return len(move) > 1


TRAITS: tuple[Trait[Move], ...] = (
    Trait(
        "go to the outer ring",
        lambda move: move[-1] in OUTER,
        "Place your marble on the outer ring.",
        "Place your marble on the inner ring.",
    ),
    Trait("go into a corner", lambda move: move[-1] in CORNERS),
    Trait("move an opposing marble inwards", lambda move: is_push(move) and move[0] in OUTER and move[1] in INNER),
)
"""What moves may do. No trait names a cell."""


def _explain_push(position: Position, analysis: Analysis[Move], top: Value) -> str:
    """If every move that keeps the value is a push, explain why by the best result of the other moves."""
    keeping = analysis.list_good_moves()
    alone = {move: value for move, value in analysis.moves.items() if not is_push(move) and value is not None}
    if not all(map(is_push, keeping)) or not alone:
        return ""
    best = max(alone.values())
    some_are_worse = any(value.outcome < best.outcome for value in alone.values())
    why = f"otherwise you {'only draw' if best.outcome is Outcome.DRAW else 'lose'}"
    if some_are_worse:
        why = "otherwise you draw at best"
    if top.outcome is Outcome.WIN and top.remoteness == 1 and _shift_shows_a_line(position, keeping):
        why = "that completes a line at once"
    elif best == Loss(1) and _shift_shows_a_line(position, alone):
        why = "otherwise this shift completes a line for your opponent"
    elif best == Loss(2):
        why = "otherwise your opponent completes a line next turn"
    verb = "starts" if len(keeping) == 1 else "start"
    return f"{describe_all(len(keeping))} {verb} by moving an opposing marble: {why}."


def _shift_shows_a_line(position: Position, moves: Iterable[Move]) -> bool:
    """Whether all of these moves, which end the game, do so before the extra shifts of a full board."""
    return all(count_extra_shifts(RULES.play(position, move)) == 0 for move in moves)


def _describe_end(position: Position, move: Move) -> tuple[str, ...]:
    """Say where the shift takes the marbles of a move, in full and in fewer words."""
    *pushed, placed = trace(position, move)
    end = f"ends on {placed}"
    own = f"your marble {end}"
    if not pushed:
        return own, end
    return f"{own}, your opponent's on {pushed[0]}", f"{end}, theirs on {pushed[0]}", end


NAMES = (
    *(f"column {file}" for file in "abcd"),
    *(f"row {row}" for row in "1234"),
    "the a1-d4 diagonal",
    "the a4-d1 diagonal",
)
"""The names of the lines, in the order of LINES."""


def list_kin(position: Position, move: Move, keeping: Collection[Move]) -> Iterator[RelatedMoves[Move]]:
    """Yield groups of moves that share a part with this one: the same cell for the marble, the same push, or no
    push."""
    *push, place = move
    step = " to ".join(push)
    others = [one for one in RULES.legal_moves(position) if one != move]
    same_place = tuple(one for one in others if one[-1] == place)
    if push:
        bare = tuple(one for one in same_place if len(one) == 1)
        another_push_is_right = any(len(one) > 1 and one in keeping for one in same_place)
        right = f"{place} was the right cell, but moving an opposing marble was wrong."
        if another_push_is_right:
            right = f"{place} was a good cell, but not after moving {step}."
        yield RelatedMoves(bare, right, any_tells=True)
        same_push = tuple(one for one in others if [*one[:-1]] == push)
        yield RelatedMoves(
            same_push,
            f"Moving {step} was right, but {place} was the wrong cell.",
            f"Moving {step} {{does}}, wherever the new marble goes.",
            f"After moving {step}, only {{move}} {{would_have}}.",
        )
    else:
        alone = tuple(one for one in others if len(one) == 1)
        yield RelatedMoves(
            alone,
            "",
            "Placing a marble without moving an opposing one {does}.",
            "Without moving an opposing marble, only {move} {would_have}.",
        )
    better = f"moving {step} was wrong" if push else "an opposing marble had to move first"
    right = f"{place} was the right cell, but {better}."
    wrong = f"Placing a marble on {place} {{does}}, whichever marble moves first."
    yield RelatedMoves(same_place, right, wrong, any_tells=not push)


def name_winning_lines(position: Position, move: Move) -> list[str]:
    return name_filled_lines(RULES.play(position, move), RULES.to_move(position))


def name_filled_lines(position: Position, seat: Seat) -> list[str]:
    """Name the lines that a side fills, on a full board after its extra shifts."""
    final, extra = settle(position)
    when = f" after {format_count(extra, 'extra shift')}" if extra else ""
    marbles = final[seat]
    return [f"four in {name}{when}" for line, name in zip(LINES, NAMES, strict=True) if marbles & line == line]


BEFORE_SHIFT = tuple(sum(BIT[cell] for cell in BIT if BIT[NEXT[cell]] & line) for line in LINES)
"""The cells whose marbles the next shift takes into each of the LINES."""


CELL_OF = {bit: cell for cell, bit in BIT.items()}


def name_open_lines(position: Position) -> set[str]:
    """Name the lines with which the side to move can win at once: its marbles are on all cells of a line before the
    shift, or on all but one cell, which is empty or has a marble that can be pushed off."""
    seat = RULES.to_move(position)
    own, theirs = position[seat], position[1 - seat]
    is_last = position.marbles + 1 == FULL.bit_count()
    # Extra shifts or an opposing line that this shift fills may change who wins: then every move is tried.
    if is_last or any(theirs & cells == cells for cells in BEFORE_SHIFT):
        return {line for move in RULES.legal_moves(position) for line in _name_won_lines(position, move)}
    found = set[str]()
    for cells, name in zip(BEFORE_SHIFT, NAMES, strict=True):
        missing = cells & ~own
        if missing.bit_count() <= 1 and (not missing & theirs or _can_push_off(position, missing)):
            found.add(f"four in {name}")
    return found


def _name_won_lines(position: Position, move: Move) -> list[str]:
    seat, child = RULES.to_move(position), RULES.play(position, move)
    end = RULES.result(child)
    return name_filled_lines(child, seat) if end is not None and end.winner == seat else []


def _can_push_off(position: Position, cell: CellSet) -> bool:
    """Whether the side to move can push the opposing marble on this cell away without filling an opposing line."""
    theirs = position[1 - RULES.to_move(position)] & ~cell
    pushed = (theirs | BIT[near] for near in NEIGHBOURS[CELL_OF[cell]] if not position.occupied & BIT[near])
    return any(not any(marbles & line == line for line in BEFORE_SHIFT) for marbles in pushed)


def find_own_reasons(moment: MoveContext[Position, Move]) -> Iterator[Claim]:
    yield from find_opening_rule(moment)
    yield from find_coming_line(moment)


def find_opening_rule(moment: MoveContext[Position, Move]) -> Iterator[Claim]:
    """If the first two marbles are on the outer ring, the opponent's right in front, and every good move puts the
    second marble two cells behind the first, say so."""
    own, theirs = (
        _name_marbles(marbles) for marbles in (moment.position[moment.seat], moment.position[1 - moment.seat])
    )
    if len(own) != 1 or len(theirs) != 1 or own[0] not in OUTER or NEXT[own[0]] != theirs[0]:
        return
    behind = next(cell for cell in OUTER if NEXT[NEXT[cell]] == own[0])
    if any(move[-1] != behind for move in moment.before.list_good_moves()):
        return
    where = f"{moment.opponent} stands right in front of {moment.mover} on the outer ring"
    belongs = f"{moment.mover}'s second marble belongs"
    sentence = f"{where}: {belongs} two cells behind the first, on {behind}."
    discreet = f"{where}: {belongs} behind the first, but not right behind it."
    yield Claim(
        "Behind", sentence, {"cell": behind}, names_better=True, while_choosing=discreet, substance=Substance.CONCRETE
    )


def _name_marbles(marbles: CellSet) -> list[Cell]:
    return [cell for cell, bit in BIT.items() if marbles & bit]


def find_coming_line(moment: MoveContext[Position, Move]) -> Iterator[Claim]:
    """Name the line that the best reply completes at once."""
    reply = moment.after.list_best_moves()[0]
    if moment.after.moves[reply] != Win(1):
        return
    theirs = RULES.to_move(moment.child)
    end, lying = RULES.play(moment.child, reply)[theirs], shift(moment.child[theirs])
    for line, name in zip(LINES, NAMES, strict=True):
        if end & line == line and (lying & line).bit_count() == len("abc"):
            pushed = helps_line(moment.move, line & lying, line)
            fourth = f"{moment.format_reply(reply)} adds the fourth"
            sentence = f"The shift puts three {moment.opponent} marbles in {name}; {fourth}."
            if pushed:
                sentence = f"Moving {' to '.join(moment.move[:2])} helps {moment.opponent} make four in {name}."
            yield Claim(
                "Coming", sentence, {"reply": reply, "line": name, "pushed": pushed}, substance=Substance.CONCRETE
            )
            return


def helps_line(move: Move, lying: int, line: int) -> bool:
    """Whether the push of a move helps a line. It does if two shifts later the pushed marble is one of those `lying` in
    the line, and it would not have got there without the push."""
    if not is_push(move):
        return False
    was, put = (BIT[NEXT[NEXT[cell]]] for cell in move[:2])
    return bool(put & lying) and not was & line


REASONS = GameReasons(
    related_moves=list_kin,
    more=find_own_reasons,
    aims=name_winning_lines,
    all_aims=name_open_lines,
    achieved=name_filled_lines,
    line="four in a row",
)


LESSON_TESTS: Mapping[str, Callable[[Position, Seat, Move], bool]] = {
    "pushes": lambda _position, _seat, move: is_push(move),
    "only places": lambda _position, _seat, move: not is_push(move),
}
"""What lessons may ask a move to do. To push means to move an opposing marble first."""
