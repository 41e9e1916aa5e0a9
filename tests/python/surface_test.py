#!/usr/bin/env python3
"""What the module says of itself: stubs, generated classes, its wheel.

  surface_test.py MODULE FORMATS_MD PYTHON_MD WHEEL_BACKEND ARTIFACT SPARSITY_MD
"""

import ast
import doctest
import importlib.util
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

PACKAGE = os.path.dirname(sys.argv[1])
sys.path.insert(0, os.path.dirname(PACKAGE))
sys.path.insert(0, os.path.join(os.path.dirname(PACKAGE)))
import indexical  # noqa: E402
import write_answers  # noqa: E402


def stub(name):
    with open(os.path.join(PACKAGE, name), encoding="utf-8") as file:
        return ast.parse(file.read()).body


def functions_of(body):
    """name -> the parameters of each of its overloads, without self."""
    found = {}
    for each in body:
        if not isinstance(each, ast.FunctionDef):
            continue
        a = each.args
        plain = [p.arg for p in a.posonlyargs + a.args if p.arg != "self"]
        is_property = any(isinstance(d, ast.Name) and d.id == "property"
                          for d in each.decorator_list)
        found.setdefault(each.name, []).append(
            "property" if is_property else
            (plain, a.vararg is not None, [p.arg for p in a.kwonlyargs],
             a.kwarg is not None))
    return found


def written_by_pybind(doc):
    """The parameters of each overload that a docstring lists."""
    found = []
    for line in doc.split("\n"):
        match = re.match(r"(?:\d+\. )?\w+\((.*)\) -> ", line)
        if not match or match.group(1).startswith("*args, **kwargs") and \
                "Overloaded" in doc:
            continue
        depth, parts, start = 0, [], 0
        text = match.group(1) + ","
        for i, c in enumerate(text):
            depth += c in "[({"
            depth -= c in "])}"
            if c == "," and not depth:
                parts.append(text[start:i].strip())
                start = i + 1
        plain, only, args, kwargs, behind = [], [], False, False, False
        for part in filter(None, parts):
            name = part.partition(":")[0].partition("=")[0]
            if name == "*":
                behind = True
            elif name.startswith("**"):
                kwargs = True
            elif name.startswith("*"):
                args = behind = True
            elif name != "self":
                (only if behind else plain).append(name)
        found.append((plain, args, only, kwargs))
    return found


class Stubs(unittest.TestCase):

    def test_the_extension_has_what_its_stub_says(self):
        module = indexical._indexical
        body = stub("_indexical.pyi")
        classes = {each.name: each.body for each in body
                   if isinstance(each, ast.ClassDef)
                   and not each.name.startswith("_")}
        real = {name for name in vars(module) if not name.startswith("__")}
        self.assertEqual(real, {*classes, *functions_of(body)})
        for name, inside in classes.items():
            self.compare(getattr(module, name), functions_of(inside))

    def compare(self, kind, said):
        # The names that every object of Python has, or that pickle needs.
        usual = {"__module__", "__doc__", "__repr__", "__str__", "__new__",
                 "__getstate__", "__setstate__", "__hash__", "__init__",
                 "__annotations__"}
        real = {name for name in vars(kind) if name not in usual}
        self.assertEqual(real, {name for name in said if name not in usual},
                         kind)
        for name, overloads in said.items():
            member = inspect.getattr_static(kind, name, None)
            if isinstance(member, staticmethod):
                member = member.__func__
            with self.subTest(kind=kind.__name__, name=name):
                if overloads == ["property"]:
                    self.assertIsInstance(member, property)
                    continue
                doc = getattr(member, "__doc__", None) or ""
                if name in usual or "*args, **kwargs" in doc:
                    continue  # they name no parameters
                for each in written_by_pybind(doc):
                    plain, args, only, kwargs = each
                    if plain and plain[0] in ("arg0", "self"):
                        plain = plain[1:]
                    self.assertIn((plain, args, only, kwargs), overloads)

    def test_calls_have_the_parameters_of_their_stub(self):
        from indexical import _calls
        said = functions_of(stub("_calls.pyi"))
        for name, overloads in said.items():
            parameters = inspect.signature(getattr(_calls, name)).parameters
            plain = [p.name for p in parameters.values()
                     if p.kind == p.POSITIONAL_OR_KEYWORD]
            only = [p.name for p in parameters.values()
                    if p.kind == p.KEYWORD_ONLY]
            many = any(p.kind == p.VAR_POSITIONAL for p in parameters.values())
            for each in overloads:
                self.assertEqual(each, (plain, many, only, False), name)

    def test_calls_say_what_their_keywords_mean(self):
        from indexical import _calls, _keywords
        meant = set()
        for name in functions_of(stub("_calls.pyi")):
            call = getattr(_calls, name)
            for each in inspect.signature(call).parameters.values():
                if each.kind == each.KEYWORD_ONLY:
                    self.assertIn("\n  %s: " % each.name, call.__doc__, name)
                    meant.add(each.name)
        for call in (indexical.kernels, indexical.judge):
            meant |= set(inspect.signature(call).parameters)
        self.assertEqual(set(_keywords._MEANINGS) - meant, set())

    def test_all_that_is_public_is_listed(self):
        public = {name for name in vars(indexical) if not name.startswith("_")}
        self.assertEqual(public - {"answers"} | {"__version__", "answers"},
                         set(indexical.__all__))
        self.assertIsNotNone(indexical.answers.Report)


