"""Calls of contract_test that show what only some option or some input shows.

Each function runs calls through a Test, which holds what they print to
docs/keys.md. The modules lie in contract/ beside this file.
"""

import json
import os

from profile_file import Launch
from profile_file import write as write_profile


def many_leaves(folder, count):
    """So many results, each of which reads one of as many parameters: a million
    pairs and more."""
    path = os.path.join(folder, "many.hlo")
    shape = "(%s)" % ", ".join(["f32[4]"] * count)
    write(path, "f { p = %s parameter(0)\n ROOT c = %s copy(p) }\n" % (
        shape, shape))
    return path


def long_maps(folder):
    """A fusion of reshapes and transposes whose cuts do not align: the text of
    its map doubles at every step."""
    cuts = [(30, 40, 252), (16, 135, 140), (27, 100, 112), (36, 75, 112)]
    text = "f {\n  x0 = f32[30,40,252] parameter(0)\n"
    count = 24
    for n in range(count):
        a, b, c = cuts[n % 4]
        after = cuts[(n + 1) % 4]
        text += ("  t%d = f32[%d,%d,%d] transpose(x%d), dimensions={2,0,1}\n"
                 % (n, c, a, b, n))
        text += "  %sx%d = f32[%d,%d,%d] reshape(t%d)\n" % (
            ("ROOT " if n + 1 == count else "", n + 1) + after + (n,))
    path = os.path.join(folder, "long_maps.hlo")
    write(path, text + "}\nENTRY e {\n  p = f32[30,40,252] parameter(0)\n"
          "  ROOT r = f32[30,40,252] fusion(p), kind=kLoop, calls=f\n}\n")
    return path


def check_long_paths(test, folder):
    """The tiles of a chain: their paths have a million names together, and
    behind these each tile says which one it was found behind."""
    count, most = 1500, 1000000
    path = os.path.join(folder, "chain.hlo")
    write(path, "f {\n  n0 = f32[8] parameter(0)\n%s}\n" % "".join(
        "  %sn%d = f32[8] negate(n%d)\n" % ("ROOT " * (n == count), n, n - 1)
        for n in range(1, count + 1)))
    call = ["tile", path, "--tile=2", "--format=json"]
    status, output, errors = test.run(call)
    if status != 0 or "`behind` says" not in errors:
        test.problem(call, "status %d: %s" % (status, errors))
        return
    found = json.loads(output)
    tiles, paths, names = found["tiles"], [], 0
    for number, tile in enumerate(tiles):
        if "path" in tile:
            paths.append(tile["path"])
            names += len(tile["path"])
        else:
            behind = tile["behind"]
            paths.append(paths[behind] + [tiles[behind]["instruction"]])
        above = ["n%d" % (count - k) for k in range(1, number)]
        if tile["instruction"] != "n%d" % (count - number) or (
                paths[-1] != above):
            test.problem(call, "tile %d has another path" % number)
            return
    shown = sum("path" in tile for tile in tiles)
    if len(tiles) != count + 1 or names > most or (
            names + len(paths[shown]) <= most):
        test.problem(call, "%d tiles, %d names" % (len(tiles), names))
    status, output, _ = test.run(call[:-1] + ["--format=jsonl"])
    lines = [line for line in map(json.loads, output.splitlines())
             if line["kind"] == "tile"]
    if status != 0 or len(lines) != len(tiles) or any(
            line.get("path") != tile.get("path") or
            line.get("behind") != tile.get("behind")
            for line, tile in zip(lines, tiles)):
        test.problem(call, "jsonl has other paths")
    # A million names take long to hold to the schema.
    for tile in tiles + lines:
        del tile.get("path", [])[3:]
    documents, of_lines = test.contract.formats["tile"]
    for value, names in [(found, documents)] + [
            (line, of_lines) for line in (lines[0], lines[-1])]:
        for problem in test.contract.problems(
                value, test.definition_of_line(value, names)):
            test.problem(call, problem)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def module(name):
    """The path of a module of contract/."""
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(here, "contract", name)


