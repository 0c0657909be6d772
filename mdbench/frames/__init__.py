"""Reports as data frames. The only door to pandas, pyarrow and duckdb."""
