"""What the rows of a table follow, one file for each kind of law."""
