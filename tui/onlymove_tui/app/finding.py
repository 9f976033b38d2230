"""Work in threads for a widget: what is found is posted to it as messages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from traceback import clear_frames
from typing import Any, TypeVar

from onlymove_engines.core.errors import OnlymoveError
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from onlymove_tui.app.messages import Trouble
from onlymove_tui.memory import use_reserve

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass
class LookedUp(Message, bubble=False):
    """Posted when something has been looked up. It is to be stored in `known` under its `key`."""

    known: dict[Any, Any]
    key: Hashable
    found: object


def post_found(host: Widget, find: Callable[[], Iterable[Message]]) -> bool:
    """Post what `find` yields to `host`, each message as soon as it is found. An OnlymoveError becomes `Trouble`. Call
    this in a worker. Return whether that was not cancelled. If it was, nothing more is posted."""
    worker = get_current_worker()
    try:
        for message in find():
            if worker.is_cancelled:
                return False
            host.post_message(message)
    except OnlymoveError as trouble:
        if not worker.is_cancelled:
            host.post_message(Trouble(str(trouble)))
    except MemoryError as error:
        # Free what the search holds. Otherwise no memory would be left to report the error.
        use_reserve()
        clear_frames(error.__traceback__)
        raise
    return not worker.is_cancelled


def start_finding(host: Widget, group: str, find: Callable[[], Iterable[Message]]) -> None:
    """Run `find` in a worker, and post what it yields to `host`. A newer call in the same group cancels an older
    one."""
    # Without a description, Textual would make one from `find`, which may hold a whole game.
    host.run_worker(partial(post_found, host, find), thread=True, exclusive=True, group=group, description=group)


def look_up(host: Widget, known: dict[K, V], key: K, empty: V, find: Callable[[], V], group: str) -> V:
    """Return what is known of `key`. The first time that is `empty`, and a worker begins to find it. That ends the
    search for another key in the same group, which is then forgotten and can be looked up again."""
    if key not in known:
        for other in [other for other, found in known.items() if found == empty]:
            del known[other]
        known[key] = empty
        start_finding(host, group, lambda: [LookedUp(known, key, find())])
    return known[key]
