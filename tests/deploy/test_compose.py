"""deploy/compose: the schema, and that files, ports, folders and users of both files fit those of the image."""

from __future__ import annotations

import re
import subprocess
import sysconfig
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from server.store.redis.store import RedisStore
from tests.support.clients.programs import DEPLOY
from tests.support.deploy.containerfile import CONTAINERFILE, IMAGE
from tests.support.deploy.words import GRACE, documents
from tests.support.doubles.redis_server import RedisServer

pytestmark = pytest.mark.waits

COMPOSE = DEPLOY / "compose"
FILES = sorted(COMPOSE.glob("*.yaml"))
KINDS = ["redis", "sqlite"]


def read(kind: str) -> dict[str, Any]:
    (found,) = documents(COMPOSE / f"{kind}.yaml")
    return found


def settings(kind: str) -> dict[str, Any]:
    return tomllib.loads((COMPOSE / f"{kind}.toml").read_text("utf-8"))


def targets(service: dict[str, Any]) -> dict[str, str]:
    """Return what a service finds where: a volume's name, a file of this folder, or a secret's name, by its path."""
    found = {to: source for source, to, *_ in (volume.split(":") for volume in service.get("volumes", []))}
    for secret in service.get("secrets", []):
        source, to = (secret, f"/run/secrets/{secret}") if isinstance(secret, str) else secret.values()
        found[to] = source
    return found


def test_the_schema_takes_them() -> None:
    check = Path(sysconfig.get_path("scripts")) / "check-jsonschema"
    command: list[str | Path] = [check, "--builtin-schema", "vendor.compose-spec", *FILES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path.stem for path in FILES] == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_container_is_shut_in_and_bounds_its_log(kind: str) -> None:
    for service in read(kind)["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}


@pytest.mark.parametrize("kind", KINDS)
def test_what_settings_name_is_there(kind: str) -> None:
    server, held = read(kind)["services"]["server"], settings(kind)
    found = targets(server)
    assert found[IMAGE.environment["ESCHATON_SETTINGS"]] == f"./{kind}.toml"
    assert found[IMAGE.last("VOLUME").words[0]] == "data"
    assert held["data"].startswith(f"{IMAGE.last('VOLUME').words[0]}/")
    for name in ("tls-cert", "tls-key", "store-file"):
        assert held.get(name, "/run/secrets/") in {*found, "/run/secrets/"}
    assert int(server["stop_grace_period"].removesuffix("s")) == GRACE


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_the_project_and_volumes_and_secrets_exist(kind: str) -> None:
    whole = read(kind)
    for service in whole["services"].values():
        for source in targets(service).values():
            if source.startswith("."):
                assert (COMPOSE / source).is_file(), source
            else:
                assert source in {**whole["volumes"], **whole["secrets"]}
        if build := service.get("build"):
            assert (COMPOSE / build["context"] / build["dockerfile"]).resolve() == CONTAINERFILE


@pytest.mark.parametrize("kind", KINDS)
def test_published_ports_are_those_that_somebody_listens_to(kind: str) -> None:
    services, held = read(kind)["services"], settings(kind)
    ports = services["network" if kind == "redis" else "server"]["ports"]
    inside = {port.rpartition(":")[2] for port in ports}
    if kind == "redis":
        assert "listen 443 ssl;" in (DEPLOY / "nginx" / "eschaton.conf").read_text("utf-8")
        assert inside == {"443", held["metrics"].rpartition(":")[2]}
        assert held["listen"].startswith("127.0.0.1:")
        assert f"server {held['listen']};" in (DEPLOY / "nginx" / "eschaton.conf").read_text("utf-8")
    else:
        assert inside == {held["listen"].rpartition(":")[2], held["metrics"].rpartition(":")[2]}
    assert [port for port in ports if port.endswith(":9440")] == ["127.0.0.1:9440:9440"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_is_its_readers_own(kind: str) -> None:
    """Without capabilities not even root reads the file of another user."""
    whole, head = read(kind), (COMPOSE / f"{kind}.yaml").read_text("utf-8")
    owners = {
        name: user
        for user, pattern in re.findall(r"chown (\d+) (secrets/\S+[\w*])", head)
        for name, secret in whole["secrets"].items()
        if fnmatch(secret["file"], pattern)
    }
    assert "chmod 0400 secrets/*" in head
    readers = {
        source: "0" if name == "proxy" else service.get("user", IMAGE.last("USER").text).partition(":")[0]
        for name, service in whole["services"].items()
        for source in targets(service).values()
        if source in whole["secrets"]
    }
    assert owners == readers
    assert all("DAC_OVERRIDE" not in service.get("cap_add", ()) for service in whole["services"].values())


def test_nginx_finds_its_certificate() -> None:
    found = targets(read("redis")["services"]["proxy"])
    written = (DEPLOY / "nginx" / "eschaton.conf").read_text("utf-8")
    for name in ("cert.pem", "key.pem"):
        assert found[f"/etc/eschaton/{name}"] == name
        assert f"/etc/eschaton/{name};" in written


async def test_a_redis_of_these_options_is_one_that_the_server_takes(tmp_path: Path) -> None:
    program, secret, *options = read("redis")["services"]["redis"]["command"]
    assert (program, secret) == ("redis-server", "/run/secrets/redis.conf")
    redis = RedisServer(tmp_path / "redis", options)
    try:
        store = await RedisStore.open(redis.place())
        await store.close()
    finally:
        redis.close()
