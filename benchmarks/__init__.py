"""Benchmarks of mdbench itself. Run one with `python -m benchmarks.NAME`."""
