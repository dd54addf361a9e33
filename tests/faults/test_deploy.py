"""A server behind each proxy of deploy/: every visitor is themselves, whoever else is behind it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.support.servers.proxies import KINDS, Kind
from tests.support.servers.visitors import behind, each_is_themselves

pytestmark = pytest.mark.long("deploy")
EACH = pytest.mark.parametrize(
    "kind", [pytest.param(k, id=k.file, marks=pytest.mark.skipif(bool(k.why_not), reason=k.why_not)) for k in KINDS]
)


@EACH
async def test_each_visitor_is_themselves(tmp_path: Path, kind: Kind) -> None:
    async with AsyncExitStack() as stack:
        await each_is_themselves(await behind(kind, tmp_path, stack))
