"""Every suite of tests runs by itself, for each change or once a day."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
SUITES = re.findall(r"^(test[\w-]*):", (TOP / "Makefile").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("suite", SUITES)
def test_every_suite_is_run_by_a_workflow(suite: str) -> None:
    for_each_change = (TOP / ".ci" / "run").read_text("utf-8")
    workflows = "\n".join(file.read_text("utf-8") for file in sorted((TOP / ".github" / "workflows").glob("*.yml")))
    assert ".ci/run" in workflows
    assert re.search(rf"\bmake {suite}(?![\w-])", for_each_change + workflows), f"nothing runs `make {suite}`"
