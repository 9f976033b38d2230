"""The laws of rules, notation, symmetry, numbers, refused moves and setting up positions, for every game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any
from unicodedata import normalize

import pytest
from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.errors import BadNotation, BadPosition, GameOver, IllegalMove
from onlymove_engines.core.game import AnyGame, find_objection
from onlymove_engines.core.rules import MoveEntry, Target
from onlymove_engines.core.scene import View
from onlymove_engines.games import find_facts
from onlymove_engines.play.players import RANDOM, read_player, style_ids
from onlymove_engines.play.session import AnySession, Session, explain_refusal
from onlymove_engines.play.typed import read_typed
from onlymove_engines.search.perft import perft
from onlymove_engines.search.rules_analyst import RulesAnalyst, is_solved_by_rules
from onlymove_tables.open import has_kernels

from .law import (
    Law,
    Sample,
    alternating_games,
    list_choices,
    list_starts,
    load_game_law,
    parametrize_amount,
    play_randomly,
    restrict_games,
    to_text,
)


def test_law_1_moves_are_listed_exactly_while_the_game_goes_on(
    game: AnyGame, sample: Sample, facts: dict[str, Any], law: Law
) -> None:
    for position in law.each(sample):
        moves = list(game.rules.legal_moves(position))
        is_over = game.rules.result(position) is not None
        assert (not moves) == is_over, (
            f"{to_text(game, position)}: result says that the game {'is over' if is_over else 'goes on'}, but "
            f"legal_moves lists {len(moves)} moves."
        )
        assert len(set(moves)) == len(moves), f"{to_text(game, position)}: legal_moves lists a move twice."
        assert len(moves) <= facts["max_moves"], (
            f"{to_text(game, position)}: {len(moves)} legal moves, but max_moves in facts.toml is {facts['max_moves']}."
        )
        assert list(game.rules.legal_moves(position)) == moves, (
            f"{to_text(game, position)}: legal_moves lists them in another order when it is asked again."
        )


def test_law_2_illegal_moves_are_refused_and_change_nothing(game: AnyGame, sample: Sample, law: Law) -> None:
    every_move = {move for position in sample for move in game.rules.legal_moves(position)}
    for position in sample:
        before = game.notation.format_position(position)
        error = IllegalMove if game.rules.result(position) is None else GameOver
        for move in law.each(list(every_move - set(game.rules.legal_moves(position)))[:20]):
            with pytest.raises(error):
                game.rules.play(position, move)
        assert game.notation.format_position(position) == before


def test_law_3_every_game_ends_or_is_declared_to_cycle(game: AnyGame, law: Law) -> None:
    for seed, start in law.each(enumerate(list_starts(game))):
        plies = sum(1 for _, move in play_randomly(game, start, Random(seed)) if move is not None)
        assert game.facts.max_plies is None or plies <= game.facts.max_plies, (
            f"{to_text(game, start)}: a random game has {plies} moves, but max_plies in game.toml is "
            f"{game.facts.max_plies}."
        )
    if game.facts.can_cycle:
        assert game.play.repetition is not None, f"{game.id} can cycle and nothing ends a repetition"


def test_law_4_formatted_text_parses_back(game: AnyGame, sample: Sample, law: Law) -> None:
    texts = [game.notation.format_position(position) for position in sample]
    for text in texts:
        same = [position for position, other in zip(sample, texts, strict=True) if other == text]
        assert len(same) == 1, f"{text!r} is the text of two positions: is something missing in it? {same[:2]}"
    for position, text in law.each(zip(sample, texts, strict=True)):
        assert "\t" not in text
        assert "\n" not in text
        try:
            read = game.notation.parse_position(text)
        except (BadNotation, BadPosition) as refusal:
            pytest.fail(f"{text!r}: format_position wrote this text, but parse_position refuses it: {refusal}")
        assert read == position, (
            f"{text!r}: parse(format(position)) is another position: is something missing in the text?"
        )
        moves = list(game.rules.legal_moves(position))
        spelled = [game.notation.format_move(position, move) for move in moves]
        assert len(set(spelled)) == len(moves), text
        assert all(" " not in spelling for spelling in spelled), text
        assert set("(){}[];").isdisjoint("".join(spelled)), f"records use these signs for something else: {spelled}"
        assert [game.notation.parse_move(position, spelling) for spelling in spelled] == moves, text
        said = [game.describe_move(position, move) for move in moves]
        assert all(" " not in name for name in said), text
        assert [game.notation.parse_move(position, name) for name in said] == moves, f"cannot be typed: {said}"


SPELLINGS: dict[str, Callable[[str], str]] = {
    "capitals": str.upper,
    "small letters": str.lower,
    "spaces": " ".join,
    "blanks around": "  {} ".format,
    "hyphens": partial(re.sub, r"(?<=\d)(?=[a-z])", "-"),
    "takes": partial(re.sub, r"(?<=\d)(?=[a-z])", "x"),
    "dashes and capitals": lambda text: re.sub(r"(?<=\d)(?=[a-z])", " \u2013 ", text).upper(),
    "full width": lambda text: "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text),
}
"""Ways in which people write a move."""


@pytest.mark.parametrize("change", SPELLINGS.values(), ids=SPELLINGS)
def test_law_4_a_typed_move_is_read_however_it_is_written(
    game: AnyGame, sample: Sample, change: Callable[[str], str], law: Law
) -> None:
    """A text that could be more than one move is not tried."""

    def simplify(text: str) -> str:
        return re.sub(r"[\s\-\u2013]|(?<=\d)x", "", normalize("NFKC", text).casefold())

    for position in sample[:30]:
        session: AnySession = Session(game, position)
        for seat, moves in enumerate(list_choices(game, position)):
            texts = {
                move: {game.notation.format_move(position, move), game.describe_move(position, move)} for move in moves
            }
            plain = Counter(one for alike in texts.values() for one in {simplify(text) for text in alike})
            for move, text in law.each((move, text) for move, alike in texts.items() for text in alike):
                if plain[simplify(text)] == 1:
                    mover = seat if session.to_move is None else session.to_move
                    assert read_typed(session, mover, change(text)) == move, (
                        f"{to_text(game, position)}: {change(text)!r}"
                    )


@pytest.mark.parametrize("text", ["", "nonsense", "\x00", "." * 500, "🙂", "1 2 3", "/////// W"])
def test_law_4_nonsense_is_refused_in_one_line(game: AnyGame, text: str, law: Law) -> None:
    with pytest.raises(BadNotation) as refusal:
        game.notation.parse_position(text)
    assert "\n" not in str(refusal.value)
    with pytest.raises((BadNotation, IllegalMove)) as move_refusal:
        game.notation.parse_move(game.default_start(), text)
    assert "\n" not in str(move_refusal.value)
    law.count_case()


def test_law_4_every_path_enters_its_move_and_no_other(game: AnyGame, sample: Sample, law: Law) -> None:
    for position in sample:
        for moves in list_choices(game, position):
            entries = [(path, move) for move in moves for path in game.notation.paths(position, move)]
            entry = MoveEntry(dict(entries))
            assert len(entry.options) == len(entries), to_text(game, position)
            for path, move in law.each(entries):
                step: MoveEntry[Any] = entry
                for target in path:
                    assert step.move is None, f"{to_text(game, position)}: {path} passes through a complete move"
                    picked = step.pick(target)
                    assert picked is not None, f"{to_text(game, position)}: {path} cannot be entered"
                    step = picked
                assert step.move == move


@restrict_games(lambda game: game.solved.symmetries)
def test_law_5_symmetries_do_not_disturb_the_rules(game: AnyGame, sample: Sample, law: Law) -> None:
    for symmetry in game.solved.symmetries:
        for position in law.each(sample[:40]):
            image = symmetry.position(position)
            mover, image_mover = game.rules.to_move(position), game.rules.to_move(image)
            assert mover is None or (image_mover != mover) == symmetry.swaps_seats, (
                f"symmetry {symmetry.name!r}, {to_text(game, position)}: seat {mover} is to move, seat {image_mover} "
                f"in its image; is swaps_seats={symmetry.swaps_seats} right?"
            )
            mapped = {symmetry.move(move) for move in game.rules.legal_moves(position)}
            assert mapped == set(game.rules.legal_moves(image)), f"{symmetry.name}, {to_text(game, position)}"
            for move in list(game.rules.legal_moves(position))[:12]:
                played = symmetry.position(game.rules.play(position, move))
                assert played == game.rules.play(image, symmetry.move(move)), (
                    f"{symmetry.name}, {to_text(game, position)}"
                )
            result, image_result = game.rules.result(position), game.rules.result(image)
            assert (result is None) == (image_result is None)
            if result is not None and image_result is not None and result.winner is not None:
                expected = 1 - result.winner if symmetry.swaps_seats else result.winner
                assert image_result.winner == expected, (
                    f"symmetry {symmetry.name!r}, {to_text(game, position)}: seat {result.winner} wins, seat "
                    f"{image_result.winner} in its image; is swaps_seats={symmetry.swaps_seats} right?"
                )
            if game.solved.index is not None:
                assert game.solved.index.canonical(image) == game.solved.index.canonical(position), to_text(
                    game, position
                )


def test_law_6_a_table_has_an_index(game: AnyGame, law: Law) -> None:
    assert game.solved.index is not None or game.solved.solver is None, f"{game.id} ships a table without an index"
    law.count_case()


@restrict_games(lambda game: game.solved.index is not None)
def test_law_6_numbers_name_positions_up_to_symmetry(game: AnyGame, sample: Sample, law: Law) -> None:
    assert game.solved.index is not None
    numbers: dict[int, Any] = {}
    for position in sample:
        try:
            number = game.solved.index.number(position)
        except ValueError:
            continue  # outside this index, a search answers
        canonical = game.solved.index.canonical(position)
        assert 0 <= number < game.solved.index.size, to_text(game, position)
        assert game.solved.index.canonical(canonical) == canonical, to_text(game, position)
        assert game.solved.index.position(number) == canonical, to_text(game, position)
        assert numbers.setdefault(number, canonical) == canonical, to_text(game, position)
        law.count_case()


@restrict_games(has_kernels)
def test_law_7_the_kernel_agrees_with_the_rules(game: AnyGame, sample: Sample, law: Law) -> None:
    children = load_game_law(game, "kernel_law").children
    for position in law.each(sample):
        by_rules = [(move, game.rules.play(position, move)) for move in game.rules.legal_moves(position)]
        assert list(children(position)) == by_rules, to_text(game, position)


def test_law_7_perft_equals_the_facts(game: AnyGame, facts: dict[str, Any], law: Law) -> None:
    assert facts["source"]
    for depth, count in law.each(enumerate(facts["perft"], 1)):
        if count > 20_000:
            break
        found = perft(game, game.default_start(), depth)
        assert found == count, (
            f"{game.id}: the rules give {found} move sequences of length {depth}, but perft in facts.toml says {count}."
        )


FEW_POSITIONS = 20_000
"""Tables with at most this many positions are checked completely, which takes a second or two."""


@restrict_games(is_solved_by_rules)
def test_law_7_some_position_has_as_many_moves_as_the_facts_say(
    game: AnyGame, analyst: AlternatingAnalyst, facts: dict[str, Any], law: Law
) -> None:
    if not isinstance(analyst, RulesAnalyst):
        return
    if analyst.entries > FEW_POSITIONS:
        pytest.skip(f"the table has more than {FEW_POSITIONS:,} positions, so max_moves is only checked on a sample")
    if analyst.has_other_starts:
        pytest.skip("some starts are not in the table, so max_moves is only checked on a sample")
    law.count_case()
    most = max(len(game.rules.legal_moves(position)) for position in analyst.positions_at(range(analyst.entries)))
    assert most == facts["max_moves"], (
        f"facts.toml, max_moves of {game.id}: it is {facts['max_moves']}, but the most that any position has is {most}."
    )


def test_the_facts_fit_the_menu_and_are_those_of_the_definition(game: AnyGame, law: Law) -> None:
    facts = find_facts(game.id)
    assert facts == game.facts
    assert len(facts.pitch) <= 72, facts.pitch
    assert not facts.pitch.endswith("."), facts.pitch
    assert not facts.goal or (facts.goal.endswith(".") and len(facts.goal) <= 64), facts.goal
    assert all(len(pick) <= 50 and not pick.endswith(".") for pick in facts.picks), facts.picks
    law.count_case()


def test_levels_are_players_by_other_names_and_the_weakest_is_first(game: AnyGame, law: Law) -> None:
    ids = [level.id for level in game.facts.levels]
    assert len({*ids}) == len(ids), f"{game.id}: {ids}"
    assert not {*ids} & {*style_ids(game), RANDOM, "human", "engine"}, f"{game.id}: {ids}"
    strengths = [level.elo for level in game.facts.levels]
    assert strengths == sorted(strengths), f"{game.id}: {strengths}"
    assert not strengths or strengths[0] == 0, f"{game.id}: {strengths[0]}"
    for level in game.facts.levels:
        assert read_player(game, f"{level.style}@{level.strength}") == read_player(game, level.id), level
    law.count_case()


def test_a_position_can_be_read_aloud(game: AnyGame, sample: Sample, law: Law) -> None:
    """A position is described in sentences without pictures or line breaks."""
    for position in law.each(sample):
        sentences = game.describe_position(position)
        assert sentences, to_text(game, position)
        for sentence in sentences:
            assert sentence.isprintable(), f"{to_text(game, position)}: {sentence!r}"
            assert not {*sentence} & {*"│─╭█▄▀|+"}, f"{to_text(game, position)}: {sentence}"


LINE = 78
"""The widest refusal in columns."""


def list_entries(entry: MoveEntry[Any], random: Random) -> list[MoveEntry[Any]]:
    """Enter a random move, target by target. Return the entry before the first pick and after every pick that does not
    complete the move."""
    found = [entry]
    while (targets := entry.next_targets()) and entry.move is None:
        entry = entry.pick(random.choice(targets)) or entry
        found += [entry] * (entry.move is None)
    return found


def test_every_forbidden_choice_is_refused_with_a_reason(game: AnyGame, unfinished_positions: Sample, law: Law) -> None:
    random = Random(7)
    for position in unfinished_positions[:40]:
        sitting: Session[Any, Any] = Session(game, position)
        for seat in (0, 1) if sitting.to_move is None else (sitting.to_move,):
            for entry in list_entries(sitting.make_entry(seat), random):
                scene = game.painter.scene(View((position,), chosen=entry.prefix, seat=seat))
                everywhere = {place.target for place in scene.places} | set(game.play.direct_keys.values())
                for target in law.each(sorted(everywhere - set(entry.next_targets()))):
                    path = (*entry.prefix, target)
                    why = explain_refusal(sitting, seat, path)
                    assert why, f"{to_text(game, position)}: {path}"
                    is_told = game.voice.forbidden_by is None or "cannot be chosen" not in why
                    assert is_told, f"{to_text(game, position)}: {path} is refused without a rule"
                    assert len(why) <= LINE, f"{to_text(game, position)}: {len(why)} columns: {why}"
        if not game.play.direct_keys and game.voice.forbidden_by is not None:
            law.count_case()


@alternating_games
def test_a_typed_move_is_refused_in_the_same_words(game: AnyGame, sample: Sample, law: Law) -> None:
    """Moves from other positions are refused if they are not legal here."""
    random, here = Random(8), [position for position in sample if game.rules.result(position) is None]
    for position in here[:30]:
        legal = set(game.rules.legal_moves(position))
        others = [move for other in random.sample(here, 5) for move in game.rules.legal_moves(other)]
        for move in random.sample(others, min(20, len(others))):
            if move in legal:
                law.count_case()
                continue
            text = game.notation.format_move(position, move)
            try:
                game.notation.parse_move(position, text)
            except IllegalMove as refused:
                why = str(refused)
            else:
                raise AssertionError(f"{to_text(game, position)}: {text} was accepted")
            assert len(why) <= LINE, f"{to_text(game, position)}, {text}: {why}"
            if game.voice.forbidden_by is not None and game.rules.to_move(position) is not None:
                path = game.notation.paths(position, move)[0]
                on_board = game.voice.forbidden_by(position, game.rules.to_move(position) or 0, path)
                assert why == on_board or not on_board or "opponent" in why, (
                    f"{to_text(game, position)}, {text}: {why} / {on_board}"
                )
            law.count_case()


games_set_up = restrict_games(lambda game: game.play.set_up is not None)


def list_cells(game: AnyGame, draft: Any) -> list[Target]:
    """Return the targets that the cursor can be on, taken from the picture of a draft."""
    view: View[Any, Any] = View((draft,), seat=game.rules.to_move(draft) or 0)
    return [place.target for place in game.painter.scene(view).places]


@games_set_up
def test_a_piece_that_is_put_on_a_cell_is_there(game: AnyGame, sample: Sample, law: Law) -> None:
    """Setting up the same pieces gives the same position."""
    pieces = game.play.set_up
    assert pieces is not None
    for position in law.each(sample):
        for target in list_cells(game, position):
            if (there := pieces.there(position, target)) in pieces.pieces:
                for sign in pieces.pieces if position == sample[0] else (there,):
                    after = pieces.put(position, target, sign)
                    assert pieces.there(after, target) == sign, f"{to_text(game, position)}: {sign} on {target}"
                    assert sign != there or after == position, f"{to_text(game, position)}: {sign} on {target}"


@games_set_up
@parametrize_amount("drafts", 200, 5000)
def test_a_draft_is_a_position_or_is_refused_with_a_reason(
    game: AnyGame, analyst: AlternatingAnalyst, sample: Sample, drafts: int, law: Law
) -> None:
    pieces, random, positions = game.play.set_up, Random(5), 0
    assert pieces is not None
    draft = pieces.empty
    for number in law.each(range(drafts)):
        if number % 10 == 0:
            draft = random.choice([pieces.empty, *sample])
        draft = pieces.put(draft, random.choice(list_cells(game, draft)), random.choice(list(pieces.pieces)))
        if pieces.turned is not None and not random.randrange(4):
            draft = pieces.turned(draft)
        why = find_objection(game.notation, draft)
        assert "\n" not in why, why
        if not why:
            assert game.notation.parse_position(game.notation.format_position(draft)) == draft
            if analyst.is_reachable(draft) and not game.facts.plays_by_search:
                assert analyst.probe(draft) is not None, to_text(game, draft)
            positions += 1
    assert positions or drafts < 100, "never a position"
