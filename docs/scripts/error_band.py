"""Exact error and its band under client sampling

One of two clients is drawn each round. The mean and the standard deviation of the iterate are computed, not simulated.

Picture: the mean iterate falls from 2 to just above x* within about thirty rounds; a shaded band of one standard
deviation around it keeps a constant width afterwards.
"""

import numpy as np
from matplotlib.figure import Figure

from surrogate import Theta, moments, toys

clients = toys.two_clients()
law = moments.trajectory(clients, [2.0], 60, gamma=0.1, eta=0.1, theta=Theta.sum(10), clients_per_round=1)
mean, spread = law.mean[:, 0], np.sqrt(law.covariance[:, 0, 0])
print(f"E x_60 = {mean[-1]:.4f} +- {spread[-1]:.4f}, x* = {clients.minimizer[0]:.4f}")

figure = Figure(figsize=(6.4, 3.4), layout="constrained")
ax = figure.subplots()
ax.fill_between(range(61), mean - spread, mean + spread, alpha=0.25, label="one standard deviation")
ax.plot(mean, label="mean of x_t")
ax.axhline(clients.minimizer[0], color="black", linestyle=":", label="x*")
ax.set(xlabel="round", ylabel="x")
ax.legend()
figure.savefig("band.png", dpi=110)
