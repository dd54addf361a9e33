"""Limits for tests with more load than people make."""

from typing import Any, Final

from protocol.limits import Limits, Rates

FREE: Final[dict[str, Any]] = {kind: Rates() for kind in Limits().rates()}
"""No rate of any kind: `Limits(**FREE)`."""
