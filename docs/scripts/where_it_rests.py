"""Where FedAvg rests on two clients

The true loss, the loss that FedAvg with ten local steps descends instead, and where each is least.

Picture: level sets of the true loss and of the surrogate loss, two families of ellipses; the resting point lies
between the true minimizer and the middle of the two clients' own minimizers.
"""

from figures import plot
from surrogate import Quadratics, Surrogate, Theta

clients = Quadratics([[[2, 0], [0, 1]], [[1, 0], [0, 0.5]]], [[0, 1 / 3], [3, 2]])
fedavg = Surrogate(clients, gamma=0.1, theta=Theta.sum(10))
print("x*      ", clients.minimizer.round(4))
print("rests at", fedavg.resting_point.round(4))
plot.surrogate(fedavg).savefig("where.png", dpi=110)
