"""The documentation site, opened from disk: search, navigation and code colours work without any network request."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.chromium import open_page

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder], cwd=ROOT, check=True)
    return folder


async def test_the_search_finds_pages_from_disk_without_a_request(site: Path, tmp_path: Path) -> None:
    async with open_page(tmp_path / "browser") as page:
        await page.open(f"{(site / 'index.html').as_uri()}?q=remoteness")
        await page.wait_until("document.querySelectorAll('.md-search-result__item').length > 2")
        assert await page.value("document.querySelector('.md-search__input').checkVisibility()")
        assert all(address.startswith(("file:", "data:", "about:")) for address in page.requests)


async def test_every_page_can_be_reached_by_the_navigation(site: Path, tmp_path: Path) -> None:
    async with open_page(tmp_path / "browser") as page:
        await page.open((site / "index.html").as_uri())
        links = await page.value("[...document.querySelectorAll('.md-nav--primary a')].map(a => a.pathname).join()")
    pages = {file for file in site.rglob("*.html") if file.name != "404.html"}
    assert pages <= {Path(link) for link in links.split(",")}


async def test_code_is_shown_in_colours(site: Path, tmp_path: Path) -> None:
    async with open_page(tmp_path / "browser") as page:
        for name in ("library.html", "formats.html", "hosting.html", "index.html"):
            await page.open((site / name).as_uri())
            assert await page.value("document.querySelectorAll('.highlight code span[class]').length") > 5, name
