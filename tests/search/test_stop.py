"""One cell of an array stops a search: at once, in time, or never."""

from __future__ import annotations

import threading
import time

import numpy as np
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.search.stop import ENDLESS, PERIOD, bound_budget, limit_nodes, ready, watch


def test_a_budget_that_is_spent_already_allows_nothing() -> None:
    allowed = np.array([7], np.int64)
    with watch(Budget(stop=lambda: True), allowed):
        assert allowed[0] == 0


def test_a_stop_that_comes_later_is_written_while_the_search_runs() -> None:
    allowed, asked = np.array([7], np.int64), threading.Event()
    with watch(Budget(stop=asked.is_set), allowed):
        assert allowed[0] == 7
        asked.set()
        while allowed[0]:
            time.sleep(PERIOD)


def test_a_deadline_ends_a_search_by_the_clock_of_the_budget() -> None:
    now = iter(range(100))
    allowed = np.array([7], np.int64)
    with watch(Budget.seconds(3, lambda: float(next(now, 100))), allowed):
        while allowed[0]:
            time.sleep(PERIOD)


def test_a_search_that_nothing_can_stop_has_no_watcher() -> None:
    threads, allowed = threading.active_count(), np.array([7], np.int64)
    with watch(UNLIMITED, allowed):
        assert threading.active_count() == threads
    assert allowed[0] == 7


def test_the_watcher_is_gone_after_the_search() -> None:
    threads = threading.active_count()
    with watch(Budget(stop=lambda: False), np.array([7], np.int64)):
        assert threading.active_count() == threads + 1
    assert threading.active_count() == threads


def test_a_slice_of_an_array_is_written_in_place() -> None:
    counts = np.array([3, 7, 5], np.int64)
    with watch(Budget(stop=lambda: True), counts[1:2]):
        assert counts.tolist() == [3, 0, 5]


def test_default_limits_hold_only_if_no_others_are_given() -> None:
    assert limit_nodes(UNLIMITED) == ENDLESS
    assert limit_nodes(UNLIMITED, otherwise=9) == 9
    assert limit_nodes(Budget(nodes=4), otherwise=9) == 4
    assert bound_budget(UNLIMITED, depth=6, nodes=9) == Budget(depth=6, nodes=9)
    for output in (Budget(nodes=4), Budget(depth=1), Budget(clock=lambda: 0.0, deadline=1.0)):
        assert bound_budget(output, depth=6, nodes=9) == output


def test_time_to_compile_is_no_time_to_think() -> None:
    now = [10.0]

    def load() -> None:
        now[0] += 45.0

    assert ready(Budget(clock=lambda: now[0], deadline=13.0), load, load).deadline == 103.0
    for endless in (UNLIMITED, Budget(nodes=4), Budget(clock=lambda: now[0])):
        assert ready(endless, load) == endless
    assert now == [10.0 + 5 * 45.0], "loaded in any case"
