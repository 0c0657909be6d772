"""Reports as data frames. The only package that imports pandas, pyarrow and duckdb."""
