"""The catalogue of identities and models between quantities, and those of a project."""
