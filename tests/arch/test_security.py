"""SECURITY.md names a test for each class of problems, and these tests exist."""

from __future__ import annotations

import re

from tests.arch.sources import ROOT

TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
CLASSES = re.findall(r"^- .+(?:\n  .+)*", TEXT, re.MULTILINE)


def test_every_class_of_security_problems_names_its_tests() -> None:
    assert len(CLASSES) >= 10
    assert not [line for line in CLASSES if "`tests/" not in line]


def test_the_tests_that_it_names_exist() -> None:
    files = re.findall(r"`(tests/\S+\.py)`", TEXT)
    assert not [file for file in files if not (ROOT / file).is_file()]
    names = re.findall(r"`(test_\w+)`\s+in\s+`(tests/\S+\.py)`", TEXT)
    assert names
    assert not [name for name, file in names if f"def {name}(" not in (ROOT / file).read_text("utf-8")]
