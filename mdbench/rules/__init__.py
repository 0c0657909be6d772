"""The rules, one file each. A file whose name begins with `mb` is a rule and is loaded."""
