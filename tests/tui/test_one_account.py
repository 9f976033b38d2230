"""All places that tell of a game tell the same: the list of moves, the end of the game, the history, progress, exported
records, `review` and the web page. The tests parse what each of them shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import chain, pairwise
from random import Random

import pytest
from onlymove.pictures.colours import NAMES
from onlymove_engines.coach.figures import choices_by_side, find_decision, format_symbol, list_choices_at
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.coach.values import find_values
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.facts import GameId
from onlymove_engines.games import list_own_games, load
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_engines.records.record import Record, format_record, parse_records
from onlymove_tables.open import open_game
from onlymove_tui.app.panels import side_panels
from onlymove_tui.app.panels.progress_rows import progress_rows
from onlymove_tui.app.screens.history import describe_decisions, list_cells
from onlymove_tui.app.webpage.page import GameShown, web_page
from onlymove_tui.cli.records import move_facts, side_facts
from onlymove_tui.play.phrases import figure_lines
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore

OWN, OTHER = 0, 1
ALONE = (HUMAN, Player(PlayerKind.ENGINE))
MAX_ROUNDS = 24
WIDTH = 40
SLIPS = ("?", "??")
"""The symbols that only slips have. An inaccuracy `?!` may be a slip, or only slow."""
CLASSES = {"Inaccuracy": "?!", "Mistake": "?", "Missed win": "?", "Blunder": "??"}
WORDS = {"Inaccuracy": "inaccurac", "Mistake": "mistake", "Missed win": "missed win", "Blunder": "blunder"}


def play_with_mistakes(game_id: GameId, random: Random) -> LiveGame:
    """Play a game in which a person takes hints, plays bad moves or takes them back, and undoes good ones."""
    game = load(game_id)
    analyst = open_game(game).analyst
    live = LiveGame(Session(game, game.start({}, random.randrange(99)), ALONE), Coaching(OnBad.ASK), random=random)
    live.set_analyst(analyst)
    for _ in range(MAX_ROUNDS):
        if live.session.is_over:
            break
        node = live.node
        if random.random() < 0.95 and node.values is None:
            live.store_values(node, find_values(live.session.tree, node, analyst, Budget(nodes=200)))
        if live.session.choosing_seat == OWN and random.random() < 0.15:
            node.hinted.add(OWN)
        seats = (OTHER, OWN) if live.is_simultaneous else (live.session.to_move or 0,)
        for seat in seats:
            move = random.choice(live.session.moves_of(seat))
            if seat == OTHER:
                live.play_reply(seat, move)
            elif live.offer(seat, move) is None:
                live.set_analyst(None)
                live.retry_waiting_move()
                live.set_analyst(analyst)
            elif live.stopped_move is not None:
                (live.play_stopped_move if random.random() < 0.6 else live.rethink)()
        if random.random() < 0.1 and not live.session.is_over:
            live.undo()
    if not live.session.is_over:
        live.resign(OTHER)
    for node in live.node.path()[:-1]:
        if node.values is None and random.random() < 0.9:
            live.store_values(node, find_values(live.session.tree, node, analyst, Budget(nodes=200)))
    return live


@dataclass(frozen=True)
class Account:
    """What a place tells: good moves, decisions, moves of each bad class, slow moves that were no decision, moves with
    a full hint, bad first tries undone, and the number of the move that is called the first slip."""

    good: int
    decisions: int
    classes: Mapping[str, int]
    slow: int
    hinted: int
    undone: int
    first_slip: int | None


def find_number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return 0 if found is None else int(found[1])


def read_account(text: str, in_words: bool = False) -> Account:
    """Read the figures of one side from what the end of a game shows."""
    text = " ".join(text.split())
    good = re.search(r"(\d+) of (\d+) moves? (?:was|were) good", text)
    assert good or "No decisions to judge" in text, text
    counts = {
        name: find_number(rf"(\d+) {WORDS[name]}", text) if in_words else find_number(rf"{name} +█+ (\d+)", text)
        for name in CLASSES
    }
    return Account(
        int(good[1]) if good else 0,
        int(good[2]) if good else 0,
        counts,
        find_number(r"\((\d+) slow\)", text),
        find_number(r"(\d+) with a full hint", text),
        find_number(r"(\d+) bad first tr(?:y|ies) undone", text),
        find_number(r"First slip: move (\d+)\.", text) or None,
    )


def check_symbols(symbols: Sequence[str], told: Account, is_told_by_symbols: bool) -> None:
    """Check what is told against the symbols in a list of one side's moves, by their numbers from 1 on. With
    `is_told_by_symbols`, the symbols alone say which moves were slips."""
    bare = Counter(symbol.strip("()") for symbol in symbols)
    undone = sum(symbol.startswith("(") for symbol in symbols)
    assert undone == told.undone
    assert bare["??"] == told.classes["Blunder"]
    assert bare["?"] == told.classes["Mistake"] + told.classes["Missed win"]
    inaccurate = told.classes["Inaccuracy"] + told.slow
    assert inaccurate <= bare["?!"] <= inaccurate + told.hinted
    sure = [number for number, symbol in enumerate(symbols, 1) if symbol in SLIPS or symbol.startswith("(")]
    slips = told.decisions - told.good
    if is_told_by_symbols:
        assert slips == len(sure)
        assert told.first_slip == (sure[0] if sure else None)
    assert (told.first_slip is None) == (slips == 0)
    assert len(sure) <= slips <= len(sure) + bare["?!"]
    if told.first_slip is not None:
        assert "?" in symbols[told.first_slip - 1]
        assert told.first_slip <= min(sure, default=told.first_slip)


def list_symbols(live: LiveGame, seat: int, glyphs: Sequence[str]) -> list[str]:
    """Return the symbols of one side from those of all moves. A round has both sides' symbols: `?!/??`."""
    found = []
    for node, glyph in zip(live.node.path()[1:], glyphs, strict=True):
        seats = sorted(node.judgements)
        parts = glyph.split("/") if "/" in glyph else [glyph] * (seats == [seat]) or [""]
        of_seat = parts[seats.index(seat)] if seat in seats and glyph else ""
        found.append(of_seat if seat in node.choices else "")
    return found


