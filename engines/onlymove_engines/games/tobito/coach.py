"""The coach of Tobito and Haneto: hints about the moves that keep the value, and reasons why a move is bad."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from onlymove_engines.coach.hint import MAX_SENTENCES, Trait, find_telling
from onlymove_engines.coach.reasons import find_short_win, format_threat
from onlymove_engines.coach.values import describe_best_moves
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, HintNotes
from onlymove_engines.core.game import Claim, GameReasons, MoveContext, RelatedMoves, Substance, Turn
from onlymove_engines.core.value import Outcome, Seat, other

from .notation import NAMES
from .rules import BETWEEN, BOTTOM, COLUMNS, GOAL, HOME, NEUTRAL, PAWN, RULES, SIDES, TOP, Cell, Move, Position
from .styles import PRACTICAL

JUMPED = (
    (),
    ("jumps an opposing pawn", "jumps a pawn"),
    ("jumps two opposing pawns", "jumps two"),
    ("jumps three opposing pawns", "jumps three"),
)


def collect_hints(position: Position, analysis: Analysis[Move], analyst: AnyAnalyst) -> HintNotes[Move]:
    """Return what the coach adds to a hint: where to look, a few words on each best move, and the best moves ordered by
    how easily the opponent goes wrong after them."""
    notes = describe_best_moves(PRACTICAL, Turn(position, position.to_move, analysis, analyst), describe_kind)
    common = find_telling(traits(position), analysis.list_good_moves(), tuple(analysis.moves))
    plies = None if analysis.past_counts else find_short_win(analyst, pass_move(position))
    if plies is None:
        return replace(notes, area=common)
    threat = f"{format_threat(SIDES[other(position.to_move)], plies)}."
    return replace(notes, area=(threat, *common[: MAX_SENTENCES - 1]))


ROW_IN_FRONT = frozenset(cell - COLUMNS for cell in HOME[TOP]), frozenset(cell + COLUMNS for cell in HOME[BOTTOM])
"""The row in front of each side's home."""


def traits(position: Position) -> tuple[Trait[Move], ...]:
    """List the traits that hints mention. They name no cell."""
    seat = position.to_move
    own, goal, theirs = HOME[seat], GOAL[seat], HOME[other(seat)]

    def list_replies(move: Move) -> Sequence[Move]:
        return RULES.legal_moves(RULES.play(position, move))

    def count_rows_gained(move: Move) -> int:
        up = move.landing // COLUMNS - move.origin // COLUMNS
        return -up if seat == TOP else up

    return (
        Trait("jump", is_jump),
        Trait("jump an opposing pawn", lambda move: bool(move.pawns)),
        Trait("jump two opposing pawns", lambda move: len(move.pawns) > 1),
        Trait("jump the neutral pawn", lambda move: move.neutral is not None),
        Trait("reach the goal row", lambda move: move.landing in goal),
        Trait("leave home", lambda move: move.origin in own and move.landing not in own),
        Trait("go back home", lambda move: move.origin not in own and move.landing in own),
        Trait("send a pawn home", lambda move: any(cell in theirs for cell in move.pawns)),
        Trait("leave a pawn to be jumped", lambda move: any(reply.pawns for reply in list_replies(move))),
        Trait("put the neutral pawn in front of your home", lambda move: move.neutral in ROW_IN_FRONT[seat]),
        Trait("go backwards", lambda move: count_rows_gained(move) < 0),
        Trait("go sideways", lambda move: count_rows_gained(move) == 0),
    )


def is_jump(move: Move) -> bool:
    return bool(BETWEEN[move.origin, move.landing])


def describe_kind(position: Position, move: Move) -> tuple[str, ...]:
    """Describe the kind of move, in full and in fewer words."""
    seat = position.to_move
    if move.pawns:
        return JUMPED[len(move.pawns)]
    if move.neutral is not None:
        return "jumps the neutral pawn", "neutral pawn"
    if move.landing in GOAL[seat]:
        return "reaches the goal row", "to the goal"
    if move.landing in HOME[seat]:
        return ("stays at home",) if move.origin in HOME[seat] else ("goes back home", "back home")
    return ("a jump",) if is_jump(move) else ("a step",)


LESSON_TESTS: Mapping[str, Callable[[Position, Seat, Move], bool]] = {
    "steps": lambda _position, _seat, move: not is_jump(move),
    "jumps": lambda _position, _seat, move: is_jump(move),
    "takes": lambda _position, _seat, move: len(move.pawns) > 0,
    "takes two": lambda _position, _seat, move: len(move.pawns) > 1,
    "sends home": lambda _position, seat, move: set(move.pawns) <= set(HOME[other(seat)]),
    "arrives": lambda _position, seat, move: move.landing in GOAL[seat],
    "moves the neutral pawn": lambda _position, _seat, move: move.neutral is not None,
}
"""What lessons may ask a move to do. To take means to jump an opposing pawn."""


def pass_move(position: Position) -> Position | None:
    """Return the same board with the other side to move, or `None` if the game is over."""
    return None if RULES.result(position) else position._replace(to_move=other(position.to_move))


