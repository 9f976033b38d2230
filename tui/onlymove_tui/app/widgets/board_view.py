"""Moves the cursor on a board, outlines it for a terminal without colours, and defines the widgets that show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter
from typing import Final, TypeAlias

from onlymove.pictures.colours import ANSI, AnyTone, On, Tone
from onlymove.pictures.painting import NO_MARKS, Grid, Marks, paint
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import GROUNDS, LARGEST, Place, Role, Scene, View
from onlymove_engines.core.shapes import QUADRANTS
from textual import events
from textual.geometry import Size

from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.themes import find_theme_id
from onlymove_tui.app.widgets.canvas import Canvas, Row, Run

Draw: TypeAlias = Callable[[int], Scene]
"""A function that draws the picture at a scale."""

FRAME = frozenset(
    {Role.GRID, Role.STORE, Role.HOME_FIRST, Role.HOME_SECOND, Role.BAND, Role.BAND_INNER, Role.DIMPLE, None}
)
"""The roles in a line that only separates other lines or closes them off."""
FRAME_WITH_ARROWS = FRAME | {Role.FLOW}
FRAME_WITH_STROKES = FRAME | {Role.FIRST_FRESH, Role.SECOND_FRESH}
"""Those of such a line when the stroke of a full line crosses it."""


def choose_lines(scene: Scene, height: int) -> Sequence[int]:
    """Return the lines of a picture to show in `height` lines, or more of them if no other line can be left out."""
    excess = scene.height - height
    gone = rank_dispensable_lines(scene)[:excess] if excess > 0 else ()
    return [line for line in range(scene.height) if line not in gone]


def rank_dispensable_lines(scene: Scene) -> list[int]:
    """Return the lines that may be left out: blank ones from below, then borders, arrows, and borders that the stroke
    of a full line crosses, each from outside."""
    cells = scene.cells()
    used = {y for place in scene.places for y in range(place.y, place.y + place.height)}
    free = [y for y in range(scene.height) if y not in used]
    blank = [y for y in reversed(free) if all(glyph == " " for glyph, _ in cells[y])]
    full = [y for y in free if y not in blank and 2 * sum(glyph != " " for glyph, _ in cells[y]) > len(cells[y]) // 2]
    borders = [y for y in free if y not in blank and {role for _, role in cells[y]} <= FRAME]
    arrows = [y for y in full if y not in borders and {role for _, role in cells[y]} <= FRAME_WITH_ARROWS]
    crossed = [y for y in full if y not in borders and {role for _, role in cells[y]} <= FRAME_WITH_STROKES]
    # The order is the last, the first, the last but one, the second, and so on.
    outermost = [chain(*zip(reversed(lines), lines, strict=True)) for lines in (borders, arrows, crossed)]
    return list(dict.fromkeys(chain(blank, *outermost)))


def find_neighbour(scene: Scene, current: Target | None, targets: Iterable[Target], dx: int, dy: int) -> Target | None:
    """Return the next of `targets` in a direction, or `current` if there is none. Up and down lead to the nearest
    target of the nearest row. Left and right follow the row, and at its end lead to the nearest target in that
    direction. So every target can be reached from every other."""
    here = None if current is None else scene.place(current)
    if here is None:
        return find_nearest(scene, current, targets)
    x, y = _centre(here)
    best: tuple[tuple[float, float, float], Target] | None = None
    for place in map(scene.place, targets):
        if place is None or place.target == current:
            continue
        px, py = _centre(place)
        ahead, aside = (px - x) * dx + (py - y) * dy, abs((px - x) * dy) + abs((py - y) * dx)
        cost = (ahead, aside, 0.0) if dy else (float(aside > 0), ahead + 2 * aside, ahead)
        if ahead > 0 and (best is None or cost < best[0]):
            best = (cost, place.target)
    return current if best is None else best[1]


def list_in_line(scene: Scene, current: Target | None, is_row: bool) -> Sequence[Target]:
    here = None if current is None else scene.place(current)
    if here is None:
        return ()
    return [place.target for place in scene.places if abs(_centre(place)[is_row] - _centre(here)[is_row]) < 1]


def find_nearest(
    scene: Scene, current: Target | None, targets: Iterable[Target], goals: Iterable[Target] = ()
) -> Target | None:
    """Return `current` if it is one of `targets`. Otherwise return the target closest to it. Targets nearer to the
    `goals` than `current` come first, and targets farther from them last. Among those, targets in the same row or
    column come first. If `current` is not in the picture, return the first of the targets."""
    options = tuple(targets)
    if current in options:
        return current
    here = None if current is None else scene.place(current)
    placed = [place for place in map(scene.place, options) if place is not None]
    if here is None or not placed:
        return options[0] if options else None
    ends = [place for place in map(scene.place, goals) if place is not None]
    costs = []
    for place in placed:
        before, after = (min((sum(_offsets(at, end)) for end in ends), default=0) for at in (here, place))
        offsets = _offsets(place, here)
        costs.append(((after > before) - (after < before), min(offsets) >= 1, sum(offsets)))
    return placed[costs.index(min(costs))].target


def find_middle(scene: Scene) -> Target | None:
    middle = Place("", 0, 0, scene.width, scene.height)
    return min(scene.places, key=lambda place: sum(_offsets(place, middle))).target if scene.places else None


def _offsets(place: Place, other: Place) -> tuple[float, float]:
    (x, y), (other_x, other_y) = _centre(place), _centre(other)
    return abs(x - other_x), abs(y - other_y)


def _centre(place: Place) -> tuple[float, float]:
    return (place.x + place.width / 2) / 2, place.y + place.height / 2


Spot: TypeAlias = tuple[int, int]

WAYS: Final = ((1, 0, -1), (2, 1, 0), (4, 0, 1), (8, -1, 0))
"""Up, right, down, left, each as (bit, dx, dy)."""
ACROSS: Final = 2 | 8
ENDS: Final = (0, 1, 2, 4, 8)
SIDES: Final[Mapping[str, int]] = {
    glyph: sum(bit for bit, quarters in ((1, 3), (2, 10), (4, 12), (8, 5)) if filled & quarters)
    for filled, glyph in enumerate(QUADRANTS)
}
"""The sides, as bits of WAYS, that the filled part of a character touches."""
FILLED: Final = 0.8
"""An area gets no outline if pieces cover more of it than this share. It would look like their second edge."""
LINES: Final = " │─╰││╭├─╯─┴╮┤┬┼"
"""The characters for lines that leave a cell in some directions, by the sum of their bits."""
EDGES: Final = str.maketrans("▗▖▝▘▟▙▜▛▄▀▐▌", "╭╮╰╯╱╲╲╱──││")
"""Characters partly filled by a ground, and the lines that replace them inside another ground."""


def outline(scene: Scene, grid: Grid, ascii_only: bool = False) -> Grid:
    """Return a marked picture for a terminal without colours. Edges of grounds become lines, and marks stay."""
    bare, lines = _paint_bare(scene, ascii_only)
    return [
        [
            (lines.get((x, y), cell[0].translate(EDGES)), Role.GRID)
            if _is_edge(cell[1]) or ((x, y) in lines and cell == bare[y][x])
            else cell
            for x, cell in enumerate(row)
        ]
        for y, row in enumerate(grid)
    ]


@lru_cache(maxsize=4)
def _paint_bare(scene: Scene, ascii_only: bool) -> tuple[Grid, Mapping[Spot, str]]:
    bare = paint(scene, NO_MARKS, ascii_only)
    return bare, dict(_trace_lines(bare))


def _is_edge(tone: AnyTone | None) -> bool:
    return (tone.ink if isinstance(tone, On) else tone) in GROUNDS


def _trace_lines(grid: Grid) -> Iterator[tuple[Spot, str]]:
    """Yield the lines that show areas without colours, each with its place. They replace edges and blanks."""
    cells = {(x, y): cell for y, row in enumerate(grid) for x, cell in enumerate(row)}
    edges: dict[AnyTone | None, set[Spot]] = {}
    grounds: dict[AnyTone | None, set[Spot]] = {}
    for spot, (_, tone) in cells.items():
        if _is_edge(tone):
            edges.setdefault(tone.ink if isinstance(tone, On) else tone, set()).add(spot)
        if isinstance(tone, On):
            grounds.setdefault(tone.ground, set()).add(spot)
    blank = {spot for spot, (glyph, _) in cells.items() if glyph == " "}
    pieces = {spot for ground, spots in grounds.items() if ground not in GROUNDS for spot in spots}
    for inside, rim, own in _find_areas(grid, edges, grounds):
        piece = inside & pieces
        if own and len(piece | (own - blank)) > FILLED * len(piece | own):
            yield from ((spot, " ") for spot in rim)
            continue
        ways = {spot: _find_ways(spot, inside) for spot in inside}
        free = {spot for spot in inside & blank if ways[spot]}
        strung = _find_strings({spot for spot in free if ways[spot] == ACROSS}, inside - blank - rim)
        for spot in rim | free - strung:
            if ways[spot] not in ENDS:
                yield spot, LINES[ways[spot]]


def _find_strings(across: Set[Spot], pieces: Set[Spot]) -> set[Spot]:
    """Return the horizontal lines that end at a piece. With them, the piece would look as if it hung on a string."""
    found = set[Spot]()
    for x, y in pieces:
        for step in (1, -1):
            there = (x + step, y)
            while there in across:
                found.add(there)
                there = (there[0] + step, y)
    return found


def _find_areas(
    grid: Grid, edges: Mapping[AnyTone | None, Set[Spot]], grounds: Mapping[AnyTone | None, Set[Spot]]
) -> Iterator[tuple[Set[Spot], Set[Spot], Set[Spot]]]:
    """For each connected area of a ground, yield the places it encloses, those of its edge, and the others in it."""
    everything = {(x, y) for y, row in enumerate(grid) for x in range(len(row))}
    margin = {(x, y) for x, y in everything if not (0 < x < len(grid[y]) - 1 and 0 < y < len(grid) - 1)}
    for ground, rim in edges.items():
        sides = {
            (x, y): SIDES.get(grid[y][x][0], 15) if (x, y) in rim else 15 for x, y in rim | grounds.get(ground, set())
        }
        left = set(rim)
        while left:
            area = _flood({min(left)}, sides)
            left -= area
            outside = _flood(margin - area, dict.fromkeys(everything - area, 15))
            yield (everything - outside) | _fill_rows(area), rim & area, area - rim


def _fill_rows(area: Set[Spot]) -> set[Spot]:
    """Fill the gaps in each row of an area, so that a piece at its upper or lower edge does not count as outside."""
    rows: dict[int, list[int]] = {}
    for x, y in area:
        rows.setdefault(y, []).append(x)
    return {(x, y) for y, across in rows.items() for x in range(min(across), max(across) + 1)}


def _flood(start: Set[Spot], sides: Mapping[Spot, int]) -> set[Spot]:
    """Return the spots that can be reached from `start`. `sides` gives the open sides of each spot, as bits of WAYS."""
    found, todo = set(start), list(start)
    while todo:
        x, y = todo.pop()
        near = [
            spot
            for bit, dx, dy in WAYS
            if sides[x, y] & bit
            and (spot := (x + dx, y + dy)) not in found
            and sides.get(spot, 0) & (bit << 2 if bit < 4 else bit >> 2)
        ]
        found.update(near)
        todo += near
    return found


def _find_ways(spot: Spot, inside: Set[Spot]) -> int:
    x, y = spot
    bits = 0
    for bit, dx, dy in WAYS:
        there = (x + dx, y + dy)
        beside = [{(x + side * dy, y + side * dx), (there[0] + side * dy, there[1] + side * dx)} for side in (1, -1)]
        if there in inside and not all(pair <= inside for pair in beside):
            bits |= bit
    return bits


EMPTY = Scene(0, 0, ())


class BoardView(Canvas):
    """Shows the board of any game. A picture that is too high first loses lines without meaning, then it scrolls."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.scene = EMPTY
        self.scale = 1
        self.marks = NO_MARKS
        self.draw_at: Draw = lambda _: EMPTY
        """Draws the picture at a scale."""
        self._fitted: tuple[Size, int, int] = (Size(), 0, 0)

    def show(self, draw: Draw, marks: Marks) -> None:
        """Show a picture with its marks at the largest scale that fits."""
        self.draw_at, self.marks = draw, marks
        self._fit()
        self.repaint()

    def _fit(self) -> None:
        """Draw the picture. If the widget or the picture has a new size, find the largest scale that fits, or 1."""
        self.scene = self.draw_at(self.scale)
        if self._fitted != (self.size, self.scene.width, self.scene.height):
            for self.scale in range(LARGEST, 0, -1):
                self.scene = self.draw_at(self.scale)
                if self.scene.width <= self.size.width and self.scene.height <= self.size.height:
                    break
            self._fitted = (self.size, self.scene.width, self.scene.height)

    def redraw(self) -> None:
        self._fit()
        super().redraw()

    def rows(self) -> Sequence[Row]:
        ascii_only = bool(getattr(self.app, "ascii_only", False))
        grid = paint(self.scene, self.marks, ascii_only)
        grid = outline(self.scene, grid, ascii_only) if find_theme_id(self.app) == ANSI else grid
        left, top, lines = self.place_of_scene()
        margin: Run = (" " * left, Tone.TEXT)
        shown = []
        for line in lines[max(0, -top) :]:
            runs = groupby(grid[line], itemgetter(1))
            shown.append([margin, *(("".join(glyph for glyph, _ in run), tone or Tone.TEXT) for tone, run in runs)])
        return [[]] * max(0, top) + shown

    def place_of_scene(self) -> tuple[int, int, Sequence[int]]:
        """Return the column and row of the widget at which the picture begins, and the lines of the picture that are
        shown. A negative row means that the top of the picture is scrolled out of view."""
        lines = choose_lines(self.scene, self.size.height or self.scene.height)
        spare = self.size.height - len(lines)
        left = max(0, (self.size.width - self.scene.width) // 2)
        if spare >= 0:
            return left, spare // 2, lines
        place = self.scene.place(self.marks.cursor) if self.marks.cursor is not None else None
        middle = len(lines) // 2 if place is None else lines.index(place.y + place.height // 2)
        return left, max(spare, min(0, self.size.height // 2 - middle)), lines

    def on_click(self, event: events.Click) -> None:
        left, top, lines = self.place_of_scene()
        y = event.y - top
        target = self.scene.target_at(event.x - left, lines[y]) if 0 <= y < len(lines) else None
        if target is not None:
            self.post_message(Pointed(target))


@dataclass(frozen=True, slots=True)
class Picture:
    """A position drawn at every scale, the smallest first. `notes` are pairs of a name and a fact."""

    scenes: tuple[Scene, ...]
    notes: tuple[tuple[str, str], ...] = ()

    def __call__(self, scale: int) -> Scene:
        return self.scenes[min(scale, len(self.scenes)) - 1]


NO_PICTURE = Picture((Scene(0, 0, ()),))


PictureKey: TypeAlias = tuple[GameId, str, bool]
"""The game of a picture, what is on the board, and whether it is drawn in ASCII."""


def draw_every_scale(game: AnyGame, view: View[object, object]) -> Picture:
    """Draw a view at every scale. Call it in a worker."""
    return Picture(tuple(game.painter.scene(replace(view, scale=scale)) for scale in range(1, LARGEST + 1)))


class SmallBoard(BoardView):
    """Shows a picture in as few lines as possible. If even those do not fit, it shows nothing. It stores its
    `pictures`. The one that is `wanted` may not be drawn yet."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: dict[PictureKey, Picture] = {}
        self.wanted: PictureKey | None = None

    def show_stored(self, key: PictureKey) -> bool:
        """Show a picture, and return whether somebody has to draw it first. Until then, the last picture of the same
        game stays."""
        before, self.wanted = self.wanted, key
        if key in self.pictures:
            self.show(self.pictures[key], NO_MARKS)
        elif before is None or before[0] != key[0]:
            self.show(NO_PICTURE, NO_MARKS)
        return key not in self.pictures and key != before

    def show_nothing(self) -> None:
        self.wanted = None
        self.show(NO_PICTURE, NO_MARKS)

    @property
    def notes(self) -> Sequence[tuple[str, str]]:
        """The notes of the picture, once it is drawn."""
        return () if self.wanted is None else self.pictures.get(self.wanted, NO_PICTURE).notes

    def rows(self) -> Sequence[Row]:
        fits = self.scene.width <= self.size.width and len(self.place_of_scene()[2]) <= self.size.height
        return super().rows() if fits else ()

    def on_click(self, event: events.Click) -> None:
        """Ignore the click, because moves are not entered on this picture."""
        event.prevent_default()
