"""The picture: the grid between the two hands, pieces of three heights and widths, rims of covered ones.

    Squirtle: round drops          Charmander: pointed flames
                       ▗▟███▙▖                   ◢█◣
               ▗███▖   ███████           ◢█◣    ◢███◣
      ▗▄▖      █ b █   ██ c ██     ▲    ◢ B ◣  ◢█ C █◣
      ▐a▌      ▝███▘   ▝▜███▛▘    ◢A◣   █████  ███████

All pieces of a cell stand on its fourth row; the fifth shows what they cover, as far as the game's past tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, View
from onlymove_engines.core.value import Seat

from .notation import CELLS, SIZES
from .rules import EMPTY, PLACE, RULES, SIZE, TEAM_OF, TEAMS, Piece, Placement, Position, full_lines

PokemonView = View[Position, Placement]

WIDTH, HEIGHT = 51, 20
CELL_WIDTH, CELL_HEIGHT = 9, 5
GROUND = 4
"""Rows of a cell above its rim row."""

BOARD_X, BOARD_Y = 11, 1
HAND_WIDTH = 7
HAND_X = (1, WIDTH - 1 - HAND_WIDTH)
"""Left edge of the left and of the right hand; one column is free around each for a cursor's frame."""

GRID_LINES = ("╭┬╮", "├┼┤", "╰┴╯", "─", "│")
NAMES = ("Squirtle", "Charmander")
ROLES = (Role.FIRST, Role.SECOND)
BRIGHT = (Role.FIRST_FRESH, Role.SECOND_FRESH)

PICTURES: dict[Piece, tuple[str, ...]] = {
    "a": ("▗▄▖", "▐a▌"),
    "b": ("▗███▖", "█ b █", "▝███▘"),
    "c": ("▗▟███▙▖", "███████", "██ c ██", "▝▜███▛▘"),
    "A": (" ▲ ", "◢A◣"),
    "B": (" ◢█◣ ", "◢ B ◣", "█████"),
    "C": ("  ◢█◣  ", " ◢███◣ ", "◢█ C █◣", "███████"),
}
ASCII_PICTURES: dict[Piece, tuple[str, ...]] = {
    "a": (".-.", "(a)"),
    "b": (".---.", "( b )", "'---'"),
    "c": (".-----.", "(     )", "(  c  )", "'-----'"),
    "A": (" ^ ", "/A\\"),
    "B": ("  ^  ", " /B\\ ", "/___\\"),
    "C": ("   ^   ", "  / \\  ", " / C \\ ", "/_____\\"),
}


class PokemonPainter:
    """Draws any moment of a game."""

    def scene(self, view: PokemonView) -> Scene:
        """The position between the hands, with what the past knows of covered pieces."""
        sprites = (*_grid(view), *_pieces(view), *_rims(view), *_hands(view))
        return Scene(WIDTH, HEIGHT, sprites, (*_cell_places(view), *_hand_places(view)))

    def between(self, view: PokemonView) -> tuple[Scene, ...]:
        """Nothing moves on the way: a piece is put down."""
        return ()

    def trace(self, position: Position, move: Placement) -> tuple[Target, ...]:
        """The cell on which the piece stands now."""
        return (CELLS[move.cell],)


def covered(view: PokemonView) -> tuple[str, ...]:
    """For each cell the pieces known to lie under the visible one, lowest first."""
    stacks = [""] * len(CELLS)
    for before, move in zip(view.positions, view.moves, strict=False):
        stacks[move.cell] += before.cells[move.cell].replace(EMPTY, "")
    return tuple(stacks)


def _corner(view: PokemonView, cell: int) -> tuple[int, int]:
    """The top left character of a cell's inside; a flipped board is turned half round."""
    row, column = divmod(len(CELLS) - 1 - cell if view.flipped else cell, 3)
    return BOARD_X + 1 + column * (CELL_WIDTH + 1), BOARD_Y + 1 + row * (CELL_HEIGHT + 1)


