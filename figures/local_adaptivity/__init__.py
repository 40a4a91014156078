"""Figures and tables of Wang et al., "Local adaptivity in federated learning: convergence and consistency"."""
