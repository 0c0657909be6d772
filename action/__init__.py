"""The GitHub action: see action.yml and docs/ci.md."""