class Answers(unittest.TestCase):

    def test_they_are_those_of_the_contract(self):
        with open(sys.argv[2], encoding="utf-8") as page:
            expected = write_answers.pages_of(page.read())
        real = {path.name: path.read_text(encoding="utf-8")
                for pattern in ("answers.py", "_answers_*.py")
                for path in pathlib.Path(PACKAGE).glob(pattern)}
        self.assertEqual(real, expected, "bazel run //python:write_answers")


class Page(unittest.TestCase):

    def test_its_examples_print_what_it_says(self):
        self.check(sys.argv[3], 6)

    def test_those_of_sparsity_do_too(self):
        self.check(sys.argv[6], 1)

    def check(self, path, least):
        with open(path, encoding="utf-8") as page:
            blocks = re.findall(r"^```pycon\n(.*?)^```$", page.read(),
                                re.M | re.S)
        self.assertGreaterEqual(len(blocks), least)
        test = doctest.DocTestParser().get_doctest(
            "\n".join(blocks), {}, path, path, 0)
        runner = doctest.DocTestRunner()
        said = []
        runner.run(test, out=said.append)
        self.assertEqual(runner.summarize(verbose=False).failed, 0,
                         "".join(said))


class Wheel(unittest.TestCase):

    def test_it_is_installed_and_imported(self):
        """In a folder of its own, with pip, which looks for nothing else."""
        source = os.path.abspath(sys.argv[4])
        with tempfile.TemporaryDirectory() as folder:
            code = ("import sys; sys.path.insert(0, %r); import wheel_backend; "
                    "print(wheel_backend.build_wheel(%r))" % (
                        os.path.dirname(source), folder))
            name = subprocess.run(
                [sys.executable, "-c", code], check=True, text=True,
                stdout=subprocess.PIPE,
                env={**os.environ,
                     "INDEXICAL_MODULE": sys.argv[1]}).stdout.strip()
            wheel, place = os.path.join(folder, name), folder + "/site"
            if importlib.util.find_spec("pip"):
                subprocess.run(
                    [sys.executable, "-m", "pip", "install", "--quiet",
                     "--no-index", "--no-deps", "--target", place, wheel],
                    check=True, env={**os.environ, "HOME": folder})
            else:
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(place)
                    for each in archive.infolist():  # as pip does
                        os.chmod(os.path.join(place, each.filename),
                                 each.external_attr >> 16)
            said = subprocess.run(
                [sys.executable, "-c",
                 "import sys; sys.path.insert(0, %r); import indexical; "
                 "print(indexical.__file__, indexical.__version__, "
                 "len(indexical.Program(open(%r, 'rb').read())"
                 ".entry.instructions))" % (
                     place, os.path.abspath(sys.argv[5]))],
                check=True, text=True, capture_output=True, cwd="/").stdout
            self.assertEqual(said.split(), [
                place + "/indexical/__init__.py", indexical.__version__,
                str(len(indexical.Program(pathlib.Path(sys.argv[5]))
                        .entry.instructions))])
            self.assertIn("-%s-" % indexical.__version__, name)


class Import(unittest.TestCase):

    def test_it_leaves_numpy_alone(self):
        """NumPy is loaded where an array is asked for: it takes longer than
        all of the module, whose time is printed."""
        code = ("import sys, time; sys.path.insert(0, %r); "
                "begin = time.perf_counter(); import indexical; "
                "end = time.perf_counter(); "
                "assert 'numpy' not in sys.modules; "
                "assert indexical.Map('(d0) -> (d0), domain: d0 in [0, 3]')(2) "
                "== (2,); print(end - begin)" % os.path.dirname(PACKAGE))
        times = [float(subprocess.run([sys.executable, "-c", code], check=True,
                                      capture_output=True, text=True).stdout)
                 for _ in range(10)]
        print("import: %.1f ms" % (1000 * min(times)))

    def test_it_exports_one_symbol(self):
        found = subprocess.run(["nm", "-D", "--defined-only", sys.argv[1]],
                               check=True, capture_output=True, text=True)
        self.assertEqual([line.split()[-1] for line in
                          found.stdout.splitlines()], ["PyInit__indexical"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
