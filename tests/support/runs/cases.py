"""Number of random cases of a property where those of the profile are too few."""

from __future__ import annotations

from hypothesis import settings

QUICK = ("ci", "proof")
"""Profiles of what runs on each change."""


def cases(few: int, many: int) -> settings:
    """Return settings with `few` cases on each change, and `many` in `make long PART=cases`."""
    is_quick = settings.get_current_profile_name() in QUICK
    return settings(max_examples=few if is_quick else many, deadline=None)
