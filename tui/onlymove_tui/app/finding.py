"""Work in threads for a widget: what is found is posted to it as messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from traceback import clear_frames

from onlymove_engines.core.errors import OnlymoveError
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from onlymove_tui.app.messages import Trouble
from onlymove_tui.memory import use_reserve


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
