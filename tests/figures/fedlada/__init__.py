"""LADA's training figures."""
