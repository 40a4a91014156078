"""A displacement below the published bounds

How far from x* ten local steps lead, over the client rate, and what two theorems allow.

Picture: three rising curves over the client rate, both axes logarithmic; the truth runs about two decades below the
bounds of OLR Theorems 16 and 17, whose curves part as the rate nears 1/L.
"""

from figures import plot
from surrogate import Surrogate, Theta, bounds, toys

clients = toys.plane()
found = abs(Surrogate(clients, 0.5, Theta.sum(10)).displacement).max()
bound = bounds.theorem_17(clients.mu, clients.L, clients.sigma_A, clients.sigma_c, 0.5, 10)
print(f"at gamma = 1/2 no coordinate is off by more than {found:.4f}; Theorem 17 allows {bound:.1f}")
plot.bounds(clients, steps=10).savefig("bounds.png", dpi=110)
