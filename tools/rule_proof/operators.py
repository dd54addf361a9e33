"""Operators that plant small errors in the syntax tree of a function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeVar

FLIPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
MOVED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
EXCHANGED: Final = {"min": "max", "max": "min"}
BOUNDED: Final = (*EXCHANGED, "range")
LEAVES: Final = (ast.Raise, ast.Return, ast.Continue, ast.Break)

N = TypeVar("N", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Error(NamedTuple):
    """One place of a function where an operator applies. `plant` changes the tree that it was found in."""

    operator: str
    text: str
    plant: Callable[[], None]


def errors_in(function: Function) -> Iterator[Error]:
    """Return all errors that can be planted in the function's body."""
    yield from _identity_of(function)
    for node in (node for statement in function.body for node in ast.walk(statement)):
        if isinstance(node, ast.Compare):
            yield from _of_comparison(node)
        elif isinstance(node, ast.Call):
            yield from _of_call(node)
        elif isinstance(node, ast.BinOp):
            yield from (_one_more(side, node) for side in (node.left, node.right) if _is_number(side))
        elif isinstance(node, ast.Return | ast.Expr | ast.Assign):
            yield from _of_statement(node)
        else:
            yield from _of_condition(node)


def _of_comparison(node: ast.Compare) -> Iterator[Error]:
    text = ast.unparse(node)
    for place, compared in enumerate(node.ops):
        yield Error("comparison flipped", text, _setting(node.ops, place, FLIPPED[type(compared)]()))
        if type(compared) in MOVED:
            yield Error("bound moved", text, _setting(node.ops, place, MOVED[type(compared)]()))
    if not any(type(compared) in MOVED for compared in node.ops):
        yield from (_one_more(side, node) for side in (node.left, *node.comparators) if _is_number(side))


def _of_call(node: ast.Call) -> Iterator[Error]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if isinstance(node.func, ast.Name) and name in EXCHANGED:
        yield Error("min and max exchanged", ast.unparse(node), _attribute(node.func, "id", EXCHANGED[name]))
    if name in BOUNDED:
        yield from (_one_more(side, node) for side in node.args if _is_number(side))
    is_replacing = name == "replace" or (isinstance(node.func, ast.Attribute) and node.func.attr == "replace")
    if is_replacing and node.args and node.keywords:
        yield Error("identity", ast.unparse(node), _attribute(node, "keywords", []))


def _of_statement(node: ast.Return | ast.Expr | ast.Assign) -> Iterator[Error]:
    value = node.value
    if isinstance(node, ast.Return) and value is not None and _is_number(value):
        yield _one_more(value, node)
    called = value.value if isinstance(value, ast.Await) else value
    if not isinstance(called, ast.Call):
        return
    if isinstance(node, ast.Expr):
        yield Error("identity", ast.unparse(node), _attribute(node, "value", ast.Constant(None)))
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        same = [arg for arg in called.args if isinstance(arg, ast.Name) and arg.id == node.targets[0].id]
        if same:
            yield Error("identity", ast.unparse(node), _attribute(node, "value", same[0]))


def _of_condition(node: ast.AST) -> Iterator[Error]:
    dropped = "condition dropped"
    if isinstance(node, ast.If):
        # without its condition a guard never returns, and any other block always runs
        is_guard = isinstance(node.body[-1], LEAVES) and not node.orelse
        text = f"if {ast.unparse(node.test)}"
        yield Error(dropped, text, _attribute(node, "test", ast.Constant(not is_guard)))
    elif isinstance(node, ast.IfExp):
        yield Error(dropped, ast.unparse(node), _attribute(node, "test", ast.Constant(value=True)))
        yield from (_one_more(side, node) for side in (node.body, node.orelse) if _is_number(side))
    elif isinstance(node, ast.BoolOp):
        for place, value in enumerate(node.values):
            neutral: ast.expr = ast.Constant(isinstance(node.op, ast.And))
            yield Error(dropped, f"{ast.unparse(value)} in {ast.unparse(node)}", _setting(node.values, place, neutral))
    elif isinstance(node, ast.comprehension):
        for place, condition in enumerate(node.ifs):
            text = f"for {ast.unparse(node.target)} if {ast.unparse(condition)}"
            yield Error(dropped, text, _setting(node.ifs, place, ast.Constant(value=True)))


def _identity_of(function: Function) -> Iterator[Error]:
    """Make the function return its argument, or do nothing."""
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)) or function.returns is None:
        return
    kind = ast.unparse(function.returns)
    same = [arg.arg for arg in function.args.args if arg.annotation and ast.unparse(arg.annotation) == kind]
    if same or kind == "None":
        given: ast.expr = ast.Name(same[0], ast.Load()) if same else ast.Constant(None)
        yield Error("identity", f"{function.name}()", _attribute(function, "body", [ast.Return(given)]))


def _one_more(number: ast.expr, within: ast.AST) -> Error:
    assert isinstance(number, ast.Constant)
    assert isinstance(number.value, int)
    return Error(
        "bound moved", f"{number.value} in {ast.unparse(within)}", _attribute(number, "value", number.value + 1)
    )


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _setting(values: list[N], place: int, value: N) -> Callable[[], None]:
    return lambda: values.__setitem__(place, value)


def _attribute(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)
