"""The command `eschaton-server`. Each command imports what it needs when it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, CycloptsError, Parameter, validators

from protocol.ids import MatchId
from server.cli.admin_app import admin
from server.cli.content.army_app import army
from server.cli.settings.settings import (
    ContentFolder,
    DataFolder,
    HostSettings,
    ServerSettings,
    SettingsFile,
    default_folder,
)
from server.cli.settings.sources import SettingSources
from server.runtime.version import program_version

Keep = Annotated[int | None, Parameter(validator=validators.Number(gte=1))]
HOST_DEFAULTS: Final = HostSettings()
SERVER_DEFAULTS: Final = ServerSettings()
sources = SettingSources()
app = App(
    name="eschaton-server",
    config=sources,
    help="Host matches, keep them safe, play bots against each other, check replays.",
    version=program_version,
    version_flags=["--version"],
)


@app.command
def serve(given: ServerSettings = SERVER_DEFAULTS, *, until_unused: bool = False) -> int:
    """Host matches until interrupted (Ctrl+C). Live matches go on after a restart.

    Every setting may come from the environment or a settings file instead: the command line goes before the
    environment, and that before the file. `eschaton-server settings` tells which holds.

    Parameters
    ----------
    until_unused
        End once nobody has been connected for half an hour: so a window starts a server of its own.
    """
    from server.runtime.loading import load_uncollected

    with load_uncollected():
        from server.cli.serving import run

    return run(given, until_unused=until_unused)


@app.command(name="settings")
def show_settings(given: ServerSettings = SERVER_DEFAULTS, *, json: bool = False) -> int:
    """Show each setting that `serve` would have, where it comes from, and which others it goes before.

    Parameters
    ----------
    json
        Print a JSON object a line instead.
    """
    from server.cli.settings import report as settings_report

    return settings_report.run(given, sources.origins, as_json=json)


@app.command
def doctor(given: ServerSettings = SERVER_DEFAULTS, *, json: bool = False) -> int:
    """Look at a running installation; say what is wrong, and which command mends it. Changes nothing.

    Give it the options, environment and settings file of the server. The status is 1 where anything is wrong.

    Parameters
    ----------
    json
        Print a JSON object a line instead.
    """
    from server.cli.doctor.report import run

    return run(given, as_json=json)


@app.command
def backup(target: Path, *, host: HostSettings = HOST_DEFAULTS, with_keys: bool = False, keep: Keep = None) -> int:
    """Copy everything of this host into a new folder, as it is at one moment. The server may be running.

    Parameters
    ----------
    target
        A folder that does not exist yet, or is empty.
    with_keys
        Copy the host keys too. Who has them can read the dice of every live match: keep such a backup locked away.
        Without them a restored host needs its keys from elsewhere.
    keep
        TARGET is a folder of many backups then: this one is named for its time, and the newest KEEP stay.
    """
    from server.cli.data.backup import run_backup
    from server.cli.data.backup_series import run_series

    if keep is not None:
        return run_series(host.folder, host.place, target, keep, keys=with_keys)
    return run_backup(host.folder, host.place, target, keys=with_keys)


@app.command
def restore(source: Path, *, data: Path) -> int:
    """Make a data folder of a backup. Everything is checked before anything appears.

    Parameters
    ----------
    source
        The folder of the backup.
    data
        The data folder to be: new, or empty.
    """
    from server.cli.data.backup import run_restore

    return run_restore(source, data)


@app.command
def drill(backups: Path, *, data: DataFolder = None, settings: SettingsFile = None) -> int:
    """Restore the newest backup into a scratch folder, check all of it as fsck does, and remove the folder again.

    The server may be running. The status is 1 where there is no backup, or anything in it is damaged.

    Parameters
    ----------
    backups
        The folder that `backup --keep` fills, or one backup.
    data
        Folder whose host keys are used where the backup has none.
    """
    from server.cli.data.backup_series import run_drill

    return run_drill(backups, data or default_folder())


@app.command
def export(*, match: str = "", person: str = "", host: HostSettings = HOST_DEFAULTS, out: Path | None = None) -> int:
    """Write tables, people, reports, bans and logs as JSON lines, a finished match's replay, or all about a person.

    The server may run. Tokens and secrets are left out; the log of a live match holds what its players may not know.

    Parameters
    ----------
    match
        One match only.
    person
        One person only, by id or by the name that they keep: all that is kept of them, as one JSON text.
    out
        A new file; one that ends in .replay gets the replay of the match. Default: print.
    """
    from server.cli.data import person_export
    from server.cli.data.export import run

    if person:
        return person_export.run(host.folder, host.place, person, out)
    return run(host.folder, host.place, MatchId(match) if match else None, out)


@app.command
def fsck(*, host: HostSettings = HOST_DEFAULTS) -> int:
    """Read and fold everything that is stored, and say what is damaged: file, match, version. Changes nothing.

    The server may be running. The status is 1 where anything is damaged.
    """
    from server.cli.data.fsck import run

    return run(host.folder, host.place)


key = App(name="key", help="The key that signs what this host tells.")
app.command(key)


@key.command(name="show")
def key_show(*, data: DataFolder = None, settings: SettingsFile = None) -> int:
    """Print the host's public key, and those before it."""
    from server.cli.data.keys import show

    return show(data or default_folder())