REDUCER = """NAME {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] NAME(a, b)
}
"""


def check_passes(test, folder):
    """Chains of dumps: documents and lines of equal, different and undecided
    pairs, and of those that cannot be compared."""
    head = "HloModule m\nENTRY e {\n  p = f32[2,3] parameter(0)\n"
    turned = head + "  ROOT t = f32[3,2] transpose(p), dimensions={1,0}\n}\n"
    cut = head + "  ROOT r = f32[3,2] reshape(p)\n}\n"
    unknown = head + ("  ROOT c = f32[3,2] custom-call(p), "
                      "custom_call_target=\"f\"\n}\n")
    smaller = ("HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n"
               "  ROOT n = f32[2] negate(p)\n}\n")
    dumps = [turned, turned, turned.replace("t =", "u ="), cut, unknown, smaller]
    for number, text in enumerate(dumps):
        write(os.path.join(folder, "module_0001.m.%04d.pipe.after_pass-%d."
                           "before_x.txt" % (number, number)), text)
    for options in ([], ["--only=different"], ["--only=undecided,equal"],
                    ["--jobs=1"], ["--jobs=3"]):
        document = test.check("passes", [folder] + options, "json")
        lines = test.check("passes", [folder] + options, "jsonl")
        if not document or not lines:
            test.problem(["passes", folder], "refused")
            continue
        test.check_rows(["passes", folder] + options, document)
        document = document[0]
        heads = ("schema", "version", "chain", "kind")
        pairs = [{k: v for k, v in line.items() if k not in heads}
                 for line in lines if line["kind"] == "pair"]
        kinds = [line["kind"] for line in lines[-2:]]
        if pairs != document["passes"] or kinds != ["chain", "total"]:
            test.problem(["passes"] + options, "jsonl is not json")
        totals = {key: lines[-1][key] for key in document["totals"]}
        if totals != document["totals"] or totals != {
                "dumps": 6, "changed": 4, "equal": 2, "fewer_reads": 0,
                "different": 1, "undecided": 2}:
            test.problem(["passes"] + options, "the sums are %s" % totals)
        if not options and [pair["answer"] for pair in pairs] != [
                "equal", "equal", "different", "undecided", "undecided"]:
            test.problem(["passes"], "the answers are others: %s" % pairs)


