"""Options of `eschaton-server admin`; what they ask is carried out in admin.py, which is imported when one runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import App, Parameter, validators

from server.cli.settings.settings import StoreSettings

if TYPE_CHECKING:
    from server.order.host_requests import AnyHostRequest

STORE_DEFAULTS: Final = StoreSettings()
HOUR, MINUTE = 3600, 60
AsJson = Annotated[bool, Parameter(name="--json", help="Print a JSON object a line instead.")]
Reason = Annotated[str, Parameter(help="Why; it stands in the audit list.")]

admin = App(
    name="admin",
    help="Moderators, bans, announcements and the list of what was done, of a server that runs or of one that is "
    "stopped. A person is named by id (`export`) or by the name that they keep.",
)


def _run(store: StoreSettings, request: AnyHostRequest, *, as_json: bool = False) -> int:
    from server.cli.admin import run

    return run(store.folder, store.place, store.durability_class, request, as_json=as_json)


@admin.command
def moderators(*, store: StoreSettings = STORE_DEFAULTS, json: AsJson = False) -> int:
    """List the moderators."""
    from server.order.host_requests import ListModerators

    return _run(store, ListModerators(), as_json=json)


@admin.command
def appoint(person: str, *, store: StoreSettings = STORE_DEFAULTS) -> int:
    """Make a person who keeps their name a moderator."""
    from server.order.host_requests import AppointModerator

    return _run(store, AppointModerator(person))


@admin.command
def dismiss(person: str, *, store: StoreSettings = STORE_DEFAULTS) -> int:
    """End that a person is a moderator."""
    from server.order.host_requests import DismissModerator

    return _run(store, DismissModerator(person))


@admin.command
def bans(*, store: StoreSettings = STORE_DEFAULTS, json: AsJson = False) -> int:
    """List the bans and mutes that hold, the newest first."""
    from server.order.host_requests import ListSanctions

    return _run(store, ListSanctions(), as_json=json)


@admin.command
def ban(
    person: str,
    *,
    reason: Reason,
    hours: Annotated[int | None, Parameter(validator=validators.Number(gte=1, lte=10 * 365 * 24))] = None,
    for_ever: bool = False,
    also: tuple[Literal["name", "address", "network"], ...] = (),
    store: StoreSettings = STORE_DEFAULTS,
) -> int:
    """Ban a person, who is told until when and not why.

    Parameters
    ----------
    hours
        For how long.
    for_ever
        In place of hours.
    also
        What the ban includes: their name, the addresses that they came from in the last 30 days, or the networks of
        these; may be given several times.
    """
    from server.order.host_requests import BanPerson
    from server.runtime.errors import CommandError

    if (hours is None) != for_ever:
        raise CommandError("Say for how long: --hours N, or --for-ever.")
    return _run(store, BanPerson(person, reason, (hours or 0) * HOUR, list(also)))


@admin.command
def lift(id: str, *, reason: Reason, store: StoreSettings = STORE_DEFAULTS) -> int:
    """End a ban or mute, by the id that `admin bans` shows."""
    from server.order.host_requests import LiftById

    return _run(store, LiftById(id, reason))


@admin.command
def audit(
    *,
    before: int | None = None,
    most: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=200))] = 50,
    store: StoreSettings = STORE_DEFAULTS,
    json: AsJson = False,
) -> int:
    """List what moderators and the host have done, and why, the newest first.

    Parameters
    ----------
    before
        Only acts with lower numbers: the page before.
    most
        How many.
    """
    from server.order.host_requests import ReadAudit

    return _run(store, ReadAudit(before, most), as_json=json)


@admin.command
def announcements(*, store: StoreSettings = STORE_DEFAULTS, json: AsJson = False) -> int:
    """List the announcements that stand."""
    from server.order.host_requests import ListAnnouncements

    return _run(store, ListAnnouncements(), as_json=json)


@admin.command
def announce(
    text: str,
    *,
    minutes: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=7 * 24 * 60))] = 0,
    store: StoreSettings = STORE_DEFAULTS,
) -> int:
    """Announce something to everybody: for a day, or until 10 minutes after the moment that it counts down to.

    Parameters
    ----------
    text
        The words, 200 signs at most.
    minutes
        Until the moment that it is about; 0: it counts down to none.
    """
    from server.order.host_requests import AnnounceByHost

    return _run(store, AnnounceByHost(text, minutes * MINUTE))


@admin.command
def take_back(id: str, *, store: StoreSettings = STORE_DEFAULTS) -> int:
    """End an announcement, by the id that `admin announcements` shows."""
    from server.order.host_requests import TakeBackById

    return _run(store, TakeBackById(id))
