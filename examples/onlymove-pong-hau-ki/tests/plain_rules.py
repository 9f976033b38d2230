"""The rules of Pong Hau K'i once more, for the checker of certificates. Nothing else of this package is used here."""

from __future__ import annotations

from collections.abc import Iterator

NAMES = ("a1", "c1", "b2", "a3", "c3")
LINES = ((1, 2, 3), (0, 2, 4), (0, 1, 3, 4), (0, 2), (1, 2))
MIRRORED = (1, 0, 2, 4, 3)


class PongHauKi:
    """A position is its text, such as `xx.oo x`: the five points, and the side to move."""

    start, most = "xx.oo x", 1

    def parse(self, text: str) -> str:
        """Return the position."""
        return text

    def moves(self, position: str) -> Iterator[tuple[str, str]]:
        """Yield the text of each move and the position after it."""
        points, side = position.split()
        gap = points.index(".")
        for point in LINES[gap]:
            if points[point] == side:
                after = list(points)
                after[gap], after[point] = side, "."
                yield NAMES[point], f"{''.join(after)} {'o' if side == 'x' else 'x'}"

    def end(self, position: str) -> int | None:
        """Return 1 if the game is over and x has won, -1 if o has won, `None` if the game goes on."""
        return None if any(self.moves(position)) else -1 if position[-1] == "x" else 1

    def lead(self, _: str) -> int:
        """Return what endless play is worth to x: nothing."""
        return 0

    def left(self, _: str) -> int:
        """Return by how much the lead can still change."""
        return 1

    def images(self, position: str) -> list[str]:
        """Return the position and its mirror image, which count as one."""
        return [position, "".join(position[point] for point in MIRRORED) + position[5:]]


GAMES = {"ponghauki": PongHauKi()}
