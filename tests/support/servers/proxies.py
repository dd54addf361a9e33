"""Proxies as processes of a test, each with its configuration of deploy/: names, ports and certificates are put in."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.clients.programs import DEPLOY, until
from tests.support.doubles.redis_server import free_port
from tests.support.runs.patience import PATIENCE
from tests.support.servers.certificates import certificate

WHERE: Final = os.pathsep.join((os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin", "/sbin"))
"""Folders of programs: people's PATH lacks those of the machine's own."""
STREAM: Final = Path("/usr/lib/nginx/modules/ngx_stream_module.so")


@dataclass(frozen=True)
class Kind:
    """A configuration of a proxy: the program, its file in deploy/, and the options of the server behind it."""

    program: str
    file: str
    options: tuple[str, ...] = ("--trusted-proxy", "127.0.0.1")

    @property
    def why_not(self) -> str:
        """Why this machine cannot run it; empty where it can."""
        if shutil.which(self.program, path=WHERE) is None:
            return f"{self.program} is not installed"
        return f"nginx has no {STREAM}" if self.file == "nginx/stream.conf" and not STREAM.exists() else ""

    @property
    def sees_requests(self) -> bool:
        """True where it reads HTTP, and does not hand on whatever comes."""
        return "--proxy-protocol" not in self.options


BY_PROTOCOL: Final = ("--trusted-proxy", "127.0.0.1", "--proxy-protocol")
NGINX: Final = Kind("nginx", "nginx/eschaton.conf")
NGINX_STREAM: Final = Kind("nginx", "nginx/stream.conf", BY_PROTOCOL)
HAPROXY_TCP: Final = Kind("haproxy", "haproxy/tcp.cfg", BY_PROTOCOL)
HAPROXY_HTTP: Final = Kind("haproxy", "haproxy/http.cfg")
CADDY: Final = Kind("caddy", "caddy/Caddyfile")
KINDS: Final = (NGINX, NGINX_STREAM, HAPROXY_TCP, HAPROXY_HTTP, CADDY)


@dataclass
class Proxy:
    """A proxy that runs: its port, the certificate that it shows, and what it writes."""

    port: int
    certificate: Path
    log: Path


def filled_in(text: str, port: int, server_port: int, cert: Path, key: Path) -> str:
    """Return a configuration with this port, server and certificate in place of those that stand in it."""
    chain = cert.with_name("haproxy.pem")
    chain.write_bytes(cert.read_bytes() + key.read_bytes())
    for shipped, here in {
        "127.0.0.1:8440": f"127.0.0.1:{server_port}",
        "/etc/eschaton/cert.pem": str(cert),
        "/etc/eschaton/key.pem": str(key),
        "/etc/eschaton/haproxy.pem": str(chain),
        "listen 443": f"listen 127.0.0.1:{port}",
        "listen [::]:443": f"listen [::1]:{port}",
        "bind :443": f"bind 127.0.0.1:{port}",
        "play.example.org {": f"localhost:{port} {{",
        "play.example.org": "localhost",
        "# tls ": "tls ",
    }.items():
        text = text.replace(shipped, here)
    return text


def _nginx(folder: Path, kind: Kind, text: str) -> list[str]:
    """Write what Debian's nginx.conf has around the file; return the command."""
    inner = folder / "eschaton.conf"
    inner.write_text(text)
    paths = " ".join(f"{name}_temp_path {folder};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    module, include = "", f"http {{ {paths} include {inner}; }}"
    if kind is NGINX_STREAM:
        module, include = f"load_module {STREAM};", f"include {inner};"
    user = "user root;" if os.geteuid() == 0 else ""
    head = f"{module} daemon off; {user} pid {folder / 'nginx.pid'}; error_log stderr notice; events {{ }}"
    (folder / "nginx.conf").write_text(f"{head} {include}\n")
    return ["-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def _haproxy(folder: Path, text: str) -> list[str]:
    """Write the part that stands before the file; return the command."""
    (folder / "first.cfg").write_text("global\n    log stderr format raw daemon\n")
    (folder / "eschaton.cfg").write_text(text)
    return ["-db", "-f", str(folder / "first.cfg"), "-f", str(folder / "eschaton.cfg")]


def _caddy(folder: Path, text: str) -> list[str]:
    """Keep Caddy from ports and certificates of the machine; return the command."""
    own = "{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n\tservers"
    (folder / "Caddyfile").write_text(text.replace("{\n\tservers", own, 1))
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def command(kind: Kind, folder: Path, text: str) -> list[str]:
    """Write the configuration into the folder; return the command that runs the proxy until it is told to end."""
    arguments = {"nginx": lambda: _nginx(folder, kind, text), "haproxy": lambda: _haproxy(folder, text)}
    program = shutil.which(kind.program, path=WHERE)
    assert program is not None, kind.why_not
    return [program, *arguments.get(kind.program, lambda: _caddy(folder, text))()]


async def _process(folder: Path, arguments: list[str], log: Path) -> asyncio.subprocess.Process:
    homes: Mapping[str, str] = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with log.open("wb") as sink:
        return await asyncio.create_subprocess_exec(
            *arguments, stdin=DEVNULL, stdout=sink, stderr=sink, env={**os.environ, **homes}, cwd=folder
        )


@asynccontextmanager
async def proxying(folder: Path, kind: Kind, server_port: int) -> AsyncIterator[Proxy]:
    """Run a proxy before the server at this port of loopback. Raises AssertionError where it does not begin."""
    folder.mkdir(parents=True, exist_ok=True)
    cert, key = certificate(folder)
    port, log = free_port(), folder / "proxy.log"
    text = filled_in((DEPLOY / kind.file).read_text("utf-8"), port, server_port, cert, key)
    process = await _process(folder, command(kind, folder, text), log)

    def listens() -> bool:
        assert process.returncode is None, f"{kind.file}: {log.read_text()[-3000:]}"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        await until(listens)
        yield Proxy(port, cert, log)
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(PATIENCE):
            await process.wait()