@key.command(name="rotate")
def key_rotate(*, host: HostSettings = HOST_DEFAULTS) -> int:
    """Make a new signing key. The server must not run, and no match may be live; finished ones verify as before."""
    import asyncio

    from server.cli.data.keys import run_rotate

    return asyncio.run(run_rotate(host.folder, host.place))


app.command(admin)
app.command(army)


content = App(name="content", help="Factions, maps, scenarios and events of your own.")
app.command(content)


@content.command(name="check")
def content_check(path: ContentFolder = None, *, data: DataFolder = None, settings: SettingsFile = None) -> int:
    """Say everything that is wrong with your own content: file, line, key and reason. Changes nothing.

    The status is 1 where anything is wrong.
    """
    from server.cli.content.check import run

    return run(path or (data or default_folder()) / "content")


@content.command(name="new")
def content_new(
    id: str = "",
    *,
    like: str = "",
    content: ContentFolder = None,
    data: DataFolder = None,
    settings: SettingsFile = None,
) -> int:
    """Begin a file of your own: a faction, map, scenario or army like one that is shipped, under an id of its own.

    What must still be changed in it is told. Without --like: what there is to begin with.

    Parameters
    ----------
    id
        Of what is to be: small letters, digits, underscores. The file is called after it.
    like
        Id of what is copied.
    """
    from server.cli.content.new import run

    return run(id, like, content or (data or default_folder()) / "content")


@content.command(name="watch")
def content_watch(
    path: ContentFolder = None,
    *,
    draw: str = "",
    out: Path | None = None,
    data: DataFolder = None,
    settings: SettingsFile = None,
) -> int:
    """Check your own content at once and whenever a file of it changes, until interrupted (Ctrl+C).

    Parameters
    ----------
    draw
        Id of a scenario that is drawn, too, whenever nothing is wrong.
    out
        The PNG file that it is drawn into; left out, ID.png here.
    """
    from server.cli.content import draw as content_draw, watch as content_watch

    folder = path or (data or default_folder()) / "content"
    if not draw:
        return content_watch.run(folder)
    target = out or Path(f"{draw}.png")
    return content_watch.run(folder, lambda: content_draw.run(draw, target, folder, (), 0, 1280))


@content.command(name="draw")
def content_draw(
    scenario: str,
    out: Path,
    *,
    content: ContentFolder = None,
    faction: list[str] | None = None,
    seed: int = 0,
    width: Annotated[int, Parameter(validator=validators.Number(gte=320, lte=4000))] = 1280,
    data: DataFolder = None,
    settings: SettingsFile = None,
) -> int:
    """Draw a scenario's table with the figures on it, as the window shows them: yours, or one that is shipped.

    Bots set it up as they would at a table; nothing has moved yet. No display is needed.

    Parameters
    ----------
    scenario
        Its id.
    out
        The PNG file.
    faction
        Faction of the first seat; give it again for the next ones. Left out: as at a table where nobody chooses.
    seed
        Of the dice that lay terrain, and of the bots.
    width
        Of the picture, in pixels.
    """
    from server.cli.content.draw import run
    from server.cli.serving import own_content

    return run(scenario, out, own_content(data or default_folder(), content), faction or (), seed, width)


