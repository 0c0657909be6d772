"""The rules, one file each: every file whose name starts with `mb` is loaded."""
