"""Meeting people: what the list of tables costs where somebody has written as much as a record may hold."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from onlymove_tui.meeting import listing
from onlymove_tui.meeting.log import LARGEST
from onlymove_tui.meeting.waiting import OpenTable

from tests.meeting.rooms import Time, room_of, wanted

FULL = {"empty lines": b"\n" * LARGEST, "nested lists": b'{"x":' + b"[" * 4000 + b"\n"}


def run() -> Iterator[str]:
    """Processor time of one list, with each kind of record in the folder."""
    for name, written in FULL.items():
        with tempfile.TemporaryDirectory() as folder:
            ada, bob = (room_of(Path(folder), each, Time(time.time())) for each in ("ada", "bob"))
            OpenTable.open(ada, wanted())
            stranger = ada.opened("z" * 16)
            stranger.write_bytes(written)
            stranger.chmod(0o644)
            began = time.process_time()
            found = listing.tables(bob)
            yield f"list of {len(found)} table beside a record of {name}: {time.process_time() - began:.3f} s"
