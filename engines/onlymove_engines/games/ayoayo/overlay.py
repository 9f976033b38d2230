"""The preview drawn on the board: where a sowing ends, what is captured by whom."""

from __future__ import annotations

from collections.abc import Iterator

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Role, Sprite, View
from onlymove_engines.core.value import other

from . import rules
from .glyphs import SIGN, Kind
from .layout import Size
from .preview import Preview, preview
from .rules import CAPTURED_AT, Cell, Pit, Position

LANDING = "▼"
"""Where the last seed falls."""


def overlay(size: Size, view: View[Position, Cell]) -> Iterator[Sprite]:
    """The preview: of the pit looked at, else of every permitted pit in one line."""
    position = view.position
    looked_at = view.chosen[-1] if view.chosen else view.options.get("cursor")
    looks = {str(move + 1): preview(position, move) for move in rules.legal_moves(position)}
    if isinstance(looked_at, str) and looked_at in looks:
        yield from looked(size, position, looked_at, looks[looked_at], view.flipped)
    else:
        yield from at_a_glance(size, position, looks, view.flipped)


def looked(size: Size, position: Position, target: Target, look: Preview, flipped: bool) -> Iterator[Sprite]:
    """Where the last seed of one move falls, and each capture under its pit."""
    for pit in dict.fromkeys(pit for pit, _ in look.captures):
        takers = [taker for where, taker in look.captures if where == pit]
        by_mover = pit == look.last and takers[-1] == position.to_move
        sign = SIGN[Kind.MOVER_TAKES if by_mover else Kind.OWNER_TAKES]
        yield below(size, pit, f"{sign}+{CAPTURED_AT * len(takers)}", flipped)
    x, y = size.corner(look.last, flipped)
    yield Sprite(x + size.bowl_width - 1, y + size.place_height - 1, (LANDING,), Role.GHOST)
    text = sentence(position, target, look)
    yield Sprite((size.width - len(text)) // 2, size.comment, (text,), Role.NOTE)


def sentence(position: Position, target: Target, look: Preview) -> str:
    """`3: 14 seeds, 2 relays, ▼ own pit 5; +4 / -8`."""
    whose = "own" if rules.owner(look.last) == position.to_move else "far"
    gains = (look.captured(position.to_move), look.captured(other(position.to_move)))
    relays = f", {look.relays} relay{'s' * (look.relays > 1)}" if look.relays else ""
    end = f"{whose} pit {rules.cell_of(look.last) + 1}"
    return f"{target}: {look.drops} seed{'s' * (look.drops > 1)}{relays}, {LANDING} {end}; +{gains[0]} / -{gains[1]}"


def at_a_glance(size: Size, position: Position, looks: dict[Target, Preview], flipped: bool) -> Iterator[Sprite]:
    """What each permitted pit captures, `mover:other side`, under the pit."""
    mover = position.to_move
    for target, look in looks.items():
        gains = f"{look.captured(mover)}:{look.captured(other(mover))}"
        yield below(size, rules.pit_of(mover, int(target) - 1), gains, flipped)


def below(size: Size, pit: Pit, text: str, flipped: bool) -> Sprite:
    """A word in the line for values."""
    x, y = size.corner(pit, flipped)
    return Sprite(x + (size.bowl_width - len(text)) // 2, y + size.place_height - 1, (text,), Role.GHOST)
