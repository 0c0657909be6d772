"""Two versions of reports compared: runs are matched by configuration, not by line."""
