#!/usr/bin/env python3
"""Answers about programs: reports, tiles and the others, as values."""

import json
import pathlib
import re
import sys
import tempfile
import unittest

import built

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "command"))
from profile_file import Launch  # noqa: E402
from profile_file import write as write_profile  # noqa: E402

built.use(sys.argv[1])
import indexical  # noqa: E402
from indexical import Program, answers  # noqa: E402

EXAMPLES = sys.argv[2:]

FUSION = """HloModule m, is_scheduled=true
f {
  p = f32[64,128] parameter(0)
  t = f32[128,64] transpose(p), dimensions={1,0}
  ROOT s = f32[64,64] slice(t), slice={[0:128:2], [0:64]}
}
ENTRY e {
  x = f32[64,128] parameter(0)
  ROOT r = f32[64,64] fusion(x), kind=kLoop, calls=f
}
"""

SHIFT = """HloModule shift, is_scheduled=true
f {
  a = s32[4] parameter(0)
  s = s32[3] slice(a), slice={[0:3]}
  t = s32[3] copy(s)
  one = s32[] constant(1)
  ROOT u = s32[4] dynamic-update-slice(a, t, one)
}
ENTRY e {
  p = s32[4] parameter(0)
  ROOT r = s32[4] fusion(p), kind=kLoop, calls=f
}
"""


def whole(words):
    """The call whose document has all that an object of Python has."""
    if words[0] != "report":
        return words
    has_top = any(word.startswith("--top") for word in words)
    return words + ["--maps"] + ([] if has_top else ["--top=all"])


