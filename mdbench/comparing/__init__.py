"""Two versions of reports compared: measurements matched by configuration, not by line."""
