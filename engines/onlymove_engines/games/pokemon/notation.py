"""Positions and moves of Pokémon Tic-Tac-Toe as text, the targets on the board, why a choice is forbidden, and how
players set up a position.

Examples are `xxx/xcB/xxx 222112 1` for a position and `a@00` for a move, or `(a:0, 0)` as the original program writes
it. The form of a position is checked, but not whether a game can lead to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from onlymove_engines.core.errors import BadNotation, BadPosition
from onlymove_engines.core.game import SetUp
from onlymove_engines.core.rules import MovePath, Target, require_legal
from onlymove_engines.core.value import Seat

from .rules import EACH, EMPTY, KINDS, PLACE, RULES, SEATS, SIZE, START, TEAM_OF, TEAMS, Placement, Position, full_lines

SIZES: tuple[Target, Target, Target] = ("small", "medium", "large")
"""The targets in the hand. They are the same for both seats, because only the side to move can pick."""

CELLS: tuple[Target, ...] = tuple(f"@{row}{column}" for row in range(3) for column in range(3))
"""The targets on the board, by row and column from the top left. The sign distinguishes them from plain numbers."""

COLUMNS, ROWS = "ABC", "123"
"""The labels at the board's edges. A cell is named by column and row, from `A1` at the top left to `C3`."""
CELL_NAMES = tuple(column + row for row in ROWS for column in COLUMNS)


LETTERS = dict(zip("abcABC", "SMLSML", strict=True))
"""The letter that players see for a piece: S, M or L for its size. Records contain the piece itself."""


def size_target(piece: str) -> Target:
    return SIZES["abc".index(piece.lower())]


def _name_covering(size: Target) -> str:
    """Name the other places where a piece may go besides an empty cell. Empty for the smallest size, which covers
    nothing."""
    return " or on top of a smaller piece" if size != SIZES[0] else ""


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    size, *rest = path
    if size not in SIZES:
        return "first take a piece from your hand: 1 small, 2 medium, 3 large"
    piece = TEAMS[seat][SIZES.index(size)]
    if not position.hands[PLACE[piece]]:
        return f"no {size} piece is left in your hand"
    if all(SIZE[visible] >= SIZE[piece] for visible in position.cells):
        return f"no cell is empty{f', and nothing is smaller than a {size} piece' if size != SIZES[0] else ''}"
    if not rest:
        return f"now put it on an empty cell{_name_covering(size)}"
    if rest[0] in SIZES:
        return f"you have picked a {size} piece from your hand: choose a cell for it"
    if SIZE[position.cells[CELLS.index(rest[0])]] >= SIZE[piece]:
        return f"a {size} piece goes on an empty cell{_name_covering(size)}"
    return ""


_BOARD = re.compile(r"[xabcABC]{3}/[xabcABC]{3}/[xabcABC]{3}")
_PLAIN_MOVE = re.compile(r"([abcABC])@([0-2][0-2])")
_NAMED_MOVE = re.compile(r"([abcABCsmlSML])@([ABCabc][1-3])")
_SEED_MOVE = re.compile(r"\(\s*([abcABC])\s*:\s*([0-2])\s*,\s*([0-2])\s*\)")
_HANDS = {"".join(map(str, hands)): hands for hands in product(range(EACH + 1), repeat=len(KINDS))}
_HAND_TEXTS = {hands: text for text, hands in _HANDS.items()}


