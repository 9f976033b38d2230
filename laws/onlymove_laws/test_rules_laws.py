"""The laws of rules, notation, symmetry and numbering, for every game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import MoveEntry
from onlymove_engines.games import title_card
from onlymove_engines.play.players import RANDOM, read_player, style_ids

from .fixtures import playout, starts
from .law import Law, compiled_games, law_of, named, numbered_games, symmetric_games

Sample = tuple[Any, ...]


def test_law_1_moves_are_listed_exactly_while_the_game_goes_on(
    game: AnyGame, sample: Sample, facts: dict[str, Any], law: Law
) -> None:
    for position in sample:
        moves = list(game.rules.legal_moves(position))
        assert (not moves) == (game.rules.result(position) is not None), named(game, position)
        assert len(set(moves)) == len(moves) <= facts["max_moves"], named(game, position)
        assert list(game.rules.legal_moves(position)) == moves, named(game, position)
        law.held()


def test_law_2_illegal_moves_are_refused_and_change_nothing(game: AnyGame, sample: Sample, law: Law) -> None:
    every_move = {move for position in sample for move in game.rules.legal_moves(position)}
    for position in sample:
        before = game.notation.format_position(position)
        error = IllegalMove if game.rules.result(position) is None else GameOver
        for move in list(every_move - set(game.rules.legal_moves(position)))[:20]:
            with pytest.raises(error):
                game.rules.play(position, move)
            law.held()
        assert game.notation.format_position(position) == before


def test_law_3_every_game_ends_or_is_declared_to_cycle(game: AnyGame, law: Law) -> None:
    for seed, start in enumerate(starts(game)):
        plies = sum(1 for _, move in playout(game, start, Random(seed)) if move is not None)
        assert game.facts.max_plies is None or plies <= game.facts.max_plies, named(game, start)
        law.held()
    if game.facts.can_cycle:
        assert game.repetition is not None, f"{game.id} can cycle and nothing ends a repetition"


def test_law_4_what_is_written_reads_back(game: AnyGame, sample: Sample, law: Law) -> None:
    texts = [game.notation.format_position(position) for position in sample]
    assert len(set(texts)) == len(sample)
    for position, text in zip(sample, texts, strict=True):
        assert "\t" not in text
        assert "\n" not in text
        assert game.notation.parse_position(text) == position, text
        moves = list(game.rules.legal_moves(position))
        spelled = [game.notation.format_move(position, move) for move in moves]
        assert len(set(spelled)) == len(moves), text
        assert all(" " not in spelling for spelling in spelled), text
        assert [game.notation.parse_move(position, spelling) for spelling in spelled] == moves, text
        said = [game.said(position, move) for move in moves]
        assert all(" " not in name for name in said), text
        assert [game.notation.parse_move(position, name) for name in said] == moves, f"cannot be typed: {said}"
        law.held()


@pytest.mark.parametrize("text", ["", "nonsense", "\x00", "." * 500, "🙂", "1 2 3", "/////// W"])
def test_law_4_nonsense_is_refused_in_one_line(game: AnyGame, text: str, law: Law) -> None:
    with pytest.raises(BadNotation) as refusal:
        game.notation.parse_position(text)
    assert "\n" not in str(refusal.value)
    with pytest.raises((BadNotation, IllegalMove)) as move_refusal:
        game.notation.parse_move(game.default_start(), text)
    assert "\n" not in str(move_refusal.value)
    law.held()


def test_law_4_every_path_enters_its_move_and_no_other(game: AnyGame, sample: Sample, law: Law) -> None:
    for position in sample:
        seats: tuple[int, ...] = (0, 1) if game.facts.simultaneous else (-1,)
        for seat in seats:
            rules: Any = game.rules
            moves = rules.legal_moves(position) if seat < 0 else rules.moves_of(position, seat)
            listed = [path for move in moves for path in game.notation.paths(position, move)]
            entry = MoveEntry({path: move for move in moves for path in game.notation.paths(position, move)})
            assert len(set(listed)) == len(listed), named(game, position)
            for path in listed:
                step: MoveEntry[Any] = MoveEntry(entry.options)
                for target in path:
                    assert step.move is None, f"{named(game, position)}: {path} passes through a complete move"
                    picked = step.pick(target)
                    assert picked is not None, f"{named(game, position)}: {path} cannot be entered"
                    step = picked
                assert step.move == entry.options[path]
                law.held()


@symmetric_games
def test_law_5_symmetries_do_not_disturb_the_rules(game: AnyGame, sample: Sample, law: Law) -> None:
    for symmetry in game.symmetries:
        for position in sample[:40]:
            image = symmetry.position(position)
            mapped = {symmetry.move(move) for move in game.rules.legal_moves(position)}
            assert mapped == set(game.rules.legal_moves(image)), f"{symmetry.name}, {named(game, position)}"
            for move in list(game.rules.legal_moves(position))[:12]:
                played = symmetry.position(game.rules.play(position, move))
                assert played == game.rules.play(image, symmetry.move(move)), (
                    f"{symmetry.name}, {named(game, position)}"
                )
            result, image_result = game.rules.result(position), game.rules.result(image)
            assert (result is None) == (image_result is None)
            if result is not None and image_result is not None and result.winner is not None:
                expected = 1 - result.winner if symmetry.swaps_seats else result.winner
                assert image_result.winner == expected, f"{symmetry.name}, {named(game, position)}"
            if game.index is not None:
                assert game.index.canonical(image) == game.index.canonical(position), named(game, position)
            law.held()


def test_law_6_a_table_has_an_index(game: AnyGame, law: Law) -> None:
    assert game.index is not None or game.solver is None, f"{game.id} ships a table without an index"
    law.held()


@numbered_games
def test_law_6_numbers_name_positions_up_to_symmetry(game: AnyGame, sample: Sample, law: Law) -> None:
    assert game.index is not None
    numbers: dict[int, Any] = {}
    for position in sample:
        try:
            number = game.index.number(position)
        except ValueError:
            continue  # beyond what this index covers: search answers there
        canonical = game.index.canonical(position)
        assert 0 <= number < game.index.size, named(game, position)
        assert game.index.canonical(canonical) == canonical, named(game, position)
        assert game.index.position(number) == canonical, named(game, position)
        assert numbers.setdefault(number, canonical) == canonical, named(game, position)
        law.held()


@compiled_games
def test_law_7_the_kernel_is_the_same_law(game: AnyGame, sample: Sample, law: Law) -> None:
    children = law_of(game, "kernel_law").children
    for position in sample:
        by_rules = [(move, game.rules.play(position, move)) for move in game.rules.legal_moves(position)]
        assert list(children(position)) == by_rules, named(game, position)
        law.held()


def test_law_7_perft_equals_the_facts(game: AnyGame, facts: dict[str, Any], law: Law) -> None:
    def perft(position: Any, depth: int) -> int:
        moves = game.rules.legal_moves(position)
        return len(moves) if depth == 1 else sum(perft(game.rules.play(position, m), depth - 1) for m in moves)

    assert facts["source"]
    for depth, count in enumerate(facts["perft"], 1):
        if count > 20_000:
            break
        assert perft(game.default_start(), depth) == count, f"{game.id}, depth {depth}"
        law.held()


def test_title_cards_fit_the_menu_and_agree_with_the_cards(game: AnyGame, law: Law) -> None:
    card = title_card(game.id)
    assert (card.title, card.pitch, card.solved) == (game.title, game.pitch, game.solved)
    assert len(card.pitch) <= 72, card.pitch
    assert not card.pitch.endswith("."), card.pitch
    law.held()


def test_levels_are_players_by_other_names_and_the_weakest_is_first(game: AnyGame, law: Law) -> None:
    ids = [level.id for level in game.levels]
    assert len({*ids}) == len(ids), f"{game.id}: {ids}"
    assert not {*ids} & {*style_ids(game), RANDOM, "human", "engine"}, f"{game.id}: {ids}"
    strengths = [level.elo for level in game.levels]
    assert strengths == sorted(strengths), f"{game.id}: {strengths}"
    assert not strengths or strengths[0] == 0, f"{game.id}: {strengths[0]}"
    for level in game.levels:
        assert read_player(game, f"{level.style}@{level.strength}") == read_player(game, level.id), level
    law.held()


def test_a_position_can_be_read_to_somebody(game: AnyGame, sample: tuple[Any, ...], law: Law) -> None:
    """Sentences, two positions that look alike only where nothing on the board differs; no picture, no line break."""
    for position in sample:
        sentences = game.described(position)
        assert sentences, named(game, position)
        for sentence in sentences:
            assert sentence.isprintable(), f"{named(game, position)}: {sentence!r}"
            assert not {*sentence} & {*"│─╭█▄▀|+"}, f"{named(game, position)}: {sentence}"
        law.held()
