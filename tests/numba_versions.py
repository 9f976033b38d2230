"""Another version of numba, as far as its metadata tells."""

from __future__ import annotations

from pathlib import Path

import pytest


def install_numba(folder: Path, monkeypatch: pytest.MonkeyPatch, version: str = "99.0") -> None:
    """Let this version of numba seem to be installed. It is newer than any that is known."""
    metadata = folder / f"numba-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: numba\nVersion: {version}\n")
    monkeypatch.syspath_prepend(folder)
