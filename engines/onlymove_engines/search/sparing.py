"""When plain code answers a batch sooner than kernels, which have to be loaded first."""

from __future__ import annotations

from .jit import has_compiler


class Sparing:
    """Lets plain code answer the first `count` positions that come in batches that small, which takes as long as to
    load the kernels; all of them where nothing can be compiled."""

    def __init__(self, count: int) -> None:
        self._left = count

    def suffices(self, count: int) -> bool:
        """Whether plain code is to answer so many positions now."""
        if count > self._left and has_compiler():
            self._left = 0
            return False
        self._left -= count
        return True
