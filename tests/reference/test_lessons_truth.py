"""Every sentence of every lesson is true of all the answers that it is said about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import onlymove
import pytest
from onlymove_engines.coach.drill import format_choice
from onlymove_engines.coach.lessons import Task, find_lessons, find_seat, is_right, list_choices
from onlymove_engines.core.value import Mixed
from onlymove_tui.play.keys import choose_app_text

from tests.reference.truth.check import BOARDS, BoardChecker
from tests.reference.truth.lessons import CLAIMS, Claim, Taught, claims_nothing
from tests.reference.truth.printed import Asked, values_of

Said: TypeAlias = tuple[str, Taught, str]
"""A sentence of a lesson, the task that it belongs to, and its key in `lessons.toml`."""


def take_task(game: onlymove.Game, task: Task) -> Taught:
    """Return a task as the checker knows it: texts only, and which answers the program accepts."""
    definition, position = (
        game.definition,
        game.parse(task.position),
    )
    asked = Asked(game, position, find_seat(definition, task, position.state))
    values = asked.live.node.values
    choices = () if task.against else list_choices(definition, task, position.state)
    right = [move for move in choices if is_right(definition, task, position.state, move, values)]
    texts = [format_choice(definition, position.state, move) for move in right]
    others = [format_choice(definition, position.state, move) for move in choices if move not in right]
    if isinstance(values, Mixed):
        return Taught(asked.field(), texts, others)
    return Taught(BoardChecker(game.id, values_of(game)).spot(position.text), texts, others)


def list_sentences(game_id: str) -> Iterator[Said]:
    game = onlymove.load(game_id)
    for step in find_lessons(game.definition):
        for task in step.tasks:
            taught = take_task(game, task)
            yield from (
                (choose_app_text(text), taught, key)
                for key in ("ask", "right", "wrong")
                if (text := getattr(task, key))
            )


@pytest.mark.parametrize("game_id", CLAIMS)
def test_every_sentence_of_a_lesson_is_true(game_id: str) -> None:
    for sentence, taught, key in list_sentences(game_id):
        claim = CLAIMS[game_id].get(sentence)
        assert claim is not None, f"no test knows what this claims: {key} = {sentence!r}"
        assert claim(taught), f"false: {key} = {sentence!r} of right {taught.accepted}, wrong {taught.refused}"


@pytest.mark.parametrize("game_id", CLAIMS)
def test_a_lesson_that_takes_wrong_answers_for_right_ones_is_caught(game_id: str) -> None:
    """Plant an error in every task: it accepts what it should refuse. Each sentence is then false."""
    for sentence, taught, key in list_sentences(game_id):
        claim: Claim = CLAIMS[game_id][sentence]
        is_about_moves = taught.accepted and claim is not claims_nothing
        assert not (is_about_moves and claim(taught.swap())), f"believed with the answers swapped: {key} = {sentence!r}"


def test_no_claim_is_about_a_sentence_that_is_gone() -> None:
    said = {game_id: {sentence for sentence, _, _ in list_sentences(game_id)} for game_id in CLAIMS}
    said["tobito"] |= said["haneto"]
    every = set().union(*said.values())
    gone = [s for game_id, claims in CLAIMS.items() for s in claims if s not in every and game_id != "haneto"]
    assert not gone
    assert set(CLAIMS) == {*BOARDS, "lightriders"}
