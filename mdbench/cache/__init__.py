"""What `lint` has found before, so that a report that did not change need not be checked again."""
