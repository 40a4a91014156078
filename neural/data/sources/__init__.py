"""One file for each package: from the archive in the cache to examples."""
