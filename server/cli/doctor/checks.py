"""The table of all checks: what each finds, the sentence that says so, and the command that mends it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from server.cli.doctor import host_checks as host, redis_checks as redis, server_checks as server

if TYPE_CHECKING:
    from server.cli.doctor.facts import Facts


class Check(NamedTuple):
    """One row. `find` yields the words of the sentence and the command, once for each thing that is wrong."""

    name: str
    sentence: str
    mend: str
    find: Callable[[Facts], Iterable[Mapping[str, Any]]]
    needs_numbers: bool = False
    """It looks at what /metrics shows."""

    def is_left_out(self, facts: Facts) -> bool:
        """Return True where the server does not show what this looks at."""
        return self.needs_numbers and facts.server.numbers is None


class Trouble(NamedTuple):
    """Something that is wrong: the check that has found it, a sentence, and a command."""

    check: str
    what: str
    mend: str


SET: Final = "redis-cli CONFIG SET {name} {good} && redis-cli CONFIG REWRITE"
TIME: Final = "timedatectl set-ntp true"
UPDATE: Final = "pip install --upgrade eschaton"
RESTART: Final = "systemctl restart eschaton"
NEWER: Final = "{what} was written by a newer program: this one reads it only, or not at all."

CHECKS: Final = (
    Check("folder-missing", "There is no data folder {data}.", "eschaton-server serve --data {data}", host.no_folder),
    Check(
        "folder-closed",
        "This user may not look into {data}.",
        "sudo -u {owner} eschaton-server doctor --data {data}",
        host.folder_closed,
    ),
    Check("not-running", "No server answers at {at}.", "systemctl start eschaton", server.not_running),
    Check(
        "not-ready",
        "The server lets nobody in: {why}.",
        "journalctl -u eschaton -n 50",
        server.not_ready,
    ),
    Check(
        "numbers-away",
        "The server shows no numbers of its own at {metrics}.",
        "eschaton-server serve --metrics {metrics}",
        server.no_numbers,
    ),
    Check(
        "store-taken",
        "Another server has taken the store over; this one stores nothing any more.",
        "kill {pid}",
        server.taken_over,
        needs_numbers=True,
    ),
    Check(
        "store-held",
        "Another server, of another data folder, uses {label}.",
        "eschaton-server serve --store redis://HOST:PORT/OTHER-NUMBER",
        redis.held_by_another,
    ),
    Check(
        "version",
        "Version {running} runs, {installed} is installed.",
        RESTART,
        server.other_version,
        needs_numbers=True,
    ),
    Check(
        "rules",
        "The rules of {system} on the disk are not those that run.",
        RESTART,
        server.other_rules,
        needs_numbers=True,
    ),
    Check("clock-behind", "The clock of this computer is {seconds} s behind {what}.", TIME, host.clock_behind),
    Check(
        "clock-jumped",
        "The clock of this computer was set by more than a minute since the server's start ({count} times).",
        TIME,
        server.clock_jumped,
        needs_numbers=True,
    ),
    Check("clock-of-redis", "The clock of Redis is {seconds} s {side} this computer's.", TIME, redis.clock_apart),
    Check(
        "disk",
        "The disk of {data} has {free} left.{size}",
        "eschaton-server serve --replays-gb {less}    # and: journalctl --vacuum-size=200M",
        host.disk_full,
    ),
    Check(
        "replays",
        "Replays take {size} GB, more than the {most} GB that are to be kept.",
        "eschaton-server serve --replays-gb {most}",
        server.replays_over,
        needs_numbers=True,
    ),
    Check("key-readable", "Others on this computer may read {path}, a host key.", "{mend}", host.key_readable),
    Check("folder-open", "Others on this computer may look into {path}.", "{mend}", host.folder_open),
    Check("secret-readable", "Others on this computer may read {path}, a secret.", "{mend}", host.secret_readable),
    Check(
        "proxy-untrusted",
        "Connections came through a proxy at a {peer} address that is not trusted ({count}): all its visitors are one.",
        "eschaton-server serve --trusted-proxy {network}",
        server.untrusted_proxy,
        needs_numbers=True,
    ),
    Check(
        "proxy-refused",
        "Connections were refused, since a proxy does not name its visitors as it must ({count}).",
        "journalctl -u eschaton -g proxy-refused",
        server.refused_proxy,
        needs_numbers=True,
    ),
    Check(
        "proxy-too-many",
        "{network} is trusted as a proxy: all who have an address there may name themselves as they like.",
        "eschaton-server serve --trusted-proxy ADDRESS",
        server.proxy_is_everyone,
    ),
    Check("certificate-ends", "The certificate ends in {days} days.", "certbot renew", host.certificate_ends),
    Check("certificate-over", "The certificate has ended.", "certbot renew", host.certificate_over),
    Check(
        "certificate-unusable",
        "The certificate {cert} and the key {key} cannot be used: {why}.",
        "certbot certificates    # names the two files of each",
        host.certificate_unusable,
    ),
    Check(
        "certificate-old",
        "The server shows another certificate than the one in the file.",
        "kill -HUP {pid}",
        host.certificate_old,
        needs_numbers=True,
    ),
    Check(
        "backup-old",
        "The last backup was made {days} days ago.",
        "{mend}",
        host.backup_old,
    ),
    Check(
        "backup-never",
        "No backup was ever made.",
        "{mend}",
        host.backup_never,
    ),
    Check(
        "open-files",
        "The server may open {most} files; {people} people at once need {need}.",
        "systemctl edit eschaton    # [Service] LimitNOFILE={need}",
        server.few_files,
        needs_numbers=True,
    ),
    Check("store-unreadable", "{problem}", "eschaton-server fsck --data {data}", host.store_unreadable),
    Check("store-newer", NEWER, UPDATE, host.store_newer),
    Check("redis-newer", NEWER, UPDATE, redis.layout_newer),
    Check("redis-away", "{label} does not answer: {problem}.", "redis-cli PING", redis.away),
    Check(
        "redis-durability",
        "{name} of Redis is {found}: less than --durability {asked} promises.",
        SET,
        redis.weaker_than_asked,
    ),
    Check("redis-evicts", "Redis throws out data when its memory is full ({name} is {found}).", SET, redis.evicts),
    Check(
        "redis-full",
        "Redis uses {used} of its {most} MB.",
        "redis-cli CONFIG SET maxmemory BYTES && redis-cli CONFIG REWRITE",
        redis.nearly_full,
    ),
    Check(
        "redis-disk",
        "Redis could not write to its disk ({name} is {found}).",
        "df -h $(redis-cli CONFIG GET dir)",
        redis.cannot_write,
    ),
    Check("redis-replica", "{label} has no replica that follows it.", "redis-cli INFO replication", redis.no_replica),
    Check(
        "parked",
        "Matches that cannot go on: {count}.",
        "eschaton-server fsck --data {data}",
        server.parked,
        needs_numbers=True,
    ),
    Check(
        "webhooks-fail",
        "Of {all} messages to webhooks {failed} did not arrive ({why}).",
        "journalctl -u eschaton -g webhook-failed",
        server.webhooks_fail,
        needs_numbers=True,
    ),
    Check(
        "task-faults",
        "Faults that have ended something in the background: {count} ({tasks}).",
        'journalctl -u eschaton -g \'"event": "task"\'',
        server.task_faults,
        needs_numbers=True,
    ),
)


def examine(facts: Facts) -> Iterator[Trouble]:
    """Yield all that is wrong, in the order of the table."""
    for check in CHECKS:
        for words in () if check.is_left_out(facts) else check.find(facts):
            told = {**facts.words, **words}
            yield Trouble(check.name, check.sentence.format(**told), check.mend.format(**told))


def left_out(facts: Facts) -> list[str]:
    """Return the names of the checks that could not be made, since the server shows no numbers."""
    return [check.name for check in CHECKS if check.is_left_out(facts)]


def page_table() -> list[str]:
    """Return the rows of the table in docs/operating.md: words that are filled in stand in capitals."""

    def shown(text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), text)

    return [f"| `{check.name}` | {shown(check.sentence)} | `{shown(check.mend)}` |" for check in CHECKS]
