"""Everything that the page about data and a small learner shows really happens, and its picture shows such a curve."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"
FEWER = {"9000": "1000", "8000": "900", "1000": "100", "125": "15"}
"""For the numbers on the page: the positions, those to learn from, those for the test, and the steps of an epoch."""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_learning", DOCS / "learning.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("numbers", "share"), [(FEWER, 0.65), pytest.param({}, 0.85, marks=pytest.mark.slow)])
def test_the_steps_of_the_page_work_and_its_picture_shows_them(
    script: ModuleType, numbers: dict[str, str], share: float
) -> None:
    page = re.sub(r"\b\d+\b", lambda found: numbers.get(found[0], found[0]), script.PAGE)
    names, failed, tried = script.run_page(page)
    assert tried > 20
    assert not failed
    assert names["curve"][-1] > share
    drawn = ElementTree.fromstring(script.draw_curve(names["curve"]))
    shown = ElementTree.parse(DOCS / "learning.svg").getroot()
    count = len(list(drawn.iter(f"{SVG}circle")))
    assert count == len(names["curve"]) == len(list(shown.iter(f"{SVG}circle")))


def test_a_better_share_is_drawn_higher(script: ModuleType) -> None:
    drawn = ElementTree.fromstring(script.draw_curve([0.0, 0.5, 1.0]))
    heights = [float(circle.attrib["cy"]) for circle in drawn.iter(f"{SVG}circle")]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] - heights[1] == heights[1] - heights[2] > 0
