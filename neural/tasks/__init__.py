"""Every task by name: `build` makes one, `names` lists them, `describe` says what its options are.

A task's file enters it into the registry on import; import it below.
"""

from neural.tasks import cifar_family, language, mnist_family, quadratic, reconstruction
from neural.tasks.task import Task, build, describe, names, register

__all__ = ["Task", "build", "describe", "names", "register"]

_FILES = (
    cifar_family,
    language,
    mnist_family,
    quadratic,
    reconstruction,
)  # each enters its tasks into the registry on import