def check_values(test, folder):
    """Pairs that laws, values and partitions decide, or leave open."""
    entry = "HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n"
    sharded = "sharding={devices=[2]<=[2]}\n"
    texts = {
        "chosen": entry + "  t = pred[] constant(true)\n"
                  "  n = f32[4] negate(p)\n  c = f32[4] constant({1,2,3,4})\n"
                  "  ROOT s = f32[4] select(t, c, n)\n}\n",
        "folded": entry + "  ROOT c = f32[4] constant({1,2,3,4})\n}\n",
        "negated": entry + "  ROOT n = f32[4] negate(p)\n}\n",
        "same": entry + "  ROOT c = f32[4] copy(p)\n}\n",
        "product": entry + "  n = f32[4] negate(p)\n"
                   "  a = f32[4] add(p, n)\n"
                   "  ROOT m = f32[4] multiply(a, p)\n}\n",
        "factored": entry + "  n = f32[4] negate(p)\n"
                    "  a = f32[4] multiply(p, p)\n"
                    "  b = f32[4] multiply(n, p)\n"
                    "  ROOT m = f32[4] add(a, b)\n}\n",
        "whole": "HloModule m\nENTRY e {\n  p = f32[8] parameter(0), " +
                 sharded + "  ROOT n = f32[8] negate(p), " + sharded + "}\n",
        "parts": entry.replace("(0)\n", "(0), " + sharded) +
                 "  ROOT n = f32[4] negate(p)\n}\n",
        "turned": entry.replace("(0)\n", "(0), " + sharded) +
                  "  ROOT n = f32[4] reverse(p), dimensions={0}\n}\n",
        "told": entry + "  t = token[] after-all()\n"
                "  o = token[] outfeed(p, t)\n"
                "  ROOT c = f32[4] copy(p)\n}\n",
        "drawn": entry + "  o = f32[] constant(0)\n  l = f32[] constant(1)\n"
                 "  ROOT d = f32[4] rng(o, l), distribution=rng_uniform\n}\n",
        "large": "HloModule m\nENTRY e {\n  p = f32[2097152] parameter(0), " +
                 sharded + "  ROOT n = f32[2097152] negate(p), " + sharded +
                 "}\n",
        "large_parts": "HloModule m\nENTRY e {\n  p = f32[1048576] "
                       "parameter(0), " + sharded +
                       "  ROOT n = f32[1048576] copy(p)\n}\n",
        "rows": "HloModule m\nENTRY e {\n  p = s32[65536,20] parameter(0), "
                "sharding={devices=[2,1]<=[2]}\n  z = s32[] constant(0)\n"
                "  ROOT r = s32[65536] reduce(p, z), dimensions={1}, "
                "to_apply=add, " + sharded + "}\n" +
                REDUCER.replace("NAME", "add"),
        "rows_parts": "HloModule m\nENTRY e {\n  p = s32[32768,20] "
                      "parameter(0), sharding={devices=[2,1]<=[2]}\n"
                      "  z = s32[] constant(0)\n  ROOT r = s32[32768] "
                      "reduce(p, z), dimensions={1}, to_apply=xor\n}\n" +
                      REDUCER.replace("NAME", "xor"),
        "sums": entry.replace("f32[4]", "s32[20]") +
                "  z = s32[] constant(0)\n  ROOT r = s32[] reduce(p, z), "
                "dimensions={0}, to_apply=add\n}\n" +
                REDUCER.replace("NAME", "add"),
        "parities": entry.replace("f32[4]", "s32[20]") +
                    "  z = s32[] constant(0)\n  ROOT r = s32[] reduce(p, z), "
                    "dimensions={0}, to_apply=xor\n}\n" +
                    REDUCER.replace("NAME", "xor"),
    }
    texts["drawn_too"] = texts["drawn"].replace("ROOT d", "ROOT again")
    path = {name: os.path.join(folder, name + ".hlo") for name in texts}
    for name, text in texts.items():
        write(path[name], text)
    opened = [module("open_sizes.mlir"), module("open_sizes_after.mlir")]
    for first, second, options, answer in (
            (path["chosen"], path["folded"], [], "fewer reads"),
            (path["same"], path["negated"], [], "equal"),
            (path["same"], path["negated"], ["--values"], "different"),
            (*opened, ["--values"], "equal"),
            (*opened, ["--values", "--budget=10"], "undecided"),
            (path["product"], path["factored"], ["--values"], "undecided"),
            (path["drawn"], path["drawn_too"], ["--values"], "equal"),
            (path["whole"], path["parts"], [], "equal"),
            (path["whole"], path["turned"], [], "different")):
        document = test.check("passes", [first, second] + options, "json")
        lines = test.check("passes", [first, second] + options, "jsonl")
        if not document or not lines:
            test.problem(["passes", first, second], "refused")
        elif [document[0]["passes"][0]["answer"], lines[0]["answer"]] != [
                answer, answer]:
            test.problem(["passes", first, second] + options, answer)
    # A module, and its kernel as it was compiled; once with code that is not
    # known.
    negated = "fneg float %v"
    unknown = 'call float asm "t $0, $1;", "=f,f"(float %v)'
    for number, to in enumerate((negated, unknown)):
        compiled = os.path.join(folder, "compiled%d" % number)
        os.makedirs(compiled, exist_ok=True)
        for name, end in (("modelled.sm_8.0.hlo",
                           ".sm_8.0_gpu_after_optimizations.txt"),
                          ("modelled.ir-with-opt.ll", ".ir-with-opt.ll")):
            with open(module(name), encoding="utf-8") as given:
                write(os.path.join(compiled, "module_0001.m" + end),
                      given.read().replace(negated, to))
        for form in ("json", "jsonl"):
            if not test.check("passes", [compiled], form):
                test.problem(["passes", compiled], "refused")
    test.check_both("equal", [path["same"], path["negated"], "--values"])
    test.check_both("equal", [path["same"], path["told"], "--values"])
    test.check_both("equal", [path["sums"], path["parities"], "--values"])
    for name in ("large", "rows"):
        test.check_both("equal", ["--partitioned", path[name],
                                  path[name + "_parts"]])
    test.check_both("equal", opened + ["--values"])
    test.check_both("equal", [path["product"], path["factored"], "--values"])


