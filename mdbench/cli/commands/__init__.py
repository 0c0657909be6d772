"""One file for each command, which owns its options."""
