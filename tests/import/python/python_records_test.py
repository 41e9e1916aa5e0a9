#!/usr/bin/env python3
"""Records that hold both the source of a kernel and the TTIR that Triton made of
it: both are the same kernel.

  TEST INDEXICAL

shared/triton/ has two records of tritonparse. Each compilation is answered
twice, with one grid, arguments and arrays: the source that the record holds,
and its TTIR. Accesses have the same maps, masks and figures, and what is
stored is the same term, as a comparison with a fusion says it. Without
INDEXICAL_CORPUS, beside which the folder is, the test skips.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
HEAD = ("import torch\nimport triton\nimport triton.language as tl\n"
        "from torch._inductor.runtime import triton_helpers, "
        "triton_heuristics\n"
        "from torch._inductor.runtime.triton_helpers import libdevice\n\n")
# Beside where it is, in which text and under which names.
PLACES = ["line", "column", "source", "stack", "instruction", "array"]
FUSION = """HloModule m
f {
  p = f32[SIZE] parameter(0)
  q = f32[SIZE] parameter(1)
  ROOT r = f32[SIZE] OPCODE(p, q)
}
ENTRY e {
  a = f32[SIZE] parameter(0)
  b = f32[SIZE] parameter(1)
  ROOT c = f32[SIZE] fusion(a, b), kind=kLoop, calls=f
}
"""


def without_places(answer):
    if isinstance(answer, dict):
        return {key: without_places(value) for key, value in answer.items()
                if key not in PLACES}
    if isinstance(answer, list):
        return [without_places(value) for value in answer]
    return answer


def run(words):
    done = subprocess.run([TOOL, "kernel"] + words, capture_output=True,
                          text=True, check=False, timeout=120)
    return done, (json.loads(done.stdout) if done.stdout.startswith("{")
                  else None)


def compilations(folder):
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".ndjson"):
            continue
        with open(os.path.join(folder, name)) as file:
            for line in file:
                event = json.loads(line)
                payload = event.get("payload") or {}
                source = payload.get("python_source")
                if event.get("event_type") != "compilation" or not source:
                    continue
                for key, text in payload["file_content"].items():
                    if key.endswith(".ttir"):
                        yield (key[:-5], source["code"], text,
                               payload["metadata"])


def main():
    corpus = os.environ.get("INDEXICAL_CORPUS", "")
    folder = os.path.join(os.path.dirname(corpus.rstrip("/")), "triton")
    if not corpus or not os.path.isdir(folder):
        print("SKIPPED: INDEXICAL_CORPUS has no triton beside it")
        return
    problems, seen = [], 0
    with tempfile.TemporaryDirectory() as temporary:
        for name, code, ttir, metadata in compilations(folder):
            seen += 1
            block = re.search(r"make_range \{end = (\d+)", ttir).group(1)
            # The TTIR is of multiples of 16, or of this size alone.
            alone = re.search(r"xnumel = (\d+)", code)
            size = int(alone.group(1)) if alone else 5008
            paths = {}
            for end, text in (("py", HEAD + code), ("ttir", ttir)):
                paths[end] = os.path.join(temporary, "%s.%s" % (name, end))
                with open(paths[end], "w") as file:
                    file.write(text)
            header = re.search(r"def %s\((.*?)\):" % name, code, re.S)
            names = [each.split(":")[0].strip()
                     for each in header.group(1).split(",") if each.strip()]
            words = {}
            for end in paths:
                # The TTIR numbers its arguments.
                own = [n if end == "py" else "arg%d" % k
                       for k, n in enumerate(names[:4])]
                words[end] = ["--device=h100",
                              "--grid=%d" % -(-size // int(block)),
                              "--arg=%s=%d" % (own[3], size),
                              "--num-warps=%d" % metadata["num_warps"]]
                words[end] += ["--shape=%s=f32[%d]" % (p, size)
                               for p in own[:3]]
            constant = re.search(r"(\w+) ?: tl.constexpr", code).group(1)
            python = ["--const=%s=%s" % (constant, block)]
            if "autotune" in code:  # every configuration has these constants
                code_once = re.sub(r"@triton.autotune\(.*?\n\)\n", "", code,
                                   flags=re.S)
                with open(paths["py"], "w") as file:
                    file.write(HEAD + code_once)
            found = {}
            for end in paths:
                done, document = run(
                    ["--format=json", paths[end]] + words[end] +
                    (python if end == "py" else []))
                if not document:
                    problems.append("%s.%s: %s" % (name, end, done.stderr))
                    break
                accesses = document["reads"] + document["writes"]
                found[end] = [{key: value for key, value in access.items()
                               if key not in PLACES} for access in accesses]
                for access in found[end]:
                    # Triton drops a mask that is always true.
                    if access["mask"] == "exact":
                        access["mask"] = "none"
                found[end].append([document.get(key) for key in (
                    "written_once", "in_bounds", "predicted_us")])
            if len(found) < 2:
                continue
            if len(found["py"]) < 4 or found["py"] != found["ttir"]:
                problems.append("%s: %s is not %s" % (
                    name, *([each for each in found[a] if each not in found[b]]
                            for a, b in (("py", "ttir"), ("ttir", "py")))))
            # What it stores is a sum, and no product.
            for op, status in (("add", 0), ("multiply", 3)):
                fusion = os.path.join(temporary, "fusion.hlo")
                with open(fusion, "w") as file:
                    file.write(FUSION.replace("SIZE", str(size))
                               .replace("OPCODE", op))
                said = []
                for end in paths:
                    done, document = run(
                        ["--format=json", "--of=" + fusion + "#c", paths[end]] +
                        words[end] + (python if end == "py" else []))
                    said.append((done.returncode,
                                 without_places((document or {}).get("of"))))
                    if not document:
                        print(done.stderr)
                if said[0] != said[1] or said[0][0] != status:
                    problems.append("%s of %s: %s" % (name, op, said))
    print("%d compilations" % seen)
    if problems or seen < 8:
        for problem in problems:
            print(problem)
        sys.exit(1)


main()
