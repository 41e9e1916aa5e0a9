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
    "import": {"same": ("same/mlir/",), "cost": ("cost/profile/",)},
}
# The folders of a room, in their order.
INSIDE = {"program": ["check", "module", "values", "sharding", "maps", "kernel"]}
# What a front end uses of the others.
FRONT_ENDS = {
    "hlo": {"wire"},
    "profile": {"wire"},
    "stablehlo": {"wire"},
    "triton": {"wire", "stablehlo"},
    "wire": set(),
}
# All rooms that they use.
ALONE = {"import/profile": {"import"}}
INCLUDE = re.compile(r'^#include "indexical/(\w+)/(\w+)(?=/)?', re.M)


def order_of(page):
    """The folders, in their order."""
    rule = next(line for line in page.splitlines()
                if line.startswith("- Arrows run one way."))
    sentence = rule.split("in this order:")[1].split(". ")[0]
    return [name for name in re.findall(r"`(\w+)/`", sentence)]


def problems(path, text, order):
    """The folders that the file may not use."""
    top, _, rest = path.partition("/")
    inner = rest.partition("/")[0]
    if top not in order:
        return
    for used, part in INCLUDE.findall(text):
        if used not in order:
            continue
        if used == top:
            parts = INSIDE.get(top)
            if parts and parts.index(part) > parts.index(inner):
                yield f"{used}/{part}"
            if top == "import" and part != inner and (
                    part not in FRONT_ENDS[inner]):
                yield f"{used}/{part}"
            continue
        allowed = APART.get(used, {}).get(top)
        alone = ALONE.get(f"{top}/{inner}")
        if order.index(used) > order.index(top):
            yield used
        elif allowed is not None and not path.startswith(tuple(allowed)):
            yield used
        elif alone is not None and used not in alone:
            yield used


def self_check(order):
    """The test sees what it is for."""
    def seen(path, used):
        return list(problems(path, f'#include "indexical/{used}/a.h"\n', order))
    refused = [("indexing/a.cc", "ops/core"), ("ops/a.cc", "exact/a"),
               ("import/hlo/a.cc", "import/stablehlo"),
               ("import/stablehlo/import/a.cc", "import/hlo"),
               ("cost/use/a.cc", "import/stablehlo"),
               ("import/profile/a.cc", "indexing/a"),
               ("program/values/a.cc", "program/maps"),
               ("same/values/a.cc", "cost/use"),
               ("import/triton/a.cc", "same/values")]
    allowed = [("ops/a.cc", "indexing/a"), ("same/mlir/a.cc", "import/stablehlo"),
               ("cost/use/a.cc", "same/values"), ("tools/a.cc", "import/hlo")]
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
    return 1 if wrong or len(files) < 300 or len(order) < 14 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
