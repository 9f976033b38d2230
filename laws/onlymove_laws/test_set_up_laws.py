"""The laws of setting up: whatever is put on the board can be drawn and spelled, and is a position or told why not."""

from __future__ import annotations

from random import Random
from typing import Any

from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.game import AnyGame, SetUp, objection
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import View

from .amounts import amounts
from .law import Law, named, of_games

Sample = tuple[Any, ...]
games_set_up = of_games(lambda game: game.set_up is not None)


def pieces_of(game: AnyGame) -> SetUp[Any]:
    """What the game's cells may take."""
    assert game.set_up is not None
    return game.set_up


def cells(game: AnyGame, draft: Any) -> list[Target]:
    """What the cursor can be on, as the picture of a draft has it."""
    view: View[Any, Any] = View((draft,), options={"seat": game.rules.to_move(draft) or 0, "cursor": None})
    return [place.target for place in game.painter.scene(view).places]


@games_set_up
def test_a_piece_that_is_put_on_a_cell_is_there(game: AnyGame, sample: Sample, law: Law) -> None:
    pieces, draft = pieces_of(game), sample[0]
    for target in cells(game, draft):
        for sign in pieces.pieces:
            after = pieces.put(draft, target, sign)
            if pieces.there(draft, target) in pieces.pieces:
                assert pieces.there(after, target) == sign, f"{named(game, draft)}: {sign} on {target}"
            law.held()


@games_set_up
def test_a_position_is_what_it_was_when_its_pieces_are_put_where_they_are(
    game: AnyGame, sample: Sample, law: Law
) -> None:
    pieces = pieces_of(game)
    for position in sample:
        for target in cells(game, position):
            if (sign := pieces.there(position, target)) in pieces.pieces:
                assert pieces.put(position, target, sign) == position, f"{named(game, position)}: {sign} on {target}"
        law.held()


@games_set_up
@amounts("drafts", 200, 5000)
def test_a_draft_is_a_position_or_told_why_not(
    game: AnyGame, analyst: AlternatingAnalyst, sample: Sample, drafts: int, law: Law
) -> None:
    pieces, random, positions = pieces_of(game), Random(5), 0
    draft = pieces.empty
    for number in range(drafts):
        if number % 10 == 0:
            draft = random.choice([pieces.empty, *sample])
        draft = pieces.put(draft, random.choice(cells(game, draft)), random.choice(list(pieces.pieces)))
        if pieces.turned is not None and not random.randrange(4):
            draft = pieces.turned(draft)
        why = objection(game.notation, draft)
        assert "\n" not in why, why
        if not why:
            assert game.notation.parse_position(game.notation.format_position(draft)) == draft
            if analyst.is_reachable(draft) and not game.facts.plays_by_search:
                assert analyst.probe(draft) is not None, named(game, draft)
            positions += 1
        law.held()
    assert positions or drafts < 100, "never a position"
