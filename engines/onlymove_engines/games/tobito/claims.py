"""What it takes to say why a move is bad: the board with the other side to move, the moves that are like one, and what
the best reply jumps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from onlymove_engines.core.game import Claim, Claims, Kin, Moment
from onlymove_engines.core.value import Outcome, other

from .rules import HOME, NEUTRAL, RULES, SIDES, Cell, Move, Position, between, name

AnyMoment = Moment[Position, Move]


def passed(position: Position) -> Position | None:
    """The same board with the other side to move."""
    return None if RULES.result(position) else position._replace(to_move=other(position.to_move))


def kin(position: Position, move: Move, keeping: Collection[Move]) -> Iterator[Kin[Move]]:
    """The same flight with what it jumps put elsewhere; the same pawn on its other ways."""
    others = [one for one in RULES.legal_moves(position) if one != move]
    same_flight = tuple(one for one in others if one[:2] == move[:2])
    if same_flight:
        right = [one for one in same_flight if one in keeping]
        yield Kin(
            same_flight,
            f"The jump was right, but {misplaced(position, move, right)} elsewhere." if right else "",
            f"That jump {{does}} wherever {jumped(move)} put.",
            any_tells=True,
        )
    same_pawn = tuple(one for one in others if one.origin == move.origin)
    pawn = f"the pawn on {name(move.origin)}"
    wrong = f"{pawn.capitalize()} had to stay: wherever it goes, it {{does}}." if is_wide(same_pawn) else ""
    yield Kin(same_pawn, "It was the right pawn, but the wrong move.", wrong, f"With {pawn} only {{move}} {{held}}.")


def jumped(move: Move) -> str:
    """What the move jumps and puts down, and the verb."""
    if len(put_down(move)) > 1:
        return "the jumped pawns are"
    return "the jumped pawn is" if move.pawns else "the neutral pawn is"


def misplaced(position: Position, move: Move, right: Sequence[Move]) -> str:
    """How many of the jumped pieces the moves that are `right` put elsewhere, at the least, and the verb; where all of
    them agree on one piece, which."""
    pieces = put_down(move)
    changes = [pieces - put_down(one) for one in right]
    fewest = min(changes, key=len)
    if len(fewest) == len(pieces) > 1:
        return "the jumped pawns belong"
    if len(fewest) > 1:
        return "two of the jumped pawns belong"
    if (NEUTRAL, move.neutral) in fewest.intersection(*changes):
        return "the neutral pawn belongs"
    if len(pieces) == 1:
        return "the jumped pawn belongs"
    if len(move.pawns) == 1 and fewest.intersection(*changes):
        return f"{SIDES[other(position.to_move)]}'s pawn belongs"
    return "one of the jumped pawns belongs"


def put_down(move: Move) -> frozenset[tuple[str, Cell]]:
    """Where the jumped pieces are put, the neutral pawn told from the others."""
    neutral = [] if move.neutral is None else [(NEUTRAL, move.neutral)]
    return frozenset([*neutral, *(("", cell) for cell in move.pawns)])


def is_wide(moves: tuple[Move, ...]) -> bool:
    """Whether a pawn has more than one other way to go."""
    return len({move.landing for move in moves}) > 1


def aim(position: Position, move: Move) -> str:
    """The pawn that is the third to arrive."""
    return f"the pawn on {name(move.origin)}"


def by_the_way(moment: AnyMoment) -> Iterator[Claim]:
    """What this move has to do with the way of the reply that wins."""
    reply, move = moment.after.best()[0], moment.move
    top = moment.after.moves[reply]
    if top is None or top.outcome is not Outcome.WIN:
        return
    way = between(reply.origin, reply.landing)
    filled = [cell for cell in (move.landing, *move.pawns, *placed(move)) if cell in way]
    if move.landing in filled and len(reply.pawns) == 1:
        over, to = move.landing, reply.pawns[0]
        put = "put back on" if to in HOME[moment.seat] else "put on"
        sentence = f"The pawn on {name(over)} can be jumped there and {put} {name(to)}."
        yield Claim("Jumped", sentence, {"reply": reply, "over": over, "to": to})
    elif filled:
        sentence = f"{moment.format_reply(reply)} jumps over {name(filled[0])}, which was empty before."
        yield Claim("Bridge", sentence, {"reply": reply, "over": filled[0]})
    elif reply.landing == move.origin:
        yield Claim("Unlocked", f"The move makes room for {moment.format_reply(reply)}.", {"reply": reply})


def placed(move: Move) -> tuple[Cell, ...]:
    """Where the neutral pawn was put."""
    return () if move.neutral is None else (move.neutral,)


CLAIMS = Claims(passed=passed, kin=kin, more=by_the_way, aim=aim)
