"""Check reports: run the rules, apply suppressions and the baseline, fix files."""
