"""The rules of Dots and Boxes once more, for the checker of certificates. Nothing else of this package is used here."""

from __future__ import annotations

from collections.abc import Iterator

NAMES = ("b1", "d1", "b3", "d3", "b5", "d5", "a2", "c2", "e2", "a4", "c4", "e4")
BOXES = ((0, 2, 6, 7), (1, 3, 7, 8), (2, 4, 9, 10), (3, 5, 10, 11))
MIRRORED = (1, 0, 3, 2, 5, 4, 8, 7, 6, 11, 10, 9)
UPSIDE_DOWN = (4, 5, 2, 3, 0, 1, 9, 10, 11, 6, 7, 8)
TURNED_OVER = (6, 9, 7, 10, 8, 11, 0, 2, 4, 1, 3, 5)
"""Where each line goes in the mirror images: left-right, top-bottom, and along the diagonal."""

Position = tuple[str, int, int, int]
"""The lines as `0` or `1`, the player to move, and the boxes of both."""


class DotsAndBoxes:
    start, most = "000000/000000 1 0-0", 4

    def parse(self, text: str) -> Position:
        lines, mover, boxes = text.replace("/", "").split()
        first, second = boxes.split("-")
        return lines, int(mover), int(first), int(second)

    def moves(self, position: Position) -> Iterator[tuple[str, Position]]:
        """Yield the text of each move and the position after it."""
        lines, mover, first, second = position
        for line, name in enumerate(NAMES):
            if lines[line] == "0":
                after = f"{lines[:line]}1{lines[line + 1 :]}"
                closed = sum(line in box and all(after[side] == "1" for side in box) for box in BOXES)
                gains = (closed, 0) if mover == 1 else (0, closed)
                yield name, (after, mover if closed else 3 - mover, first + gains[0], second + gains[1])

    def again(self, before: Position, after: Position) -> bool:
        """Whether the player who moved moves again."""
        return before[1] == after[1]

    def end(self, position: Position) -> int | None:
        return self.lead(position) if "0" not in position[0] else None

    def lead(self, position: Position) -> int:
        return position[2] - position[3]

    def left(self, position: Position) -> int:
        """Return how many boxes are open."""
        return 4 - position[2] - position[3]

    def images(self, position: Position) -> list[Position]:
        """Return the position and its mirror images, which count as one."""
        found = [position[0]]
        for lines in found:
            images = ("".join(lines[place] for place in places) for places in (MIRRORED, UPSIDE_DOWN, TURNED_OVER))
            found += [image for image in dict.fromkeys(images) if image not in found]
        return [(lines, *position[1:]) for lines in found]


GAMES = {"dotsandboxes": DotsAndBoxes()}
