"""Short names of groups, where there is no room or no time for whole ones. Needs no window."""

from __future__ import annotations


def short_name(name: str) -> str:
    """Return a name's initials with its number, for where there is no room for more: FL5 for "Fen Levy 5", LG2-5
    for "Lightward Guard 2-5"."""
    *words, last = name.split() or [""]
    number = last if last.replace("-", "").isdigit() else ""
    words = words if number else [*words, last]
    if len(words) == 1 and not number:
        return words[0][:3]
    return "".join(next((letter for letter in word if letter.isalnum()), "") for word in words) + number
