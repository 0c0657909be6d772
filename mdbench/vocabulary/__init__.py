"""Header text to quantity, unit and statistic, and what a project adds to that."""
