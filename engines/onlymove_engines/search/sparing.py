"""When plain code answers a batch sooner than numpy or kernels, which have to be loaded first."""

from __future__ import annotations

from .jit import has_compiler


class Sparing:
    """Lets plain code answer the first `count` positions that come in batches that small, which takes as long as to
    load what is quicker; all of them where that is kernels and nothing can be compiled."""

    def __init__(self, count: int, needs_compiler: bool = True) -> None:
        self._left, self._needs_compiler = count, needs_compiler

    def suffices(self, count: int) -> bool:
        """Whether plain code is to answer so many positions now."""
        if count > self._left and (not self._needs_compiler or has_compiler()):
            self._left = 0
            return False
        self._left -= count
        return True
