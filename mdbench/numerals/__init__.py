"""The text of one cell: value, printed precision, unit, bound, status, markers, note."""
