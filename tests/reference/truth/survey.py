"""Asks the product about many positions and moves of a game, and checks all that it prints."""

from __future__ import annotations

from collections import Counter
from random import Random

import onlymove

from tests.reference.truth.check import BoardChecker, RidersChecker, Told
from tests.reference.truth.facts import Spot
from tests.reference.truth.printed import Asked, choose_moves, find_forced_wins, play_games, values_in, values_of

RESULTS = {1: "won", 0: "drawn", -1: "lost"}


def survey(game_id: str, moves: int, seed: int = 2026) -> tuple[Told, Counter[str]]:
    """Ask about at least this many moves, and for hints in their positions. Return what was read and what was asked."""
    game, random = onlymove.load(game_id), Random(seed)
    return (survey_riders if game.is_simultaneous else survey_board)(game, moves, random)


def survey_board(game: onlymove.Game, moves: int, random: Random) -> tuple[Told, Counter[str]]:
    """Survey a game in which the sides take turns.

    A sentence may be false by the values of single positions, but true in the game that begins there: in Ayòayò, a game
    is over when its first position occurs again. So if something is false there, everything is read again with values
    that take this into account.
    """
    checker, asked = BoardChecker(game.id, values_of(game)), Counter[str]()
    for position in play_games(game, random):
        if asked["moves"] >= moves:
            break
        page = Asked(game, position).page(choose_moves(game, position, random))
        asked.update(wanted_kinds(checker.spot(position.text)))
        asked["moves"] += len(page.moves)
        asked["stages of hints"] += len(page.stages)
        before = len(checker.faults)
        checker.check_page(page)
        if len(checker.faults) > before and game.id == "ayoayo":
            asked["games that must not come back"] += 1
            again = checker.begin_at(page.position, values_in(game, page.position))
            again.check_page(page)
            checker.faults[before:] = again.faults
    return checker, asked


def survey_riders(game: onlymove.Game, moves: int, random: Random) -> tuple[Told, Counter[str]]:
    """Survey every step of both riders in Light Riders. Three moves in ten are in fields with walls and a forced win
    beside estimates."""
    checker, asked = RidersChecker(), Counter[str]()
    sources = {"games": play_games(game, random), "forced wins": find_forced_wins(game, random)}
    while asked["moves"] < moves:
        source = "forced wins" if asked["forced wins"] < 0.3 * (asked["moves"] + 1) else "games"
        position = next(sources[source])
        for seat in (0, 1):
            one = Asked(game, position, seat)
            field = one.field()
            page = one.page(field.shares)
            asked["proven" if field.is_proven else "estimated"] += 1
            asked["proven beside estimates"] += field.is_proven and bool(field.estimated)
            asked.update({"moves": len(page.moves), source: len(page.moves), "stages of hints": len(page.stages)})
            checker.check_page(field, page)
    return checker, asked


def wanted_kinds(spot: Spot) -> list[str]:
    """Return the kinds of a position: its result, whether only one move keeps it, and whether a move ends the game."""
    kinds = [RESULTS[spot.worth.outcome]]
    kinds += ["only move"] * (len(spot.good_moves) == 1 < len(spot.values))
    return kinds + ["end"] * any(child.end is not None for child in spot.children.values())
