"""What keeps the documentation true: parts made from the code, and commands that are really run."""
