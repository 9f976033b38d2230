"""The readme as the page of the package: a page elsewhere cannot follow links into this repository."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

SOURCE = "ONLYMOVE_SOURCE"
"""The environment variable with the public address of this repository on GitHub; a release sets it."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]*)\)")


class PackagePage(MetadataHookInterface):
    """Writes the readme, and where the source is, into the metadata of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called when the package is built."""
        source = os.environ.get(SOURCE, "").rstrip("/")
        readme = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": linked(readme, source, metadata["version"]),
        }
        metadata["urls"] = {"Source": source} if source else {}


def linked(text: str, source: str, version: str) -> str:
    """The text with absolute links to the files of this version. Without `source` pictures are left out, and of links
    only their words stay."""

    def absolute(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if not source:
            return "" if picture else words
        return f"{picture}[{words}]({source}/{'raw' if picture else 'blob'}/{version}/{target})"

    text = LINK.sub(absolute, text)
    return text.replace("<this repository>", source) if source else text
