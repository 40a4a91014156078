"""Figures and tables of Charles and Konecny, "On the outsized importance of learning rates in local update methods"."""
