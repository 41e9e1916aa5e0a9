#!/usr/bin/env python3
"""indexical.h includes few headers of ours: who includes it waits for them all.

  umbrella_test.py INDEXICAL.H MOST
"""

import os
import re
import sys

INCLUDE = re.compile(r'^#include "indexical/([^"]+)"', re.M)


def headers_of(header, root, found):
    """Adds the header, and all that it includes, with the one that includes it."""
    with open(os.path.join(root, header), encoding="utf-8") as file:
        for each in INCLUDE.findall(file.read()):
            if each not in found:
                found[each] = header
                headers_of(each, root, found)
    return found


def main(umbrella, most):
    root, name = os.path.split(umbrella)
    found = headers_of(name, root, {})
    print("%s includes %d headers, at most %s" % (name, len(found), most))
    if not found:
        return 1
    if len(found) > int(most):
        print("\n".join("  %s, by %s" % each for each in found.items()))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
