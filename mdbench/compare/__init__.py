"""Compare two versions of reports. Runs are matched by configuration, not by line."""
