"""Small extensions of Sphinx that write parts of the docs from the tree."""
