"""Markdown text to a document with exact spans. The only door to markdown-it-py."""
