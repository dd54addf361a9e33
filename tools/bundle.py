"""`make bundle`: one folder that holds the whole program, for people without Python, and an archive of it.

Run as `python3.11 -m tools.bundle` on the system that it is for: Linux, Windows or macOS. Makes an environment of its
own from deploy/bundle/requirements.lock, installs the program into it as a wheel, and has PyInstaller follow
deploy/bundle/eschaton.spec. With the word `pack` it makes the archive only, of a folder that was signed meanwhile.
Standard library only.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Final

from tools.setup import QUIET, fingerprint

ROOT: Final = Path(__file__).resolve().parent.parent
PLACE: Final = ROOT / "deploy" / "bundle"
LOCK: Final = PLACE / "requirements.lock"
SPEC: Final = PLACE / "eschaton.spec"
OUT: Final = ROOT / "out" / "bundle"
ENVIRONMENT: Final = OUT / "environment"
WORK: Final = OUT / "work"
ROOMS: Final = ("engine", "server", "client", "protocol")
NAME: Final = "Eschaton"
FILES: Final = ("README.txt", "eschaton.desktop", "install.sh")
"""Laid beside the program on Linux."""
OURS: Final = ("--no-deps", "--no-index", "--no-build-isolation")
DRAW_ICONS: Final = (
    "import sys; from pathlib import Path; from client.app.display import go_headless; go_headless(); "
    "from client.app.icon import save_icons; save_icons(Path(sys.argv[1]))"
)


def python() -> Path:
    """Return the interpreter of the environment."""
    return ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def run(*command: str | Path, **settings: str) -> None:
    """Run Python of the environment in the work folder, so that the checkout is not on its path. Raises
    CalledProcessError."""
    subprocess.run([python(), *command], cwd=WORK, env=os.environ | settings, check=True)


def make_environment() -> None:
    """Install the locked requirements into an environment, unless that has been done. Raises CalledProcessError."""
    stamp = ENVIRONMENT / ".installed"
    wanted = fingerprint(ENVIRONMENT, [LOCK])
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print("Installing what makes the bundle (about a minute the first time)", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT], check=True)
    run("-m", "pip", "install", *QUIET, "--require-hashes", "--only-binary", ":all:", "-r", LOCK)
    stamp.write_text(wanted)


def install_program() -> None:
    """Install the program as people get it: from a wheel, without what else lies in the checkout. Raises
    CalledProcessError."""
    source, wheels = WORK / "source", WORK / "wheels"
    for folder in (source, wheels):
        shutil.rmtree(folder, ignore_errors=True)
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    run("-m", "pip", "wheel", *QUIET, *OURS, "--wheel-dir", wheels, source)
    # by its name, not by its file: the place of that file would be noted in the bundle
    run("-m", "pip", "install", *QUIET, *OURS, "--force-reinstall", "--find-links", wheels, "eschaton")


def made_folder() -> Path:
    """Return the place of the bundle."""
    return OUT / (f"{NAME}.app" if sys.platform == "darwin" else NAME)


def freeze() -> Path:
    """Draw the icons and put the bundle together. Returns its folder. Raises CalledProcessError."""
    pictures = WORK / "pictures"
    pictures.mkdir(exist_ok=True)
    run("-c", DRAW_ICONS, pictures)
    options = ("--noconfirm", "--log-level", "WARN", "--distpath", OUT, "--workpath", WORK / "pyinstaller")
    run("-m", "PyInstaller", *options, SPEC, BUNDLE_PICTURES=str(pictures))
    folder = made_folder()
    if sys.platform.startswith("linux"):
        inside = folder / "_internal"
        # a Python that was built on the spot is four times as large for its debuggers
        subprocess.run(
            ["strip", "--strip-unneeded", *inside.glob("libpython*"), *inside.rglob("lib-dynload/*.so")], check=True
        )
        for file in (*(PLACE / name for name in FILES), pictures / "eschaton.png"):
            shutil.copy(file, folder)
    return folder


def pack(folder: Path) -> Path:
    """Put the folder into one file to send to friends: .zip for Windows and macOS, else .tar.gz."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    file = OUT / f"{NAME}-{version}-{sys.platform}-{platform.machine().lower()}"
    if sys.platform == "darwin":  # the archiver of Python loses the links in it
        made = file.with_name(f"{file.name}.zip")
        subprocess.run(["ditto", "-c", "-k", "--keepParent", folder, made], check=True)
        return made
    kind = "zip" if sys.platform == "win32" else "gztar"
    # of root, or the archive names whoever made it
    return Path(shutil.make_archive(str(file), kind, OUT, folder.name, owner="root", group="root"))


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def main() -> int:
    began = time.monotonic()
    WORK.mkdir(parents=True, exist_ok=True)
    try:
        if sys.argv[1:] == ["pack"]:
            folder = made_folder()
        else:
            make_environment()
            install_program()
            folder = freeze()
        archive = pack(folder)
    except subprocess.CalledProcessError as failure:
        print(f"The bundle was not made: {failure.cmd[2]} ended with status {failure.returncode}; its reason is above.")
        return 1
    print(f"{folder.relative_to(ROOT)}: {size_of(folder) / 1e6:.0f} MB")
    print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size / 1e6:.0f} MB")
    print(f"Made in {time.monotonic() - began:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
