"""The map of learning a game: the steps of its lessons, a first game, and rounds of drills, with what is done. Does not
depend on screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from onlymove_engines.coach.lessons import find_lessons
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.words import format_count

from onlymove_tui.play.phrases import DRILL_WORDS
from onlymove_tui.play.training import ROUND, find_next_lesson, find_theme
from onlymove_tui.store.learning import STAGES, Learned, Milestone, count_parts, next_stage


class Part(NamedTuple):
    """A part of the learning path: a lesson step with its number from 0 (`step`), the first game, or a round of drills.
    `name` and `title` say what it is, such as `Lesson 2` and `Capturing fours`, and `text` what the player does in it.
    `note` says where a step goes on if it was left between two tasks."""

    stage: Milestone
    name: str
    title: str
    text: str
    is_done: bool
    step: int | None = None
    note: str = ""


def list_parts(game: AnyGame, learned: Learned) -> list[Part]:
    """Return the parts of a game's learning path, in order. Raises BadLesson."""
    parts = []
    for number, step in enumerate(find_lessons(game)):
        is_done, place, tasks = number in learned.steps, learned.places.get(number, 0), len(step.tasks)
        note = f"It goes on with task {place + 1} of {tasks}" if 0 < place < tasks else ""
        parts.append(Part(Milestone.LESSONS, f"Lesson {number + 1}", step.title, step.text, is_done, number, note))
    for stage in STAGES:
        theme, is_done = find_theme(game, stage), stage in learned.reached
        if theme is not None:
            text = f"{format_count(ROUND, 'new position')} to solve. Take your time: only the first try counts."
            parts.append(Part(stage, "Drills", DRILL_WORDS[theme], text, is_done))
        elif stage is Milestone.FIRST_GAME:
            against = f"against {game.facts.levels[0].title}" if game.facts.levels else "against the engine"
            text = "Play a whole game. Training warns you before a bad move counts."
            parts.append(Part(stage, "First game", against, text, is_done))
    return parts


def find_next_part(game: AnyGame, parts: Sequence[Part], learned: Learned) -> Part | None:
    """Return the part with which the player goes on, or `None` after the last one."""
    stage = next_stage(learned)
    if stage is Milestone.LESSONS:
        step = find_next_lesson(find_lessons(game), learned)
        found = next((part for part in parts if part.step is not None and part.step == step), None)
        if found is not None:
            return found
        stage = next_stage(Learned(reached=learned.reached | {Milestone.LESSONS}))
    return next((part for part in parts if part.stage is stage), None)


def describe_progress(parts: Sequence[Part], learned: Learned) -> str:
    """Return how much of the path is done, such as `4 of 11 done`."""
    done, total = count_parts(sum(part.step is not None for part in parts), learned)
    return f"{done} of {total} done"


def map_lines(game: AnyGame, parts: Sequence[Part], learned: Learned) -> list[str]:
    """Return the map in lines, for line mode: what is done has an `x`, and the next part an arrow."""
    following = find_next_part(game, parts, learned)
    lines = [f"Learning {game.facts.title}: {describe_progress(parts, learned)}."]
    for part in parts:
        mark = "[x]" if part.is_done else "[>]" if part is following else "[ ]"
        lines.append(f"{mark} {part.name}: {part.title}{f'. {part.note}.' if part.note else ''}")
    return lines
