"""The Containerfile's own steps, carried out without a container program: in folders of this machine that stand for the
image's, whose names are put into every step in place of the image's."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.support.clients.programs import ROOT
from tests.support.deploy.containerfile import IMAGE, STAGES, Instruction
from tests.support.deploy.installed import Installed, StepFailed, done, is_root, ways_to_packages

OURS: Final = re.compile(r"(?<![\w.:/-])/(?=(?:srv|src|etc/eschaton|var/lib/eschaton)[\w./-]*)")
"""The beginning of a path of the image that its steps make."""
SHUT: Final = """
tree=$1 kept=$2; shift 2
mount --bind "$tree" "$tree"
mount --bind "$kept" "$kept"
mount -o remount,bind,ro "$tree"
exec "$@"
"""


class Steps:
    """Carries out the steps below `tree`, a folder that every user may reach."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._root = tree / "root"
        self._home = tree / "home"
        self._tools = tree / "tools"
        self._work = Path("/")
        self._environment: dict[str, str] = {}

    def build(self, ports: tuple[int, int]) -> Installed:
        """Carry out all steps. Raises StepFailed."""
        self._home.mkdir()
        self._make_python()
        for stage in STAGES:
            self._root.mkdir()
            self._environment = {}
            for each in stage.instructions:
                self._carry_out(each)
            if stage.name:
                self._root.rename(self._tree / stage.name)
        return self._installed(ports)

    def _installed(self, ports: tuple[int, int]) -> Installed:
        kept = Path(self._here(IMAGE.last("VOLUME").words[0]))
        user, group = IMAGE.last("USER").text.split(":")
        before: list[str | Path] = []
        how = "its steps in a venv, an empty HOME"
        mapped = () if is_root() else ("--map-root-user",)
        shut = ("unshare", *mapped, "--mount", "sh", "-euc", SHUT, "sh", self._tree, kept)
        try:
            done(*shut, "true")
            before += shut
            how += ", a tree mounted to be read only"
        except StepFailed:
            done("chmod", "--recursive", "a-w", self._root / "srv", self._root / "etc", self._home)
            how += ", a tree without the right to write"
        if is_root():
            rights = ["--clear-groups", "--no-new-privs", "--inh-caps=-all"]
            before += ["setpriv", f"--reuid={user}", f"--regid={group}", *rights]
            how += f", as user {user}"
        else:
            how += ", as the same user, since only root can be another"
        environment = {**self._environment, "HOME": str(self._home)}
        return Installed(how, IMAGE, before, environment, kept, str(kept), ports)

    def _carry_out(self, each: Instruction) -> None:
        if each.word == "WORKDIR":
            self._work = Path(self._here(each.text))
            self._work.mkdir(parents=True, exist_ok=True)
        elif each.word == "ENV":
            self._environment |= {
                name: self._here(value).replace("$PATH", f"{self._tools}:{os.defpath}")
                for name, value in each.pairs.items()
            }
        elif each.word == "COPY":
            self._copy(each)
        elif each.word == "RUN":
            done("sh", "-ec", self._here(each.text), cwd=self._work, env=self._outer)
        elif each.word not in {"LABEL", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}:
            raise StepFailed(f"{each.word} is not understood here")

    @property
    def _outer(self) -> Mapping[str, str]:
        """Environment of a step: this machine's ways to its packages, an empty HOME, and what the image sets."""
        path = f"{self._tools}:{os.environ['PATH']}"
        return {"PATH": path, **ways_to_packages(), **self._environment, "HOME": str(self._home)}

    def _copy(self, each: Instruction) -> None:
        *sources, target = each.words
        to = Path(self._here(target)) if target.startswith("/") else self._work / target
        for name in sources:
            origin = self._tree / each.options["from"] / name[1:] if "from" in each.options else ROOT / name
            into = to / origin.name if target.endswith("/") else to
            into.parent.mkdir(parents=True, exist_ok=True)
            if origin.is_dir():
                ignored = shutil.ignore_patterns("__pycache__") if "from" not in each.options else None
                shutil.copytree(origin, into, symlinks=True, ignore=ignored)
            else:
                shutil.copy(origin, into)
                if into.is_relative_to(self._root / "etc"):
                    into.write_text(self._here(into.read_text("utf-8")))
            if "chown" in each.options and is_root():
                user, group = map(int, each.options["chown"].split(":"))
                os.chown(into, user, group)

    def _here(self, text: str) -> str:
        """Return a text with the folders that stand for the image's."""
        return OURS.sub(f"{self._root}/", text)

    def _make_python(self) -> None:
        """Make `python`, which everybody may start, as the base image has it, with pip."""
        import pip

        base = next((path for path in _pythons() if _is_for_all(path)), None)
        if base is None:
            raise StepFailed("no Python here may be started by another user")
        done(base, "-m", "venv", "--without-pip", self._tree / "python")
        (packages,) = (self._tree / "python").glob("lib/python3*/site-packages")
        shutil.copytree(Path(pip.__file__).parent, packages / "pip")
        self._tools.mkdir()
        (self._tools / "python").symlink_to(self._tree / "python" / "bin" / "python")


def _pythons() -> list[Path]:
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    places = (Path(sys.base_prefix) / "bin", Path("/usr/local/bin"), Path("/usr/bin"))
    return [(place / version).resolve() for place in places if (place / version).exists()]


def _is_for_all(path: Path) -> bool:
    """Return True where every user may reach and start a program."""
    return not is_root() or all(each.stat().st_mode & 0o001 for each in (path, *path.parents))
