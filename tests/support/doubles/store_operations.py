"""Random operations on a store, for adapters that must answer alike."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from hypothesis import strategies as st

from protocol.ids import MatchId
from server.store.port import NOBODY, Fence, RecordConflict, RecordTooNew, Store, StoredRecord
from tests.support.doubles.store_contract import cause

# Few names and numbers, so that operations meet.
MATCH, CAUSE, SMALL = st.sampled_from(["m", "n"]), st.integers(1, 6).map(cause), st.integers(0, 4)
QUESTION, DATA = st.sampled_from(["p", "q"]), st.binary(max_size=3)
SCHEMA, TIME = st.integers(1, 2), st.integers(-3, 3)
RECORD = st.builds(StoredRecord, QUESTION, MATCH, DATA, st.none() | SMALL, SCHEMA)
Operation = tuple[object, ...]
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("open_match"), MATCH),
        st.tuples(st.just("append"), MATCH, SMALL, CAUSE, SMALL, DATA, st.none() | QUESTION),
        st.tuples(st.just("seal"), MATCH, SMALL, QUESTION, SMALL, CAUSE, DATA),
        st.tuples(st.just("put_snapshot"), MATCH, SMALL, DATA),
        st.tuples(st.just("delete_match"), MATCH),
        st.tuples(st.just("put_record"), QUESTION, MATCH, DATA),
        st.tuples(st.just("put_records"), st.lists(RECORD, max_size=3)),
        st.tuples(st.just("delete_record"), QUESTION, MATCH, SCHEMA),
        st.tuples(st.just("append_line"), MATCH, DATA, st.integers(1, 3)),
        st.tuples(st.just("delete_lines"), MATCH),
        st.tuples(st.just("put_due"), QUESTION, st.dictionaries(MATCH, TIME, max_size=2)),
        st.tuples(st.just("drop_due"), QUESTION, MATCH),
        st.tuples(st.just("take_due"), QUESTION, TIME, st.integers(1, 2)),
    ),
    max_size=40,
)


async def answers(store: Store, operations: list[Operation], together: int = 1) -> list[object]:
    """Return the store's answers to the operations, a number of them asked at once, and then everything that can be
    read."""
    heard: list[object] = []
    fences = [NOBODY, await store.open_match(MatchId("m"))]
    for first in range(0, len(operations), together):
        asked = [_asked(store, operation, fences) for operation in operations[first : first + together]]
        for answer in await asyncio.gather(*asked):
            if isinstance(answer, Fence):
                fences.append(answer)
            heard.append(answer.counter if isinstance(answer, Fence) else answer)
    for match in (MatchId("m"), MatchId("n")):
        heard += [await store.read(match), await store.version(match)]
        heard += [await store.sealed(match), await store.snapshot(match), (await store.open_match(match)).counter]
        heard += [await store.find(match, cause(number)) for number in range(1, 7)]
    heard += [await store.page(kind) for kind in ("p", "q")]
    heard += [await store.changes(kind, 1) for kind in ("p", "q")]
    heard += [await store.newest_lines(name, 9) for name in ("m", "n")]
    heard += [await store.take_due(name, 9, 9) for name in ("p", "q")]
    heard += [await store.matches(), await store.kinds()]
    await store.close()
    return heard


async def _asked(store: Store, operation: Operation, fences: list[Fence]) -> object:
    name, *arguments = operation
    named = {"closes": arguments.pop()} if name == "append" else {}
    if name in ("append", "seal"):
        arguments[1] = fences[-1 - int(str(arguments[1])) % len(fences)]
    asked: Awaitable[object] = getattr(store, str(name))(*arguments, **named)
    try:
        return await asked
    except (RecordConflict, RecordTooNew, ValueError) as refused:
        return type(refused), str(refused)