class Analyses(unittest.TestCase):

    def test_documents_hold_what_the_command_prints(self):
        """An object, turned back, is the document."""
        for path in EXAMPLES:
            program = Program(pathlib.Path(path))
            for words, made in [
                    (["report", "--sort=wasted"],
                     indexical.report(program, sort="wasted")),
                    (["report", "--launch=xla", "--top=3", "--sort=moved"],
                     indexical.report(program, launch="xla", top=3,
                                      sort="moved")),
                    (["report", "--group=opcode"],
                     indexical.report(program, group="opcode"))]:
                text = indexical._indexical.call(
                    whole(words) + ["--format=json"], program)
                self.assertEqual(made.to_dict(), json.loads(text))

    def test_analyses_say_what_the_command_prints(self):
        call = indexical._indexical.call
        threads = ("(th_x, th_y, th_z, bl_x, bl_y, bl_z) -> (bl_x, th_x), "
                   "domain: th_x in [0, 7], th_y in [0, 0], th_z in [0, 0], "
                   "bl_x in [0, 7], bl_y in [0, 0], bl_z in [0, 0]")
        for path in EXAMPLES:
            program = Program(pathlib.Path(path))
            for words, made in [
                    (["tile"], lambda: indexical.tile(program)),
                    (["tile", "--forward"],
                     lambda: indexical.tile(program, forward=True)),
                    (["tile", "--search", "--top=3", "--shared=48kB",
                      "--device=a100"],
                     lambda: indexical.tile(program, search=True, top=3,
                                            shared="48kB", device="A100")),
                    (["utilization", "--inside"],
                     lambda: indexical.utilization(program, inside=True)),
                    (["utilization", "--tile=2,1", "--at=1,0"],
                     lambda: indexical.utilization(program, tile=[2, 1],
                                                   at=(1, 0))),
                    (["utilization", "--thread-map=" + threads,
                      "--at-block=1"],
                     lambda: indexical.utilization(
                         program, thread_map=threads, at_block=1)),
                    (["coalescing", "--device=a100", "--launch=linear"],
                     lambda: indexical.coalescing(program, device="a100",
                                                  launch="linear")),
                    (["report", "--cancels", "--live", "--min=1kB"],
                     lambda: indexical.report(program, cancels=True, live=True,
                                              min="1kB", sort="wasted")),
                    (["report", "--filter=op_name=*a*", "--sort=moved"],
                     lambda: indexical.report(program, sort="moved",
                                              filter="op_name=*a*"))]:
                with self.subTest(path=path, words=words):
                    if words[0] == "report" and "--sort=moved" not in words:
                        words.append("--sort=wasted")
                    try:
                        document = json.loads(
                            call(whole(words) + ["--format=json"], program))
                    except indexical.Error as error:
                        with self.assertRaises(indexical.Error) as raised:
                            made()
                        self.assertEqual(raised.exception.line, error.line)
                        continue
                    answer = made()
                    self.assertEqual(answer.to_dict(), document)
                    self.assertEqual(str(answer),
                                     call(words, program).decode())

    def test_report(self):
        report = indexical.report(FUSION, device="a100")
        self.assertIsInstance(report, answers.Report)
        kernel, = report.kernels
        self.assertEqual((kernel.instruction, kernel.emitter), ("r", "loop"))
        self.assertEqual(kernel.reads[0].instruction, "x")
        self.assertEqual(report.device.name, "a100")
        page = report._repr_html_()
        self.assertIn("iframe", page)
        self.assertIn("&lt;!doctype html&gt;", page.lower())
        later = indexical.report(FUSION, device="a100", baseline=report)
        self.assertEqual(later.kernels[0].was.instruction, "r")

    def test_coalescing(self):
        report = indexical.coalescing(
            FUSION, thread_map="(th_x, th_y, th_z, bl_x, bl_y, bl_z) -> "
            "(bl_x, th_x), domain: th_x in [0, 63], th_y in [0, 0], "
            "th_z in [0, 0], bl_x in [0, 63], bl_y in [0, 0], bl_z in [0, 0]")
        self.assertEqual(report.kernels[0].launch, "own")
        # A lane in each of 64 rows: a sector each.
        self.assertEqual(report.kernels[0].reads[0].sectors, 64 * 64)

    def check_spaces(self):
        text = ("f { a = f32[16,8] parameter(0)  b = f32[8,4] parameter(1)\n"
                "ROOT d = f32[16,4] dot(a, b), lhs_contracting_dims={1}, "
                "rhs_contracting_dims={0} }")
        space = indexical.TileSpace(text, "d").sizes(4, 2).step("d", 0, 2)
        behind = space.behind()
        self.assertEqual(behind.tiles[-1].offsets, ["o0", "k0"])
        self.assertEqual(behind.steps[0].extent, 8)
        self.assertEqual(
            indexical.tile(text, tile=[4, 2], steps=2).tiles[-1].full,
            ["4", "2"])
        forward = indexical.TileSpace(text, "a").sizes(4, 2).forward()
        self.assertEqual(forward.direction, "input-to-output")
        self.assertEqual(forward.tiles[-1].sizes, ["4", "4"])
        found = indexical.TileSpace(text).search(device="a100").found[0]
        self.assertEqual(len(found.steps), 1)
        with self.assertRaises(indexical.Error):
            indexical.TileSpace(text, "a").sizes(4).behind()

    def test_tile(self):
        tiles = indexical.tile(FUSION, tile=[2, "b"], tries=[[4], [8]])
        self.assertIsInstance(tiles, answers.Tiles)
        self.assertEqual(tiles.tiles[-1].sizes, ["b", "2"])
        self.assertEqual(tiles.tiles[-1].strides, ["1", "2"])
        self.assertEqual(tiles.fits, [[4], [8]])
        self.assertIsNone(tiles._repr_svg_())
        self.assertTrue(indexical.tile(FUSION, tile=[2, 4])._repr_svg_()
                        .startswith("<svg"))
        self.check_spaces()
        search = indexical.tile(FUSION, search=True, top=1)
        self.assertIsInstance(search, answers.TileSearch)
        self.assertEqual(len(search.found), 1)

    def test_utilization(self):
        used = indexical.utilization(FUSION, tile=[8, 16])
        self.assertEqual(used.operands[0].distinct, 128)
        self.assertIsNone(used.inside)
        inside = indexical.utilization(FUSION, inside=True).inside
        self.assertIn("t", [each.instruction for each in inside])

    def test_equal(self):
        self.assertEqual(indexical.equal(FUSION, FUSION).answer, "equal")
        other = FUSION.replace("[0:128:2]", "[1:128:2]")
        different = indexical.equal(FUSION, other)
        self.assertEqual(different.answer, "different")
        self.assertEqual(different.pairs[0].witness.only_in, "first")

    def test_hazards(self):
        found = indexical.hazards(SHIFT, shares="r{}=0{}")
        self.assertEqual(found.counts["hazard"], 1)
        printed = json.loads(indexical._indexical.call(
            ["hazards", "--share=r{}=0{}", "--format=json"], Program(SHIFT)))
        self.assertEqual(found.to_dict(), printed)
        place, = found.places
        self.assertEqual(place.answer, "hazard")
        self.assertEqual(place.witness.writer.index, [1])
        negated = SHIFT.replace("copy(s)", "negate(s)").replace(
            "constant(1)", "parameter(1)").replace("0:3", "1:3").replace(
                "s32[3]", "s32[2]").replace("fusion(p)", "fusion(p, k)")
        negated = negated.replace("parameter(0)\n  ROOT r",
                                  "parameter(0)\n  k = s32[] parameter(1)\n"
                                  "  ROOT r")
        place, = indexical.hazards(negated, shares=["r{}=0{}"]).places
        self.assertEqual(place.answer, "safe if")
        self.assertEqual([each.expression for each in place.conditions[0]],
                         [place.runtime[0].name])
        with self.assertRaises(indexical.Error):
            indexical.hazards(SHIFT, shares="q{}=0{}")
        with self.assertRaisesRegex(indexical.Error, "array of its result"):
            indexical.hazards(SHIFT, shares="r")

    def test_values(self):
        self.assertEqual(indexical.equal(FUSION, FUSION, values=True).level,
                         "values")
        twice = "e { x = s32[4] parameter(0) ROOT r = s32[4] add(x, x) }"
        other = twice.replace("add", "multiply")
        self.assertEqual(indexical.equal(twice, other).answer, "equal")
        values = indexical.equal(twice, other, values=True)
        self.assertEqual(values.answer, "different")
        self.assertEqual(values.values[0].result, 0)
        self.assertEqual(values.values[0].second, "x[i] * x[i]")
        self.assertEqual(indexical.equal(twice, twice, values=True,
                                         float_laws="real").answer, "equal")

    def test_equality_is_the_commands(self):
        tables = "e { x = s32[4] parameter(0) ROOT r = s32[4] %s }"
        texts = [FUSION, FUSION.replace("[0:128:2]", "[1:128:2]"),
                 tables % "add(x, x)", tables % "multiply(x, x)",
                 tables % 'custom-call(x), custom_call_target="a"',
                 tables % 'custom-call(x), custom_call_target="b"']
        for first, second, options in (
                (0, 0, {}), (0, 1, {}), (0, 1, {"values": True}),
                (2, 3, {"values": True}), (4, 5, {}),
                (4, 5, {"values": True, "float_laws": "reassociate"}),
                (2, 2, {"map_parameters": [0], "budget": 1000})):
            programs = Program(texts[first]), Program(texts[second])
            found = indexical.equal(*programs, **options)
            words = ["equal"] + [
                "--" + key.replace("_", "-") +
                ("" if value is True else "=%s" % (
                    value if not isinstance(value, list) else value[0]))
                for key, value in options.items()]
            self.assertEqual(found.to_dict(), json.loads(
                indexical._indexical.call(words + ["--format=json"],
                                          *programs)))
            self.assertEqual(
                str(found),
                indexical._indexical.call(words, *programs).decode())
        with self.assertRaisesRegex(indexical.Error, "go with `values`"):
            indexical.equal(FUSION, FUSION, float_laws="no-nan")
        with self.assertRaises(indexical.Error):
            indexical.equal(texts[0], texts[2])

    def test_passes(self):
        with tempfile.TemporaryDirectory() as folder:
            other = FUSION.replace("[0:128:2]", "[1:128:2]")
            for step, text in enumerate((FUSION, FUSION, other)):
                path = "%s/module_0001.f.%04d.p.after_x%d.txt" % (folder, step,
                                                                  step)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            chains = indexical.passes(folder)
            self.assertEqual([chain.chain for chain in chains],
                             ["module_0001.f"])
            chain = chains[0]
            self.assertEqual([(pair.pass_, pair.answer)
                              for pair in chain.passes],
                             [("x1", "equal"), ("x2", "different")])
            call = indexical._indexical.call
            self.assertEqual(chain.to_dict(), json.loads(
                call(["passes", "--format=json", folder])))
            # The command writes the name of the chain above it.
            self.assertIn("# module_0001.f\n%s\n" % chain,
                          call(["passes", folder]).decode())
            only = indexical.passes(folder, only=["different"], values=True)
            self.assertEqual(only[0].to_dict(), json.loads(call(
                ["passes", "--format=json", "--only=different", "--values",
                 folder])))
            with self.assertRaisesRegex(indexical.Error, "`only`"):
                indexical.passes(folder, only="nothing")
            self.assertTrue(chain.passes[0].from_.endswith("after_x0.txt"))
            self.assertEqual((chain.first, chain.totals.different), ("x2", 1))
            self.assertEqual(
                len(indexical.passes(folder, only=["different"])[0].passes), 1)
        with self.assertRaises(indexical.Error):
            indexical.passes("/nowhere")
        with self.assertRaises(indexical.Error):
            indexical.passes()

    def test_pictures(self):
        program = Program(FUSION)
        for picture in (indexical.draw(program), indexical.draw(
                program, tile=[2, 2]), indexical.draw(program, warp=0)):
            self.assertTrue(str(picture).startswith("<svg"))
        self.assertEqual(program["f"]["t"]._repr_svg_(),
                         str(indexical.draw(program, computation="f",
                                            instruction="t")))

    def test_pictures_are_those_of_the_command(self):
        program, of_text = Program(FUSION), indexical._indexical.call
        turned = indexical.Map("(d0, d1){rt0} -> (d1 * 2, d0 + rt0), domain: "
                               "d0 in [0, 4], d1 in [0, 6], rt0 in [2, 5]")
        empty = {"sharding": "{devices=[4,1]<=[4]}", "global_shape": "f32[8,3]"}
        for source, words, keywords in [
                (program, [], {}),
                (program, ["--computation=f", "--instruction=%t"],
                 {"computation": "f", "instruction": "%t"}),
                (program, ["--element=1,2", "--operand-dims=1,0"],
                 {"element": (1, 2), "operand_dims": "1,0"}),
                (program, ["--tile=2,2", "--at=2,4", "--dims=1"],
                 {"tile": [2, 2], "at": [2, 4], "dims": 1}),
                (program, ["--warp=1", "--device=a100", "--launch=linear"],
                 {"warp": 1, "device": "a100", "launch": "linear"}),
                (program, ["--warp=worst"], {"warp": "worst"}),
                (turned, [], {}),
                (turned, ["--element=3,1", "--runtime=rt0=4"],
                 {"element": "(3, 1)", "runtime": {"rt0": 4}}),
                (turned, ["--tile=2,3", "--at=2,3"],
                 {"tile": [2, 3], "at": [2, 3]}),
                (turned.inverse(), ["--runtime=rt0=4"],
                 {"runtime": {"rt0": 4}}),
                (None, ["--sharding=" + empty["sharding"],
                        "--global-shape=" + empty["global_shape"]], empty)]:
            sources = [] if source is None else [
                source if source is program else str(source)]
            with self.subTest(words=words):
                self.assertEqual(
                    str(indexical.draw(source, **keywords)),
                    of_text(["draw"] + words, *sources).decode())

    def test_wrong_pictures(self):
        program = Program(FUSION)
        a_map = indexical.Map("(d0) -> (d0), domain: d0 in [0, 3]")
        for wrong, source, keywords in [
                ("`steps`", program, {"steps": 4}),
                ("`element`", program, {"element": [0, 0], "tile": [1, 1]}),
                ("`element`", program, {"element": "(0, 0"}),
                ("one dimension", program, {"dims": [0, 1, 0]}),
                ("no dimension 7", program, {"dims": [7]}),
                ("`warp`", program, {"warp": "first"}),
                ("`warp`", program, {"warp": -1}),
                ("`warp`", a_map, {"warp": 0}),
                ("`sharding`", program, {"global_shape": "f32[2]"}),
                ("one array", None, {"global_shape": "(f32[2], f32[4])",
                                     "sharding": "{{replicated}, "
                                                 "{replicated}}"}),
                ("source", None, {})]:
            with self.subTest(keywords), self.assertRaisesRegex(
                    indexical.Error, wrong):
                indexical.draw(source, **keywords)

    def test_wrong_options(self):
        with self.assertRaisesRegex(indexical.Error, "h100"):
            indexical.report(FUSION, device="h1000")
        with self.assertRaises(indexical.Error):
            indexical.tile(FUSION, tile=[0, 0])
        with self.assertRaises(indexical.Error):
            indexical.report(FUSION, thread_map="(d0) -> (d1)")
        for wrong, call in [
                ("`sort`", lambda: indexical.report(FUSION, sort="size")),
                ("`group`", lambda: indexical.report(FUSION, group="instruction")),
                ("`filter`", lambda: indexical.report(FUSION, filter="x")),
                ("`min`", lambda: indexical.report(FUSION, min="ten")),
                ("`launch`", lambda: indexical.report(FUSION, launch="cuda")),
                ("`partitions`",
                 lambda: indexical.report(FUSION, partitions=0)),
                ("`gpu`", lambda: indexical.report(FUSION, gpu=[0])),
                ("`tile`", lambda: indexical.tile(FUSION, tile=["o0"])),
                ("`one_operand`",
                 lambda: indexical.tile(FUSION, one_operand=True)),
                ("`search`", lambda: indexical.tile(FUSION, top=3)),
                ("`steps`", lambda: indexical.tile(FUSION, steps={"d:x": 2})),
                ("`at`", lambda: indexical.utilization(FUSION, at=[1])),
                ("`at_block`",
                 lambda: indexical.utilization(FUSION, at_block=[1]))]:
            with self.subTest(wrong), self.assertRaisesRegex(indexical.Error,
                                                            wrong):
                call()

    def test_every_option_has_a_keyword(self):
        import inspect
        ours = {"try": "tries", "share": "shares"}
        # Said by the source, by the class that comes back, or not for it.
        without = {"format", "o", "resume", "quiet", "color", "help",
                   "input-format", "stack", "fail-above", "layout",
                   "elementwise", "ops", "each"}
        # Said by a Kernel, which both take.
        without |= {"grid", "num-warps", "block", "arg", "shape", "type",
                    "const", "assume", "function"}
        # An object of Python always has the maps.
        without |= {"maps"}
        # Of files of maps, which these functions do not take.
        without |= {"explain"}
        # A check of the command's, and options of partitioned modules.
        without |= {"fail-slower", "partitioned", "parameter-sharding",
                    "result-sharding", "partitions", "replicas",
                    "assume-copies"}
        for name in ("report", "coalescing", "tile", "utilization", "hazards",
                     "equal", "passes", "draw"):
            text = indexical._indexical.call([name, "--help"]).decode()
            options = set(re.findall(r"^  --([a-z-]+)", text, re.M)) - without
            keywords = set(inspect.signature(
                getattr(indexical, name)).parameters)
            for option in sorted(options):
                word = ours.get(option, option.replace("-", "_"))
                if word == "jobs" and word not in keywords:
                    continue
                self.assertIn(word, keywords, name)


