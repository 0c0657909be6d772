"""The patterns of mdbench as Pythons compile them: a module for each way there is to do that."""
