"""The wheel as strangers get it: installed away from the checkout, in an environment of its own."""

import json
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from tests.support.runs.patience import PATIENCE

pytestmark = pytest.mark.waits

ROOT = Path(__file__).resolve().parents[1]
QUIET = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
LISTING = """
import importlib.metadata, importlib.resources, json, pathlib, sys, tomllib
found = {}
for entry in importlib.metadata.entry_points(group="eschaton.rulesets"):
    system = entry.load()
    data = pathlib.Path(str(importlib.resources.files(entry.module).joinpath("data")))
    texts = {item.relative_to(data).as_posix(): item.read_text("utf-8") for item in data.rglob("*.toml")}
    found[entry.name] = [sys.modules[entry.module].__file__, sorted(texts), all(map(tomllib.loads, texts.values()))]
print(json.dumps(found))
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel, and with our libraries but not with the checkout; its Python."""
    source, wheels = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels")
    for room in ("engine", "server", "client", "protocol"):
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip"]
    run(*pip, "wheel", *QUIET, "--no-build-isolation", "--wheel-dir", wheels, source, cwd=source)
    environment = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=source)
    packages = next(environment.glob("lib/python3*/site-packages"))
    run(*pip, "install", *QUIET, "--target", packages, *wheels.glob("*.whl"), cwd=source)
    # a folder that a .pth file adds has its own .pth files ignored: the editable checkout stays out
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    return environment / "bin" / "python"


def test_rule_systems_and_their_content_are_found_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["eschaton.rulesets"]
    found = json.loads(run(installed, "-I", "-c", LISTING, cwd=tmp_path))
    assert found.keys() == declared.keys()
    for name, (module, texts, readable) in found.items():
        folder = ROOT.joinpath(*declared[name].partition(":")[0].split("."), "data")
        assert not Path(module).is_relative_to(ROOT)
        assert texts == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.toml"))
        assert texts
        assert readable


def test_the_client_works_without_engine_and_server(installed: Path, tmp_path: Path) -> None:
    packages = next(installed.parent.parent.glob("lib/python3*/site-packages"))
    alone = tmp_path / "alone"
    shutil.copytree(packages, alone)
    for room in ("engine", "server"):
        shutil.rmtree(alone / room)
    # -S leaves out the environment's own packages, where engine and server still are
    start = f"import sys; sys.path += [{str(alone)!r}, {sysconfig.get_path('purelib')!r}]; import client.app.main"
    absent = "import importlib.util as u; assert u.find_spec('engine') is None is u.find_spec('server')"
    run(installed, "-I", "-S", "-c", f"{start}; {absent}", cwd=tmp_path)