@content.command(name="icons")
def content_icons(out: Path) -> int:
    """Draw all icons with their names, which are the glyphs that content may name, and list the other words for them.

    Parameters
    ----------
    out
        The PNG file.
    """
    from server.cli.content.icons import run

    return run(out)


@app.command
def new_system(name: str) -> int:
    """Write a folder with a rule system that plays at once, to be changed into another game (docs/ruleset.md).

    Parameters
    ----------
    name
        Of the folder, the Python package and the system: small letters, digits, underscores.
    """
    from server.cli.content.new_system import run

    return run(name)


@app.command
def simulate(
    *,
    system: str = "action_cards",
    scenario: str = "",
    matches: int = 1,
    seed: int = 0,
    bots: Annotated[str, Parameter(help="kind of bot in all seats, or one for each seat: level2,random,...")] = "",
    pairs: str = "",
    json: bool = False,
    content: Path | None = None,
    option: list[str] | None = None,
    report: Path | None = None,
    others: int = 0,
    best: int = 0,
    sides: bool = False,
    alone: int | None = None,
    kept: Path = Path("out/balance.jsonl"),
    workers: int = 2,
) -> int:
    """Play matches between bots, without network and without waiting. The same seed gives the same matches.

    With --report every scenario, or the one named, is played, and a page about its balance is written; a run that was
    stopped goes on.
    With --pairs two kinds of bots change seats, to tell which is stronger; --report then writes that.

    Parameters
    ----------
    system
        Rule system.
    scenario
        Its scenario; left out, the first one, and with --report all of them.
    matches
        How many.
    seed
        Of dice, decks and bots.
    pairs
        Kinds of bots to compare, as level2:level1 or several such with commas; --matches says how many pairs of each.
    json
        Print the result as one JSON object instead of a table.
    content
        Folder with content of your own, as it is given to serve.
    option
        Option of the rules, as KEY=VALUE; give it again for each.
    report
        Play so many matches of every scenario, verify each, and write what they say about balance to this file.
    others
        With --report: how many matches of each scenario for each smaller number of players.
    best
        With --report: how many matches of each scenario between the best bots.
    sides
        With --report: judge which side wins, and who stands where in games each for themselves.
    alone
        With --sides: how many matches of each scenario in which each is for themselves; left out, as many as of others.
    kept
        With --report: where matches that have been played are kept.
    workers
        With --report: how many processes play.
    """
    if pairs:
        from server.cli.simulation import strength

        return strength.run(system, pairs, matches, seed, report, content, workers)
    if report is not None:
        from server.cli.simulation import balance

        balance.check_counts(matches, others, best, alone)
        plan = balance.BalancePlan(system, matches, others, best, seed, bots, content, scenario, sides, alone)
        return balance.run(plan, report, kept, workers)
    from server.cli.simulation.simulate import run

    return run(system, scenario, matches, seed, bots, content, option or (), as_json=json)


@app.command
def check(file: Path) -> int:
    """Play a replay again under the rules, and compare every step and everything that was shown.

    Parameters
    ----------
    file
        A .replay file.
    """
    from server.match.checking import run

    return run(file)


@app.command
def bot(
    url: str,
    code: str = "",
    *,
    kind: str = "random",
    name: str = "Bot",
    seed: int = 0,
) -> int:
    """Let a bot play over the network, as any player would. It comes back by itself when the link is lost.

    Parameters
    ----------
    url
        The server: ws://HOST:PORT or wss://HOST.
    code
        Invite code of the table; left out, any public table with a free seat.
    kind
        random, or a bot of the rule system (level1, level2, level3).
    name
        What it is called.
    seed
        Of its choices.
    """
    from server.cli.wire_bot import run

    return run(url, code, kind, name, seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status: 0, 1 where something did not hold, 2 for a wrong call."""
    from server.runtime.errors import CommandError

    try:
        status = app(arguments, exit_on_error=False, print_error=True, result_action="return_value")
    except CycloptsError:
        return 2
    except CommandError as problem:
        print(problem, file=sys.stderr)
        return problem.status
    except KeyboardInterrupt:
        return 130
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    sys.exit(main())
