"""Statements of Wang, Xu, Garrett, Charles, Liu and Joshi, Local Adaptivity in Federated Learning."""
