"""The image as buildah builds it, in a store of its own: on its real base, or where no registry can be reached on a
stand-in that holds nothing but this machine's Python."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from tests.support.clients.programs import ROOT
from tests.support.deploy.containerfile import CONTAINERFILE, IMAGE
from tests.support.deploy.installed import Installed, StepFailed, done, is_root

PYTHON: Final = Path(f"/usr/bin/python{sys.version_info[0]}.{sys.version_info[1]}")
"""The stand-in's Python; it lies in /usr, which the stand-in shares with this machine."""
SHARED: Final = ("bin", "sbin", "lib", "lib32", "lib64")
ENTER: Final = """
root=$1 kept=$2 user=$3 shared=$4; shift 4
mount --bind "$root" "$root"
if [ -n "$shared" ]; then mount --rbind "$shared" "$root$shared"; mount -o remount,bind,ro "$root$shared"; fi
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$root$kept" "$root$kept"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs --inh-caps=-all chroot --userspec="$user" --groups= "$root" "$@"
"""
"""Runs a command in a tree that cannot be written but for one folder; arguments: the tree, that folder, USER:GROUP, a
folder of this machine to be seen in it (or nothing), and the command."""


class Buildah:
    """buildah with images and containers of its own in `folder`, which `end` removes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        store = ("--root", folder / "images", "--runroot", folder / "run")
        self._program: tuple[str | Path, ...] = ("buildah", "--storage-driver", "vfs", *store)

    @staticmethod
    def why_not() -> str:
        """Return why this machine cannot build by it, empty where it can."""
        if shutil.which("buildah") is None:
            return "buildah is not installed"
        if not is_root():
            return "not root, so that the built tree could not be entered"
        try:
            done("unshare", "--mount", "true")
        except StepFailed:
            return "no mount namespaces here"
        return ""

    def build(self, ports: tuple[int, int]) -> Installed:
        """Build the image and a container of it. Raises StepFailed."""
        shared = ""
        options: list[str | Path] = []
        try:
            self._do("pull", IMAGE.base)
            way = f"buildah, on {IMAGE.base}"
        except StepFailed:
            way = f"buildah, on a stand-in for {IMAGE.base} ({PYTHON} of this machine): no registry was reached"
            shared, options = "/usr", self._stand_in()
        as_here = ("--pull=never", "--isolation", "chroot", "--network", "host", "--format", "docker", *options)
        self._do("bud", *as_here, "--file", CONTAINERFILE, "--tag", "eschaton", ROOT)
        container = self._do("from", "--pull=never", "localhost/eschaton").strip()
        root = Path(self._do("mount", container).strip())
        path = self._do("inspect", "--format", "{{range .Docker.Config.Env}}{{println .}}{{end}}", container)
        environment = dict(line.split("=", 1) for line in path.splitlines() if line)
        kept, user = IMAGE.last("VOLUME").words[0], IMAGE.last("USER").text
        before = ("unshare", "--mount", "sh", "-euc", ENTER, "sh", root, kept, user, shared)
        return Installed(way, IMAGE, before, environment, root / kept[1:], kept, ports)

    @property
    def size(self) -> str:
        """Size of the image, as buildah says it."""
        return self._do("images", "--format", "{{.Size}}", "localhost/eschaton").strip()

    def end(self) -> None:
        """Remove images and containers."""
        self._do("rm", "--all")
        self._do("rmi", "--all", "--force")
        shutil.rmtree(self._folder)

    def _do(self, *words: str | Path) -> str:
        return done(*self._program, *words)

    def _stand_in(self) -> list[str | Path]:
        """Make an image of the base's name, and return the options to build on it: pip finds there what it would
        download, since this machine's own ways to its packages are not to be seen in there."""
        if not PYTHON.exists():
            raise StepFailed(f"there is no {PYTHON} for a stand-in")
        base, wheels = self._folder / "base", self._folder / "wheels"
        for name in ("base/bin", "usr", "etc", "tmp", "proc", "dev", "sys", "run", "var/lib"):
            (base / name).mkdir(parents=True)
        for name in SHARED:
            if Path("/", name).is_symlink():
                (base / name).symlink_to(f"usr/{name}")
        (base / "base/bin/python").symlink_to(PYTHON)
        for name in ("passwd", "group", "ld.so.cache"):
            shutil.copy(Path("/etc", name), base / "etc")
        container = self._do("from", "scratch").strip()
        self._do("copy", container, base, "/")
        self._do("config", "--env", "PATH=/base/bin:/usr/bin:/bin", container)
        # by its long name, as a short one is not looked for among this machine's own
        self._do("commit", "--format", "docker", container, f"docker.io/library/{IMAGE.base}")
        self._do("rm", container)
        lock = CONTAINERFILE.with_name("requirements.lock")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        done(*pip, "--require-hashes", "--only-binary", ":all:", "--dest", wheels, "--requirement", lock)
        settings = self._folder / "pip.conf"
        settings.write_text("[global]\nno-index = true\nfind-links = /wheels\n")
        mounts = ("/usr:/usr:ro", f"{wheels}:/wheels:ro", f"{settings}:/etc/pip.conf:ro")
        return [word for mount in mounts for word in ("--volume", mount)]
