#!/usr/bin/env python3
"""The arrows between folders run one way, as CONTRIBUTING.md says.

    ops/op.cc           #include "indexical/indexing/relation.h"    before it
    indexing/bounds.cc  #include "indexical/ops/op.h"               refused

The order is that in which the first rule of the section "Design" names the
folders. The other rules of that paragraph are APART and ALONE.
"""

import re
import sys

# Of each, only these files use the others: a folder, or the beginning of a path.
APART = {
    "exact": {"ops": ()},
    "hlo": {"stablehlo": (), "analysis": ("analysis/mlir/",)},
    "stablehlo": {"hlo": (), "analysis": ("analysis/mlir/",),
                  "kernel": ("kernel/triton/",)},
    "profile": {"hlo": (), "stablehlo": ()},
}
# All that they use.
ALONE = {"profile": {"wire"}}
INCLUDE = re.compile(r'^#include "indexical/(\w+)/', re.M)


def order_of(page):
    """The folders, in their order."""
    rule = next(line for line in page.splitlines()
                if line.startswith("- Arrows run one way."))
    sentence = rule.split("in this order:")[1].split(". ")[0]
    return [name for name in re.findall(r"`(\w+)/`", sentence)]


def problems(path, text, order):
    """The folders that the file may not use."""
    top = path.split("/")[0]
    if top not in order:
        return
    for used in INCLUDE.findall(text):
        if used == top or used not in order:
            continue
        allowed = APART.get(used, {}).get(top)
        if order.index(used) > order.index(top):
            yield used
        elif allowed is not None and not path.startswith(tuple(allowed)):
            yield used
        elif top in ALONE and used not in ALONE[top]:
            yield used


def self_check(order):
    """The test sees what it is for."""
    def seen(path, used):
        return list(problems(path, f'#include "indexical/{used}/a.h"\n', order))
    refused = [("indexing/a.cc", "ops"), ("ops/a.cc", "exact"),
               ("hlo/a.cc", "stablehlo"), ("stablehlo/import/a.cc", "hlo"),
               ("analysis/use/a.cc", "stablehlo"), ("profile/a.cc", "indexing"),
               ("values/a.cc", "program"), ("kernel/a.cc", "stablehlo")]
    allowed = [("ops/a.cc", "indexing"), ("analysis/mlir/a.cc", "stablehlo"),
               ("tools/a.cc", "hlo")]
    return ([each for each in refused if not seen(*each)] +
            [each for each in allowed if seen(*each)])


def main(page, files):
    with open(page, encoding="utf-8") as file:
        order = order_of(file.read())
    wrong = [f"the test itself: {each}" for each in self_check(order)]
    for path in files:
        with open(path, encoding="utf-8") as file:
            wrong += [f"{path} uses {used}/, which stands behind or apart"
                      for used in problems(path, file.read(), order)]
    print("\n".join(wrong) or f"{len(files)} files, {len(order)} folders")
    return 1 if wrong or len(files) < 300 or len(order) < 15 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
