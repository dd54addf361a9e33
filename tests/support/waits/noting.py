"""Plugin of pytest for one process of a repeated run: the start and the outcome of each test are written as one line
each; no test begins after a given time."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Final

import pytest

BEGUN: Final = "begun"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--noted", help="file that takes a line for each test that has ended")
    parser.addoption("--times", type=int, default=1, help="run all tests so often")
    parser.addoption("--until", type=float, help="begin no test after this time (seconds since 1970)")


def pytest_configure(config: pytest.Config) -> None:
    noted, until = Path(config.getoption("--noted")), config.getoption("--until")
    config.pluginmanager.register(Noting(noted, until, config.getoption("--times")), "noting-waits")


class Noting:
    """Writer to `noted`; the tests run `times` times, each time all of them."""

    def __init__(self, noted: Path, until: float, times: int) -> None:
        self._noted = noted
        self._until = until
        self._times = times
        self._worst: dict[str, str] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        # a test's fixtures are torn down only if another test follows
        items[:] = items * (self._times if len(items) > 1 else 1)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._note(nodeid, BEGUN)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._worst[report.nodeid] = report.outcome

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._note(nodeid, self._worst.pop(nodeid, "passed"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        done = yield
        if time.time() > self._until:
            item.session.shouldstop = "the time of this run is used up"
        return done

    def _note(self, nodeid: str, what: str) -> None:
        with self._noted.open("a") as file:
            file.write(json.dumps([nodeid, what]) + "\n")
