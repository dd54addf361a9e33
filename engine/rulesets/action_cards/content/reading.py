"""Reading and checking of this system's content files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.content import content_files
from engine.core.content.content_files import ContentFault, Unread
from engine.rulesets.action_cards.content.content_checks import complaints
from engine.rulesets.action_cards.content.references import Known
from engine.rulesets.action_cards.content.schema import Document


def read(texts: Mapping[str, str]) -> tuple[dict[str, dict[str, Any]], dict[str, Document]]:
    """Return {file name: TOML} as written, and checked. Raises ContentRefused with one line for every fault."""
    return content_files.read(texts, Document, _complaints)


def _complaints(documents: Mapping[str, Document], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    return complaints(documents, Known.of(documents.values(), unread))
