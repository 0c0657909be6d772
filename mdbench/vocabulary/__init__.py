"""Map header texts to quantities, units and statistics; with the extensions of a project."""
