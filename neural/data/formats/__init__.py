"""Readers of published file formats. A truncated or damaged file is named, with what was expected of it."""
