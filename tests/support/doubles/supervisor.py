"""A task supervisor for parts of the server that are tested alone."""

from __future__ import annotations

import io

from server.runtime.logs import make_log
from server.runtime.metrics import Metrics
from server.runtime.tasks import TaskSupervisor
from tests.support.doubles.clock import JumpingClock


def supervisor() -> TaskSupervisor:
    """Make a supervisor whose log nobody reads."""
    return TaskSupervisor(make_log(io.StringIO()), Metrics(), JumpingClock())
