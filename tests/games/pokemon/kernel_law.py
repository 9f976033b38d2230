"""Lists moves by the kernel, for the law that they agree with the rules."""

from __future__ import annotations

from onlymove_engines.games.pokemon._kernel import moves
from onlymove_engines.games.pokemon.analyst import SECOND, read_word
from onlymove_engines.games.pokemon.index import COVERED_STATES, INDEX, plain_number
from onlymove_engines.games.pokemon.rules import RULES, Placement, Position


def children(position: Position) -> list[tuple[Placement, Position]]:
    """Return every legal move and the position after it, in the order of the rules. If the kernel's number differs from
    that of the index, the position of the kernel's number is returned."""
    number, node = plain_number(position), moves.make_node()
    seat = moves.unpack(number, node.board, node.left)
    count = moves.list_children(node, seat, number % COVERED_STATES)
    found = []
    for word, child in zip(node.moves[:count].tolist(), node.numbers[:count].tolist(), strict=True):
        move = read_word(word + SECOND * seat)
        after = RULES.play(position, move)
        found.append((move, after if INDEX.number(after) == child else INDEX.position(child)))
    return found
