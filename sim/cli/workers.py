"""How many processes work, and how their loss is told."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from sim.cli.errors import CommandError
from sim.measure.measuring import WorkersLostError
from sim.measure.pool import Pool

_FEW = 64
"""So few runs are usually made before other processes have started."""


def cores() -> int:
    """Return the processors that this process may use."""
    known = getattr(os, "sched_getaffinity", None)  # Not everywhere.
    return len(known(0)) if known is not None else os.cpu_count() or 1


@contextmanager
def pool(workers: int | None, tasks: int) -> Iterator[Pool | None]:
    """Give the workers; None: this process does the work itself.

    Args:
        workers: How many; None: one for each processor, where there is enough to do.
        tasks: More than these would have nothing to do.

    Raises:
        CommandError: They died again and again.
    """
    fitting = cores() if tasks > _FEW else 1
    many = min(workers or fitting, tasks)
    if many < 2:
        yield None
        return
    found = Pool(many)
    try:
        yield found
    except WorkersLostError as error:
        raise CommandError(
            f"worker processes died {error} times without finishing anything",
            "look for what ends them (too little memory?), or use fewer: --workers 1",
        ) from None
    finally:
        found.close()
