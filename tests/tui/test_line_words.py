"""Every word that a sentence of line mode offers is accepted there, also if the word is another one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.coach.lessons import find_lessons
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import AnyGame
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import Players
from onlymove_engines.play.session import AnySession, Session
from onlymove_tables.open import open_game
from onlymove_tui.play.keys import choose_line_text
from onlymove_tui.play.line_mode import DrillLines, LessonLines, LineMode, ReviewLines, Voice
from onlymove_tui.play.training import Course, Practice
from onlymove_tui.store.learning import Due

from tests.heap_game import HeapAnalyst, heap_game
from tests.tui.line_words import find_offered_words
from tests.tui.live_games import AGAINST, FRIENDS, make_duel_game, store_current_values

TOBITO = games.load("tobito")
LAST = len(find_lessons(TOBITO)) - 1
HEAP: AnyGame = replace(heap_game(), facts=replace(heap_game().facts, package=""))
"""A game that has no files for its rules."""
NONSENSE = "nonsense"
Modes = Callable[[Voice], LineMode | ReviewLines | DrillLines | LessonLines]


def make_game(coaching: Coaching, players: Players = FRIENDS) -> LiveGame:
    session: AnySession = Session(HEAP, (7, 0), players)
    live = LiveGame(session, coaching, random=Random(1))
    live.set_analyst(HeapAnalyst(None))
    return live


def play_friend(voice: Voice) -> LineMode:
    return LineMode(make_game(Coaching(OnBad.ASK)), voice)


def play_engine(voice: Voice) -> LineMode:
    return LineMode(make_game(Coaching(OnBad.MARK), AGAINST), voice)


def play_first(voice: Voice) -> LineMode:
    return LineMode(make_game(Coaching(OnBad.ASK, for_newcomer=True)), voice)


def play_duel(voice: Voice) -> LineMode:
    return LineMode(make_duel_game(FRIENDS), voice)


def review_heap(voice: Voice) -> ReviewLines:
    live = store_current_values(make_game(Coaching(OnBad.MARK)))
    live.offer(0, 2)
    live.resign(1)
    return ReviewLines(live, voice)


def review_duel(voice: Voice) -> ReviewLines:
    live = make_duel_game(FRIENDS)
    for seat in (0, 1):
        live.offer(seat, "c")
    return ReviewLines(live, voice)


def drill(voice: Voice) -> DrillLines:
    queue = [Due(number, Drill("heap", "7 0", 0, Origin.MISTAKE, "2"), 0, 0) for number in (1, 2)]
    practice = Practice(queue, lambda _: HEAP, Coaching())
    return DrillLines(practice, lambda _: (HeapAnalyst(None), ""), voice)


def learn(voice: Voice) -> LessonLines:
    return LessonLines(Course(TOBITO, Coaching()), lambda game: (open_game(game).analyst, ""), voice)


def win_in_lesson(voice: Voice) -> LessonLines:
    return LessonLines(Course(TOBITO, Coaching(), step=LAST), lambda game: (open_game(game).analyst, ""), voice)


def end_in_lesson(voice: Voice) -> LessonLines:
    """Return the last game of the lessons, which may end in any way."""
    course = Course(TOBITO, Coaching(), step=LAST)
    course.advance()
    return LessonLines(course, lambda game: (open_game(game).analyst, ""), voice)


def walk_seeds(voice: Voice) -> LineMode:
    """Return a game in which no move matters any more."""
    game = games.load("ayoayo")
    position = game.notation.parse_position("0,0,0,0,0,1/1,0,0,1,0,1 20-24 0")
    live = LiveGame(Session[Any, Any](game, position, FRIENDS), Coaching())
    live.set_analyst(open_game(game).analyst)
    return LineMode(live, voice)


TOURS: dict[str, tuple[Modes, Sequence[str]]] = {
    "game": (play_friend, ("help", "rethink", "2", "", NONSENSE, "keep", "why", "1", "resign", "")),
    "game against an engine": (play_engine, ("players", "2", "draw", "undo")),
    "first game": (play_first, ("2",)),
    "game of two who choose at once": (play_duel, ("a", "why", "c", "c", "c", "why")),
    "game in which no move matters": (walk_seeds, ("1", "rest", "undo")),
    "review": (review_heap, ("help", NONSENSE, "why", "next", "why", "", "end", "next")),
    "review of two who choose at once": (review_duel, ("next", "why")),
    "drills": (drill, ("help", "values", "why", "2", "why", NONSENSE, "1", NONSENSE, "", "solution", "1")),
    "lessons": (learn, ("help", "b5b4", "hint", "", "hint", "hint", NONSENSE)),
    "game to win in a lesson": (win_in_lesson, ("help", "resign", "help")),
    "game to end in a lesson": (end_in_lesson, ("help", "resign")),
}


def keep(word: str) -> str:
    return word


def rename(word: str) -> str:
    return f"{word}x" if word else ""


def run(make: Modes, lines: Sequence[str], change: Callable[[str], str]) -> list[list[str]]:
    """Return what line mode writes before the first of these lines and after each of them, up to the one that ends it.
    All words of its commands are changed."""
    written: list[str] = []
    begun: list[int] = []
    mode = make(Voice(written.append, lambda: 0.0))
    mode.commands = {change(word): command for word, command in mode.commands.items()}

    def type_lines() -> Iterator[str]:
        for line in lines:
            begun.append(len(written))
            yield line
        begun.append(len(written))

    mode.run(type_lines())
    return [written[start:end] for start, end in pairwise([0, *begun])] + ([] if len(begun) > len(lines) else [written])


def answer_to(make: Modes, before: Sequence[str], typed: str, change: Callable[[str], str]) -> list[str]:
    """Return what is written after the line `typed`, without this text."""
    written = run(make, [*before, typed], change)[len(before) + 1]
    return [line.replace(typed, "*") if typed else line for line in written]


@pytest.mark.parametrize(
    ("tour", "change"),
    [(tour, keep) for tour in TOURS] + [(tour, rename) for tour in TOURS if "in a lesson" not in tour],
)
def test_every_word_that_a_sentence_offers_is_accepted_there(tour: str, change: Callable[[str], str]) -> None:
    """If the words of all commands change, so do those in all sentences. A game in a lesson has its own commands."""
    make, lines = TOURS[tour]
    words = make(Voice(lambda _: None, lambda: 0.0)).commands
    typed = [change(line) if line in words else line for line in lines]
    pages = run(make, typed, change)
    assert len(pages) == len(lines) + 1, "line mode has ended too early"
    for number, page in enumerate(pages):
        assert "{" not in "".join(page)
        for word in find_offered_words(page):
            before = typed[:number]
            assert answer_to(make, before, word, change) != answer_to(make, before, NONSENSE, change), (page, word)


@pytest.mark.parametrize("make", dict.fromkeys(make for make, _ in TOURS.values()))
def test_the_help_offers_every_word(make: Modes) -> None:
    written: list[str] = []
    mode = make(Voice(written.append, lambda: 0.0))
    mode.answer("help")
    assert {"", *find_offered_words(written)} - {"players A,B", "map N"} == set(mode.commands)


@pytest.mark.parametrize("facts", games.list_own_games(), ids=lambda facts: facts.id)
def test_lessons_in_line_mode_name_no_keys(facts: Facts) -> None:
    for step in find_lessons(games.load(facts.id)):
        for text in (step.text, *(said for task in step.tasks for said in (task.ask, task.right, task.wrong))):
            assert not re.search(r"[Pp]ress |<!--|\{", choose_line_text(text))


def test_a_word_plays_out_a_game_in_which_no_move_matters() -> None:
    written: list[str] = []
    walk_seeds(Voice(written.append, lambda: 0.0)).run(["rest", "quit"])
    assert "No move matters now: type rest to play the rest out." in written
    assert any("the position came back" in line for line in written)
    assert any("with nothing to decide" in line for line in written)
    written.clear()
    play_friend(Voice(written.append, lambda: 0.0)).run(["rest", "quit"])
    assert "This game cannot be played out here." in written