class ListReader(HTMLParser):
    """Reads the first list of moves of a web page, and the text of its last board."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.moves, self.last, self.place = list[str](), "", ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "ol":
            self.place = "list"
        elif tag == "a" and self.place == "list":
            self.moves.append("")
        elif tag == "section":
            self.place, self.last = "section", ""

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "section"):
            self.place = ""

    def handle_data(self, data: str) -> None:
        if self.place == "list" and self.moves:
            self.moves[-1] += data
        elif self.place == "section":
            self.last += data


def check_game(live: LiveGame, with_page: bool) -> None:
    game, path = live.game, live.node.path()
    by_symbols = not live.is_simultaneous and not game.facts.has_margin
    made = choices_by_side(live.session.players, path)[OWN]
    rows = {
        in_words: "\n".join("".join(text for text, _ in row) for row in chain(*parts))
        for in_words in (False, True)
        for parts in [side_panels.list_figure_parts(made, WIDTH, in_words)]
    }
    told = read_account(rows[False])
    assert read_account(rows[True], in_words=True) == told, "bars and words"
    symbols = list_symbols(live, OWN, [ply.glyph for ply in side_panels.list_plies(live, path, everything=True)])
    check_symbols(symbols, told, by_symbols)
    strip = side_panels.build_strip(live, live.node, path, True, True, in_plain_words=False)
    if told.first_slip is not None:
        assert f"first slip: move {told.first_slip}" == strip.caption

    # The history, the progress and the lines of a game in line mode.
    store = GameStore(None, load)
    number = store.save(live.session, GameDetails())
    (entry,) = store.list()
    slips = told.decisions - told.good
    words = describe_decisions(entry)
    if told.decisions:
        assert words.startswith(f"{told.good} of {told.decisions} move"), words
        assert words.endswith(f"{slips or 'no'} slip{'' if slips < 2 else 's'}"), words
        cells = list_cells(entry, game.facts.title, game.facts.levels)
        assert [cells[name][0] for name in ("good", "slips")] == [f"{100 * told.good // told.decisions} %", str(slips)]
    progress = store.progress.read(game.id)
    assert progress.kept == (told.good, told.decisions)
    shown = " ".join("".join(text for text, _ in row) for row in progress_rows(progress, 60))
    if told.decisions:
        assert f"{told.good} of {told.decisions} move" in shown, shown
    assert sum(count for _, count in progress.mistakes) <= slips
    (line,) = figure_lines(game, {OWN: made})
    in_line = read_account(line)
    assert (in_line.good, in_line.decisions, in_line.undone) == (told.good, told.decisions, told.undone)

    # A record that is read again, as `review` and web pages do.
    (record,) = parse_records(format_record(Record(store.peek(number).session.tree)), load)
    again = LiveGame(Session.from_tree(record.tree), Coaching(), training=False)
    track = again.node.path()
    facts = side_facts(track, OWN)
    assert (facts["kept"], facts["decisions"], facts["turning_point"]) == (told.good, told.decisions, told.first_slip)
    moves = [
        move_facts(again, before, after, OWN, after.choices[OWN])
        for before, after in pairwise(track)
        if OWN in after.judgements
    ]
    assert sum(move["first_try"] is not None for move in moves) == told.undone
    from_file = "\n".join(
        "".join(text for text, _ in row)
        for row in chain(*side_panels.list_figure_parts(list_choices_at(track, OWN), WIDTH))
    )
    assert read_account(from_file) == told, "an exported game"
    if with_page:
        page = ListReader(web_page([GameShown(live, ("Ada", "Engine"), "2026.11.29")], NAMES[0]))
        glyphs = [match[1] if (match := re.search(r" ([?!.()/]+)  ", f"{text}  ")) else "" for text in page.moves]
        assert list_symbols(live, OWN, glyphs) == symbols
        assert read_account(page.last) == told, "a web page"
    store.close()


def play_and_check(game_id: GameId, seeds: range, pages: int) -> None:
    """Check a game for each seed, and the web page of the first `pages`."""
    found = Counter[str]()
    for seed in seeds:
        live = play_with_mistakes(game_id, Random(seed))
        check_game(live, with_page=seed - seeds[0] < pages)
        for node in live.node.path()[1:]:
            found["undone"] += format_symbol(node, OWN).startswith("(")
            found["slips"] += (counted := find_decision(node, OWN)) is not None and not counted.keeps_value
    assert found["slips"] > len(seeds) // 2, "the games have mistakes"
    assert found["undone"], "and some are taken back"


@pytest.mark.parametrize("game_id", [facts.id for facts in list_own_games()])
def test_all_places_tell_the_same_of_a_game(game_id: GameId) -> None:
    play_and_check(game_id, range(20), pages=1)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [facts.id for facts in list_own_games()])
def test_all_places_tell_the_same_of_five_hundred_games(game_id: GameId) -> None:
    play_and_check(game_id, range(1000, 1500), pages=20)
