#!/usr/bin/env python3
"""Kernels of Triton's and its forks' own tests: nearly all of them are read.

  foreign_kernels_test.py INDEXICAL MOST

Where INDEXICAL_CORPUS names the folder, every function with a body of the files
beside it (../foreign) is read. At most MOST percent are refused as a whole, and
nothing ends by a signal.
"""

import glob
import os
import re
import subprocess
import tempfile

from kernel_test_call import CORPUS, COUNT, TOOL, end, problem

FUNCTION = re.compile(r"tt\.func\s+(?:public\s+|private\s+)?@([\w.$-]+)")


def refusal(path, name):
    """Why the function is refused, or an empty text."""
    done = subprocess.run(
        [TOOL, "kernel", path, "--function=" + name, "--grid=2",
         "--num-warps=4", "--budget=1000"], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3, 4):
        problem("%s, %s: status %d\n%s" % (path, name, done.returncode,
                                           done.stderr))
    return done.stderr if done.returncode == 1 else ""


def check(files, folder):
    count, refused = 0, []
    for file in files:
        with open(file) as text:
            sections = re.split(r"^// -----.*$", text.read(), flags=re.M)
        for section in sections:
            path = os.path.join(folder, "section.ttgir")
            with open(path, "w") as out:
                out.write(section)
            for name in dict.fromkeys(FUNCTION.findall(section)):
                count += 1
                if why := refusal(path, name):
                    refused.append((os.path.basename(file), name, why))
    print("%d functions of %d files, %d refused" % (count, len(files),
                                                    len(refused)))
    if len(refused) * 100 > COUNT * count:
        problem("\n".join("%s, %s: %s" % each for each in refused))


files = [] if not CORPUS else [
    path for path in sorted(glob.glob(os.path.join(CORPUS, "../foreign/*")))
    if path.endswith(".mlir") and "tt.func" in open(path).read()]
if files:
    with tempfile.TemporaryDirectory() as place:
        check(files, place)
else:
    print("SKIPPED: INDEXICAL_CORPUS names no folder with foreign kernels")
end()
