"""Texts that people read: they travel as a key with arguments, and clients format them from catalogues."""

import msgspec


class Text(msgspec.Struct, frozen=True, omit_defaults=True):
    """A catalogue key `k` and its arguments `a`; an argument may be a Text itself (a name inside a sentence)."""

    k: str
    a: "dict[str, str | int | Text]" = {}


def text(key: str, **arguments: "str | int | Text") -> Text:
    """Make a text in short form: `text("log.moved", group=name)`."""
    return Text(key, arguments)
