"""The five papers: the prefix of each one's ids, its folder in every package, its title as the text at hand has it."""

from __future__ import annotations

__all__ = ["PAPERS"]

PAPERS = {
    "OLR": ("outsized", "On the Outsized Importance of Learning Rates in Local Update Methods"),
    "LA": ("local_adaptivity", "Local Adaptivity in Federated Learning: Convergence and Consistency"),
    "DA": ("fedda", "Accelerated Federated Learning with Decoupled Adaptive Optimization"),
    "LADA": ("fedlada", "Efficient Federated Learning via Local Adaptive Amended Optimizer with Linear Speedup"),
    "LAMB": ("fedlamb", "FED-LAMB: Layer-wise and Dimension-wise Locally Adaptive Optimization"),
}
