"""A training run against its prediction

The neural engine trains quadratic clients with FedAvg; the exact core says how far from rest each round must be.

Picture: the distance between the true loss along the run and its value at the predicted resting point, falling on a
straight line in a logarithmic plot.
"""

import numpy as np
from matplotlib.figure import Figure

import neural
from surrogate import Surrogate, Theta, toys

run = neural.run(
    {
        "task": "quadratic",
        "problem": "plane",
        "method": "fedavg",
        "gamma": 0.5,
        "steps": 10,
        "rounds": 60,
        "eval_every": 1,
    },
    out="runs",
)
fedavg = Surrogate(toys.plane(), gamma=0.5, theta=Theta.sum(10))
limit = fedavg.clients.value(fedavg.resting_point)
gaps = [abs(row["loss"] - limit) for row in run.rows]
radius = fedavg.contraction(0.5).radius
print(f"predicted factor a round {radius:.4f}, measured over rounds 10 to 20 {(gaps[20] / gaps[10]) ** 0.1:.4f}")

figure = Figure(figsize=(6.4, 3.2), layout="constrained")
ax = figure.subplots()
ax.semilogy(np.maximum(gaps, 1e-17), "o-", markersize=3)
ax.set(xlabel="round", ylabel="|f(x_t) - f(rest)|")
figure.savefig("run.png", dpi=110)
