"""Which tests run, and how hard hypothesis tries."""

from __future__ import annotations

import gc
import os
import signal
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

# no test opens a sound card, where there is one
os.environ["PYGLET_AUDIO"] = "silent"

from tests.support.doubles.redis_server import RedisServer
from tests.support.runs import measured, short_stacks, units
from tests.support.systems import scripted
from tests.support.waits import marking

settings.register_profile(
    "ci", derandomize=True, database=None, deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("cases", settings.get_profile("ci"), derandomize=False, max_examples=200, print_blob=True)
settings.register_profile("long", settings.get_profile("ci"), derandomize=False, max_examples=2000, print_blob=True)
# One failure is all that the proof of a rule asks for: shrinking it would cost most of the time.
settings.register_profile("proof", settings.get_profile("ci"), phases=(Phase.explicit, Phase.generate))
settings.load_profile("ci")

CASES = "cases"
"""The part of the long tests that is made of all properties of `make test`, with more cases, other ones each time."""


GARBAGE = (10_000, 10, 100)
"""New objects after which young garbage is looked for, and how often that is done before older garbage is: at the usual
700 and 10 every fourteenth second of all tests went into that."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests marked long, and only those")
    parser.addoption("--part", default="", help="of the long tests, those marked long(part) only")


def pytest_configure(config: pytest.Config) -> None:
    # whoever started the tests may ignore hang-ups, and interrupts as well, as a shell does for what it leaves in the
    # background: the programs that they start would inherit that
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    measured.measure_imports_once(config)
    marking.watch()
    short_stacks.shorten()
    if config.getoption("--long") and config.getoption("hypothesis_profile", None) is None:
        settings.load_profile(CASES if config.getoption("--part") == CASES else "long")


def pytest_collectstart() -> None:
    """Look for no garbage while modules are imported and tests collected: all of that stays."""
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    marking.mark(items)
    units.mark(items)
    long, part = bool(config.getoption("--long")), str(config.getoption("--part"))
    chosen: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        (chosen if _is_chosen(item, long=long, part=part) else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = chosen
    measured.measured_first(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave modules and tests, which stay to the end, out of the search for garbage; the proof of rules looks for
    caches among them."""
    gc.set_threshold(*GARBAGE)
    gc.enable()
    if session.config.getoption("hypothesis_profile", None) != "proof":
        gc.collect()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    measured.measure_where_due(item)
    marking.forget()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """A test that passes has rolled every face that it scripted, and is marked where it waits."""
    try:
        yield
        scripted.check_all_used()
        marking.check(item)
    finally:
        scripted.forget()


def _is_chosen(item: pytest.Item, *, long: bool, part: str) -> bool:
    mark = item.get_closest_marker("long")
    if long and part == CASES:
        return mark is None and units.takes_random_cases(item)
    if mark is None or not long:
        return (mark is None) is not long
    return not part or part in mark.args


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seconds that the tests of each part took, the dearest part first, where durations are asked for."""
    if not terminalreporter.config.getoption("durations"):
        return
    seconds: dict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                place = report.nodeid.partition("::")[0].split("/")
                seconds[place[1] if len(place) > 2 else "pages"] += report.duration
    terminalreporter.section("seconds by part")
    for part, spent in sorted(seconds.items(), key=lambda item: -item[1]):
        terminalreporter.write_line(f"{spent:8.1f}s {part}")


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis server for all tests of this process that do it no harm; each takes a `place` of its own."""
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    yield server
    server.close()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server of one test alone, which may do it harm."""
    server = RedisServer(tmp_path / "redis")
    yield server
    server.close()