def check_special(test, folder):
    """Calls for what only some option or some input shows."""
    for arguments in (
            ["dump", module("kernels.hlo"), "--from=k", "--to=p"],
            ["dump", module("kernels.hlo"), "--instruction=k"],
            ["dump", module("kernels.hlo"), "--index-order=physical"],
            ["dump", module("kernels.hlo"), "--each-way"],
            ["dump", module("ways.hlo"), "--each-way"],
            ["dump", module("places.hlo"), "--precision=cover"],
            ["dump", module("kernels.hlo"), "--element=1,2"],
            ["dump", module("elements.hlo"), "--element=2"],
            ["dump", module("run_conditions.mlir"), "--constraints"],
            ["dump", module("elements.hlo"), "--element=2", "--runtime=i=1"],
            ["dump", module("elements.hlo"), "--element=2",
             "--instruction=many", "--result=1"],
            ["dump", module("elements.hlo"), "--instruction=sum",
             "--element=()"],
            ["dump", module("elements.hlo"), "--instruction=t", "--element=2",
             "--direction=input-to-output"],
            ["dump", module("elements.hlo"), "--instruction=twice",
             "--element=1"],
            ["tile", module("tiles.hlo"), "--instruction=r", "--tile=a,b",
             "--try=2,4", "--try=2,8"],
            ["tile", module("tiles.hlo"), "--instruction=r", "--tile=2,8"],
            ["tile", module("tiles.hlo"), "--instruction=boxes",
             "--tile=4,4"],
            ["tile", module("tiles.hlo"), "--instruction=r", "--search"],
            ["tile", module("spaces.hlo"), "--instruction=d", "--tile=4,5",
             "--steps=3"],
            ["tile", module("spaces.hlo"), "--instruction=d", "--search"],
            ["tile", module("spaces.hlo"), "--instruction=both",
             "--tile=4,3;5,9"],
            ["tile", module("spaces.hlo"), "--instruction=a", "--tile=3,6",
             "--forward"],
            ["tile", module("spaces.hlo"), "--instruction=padded", "--tile=2"],
            ["tile", module("spaces.hlo"), "--instruction=three",
             "--tile=a,b,c", "--try=2,8,1"],
            ["tile", module("spaces.hlo"), "--instruction=started",
             "--tile=2"],
            ["utilization", module("kernels.hlo"), "--tile=8,8", "--at=8,8"],
            ["utilization", module("elements.hlo"), "--instruction=fused",
             "--inside"],
            ["sparsity", module("jacobian.hlo"), "--seeds", "--entries"],
            ["sparsity", module("jacobian.hlo"), "--parameter=1"],
            ["sparsity", module("kernels.hlo")],
            ["sparsity", module("kernels.hlo"), "--seeds"],
            ["sparsity", module("jacobian.hlo"), "--result=0"],
            ["report", module("turned.hlo"), "--cancels", "--live"],
            ["report", module("turned.hlo"), "--cancels", "--live",
             "--group=opcode"],
            ["equal", module("tiles.hlo"), module("other.hlo")],
            ["equal", module("kernels.hlo"), module("kernels.hlo")],
            ["equal", module("meanings.hlo"), module("meanings_after.hlo")],
            ["equal", module("open_sizes.mlir"),
             module("open_sizes_after.mlir")],
            ["sharding", module("sharded.hlo"), "--element=3"],
            ["sharding", module("needs.hlo")],
            ["reshard", "--from={devices=[4,1]<=[4]}",
             "--to={devices=[1,4]<=[4]}", "--global-shape=f32[7,5]"],
            ["reshard", "--from=<@m, [{\"x\"}, {}]>",
             "--to=<@m, [{}, {\"x\"}]>", "--mesh=m=<[\"x\"=4]>",
             "--global-shape=f32[8,8]", "--emit=sdy"],
            ["reshard", "--from={devices=[1,1,2]<=[2] last_tile_dims={"
             "unreduced}}", "--to={devices=[2,1]<=[2]}",
             "--global-shape=pred[8,4]"],
            ["reshard", "--from={replicated}", "--to={devices=[2]<=[2]}",
             "--global-shape=bf16[6]"],
            ["reshard", "--from={devices=[3]<=[3]}", "--to={replicated}",
             "--global-shape=s8[7]", "--emit=stablehlo"],
            ["report", module("needs.hlo")],
            ["sharding", module("resharded.mlir")],
            ["report", module("resharded.mlir")],
            ["report", module("between.hlo")],
            ["report", module("between.hlo"), "--group=op_name",
             "--topology=within 2: 1 GB/s; between: 1 GB/s"],
            ["report", module("rounds.hlo")],
            ["dump", module("between.hlo"), "--devices"],
            ["equal", "--partitioned", module("sharded.hlo"),
             module("sharded_spmd.hlo")],
            ["equal", "--partitioned", module("cut.hlo"),
             module("cut_spmd.hlo")],
            ["equal", "--partitioned", module("sums.hlo"),
             module("sums_spmd.hlo")],
            ["equal", "--partitioned", module("opaque.hlo"),
             module("opaque_others.hlo"), "--partitions=1"],
            ["report", module("kernels.hlo"), "--device=mi300x", "--top=2"],
            ["report", module("kernels.hlo"), "--group=pattern"],
            ["report", module("launches.hlo")],
            ["report", module("modelled.sm_8.0.hlo")],
            ["report", module("moved.hlo")],
            ["report", module("step.sm_8.0.hlo")],
            ["coalescing", module("step.sm_8.0.hlo"), "--instruction=n"],
            ["report", module("moved.hlo"), "--group=array"],
            ["report", module("unknown_indices.hlo")],
            ["report", module("unknown_indices.hlo"), "--group=pattern"],
            ["report", module("launches.hlo"), "--group=emitter"],
            ["report", module("launches.hlo"), "--launch=linear"],
            ["coalescing", module("launches.hlo")],
            ["coalescing", module("kernels.hlo"), "--launch=linear"],
            ["report", module("kernels.hlo"), "--group=source", "--min=1"],
            ["report", module("kernels.hlo"), "--filter=access=write"],
    ):
        if test.check_both(arguments[0], arguments[1:]) is None:
            test.problem(arguments, "refused")
    test.check_both("equal", 2 * [many_leaves(folder, 1001)])
    check_long_paths(test, folder)
    old = os.path.join(folder, "old.json")
    _, text, _ = test.run(["report", module("kernels.hlo"), "--format=json"])
    # Those with a name are gone.
    write(old, text.replace('"op_name":"', '"op_name":"old/'))
    calls = [["report", module("kernels.hlo"), "--baseline=" + old]]
    # A time that was known, another device, and both in one answer.
    step = module("step.sm_8.0.hlo")
    _, text, _ = test.run(["report", step, "--device=h100", "--format=json"])
    earlier = os.path.join(folder, "earlier.json")
    write(earlier, text)
    calls.append(["report", step, "--baseline=" + earlier])
    gone = os.path.join(folder, "gone.json")
    write(gone, text.replace('"shapes":["', '"shapes":["old '))
    calls.append(["report", step, "--baseline=" + gone])
    devices = os.path.join(folder, "devices.hlo")
    with open(step) as file:
        module_text = file.read()
    write(devices, "\n".join("%s\n// %s\n" % (module_text, target)
                             for target in ("sm_80", "gfx942")))
    calls.append(["report", devices])
    calls.append(["report", long_maps(folder)])
    calls += profile_calls(test, folder)
    negate = os.path.join(folder, "negate.hlo")
    write(negate, "f { p = f32[64,32] parameter(0) "
          "ROOT n = f32[64,32] negate(p) }\n")
    for name, index in (("turned", "(th_x, bl_x)"),
                        ("reversed", "(bl_x, 31 - th_x)")):
        path = os.path.join(folder, name + ".map")
        rows = 64 if name == "turned" else 32
        write(path, "(th_x, th_y, th_z, bl_x, bl_y, bl_z) -> %s, domain: "
              "th_x in [0, %d], th_y in [0, 0], th_z in [0, 0], bl_x in "
              "[0, %d], bl_y in [0, 0], bl_z in [0, 0]" % (
                  index, rows - 1, 2048 // rows - 1))
        calls.append(["coalescing", negate, "--thread-map=" + path])
    for call in calls:
        if test.check_both(call[0], call[1:]) is None:
            test.problem(call, "refused")
    maps = {
        "equal": "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 4]"
                 "\n(d0) -> (d0), domain: d0 in [0, 3]",
        "count": HARD,
        "simplify": "(d0) -> (d0), domain: d0 in [0, inf]\nKNOWN EMPTY\n"
                    "UNDEFINED",
        "inverse": "(d0, d1)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 3], "
                   "d1 in [0, 1], s0 in [0, 3], d0 + s0 in [0, 5]",
    }
    for command, text in maps.items():
        path = os.path.join(folder, command + ".maps")
        write(path, text + "\n")
        if test.check_both(command, [path]) is None:
            test.problem([command], "refused")


def profile_calls(test, folder):
    """Reports on profiles, one of them against an earlier one."""
    now = os.path.join(folder, "now.xplane.pb")
    then = os.path.join(folder, "then.xplane.pb")
    for path, slower in ((now, 2), (then, 1)):
        launches = [
            Launch(kernel, op, "launches", 7, start, slower * took,
                   "regs:32 static_shared:4224 dynamic_shared:0 "
                   "grid:512,1,1 block:128,1,1")
            for kernel, op, start, took in (
                ("k", "k", 0, 5000000), ("k", "k", 20000000, 6000000),
                ("l", "l", 40000000, 4000000), ("part", "c", 60000000, 1000000),
                ("rest", "c", 70000000, 1000000))]
        launches.append(Launch("copy", None, start=80000000))
        write_profile(path, launches, {99: ("not_run", b"\x0a\x00")},
                      warnings=["events dropped"])
    hlo = "--hlo=" + module("launches.hlo")
    # Lines of several profiles end with the sums of all.
    several = ["report", now, then, hlo, "--format=jsonl"]
    lines = test.run(several)[1].splitlines()
    for problem in test.contract.problems(json.loads(lines[-1]),
                                          "a-line-of-a-total"):
        test.problem(several, problem)
    earlier = os.path.join(folder, "then.json")
    _, text, _ = test.run(["report", then, hlo, "--format=json"])
    write(earlier, text)
    return [["report", now, hlo], ["report", now, hlo, "--baseline=" + then],
            ["report", now, hlo, "--baseline=" + earlier, "--sort=lost"],
            ["report", now, hlo, "--gpu=0", "--program-id=7", "--first=1"]]

HARD = ("(d0, d1, d2, d3, d4) -> ((d0 * d1 * d2 * d3 + d4 * d1) mod 1000003), "
        "domain: d0 in [0, 1000], d1 in [0, 1000], d2 in [0, 1000], "
        "d3 in [0, 1000], d4 in [0, 1000000]")
