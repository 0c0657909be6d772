"""Write reports again as Markdown, with a template, or as HTML. The only package that imports
jinja2.
"""
