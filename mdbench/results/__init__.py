"""Result files of benchmarks as tables that SQL can ask."""
