"""The longest time that a test waits for anything, in seconds: only a bound against hanging, far above what a busy
machine needs. Promised times are measured in `make long`, by benchmarks, or as CPU time."""

from typing import Final

PATIENCE: Final = 120.0
