"""Rows of saved games in columns, and the search among them for typed words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from onlymove_engines.core.facts import GameId, Level

from onlymove_tui.app.panels.progress_rows import format_kept
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.canvas import Row, Run
from onlymove_tui.play.phrases import opponent_name
from onlymove_tui.store.rows import Entry
from onlymove_tui.terminal.capabilities import to_ascii


def split_words(text: str) -> list[str]:
    """Return the words and numbers in a text, in lower case and without accents."""
    return re.findall(r"\w+", to_ascii(text).casefold())


def rank_match(sought: str, text: str, names: str) -> int | None:
    """Return the rank of a search result, or `None` if some word of `sought` is not the beginning of any of its words.
    The rank is 0 if all words match its `names`, 1 if its `text` begins with the first word, and otherwise 2."""
    wanted, named, words = split_words(sought), split_words(names), split_words(text)
    if not all(any(word.startswith(part) for word in (*named, *words)) for part in wanted):
        return None
    first = wanted[0] if wanted else ""
    if all(any(word.startswith(part) for word in named) for part in wanted):
        return 0
    return 1 if words and words[0].startswith(first) else 2


GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the list, `width` characters wide."""

    title: str
    width: int
    cell: Callable[[Entry], Run]
    is_number: bool = False


def outcome_run(game: Entry) -> tuple[str, AnyTone]:
    """Return the result in at most twelve characters, such as `won 24-20`, `drawn`, `first won`, `second 20-28` or `in
    progress`."""
    score = "" if game.score is None else f" {game.score[0]}-{game.score[1]}"
    if not game.is_over:
        return "open" if game.imported else "in progress", Tone.DIM
    if game.winner is None:
        return f"drawn{score}", Tone.DIM
    if game.own is None or game.imported or game.changed_hands:
        return f"{('first', 'second')[game.winner]}{score or ' won'}", Tone.DIM
    return (f"won{score}", Tone.WIN) if game.winner == game.own else (f"lost{score}", Tone.LOSS)


OPPONENT_WIDTH = 11
SIDES_CHANGED = "not counted: the players changed during the game"


def describe_opponent(game: Entry, levels: Sequence[Level], width: int | None = None) -> str:
    """Return the opponent, such as `prudent 70`, `Novice`, `two people` or `imported`. If a name is longer than
    `width`, it becomes `engine 70`."""
    engines = [player for player in game.players if not player.is_human]
    if game.imported:
        return "imported"
    if len(engines) != 1:
        return "two engines" if engines else "two people"
    name = opponent_name(engines[0], levels)
    if engines[0].is_elsewhere:
        return name[:width]
    return name if width is None or len(name) <= width else f"engine {engines[0].strength}"


def count_moves(game: Entry) -> str:
    return f"{game.moves} move{'' if game.moves == 1 else 's'}"


def describe_decisions(game: Entry) -> str:
    """Return a line such as `8 of 9 moves were good at the first try, 1 mistake`. Empty if no move was
    judged."""
    if not game.decisions:
        return ""
    flagged = f"{game.mistakes} mistake{'' if game.mistakes == 1 else 's'}" if game.mistakes else "no mistake"
    moves = "move was" if game.decisions == 1 else "moves were"
    return f"{game.kept} of {game.decisions} {moves} good at the first try, {flagged}"


def is_match(game: Entry, title: str, levels: Sequence[Level], sought: str) -> bool:
    """Whether every word of `sought` is in the line of a game."""
    who = {describe_opponent(game, levels), describe_opponent(game, levels, OPPONENT_WIDTH)}
    line = f"{title} {' '.join(who)} {outcome_run(game)[0]} {game.changed.astimezone():%Y-%m-%d}"
    return all(word in to_ascii(line).casefold() for word in to_ascii(sought).casefold().split())


def list_columns(
    title_of: Callable[[GameId], str], levels_of: Callable[[GameId], Sequence[Level]]
) -> tuple[Column, ...]:
    def opponent(game: Entry) -> Run:
        return describe_opponent(game, levels_of(game.game), OPPONENT_WIDTH), Tone.DIM

    def mistakes(game: Entry) -> Run:
        return str(game.mistakes) if game.decisions else "", Tone.SLIP if game.mistakes else Tone.DIM

    return (
        Column("date", 10, lambda game: (f"{game.changed.astimezone():%Y-%m-%d}", Tone.DIM)),
        Column("time", 5, lambda game: (f"{game.changed.astimezone():%H:%M}", Tone.DIM)),
        Column("game", 19, lambda game: (title_of(game.game), Tone.TEXT)),
        Column("result", 12, outcome_run),
        Column("good", 5, lambda game: (format_kept(game.kept, game.decisions or 0), Tone.STRONG), is_number=True),
        Column("mistakes", 8, mistakes, is_number=True),
        Column("opponent", OPPONENT_WIDTH, opponent),
        Column("length", 9, lambda game: (count_moves(game), Tone.DIM), is_number=True),
    )


IMPORTANCE = ("game", "result", "date", "good", "mistakes", "opponent", "length", "time")
"""The columns, the most important first. Those that fit are shown."""


def fit_columns(known: Sequence[Column], width: int) -> list[Column]:
    """Return the columns that fit, in their order on the screen."""
    by_title = {column.title: column for column in known}
    chosen: list[str] = []
    for title in IMPORTANCE:
        if sum(by_title[name].width + GAP for name in (*chosen, title)) - GAP > width:
            break
        chosen.append(title)
    return [column for column in known if column.title in chosen]


def list_row(known: Sequence[Column], game: Entry | None) -> Row:
    """Return the line of a game, or without a game the titles of the columns."""
    row: list[Run] = []
    for column in known:
        text, tone = (column.title, Tone.DIM) if game is None else column.cell(game)
        row += [(" " * GAP if row else "", Tone.TEXT)]
        row += [(text.rjust(column.width) if column.is_number else text.ljust(column.width), tone)]
    return row
