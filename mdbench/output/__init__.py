"""How findings are shown, one file for each format."""
