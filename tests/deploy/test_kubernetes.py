"""deploy/kubernetes: strict schemas of two versions, and that names, ports and folders fit one another."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import kubernetes_validate
import pytest
import yaml

from server.store.redis.address import SENTINEL_PORT
from tests.support.clients.programs import DEPLOY
from tests.support.deploy.containerfile import IMAGE
from tests.support.deploy.words import GRACE, documents

MANIFESTS = [each for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")) for each in documents(path)]
OLDEST = "1.30"


def named(kind: str, name: str) -> dict[str, Any]:
    """Return one manifest."""
    (found,) = [each for each in MANIFESTS if (each["kind"], each["metadata"]["name"]) == (kind, name)]
    return found


SERVER: dict[str, Any] = named("StatefulSet", "eschaton")["spec"]["template"]["spec"]
BACKUP: dict[str, Any] = named("CronJob", "eschaton-backup")["spec"]["jobTemplate"]["spec"]["template"]["spec"]
SETTINGS = tomllib.loads(named("ConfigMap", "eschaton-settings")["data"]["settings.toml"])


@pytest.mark.parametrize("version", [OLDEST, kubernetes_validate.latest_version()])
@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda each: f"{each['kind']} {each['metadata']['name']}")
def test_the_strict_schema_takes_it(manifest: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_a_wrong_word_would_be_seen() -> None:
    claim = named("PersistentVolumeClaim", "eschaton-backups")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**claim, "specs": {}}, OLDEST, strict=True)


def test_everything_is_in_one_namespace() -> None:
    (namespace,) = [each["metadata"]["name"] for each in MANIFESTS if each["kind"] == "Namespace"]
    assert {each["metadata"].get("namespace", namespace) for each in MANIFESTS} == {namespace}


@pytest.mark.parametrize("pod", [SERVER, BACKUP], ids=["server", "backup"])
def test_a_pod_is_shut_in(pod: dict[str, Any]) -> None:
    user, group = map(int, IMAGE.last("USER").text.split(":"))
    rights = pod["securityContext"]
    assert (rights["runAsUser"], rights["runAsGroup"], rights["fsGroup"]) == (user, group, group)
    assert rights["runAsNonRoot"] is True
    assert rights["seccompProfile"] == {"type": "RuntimeDefault"}
    assert rights["fsGroupChangePolicy"] == "OnRootMismatch"
    assert pod["automountServiceAccountToken"] is False
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("pod", [SERVER, BACKUP], ids=["server", "backup"])
def test_what_is_mounted_exists(pod: dict[str, Any]) -> None:
    (container,) = pod["containers"]
    mounts = {each["name"]: each["mountPath"] for each in container["volumeMounts"]}
    claims = {each["metadata"]["name"] for each in named("StatefulSet", "eschaton")["spec"]["volumeClaimTemplates"]}
    assert mounts.keys() == {each["name"] for each in pod["volumes"]} | (claims if pod is SERVER else set())
    assert mounts["data"] == IMAGE.last("VOLUME").words[0]
    assert SETTINGS["data"].startswith(f"{mounts['data']}/")
    assert f"{mounts['settings']}/settings.toml" == IMAGE.environment["ESCHATON_SETTINGS"]
    if pod is SERVER:
        assert {SETTINGS["tls-cert"], SETTINGS["tls-key"]} == {f"{mounts['tls']}/tls.{end}" for end in ("crt", "key")}
    else:
        sources = {each["name"]: each.get("persistentVolumeClaim") for each in pod["volumes"]}
        assert sources["data"] == {"claimName": "data-eschaton-0"}
        assert named("PersistentVolumeClaim", sources["backups"]["claimName"])
        assert mounts["backups"] in container["args"][0]


def test_ports_are_those_that_the_server_listens_to() -> None:
    (container,) = SERVER["containers"]
    ports = {each["name"]: each["containerPort"] for each in container["ports"]}
    assert SETTINGS["listen"] == f"0.0.0.0:{ports['play']}"
    assert SETTINGS["metrics"] == f"0.0.0.0:{ports['metrics']}"
    reached = [port for each in MANIFESTS if each["kind"] == "Service" for port in each["spec"]["ports"]]
    assert {each["targetPort"]: each["port"] for each in reached} == ports
    rules = named("NetworkPolicy", "eschaton")["spec"]["ingress"]
    assert {rule["ports"][0]["port"]: "from" in rule for rule in rules} == {"play": False, "metrics": True}
    probes = {each: container[f"{each}Probe"]["httpGet"] for each in ("startup", "liveness", "readiness")}
    assert {each["port"] for each in probes.values()} == {"metrics"}
    assert [each["path"] for each in probes.values()] == ["/healthz", "/healthz", "/readyz"]


def test_what_the_network_policy_proposes_lets_a_server_reach_redis_sentinels_and_names() -> None:
    text = (DEPLOY / "kubernetes" / "networkpolicy.yaml").read_text("utf-8").replace("\n  egress: []\n  #", "\n  #", 1)
    policy = next(yaml.safe_load_all(re.sub(r"^  #(egress:|  )", r"  \1", text, flags=re.MULTILINE)))
    kubernetes_validate.validate(policy, OLDEST, strict=True)
    ports = {(port["port"], port["protocol"]) for rule in policy["spec"]["egress"] for port in rule["ports"]}
    assert ports == {(6379, "TCP"), (SENTINEL_PORT, "TCP"), (53, "UDP"), (53, "TCP")}


def test_selectors_find_their_pods() -> None:
    spec = named("StatefulSet", "eschaton")["spec"]
    labels = spec["template"]["metadata"]["labels"]
    selectors = [
        spec["selector"]["matchLabels"],
        named("PodDisruptionBudget", "eschaton")["spec"]["selector"]["matchLabels"],
    ]
    selectors += [named("Service", name)["spec"]["selector"] for name in ("eschaton", spec["serviceName"])]
    selectors.append(named("NetworkPolicy", "eschaton")["spec"]["podSelector"]["matchLabels"])
    assert all(each == labels for each in selectors)
    job = named("CronJob", "eschaton-backup")["spec"]["jobTemplate"]["spec"]["template"]["metadata"]["labels"]
    assert named("NetworkPolicy", "eschaton-backup")["spec"]["podSelector"]["matchLabels"] == job != labels


def test_one_server_has_the_time_to_end() -> None:
    assert named("StatefulSet", "eschaton")["spec"]["replicas"] == 1
    assert SERVER["terminationGracePeriodSeconds"] == GRACE