class PokemonNotation:
    def format_position(self, position: Position) -> str:
        """Write the rows from top to bottom, the pieces left in hand as `aAbBcC`, and the side to move."""
        cells = position.cells
        return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {_HAND_TEXTS[position.hands]} {position.seat + 1}"

    def parse_position(self, text: str) -> Position:
        fields = text.split()
        if len(fields) != 3:
            raise BadNotation(f"a position has three parts, as in 'xxx/xcB/xxx 222112 1', so '{text}' is not one")
        board, hands_text, seat_text = fields
        if not _BOARD.fullmatch(board):
            raise BadNotation(
                f"the board is three rows of x, a, b, c, A, B or C, as in 'xxx/xcB/xxx', so '{board}' is not one"
            )
        if hands_text not in _HANDS:
            raise BadNotation(f"the pieces left are six digits from 0 to 2 in the order {KINDS}, not '{hands_text}'")
        if seat_text not in {"1", "2"}:
            raise BadNotation(f"the side to move must be 1 or 2, not '{seat_text}'")
        cells, hands, seat = board[:3] + board[4:7] + board[8:], _HANDS[hands_text], int(seat_text) - 1
        for kind, left in zip(KINDS, hands, strict=True):
            if cells.count(kind) + left > EACH:
                there = f"{cells.count(kind)} on the board and {left} left"
                raise BadPosition(f"there are more than {EACH} of the {size_target(kind)} piece {kind}: {there}")
        if sum(hands[1::2]) - sum(hands[::2]) != seat:
            raise BadPosition(f"with these pieces left, it cannot be player {seat + 1}'s turn")
        if seat in {TEAM_OF[cells[line[0]]] for line in full_lines(cells)}:
            raise BadPosition("the side to move already has three in a row, so the game would be over")
        return Position(cells, hands, seat)

    def format_move(self, position: Position, move: Placement) -> str:
        return f"{move.piece}{CELLS[move.cell]}"

    def parse_move(self, position: Position, text: str) -> Placement:
        """Return the legal move written as `a@00`, `(a:0, 0)`, `a@A1` or, for the side to move, `S@A1`. Raises
        BadNotation, IllegalMove or GameOver."""
        text = text.strip()
        if named := _NAMED_MOVE.fullmatch(text):
            piece, cell_name = named.groups()
            size = "SML".find(piece.upper())
            move = Placement(piece if size < 0 else TEAMS[position.seat][size], CELL_NAMES.index(cell_name.upper()))
        elif found := _PLAIN_MOVE.fullmatch(text) or _SEED_MOVE.fullmatch(text):
            piece, *cell = found.groups()
            row, column = map(int, "".join(cell))
            move = Placement(piece, 3 * row + column)
        else:
            raise BadNotation(f"a move is a piece and a cell, as in 'S@A1' or 'a@00', so '{text}' is not one")

        def explain() -> str:
            if TEAM_OF[move.piece] != position.seat:
                return f"{move.piece} is your opponent's: take a piece from your hand"
            return forbidden_by(position, position.seat, (size_target(move.piece), CELLS[move.cell]))

        return require_legal(RULES, position, move, explain)

    def paths(self, position: Position, move: Placement) -> Sequence[MovePath]:
        return ((size_target(move.piece), CELLS[move.cell]),)


def describe_move(_position: Position, move: Placement) -> str:
    """Write a move as `S@A1`: the size of the piece, and the cell as the board's edges name it."""
    return f"{LETTERS[move.piece]}@{CELL_NAMES[move.cell]}"


def format_for_seed(move: Placement) -> str:
    """Write a move as the original program does, `(a:0, 0)`."""
    row, column = divmod(move.cell, 3)
    return f"({move.piece}:{row}, {column})"


NOTATION = PokemonNotation()


def describe_position(position: Position) -> list[str]:
    """Describe what each side shows on the board and has in hand. Cells are named by column and row, as in moves.

    >>> from .rules import START
    >>> describe_position(START)[0]
    'Squirtle: none on the board; in hand 2 small, 2 medium, 2 large.'
    """
    found, cells = [], [*zip(CELL_NAMES, position.cells, strict=True)]
    for side, team in zip(SEATS, TEAMS, strict=True):
        visible = [f"{size_target(piece)} on {cell}" for piece in team for cell, shown in cells if shown == piece]
        left = {size_target(piece): position.hands[PLACE[piece]] for piece in team}
        hand = [f"{count} {name}" for name, count in left.items() if count]
        found.append(f"{side}: {', '.join(visible) or 'none on the board'}; in hand {', '.join(hand) or 'nothing'}.")
    return found


def put_piece(draft: Position, target: Target, piece: str) -> Position:
    """Return the draft with a piece, or none, on a cell.

    If the target is a size in the hand, the side to move gets one piece fewer, or as many as possible if it has none.
    The side with more pieces left moves next.
    """
    cells, hands = draft.cells, list(draft.hands)
    if target in SIZES:
        kind = TEAMS[draft.seat][SIZES.index(target)]
        hands[PLACE[kind]] = hands[PLACE[kind]] - 1 if hands[PLACE[kind]] else max(0, EACH - cells.count(kind))
    else:
        cell = CELLS.index(target)
        for kind, change in ((cells[cell], 1), (piece, -1)):
            if kind != EMPTY:
                hands[PLACE[kind]] = max(0, min(EACH, hands[PLACE[kind]] + change))
        cells = cells[:cell] + piece + cells[cell + 1 :]
    return Position(cells, tuple(hands), int(sum(hands[1::2]) > sum(hands[::2])))


def piece_on(draft: Position, target: Target) -> str:
    """Return the piece that a cell shows. Empty for a target in the hand."""
    return "" if target in SIZES else draft.cells[CELLS.index(target)]


PIECES = {kind: f"{size_target(kind)} {SEATS[TEAM_OF[kind]]}" for kind in KINDS}
SET_UP: SetUp[Position] = SetUp({**PIECES, EMPTY: "nothing"}, put_piece, piece_on, START)
