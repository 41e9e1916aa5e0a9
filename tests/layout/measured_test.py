#!/usr/bin/env python3
"""Wavefronts of shared memory, as an H200 counted them.

  measured_test.py INDEXICAL MEASURED.json

benchmarks/gpu/measure_shared.py counted.
"""

import json
import subprocess
import sys

TOOL, MEASURED = sys.argv[1:3]


def main():
    with open(MEASURED) as file:
        cases = json.load(file)
    wrong = 0
    for case in cases:
        answer = subprocess.run(
            [TOOL, "layout", *case["layouts"], "--type=" + case["type"],
             "--space=shared", "--format=json"], capture_output=True,
            text=True, check=False)
        figures = json.loads(answer.stdout)["move"]
        for kind, counted in case["counted"].items():
            same = all(figures[key] == counted[key]
                       for key in ("accesses", "wavefronts"))
            if not same:
                print(case["name"], kind, figures, counted)
                wrong += 1
    assert len(cases) >= 20
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
