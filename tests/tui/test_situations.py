"""What a player is doing at a board, found and asked as functions, without an app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.values import Refutation, show_single_move
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Loss, Win
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import Session
from onlymove_engines.play.tree import AnyNode
from onlymove_tui.app.commands import ALWAYS, COMMANDS, TYPING_KEYS, list_commands
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.explore import ExploreScreen
from onlymove_tui.play.keys import Key, split_phrase, to_text
from onlymove_tui.play.situations import (
    FIND_FIRST,
    HIDDEN_TO_DECISION,
    HIDDEN_TO_THE_END,
    ONLY_HERE,
    Animated,
    Answered,
    AnswerShown,
    Asking,
    BestLine,
    Checking,
    Choosing,
    Effect,
    End,
    HiddenChoice,
    LessonsOver,
    Marking,
    Past,
    Present,
    Refuted,
    Requested,
    RoundOver,
    Shown,
    Situation,
    Solved,
    Stepping,
    Stopped,
    TaskDone,
    Thinking,
    ToBePlayed,
    Trying,
    Waiting,
    find_in_drill,
    find_in_explorer,
    find_in_lesson,
    find_in_review,
    find_present,
    find_situation,
)

from tests.heap_game import heap_game
from tests.tui.live_games import AGAINST, ENGINE, FRIENDS, make_duel_game, make_heap_game
from tests.tui.pilots import board, make_board_app, make_menu_app, press
from tests.tui.test_lesson_screen import lesson, make_app_at
from tests.tui.test_review_screen import GAME, make_friends_app, play, review

BAD, GOOD = 2, 1
"""A move that loses on a heap of seven, and the only one that wins."""
ASKS = "Ann wants to take a move back."


def stop() -> LiveGame:
    live = make_heap_game()
    live.offer(0, BAD)
    return live


def wait() -> LiveGame:
    """Return a game in which a move waits, because its analyst is not known yet."""
    session: Session[Any, Any] = Session(heap_game(), (7, 0), AGAINST)
    live = LiveGame(session, Coaching())
    live.offer(0, GOOD)
    return live


def think() -> LiveGame:
    live = make_heap_game(players=AGAINST)
    live.offer(0, GOOD)
    return live


def hide() -> LiveGame:
    """Return a duel in which the person has chosen and the engine has not."""
    live = make_duel_game((FRIENDS[0], ENGINE))
    live.session.commit(0, "a")
    return live


def end() -> LiveGame:
    live = make_heap_game()
    live.resign(0)
    return live


PRESENT: dict[type[Situation], Callable[[], Present]] = {
    Choosing: lambda: find_present(make_heap_game()),
    Stopped: lambda: find_present(stop()),
    Waiting: lambda: find_present(wait()),
    HiddenChoice: lambda: find_present(hide()),
    Thinking: lambda: find_present(think()),
    Requested: lambda: find_present(think(), request=ASKS),
    End: lambda: find_present(end()),
}
"""For each situation at the current position, a game that is in it."""


def show(live: LiveGame, *, line: bool = False, past: bool = False, animated: bool = False) -> Shown:
    """Return a board that shows best play, an earlier position, or a move that is still moving."""
    tree = live.session.tree
    last = live.node if live.node.parent is not None else tree.add(live.node, GOOD)
    found: Refutation = show_single_move(live.game, tree.root, GOOD)
    return Shown(tree.root if past else last, last, found if line else None, animated, animated)


@pytest.mark.parametrize("kind", PRESENT)
def test_a_game_is_in_the_situation_that_its_player_is_in(kind: type[Situation]) -> None:
    assert type(PRESENT[kind]()) is kind


@pytest.mark.parametrize(
    ("is_line", "is_past", "is_animated", "kind"),
    [
        (False, False, False, Choosing),
        (False, False, True, Animated),
        (False, True, False, Past),
        (False, True, True, Past),
        (True, False, False, BestLine),
        (True, False, True, BestLine),
        (True, True, False, BestLine),
        (True, True, True, BestLine),
    ],
)
def test_best_play_hides_the_past_and_the_past_a_move_that_moves(
    is_line: bool, is_past: bool, is_animated: bool, kind: type[Situation]
) -> None:
    live = make_heap_game()
    shown = show(live, line=is_line, past=is_past, animated=is_animated)
    assert type(find_situation(find_present(live), shown)) is kind


def test_the_end_comes_before_everything_that_a_player_could_decide() -> None:
    for begin in (stop, wait, think, hide):
        live = begin()
        live.resign(0)
        assert isinstance(find_present(live, request=ASKS), End)


def list_situations() -> list[Situation]:
    """Return every situation at the current position, and each also with a board that shows something else."""
    live = make_heap_game()
    boards = (Shown(live.node, live.node), show(live, line=True), show(live, past=True), show(live, animated=True))
    return [find_situation(make(), shown) for make in PRESENT.values() for shown in boards]


def test_a_move_is_refused_without_a_reason_only_to_those_who_may_choose() -> None:
    for situation in list_situations():
        may_choose = situation.is_live and situation.enter is Effect.PICK
        assert bool(situation.refusal) is not may_choose, situation


def test_enter_never_plays_a_stopped_move_and_back_takes_it_back() -> None:
    stopped = PRESENT[Stopped]()
    assert (stopped.enter, stopped.back, stopped.marking) == (Effect.SAY_HOW_TO_ANSWER, Effect.RETHINK, Marking.THREAT)
    assert "keep" not in stopped.lacks
    assert "values" in stopped.lacks


def test_a_step_back_takes_back_one_target_and_then_says_that_nothing_is_left() -> None:
    live = make_heap_game()
    assert find_present(live, ("a",)).back is Effect.DROP_TARGET
    assert find_present(live).back is Effect.SAY_NOTHING_CHOSEN


def test_nobody_is_told_that_they_have_chosen_nothing_after_a_hidden_choice() -> None:
    assert PRESENT[HiddenChoice]().back is Effect.SAY_CHOSEN


def test_from_best_play_enter_steps_on_and_all_ways_back_lead_to_the_position_before() -> None:
    live = make_heap_game()
    for make in PRESENT.values():
        line = find_situation(make(), show(live, line=True))
        assert (line.enter, line.back, line.leave) == (Effect.STEP_ON, *[Effect.LEAVE_BEST_LINE] * 2)
        past = find_situation(make(), show(live, past=True))
        assert (past.enter, past.back, past.leave) == (Effect.RETURN, Effect.RETURN, Effect.LEAVE)


def test_no_key_is_named_that_leads_beyond_an_end_of_best_play_or_before_the_start_of_the_game() -> None:
    live = make_heap_game()
    tree, line = live.session.tree, show_single_move(live.game, live.session.tree.root, GOOD)
    last = tree.add(tree.add(tree.root, GOOD), GOOD)
    for present in (*(make() for make in PRESENT.values()), *list_drills(), *list_lessons(), *list_reviews()):
        onward, backward, *_ = present.keys_along
        at_start, at_end = (BestLine(present, line.step_by(by)).keys for by in (-1, 0))
        assert (onward in at_start, backward in at_start) == (True, False)
        assert (onward in at_end, backward in at_end) == (False, True)
        earlier = present.keys_in_past[0]
        assert [earlier in Past(present, node).keys for node in last.path()[:-1]] == [False, True]


def test_only_the_current_position_is_live_and_only_there_a_stopped_move_can_be_played() -> None:
    for situation in list_situations():
        is_elsewhere = isinstance(situation, BestLine | Past | Animated)
        assert situation.is_live is not is_elsewhere
        assert ("keep" not in situation.lacks) is isinstance(situation, Stopped)
        if is_elsewhere:
            assert situation.marking is Marking.LAST_MOVE


def test_after_the_end_nothing_can_be_decided_wherever_the_board_is() -> None:
    live = end()
    for shown in (Shown(live.node, live.node), show(live, line=True), show(live, past=True)):
        situation = find_situation(find_present(live), shown)
        assert {"hint", "type_move", "resign", "draw", "training"} <= situation.lacks
        assert not {"rematch", "drill_these", "review"} & situation.lacks


def test_before_the_end_nothing_of_what_follows_it_is_offered() -> None:
    for kind, make in PRESENT.items():
        if kind is not End:
            assert {"rematch", "drill_these"} <= make().lacks


def test_enter_leads_on_from_every_end() -> None:
    task = find_present(end(), is_task=True)
    assert task.enter is Effect.LEAVE
    assert "rematch" in task.lacks
    assert find_present(end()).enter is Effect.REVIEW
    ends = [each for each in [*list_situations(), *list_tasks()] if each.is_over or isinstance(each, Trying)]
    assert [each for each in ends if each.enter is Effect.NOTHING and not isinstance(each, Animated)] == []
    assert all("choose" not in each.lacks for each in (task, find_present(end())))


def test_a_request_can_be_answered_wherever_the_board_is_and_does_not_keep_anyone_from_moving() -> None:
    live = make_heap_game()
    asked = find_present(live, request=ASKS)
    assert (asked.enter, asked.refusal) == (Effect.PICK, "")
    for shown in (Shown(live.node, live.node), show(live, past=True)):
        assert "answer_request" not in find_situation(asked, shown).lacks
        assert "answer_request" in find_situation(find_present(live), shown).lacks


def test_every_command_that_is_lacking_exists() -> None:
    names = {command.name for command in COMMANDS}
    assert {name for situation in list_situations() for name in situation.lacks} <= names


async def test_a_game_on_the_screen_has_a_method_for_every_effect() -> None:
    app = make_board_app()
    async with app.run_test():
        needed = {effect for each in list_situations() for effect in (each.enter, each.back, each.leave, each.why)}
        assert needed <= board(app).effects.keys()


# Drills, lessons and reviews.

NOTHING, SHOWN, WAITS, WRONG = Answered(), Answered(is_shown=True), Answered(is_waiting=True), Answered(is_wrong=True)


@pytest.mark.parametrize(
    ("answered", "flags", "kind"),
    [
        (NOTHING, (), Asking),
        (WRONG, (), Asking),
        (SHOWN, (), Refuted),
        (WAITS, (), Checking),
        (SHOWN, ("is_solved",), Solved),
        (NOTHING, ("is_solved", "is_given"), Solved),
    ],
)
def test_an_answer_to_a_drill_is_checked_before_it_is_solved_or_shown(
    answered: Answered, flags: tuple[str, ...], kind: type[Situation]
) -> None:
    assert type(find_in_drill(make_heap_game(), (), answered, None, **dict.fromkeys(flags, True))) is kind


def test_a_round_is_over_whatever_became_of_its_last_drill() -> None:
    over = RoundOver()
    assert find_in_drill(make_heap_game(), (), WAITS, over, is_solved=True, is_given=True) is over


@pytest.mark.parametrize(
    ("answered", "flags", "kind"),
    [
        (NOTHING, (), Asking),
        (SHOWN, (), Refuted),
        (WAITS, (), Checking),
        (NOTHING, ("is_played",), ToBePlayed),
        (SHOWN, ("is_skipped",), AnswerShown),
        (SHOWN, ("is_solved",), TaskDone),
        (NOTHING, ("is_solved", "is_played"), TaskDone),
        (NOTHING, ("is_over", "is_solved"), LessonsOver),
    ],
)
def test_a_task_is_over_before_it_is_checked_done_shown_or_asked(
    answered: Answered, flags: tuple[str, ...], kind: type[Situation]
) -> None:
    assert type(find_in_lesson(make_heap_game(), (), answered, **dict.fromkeys(flags, True))) is kind


STATES = (NOTHING, SHOWN, WAITS, WRONG, Answered(seeks_line=True))
PREFIXES: tuple[tuple[str, ...], ...] = ((), ("a",))


def list_drills() -> list[Situation]:
    """Return every situation of drills and retries."""
    live, found = make_heap_game(), list[Situation]()
    for answered, prefix, is_retry in product(STATES, PREFIXES, (False, True)):
        for flags in ((), ("is_solved",), ("is_solved", "is_given")):
            found.append(find_in_drill(live, prefix, answered, None, is_retry=is_retry, **dict.fromkeys(flags, True)))
    ends = product((False, True), (False, True), ("", "next"))
    return [*found, *(RoundOver(was_hard, is_daily, name) for was_hard, is_daily, name in ends)]


def list_lessons() -> list[Situation]:
    """Return every situation of lessons. An answer in a lesson leads to no search for best play."""
    live, found = make_heap_game(), list[Situation]()
    for answered, prefix in product((NOTHING, SHOWN, WAITS), PREFIXES):
        found.append(find_in_lesson(live, prefix, answered))
        for flag in ("is_over", "is_solved", "is_skipped", "is_played"):
            found.append(find_in_lesson(live, prefix, answered, **{flag: True}))
    return found


def list_reviews() -> list[Situation]:
    """Return every situation of a review: at the start, in the middle and at the end of a game, and while moves are
    tried from each of these positions."""
    live, nodes = make_reviewed()
    last = nodes[-1]
    stepping = [find_in_review(live, (), at, last, None, seeks) for at in nodes for seeks in (False, True)]
    trying = [
        find_in_review(live, prefix, at, last, base, seeks)
        for prefix, at, base, seeks in product(PREFIXES, nodes, nodes, (False, True))
        if base in at.path()
    ]
    return [*stepping, *trying]


def make_reviewed() -> tuple[LiveGame, Sequence[AnyNode]]:
    """Return a game on a heap of three that has been played to its end, and the nodes on its path."""
    live = make_heap_game((3, 0), training=False)
    for move in (1, 2):
        assert live.session.choosing_seat is not None
        live.session.play(move)
    assert live.session.is_over
    return live, live.node.path()


def list_tasks() -> list[Situation]:
    return [*list_drills(), *list_lessons(), *list_reviews()]


def require_effects(screen: BoardScreen, situations: Sequence[Situation]) -> None:
    """Fail unless the screen can do what Enter, Back and the way out do in these situations, also if best play or an
    earlier position is shown."""
    live = make_heap_game()
    boards = (Shown(live.node, live.node), show(live, line=True), show(live, past=True))
    shown = [find_situation(present, each) for present in situations for each in boards]
    needed = {effect for each in shown for effect in (each.enter, each.back, each.leave)}
    assert needed <= screen.effects.keys(), screen


async def test_the_screens_of_tasks_have_a_method_for_every_effect(tmp_path: Path) -> None:
    app = make_friends_app()
    async with app.run_test() as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "n")
        require_effects(review(app), list_reviews())
        assert Effect.EXPLAIN in review(app).effects
        await press(pilot, "t")
        assert isinstance(app.screen, DrillScreen)
        require_effects(app.screen, list_drills())
        assert Effect.EXPLAIN in app.screen.effects
    app = make_app_at(tmp_path)
    async with app.run_test() as pilot:
        await press(pilot, "l", "enter")
        require_effects(lesson(app), list_lessons())


def test_an_answer_is_refused_without_a_reason_only_while_one_is_asked_for() -> None:
    for situation in list_tasks():
        assert bool(situation.refusal) is not (situation.enter is Effect.PICK), situation


def test_enter_goes_on_after_an_answer_and_asks_again_after_a_wrong_one() -> None:
    for situation in list_tasks():
        if isinstance(situation, Solved | TaskDone | AnswerShown):
            assert situation.enter is Effect.NEXT_TASK
        if isinstance(situation, Refuted):
            assert (situation.enter, situation.back) == (Effect.ASK_AGAIN, Effect.ASK_AGAIN)


def test_a_step_back_leads_from_the_question_of_a_retry_to_the_review() -> None:
    live = make_heap_game()
    assert find_in_drill(live, (), NOTHING, is_retry=True).back is Effect.LEAVE
    assert find_in_drill(live, ("a",), NOTHING, is_retry=True).back is Effect.DROP_TARGET
    assert find_in_drill(live, (), NOTHING).back is Effect.SAY_NOTHING_CHOSEN
    assert find_in_drill(live, (), WRONG, is_retry=True).back is Effect.ASK_AGAIN
    assert find_in_drill(live, (), SHOWN, is_solved=True, is_retry=True).back is Effect.ASK_AGAIN


def test_nobody_is_called_correct_who_has_asked_for_the_solution() -> None:
    live = make_heap_game()
    for is_retry in (False, True):
        given = find_in_drill(live, (), NOTHING, is_solved=True, is_given=True, is_retry=is_retry)
        said = to_text(given.refusal, str)
        assert "Correct" not in said
        assert "solved" not in said


def test_a_way_out_of_a_review_takes_back_one_thing_at_a_time() -> None:
    live, (start, at, end) = make_reviewed()

    def leave(prefix: tuple[str, ...], has_tried: bool, seeks_line: bool, is_trying: bool = True) -> Effect:
        base = (start if has_tried else at) if is_trying else None
        return find_in_review(live, prefix, at, end, base, seeks_line).leave

    assert leave(("a",), True, True) is Effect.LEAVE_BEST_LINE
    assert leave(("a",), True, False) is Effect.DROP_TARGET
    assert leave((), True, False) is Effect.TAKE_BACK
    assert leave((), False, False) is Effect.STOP_TRYING
    assert leave((), False, True, is_trying=False) is Effect.LEAVE_BEST_LINE
    assert leave((), False, False, is_trying=False) is Effect.LEAVE


def test_no_move_is_entered_while_best_play_or_the_past_hides_the_board() -> None:
    live = make_heap_game()
    for shown in (show(live, line=True), show(live, past=True)):
        for present in list_tasks():
            assert find_situation(present, shown).refusal
    assert isinstance(find_situation(Trying(live), show(live, line=True)), BestLine)
    stepping = Stepping(live, live.node, live.node)
    assert find_situation(stepping, Shown(live.node, live.node)) is stepping


def test_no_command_that_lacks_in_a_task_is_unknown() -> None:
    names = {command.name for command in COMMANDS}
    assert {name for situation in list_tasks() for name in situation.lacks} <= names


def test_every_key_that_is_named_under_a_board_belongs_to_a_command_that_is_possible_there() -> None:
    names = {command.id: command.name for command in COMMANDS}
    for situation in [*list_situations(), *list_tasks()]:
        for command, word in (*situation.keys, *situation.keys_along, *situation.keys_in_past):
            assert command in names
            assert word
        assert not {names[command] for command, _ in situation.keys} & situation.lacks, situation


def name_keys(situation: Situation) -> list[str]:
    """Return the keys under the board, as `command: word`."""
    return [f"{command}: {word}" for command, word in situation.keys]


AFTER_WRONG = [
    "back: try again", "unanswer: mistyped", "hint: hint", "solution: solution", "next_drill: skip", "why: why",
]  # fmt: skip
LEAVE_DRILLS = "leave_drills: back"
AFTER_RIGHT = ["values: values", "why: why", "put_aside: put aside"]
LEAVE = "leave_lessons: back"


@pytest.mark.parametrize(
    ("answered", "flags", "keys"),
    [
        (NOTHING, (), []),
        (WAITS, (), []),
        (WRONG, (), AFTER_WRONG),
        (SHOWN, (), AFTER_WRONG),
        (SHOWN, ("is_solved",), ["choose: next", *AFTER_RIGHT]),
        (SHOWN, ("is_solved", "is_last"), ["choose: finish", *AFTER_RIGHT]),
        (SHOWN, ("is_solved", "is_retry"), ["choose: review", *AFTER_RIGHT]),
    ],
)
def test_the_keys_after_an_answer_to_a_drill_say_what_comes_next(
    answered: Answered, flags: tuple[str, ...], keys: list[str]
) -> None:
    assert name_keys(find_in_drill(make_heap_game(), (), answered, None, **dict.fromkeys(flags, True))) == keys


@pytest.mark.parametrize(
    ("over", "effect", "keys"),
    [
        (RoundOver(), Effect.OTHER_DRILLS, ["choose: other drills", "round_again: again", LEAVE_DRILLS]),
        (
            RoundOver(was_hard=True),
            Effect.ROUND_AGAIN,
            ["choose: try the missed ones again", "drills: other drills", LEAVE_DRILLS],
        ),
        (
            RoundOver(was_hard=True, next_step="next: defend"),
            Effect.ROUND_AGAIN,
            ["choose: try the missed ones again", "learn: next: defend", "drills: other drills", LEAVE_DRILLS],
        ),
        (
            RoundOver(next_step="next: defend"),
            Effect.LEARN_ON,
            ["choose: next: defend", "round_again: again", "drills: other drills", LEAVE_DRILLS],
        ),
        (
            RoundOver(was_hard=True, is_daily=True),
            Effect.OTHER_DRILLS,
            ["choose: other drills", "copy_result: copy result", "round_again: again", LEAVE_DRILLS],
        ),
    ],
)
def test_enter_after_a_round_takes_one_next_step_that_no_other_key_repeats(
    over: RoundOver, effect: Effect, keys: list[str]
) -> None:
    assert over.enter is effect
    assert name_keys(over) == keys


@pytest.mark.parametrize(
    ("answered", "flags", "keys"),
    [
        (NOTHING, (), []),
        (WAITS, (), []),
        (SHOWN, (), ["back: try again", "next_task: skip", LEAVE]),
        (SHOWN, ("is_solved",), ["choose: next", LEAVE]),
        (SHOWN, ("is_skipped",), ["choose: next", "back: try it", LEAVE]),
        (NOTHING, ("is_played",), ["choose: play", "next_task: skip", LEAVE]),
        (NOTHING, ("is_over",), ["drills: drills", "lessons_again: again", LEAVE]),
    ],
)
def test_the_keys_after_an_answer_in_a_lesson_say_what_comes_next(
    answered: Answered, flags: tuple[str, ...], keys: list[str]
) -> None:
    assert name_keys(find_in_lesson(make_heap_game(), (), answered, **dict.fromkeys(flags, True))) == keys


def test_every_key_that_a_refusal_names_belongs_to_a_command() -> None:
    ids = {*TYPING_KEYS, *(command.id for command in COMMANDS)}
    live = make_heap_game()
    for present in [*list_situations(), *list_tasks()]:
        for situation in (present, find_situation(present, show(live, past=True))):
            named = {part.command for part in split_phrase(situation.refusal) if isinstance(part, Key)}
            assert named <= ids, situation


# The footer.


def list_all() -> list[Situation]:
    """Return every situation, and each also with a board that shows best play or the past."""
    live = make_heap_game()
    boards = (Shown(live.node, live.node), show(live, line=True), show(live, past=True), show(live, animated=True))
    tasks = [find_situation(present, shown) for present in list_tasks() for shown in boards]
    return [*list_situations(), *tasks, *list_explored()]


def list_explored() -> list[Situation]:
    """Return every situation of the explorer."""
    return [find_in_explorer(*each) for each in product((False, True), repeat=2)]


async def test_the_explorer_has_a_method_for_every_effect() -> None:
    app = make_menu_app()
    async with app.run_test() as pilot:
        await press(pilot, "end", "X")
        assert isinstance(app.screen, ExploreScreen)
        needed = {effect for each in list_explored() for effect in (each.enter, each.back)}
        assert needed <= app.screen.effects.keys()


def test_the_explorer_offers_no_step_beyond_its_ends() -> None:
    for can_go_back, is_over in product((False, True), repeat=2):
        footer = find_in_explorer(can_go_back, is_over).footer
        assert ("ascend" in footer) is can_go_back
        assert ("descend" in footer) is not is_over


def test_every_footer_names_commands_that_exist_and_are_possible_there_and_ends_with_the_way_out_and_help() -> None:
    for situation in list_all():
        there = {command.id: command.name for command in (*list_commands(situation.command_set), *list_commands("app"))}
        footer = situation.footer
        assert set(footer) <= there.keys(), situation
        assert tuple(footer[-ALWAYS:]) == (situation.way_out, "help")
        assert len(footer) == len(set(footer))
        assert not {there[command] for command in footer} & situation.lacks, situation
        assert situation.words.keys() <= there.keys(), situation


def test_only_what_can_be_taken_back_is_offered_to_be_taken_back() -> None:
    live = make_heap_game()
    assert "undo" not in find_present(live).footer
    live.offer(0, GOOD)
    assert "undo" in find_present(live).footer
    live.undo()
    assert "undo" not in find_present(live).footer
    for kind in (Waiting, Thinking, HiddenChoice):
        assert "undo" in PRESENT[kind]().footer, kind
    assert "undo" not in find_present(make_duel_game(FRIENDS)).footer


def test_while_a_move_is_checked_the_footer_offers_to_take_it_back_and_not_to_choose() -> None:
    for situation in (PRESENT[Waiting](), find_in_drill(make_heap_game(), (), WAITS)):
        assert "back" in situation.footer
        assert "choose" not in situation.footer


def test_the_footer_of_a_review_offers_no_step_beyond_an_end_and_no_try_after_it() -> None:
    live, (start, middle, end) = make_reviewed()

    def offers(at: AnyNode) -> list[str]:
        named = ("previous_move", "next_move", "try_move", "next_mistake")
        return [name for name in Stepping(live, at, end).footer if name in named]

    assert [offers(at) for at in (start, middle, end)] == [
        ["next_move", "try_move"],
        ["previous_move", "next_move", "try_move"],
        ["previous_move"],
    ]
    middle.judgements[0] = Judgement(Grade.BLUNDER, Win(3), Loss(2), flagged=True)
    assert "next_mistake" in offers(start)
    assert "next_mistake" not in offers(middle)
    assert Stepping(live, middle, end).words == {"try_move": "retry"}
    end.judgements[1] = Judgement(Grade.BLUNDER, Win(3), Loss(2), flagged=True)
    assert "try_move" in offers(end), "a better move can be looked for"


def test_the_footer_of_a_lessons_game_offers_to_skip_it() -> None:
    task = find_present(make_heap_game(), is_task=True)
    assert task.command_set == "lesson_game"
    assert task.footer[:3] == ("choose", "panel", "skip_game")
    assert "skip_game" not in find_present(make_heap_game()).footer


def test_what_each_key_means_depends_on_whether_a_move_is_tried() -> None:
    live, (start, middle, end) = make_reviewed()
    stepping, trying = (find_in_review(live, (), middle, end, base, False) for base in (None, start))
    assert (stepping.command_set, trying.command_set) == ("review", "trying")
    line = show(make_heap_game(), line=True)
    assert find_situation(trying, line).command_set == "trying", "it still is after best play"


def test_the_way_out_of_best_play_is_named_after_where_it_leads() -> None:
    live = make_heap_game()
    reviewed, (start, *_) = make_reviewed()
    for present, word in (
        (find_present(live), {"menu": "game"}),
        (find_in_drill(live, (), SHOWN), {"leave_drills": "drill"}),
        (find_in_drill(live, (), SHOWN, is_retry=True), {"leave_retry": "question"}),
        (Stepping(reviewed, start, start), {"leave_review": "review"}),
    ):
        assert find_situation(present, show(live, line=True)).words == word


# Hints, values and best play.


def test_a_hint_is_given_for_the_current_position_even_while_the_last_move_still_moves() -> None:
    live = make_heap_game()
    for present in (find_present(live), find_in_drill(live, (), NOTHING)):
        assert not present.refuse("hint")
        assert not find_situation(present, show(live, animated=True)).refuse("hint")
        for shown in (show(live, line=True), show(live, past=True)):
            assert find_situation(present, shown).refuse("hint") == ONLY_HERE


def test_values_would_give_a_drill_away_until_it_is_solved_wherever_the_board_is() -> None:
    live = make_heap_game()
    boards = (Shown(live.node, live.node), show(live, line=True), show(live, past=True))
    for answered, is_retry, shown in product(STATES, (False, True), boards):
        asked = find_in_drill(live, (), answered, is_retry=is_retry)
        solved = find_in_drill(live, (), answered, is_retry=is_retry, is_solved=True)
        assert find_situation(asked, shown).no_values == FIND_FIRST
        if not answered.is_waiting:
            assert not find_situation(solved, shown).no_values
    hidden = {each.no_values for each in [*list_situations(), *list_lessons(), *list_reviews()]}
    assert hidden <= {"", HIDDEN_TO_DECISION, HIDDEN_TO_THE_END}, "nothing but a drill asks to find a move"


def test_only_best_play_shows_no_position_of_the_game_and_its_key_steps_on() -> None:
    for situation in list_all():
        is_line = isinstance(situation, BestLine)
        assert situation.shows_position is not is_line
        assert situation.why is (Effect.STEP_ON if is_line else Effect.EXPLAIN)
