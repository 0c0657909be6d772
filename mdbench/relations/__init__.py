"""Identities and models between quantities, built-in ones and those of a project."""
