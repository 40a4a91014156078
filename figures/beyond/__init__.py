"""Figures that no paper has, drawn by the exact core: their expectations are ours, written down before the first run."""
