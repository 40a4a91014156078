"""Every task by name: `build` makes one, `names` lists them, `describe` says what its options are.

A task's file enters it into the registry on import; `neural.tasks.catalogue` names the file.
"""

from neural.tasks.task import Task, build, describe, names, register

__all__ = ["Task", "build", "describe", "names", "register"]
