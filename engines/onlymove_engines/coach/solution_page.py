"""Writes the page about the solution of a game. It combines text written by hand with numbers counted in the table. The
page uses only the Markdown that both the app and the docs can show."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import zip_longest
from math import gcd

from onlymove_engines.core.game import AnyGame, AnyPosition, find_solution
from onlymove_engines.core.solution import ExtremePositions, Kind, Solution, TestedAdvice
from onlymove_engines.core.text import clean_lines, decode_text

WIDTH = 70
"""The width in columns of lists and diagrams."""

NUMBERS = "{numbers}"
"""Where the counted numbers go in the text written by hand."""

MAX_SHOWN = 3
"""How many positions of each kind are listed."""

NOT_SOLVED = "not solved"
"""What `game.toml` says if the author does not know the value of the start position. A table may still know it."""

NOTHING = "There are no statistics for this game yet."

MOVES = "moves"
"""The unit of distances in a game without points."""

BOARDS = "boards"

MAX_ROWS, BAR = 16, 20
"""The most rows of a chart, and the longest bar."""


def write_page(game: AnyGame, solution: Solution | None = None) -> str:
    """Return the whole page with the counts of `solution`, or of the one in the game's package. If there is neither,
    the page says that there are no statistics yet. Raises UnreadableSolution."""
    frame, solution = read_frame(game), solution or find_solution(game)
    return frame.replace(NUMBERS, NOTHING if solution is None else "\n\n".join(write_numbers(game, solution)))


def wrap(text: str, bullet: str = "") -> str:
    """Wrap a text without separating a number from its per cent sign."""
    more = " " * len(bullet)
    wrapper = textwrap.TextWrapper(WIDTH, initial_indent=bullet, subsequent_indent=more, break_on_hyphens=False)
    return wrapper.fill(text.replace(" %", "\0%")).replace("\0%", " %")


def wrap_list(texts: Iterable[str]) -> str:
    return "\n".join(wrap(text, "- ") for text in texts)


def read_frame(game: AnyGame) -> str:
    """Return the part of the page written by hand. Without one, return a heading and the place for the counts."""
    if game.facts.package and (file := resources.files(game.facts.package) / f"{game.id}.solution.md").is_file():
        return clean_lines(decode_text(file.read_bytes(), "strict"))
    return f"# {game.facts.title}: what the solution says\n\n{game.facts.pitch}.\n\n{NUMBERS}\n"


def write_numbers(game: AnyGame, solution: Solution) -> Iterator[str]:
    yield "## The start"
    known = "" if game.facts.solved == NOT_SOLVED else f"With best play: {game.facts.solved}. "
    yield wrap(f"{known}What each first move is worth to the side that plays it:")
    yield "\n".join(list_first_moves(game, solution))
    yield "## Positions"
    yield describe_positions(game, solution)
    if any(solution.distances.values()):
        yield fence_rows(draw_chart(solution, "to come" if game.facts.has_margin else MOVES))
    if solution.choices:
        state, does = ("behind", "loses no points") if game.facts.has_margin else ("losing", "keeps the result")
        things, only = name_positions(game), format_share(solution.only_moves / solution.choices)
        yield "## Choices"
        yield wrap(
            f"{'On' if things == BOARDS else 'In'} {solution.choices:,} {things} the side to move has two moves or more"
            f" and is not {state}. In {only} of them only one move {does}. A random move {does}"
            f" {format_share(solution.kept)} of the time."
        )
    yield from describe_extremes(game, solution)
    yield from format_advice(solution.advice, game.facts.has_margin)
    if solution.facts:
        yield "## Also counted"
        yield wrap_list(f"{count:,} {sentence}." for sentence, count in solution.facts.items())


def fence_rows(rows: Sequence[str]) -> str:
    return "\n".join(("```", *rows, "```"))


def list_first_moves(game: AnyGame, solution: Solution) -> Iterator[str]:
    """Yield the lines of a table: each value, best first, with the first moves that have it."""
    start = game.default_start()
    by_value: dict[str, list[str]] = {solution.start: []}
    for text, value in solution.first_moves.items():
        by_value.setdefault(value, []).append(game.describe_move(start, game.notation.parse_move(start, text)))
    yield "| value | first moves |"
    yield "| --- | --- |"
    for value, moves in by_value.items():
        for number, line in enumerate(textwrap.wrap(" ".join(moves), WIDTH - 10)):
            yield f"| {'' if number else value} | {line} |"


def describe_positions(game: AnyGame, solution: Solution) -> str:
    names = ", ".join(symmetry.name for symmetry in game.solved.symmetries if symmetry.name != "identity")
    classes = f", {solution.classes:,} up to symmetry ({names})" if solution.classes < solution.positions else ""
    things = name_positions(game)
    holds = "The table holds" if things == BOARDS else "A game can lead to"
    if solution.one_in > 1:
        holds = f"The table is too large to count in full. The figures are for one position in {solution.one_in}:"
    only = ", counting the points still to come," if game.facts.has_margin and things != BOARDS else ""
    text = (
        f"{holds} {solution.positions:,} {things}{classes}. In {solution.finished:,} of them the game is"
        f" over. In the others{only} the side to move"
    )
    goes_on = solution.positions - solution.finished
    says = ("is ahead", "is level", "is behind") if game.facts.has_margin else ("wins", "draws", "loses")
    counts = [solution.outcomes[outcome] for outcome in ("win", "draw", "loss")]
    rows = [
        f"- {say} in {count:,} ({format_share(count / max(goes_on, 1))})"
        for say, count in zip(says, counts, strict=True)
    ]
    return "\n".join([wrap(text), "", *rows])


def name_positions(game: AnyGame) -> str:
    """Return what the page counts: positions, or boards, which leave out the points captured so far."""
    return BOARDS if game.facts.has_margin and game.solved.index is not None else "positions"


def format_share(share: float) -> str:
    """Write a share as `83 %`, or as `8.3 %` below ten per cent."""
    return f"{100 * share:.{1 if share < 0.0995 else 0}f} %"


def draw_chart(solution: Solution, unit: str) -> list[str]:
    """Draw a chart of wins and losses by distance, both on the same scale."""
    wins, losses = (solution.distances[outcome] for outcome in ("win", "loss"))
    last, apart = max({*wins, *losses}), 1 if wins.keys() & losses.keys() else 2
    step, multiple = max(-(-last // MAX_ROWS), apart), 1
    if unit != MOVES:
        multiple = gcd(*wins, *losses)  # Points may only occur as multiples of four, for example.
        step = multiple * -(-last // (MAX_ROWS * multiple))
    bins = [range(low, low + step) for low in range(1, last + 1, step)]
    won_in, lost_in = ([sum(counts.get(plies, 0) for plies in each) for each in bins] for counts in (wins, losses))
    most = max(won_in + lost_in)
    heads = ("won", "lost") if unit == MOVES else ("ahead", "behind")
    rows = [f"{unit:<8}{heads[0]:>11} {'':{BAR}} {heads[1]:>11}"]
    for each, won, lost in zip(bins, won_in, lost_in, strict=True):
        # With a multiple, the last number of a bin may be its only one.
        low, high = each[0] + multiple - 1, each[-1]
        name = str(high) if low == high else f"{low}-{high}"
        row = f"{name:<8}{won:>11,} {draw_bar(won, most):<{BAR}} {lost:>11,} {draw_bar(lost, most)}"
        rows.append(row.rstrip())
    return rows


def draw_bar(count: int, most: int) -> str:
    return "▄" * round(BAR * count / most) or "▁" * (count > 0)


def describe_extremes(game: AnyGame, solution: Solution) -> Iterator[str]:
    for kind, found in solution.named.items():
        heading, sentence = EXTREME_TEXTS[kind, game.facts.has_margin]
        yield f"## {heading}"
        yield wrap(f"{sentence.format(found.figure)} {describe_count(found, name_positions(game))}")
        yield fence_rows(found.positions[:MAX_SHOWN])
        if kind is Kind.LONGEST_WIN:
            yield "Best play from the first of them:" if found.count > 1 else "Best play from there:"
            yield fence_rows(write_line(game, found.positions[0], solution.line))


EXTREME_TEXTS: Mapping[tuple[Kind, bool], tuple[str, str]] = {
    (Kind.LONGEST_WIN, False): ("The longest win", "The longest win takes {} moves."),
    (Kind.LONGEST_WIN, True): (
        "The longest wait for a capture",
        "With best play, the next capture can be {} moves away.",
    ),
    (Kind.NARROWEST_DRAW, False): ("The draw that is hardest to hold", "Only one of {} moves holds the draw."),
    (Kind.NARROWEST_DRAW, True): ("The balance that is hardest to keep", "Only one of {} moves keeps the game level."),
    (Kind.MAX_MISLEADING, False): ("The most misleading win", "There is a win, but {} moves lose."),
    (Kind.MAX_MISLEADING, True): ("The most misleading lead", "You can get ahead, but {} moves fall behind."),
}
"""The heading and the sentence for each kind, without points and with them."""


TESTED = (
    "The first percentage says how often a move that follows the advice {hold}, the second how often a random move"
    " of the same kind does. They cover the positions in which a move can cost you something and the advice leaves"
    " you a choice, but not those in which you can win at once."
)
CLEARLY = 0.03
"""Advice is worth following if it is better than chance by at least this much."""


def format_advice(advice: Sequence[TestedAdvice], has_points: bool) -> Iterator[str]:
    if not advice:
        return
    hold = "loses no points" if has_points else "keeps the result"
    yield "## Advice, tested"
    yield wrap(TESTED.format(hold=hold))
    ordered = sorted(advice, key=lambda tested: tested.base - tested.followed)
    for heading, found in (
        ("Better than chance", [tested for tested in ordered if tested.gain >= CLEARLY]),
        ("Hardly better than chance, or worse", [tested for tested in ordered if tested.gain < CLEARLY]),
    ):
        if found:
            yield f"{heading}:"
            yield wrap_list(f"**{tested.sentence}** Works {describe_trial(tested)}." for tested in found)


def describe_trial(tested: TestedAdvice) -> str:
    """Say how well a piece of advice did: `67 % of the time, compared with 55 % for a random move (103,736 positions)`.
    The help page of the game says the same."""
    followed, base = format_share(tested.followed), format_share(tested.base)
    return f"{followed} of the time, compared with {base} for a random move ({tested.positions:,} positions)"


def describe_count(found: ExtremePositions, what: str) -> str:
    if found.count == 1:
        return "There is one such position up to symmetry:"
    shown = min(MAX_SHOWN, len(found.positions))
    return f"There are {found.count:,} such {what} up to symmetry, " + (
        "both shown:" if found.count == shown == 2 else f"{'all' if found.count == shown else 'the first'} {shown}:"
    )


def write_line(game: AnyGame, text: str, line: Sequence[str]) -> list[str]:
    """Write the moves of a line in numbered pairs. A pair is never split between two rows."""
    position: AnyPosition = game.notation.parse_position(text)
    moves = []
    for spelled in line:
        move = game.notation.parse_move(position, spelled)
        moves.append(game.describe_move(position, move))
        position = game.rules.play(position, move)
    pairs = enumerate(zip_longest(moves[::2], moves[1::2], fillvalue=""), 1)
    text = " ".join(f"{number}.\0{first}\0{second}".rstrip("\0") for number, (first, second) in pairs)
    return [row.replace("\0", " ") for row in textwrap.wrap(text, WIDTH, break_on_hyphens=False)]
