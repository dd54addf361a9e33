"""Line about the host's record, shown before joining: what was seen of it, and its own claim as a tooltip."""

from __future__ import annotations

from client.fairness.host_record import HostRecord
from client.fairness.table_check import key_words
from client.model.session import ClientSession
from client.text.days import noted_day
from client.text.phrases import named, phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.wire.host_claim import HostClaim

LINE = 20
"""Height of the line in pixels, at text scale 100 %."""
MORE = ("abandoned", "bots", "unseen", "given_up", "unproven", "wrong")
"""Counts that are told where they are not 0."""


def draw_host_line(ui: Ui, rect: Rect, session: ClientSession) -> None:
    """Draw the line with its tooltip; nothing where the host has no key to be known by."""
    key = session.table_check.key
    if not key:
        return
    record = session.hosts.record
    words = summary(record)
    ui.line(words, rect, size=theme.SMALL, colour=_tone(record))
    ui.tag(rect, words, details(record, key))


def summary(record: HostRecord) -> str:
    """Return a line of the matches seen under this host, and of its own claim."""
    counts = record.counts
    if not counts.begun:
        seen = phrase("host.none")
    else:
        more = [phrase(f"host.seen.{name}", n=number) for name in MORE if (number := getattr(counts, name))]
        seen = ", ".join([phrase("host.seen", begun=counts.begun, ended=counts.ended), *more]) + "."
    claim = record.claim
    claims = [phrase("host.claims", begun=claim.begun, ended=claim.ended)] if claim is not None else []
    return " ".join([*([phrase("host.fallen")] if record.fallen else []), seen, *claims])


def details(record: HostRecord, key: bytes) -> str:
    """Return the meaning of the line's numbers, and the host's whole claim."""
    since = phrase("host.tip.seen", since=noted_day(record.since), host=key_words(key))
    lines = [since, phrase("host.tip.means")] if record.counts.begun else []
    lines.append(_claim(record.claim) if record.claim is not None else phrase("host.tip.no_claim"))
    for name, then, now in record.fallen:
        lines.append(phrase("host.tip.fallen", what=named("host.field", name), then=then, now=now))
    if record.fallen:
        lines.append(phrase("host.tip.fallen.means"))
    return "\n".join(lines)


def _claim(claim: HostClaim) -> str:
    return phrase(
        "host.tip.claim",
        begun=claim.begun,
        ended=claim.ended,
        abandoned=claim.abandoned,
        parked=claim.parked,
        bots=claim.bots,
        given_up=claim.given_up,
    )


def _tone(record: HostRecord) -> theme.Colour:
    if record.counts.wrong:
        return theme.BAD
    return theme.WARN if record.fallen or record.counts.unproven else theme.MUTED
