"""Federated training in torch. No task or engine is here yet: this version has the exact core, which needs no torch.

The methods that training will use are already written, array-agnostic, in ``surrogate.methods``.
"""
