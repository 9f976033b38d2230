"""Settings shared by all tests. Compiled kernels are stored in a folder named after a checksum of their sources, so
they are compiled only once."""

from __future__ import annotations

import gc
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from mmap import mmap
from pathlib import Path

import hypothesis
import pytest
import textual.app
from _pytest.unraisableexception import gc_collect_iterations_key
from onlymove_engines import games
from onlymove_engines.live import limits
from onlymove_tables import open as tables
from onlymove_tables.file_format import Header
from onlymove_tables.kernels import cache, compiler, prepare
from onlymove_tui.cli import console
from onlymove_tui.store import schema
from textual._compositor import Compositor
from textual.pilot import Pilot

from tests import rest
from tests.lookups import share_lookups
from tests.styles import share_styles

prepare()

# Programs that a test starts in an empty home folder find the same kernels, unless a test is about their folders.
os.environ[cache.VARIABLE] = str(cache.kernels_folder())
os.environ[cache.SHARED_VARIABLE] = os.devnull

# Without bytecode, each of a hundred processes would compile the same sources.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Whoever starts the tests may have switched colours off. A test that is about that sets the variable itself.
os.environ.pop("NO_COLOR", None)

# Each worker has one core, and the threads of linear algebra would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No example takes too long, however slow a machine is. Each run tries other examples, so a few are enough.
hypothesis.settings.register_profile(
    "onlymove", deadline=None, max_examples=25, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("onlymove")


def pytest_configure(config: pytest.Config) -> None:
    """At the end of a session, pytest collects garbage several times to find what was not closed. Once is enough."""
    config.stash[gc_collect_iterations_key] = 1


SHORT_SECONDS = 0.05
FOR_EVER = 1e6
SMALL_FILE = 500


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile the kernels in one process, before workers start and each compiles them for itself."""
    if any(map(compiler.missing_units, map(games.load, (facts.id for facts in games.list_games())))):
        config.get_terminal_writer().line("Compiling the kernels, once for all workers.")
        subprocess.run([sys.executable, "-m", "onlymove_tui", "tables", "warm"], check=True)


@pytest.fixture(autouse=True)
def _set_time_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give almost no time to a search that would use all it gets, and unlimited time to one that proves something."""
    for name in ("MOVE_SECONDS", "ROUND_SECONDS"):
        monkeypatch.setattr(limits, name, SHORT_SECONDS)
    monkeypatch.setattr(limits, "PROOF_SECONDS", FOR_EVER)


@pytest.fixture(autouse=True)
def _report_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the line that long work writes every ten seconds, however slow a machine is."""
    monkeypatch.setattr(console, "LINE_SECONDS", FOR_EVER)


@pytest.fixture
def _small_disk() -> Iterator[None]:
    """Limit every file that this process writes to a few bytes. Writing more fails with EFBIG, as with ENOSPC on a full
    disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_FILE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(scope="session", autouse=True)
def _share_slow_work(request: pytest.FixtureRequest) -> Iterator[None]:
    """Find styles, migrate an empty store and check the shipped tables once for all tests, and draw no frames, which
    nobody sees without a terminal. In the slow suite and in real terminals, each app does all of that."""
    with pytest.MonkeyPatch.context() as patch:
        if "not slow" in request.config.option.markexpr:
            share_lookups(patch)
            share_styles(patch)
            share_empty_store(patch)
            share_tables(patch)
            patch.setattr(Compositor, "render_update", lambda compositor, **_: compositor._dirty_regions.clear())
        yield


def share_empty_store(patch: pytest.MonkeyPatch) -> None:
    """Copy an empty store into each new one, because the migrations take longer than many tests."""
    migrate = schema.migrate
    empty = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    migrate(empty, None)

    def copy_or_migrate(connection: sqlite3.Connection, path: Path | None) -> None:
        if schema.read_version(connection, path):
            migrate(connection, path)
        else:
            empty.backup(connection)

    patch.setattr("onlymove_tui.store.database.migrate", copy_or_migrate)


def share_tables(patch: pytest.MonkeyPatch) -> None:
    """Read each shipped table once, because its checksums take longer than many tests."""
    shipped, read = tables.package_folder(), tables.payload_of
    payloads: dict[Path, mmap | bytes] = {}

    def read_once(path: Path, header: Header, offset: int) -> mmap | bytes:
        if path.parent != shipped:
            return read(path, header, offset)
        if path not in payloads:
            payloads[path] = read(path, header, offset)
        return payloads[path]

    patch.setattr(tables, "payload_of", read_once)


@pytest.fixture(scope="session", autouse=True)
def _continue_when_idle() -> Iterator[None]:
    """Make the pilot continue as soon as everything that the last key started has ended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pilot, "pause", rest.pause)
        patch.setattr(Pilot, "_wait_for_screen", rest.wait_for_screen)
        patch.setattr(textual.app, "wait_for_idle", rest.wait_for_idle)
        yield


def pytest_collection_finish() -> None:
    """Keep the garbage collector from checking all loaded modules again in every test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)
