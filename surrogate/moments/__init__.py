"""Exact moments of local update methods on quadratics: no Monte Carlo, no d^2 x d^2 matrices.

Minibatches make every local step a random affine map, client sampling makes the round a random average of them.
The first two moments of affine maps evolve linearly; mean and covariance are carried apart, so that a covariance of
1e-30 beside a mean of 1e6 keeps its digits.

`trajectory`: E x_t and Cov x_t for t = 0..T. `update`: the same of q_t. `stationary`: t -> oo.
"""

from surrogate.moments.stationary import Stationary, stationary
from surrogate.moments.trajectory import Law, Trajectory, trajectory, update

__all__ = ["Law", "Stationary", "Trajectory", "stationary", "trajectory", "update"]
