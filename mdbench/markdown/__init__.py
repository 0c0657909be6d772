"""Parse Markdown into a document with exact spans. The only user of markdown-it-py."""
