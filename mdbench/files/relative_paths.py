"""Paths as seen from a folder."""

from __future__ import annotations

import os


def relative_path(path: str, folder: str = os.curdir) -> str:
    """A path from a folder, with slashes; the whole path if it is on another drive of Windows."""
    try:
        found = os.path.relpath(path, folder)
    except ValueError:
        found = os.path.abspath(path)
    return found.replace(os.sep, "/")
