"""A machine of its own for a test: this one's files below a layer that is thrown away, a systemd that boots there, and
a network with loopback alone."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.support.clients.programs import ROOT, until
from tests.support.deploy.installed import PATIENCE, StepFailed, done, is_root, ways_to_packages

SYSTEMD: Final = Path("/lib/systemd/systemd")
NONE: Final[Mapping[str, str]] = MappingProxyType({})
GROUPS: Final = Path("/sys/fs/cgroup")
FETCHES: Final = ("apt-get ", "git ", "/srv/eschaton/bin/pip ")
WHERE: Final = "/run/where"
"""Holds the folder in which the next command of the shell begins."""
ENTER: Final = r"""
for group; do echo $$ >"$group/cgroup.procs"; done
exec setpriv --pdeathsig KILL unshare --mount --net --pid --uts --ipc --cgroup --fork --kill-child \
    sh -euc "$BOOT" sh "$OVER" "$CHECKOUT" "$HOST"
"""
"""Begins the machine in control groups of its own, which are the arguments."""
BOOT: Final = r"""
over=$1 checkout=$2 host=$3
root=$over/root
mount -t tmpfs -o mode=755 tmpfs "$over"
mkdir "$over/changed" "$over/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$over/changed,workdir=$over/work" "$root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${stream%:*}" "$root/dev/${stream#*:}"; done
mount -t sysfs -o ro sysfs "$root/sys"
if [ -d /sys/fs/cgroup/systemd ]; then
    mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
    mkdir "$root/sys/fs/cgroup/unified" "$root/sys/fs/cgroup/systemd"
    mount -t cgroup2 cgroup "$root/sys/fs/cgroup/unified"
    mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
else
    mount -t cgroup2 cgroup "$root/sys/fs/cgroup"
fi
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir -p "$root$checkout" "$root/before"
mount --bind "$checkout" "$root$checkout"
ip link set lo up
echo "127.0.0.1 localhost $host" >"$root/etc/hosts"
rm -rf "$root/etc/fstab" "$root"/etc/systemd/system/timers.target.wants/*
cd "$root"
mount --make-rprivate /
pivot_root . before
cd /
umount --lazy /before
# systemd hands credentials over by a mount that must come back to it; as the first of a whole machine it sees to that
mount --make-rshared /
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=basic.target --show-status=no
"""
"""Makes the machine and becomes its systemd; arguments: an empty folder, the checkout, and the machine's name. None of
this machine's services or timers is started there: it stops at `basic.target`. Devices and settings of the kernel are
out of its reach, as in a container."""


class Machine:
    """The machine; `folder`: an empty one, `host`: the name by which it finds itself."""

    def __init__(self, folder: Path, host: str) -> None:
        self._over = folder / "over"
        self._over.mkdir()
        self._host = host
        self._groups = [each / f"eschaton-{os.getpid()}" for each in _own_groups()]
        self._log = folder / "boot.log"
        self._outer: asyncio.subprocess.Process | None = None
        self._first = 0

    @staticmethod
    def why_not() -> str:
        """Return why this machine cannot boot another, empty where it can."""
        if not is_root():
            return "not root, so that no machine can be made"
        missing = [name for name in ("unshare", "nsenter", "pivot_root", "ip") if shutil.which(name) is None]
        if missing or not SYSTEMD.exists():
            return f"not installed: {', '.join(missing) or SYSTEMD}"
        if not _own_groups() or not all(os.access(each, os.W_OK) for each in _own_groups()):
            return "no control groups to be written here"
        try:
            done("unshare", "--mount", "--net", "--pid", "--fork", "--cgroup", "mount", "-t", "tmpfs", "tmpfs", "/mnt")
        except StepFailed as problem:
            return f"no namespaces here: {problem}"
        return ""

    async def boot(self) -> None:
        """Start it, and wait until its systemd has come up."""
        for each in self._groups:
            each.mkdir()
        variables = {"BOOT": BOOT, "OVER": str(self._over), "CHECKOUT": str(ROOT), "HOST": self._host}
        with self._log.open("wb") as log:
            self._outer = await asyncio.create_subprocess_exec(
                *("sh", "-euc", ENTER, "sh", *map(str, self._groups)),
                env={**os.environ, **variables},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        await until(self._has_first)
        await until(lambda: self.run("systemctl is-system-running").stdout.strip() in ("running", "degraded"))
        self.run(f"echo /root >{WHERE}")

    def _has_first(self) -> bool:
        """Look for its first process, once that is systemd."""
        assert self._outer is not None
        assert self._outer.returncode is None, self._log.read_text()
        with suppress(OSError, IndexError):
            children = Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children").read_text().split()
            self._first = int(children[0])
            return Path(f"/proc/{self._first}/comm").read_text() == "systemd\n"
        return False

    def command(
        self, *words: str | Path, outside: bool = False, variables: Mapping[str, str] = NONE
    ) -> list[str | Path]:
        """Return the words that run a command there as root. `outside`: with the network of this machine."""
        login = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        # the checkout may be another user's
        trust = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        given = {**ways_to_packages(), **login, **trust, "LANG": "C.UTF-8", **variables}
        spaces = ["--mount", "--pid", "--uts", "--ipc", "--cgroup", *(() if outside else ("--net",))]
        settings = [f"{name}={value}" for name, value in given.items()]
        return ["nsenter", f"--target={self._first}", *spaces, "--", "env", "-i", "--chdir=/", *settings, *words]

    def run(self, line: str, *, outside: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a line of shell there to its end."""
        command = self.command("bash", "-c", line, outside=outside)
        return subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL
        )

    def paste(self, line: str) -> str:
        """Give a command as in one shell, where each begins in the folder of the one before; return what is seen.
        Raises StepFailed."""
        whole = f'cd "$(cat {WHERE})" && {{\n{line}\n}}; status=$?; pwd >{WHERE}; exit $status'
        given = self.run(whole, outside=line.startswith(FETCHES))
        seen = given.stdout + given.stderr
        if given.returncode != 0:
            raise StepFailed(f"{line}: {given.returncode}\n{seen[-3000:]}")
        return seen

    def python(self, module: str, *words: str, variables: Mapping[str, str] = NONE) -> list[str | Path]:
        """Return the words that run a module of the checkout there."""
        return self.command(sys.executable, "-m", module, *words, variables={"PYTHONPATH": str(ROOT), **variables})

    async def end(self) -> None:
        """End all that runs there, and forget what it changed."""
        if self._outer is not None:
            self._outer.kill()
            await self._outer.wait()
        await until(self._is_gone)

    def _is_gone(self) -> bool:
        for group in self._groups:
            for folder in sorted(group.rglob("*/"), reverse=True):
                with suppress(OSError):
                    folder.rmdir()
            with suppress(OSError):
                group.rmdir()
        return not any(group.exists() for group in self._groups)


def _own_groups() -> list[Path]:
    """Return the control groups of this process in which a systemd keeps its own."""
    found = []
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, kind, path = line.split(":", 2)
        unified = GROUPS / "unified" if (GROUPS / "unified").is_dir() else GROUPS
        if kind in ("", "name=systemd"):
            found.append((GROUPS / "systemd" if kind else unified) / path[1:])
    return found
