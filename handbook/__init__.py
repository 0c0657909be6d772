"""Keeps the documentation up to date: generates reference tables and runs every example."""
