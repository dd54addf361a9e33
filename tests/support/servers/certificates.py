"""Certificates that tests make for themselves."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NAMES: Final = (x509.IPAddress(ip_address("127.0.0.1")), x509.DNSName("localhost"))


def certificate(folder: Path, password: bytes = b"", names: Collection[str] = ()) -> tuple[Path, Path]:
    """Make a self-signed certificate for this computer and for hosts of these `names`, and its key, with a password
    where one is given."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([*NAMES, *map(x509.DNSName, names)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    lock = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    key_file.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock))
    return cert_file, key_file
