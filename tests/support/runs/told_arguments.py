"""Module for children: it tells its arguments."""

import sys


def main() -> int:
    """Print the arguments; return 7."""
    print(sys.argv[1:])
    return 7
