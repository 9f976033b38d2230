"""The moves by the kernel, for the law that it is the rules' own."""

from __future__ import annotations

from onlymove_engines.games.lightriders.children import kernel_children as children

__all__ = ["children"]
