"""Kernels are compiled when they are first called, and not earlier."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.compiled.jit import kernel

EVERY_KERNEL = """
import importlib, pkgutil, sys
import onlymove_engines.games as games
kernels = [m.name for m in pkgutil.walk_packages(games.__path__, games.__name__ + ".") if "._kernel." in m.name]
for name in kernels:
    importlib.import_module(name)
print(len(kernels), "numba" in sys.modules)
"""


IN_PARTS = """
from onlymove_tables.kernels import prepare
prepare()
from onlymove_engines.compiled.jit import kernel, allocation_free

@allocation_free
def factorial(number):
    return 1 if number < 2 else number * factorial(number - 1)

@allocation_free
def more(number):
    return number + 1

@kernel
def one_more(number):
    return more(factorial(number))

print(one_more(5), factorial(4), sum(one_more.compile().stats.cache_hits.values()))
"""


@kernel
def twice(number: int) -> int:
    return number + number


@kernel
def four_times(number: int) -> int:
    return twice(twice(number))


def test_importing_every_kernel_compiles_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", EVERY_KERNEL], capture_output=True, text=True, check=True)
    count, has_numba = done.stdout.split()
    assert int(count) > len(games.list_games())
    assert has_numba == "False"


def test_a_kernel_may_call_another() -> None:
    assert four_times(3) == 12
    assert four_times.__name__ == "four_times"


def test_only_kernels_called_from_python_are_stored_and_loaded_again(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(IN_PARTS)
    home = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    command = [sys.executable, str(tmp_path / "sums.py")]
    output = [subprocess.run(command, env=home, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert output == ["121 24 0\n", "121 24 1\n"]
    assert len(list((tmp_path / "kept").rglob("*.kernel"))) == 2, "a part was translated by itself"


SETTINGS = {
    "not YAML": "[",
    "no compiler": "disable_jit: 1",
    "output for developers": "dump_assembly: 1",
    "no settings": "",
}


@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_settings_for_numba_in_the_current_folder_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / ".numba_config.yaml").write_text(text)
    home = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    command = [sys.executable, "-P", "-m", "onlymove_tui", "tables", "warm", "lightriders"]
    done = subprocess.run(command, cwd=tmp_path, env=home, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "onlymove: numba would read the file .numba_config.yaml in the current folder, "
        "so start onlymove in another folder.\n"
    )


def test_numba_that_is_switched_off_is_no_compiler(tmp_path: Path) -> None:
    home = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "onlymove_tui", "tables", "warm", "lightriders"]
    done = subprocess.run(command, env=home, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "onlymove: No search without numba: NUMBA_DISABLE_JIT is set.\n"


def test_threads_that_call_first_share_one_compilation() -> None:
    @kernel
    def thrice(number: int) -> int:
        return 3 * number

    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: id(thrice.compile()), range(8)))  # type: ignore[attr-defined]
    assert len(made) == 1
    assert thrice(2) == 6
