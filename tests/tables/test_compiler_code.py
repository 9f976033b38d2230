"""The compiler's machine code is released, and loaded again when it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from onlymove_tables.kernels import compiler

MAPS = """\
55d0c0000000-55d0c0001000 r-xp 00000000 fe:00 11  /usr/bin/python3.11
7f0000000000-7f0000100000 r--p 00000000 fe:00 12  /opt/a b/libllvmlite.so
7f0000100000-7f0000300000 r-xp 00100000 fe:00 12  /opt/a b/libllvmlite.so
7f0000300000-7f0000310000 rw-p 00300000 fe:00 12  /opt/a b/libllvmlite.so
7f0000310000-7f0000320000 r-xp 00000000 00:00 0
"""

COMPILES_AFTERWARDS = """
import numba
from onlymove_tables.kernels import compiler

def resident():
    inside, total = False, 0
    for line in open("/proc/self/smaps"):
        if "-" in line.split()[0]:
            inside = "libllvmlite" in line and " r-xp " in line
        elif inside and line.startswith("Rss:"):
            total += int(line.split()[1])
    return total

twice = numba.njit(lambda x: x + x)
assert twice(4) == 8
before = resident()
compiler.give_back()
print(before > 4096 > resident(), twice(4), numba.njit(lambda x: x * x)(3), resident() > 4096)
"""


def test_only_the_librarys_code_is_let_go() -> None:
    assert list(compiler.code_spans(MAPS)) == [(0x7F0000100000, 0x200000)]


@pytest.mark.skipif(sys.platform != "linux", reason="pages are told apart on Linux only")
def test_the_compiler_still_works_afterwards() -> None:
    ran = subprocess.run([sys.executable, "-c", COMPILES_AFTERWARDS], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "8", "9", "True"]


def test_a_system_that_does_not_list_what_is_in_memory_is_left_alone(tmp_path: Path) -> None:
    compiler.give_back(tmp_path / "maps")
