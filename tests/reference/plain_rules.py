"""The rules of the solved games in plain Python, for checking certificates. They are written from the printed rules and
use no other code of this project. A test checks that they agree with the rules of the game packages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any


def spread(cells: list[int]) -> list[int]:
    """Return, for every set of cells, the set after moving each cell k to cells[k]."""
    sets = [0] * (1 << len(cells))
    for chosen in range(1, len(sets)):
        low = chosen & -chosen
        sets[chosen] = sets[chosen ^ low] | 1 << cells[low.bit_length() - 1]
    return sets


class Game:
    """The rules of one game. `moves` gives the text of each move and the position after it. `end` is the first side's
    lead if the game is over. `images` are the positions that are symmetric to one. No lead is greater than `most`, and
    no lead can change by more than `left` from now on."""

    start, most = "", 1

    def parse(self, text: str) -> Any:
        raise NotImplementedError

    def text(self, position: Any) -> str:
        """Return the position as text."""
        raise NotImplementedError

    def mover(self, position: Any) -> int:
        """Return 0 if the first side is to move, and 1 for the second."""
        raise NotImplementedError

    def moves(self, position: Any) -> Any:
        raise NotImplementedError

    def end(self, position: Any) -> int | None:
        raise NotImplementedError

    def lead(self, _: Any) -> int:
        """Return the first side's lead in an unfinished game. This is also what endless play or a repetition is
        worth."""
        return 0

    def left(self, _: Any) -> int:
        return self.most

    def images(self, position: Any) -> list[Any]:
        return [position]


class Orbito(Game):
    """A position is the set of White's cells and the set of Black's, with a bit for each cell, row by row from the top
    left."""

    start, lines = "..../..../..../.... W", (15, 240, 3840, 61440, 4369, 8738, 17476, 34952, 0x8421, 0x1248)

    def __init__(self) -> None:
        next_cell = {a: b for ring in ("048cdefb7321", "59a6") for a, b in zip(ring, ring[1:] + ring[0], strict=True)}
        self.shift = spread([int(next_cell[f"{cell:x}"], 16) for cell in range(16)])
        self.turn = spread([(3 - cell % 4) * 4 + cell // 4 for cell in range(16)])
        self.has_line = [any(marbles & line == line for line in self.lines) for marbles in range(1 << 16)]
        pairs = [(a, b) for a in range(16) for b in range(16)]
        self.steps = [(a, b) for a, b in pairs if abs(a // 4 - b // 4) + abs(a % 4 - b % 4) == 1]
        self.names = [f"{'abcd'[cell % 4]}{4 - cell // 4}" for cell in range(16)]

    def parse(self, text: str) -> Any:
        cells = text[:-2].replace("/", "")
        return tuple(sum(1 << cell for cell in range(16) if cells[cell] == sign) for sign in "WB")

    def text(self, position: Any) -> str:
        cells = "".join(next((s for s, on in zip("WB", position, strict=True) if on >> k & 1), ".") for k in range(16))
        return "/".join(cells[row : row + 4] for row in range(0, 16, 4)) + f" {'WB'[self.mover(position)]}"

    def mover(self, position: Any) -> int:
        return int(position[0].bit_count() > position[1].bit_count())

    def images(self, position: Any) -> list[Any]:
        turns = [position]
        for _ in range(3):
            turns.append((self.turn[turns[-1][0]], self.turn[turns[-1][1]]))
        return turns

    def end(self, position: Any) -> int | None:
        for _ in range(6):
            white, black = self.has_line[position[0]], self.has_line[position[1]]
            if white or black or sum(position) != 0xFFFF:
                return white - black if white or black else None
            position = self.shift[position[0]], self.shift[position[1]]
        return 0

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        is_white = self.mover(position) == 0
        own, theirs = position if is_white else position[::-1]
        pushes = [(a, b) for a, b in self.steps if theirs >> a & 1 and not (own | theirs) >> b & 1]
        for origin, to in [(-1, -1), *pushes]:
            pushed = theirs if origin < 0 else theirs ^ (1 << origin | 1 << to)
            text = "" if origin < 0 else self.names[origin] + self.names[to]
            for cell in range(16):
                if not (own | pushed) >> cell & 1:
                    after = self.shift[own | 1 << cell], self.shift[pushed]
                    yield text + self.names[cell], after if is_white else after[::-1]


class Pokemon(Game):
    """A position is the nine cells, the pieces left (aAbBcC), and the side to move."""

    start, lines = "xxx/xxx/xxx 222222 1", ("012", "345", "678", "036", "147", "258", "048", "246")

    def parse(self, text: str) -> Any:
        cells, left, mover = text.split(" ")
        return cells.replace("/", ""), left, mover

    def text(self, position: Any) -> str:
        cells, left, mover = position
        return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {left} {mover}"

    def mover(self, position: Any) -> int:
        return int(position[2]) - 1

    def images(self, position: Any) -> list[Any]:
        cells, found = position[0], []
        for _ in range(4):
            cells = "".join(cells[3 * (2 - k % 3) + k // 3] for k in range(9))
            found += [(cells, *position[1:]), (cells[6:] + cells[3:6] + cells[:3], *position[1:])]
        return found

    def end(self, position: Any) -> int | None:
        for team, lead in (("abc", 1), ("ABC", -1)):
            if any(all(position[0][int(cell)] in team for cell in line) for line in self.lines):
                return lead
        return 0 if next(self.moves(position), None) is None else None

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        cells, left, mover = position
        for cell in range(9):
            for kind in range(int(mover) - 1, 6, 2):
                if left[kind] != "0" and kind // 2 + 1 > ("xaAbBcC".index(cells[cell]) + 1) // 2:
                    board = cells[:cell] + "aAbBcC"[kind] + cells[cell + 1 :]
                    hand = left[:kind] + str(int(left[kind]) - 1) + left[kind + 1 :]
                    yield f"{'aAbBcC'[kind]}@{cell // 3}{cell % 3}", (board, hand, "21"[int(mover) - 1])


class Tobito(Game):
    """A position is the fifteen cells, row by row from the bottom left, and the side to move."""

    def __init__(self, start: str) -> None:
        self.start = start
        self.goal = {"T": range(3), "B": range(12, 15)}
        self.names = ["abc"[cell % 3] + str(cell // 3 + 1) for cell in range(15)]

    def parse(self, text: str) -> Any:
        return "".join(reversed(text[:-2].split("/"))), text[-1]

    def text(self, position: Any) -> str:
        cells, side = position
        return "/".join(cells[row : row + 3] for row in (12, 9, 6, 3, 0)) + f" {side}"

    def mover(self, position: Any) -> int:
        return "TB".index(position[1])

    def images(self, position: Any) -> list[Any]:
        return [position, ("".join(position[0][row : row + 3][::-1] for row in range(0, 15, 3)), position[1])]

    def end(self, position: Any) -> int | None:
        won = [side for side in "TB" if all(position[0][cell] == side for cell in self.goal[side])]
        return {"T": 1, "B": -1}[won[0]] if won else None

    def flights(self, cells: str, side: str, other: str) -> Iterator[tuple[int, int, list[int]]]:
        """Yield each flight: the cell where it begins, the cell where it lands, and the cells of the jumped pieces that
        are not the side's own."""
        for origin in (cell for cell in range(15) if cells[cell] == side and cell not in self.goal[side]):
            for up, right in ((up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right):
                row, column, jumped = origin // 3 + up, origin % 3 + right, list[int]()
                while 0 <= row < 5 and 0 <= column < 3 and cells[3 * row + column] != ".":
                    jumped.append(3 * row + column)
                    row, column = row + up, column + right
                is_blocked = any(cells[cell] == other and cell in self.goal[other] for cell in jumped)
                if 0 <= row < 5 and 0 <= column < 3 and not is_blocked:
                    yield origin, 3 * row + column, [cell for cell in jumped if cells[cell] != side]

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        cells, side = position
        other = "B" if side == "T" else "T"
        for origin, landing, lifted in self.flights(cells, side, other):
            free = [cell for cell in range(15) if cells[cell] == "." and cell != landing]
            hops = any(cells[cell] == "N" for cell in lifted)
            for put in combinations(free, len(lifted) - hops):
                for stone in [cell for cell in free if 3 <= cell < 12 and cell not in put] if hops else [-1]:
                    board = list(cells)
                    for cell, piece in [(origin, "."), *((cell, ".") for cell in lifted), (landing, side)]:
                        board[cell] = piece
                    for cell in put:
                        board[cell] = other
                    if hops:
                        board[stone] = "N"
                    text = "".join(f"+{self.names[cell]}" for cell in put) + (f"*{self.names[stone]}" if hops else "")
                    if any(board[cell] == "." for cell in self.goal[other]):
                        yield self.names[origin] + self.names[landing] + text, ("".join(board), other)


class Ayoayo(Game):
    """A position is the twelve pits in the order of sowing, the captures of both sides, and the side to move."""

    start, most = "4,4,4,4,4,4/4,4,4,4,4,4 0-0 0", 48

    def parse(self, text: str) -> Any:
        rows, captured, mover = text.split(" ")
        first, second = ([int(seeds) for seeds in row.split(",")] for row in rows.split("/"))
        return (*reversed(first), *second), tuple(int(seeds) for seeds in captured.split("-")), int(mover)

    def text(self, position: Any) -> str:
        pits, captured, mover = position
        rows = (",".join(map(str, row)) for row in (reversed(pits[:6]), pits[6:]))
        return f"{'/'.join(rows)} {captured[0]}-{captured[1]} {mover}"

    def mover(self, position: Any) -> int:
        return int(position[2])

    def lead(self, position: Any) -> int:
        return int(position[1][0] - position[1][1])

    def left(self, position: Any) -> int:
        return sum(position[0])

    def end(self, position: Any) -> int | None:
        if max(position[1]) > 24:
            return self.lead(position)
        swept = sum(position[0][6:]) * -1 if position[2] else sum(position[0][:6])
        return None if self.moves(position) else self.lead(position) + swept

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - there is one game
    def moves(self, position: Any) -> list[tuple[str, Any]]:
        sown = [(str(cell + 1), self.sown(position, 6 + cell if position[2] else 5 - cell)) for cell in range(6)]
        theirs = slice(0, 6) if position[2] else slice(6, 12)
        return [(text, to) for text, to in sown if to and (any(position[0][theirs]) or any(to[0][theirs]))]

    def sown(self, position: Any, pit: int) -> Any:
        """Return the position after sowing a pit. Return `None` if the pit is empty or the sowing never ends."""
        pits, captured, mover = list(position[0]), list(position[1]), position[2]
        hand, pits[pit] = pits[pit], 0
        for _ in range(200 if hand else 0):
            pit, hand = (pit + 1) % 12, hand - 1
            pits[pit] += 1
            if pits[pit] == 4:
                captured[pit // 6 if hand else mover] += 4
                pits[pit] = 0
            elif not hand and pits[pit] > 1:
                hand, pits[pit] = pits[pit], 0
                continue
            if not hand:
                return tuple(pits), tuple(captured), 1 - mover
        return None


GAMES: dict[str, Game] = {
    "orbito": Orbito(),
    "pokemon": Pokemon(),
    "tobito": Tobito("TTT/.../.../.../BBB T"),
    "haneto": Tobito("TTT/.../.N./.../BBB T"),
    "ayoayo": Ayoayo(),
}
