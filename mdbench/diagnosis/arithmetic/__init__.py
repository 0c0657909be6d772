"""The arithmetic of a table, learned from its numbers."""
