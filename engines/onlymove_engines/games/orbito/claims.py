"""What it takes to say why a move is bad: the moves that are like one, and the line that the next shift makes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from onlymove_engines.core.game import Claim, Claims, Kin, Moment
from onlymove_engines.core.value import Outcome

from .rules import BIT, LINES, NEXT, RULES, Move, Position, shifted

NAMES = (
    *(f"column {file}" for file in "abcd"),
    *(f"row {row}" for row in "1234"),
    "the a1-d4 diagonal",
    "the a4-d1 diagonal",
)
"""What the lines are called, in their order."""


def kin(position: Position, move: Move, _keeping: Collection[Move]) -> Iterator[Kin[Move]]:
    """The same placement without the push or with another one; the same push with the marble placed elsewhere; all
    moves that push nothing."""
    *push, place = move
    others = [one for one in RULES.legal_moves(position) if one != move]
    same_place = tuple(one for one in others if one[-1] == place)
    if push:
        bare = tuple(one for one in same_place if len(one) == 1)
        yield Kin(bare, f"{place} was right, but without the push.", any_tells=True)
        same_push = tuple(one for one in others if [*one[:-1]] == push)
        yield Kin(
            same_push,
            "The push was right, but not the cell.",
            "That push {does} wherever the marble goes.",
            "With that push only {move} {held}.",
        )
    else:
        alone = tuple(one for one in others if len(one) == 1)
        yield Kin(alone, "", "Without a push every cell {does}.", "Without a push only {move} {held}.")
    right = f"{place} was right, but {'with another push' if push else 'with a push first'}."
    yield Kin(same_place, right, f"A marble on {place} {{does}}, whatever is pushed.", any_tells=not push)


def aim(position: Position, move: Move) -> str:
    """The line that the move makes."""
    after = RULES.play(position, move)[RULES.to_move(position)]
    made = [name for line, name in zip(LINES, NAMES, strict=True) if after & line == line]
    return f"four in {made[0]}" if made else ""


def coming(moment: Moment[Position, Move]) -> Iterator[Claim]:
    """The line that the best reply makes at once."""
    reply = moment.after.best()[0]
    top, theirs = moment.after.moves[reply], RULES.to_move(moment.child)
    if top is None or top.outcome is not Outcome.WIN or top.remoteness != 1:
        return
    end, lying = RULES.play(moment.child, reply)[theirs], shifted(moment.child[theirs])
    for line, name in zip(LINES, NAMES, strict=True):
        if end & line == line and (lying & line).bit_count() == len("abc"):
            pushed = pushed_into(moment.move, line & lying, line)
            sentence = f"Three of {moment.opponent}'s are shifting into {name}; that is the fourth."
            if pushed:
                sentence = f"The push itself helps {moment.opponent} to four in {name}."
            yield Claim("Coming", sentence, {"reply": reply, "line": name, "pushed": pushed})
            return


def pushed_into(move: Move, lying: int, line: int) -> bool:
    """Whether the marble that a move pushes is one of those `lying` in a line after two shifts, and would not have come
    to the line without the push."""
    if len(move) == 1:
        return False
    was, put = (BIT[NEXT[NEXT[cell]]] for cell in move[:2])
    return bool(put & lying) and not was & line


CLAIMS: Claims[Position, Move] = Claims(kin=kin, more=coming, aim=aim)
