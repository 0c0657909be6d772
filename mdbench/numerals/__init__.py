"""Parse the text of a cell: value, printed precision, unit, bound, status, markers, note."""
