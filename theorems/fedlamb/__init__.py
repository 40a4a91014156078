"""LAMB: FED-LAMB, layer-wise and dimension-wise locally adaptive optimization."""
