"""A user's own content: the TOML files below one folder, read defensively.

Anything that is not a plain file of a bearable size inside that folder is refused, and nothing of it is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.core.rules.errors import ContentRefused
from protocol.limits import Limits

SUFFIX = ".toml"


def read_folder(
    folder: Path, systems: Iterable[str], limits: Limits
) -> tuple[dict[str, dict[str, str]], tuple[str, ...]]:
    """Read FOLDER/SYSTEM/**/*.toml: return {system: {path below the folder: text}}, and a line for each unreadable
    file.

    Raises ContentRefused where the folder itself cannot be read.
    """
    known = set(systems)
    texts: dict[str, dict[str, str]] = {}
    problems: list[str] = []
    total = count = 0
    try:
        root = folder.resolve(strict=True)
        if not root.is_dir():
            raise NotADirectoryError
        paths = list(_files(root, limits, problems))
    except OSError as problem:
        raise ContentRefused([f"{folder}: cannot be read: {problem.strerror or 'not a folder'}"]) from problem
    for path in paths:
        name = path.relative_to(root).as_posix()
        system = name.partition("/")[0]
        count += 1
        if count > limits.content_files or total > limits.content_bytes:
            problems.append(f"{name}: more than {limits.content_files} files, or {limits.content_bytes} bytes in all")
            break
        if system not in known:
            problems.append(f"{name}: belongs to no rule system; put it into a folder {' or '.join(sorted(known))}")
            continue
        text = _read(root, path, name, limits, problems)
        if text is not None:
            texts.setdefault(system, {})[name] = text
            total += len(text.encode())
    return texts, tuple(problems)


def _files(root: Path, limits: Limits, problems: list[str]) -> Iterator[Path]:
    """Yield every path that ends in .toml, in order. Folders that links lead to are not entered."""
    waiting = [root]
    while waiting:
        here = waiting.pop()
        entries = sorted(here.iterdir(), key=lambda path: path.name)
        for path in entries:
            if path.name.startswith("."):
                continue
            if path.suffix == SUFFIX:
                yield path
            elif path.is_dir() and not path.is_symlink():
                if len(path.relative_to(root).parts) > limits.content_depth:
                    name = path.relative_to(root).as_posix()
                    problems.append(f"{name}: more than {limits.content_depth} folders inside one another")
                else:
                    waiting.append(path)


def _read(root: Path, path: Path, name: str, limits: Limits, problems: list[str]) -> str | None:
    """Return the text of a file; None, and the reason in `problems`, where it is refused."""
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(root):
            problems.append(f"{name}: a link that leads out of the folder; put the file itself there")
            return None
        # opening a pipe would wait for ever; the type is asked of the opened file
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                problems.append(f"{name}: not a file")
                return None
            data = file.read(limits.content_file_bytes + 1)
    except (OSError, RuntimeError) as problem:  # a ring of links is a RuntimeError
        problems.append(f"{name}: cannot be read: {getattr(problem, 'strerror', None) or 'its links go round'}")
        return None
    if len(data) > limits.content_file_bytes:
        problems.append(f"{name}: larger than {limits.content_file_bytes} bytes; split it")
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        problems.append(f"{name}: byte {problem.start} is not UTF-8; save the file as UTF-8")
        return None
