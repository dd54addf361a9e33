"""The settings of a server, in one table: options, variables of the environment, keys of a settings file and the table
in docs/operating.md follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import platformdirs
from cyclopts import Parameter, env_var_split, validators

from protocol.version import DEFAULT_PORT
from server.runtime.errors import CommandError
from server.store.redis.durability import Durability

PREFIX: Final = "ESCHATON_"
MOST_BYTES: Final = 4096
"""Most bytes of a file with one setting."""


def _words(kind: Any, value: str, *, delimiter: str | None = None) -> list[str]:
    """Split a variable's value; one that is set to nothing counts as not set."""
    return env_var_split(kind, value, delimiter=delimiter) if value else []


def setting(variable: str, metavar: str, help: str, usual: str, **more: Any) -> Parameter:  # noqa: A002 - as cyclopts
    """Return a setting that is taken from the variable ESCHATON_`variable`, or from a settings file, where the command
    line does not give it. `usual`: the default in words."""
    return Parameter(
        env_var=PREFIX + variable, env_var_split=_words, metavar=metavar, help=help, show_default=usual, **more
    )


SettingsFile = Annotated[
    Path | None,
    setting("SETTINGS", "FILE", "A file (TOML) with settings, each by the name of its option.", "none"),
]
DataFolder = Annotated[
    Path | None,
    setting(
        "DATA", "DIR", "Folder for the database, the host keys, replays and your own content.", "your user data folder"
    ),
]
ContentFolder = Annotated[
    Path | None,
    setting(
        "CONTENT", "DIR", "Folder with factions, maps, scenarios and events of your own.", "content in the data folder"
    ),
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """Settings of all commands that read or write what a host keeps."""

    settings: SettingsFile = None
    data: DataFolder = None
    store: Annotated[
        str,
        setting(
            "STORE",
            "PLACE",
            "Where matches are kept: sqlite:PATH, or redis://HOST:PORT/NUMBER (rediss:// with TLS, unix://PATH), "
            "or redis+sentinel://HOST:PORT,HOST:PORT/SERVICE. One "
            "with a password belongs into the environment or a file: everybody on this computer can read command "
            "lines.",
            "a file in the data folder",
        ),
    ] = ""
    store_file: Annotated[
        Path | None,
        setting("STORE_FILE", "FILE", "A file that holds PLACE alone, in place of the store setting.", "none"),
    ] = None

    @property
    def folder(self) -> Path:
        """The data folder."""
        return self.data or default_folder()

    @property
    def place(self) -> str:
        """Place of the matches, as open_store takes it. Raises CommandError."""
        return store_place(self.store, self.store_file)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StoreSettings(HostSettings):
    """Settings of commands that write what a host keeps, whichever store that is."""

    durability: Annotated[
        Durability | None,
        setting(
            "DURABILITY",
            "CLASS",
            "What a step has reached in Redis before anybody is told of it. disk: its disk (appendfsync always). "
            "replica: one replica, for Sentinel and managed Redis. second: neither; about a second of play may be gone "
            "after a crash, and those at the table are told.",
            "disk",
        ),
    ] = None
    accept_loss: Annotated[
        Literal["everysec"] | None,
        setting("ACCEPT_LOSS", "POLICY", "everysec: the former way to write --durability second.", "none"),
    ] = None

    @property
    def durability_class(self) -> Durability | None:
        """The class of durability that is asked for. Raises CommandError where two are."""
        if self.accept_loss is not None and self.durability not in (None, "second"):
            raise CommandError(f"--accept-loss everysec and --durability {self.durability} differ: give one of them.")
        return "second" if self.accept_loss is not None else self.durability


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ServerSettings(StoreSettings):
    """Settings of a server."""

    content: ContentFolder = None
    listen: Annotated[
        str,
        setting(
            "LISTEN",
            "HOST:PORT",
            "Where people connect; port 0 takes any free one.",
            f"127.0.0.1:{DEFAULT_PORT}",
        ),
    ] = f"127.0.0.1:{DEFAULT_PORT}"
    tls_cert: Annotated[
        Path | None,
        setting(
            "TLS_CERT", "FILE", "Certificate chain (PEM). Needed where others reach the server over a network.", "none"
        ),
    ] = None
    tls_key: Annotated[Path | None, setting("TLS_KEY", "FILE", "Its private key (PEM).", "none")] = None
    origin: Annotated[
        tuple[str, ...],
        setting(
            "ORIGIN",
            "ORIGIN",
            "A web page's origin (https://HOST) that may connect, to the letter; may be given several times. Programs "
            "have none and need none.",
            "none",
        ),
    ] = ()
    trusted_proxy: Annotated[
        tuple[str, ...],
        setting(
            "TRUSTED_PROXY",
            "NETWORK",
            "A network (10.0.0.0/8) or address of proxies, which may name their visitors: by Forwarded or "
            "X-Forwarded-For, or with --proxy-protocol; may be given several times. All others count by their own "
            "address.",
            "none",
        ),
    ] = ()
    proxy_protocol: Annotated[
        bool,
        setting(
            "PROXY_PROTOCOL",
            "",
            "The trusted proxies begin every connection with a header of the PROXY protocol (version 1 or 2), and HTTP "
            "headers are not read.",
            "no",
        ),
    ] = False
    metrics: Annotated[
        str,
        setting(
            "METRICS",
            "HOST:PORT",
            "Address for /metrics, /healthz and /readyz, such as 127.0.0.1:9440, without TLS.",
            "none",
        ),
    ] = ""
    replays_gb: Annotated[
        float,
        setting(
            "REPLAYS_GB",
            "GB",
            "Most gigabytes of replays; beyond them the longest finished go, and their tables say so. 0: no bound.",
            "2",
            validator=validators.Number(gte=0),
        ),
    ] = 2.0
    replays_days: Annotated[
        float,
        setting(
            "REPLAYS_DAYS",
            "DAYS",
            "For how many days, in which the server runs, a replay is kept after the end of its match. 0: no bound.",
            "0",
            validator=validators.Number(gte=0),
        ),
    ] = 0.0
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        setting("LOG_LEVEL", "LEVEL", "What the log tells: debug (every intent), info, warning or error.", "info"),
    ] = "info"
    bot_pause: Annotated[
        float | None,
        setting(
            "BOT_PAUSE",
            "SECONDS",
            "How long every bot waits before it acts, whatever its table and its players wish.",
            "as the table says",
            validator=validators.Number(gte=0, lte=60),
        ),
    ] = None
    moderator: Annotated[
        tuple[str, ...],
        setting(
            "MODERATOR",
            "NAME",
            "Whoever keeps this name by a password is a moderator; may be given several times. Nobody is while it is "
            "only worn.",
            "none",
        ),
    ] = ()
    webhook_host: Annotated[
        tuple[str, ...],
        setting(
            "WEBHOOK_HOST",
            "HOST",
            "A host to whose addresses people may have their turns told (https on port 443), to the letter, such as "
            "discord.com; may be given several times. Nothing is sent to any other.",
            "none",
        ),
    ] = ()
    bots_alone: Annotated[
        bool,
        setting(
            "BOTS_ALONE",
            "",
            "Play on where bots alone hold the seats and nobody watches: for shows and measurements. Without this such "
            "a match rests at once, and ends after ten minutes.",
            "no",
        ),
    ] = False


def default_folder() -> Path:
    """Return the server's folder among the user's data."""
    return Path(platformdirs.user_data_dir("eschaton", appauthor=False)) / "server"


def store_place(store: str, file: Path | None) -> str:
    """Return the place of the matches: as it is given, or as it stands in a file alone. Raises CommandError."""
    if file is None:
        return store
    if store:
        raise CommandError("--store and --store-file name the same thing: give one of them.")
    try:
        with file.open("rb") as opened:
            place = opened.read(MOST_BYTES + 1).decode("ascii").strip()
    except OSError as problem:
        raise CommandError(f"--store-file {file} cannot be read: {problem.strerror or problem}.", 1) from problem
    except UnicodeDecodeError as problem:
        raise CommandError(f"--store-file {file} holds signs that no store's address has.", 1) from problem
    if not place or len(place) > MOST_BYTES or len(place.splitlines()) != 1:
        raise CommandError(f"--store-file {file} must hold one line: the store, as --store takes it.", 1)
    return place
