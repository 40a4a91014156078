"""Figures that no paper has, drawn by the exact core. What we expect of them stands in them before their first run."""
