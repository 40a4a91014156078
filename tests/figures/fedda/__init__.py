"""DA: figures and tables on made-up and on printed numbers."""
