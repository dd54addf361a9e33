"""The exceptions of the client: one tree, as it is drawn."""

from __future__ import annotations

from client import errors
from protocol.errors import EschatonError
from tests.support.runs.exception_trees import drawn_in


def test_the_tree_drawn_in_the_module_is_that_of_the_classes() -> None:
    tree = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, EschatonError)}
    assert drawn_in(errors) == {kind.__name__: kind.__bases__[0].__name__ for kind in tree - {EschatonError}}
