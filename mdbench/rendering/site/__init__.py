"""Write reports as a small site: a page per report and an index, without network access."""

from __future__ import annotations

from mdbench.rendering.site.site_files import Site, write_site

__all__ = ["Site", "write_site"]