def list_kin(position: Position, move: Move, keeping: Collection[Move]) -> Iterator[RelatedMoves[Move]]:
    """Yield groups of moves that share a part with this one: the same jump with the jumped pieces put elsewhere, or
    another move of the same pawn."""
    others = [one for one in RULES.legal_moves(position) if one != move]
    same_flight = tuple(one for one in others if one[:2] == move[:2])
    if same_flight:
        right = [one for one in same_flight if one in keeping]
        jumped = "the jumped pawn is" if move.pawns else "the neutral pawn is"
        if len(_list_put(move)) > 1:
            jumped = "the jumped pawns are"
        yield RelatedMoves(
            same_flight,
            f"The jump was right, but {_name_misplaced(position, move, right)} elsewhere." if right else "",
            f"That jump {{does}} wherever {jumped} put.",
            any_tells=True,
        )
    same_pawn = tuple(one for one in others if one.origin == move.origin)
    pawn = name_pawn(position, move)
    has_other_ways = len({one.landing for one in same_pawn}) > 1
    wrong = f"Any move of {pawn} {{does}}." if has_other_ways else ""
    yield RelatedMoves(
        same_pawn, "It was the right pawn, but the wrong move.", wrong, f"With {pawn}, only {{move}} {{would_have}}."
    )


def _name_misplaced(position: Position, move: Move, right: Sequence[Move]) -> str:
    """Name the jumped pieces that every move in `right` puts elsewhere, as in `the neutral pawn belongs`. If the moves
    differ in which pieces they are, say only how many it is at least."""
    pieces = _list_put(move)
    changes = [pieces - _list_put(one) for one in right]
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


def _list_put(move: Move) -> frozenset[tuple[str, Cell]]:
    neutral = [] if move.neutral is None else [(NEUTRAL, move.neutral)]
    return frozenset([*neutral, *(("", cell) for cell in move.pawns)])


def name_pawn(_position: Position, move: Move) -> str:
    return f"the pawn on {NAMES[move.origin]}"


def explain_reply(moment: MoveContext[Position, Move]) -> Iterator[Claim]:
    """Say what the reply does that wins or that alone saves the game: it jumps pawns. Or say how this move helps a
    winning reply: it leaves a pawn to jump over, a bridge, or a free cell to land on."""
    reply = moment.after.list_best_moves()[0]
    top = moment.after.moves[reply]
    if top is None or top.outcome is Outcome.LOSS or moment.value.outcome is moment.best.outcome:
        return
    claims = [*explain_winning_way(moment, reply)] if top.outcome is Outcome.WIN else []
    yield from claims
    is_telling = top.outcome is Outcome.WIN or len(moment.after.list_best_moves()) == 1
    if is_telling and reply.pawns and not any(claim.kind == "Jumped" for claim in claims):
        yield claim_jump(moment, reply)


def claim_jump(moment: MoveContext[Position, Move], reply: Move) -> Claim:
    """Say which of the mover's pawns a reply jumps and, if it is one, where it is put."""
    own = PAWN[moment.seat]
    over = [cell for cell in BETWEEN[reply.origin, reply.landing] if moment.child.cells[cell] == own]
    names = [NAMES[cell] for cell in over]
    sentence = f"{moment.format_reply(reply)} jumps the pawns on {', '.join(names[:-1])} and {names[-1]}."
    if len(over) == 1:
        back = "back " * (reply.pawns[0] in HOME[moment.seat])
        sentence = (
            f"{moment.format_reply(reply)} jumps the pawn on {names[0]} and puts it {back}on {NAMES[reply.pawns[0]]}."
        )
    return Claim("Jumps", sentence, {"reply": reply, "over": tuple(over)}, substance=Substance.CONCRETE)


def explain_winning_way(moment: MoveContext[Position, Move], reply: Move) -> Iterator[Claim]:
    """Say how this move helps a winning reply."""
    move = moment.move
    way = BETWEEN[reply.origin, reply.landing]
    filled = [cell for cell in (move.landing, *move.pawns, move.neutral) if cell in way]
    if move.landing in filled and len(reply.pawns) == 1:
        over, to = move.landing, reply.pawns[0]
        put = "put back on" if to in HOME[moment.seat] else "put on"
        sentence = f"The pawn on {NAMES[over]} can be jumped and {put} {NAMES[to]}."
        yield Claim("Jumped", sentence, {"reply": reply, "over": over, "to": to}, substance=Substance.CONCRETE)
    elif filled and filled[0] is not None:
        sentence = f"{moment.format_reply(reply)} jumps over {NAMES[filled[0]]}, which was empty before."
        yield Claim("Bridge", sentence, {"reply": reply, "over": filled[0]}, substance=Substance.CONCRETE)
    elif reply.landing == move.origin:
        sentence = f"This move makes room for {moment.format_reply(reply)}."
        yield Claim("Unlocked", sentence, {"reply": reply}, substance=Substance.CONCRETE)


REASONS = GameReasons(
    passed=pass_move,
    related_moves=list_kin,
    more=explain_reply,
    aims=lambda position, move: [name_pawn(position, move)],
)
