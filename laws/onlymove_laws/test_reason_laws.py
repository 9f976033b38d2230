"""A choice that is none is refused by the rule that forbids it, in one line, on the board and in what is typed."""

from __future__ import annotations

from random import Random
from typing import Any

from onlymove_engines.core.errors import IllegalMove
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import MoveEntry
from onlymove_engines.core.scene import View
from onlymove_engines.play.session import Session, refusal

from .law import Law, alternating_games, named

Sample = tuple[Any, ...]
LINE = 78
"""Columns of a refusal."""


def entries(entry: MoveEntry[Any], random: Random) -> list[MoveEntry[Any]]:
    """Nothing picked, and some of the ways on."""
    found = [entry]
    while (targets := entry.next_targets()) and entry.move is None:
        entry = entry.pick(random.choice(targets)) or entry
        found += [entry] * (entry.move is None)
    return found


def test_whatever_cannot_be_picked_is_refused_with_a_reason(game: AnyGame, unfinished: Sample, law: Law) -> None:
    random = Random(7)
    for position in unfinished[:40]:
        sitting: Session[Any, Any] = Session(game, position)
        for seat in (0, 1) if sitting.to_move is None else (sitting.to_move,):
            for entry in entries(sitting.entry(seat), random):
                scene = game.painter.scene(View((position,), chosen=entry.prefix, options={"seat": seat}))
                everywhere = {place.target for place in scene.places} | set(game.direct_keys.values())
                for target in sorted(everywhere - set(entry.next_targets())):
                    path = (*entry.prefix, target)
                    why = refusal(sitting, seat, path)
                    assert why, f"{named(game, position)}: {path}"
                    is_told = game.forbidden_by is None or "cannot be chosen" not in why
                    assert is_told, f"{named(game, position)}: {path} is refused without a rule"
                    assert len(why) <= LINE, f"{named(game, position)}: {len(why)} columns: {why}"
                    law.held()
        if not game.direct_keys and game.forbidden_by is not None:
            law.held()


@alternating_games
def test_a_typed_move_is_refused_in_the_same_words(game: AnyGame, sample: Sample, law: Law) -> None:
    """Moves of other positions, typed where they are illegal."""
    random, here = Random(8), [position for position in sample if game.rules.result(position) is None]
    for position in here[:30]:
        legal = set(game.rules.legal_moves(position))
        others = [move for other in random.sample(here, 5) for move in game.rules.legal_moves(other)]
        for move in random.sample(others, min(20, len(others))):
            if move in legal:
                law.held()
                continue
            text = game.notation.format_move(position, move)
            try:
                game.notation.parse_move(position, text)
            except IllegalMove as refused:
                why = str(refused)
            else:
                raise AssertionError(f"{named(game, position)}: {text} was taken")
            assert len(why) <= LINE, f"{named(game, position)}, {text}: {why}"
            if game.forbidden_by is not None and game.rules.to_move(position) is not None:
                path = game.notation.paths(position, move)[0]
                on_board = game.forbidden_by(position, game.rules.to_move(position) or 0, path)
                assert why == on_board or not on_board or "opponent" in why, (
                    f"{named(game, position)}, {text}: {why} / {on_board}"
                )
            law.held()
