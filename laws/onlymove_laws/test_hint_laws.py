"""What every hint obeys in every game: a line a move that fits, no number without a unit, no move named too early."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from onlymove_engines import games
from onlymove_engines.coach.hint import LAST_STAGE, WIDEST, Hint, hint, is_mixed_open, is_open, mixed_hint
from onlymove_engines.coach.judge import judge_mixed, sound_moves
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade
from onlymove_engines.core.rules import moves_of
from onlymove_engines.core.value import Mixed
from onlymove_tui.app.panels.value_rows import hint_rows

from .fixtures import analyst_of, known_of
from .law import Law, alternating_games, named, simultaneous_games

Sample = tuple[Any, ...]
PANEL = 26
"""Columns of what there is to read at 80x24."""
SIGNED = re.compile(r"(?<![\w-])[+-]\.?\d")
"""A number without a unit: `+0.76`; the margin of a move stands in its own column."""

LOSING = re.compile(r"(\d+) of (\d+) replies")


@cache
def ladder(game_id: str, position: Any) -> tuple[Analysis[Any], tuple[Hint, ...]]:
    """What is known of a position, and its three hints: all the laws here are tried on the same ones."""
    game, analyst, analysis = games.load(game_id), analyst_of(game_id), known_of(game_id, position)
    remarks = None if game.remarks is None else game.remarks(position, analysis, analyst)
    return analysis, tuple(hint(game, position, analysis, stage, remarks) for stage in (1, 2, 3))


def mixed_ladders(
    game: AnyGame, analyst: SimultaneousAnalyst[Any], position: Any
) -> Iterator[tuple[int, Mixed, list[Hint]]]:
    """The same for both sides of a game in which both move at once."""
    mixed = analyst.mixed(position, Budget(depth=2))
    for seat in (0, 1):
        area = () if game.outlook is None else game.outlook(position, seat, sound_moves(mixed, seat))
        yield seat, mixed, [mixed_hint(mixed, seat, stage, area) for stage in (1, 2, 3)]


@alternating_games
def test_the_first_two_hints_name_no_move(game: AnyGame, unfinished: Sample, law: Law) -> None:
    for position in unfinished[:40]:
        analysis, (first, second, _) = ladder(game.id, position)
        if is_open(analysis):
            continue
        assert first.targets == first.moves == second.moves == (), named(game, position)
        notation = game.notation
        spelled = {notation.format_move(position, move) for move in analysis.moves}
        spelled |= {game.said(position, move) for move in analysis.moves}
        for line in (*first.lines, *second.lines):
            words = {word for word in re.split(r"[\s,.;:()]+", line) if not word.isdigit()}
            assert not words & spelled, f"{named(game, position)}: {line}"
            law.held()


@alternating_games
def test_the_second_hint_tells_something_that_the_first_does_not(game: AnyGame, unfinished: Sample, law: Law) -> None:
    for position in unfinished[:40]:
        analysis, (first, second, _) = ladder(game.id, position)
        if not is_open(analysis):
            assert second.lines, named(game, position)
            assert not set(second.lines) & set(first.lines), f"{named(game, position)}: {second.lines}"
            assert second.targets, f"{named(game, position)}: nothing is marked"
            law.held()


@alternating_games
def test_a_threat_that_a_hint_speaks_of_is_one(
    game: AnyGame, analyst: AlternatingAnalyst, unfinished: Sample, law: Law
) -> None:
    for position in unfinished[:40]:
        _, (_, second, _) = ladder(game.id, position)
        for side, plies in re.findall(r"(\S+) threatens to win (?:in (\d+)|at once)", " ".join(second.lines)):
            there = game.claims.passed(position)
            best = max(value for value in analyst.analyse(there).moves.values() if value)
            assert game.seats[game.rules.to_move(there) or 0] == side, named(game, position)
            assert (best.outcome, best.remoteness) == (1, int(plies or 1)), f"{named(game, position)}: {second.lines}"
        law.held()


@alternating_games
def test_the_last_hint_is_a_line_for_each_best_move_and_says_what_it_is_worth(
    game: AnyGame, unfinished: Sample, law: Law
) -> None:
    for position in unfinished[:40]:
        analysis, (*_, last) = ladder(game.id, position)
        assert set(last.moves) == set(analysis.best()), named(game, position)
        assert len(last.shown) == len(last.moves), named(game, position)
        for move, choice in zip(last.moves, last.shown, strict=True):
            assert choice.move == game.said(position, move), named(game, position)
            assert re.fullmatch(r"[WL]\d+|D|[+-]\d+|0|won|lost", choice.value), f"{named(game, position)}: {choice}"
            law.held()


@alternating_games
def test_the_last_hint_begins_with_the_moves_after_which_most_replies_lose(
    game: AnyGame, unfinished: Sample, law: Law
) -> None:
    for position in unfinished[:40]:
        _, (*_, last) = ladder(game.id, position)
        counted = [LOSING.match(choice.said(0)) for choice in last.shown]
        shares = [int(found[1]) / int(found[2]) for found in counted if found is not None]
        assert shares == sorted(shares, reverse=True), f"{named(game, position)}: {last.texts()}"
        law.held()


@alternating_games
def test_a_line_about_a_move_is_one_line(game: AnyGame, unfinished: Sample, law: Law) -> None:
    for position in unfinished[:40]:
        _, (*_, last) = ladder(game.id, position)
        for choice, line in zip(last.shown, last.texts()[-len(last.shown) :], strict=True):
            assert len(line) <= WIDEST, f"{named(game, position)}: {line}"
            assert len(f"{choice.move} {choice.value}  {choice.said(0)}") <= WIDEST, (
                f"{named(game, position)}: {choice}"
            )
            law.held()
        for row in hint_rows(last, PANEL, with_numbers=True)[1:]:
            assert sum(len(text) for text, _ in row) <= PANEL, f"{named(game, position)}: {row}"


@alternating_games
def test_no_number_in_a_hint_is_without_a_unit(game: AnyGame, unfinished: Sample, law: Law) -> None:
    for position in unfinished[:40]:
        _, hints = ladder(game.id, position)
        said = [line for each in hints for line in each.lines]
        said += [words for each in hints for choice in each.shown for words in choice.words]
        for line in said:
            assert not SIGNED.search(line), f"{named(game, position)}: {line}"
        law.held()


@alternating_games
def test_where_nothing_is_hidden_the_first_hint_is_the_last(game: AnyGame, unfinished: Sample, law: Law) -> None:
    for position in unfinished[:40]:
        analysis, hints = ladder(game.id, position)
        for stage, told in enumerate(hints, 1):
            if is_open(analysis):
                assert (told.stage, told.stages, told.is_last) == (1, 1, True), named(game, position)
                assert "very move" in told.lines[0] or "only one move" in told.lines[0], told.lines
                assert set(told.moves) == set(analysis.best()), named(game, position)
            else:
                assert (told.stage, told.is_last) == (stage, stage == LAST_STAGE), named(game, position)
        law.held()


@simultaneous_games
def test_hints_where_both_move_at_once_say_shares_and_name_no_move_too_early(
    game: AnyGame, mixer: SimultaneousAnalyst[Any], unfinished: Sample, law: Law
) -> None:
    for position in unfinished[:10]:
        for seat, mixed, (first, second, last) in mixed_ladders(game, mixer, position):
            judged = {move: judge_mixed(mixed, seat, move).grade for move in mixed.strategies[seat]}
            unblamed = {move for move, grade in judged.items() if grade.gravity <= Grade.SOUND.gravity}
            assert set(last.moves) == unblamed, f"{named(game, position)}, {seat}: {judged}"
            assert all(choice.value.endswith(" %") for choice in last.shown), named(game, position)
            assert not any(SIGNED.search(line) for line in (*first.lines, *second.lines)), first.lines
            if is_mixed_open(mixed, seat):
                assert (first.is_last, second.is_last) == (True, True), named(game, position)
            else:
                assert first.moves == second.moves == (), named(game, position)
                steps = {str(move) for move in moves_of(game.rules, position, seat)}
                said = {word for line in (*first.lines, *second.lines) for word in re.split(r"[\s,.;:()]+", line)}
                assert not said & steps, f"{named(game, position)}: {second.lines}"
                assert second.lines, named(game, position)
            law.held()
