"""Figures and tables of DA: "Accelerated Federated Learning with Decoupled Adaptive Optimization" (FedDA)."""
