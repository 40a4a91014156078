"""What several tests share: populations, listings, damaged files, worlds of results; the tree and its layers."""
