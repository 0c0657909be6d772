"""Reports as a small site: a page for each, an index over all, and nothing from the network."""

from __future__ import annotations

from mdbench.rendering.site.site_files import Site, write_site

__all__ = ["Site", "write_site"]
