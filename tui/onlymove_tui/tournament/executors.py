"""Where a match is played, as `--executor` spells it."""

from __future__ import annotations

from contextlib import AbstractContextManager

from onlymove_tui.tournament import cluster, farm
from onlymove_tui.tournament.farm import Farm


def opened(text: str) -> AbstractContextManager[Farm]:
    """`local:N`, processes of this machine, or `dask://HOST:PORT`, a cluster; closed in the end with whatever still
    runs in it. Raises NoFarm, at the latest when it is entered."""
    return cluster.connected(text) if text.startswith(cluster.PREFIX) else farm.local(text)
