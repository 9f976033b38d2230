"""The end panel and the history count what the list of moves shows, whatever help a player had and whatever was taken
back or played against advice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from onlymove.pictures.colours import Tone
from onlymove_engines.coach.figures import SeatChoice, choices_by_side, count_figures, find_decision
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.coach.values import find_values
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Win
from onlymove_engines.games import list_own_games, load
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_tables.open import open_game
from onlymove_tui.app.panels import side_panels
from onlymove_tui.app.screens.history import describe_decisions
from onlymove_tui.app.widgets.canvas import choose_fitting
from onlymove_tui.app.widgets.layout import SIDE_WIDTH
from onlymove_tui.store.rows import format_figures

from tests.tui.pilots import FRIENDS
from tests.tui.tiny_game import TinyAnalyst, tiny_game

ALONE = (HUMAN, Player(PlayerKind.ENGINE))
LINES_AT_24 = 12
"""The lines of the summary beside the board in a terminal of 80 columns and 24 lines."""
SIGNS = {Grade.GOOD: ".", Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.MISSED_WIN: "?", Grade.BLUNDER: "??"}


def play_with_help(random: Random, players: tuple[Player, Player]) -> LiveGame:
    """Play a game in which a person uses all help, takes moves back, and plays bad moves all the same."""
    game = tiny_game()
    live = LiveGame(Session(game, game.start({"heaps": "4-4"}, 0), players), Coaching(), random=random)
    live.set_analyst(TinyAnalyst())
    while not live.session.is_over:
        node = live.node
        if live.node.values is None and random.random() < 0.95:
            live.store_values(node, TinyAnalyst().analyse(node.position))
        moves = list(game.rules.legal_moves(node.position))
        if live.session.choosing_seat is None:
            live.play_reply(live.session.to_move or 0, random.choice(moves))
            continue
        if random.random() < 0.2 and (climb := live.prepare_hint(straight=random.random() < 0.5)) is not None:
            climb()
        if random.random() < 0.1:
            live.show_values(not live.shows_values)
        if live.offer(live.session.choosing_seat, random.choice(moves)) is None:
            live.set_analyst(None)
            live.retry_waiting_move()
            live.set_analyst(TinyAnalyst())
        elif live.stopped_move is not None:
            (live.play_stopped_move if random.random() < 0.5 else live.rethink)()
        if random.random() < 0.1 and not live.session.is_over:
            live.undo()
    for node in live.node.path()[:-1]:
        if random.random() < 0.9:
            live.store_values(node, TinyAnalyst().analyse(node.position))
    return live


def read_figures(made: Sequence[SeatChoice]) -> str:
    """Return the figures with bars, in one line."""
    rows = chain(*side_panels.list_figure_parts(made, 40))
    return " ".join(" ".join("".join(run for run, _ in row) for row in rows).split())


@pytest.mark.parametrize("players", [ALONE, FRIENDS], ids=["alone", "two"])
def test_the_counts_at_the_end_equal_what_the_list_shows(players: tuple[Player, Player]) -> None:
    for seed in range(60):
        compare_with_the_list(play_with_help(Random(seed), players))


def compare_with_the_list(live: LiveGame) -> None:
    path = live.node.path()
    listed = side_panels.list_plies(live, path, everything=True)
    for made in choices_by_side(live.session.players, path).values():
        own = [listed[node.ply - 1] for node, who in made if who in node.choices]
        found = count_figures(made)
        text = read_figures(made)
        counted = [
            (node, seat)
            for node, seat in made
            if seat not in (node.parent or path[0]).hinted
            or find_decision(node, seat)
            or (seat in node.judgements and node.judgements[seat].changes_nothing)
        ]
        shown = Counter(listed[node.ply - 1].glyph.strip("()") for node, who in counted if who in node.choices)
        slow = re.search(r"\((\d+) slow\)", text)
        assert (0 if slow is None else int(slow[1])) == found.slow
        shown["?!"] -= found.slow
        for grade, sign in SIGNS.items():
            count = re.search(rf"{grade.title} +█+ (\d+)", text)
            assert (0 if count is None else int(count[1])) == found.counts.get(grade, 0)
            same = sum(found.counts.get(other, 0) for other in SIGNS if SIGNS[other] == sign)
            assert shown[sign] == same, f"{sign} in the list"
        left_out = re.search(r"Not counted: ([^.]*)\.", text)
        kinds = (
            {}
            if left_out is None
            else {kind: int(n) for n, kind in re.findall(r"(\d+) ((?!slow)[a-z ]+\w)", left_out[1])}
        )
        assert kinds.get("with a full hint", 0) == found.hinted
        assert sum(kinds.values()) + found.decisions == len(own), text
        taken_back = re.search(r"(\d+) bad first (?:try|tries) undone\.", text)
        assert (0 if taken_back is None else int(taken_back[1])) == found.rethought
        listed_grades = {
            grade.title: int(count[1])
            for grade in Grade
            if (count := re.search(rf"\b{grade.title} +█+ (\d+)", text)) is not None
        }
        assert sum(listed_grades.values()) == found.decisions
        if found.decisions:
            lost = sum(listed_grades.get(grade.title, 0) for grade in (Grade.MISSED_WIN, Grade.BLUNDER))
            good = f"{found.decisions - lost} of {found.decisions} move"
            assert text.startswith(good), "the bad moves and the bad tries undone are the rest"
            assert found.slips == lost
            if live.session.players == ALONE:
                assert format_figures(path)["kept"] == found.kept, "the list of games says the same"
        if shown["?"] or shown["??"]:
            assert "100 %" not in text
            assert found.kept < found.decisions


def test_the_history_never_says_no_slip_over_one() -> None:
    for seed in range(60):
        live = play_with_help(Random(seed), ALONE)
        path = live.node.path()
        columns: dict[str, Any] = format_figures(path)
        listed = side_panels.list_plies(live, path, everything=True)
        own = [ply for ply, node in zip(listed, path[1:], strict=True) if 0 in node.choices]
        words = describe_decisions(SimpleNamespace(**columns, slips=columns["mistakes"]))  # type: ignore[arg-type]
        bad = sum(ply.glyph in ("?", "??") or ply.glyph.startswith("(") for ply in own)
        assert columns["mistakes"] == bad
        assert ("no slip" in words) is (bad == 0 and bool(columns["decisions"]))


def test_no_careless_move_has_the_colour_of_a_win() -> None:
    live = LiveGame(Session(tiny_game(), (1, 2, 0), FRIENDS), Coaching(), training=False)
    live.offer(0, ("L", 1))
    live.node.judgements[0] = Judgement(Grade.INACCURACY, Win(5), Win(11), slower=3)
    (ply,) = side_panels.list_plies(live, live.node.path(), everything=True)
    assert (ply.value, ply.value_tone) == ("W11", Tone.SLIP)


def play_at_random(game_id: str, players: tuple[Player, Player], rounds: int = 40) -> LiveGame:
    """Play a game in which every move is judged and some come after a hint."""
    game, random = load(game_id), Random(3)
    analyst = open_game(game).analyst
    live = LiveGame(Session(game, game.start({}, 1), players), Coaching(OnBad.MARK), random=random)
    live.set_analyst(analyst)
    for _ in range(rounds):
        if not live.session.is_over:
            live.store_values(live.node, find_values(live.session.tree, live.node, analyst, Budget(nodes=200)))
            if live.session.choosing_seat is not None and random.random() < 0.2:
                live.node.hinted.add(live.session.choosing_seat)
            for seat in (1, 0) if live.is_simultaneous else (live.session.to_move or 0,):
                move = random.choice(live.session.moves_of(seat))
                live.offer(seat, move) if players[seat].is_human else live.play_reply(seat, move)
    if not live.session.is_over:
        live.resign(0)
    return live


@pytest.mark.parametrize("game_id", [facts.id for facts in list_own_games()])
@pytest.mark.parametrize("players", [ALONE, FRIENDS], ids=["alone", "two"])
def test_the_summary_is_whole_on_a_small_screen(game_id: str, players: tuple[Player, Player]) -> None:
    live = play_at_random(game_id, players)
    path = live.node.path()
    rating = "Not rated: you asked why a move was bad." if players == ALONE else ""
    note = side_panels.game_end_note(live, path, SIDE_WIDTH, is_brief=True, rating=rating)
    rows = choose_fitting((note.rows, *note.shorter), LINES_AT_24)
    text = " ".join(" ".join("".join(run for run, _ in row) for row in rows).split())
    assert len(rows) <= LINES_AT_24, text
    assert rating in text
    for made in choices_by_side(players, path).values():
        found = count_figures(made)
        assert found.decisions
        parts = [found.format_headline().removesuffix(".")]
        parts += found.describe_left_out() if players == ALONE else []
        assert [part for part in parts if part not in text] == []


@pytest.mark.parametrize("game_id", [facts.id for facts in list_own_games()])
def test_the_sentence_follows_from_the_list_printed_under_it(game_id: str) -> None:
    game, random = load(game_id), Random(3)
    analyst = open_game(game).analyst
    live = LiveGame(Session(game, game.start({}, 1), FRIENDS), Coaching(), training=False)
    for _ in range(40):
        if not live.session.is_over:
            live.store_values(live.node, find_values(live.session.tree, live.node, analyst, Budget(nodes=200)))
            for seat in (0, 1) if live.is_simultaneous else (live.session.to_move or 0,):
                live.offer(seat, random.choice(live.session.moves_of(seat)))
    path = live.node.path()
    for made in choices_by_side(live.session.players, path).values():
        text = read_figures(made)
        listed = Counter({grade: int(n) for grade in Grade for n in re.findall(rf"\b{grade.title} █+ (\d+)", text)})
        good, decisions = listed[Grade.BEST] + listed[Grade.SOUND] + listed[Grade.GOOD], sum(listed.values())
        if not live.is_simultaneous:
            good += listed[Grade.INACCURACY]
        assert decisions, "a game long enough to decide something"
        assert text.startswith(f"{good} of {decisions} move{' was' if decisions == 1 else 's were'} good "), text
