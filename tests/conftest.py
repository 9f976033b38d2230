"""Shared by every test: compiled kernels are kept in a folder named by their sources, and compiled once."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator

import hypothesis
import pytest
import textual.app
from onlymove_engines import games
from onlymove_engines.match import limits
from onlymove_tables.kernels import cache, compiler, prepare
from textual._compositor import Compositor
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from tests import rest

prepare()

# What a test starts in an empty home finds the same kernels; only tests about that have folders of their own.
os.environ[cache.VARIABLE] = str(cache.kernels_folder())
os.environ[cache.SHARED_VARIABLE] = os.devnull

# Where the environment wants no bytecode, each of a hundred processes would compile the same sources.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# However slow a machine is, no example takes too long. Each run draws other examples: a few are enough for one.
hypothesis.settings.register_profile(
    "onlymove", deadline=None, max_examples=25, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("onlymove")

SHORT_SECONDS = 0.05
FOR_EVER = 1e6


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before workers begin, one process compiles what otherwise each of them would compile for itself."""
    if any(map(compiler.missing_units, map(games.load, (card.id for card in games.list_games())))):
        config.get_terminal_writer().line("Compiling the kernels, once for all workers.")
        subprocess.run([sys.executable, "-m", "onlymove_tui", "tables", "warm"], check=True)


@pytest.fixture(autouse=True)
def _time_limits_suit_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that takes all the time it gets needs none of it here. One that proves something is waited for, however
    slow the machine is."""
    for name in ("MOVE_SECONDS", "ROUND_SECONDS"):
        monkeypatch.setattr(limits, name, SHORT_SECONDS)
    monkeypatch.setattr(limits, "PROOF_SECONDS", FOR_EVER)


@pytest.fixture(scope="session", autouse=True)
def _style_sheets_are_parsed_once() -> Iterator[None]:
    """Hundreds of tests open an app: the rules of the same sheet with the same colours are the same in all of them."""
    known: dict[tuple[object, ...], list[RuleSet]] = {}
    parse = Stylesheet._parse_rules

    def parse_once(sheet: Stylesheet, css: str, **how: object) -> list[RuleSet]:
        key = (css, *how.items(), *sheet._variables.items())
        if key not in known:
            known[key] = parse(sheet, css, **how)  # type: ignore[arg-type]
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parse_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _frames_are_not_drawn(request: pytest.FixtureRequest) -> Iterator[None]:
    """Of an app without a terminal nobody sees a frame, and drawing them is a third of its work: widgets are asked what
    they show. Frames are drawn in tests/terminal, in the pictures, and in the slow suite."""
    with pytest.MonkeyPatch.context() as patch:
        if "not slow" in request.config.option.markexpr:
            patch.setattr(Compositor, "render_update", lambda compositor, **_: compositor._dirty_regions.clear())
        yield


@pytest.fixture(scope="session", autouse=True)
def _the_loop_knows_when_an_app_rests() -> Iterator[None]:
    """Keys of a test follow each other as soon as everything that the last one began has ended."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pilot, "pause", rest.pause)
        patch.setattr(Pilot, "_wait_for_screen", rest.wait_for_screen)
        patch.setattr(textual.app, "wait_for_idle", rest.wait_for_idle)
        yield


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the collector need not look through it again in every test, and seldom at all."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
