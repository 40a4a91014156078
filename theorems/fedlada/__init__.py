"""Statements of the FedLADA paper."""
