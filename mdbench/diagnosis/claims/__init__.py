"""Sentences about tables, checked against the numbers that they are about."""
