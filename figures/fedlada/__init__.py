"""Figures and tables of LADA: "Efficient Federated Learning via Local Adaptive Amended Optimizer" (FedLADA)."""