class Files(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.module = pathlib.Path(self.folder.name, "m.hlo")
        self.module.write_text(FUSION, encoding="utf-8")

    def test_a_report_of_a_module_has_rows(self):
        for path in (self.module, str(self.module)):
            report = indexical.report(path)
            self.assertEqual([row.instruction for row in report], ["r"])
            self.assertEqual(len(report), 1)
            self.assertEqual(report[0]["emitter"], "loop")
            self.assertEqual(report.rows[0]["instruction"], "r")
            self.assertIsNone(report[0].get("measured_us"))
            with self.assertRaises(KeyError):
                report[0]["measured_us"]
            self.assertIsNone(report.profile)
        self.assertIn("1 kernel: global loads", str(report))
        self.assertEqual(report.to_dict(), json.loads(indexical._indexical.call(
            ["report", "--top=all", "--maps", "--format=json"], self.module)))
        import pickle
        self.assertEqual(pickle.loads(pickle.dumps(report)).to_dict(),
                         report.to_dict())

    def test_a_folder_is_one_report_with_one_ranking(self):
        for name, copied in (("a", "f32[64,4096]"), ("b", "f32[64,8192]")):
            pathlib.Path(self.folder.name, name + ".hlo").write_text(
                "HloModule %s, is_scheduled=true\nENTRY e {\n"
                "p = %s parameter(0)\nROOT c = %s copy(p)\n}\n" % (
                    name, copied, copied), encoding="utf-8")
        self.module.write_text("no module", encoding="utf-8")
        with self.assertWarns(UserWarning):
            report = indexical.report(self.folder.name, device="a100")
        self.assertEqual([kernel.file[-5:] for kernel in report.kernels],
                         ["b.hlo", "a.hlo"])
        self.assertEqual([each.file[-5:] for each in report.failed],
                         ["m.hlo"])
        avoidable = sum(kernel.avoidable_us for kernel in report.kernels)
        self.assertGreater(avoidable, 0)
        self.assertAlmostEqual(report.totals.avoidable_us, avoidable, places=5)
        self.assertEqual(
            sorted(kernel.file for row in report.ranking
                   for kernel in row.kernels),
            sorted(kernel.file for kernel in report.kernels))
        self.assertAlmostEqual(
            sum(row.avoidable_us for row in report.ranking), avoidable,
            places=5)

    def test_what_is_said_beside_an_answer_is_a_warning(self):
        cut = pathlib.Path(self.folder.name, "z.hlo")
        cut.write_text(FUSION[:FUSION.rindex("kind=")], encoding="utf-8")
        for source in (cut, str(cut), cut.read_text()):
            with self.assertWarnsRegex(UserWarning, "warning: "):
                indexical.report(source)
        # A file that is wrong does not hide the others.
        cut.write_text("no module", encoding="utf-8")
        with self.assertWarnsRegex(UserWarning, "z.hlo.*error: "):
            self.assertEqual(len(indexical.report(self.folder.name)), 1)

    def test_paths_that_are_wrong(self):
        for call in (indexical.report, indexical.tile, indexical.coalescing):
            with self.assertRaisesRegex(indexical.Error, "there is no file"):
                call("gone.hlo")
        with self.assertRaisesRegex(indexical.Error, "gone.json"):
            indexical.report(self.module, baseline="gone.json")
        self.assertEqual(len(indexical.equal(str(self.module),
                                             str(self.module)).pairs), 1)

    def test_a_report_of_a_folder_has_the_kernels_of_all_modules(self):
        other = pathlib.Path(self.folder.name, "n.hlo")
        other.write_text(FUSION, encoding="utf-8")
        report = indexical.report(self.folder.name)
        self.assertEqual(sorted(row.file for row in report),
                         [str(self.module), str(other)])
        with self.assertRaisesRegex(indexical.Error, "cannot be read"):
            indexical.report(pathlib.Path(self.folder.name, "gone.hlo"))

    def test_the_baseline_may_be_a_path(self):
        earlier = pathlib.Path(self.folder.name, "earlier.json")
        earlier.write_text(json.dumps(indexical.report(self.module).to_dict()))
        later = indexical.report(self.module, baseline=earlier)
        self.assertEqual(later.kernels[0].was.instruction, "r")

    def test_the_old_name_of_a_report_of_a_path(self):
        with self.assertWarns(FutureWarning):
            self.assertEqual(len(indexical.Report(self.module)), 1)

    def test_a_report_of_a_profile_has_what_was_measured(self):
        path = pathlib.Path(self.folder.name, "p.xplane.pb")
        write_profile(path, [
            Launch("r", "r", "m", 7, 0, 5000000),
            Launch("r", "r", "m", 7, 9000000, 7000000),
            Launch("copy", None, start=20000000)])
        report = indexical.report(path, hlo=[self.module], gpu=[0])
        self.assertEqual(report[0]["measured_us"], 6)
        self.assertEqual(report[0]["launches"], 2)
        self.assertEqual(report.profile.gpus[0].kernels, 3)
        self.assertEqual(report.unattributed[0].kernel, "copy")
        with self.assertRaisesRegex(indexical.Error, "no GPU 4"):
            indexical.report(path, gpu=[4])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
