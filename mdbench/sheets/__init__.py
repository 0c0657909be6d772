"""A table understood: columns as quantities, rows as runs."""
