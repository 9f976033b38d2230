"""Changes tables and recomputes all their checksums."""

from __future__ import annotations

import dataclasses
import hashlib
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from onlymove_engines.core.analysis import Section
from onlymove_tables.build import lay_out
from onlymove_tables.file_format import read_header

SomeSections: TypeAlias = Mapping[str, Section]


def rewrite_table(table: Path, path: Path, sections: SomeSections) -> None:
    """Write to `path` the file `table` with these sections. Its header fits them, and all checksums are right."""
    header, _ = read_header(table)
    plans, payload = lay_out(sections)
    packed = lzma.compress(payload, preset=0)
    redone = dataclasses.replace(
        header,
        count=max((plan.length for plan in plans), default=0),
        sections=plans,
        sha256=hashlib.sha256(payload).hexdigest(),
        size=len(payload),
        packed_sha256=hashlib.sha256(packed).hexdigest(),
        packed_size=len(packed),
    )
    path.write_bytes(redone.to_bytes() + packed)
