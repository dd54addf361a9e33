"""Files of deploy/, run by the programs that they are for: a server behind each proxy, rules and queries."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from contextlib import AsyncExitStack
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest

from tests.support.clients.programs import DEPLOY, ROOT, until
from tests.support.runs.patience import PATIENCE
from tests.support.servers.proxies import HAPROXY_HTTP, HAPROXY_TCP, KINDS, NGINX_STREAM, WHERE, Kind
from tests.support.servers.visitors import SECOND, THIRD, behind, each_is_themselves, is_over

pytestmark = pytest.mark.long("deploy")
RUN = [pytest.param(k, id=k.file, marks=pytest.mark.skipif(bool(k.why_not), reason=k.why_not)) for k in KINDS]
EACH = pytest.mark.parametrize("kind", RUN)
QUIET_SECONDS = 75.0


@EACH
async def test_each_visitor_is_themselves(tmp_path: Path, kind: Kind) -> None:
    async with AsyncExitStack() as stack:
        await each_is_themselves(await behind(kind, tmp_path, stack))


@EACH
async def test_what_is_no_opening_does_not_reach_the_server(tmp_path: Path, kind: Kind) -> None:
    async with AsyncExitStack() as stack:
        site = await behind(kind, tmp_path, stack)
        assert await site.status("/healthz") == 200
        assert await site.status("/") == 426
        assert await site.status("/metrics") == (404 if kind.sees_requests else 426)
        assert await site.status("/", headers={"X-Long": "x" * 20_000}) in (400, 431)
        if kind.sees_requests:
            assert await site.status("/", body=bytes(5000)) in (404, 405, 413)


@pytest.mark.parametrize("kind", [k for k in RUN if k.values[0] in (NGINX_STREAM, HAPROXY_TCP, HAPROXY_HTTP)])
async def test_an_address_holds_40_silent_connections_and_no_more(tmp_path: Path, kind: Kind) -> None:
    async with AsyncExitStack() as stack:
        site = await behind(kind, tmp_path, stack)
        silent = [site.begin_silently(SECOND) for _ in range(60)]
        await until(lambda: sum(map(is_over, silent)) >= 20)
        await site.visit("Dee", THIRD)
        assert sum(map(is_over, silent)) == 20


async def test_a_quiet_visitor_stays_for_longer_than_any_timeout(tmp_path: Path) -> None:
    """All proxies at once; nothing but the pings of both sides goes over a link meanwhile."""
    async with AsyncExitStack() as stack:
        kinds = [kind for kind in KINDS if not kind.why_not]
        sites = [await behind(kind, tmp_path / str(number), stack) for number, kind in enumerate(kinds)]
        quiet = [await site.visit("Ann", SECOND) for site in sites]
        end = time.monotonic() + QUIET_SECONDS
        await until(lambda: time.monotonic() > end, QUIET_SECONDS + PATIENCE, pause=1)
        for client in quiet:
            await client.pinged()


def promtool(*arguments: str) -> str:
    """Run promtool; return what it says. Raises AssertionError where it finds something wrong."""
    program = shutil.which("promtool", path=WHERE)
    if program is None:
        pytest.skip("promtool is not installed")
    done = subprocess.run([program, *arguments], stdout=PIPE, stderr=STDOUT, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_rules_are_rules_and_do_what_they_say(tmp_path: Path) -> None:
    assert "rules found" in promtool("check", "rules", "deploy/prometheus/rules.yml")
    assert "SUCCESS" in promtool("test", "rules", "tests/deploy/rules.test.yml")
    config = (DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8")
    here = tmp_path / "prometheus.yml"
    here.write_text(config.replace("/etc/prometheus/rules.yml", str(DEPLOY / "prometheus" / "rules.yml")))
    assert "1 rule files found" in promtool("check", "config", str(here))


def test_the_dashboards_queries_are_queries(tmp_path: Path) -> None:
    panels = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text("utf-8"))["panels"]
    queries = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    filled = [query.replace("$__rate_interval", "1m").replace("$instance", ".*") for query in queries]
    rules = [{"record": f"panel:{number}", "expr": query} for number, query in enumerate(filled)]
    # JSON is YAML, too
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert f"{len(queries)} rules found" in promtool("check", "rules", str(tmp_path / "rules.yml"))
