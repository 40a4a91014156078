"""Figures of OLR that train: findings that notice, on curves made for the purpose."""
