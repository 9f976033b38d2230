"""A lazy module is loaded only when it is used, and then behaves like itself."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from onlymove_engines.core.lazy_imports import import_lazily, lazy_modules

NAME = "this"  # a module of the standard library that nothing else uses; it prints something when loaded


@pytest.fixture
def late() -> Iterator[None]:
    sys.modules.pop(NAME, None)
    import_lazily(NAME)
    yield
    sys.modules.pop(NAME, None)


def test_a_lazy_module_is_loaded_at_its_first_use(late: None, capsys: pytest.CaptureFixture[str]) -> None:
    import this  # noqa: PLC0415

    again = __import__(NAME)
    assert again is this
    assert capsys.readouterr().out == "", "importing it loads it"
    assert this.d["A"] == "N"
    assert "Zen" in capsys.readouterr().out
    assert sys.modules[NAME] is not this, "what stood for it still does"
    assert again.d is sys.modules[NAME].d


def test_threads_that_need_a_module_at_once_all_get_it(late: None, capsys: pytest.CaptureFixture[str]) -> None:
    import this  # noqa: PLC0415

    together = threading.Barrier(8)

    def ask() -> object:
        together.wait()
        return this.d

    with ThreadPoolExecutor(8) as threads:
        found = [each.result() for each in [threads.submit(ask) for _ in range(8)]]
    assert {id(each) for each in found} == {id(sys.modules[NAME].d)}
    assert capsys.readouterr().out.count("Zen") == 1, "it was loaded twice"


def test_a_lazy_module_inside_a_package_is_loaded_at_its_first_use() -> None:
    code = (
        "import sys; from onlymove_engines.core.lazy_imports import import_lazily; import_lazily('json.tool')\n"
        "assert 'json' not in sys.modules; from json import tool; assert 'argparse' not in sys.modules\n"
        "assert tool.main.__module__ == 'json.tool' and 'argparse' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_loaded_and_missing_modules_stay_as_they_are() -> None:
    before = dict(sys.modules)
    import_lazily("pytest")
    import_lazily("no_such_module")
    assert sys.modules.keys() == before.keys()
    assert sys.modules["pytest"] is pytest


def test_an_attribute_is_imported_at_its_first_use() -> None:
    part = lazy_modules("json")
    assert part("tool").__name__ == "json.tool"
    with pytest.raises(AttributeError):
        part("__wrapped__")
