"""The longest that a test waits for anything: a bound against hanging alone, which no busy machine comes near. What is
promised in seconds is measured in `make long`, by benchmarks, or as time of the processor."""

from typing import Final

PATIENCE: Final = 120.0
