"""What lies in deploy/, run by the programs that it is for: a server behind each proxy, rules and queries."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import AsyncExitStack
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest

from tests.support.clients.programs import ROOT
from tests.support.servers.proxies import DEPLOY, KINDS, WHERE, Kind
from tests.support.servers.visitors import behind, each_is_themselves

pytestmark = pytest.mark.long("deploy")
EACH = pytest.mark.parametrize(
    "kind", [pytest.param(k, id=k.file, marks=pytest.mark.skipif(bool(k.why_not), reason=k.why_not)) for k in KINDS]
)


@EACH
async def test_each_visitor_is_themselves(tmp_path: Path, kind: Kind) -> None:
    async with AsyncExitStack() as stack:
        await each_is_themselves(await behind(kind, tmp_path, stack))


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
