"""The settings of a project: declared once, and from that checked, described and explained."""
