"""Where mdbench comes from, and how to install what it can do besides. Names are set here alone."""

import json

NAME = "mdbench"
"""The name of the package."""
REPOSITORY = "https://github.com/OWNER/mdbench"
"""The repository; the documentation has the same placeholder."""
_CHECKOUT = "in a checkout of mdbench: pip install '.[{extra}]'"


def how_to_install(extra: str) -> str:
    """The command that adds an extra to mdbench as it was installed here."""
    # Imported lazily: needed only if something is missing.
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415

    try:
        origin = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError, OSError):
        origin = {"dir_info": {}}
    if "dir_info" in origin:
        return _CHECKOUT.format(extra=extra)
    if "vcs_info" in origin:
        asked = origin["vcs_info"].get("requested_revision") or ""
        address = f"{origin['vcs_info']['vcs']}+{origin['url']}{'@' if asked else ''}{asked}"
        return f"pip install '{NAME}[{extra}] @ {address}'"
    if "url" in origin:
        return f"pip install '{NAME}[{extra}] @ {origin['url']}'"
    return f"pip install '{NAME}[{extra}]'"
