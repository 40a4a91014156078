"""LAMB: layer-wise and dimension-wise locally adaptive federated learning."""
