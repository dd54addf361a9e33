"""Options of `eschaton-server army`; the commands themselves are in army_command.py, which is imported when one
runs."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

army = App(name="army", help="Army lists: for the rule systems whose armies are built for points.")


@army.command(name="new")
def army_new(
    faction: str = "",
    *,
    points: int = 0,
    seed: int | None = None,
    system: str = "",
    content: Path | None = None,
    out: Path | None = None,
) -> int:
    """Draw a sound list to begin with, and write it as TOML.

    Parameters
    ----------
    faction
        Whose list. Left out, the factions that there are.
    points
        What it may cost. Default: what is usual.
    seed
        Another seed, another list. Default: by lot.
    system
        Rule system, where more than one has army lists.
    content
        Folder with content of your own, as it is given to serve.
    out
        A new file. Default: print.
    """
    from server.cli.content.army_command import new

    return new(system, content, faction, points, seed, out)


@army.command(name="check")
def army_check(written: str, *, system: str = "", content: Path | None = None) -> int:
    """Say everything that is wrong with a list. The status is 1 where anything is.

    Parameters
    ----------
    written
        A file, or the code of a list.
    system
        Rule system, where more than one has army lists.
    content
        Folder with content of your own, as it is given to serve.
    """
    from server.cli.content.army_command import check

    return check(system, content, written)


@army.command(name="show")
def army_show(written: str, *, system: str = "", content: Path | None = None, out: Path | None = None) -> int:
    """Print a list with its prices and its code.

    Parameters
    ----------
    written
        A file, or the code of a list.
    system
        Rule system, where more than one has army lists.
    content
        Folder with content of your own, as it is given to serve.
    out
        A new file: the list as TOML.
    """
    from server.cli.content.army_command import show

    return show(system, content, written, out)
