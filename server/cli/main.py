"""The command `eschaton-server`. Each command imports what it needs when it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, CycloptsError, Parameter, validators

from protocol.ids import MatchId
from protocol.version import DEFAULT_PORT
from server.cli.army_app import army
from server.cli.settings import ContentFolder, DataFolder, StoreFile, StorePlace, setting, store_place
from server.runtime.version import program_version

app = App(
    name="eschaton-server",
    help="Host matches, keep them safe, play bots against each other, check replays.",
    version=program_version,
    version_flags=["--version"],
)


@app.command
def serve(
    listen: Annotated[str, setting("LISTEN")] = f"127.0.0.1:{DEFAULT_PORT}",
    data: DataFolder = None,
    tls_cert: Annotated[Path | None, setting("TLS_CERT")] = None,
    tls_key: Annotated[Path | None, setting("TLS_KEY")] = None,
    bot_pause: Annotated[float, setting("BOT_PAUSE", validator=validators.Number(gte=0, lte=60))] = 0.4,
    metrics: Annotated[str, setting("METRICS")] = "",
    origin: Annotated[tuple[str, ...], setting("ORIGIN")] = (),
    trusted_proxy: Annotated[tuple[str, ...], setting("TRUSTED_PROXY")] = (),
    proxy_protocol: Annotated[bool, setting("PROXY_PROTOCOL")] = False,  # noqa: FBT002 - as bots_alone
    store: StorePlace = "",
    store_file: StoreFile = None,
    accept_loss: Annotated[Literal["everysec"] | None, setting("ACCEPT_LOSS")] = None,
    log_level: Annotated[Literal["debug", "info", "warning", "error"], setting("LOG_LEVEL")] = "info",
    content: ContentFolder = None,
    bots_alone: Annotated[bool, setting("BOTS_ALONE")] = False,  # noqa: FBT002 - keyword-only would change --help
    until_unused: bool = False,  # noqa: FBT001, FBT002 - keyword-only would change --help
) -> int:
    """Host matches until interrupted (Ctrl+C). Live matches go on after a restart.

    Every option may come from the environment instead; the command line goes before it.

    Parameters
    ----------
    listen
        Address and port; port 0 takes any free one.
    data
        Folder for the database, the host key, replays and your own content. Default: your user data folder.
    tls_cert
        Certificate chain (PEM). Needed where others reach this server over a network.
    tls_key
        Its private key (PEM).
    bot_pause
        Seconds that a bot in a seat waits before it acts, so that people can follow.
    metrics
        Address for /metrics, /healthz and /readyz, such as 127.0.0.1:9440, without TLS. Default: none.
    origin
        A web page's origin (https://HOST) that may connect, to the letter; may be given several times. Programs have
        none and need none.
    trusted_proxy
        A network (10.0.0.0/8) or address of proxies, which may name their visitors: by Forwarded or X-Forwarded-For, or
        with --proxy-protocol; may be given several times. All others count by their own address.
    proxy_protocol
        The trusted proxies speak the PROXY protocol (version 1 or 2) on every connection, and their headers are not
        read.
    store
        Where matches are kept: sqlite:PATH, or redis://HOST:PORT/NUMBER (rediss:// with TLS, unix://PATH). Default: a
        file of SQLite in the data folder. One with a password belongs into ESCHATON_STORE or a file: everybody on this
        computer can read command lines.
    store_file
        A file that holds the store alone, as --store takes it.
    accept_loss
        everysec: take a Redis that writes to its disk once a second only. When it crashes, about a second of play may
        be gone; those at the table are told. Without this such a Redis is refused.
    log_level
        What the log on standard error tells: from debug (every intent) to error.
    content
        Folder with factions, maps, scenarios and events of your own. Default: content in the data folder.
    bots_alone
        Play on where bots alone hold the seats and nobody watches: for shows and measurements. Without this such a
        match rests at once, and ends after ten minutes.
    until_unused
        End once nobody has been connected for half an hour: so a window starts a server of its own.
    """
    from server.cli.serving import run, trusted_proxies

    place = store_place(store, store_file)
    options = (listen, data, tls_cert, tls_key, bot_pause, metrics, origin, place, accept_loss, log_level, content)
    read = [store_file] if store_file is not None else []
    proxies = trusted_proxies(trusted_proxy, speak_proxy=proxy_protocol)
    return run(*options, read, until_unused=until_unused, bots_alone=bots_alone, proxies=proxies)


@app.command
def backup(
    target: Path,
    *,
    data: DataFolder = None,
    store: StorePlace = "",
    store_file: StoreFile = None,
    with_keys: bool = False,
) -> int:
    """Copy everything of this host into a new folder, as it is at one moment. The server may be running.

    Parameters
    ----------
    target
        A folder that does not exist yet, or is empty.
    data
        The host's data folder. Default: your user data folder.
    store
        Where the matches are kept, as it was given to serve. Default: a file in the data folder.
    store_file
        A file that holds this place alone.
    with_keys
        Copy the host keys too. Who has them can read the dice of every live match: keep such a backup locked away.
        Without them a restored host needs its keys from elsewhere.
    """
    from server.cli.backup import run_backup
    from server.cli.serving import default_folder

    return run_backup(data or default_folder(), store_place(store, store_file), target, keys=with_keys)


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
    from server.cli.backup import run_restore

    return run_restore(source, data)


@app.command
def export(
    *,
    match: str = "",
    data: DataFolder = None,
    store: StorePlace = "",
    store_file: StoreFile = None,
    out: Path | None = None,
) -> int:
    """Write tables, people and logs as JSON lines, or the replay of a finished match. The server may be running.

    Tokens and secrets are left out. The log of a live match holds what its players may not know yet.

    Parameters
    ----------
    match
        One match only.
    data
        The host's data folder. Default: your user data folder.
    store
        Where the matches are kept, as it was given to serve. Default: a file in the data folder.
    store_file
        A file that holds this place alone.
    out
        A new file; one that ends in .replay gets the replay of the match. Default: print.
    """
    from server.cli.export import run
    from server.cli.serving import default_folder

    return run(data or default_folder(), store_place(store, store_file), MatchId(match) if match else None, out)


@app.command
def fsck(*, data: DataFolder = None, store: StorePlace = "", store_file: StoreFile = None) -> int:
    """Read and fold everything that is stored, and say what is damaged: file, match, version. Changes nothing.

    The server may be running. The status is 1 where anything is damaged.

    Parameters
    ----------
    data
        The host's data folder. Default: your user data folder.
    store
        Where the matches are kept, as it was given to serve. Default: a file in the data folder.
    store_file
        A file that holds this place alone.
    """
    from server.cli.fsck import run
    from server.cli.serving import default_folder

    return run(data or default_folder(), store_place(store, store_file))


key = App(name="key", help="The key that signs what this host tells.")
app.command(key)


@key.command(name="show")
def key_show(*, data: DataFolder = None) -> int:
    """Print the host's public key, and those before it.

    Parameters
    ----------
    data
        The host's data folder. Default: your user data folder.
    """
    from server.cli.keys import show
    from server.cli.serving import default_folder

    return show(data or default_folder())


@key.command(name="rotate")
def key_rotate(*, data: DataFolder = None, store: StorePlace = "", store_file: StoreFile = None) -> int:
    """Make a new signing key. The server must not run, and no match may be live; finished ones verify as before.

    Parameters
    ----------
    data
        The host's data folder. Default: your user data folder.
    store
        Where the matches are, as in serve.
    store_file
        A file that holds this place alone.
    """
    import asyncio

    from server.cli.keys import run_rotate
    from server.cli.serving import default_folder

    return asyncio.run(run_rotate(data or default_folder(), store_place(store, store_file)))


app.command(army)


content = App(name="content", help="Factions, maps, scenarios and events of your own.")
app.command(content)


@content.command(name="check")
def content_check(path: ContentFolder = None, *, data: DataFolder = None) -> int:
    """Say everything that is wrong with your own content: file, line, key and reason. Changes nothing.

    The status is 1 where anything is wrong.

    Parameters
    ----------
    path
        The folder, as it is given to serve. Default: content in the data folder.
    data
        The host's data folder. Default: your user data folder.
    """
    from server.cli.content_check import run
    from server.cli.serving import default_folder

    return run(path or (data or default_folder()) / "content")


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
    report: Path | None = None,
    others: int = 0,
    best: int = 0,
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
    report
        Play so many matches of every scenario, verify each, and write what they say about balance to this file.
    others
        With --report: how many matches of each scenario for each smaller number of players.
    best
        With --report: how many matches of each scenario between the best bots.
    kept
        With --report: where matches that have been played are kept.
    workers
        With --report: how many processes play.
    """
    if pairs:
        from server.cli import strength

        return strength.run(system, pairs, matches, seed, report, content, workers)
    if report is not None:
        from server.cli import balance

        balance.check_counts(matches, others, best)
        plan = balance.BalancePlan(system, matches, others, best, seed, bots, content, scenario)
        return balance.run(plan, report, kept, workers)
    from server.cli.simulate import run

    return run(system, scenario, matches, seed, bots, content, as_json=json)


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
