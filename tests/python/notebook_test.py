#!/usr/bin/env python3
"""Runs the notebook of the documentation, cell after cell, as a notebook does.

  notebook_test.py MODULE NOTEBOOK [--update]

What cells print and show must be what the notebook holds. With --update the
notebook in the workspace is written anew:

  bazel run //tests/python:notebook_test -- --update
"""

import ast
import contextlib
import io
import json
import os
import sys
import traceback

import built

built.use(sys.argv[1])


def lines_of(text):
    return text.splitlines(keepends=True)


def shown(value):
    """What a notebook keeps of the value of a cell's last line."""
    data = {}
    for name, kind in (("_repr_svg_", "image/svg+xml"),
                       ("_repr_html_", "text/html")):
        method = getattr(type(value), name, None)
        text = method(value) if method else None
        if text:
            data[kind] = lines_of(text)
    data["text/plain"] = lines_of(repr(value))
    return data


def outputs_of(source, scope, number):
    """The outputs of one cell."""
    body = ast.parse(source)
    last = None
    if body.body and isinstance(body.body[-1], ast.Expr) \
            and not source.rstrip().endswith(";"):
        last = ast.Expression(body.body.pop().value)
    outputs, printed = [], io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(body, "<cell>", "exec"), scope)
            value = eval(compile(last, "<cell>", "eval"), scope) if last else None
    except Exception as error:
        frames = traceback.format_exception_only(type(error), error)
        outputs.append({"ename": type(error).__name__, "evalue": str(error),
                        "output_type": "error",
                        "traceback": [frame.rstrip() for frame in frames]})
        value = None
    if printed.getvalue():
        outputs.insert(0, {"name": "stdout", "output_type": "stream",
                           "text": lines_of(printed.getvalue())})
    if value is not None:
        outputs.append({"data": shown(value), "execution_count": number,
                        "metadata": {}, "output_type": "execute_result"})
    return outputs


def run(notebook):
    """The notebook with what its cells give."""
    scope, number = {"__name__": "__main__"}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        cell["execution_count"] = number
        cell["outputs"] = outputs_of("".join(cell["source"]), scope, number)
    return notebook


def text_of(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main(path, update):
    with open(path, encoding="utf-8") as file:
        before = file.read()
    notebook = json.loads(before)
    expected_errors = [
        any(out["output_type"] == "error" for out in cell.get("outputs", []))
        for cell in json.loads(before)["cells"]]
    after = text_of(run(notebook))
    for cell, expected in zip(notebook["cells"], expected_errors):
        for out in cell.get("outputs", []):
            if out["output_type"] == "error" and not expected and not update:
                sys.exit("notebook: a cell fails: %s\n%s" % (
                    out["evalue"], "".join(cell["source"])))
    if update:
        place = os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], path)
        with open(place, "w", encoding="utf-8") as file:
            file.write(after)
        print("notebook: written: " + path)
    elif after != before:
        import difflib

        sys.stdout.writelines(line[:200].rstrip("\n") + "\n" for line in
                              difflib.unified_diff(lines_of(before),
                                                   lines_of(after), n=1))
        sys.exit("notebook: it holds other outputs; to write it anew: "
                 "bazel run //tests/python:notebook_test -- --update")
    else:
        print("notebook: %d cells" % len(notebook["cells"]))


if __name__ == "__main__":
    main(sys.argv[2], "--update" in sys.argv[3:])
