"""The coach of Pokémon Tic-Tac-Toe: what a move does, how easily the opponent goes wrong after it, and why it is bad.

The trap of a move is the share of the replies that lose. If two moves have equal shares, a number in the table decides
that adds up such shares for the rest of the game. docs/engines/pokemon.md defines and measures it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from onlymove_engines.coach.hint import MAX_SENTENCES, Trait, find_telling
from onlymove_engines.coach.values import describe_losing_replies
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, HintNotes, Tally
from onlymove_engines.core.game import Claim, GameReasons, MoveContext, RelatedMoves, Substance
from onlymove_engines.core.value import Outcome, Seat, Win, other
from onlymove_engines.search.chances import tally_positions

from .notation import CELL_NAMES, COLUMNS, LETTERS, ROWS, SIZES, size_target
from .rules import EACH, EMPTY, LINES, PLACE, RULES, SEATS, SIZE, TEAM_OF, TEAMS, Placement, Position, full_lines
from .styles import find_trap

SHARES = ((0.9, "nearly all"), (0.6, "most"), (0.4, "about half of the"), (0.15, "some"), (0.0, "a few"))
"""How to describe a share of the replies. Each description is used from its share upwards."""
CENTRE, CORNERS = 4, (0, 2, 6, 8)


def find_traps(position: Position, analysis: Analysis[Placement], analyst: AnyAnalyst) -> dict[Placement, Tally]:
    """Return the replies to every move that holds a draw, the best trap first. Empty if the position is not drawn."""
    top = analysis.best_value()
    if top is None or top.outcome is not Outcome.DRAW:
        return {}
    after = {move: RULES.play(position, move) for move in analysis.list_good_moves()}
    tallies = tally_positions(RULES, list(after.values()), analyst)
    found = {move: replies for move, replies in zip(after, tallies, strict=True) if replies is not None}
    ranks = {move: (find_share(found[move]), find_trap(analyst, after[move], position.seat)) for move in found}
    return {move: found[move] for move in sorted(found, key=ranks.__getitem__, reverse=True)}


def find_share(replies: Tally) -> float:
    """Return the share of the replies that lose."""
    return replies.losses / max(1, replies.moves)


def collect_hints(position: Position, analysis: Analysis[Placement], analyst: AnyAnalyst) -> HintNotes[Placement]:
    """Return what the coach adds to a hint: where to look and, in a drawn position, how easily the opponent can go
    wrong and the moves that draw, the trickiest first. Elsewhere, say what the best moves cover."""
    found = find_traps(position, analysis, analyst)
    texts = {move: describe_losing_replies(replies.losses, replies.moves) for move, replies in found.items()}
    for move in () if found else analysis.list_best_moves():
        visible = position.cells[move.cell]
        is_free = visible == EMPTY
        texts[move] = () if is_free else (f"covers a {size_target(visible)} piece", f"covers {LETTERS[visible]}")
    common = find_telling(traits(position), analysis.list_good_moves(), tuple(analysis.moves))
    passed = position._replace(seat=other(position.seat))
    lines = {line for move in RULES.legal_moves(passed) for line in full_lines(RULES.play(passed, move).cells)}
    where = f" on {len(lines)} lines" if len(lines) > 1 else ""
    danger = (f"{SEATS[passed.seat]} threatens three in a row{where}.",) if lines else ()
    area = (*danger, *common[: MAX_SENTENCES - len(danger)])
    sharpest = next(iter(found.values()), Tally())
    if sharpest.losses:
        # The share is in words, because digits could be mistaken for cells.
        many = next(words for least, words in SHARES if find_share(sharpest) >= least)
        lose = "one reply loses" if sharpest.losses == 1 else f"{many} replies lose"
        area = (*area, f"The trickiest good move sets a trap: {lose}.")
    return HintNotes(area=area, moves=texts, ranked=tuple(found))


def traits(position: Position) -> tuple[Trait[Placement], ...]:
    """List the traits that hints mention. They name no cell."""
    cells, own = position.cells, TEAMS[position.seat]

    def make_size_trait(size: str) -> Trait[Placement]:
        return Trait(
            f"use a {size} piece",
            lambda move: size_target(move.piece) == size,
            f"Place a {size} piece.",
            f"Keep your {size} pieces in hand.",
        )

    return (
        *map(make_size_trait, SIZES),
        Trait(
            "cover a piece",
            lambda move: cells[move.cell] != EMPTY,
            "Cover a piece.",
            "Place your piece on an empty cell.",
        ),
        Trait("cover your own piece", lambda move: cells[move.cell] in own),
        Trait("take the middle", lambda move: move.cell == CENTRE),
        Trait("take a corner", lambda move: move.cell in CORNERS),
    )


DIAGONALS = ("the A1-C3 diagonal", "the C1-A3 diagonal")
LINE_NAMES = dict(
    zip(LINES, (*(f"row {row}" for row in ROWS), *(f"column {column}" for column in COLUMNS), *DIAGONALS), strict=True)
)


def list_kin(position: Position, move: Placement, _keeping: Collection[Placement]) -> Iterator[RelatedMoves[Placement]]:
    """Yield groups of moves that share a part with this one: the same cell with another size, and the same size on
    another cell."""
    others = [one for one in RULES.legal_moves(position) if one != move]
    cell, size = CELL_NAMES[move.cell], size_target(move.piece)
    yield RelatedMoves(
        tuple(one for one in others if one.cell == move.cell),
        f"{cell} was the right cell, but the piece was the wrong size.",
        f"Every piece that fits on {cell} {{does}}.",
        f"On {cell}, only {{move}} {{would_have}}.",
    )
    wrong = f"A {size} piece {{does}} on any cell."
    if position.hands[PLACE[move.piece]] < EACH:
        wrong = f"The last {size} piece should stay in hand: it {{does}} on any cell."
    yield RelatedMoves(
        tuple(one for one in others if one.piece == move.piece),
        f"A {size} piece was right, but not on that cell.",
        wrong,
        f"With a {size} piece, only {{move}} {{would_have}}.",
    )


def name_winning_lines(position: Position, move: Placement) -> list[str]:
    return name_full_lines(RULES.play(position, move), position.seat)


def name_full_lines(position: Position, _winner: Seat) -> list[str]:
    return [f"three in {LINE_NAMES[line]}" for line in full_lines(position.cells)]


def name_open_lines(position: Position) -> list[str]:
    """Name the lines that the side to move can fill at once: two of its pieces are there, and its largest piece in hand
    fits on the third cell. Before the end of a game, no line is full."""
    seat = position.seat
    largest = max((SIZE[kind] for kind in TEAMS[seat] if position.hands[PLACE[kind]]), default=0)
    missing = {line: [cell for cell in line if TEAM_OF.get(position.cells[cell]) != seat] for line in LINES}
    return [
        f"three in {LINE_NAMES[line]}"
        for line, rest in missing.items()
        if len(rest) == 1 and SIZE[position.cells[rest[0]]] < largest
    ]


def find_completed_line(moment: MoveContext[Position, Placement]) -> Iterator[Claim]:
    """Name the line that the best reply completes at once."""
    reply = moment.after.list_best_moves()[0]
    if moment.after.moves[reply] != Win(1):
        return
    line = full_lines(RULES.play(moment.child, reply).cells)[0]
    name = LINE_NAMES[line]
    facts = {"reply": reply, "line": name}
    if reply.cell == moment.move.cell:
        size, cell = size_target(moment.move.piece), CELL_NAMES[moment.move.cell]
        sentence = f"A {size} piece on {cell} does not block {name}: it can be covered."
        yield Claim("Covered", sentence, facts, substance=Substance.CONCRETE)
    elif all(TEAM_OF.get(moment.position.cells[cell]) == moment.child.seat for cell in line if cell != reply.cell):
        sentence = f"{moment.opponent} already had two pieces in {name}."
        yield Claim("Open", sentence, facts, substance=Substance.CONCRETE)


REASONS: GameReasons[Position, Placement] = GameReasons(
    related_moves=list_kin,
    more=find_completed_line,
    aims=name_winning_lines,
    all_aims=name_open_lines,
    achieved=name_full_lines,
    line="three in a row",
)

LESSON_TESTS: Mapping[str, Callable[[Position, Seat, Placement], bool]] = {
    "covers theirs": lambda position, seat, move: TEAM_OF.get(position.cells[move.cell]) == other(seat)
}
"""What lessons may ask a move to do."""