def _hand_corner(view: PokemonView, seat: Seat, size: int) -> tuple[int, int]:
    side = 1 - seat if view.flipped else seat
    return HAND_X[side], BOARD_Y + 1 + size * (CELL_HEIGHT + 1)


def _grid(view: PokemonView) -> Iterator[Sprite]:
    top, middle, bottom, across, down = ("+++", "+++", "+++", "-", "|") if view.ascii_only else GRID_LINES

    def rule(ends: str) -> str:
        return ends[0] + ends[1].join([across * CELL_WIDTH] * 3) + ends[2]

    inside = [down + (" " * CELL_WIDTH + down) * 3] * CELL_HEIGHT
    rows = [rule(top), *inside, rule(middle), *inside, rule(middle), *inside, rule(bottom)]
    yield Sprite(BOARD_X, BOARD_Y, tuple(rows), Role.GRID)
    for index in range(3):
        x, y = _corner(view, index * 4)
        yield Sprite(x + CELL_WIDTH // 2, 0, (str(index),), Role.LABEL)
        yield Sprite(BOARD_X - 2, y + CELL_HEIGHT // 2, (str(index),), Role.LABEL)


def _standing(view: PokemonView, piece: Piece, corner: tuple[int, int], width: int, role: Role) -> Sprite:
    """`piece` on the ground of a place of this width whose top left corner is given."""
    x, y = corner
    rows = (ASCII_PICTURES if view.ascii_only else PICTURES)[piece]
    return Sprite(x + (width - len(rows[0])) // 2, y + GROUND - len(rows), rows, role)


def _pieces(view: PokemonView) -> Iterator[Sprite]:
    cells = view.position.cells
    winning = {cell for line in full_lines(cells) for cell in line}
    for cell, piece in enumerate(cells):
        if piece != EMPTY:
            role = (BRIGHT if cell in winning else ROLES)[TEAM_OF[piece]]
            yield _standing(view, piece, _corner(view, cell), CELL_WIDTH, role)


def _rims(view: PokemonView) -> Iterator[Sprite]:
    for cell, stack in enumerate(covered(view)):
        x, y = _corner(view, cell)
        x += (CELL_WIDTH - 3 * len(stack)) // 2
        for index, piece in enumerate(stack):
            rim = f"\\{piece}/" if view.ascii_only else f"╰{piece}╯"
            yield Sprite(x + 3 * index, y + GROUND, (rim,), ROLES[TEAM_OF[piece]])


def _hands(view: PokemonView) -> Iterator[Sprite]:
    mover = None if RULES.result(view.position) else view.position.seat
    for seat, team in enumerate(TEAMS):
        yield _name(view, seat, (BRIGHT if seat == mover else ROLES)[seat])
        for index, piece in enumerate(team):
            left = view.position.hands[PLACE[piece]]
            x, y = _hand_corner(view, seat, index)
            role = ROLES[seat] if left else Role.SPENT
            yield _standing(view, piece, (x, y), HAND_WIDTH, role)
            times = "x" if view.ascii_only else "×"
            yield Sprite(x, y + GROUND, (f"{SIZE[piece]}    {times}{left}",), Role.LABEL if left else Role.SPENT)


def _name(view: PokemonView, seat: Seat, role: Role) -> Sprite:
    """The team's name over its hand."""
    is_left = (seat == 1) == view.flipped
    return Sprite(1 if is_left else WIDTH - len(NAMES[seat]), 0, (NAMES[seat],), role)


def _cell_places(view: PokemonView) -> Iterator[Place]:
    for cell, target in enumerate(CELLS):
        yield Place(target, *_corner(view, cell), CELL_WIDTH, CELL_HEIGHT, mark=(0, 0), label=(CELL_WIDTH // 2, 0))


def _hand_places(view: PokemonView) -> Iterator[Place]:
    """Only the side to move can pick, so only its hand answers to the three sizes."""
    for index, target in enumerate(SIZES):
        x, y = _hand_corner(view, view.position.seat, index)
        yield Place(target, x, y, HAND_WIDTH, CELL_HEIGHT, mark=(1, GROUND), label=(HAND_WIDTH // 2, GROUND))
