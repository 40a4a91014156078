"""DA: Accelerated Federated Learning with Decoupled Adaptive Optimization (FedDA)."""
