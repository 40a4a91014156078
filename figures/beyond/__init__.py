"""Our own figures, drawn by the exact core; their claims were committed before their first run."""
