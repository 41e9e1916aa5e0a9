"""What tests of kernels begin with: the words of the call, and problems.

  TEST INDEXICAL RANDOM_KERNELS [FIRST_SEED]
"""

import os
import sys

TOOL, COUNT = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 46
CORPUS = os.environ.get("INDEXICAL_CORPUS", "")
problems = []


def problem(text):
    problems.append(text)
    print(text)


def end():
    sys.exit(1 if problems else 0)
