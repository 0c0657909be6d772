"""Evidence: which laws the rows follow, which runs break them, which cell explains it."""
