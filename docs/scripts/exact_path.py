"""The resting point as a rational function of the rate

With gamma as a symbol: where two local steps rest on the two clients of OLR section 4, for all rates at once.

Picture: the resting point against the client rate, rising from 2/3 at rate zero to 5/7 at one half, along (4 - 3
gamma) / (6 - 5 gamma).
"""

from fractions import Fraction

from matplotlib.figure import Figure

from surrogate import Theta, exact, toys

clients = toys.two_clients(exact=True)
rates = [Fraction(k, 40) for k in range(21)]
points = [exact.Surrogate(clients, rate, Theta.sum(2)).resting_point[0] for rate in rates]
print("at 0:", points[0], " at 1/4:", points[10], " at 1/2:", points[-1])
formula = [(4 - 3 * rate) / (6 - 5 * rate) for rate in rates]
print("the printed formula agrees:", all(str(p) == str(q) for p, q in zip(points, formula, strict=True)))

figure = Figure(figsize=(6.4, 3.2), layout="constrained")
ax = figure.subplots()
ax.plot([float(rate) for rate in rates], [int(p.p) / int(p.q) for p in points], "o-")
ax.set(xlabel="client rate gamma", ylabel="rests at")
figure.savefig("path.png", dpi=110)
