"""Explains a position to a person: the board, its value, and what each move is worth."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from onlymove_engines.core.analysis import AnyAnalysis, AnyAnalyst, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.scene import View
from onlymove_engines.core.value import Mixed
from onlymove_engines.records.record import fill_lines

from onlymove_tui.play.phrases import format_sentence, group_by_value

from .console import show

COLUMNS = 76


def report(game: AnyGame, analyst: AnyAnalyst, position: AnyPosition, budget: Budget, ascii_only: bool = False) -> None:
    """Print everything that is known about `position`, with an empty line after it."""
    report_board(game, position, ascii_only)
    if game.rules.result(position) is not None:
        report_end(game, position)
    elif isinstance(analyst, SimultaneousAnalyst):
        report_mixed(game, analyst.mixed(position, budget))
    else:
        analysis = analyst.analyse(position, budget)
        report_value(game, position, analysis)
        report_groups(group_by_value(game, position, analysis, lambda _, value: value.sentence()).items())
    show("")


def report_board(game: AnyGame, position: AnyPosition, ascii_only: bool) -> None:
    show(f"{game.facts.title}  {game.notation.format_position(position)}")
    show(game.painter.scene(View(positions=(position,), ascii_only=ascii_only)).text())


def report_end(game: AnyGame, position: AnyPosition) -> None:
    if (result := game.rules.result(position)) is not None:
        winner = "a draw" if result.winner is None else f"{game.seats[result.winner]} has won"
        show(f"Over: {winner}. {result.reason}".rstrip())


def report_groups(groups: Collection[tuple[str, Sequence[str]]]) -> None:
    """Print each group on its own lines: its name, then its moves side by side."""
    width = max((len(name) for name, _ in groups), default=0)
    for name, moves in groups:
        for row, line in enumerate(fill_lines(moves, COLUMNS - width)):
            show(f"  {name if row == 0 else '':{width}}  {line}".rstrip())


def report_value(game: AnyGame, position: AnyPosition, analysis: AnyAnalysis) -> None:
    """Print whose move it is, what the position is worth, and how that was found."""
    seat = game.rules.to_move(position) or 0
    show(f"{game.seats[seat]} to move: {format_sentence(analysis.value)}")
    if analysis.note:
        show(f"({analysis.note})")


def report_mixed(game: AnyGame, mixed: Mixed) -> None:
    """Print the payoff matrix, with the mixed strategies of both sides."""
    proven = "proven" if mixed.exact else f"an estimate, searched to depth {mixed.depth}"
    show(f"Expected result for {game.seats[0]}: {mixed.expected:+z.3f} ({proven})")
    own, theirs = mixed.strategies
    show(f"Rows: {game.seats[0]}. Columns: {game.seats[1]}. Percentages: how often in best play.")
    show("           " + "".join(f"{move!s:>8}" for move in theirs))
    show("           " + "".join(f"{share:8.0%}" for share in theirs.values()))
    for move, row in mixed.matrix.items():
        show(f"  {move!s:2} {own.get(move, 0.0):5.0%}" + "".join(f"{row[reply]:+z8.2f}" for reply in theirs))
