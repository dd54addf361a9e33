"""Debian packages that a checkout needs beside Python: a search for missing ones, and their installation.

Run as `python3.11 -m tools.system_packages play|test|client|deploy|bundle`, before anything else is there: standard
library only.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from typing import Final

# What pyglet loads by name at run time; each package brings the libraries below it.
WINDOW: Final = {
    "libgl1": "OpenGL, as pyglet loads it",
    "libegl1": "OpenGL without a display, for pictures",
    "libgl1-mesa-dri": "the software renderer, where there is no graphics card",
    "libx11-6": "windows under X11",
    "libxext6": "steady frames under X11",
    "libxi6": "mouse and keyboard under X11",
    "libxinerama1": "screens under X11",
    "libxrandr2": "screens under X11",
    "libxrender1": "mouse pointers under X11",
    "libfontconfig1": "finds fonts",
    "libfreetype6": "draws fonts",
    "fonts-dejavu-core": "a font to fall back on",
}
TESTS: Final = {
    "xvfb": "a display for tests of real windows",
    "libxtst6": "keys pressed at that display",
    "strace": "system calls that fail or wait, for tests of broken and slow disks",
    # not redis-server: that one also starts a service for the whole machine, which no test needs
    "redis-tools": "Redis, which tests start for themselves (redis-check-rdb is the whole program)",
}
DEPLOY: Final = {
    "nginx-light": "a proxy of deploy/",
    "libnginx-mod-stream": "nginx's part for the PROXY protocol",
    "haproxy": "a proxy of deploy/",
    "caddy": "a proxy of deploy/",
    "prometheus": "promtool, which checks and tries the rules of deploy/",
    "git": "fetches the program, as docs/hosting.md has it",
    "python3-venv": "the server's environment, as docs/hosting.md has it",
}
CLIENT: Final = {"ffmpeg": "films of replays"}
BUNDLE: Final = {"binutils": "finds the libraries that a program needs, for the bundle"}
SERVICES: Final = {"nginx-light": "nginx", "haproxy": "haproxy", "caddy": "caddy", "prometheus": "prometheus"}
"""The services that packages bring. While we install them none starts; the next start of the machine starts them."""
GROUPS: Final = {"play": WINDOW, "test": WINDOW | TESTS, "client": CLIENT, "deploy": DEPLOY, "bundle": WINDOW | BUNDLE}
ENVIRONMENTS: Final = ("play", "test", "bundle")
"""Groups for which a virtual environment is made."""
NO_SERVICES: Final = """\
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\\nexit 101\\n' >"$policy" && chmod 755 "$policy"
fi
"$@"
"""
"""Shell script: a command that starts no service while it installs packages, as Debian's policy-rc.d allows."""
QUIET: Final = ("-qq", "-o", "Dpkg::Use-Pty=0", "-o", "DPkg::Lock::Timeout=120")


def needed(group: str) -> dict[str, str]:
    """Return package -> reason, for a group. Raises KeyError for another word."""
    packages = dict(GROUPS[group])
    if group in ENVIRONMENTS and importlib.util.find_spec("ensurepip") is None:
        packages[f"python3.{sys.version_info.minor}-venv"] = "makes virtual environments"
    return packages


def missing(packages: dict[str, str]) -> list[str]:
    """Return those of the packages that dpkg does not have installed, in their order."""
    query = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n", *packages]
    lines = subprocess.run(query, capture_output=True, text=True, check=False).stdout.splitlines()
    present = {name for name, _, status in (line.partition(" ") for line in lines) if status == "installed"}
    return [name for name in packages if name not in present]


def privilege() -> list[str] | None:
    """Return the prefix of a command that root has to run; None where there is no way to be root."""
    if os.geteuid() == 0:
        return []
    asks_nothing = ["sudo", "-n", "true"]
    if shutil.which("sudo") and subprocess.run(asks_nothing, capture_output=True, check=False).returncode == 0:
        return ["sudo", "-n"]
    return None


def install(names: list[str]) -> int:
    """Install by apt-get without a question, starting no services. Returns 0, or 1 after printing the command that a
    person must run."""
    by_hand = f"sudo apt-get update && sudo apt-get install --no-install-recommends -y {' '.join(names)}"
    before = privilege()
    if before is None or shutil.which("apt-get") is None:
        print(f"Some system packages are missing, and only root can install them. Please run:\n  {by_hand}")
        return 1
    print(f"Installing system packages: {' '.join(names)}", flush=True)
    apt = [*before, "env", "DEBIAN_FRONTEND=noninteractive", "sh", "-c", NO_SERVICES, "sh", "apt-get", *QUIET]
    for command in ([*apt, "update"], [*apt, "install", "--no-install-recommends", "-y", *names]):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{done.stdout}{done.stderr}apt-get failed. When its complaint is settled, run:\n  {by_hand}")
            return 1
    return 0


def ensure(group: str) -> int:
    """Make the packages of a group present: 0, or non-zero when a person has to act."""
    packages = needed(group)
    if shutil.which("dpkg-query") is None:
        print("Not a Debian system: if the program cannot start, install what stands for these packages here:")
        print("  " + ", ".join(f"{name} ({reason})" for name, reason in packages.items()))
        return 0
    names = missing(packages)
    status = install(names) if names else 0
    services = " ".join(SERVICES[name] for name in names if name in SERVICES)
    if services:
        print(f"No test needs them as services of this machine: sudo systemctl disable --now {services}")
    return status


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in GROUPS:
        print(f"usage: python3 -m tools.system_packages {'|'.join(GROUPS)}")
        return 2
    return ensure(sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
