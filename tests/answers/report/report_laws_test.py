#!/usr/bin/env python3
"""Laws of reports that hold whatever the modules are.

    report_laws_test.py INDEXICAL MODULE...

- What is avoidable of a group is the sum over its kernels, found here from the
  report without groups; so it is with a filter, and in every format.
- No more is avoidable than a kernel takes, in the digits that are printed.
- A comparison with an earlier report has the times of both: the sums here are
  over the two reports. A report against itself has not changed.
- The modules of a file that were compiled for different devices have the
  figures that each has alone.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

TOOL, MODULES = sys.argv[1], sys.argv[2:]
problems = []


def problem(text):
    problems.append(text)
    print(text)


def run(words, form="json"):
    # All kernels, as JSON lines and the table have.
    every = ["--top=all"] if form == "json" else []
    done = subprocess.run([TOOL, "report", "--format=" + form] + every + words,
                          capture_output=True, text=True)
    if done.returncode != 0:
        problem("%s: status %d\n%s" % (words, done.returncode, done.stderr))
    return done.stdout


def report(words):
    return json.loads(run(words) or "{}")


def near(a, b):
    """Whether two sums of numbers with six digits behind the point are one."""
    return abs(a - b) <= 1e-4 + 1e-9 * max(abs(a), abs(b))


# The names under which a kernel's accesses stand, by the key of groups.
NAMES = {
    "opcode": lambda kernel, access: kernel["opcode"],
    "computation": lambda kernel, access: kernel["computation"],
    "emitter": lambda kernel, access: kernel.get("emitter", ""),
    "op_name": lambda kernel, access: access.get("op_name", ""),
}


def check_groups(module, options=()):
    words = [module] + list(options)
    kernels = report(words)["kernels"]
    for kernel in kernels:
        if (kernel.get("avoidable_us", 0) >
                kernel.get("predicted_us", float("inf")) * kernel["trips"] *
                (1 + 1e-12)):
            problem("%s: more is avoidable than it takes: %s" % (words, kernel))
    for key, name_of in NAMES.items():
        wanted = {}
        for kernel in kernels:
            names = {name_of(kernel, access)
                     for access in kernel["reads"] + kernel["writes"]}
            for name in names:
                count, total = wanted.get(name, (0, 0))
                wanted[name] = (count + 1,
                                total + kernel.get("avoidable_us", 0))
        groups = report(words + ["--group=" + key])["groups"]
        found = {group["name"]: (group["kernels"], group["avoidable_us"])
                 for group in groups}
        if set(found) != set(wanted) or any(
                found[name][0] != wanted[name][0] or
                not near(found[name][1], wanted[name][1]) for name in wanted):
            problem("%s by %s: %s is not %s" % (words, key, found, wanted))
        rows = list(csv.DictReader(
            run(words + ["--group=" + key], "csv").splitlines()))
        if [(row["name"], float(row["avoidable_us"])) for row in rows] != [
                (group["name"], float("%.10g" % group["avoidable_us"]))
                for group in groups]:
            problem("%s by %s: CSV is not JSON" % (words, key))
        order = [group["avoidable_us"] for group in report(
            words + ["--group=" + key, "--sort=avoidable"])["groups"]]
        if order != sorted(order, reverse=True):
            problem("%s by %s: not in order" % (words, key))
    return len(kernels)


def check_baseline(module, folder):
    then = os.path.join(folder, "then.json")
    was = report([module, "--device=v100"])
    with open(then, "w") as file:
        json.dump(was, file)
    now = report([module, "--device=h100", "--baseline=" + then])
    changes = now["changes"]
    key = lambda kernel: (kernel["computation"], kernel["instruction"])
    old = {key(kernel): kernel for kernel in was["kernels"]}
    sums = {"predicted_us": [0, 0], "avoidable_us": [0, 0]}
    for kernel in now["kernels"]:
        before = old[key(kernel)]
        if kernel["was"].get("instruction") != before["instruction"]:
            continue  # another kernel of its op and shapes
        for name in ("predicted_us", "avoidable_us", "trips"):
            if kernel["was"].get(name) != before.get(name):
                problem("%s: %s was %s, not %s" % (
                    kernel["instruction"], name, kernel["was"].get(name),
                    before.get(name)))
    for each, reports in ((0, now), (1, was)):
        for kernel in reports["kernels"]:
            if "predicted_us" in kernel:
                sums["predicted_us"][each] += (kernel["predicted_us"] *
                                               kernel["trips"])
            sums["avoidable_us"][each] += kernel.get("avoidable_us", 0)
    for name, (today, before) in sums.items():
        if not near(changes[name], today) or not near(changes["was_" + name],
                                                      before):
            problem("%s: the sums of %s are %s and %s, not %s and %s" % (
                module, name, changes[name], changes["was_" + name], today,
                before))
    # Nothing changes where nothing did.
    with open(then, "w") as file:
        json.dump(report([module]), file)
    same = report([module, "--baseline=" + then])["changes"]
    for name in ("predicted_us", "avoidable_us"):
        if same[name] != same["was_" + name]:
            problem("%s: %s changed by itself: %s" % (module, name, same))
    text = run([module, "--baseline=" + then, "--top=1000"], "text")
    if text.count("as before") != len(now["kernels"]):
        problem("%s: not all is as before:\n%s" % (module, text))
    # JSON lines are a baseline, too.
    with open(then, "w") as file:
        file.write(run([module], "jsonl"))
    lines = report([module, "--baseline=" + then])["changes"]
    if lines != same:
        problem("%s: against lines %s, not %s" % (module, lines, same))


def check_devices(folder):
    """Modules of one file, each as alone."""
    targets = ["sm_80", "sm_90", "gfx942"]
    texts = []
    for number, module in enumerate(MODULES):
        with open(module) as file:
            texts.append("%s\n// %s\n" % (file.read(),
                                         targets[number % len(targets)]))
    path = os.path.join(folder, "all.hlo")
    with open(path, "w") as file:
        file.write("\n".join(texts))
    together = report([path])
    for number, text in enumerate(texts):
        own = os.path.join(folder, "own.hlo")
        with open(own, "w") as file:
            file.write(text)
        alone = report([own])
        said = together["module_devices"][number]
        if said["module"] != number or any(
                said[key] != alone[key] for key in ("device", "device_by")):
            problem("module %d has the device %s" % (number, said))
        kernels = [kernel for kernel in together["kernels"]
                   if kernel.get("module") == number]
        for kernel in kernels:
            if kernel.pop("device") != alone["device"]["name"]:
                problem("%d: %s" % (number, kernel["instruction"]))
        for kernel in kernels + alone["kernels"]:
            # Numbers among all modules, and of classes over all.
            for key in ("module", "line", "alike", "share_of_all"):
                kernel.pop(key, None)
        sort = lambda each: (each["computation"], each["instruction"])
        if sorted(kernels, key=sort) != sorted(alone["kernels"], key=sort):
            problem("module %d: its kernels are not those that it has alone" %
                    number)
    one = report([path, "--device=h100"])
    if "module_devices" in one or any("device" in kernel
                                      for kernel in one["kernels"]):
        problem("a device that is named is not that of all")


with tempfile.TemporaryDirectory() as folder:
    count = 0
    for module in MODULES:
        count += check_groups(module)
        count += check_groups(module, ["--filter=access=write"])
        check_baseline(module, folder)
    check_devices(folder)
    print("%d kernels of %d modules" % (count, len(MODULES)))
    if count < 10:
        problem("too few kernels")
sys.exit(1 if problems else 0)
