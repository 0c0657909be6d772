"""Reports written again, as Markdown, by a template, or as HTML. The only door to jinja2."""
