"""Each line of the log is one JSON object, whatever it tells of."""

import io
import json

from hypothesis import given, strategies as st

from server.logs import library_logger, make_log


@given(st.text())
def test_every_line_is_json_without_raw_control_characters(text: str) -> None:
    stream = io.StringIO()
    make_log(stream).bind(table=text).info("said", name=text)
    written = stream.getvalue()
    assert written.endswith("\n") and written.isascii() and all(c >= " " for c in written[:-1])
    assert json.loads(written) == {"table": text, "name": text, "event": "said", "level": "info"}


def test_objects_are_named_and_never_shown() -> None:
    stream = io.StringIO()
    make_log(stream, wall=lambda: 7).warning("odd", thing=object())
    assert json.loads(stream.getvalue()) == {"thing": "<object>", "event": "odd", "level": "warning", "at": 7}


def test_libraries_log_through_the_same_door() -> None:
    stream = io.StringIO()
    logger = library_logger(make_log(stream))
    logger.warning("%s went wrong", "it")
    logger.info("never mind")
    [line] = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert line["event"] == "library" and line["message"] == "it went wrong"


def test_a_traceback_is_one_field() -> None:
    stream = io.StringIO()
    log = make_log(stream)
    try:
        raise ZeroDivisionError("by nothing")
    except ZeroDivisionError as problem:
        log.error("fault", exc_info=problem)
    line = json.loads(stream.getvalue())
    assert "ZeroDivisionError: by nothing" in line["exception"]
