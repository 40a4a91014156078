"""Where eight methods rest on the same clients

The surrogate dictionary knows the resting point of a method without running it.

Picture: three client minimizers as grey squares, x* as a blue dot, and one diamond a method; SCAFFOLD lies on x*,
FedAvg and its server-momentum variant on one common point, the others apart.
"""

from matplotlib.figure import Figure

from surrogate import dictionary, toys

clients = toys.plane()
ASKED = {
    "fedavg": {},
    "fomaml": {},
    "maml": {},
    "fedprox": {"mu": 0.5},
    "scaffold": {},
    "fedcm": {},
    "local-sgdm": {},
    "fedopt-sgdm": {},
}
figure = Figure(figsize=(6.4, 4.2), layout="constrained")
ax = figure.subplots()
ax.plot(*clients.c.T, "s", color="grey", label="client minimizers")
ax.plot(*clients.minimizer, "o", markersize=10, fillstyle="none", label="x*")
for name, more in ASKED.items():
    point = dictionary.resting_point(name, clients, gamma=0.5, steps=10, **more)
    off = dictionary.displacement(name, clients, gamma=0.5, steps=10, **more)
    print(f"{name:12} {point.round(4)}  off by {(off @ off) ** 0.5:.4f}")
    ax.plot(*point, "D", label=name)
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
figure.savefig("methods.png", dpi=110)
