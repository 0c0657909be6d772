"""Finding files, reading and writing them completely, worker processes, the console."""
