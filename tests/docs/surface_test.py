#!/usr/bin/env python3
"""The public signatures are those of the record; a change that the version does
not tell is seen.

  surface_test.py SURFACE.PY SURFACE.TXT INDEXICAL.H ASKING...
"""

import importlib.util
import os
import re
import shutil
import sys
import tempfile
import unittest

spec = importlib.util.spec_from_file_location("surface", sys.argv[1])
surface = importlib.util.module_from_spec(spec)
spec.loader.exec_module(surface)

HEADER = """
#ifndef A
#define A
namespace n {
/// Text; {of} a comment.
class Map : public Base {
 public:
  explicit Map(int a, std::vector<int> b = {}) : a_{a}, b_(b) { f(); }
  int size() const { return a_; }
  struct Point { int x = 0, y{1}; };
  template <typename T> T as() const;
 private:
  int a_;
  void f();
};
enum class Kind : int { One, Two };
inline constexpr int kMost = 3;
int count(const Map &map,
          int most = 4);
}  // namespace n
#endif
"""
WANTED = [
    "class Map : public Base",
    "Map: explicit Map(int a, std::vector<int> b = {})",
    "Map: int size() const",
    "Map: struct Point",
    "Map::Point: int x = 0, y{1}",
    "Map: template <typename T> T as() const",
    "enum class Kind : int { One, Two }",
    "inline constexpr int kMost = 3",
    "int count(const Map &map, int most = 4)",
]


class Reading(unittest.TestCase):

    def test_public_declarations_without_bodies(self):
        self.assertEqual(surface.Reader(HEADER).read(), WANTED)


class Checking(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.write("indexical.h", '#include "indexical/a.h"\n'
                   '#include "indexical/version.h"\n')
        self.write("a.h", HEADER)
        self.version("0 1")
        self.assertEqual(self.check("--write"), 0)
        self.assertEqual(self.check(), 0)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def version(self, numbers):
        major, minor = numbers.split()
        self.write("version.h", "#define INDEXICAL_VERSION_MAJOR %s\n"
                   "#define INDEXICAL_VERSION_MINOR %s\n" % (major, minor))

    def check(self, *options):
        return surface.main(os.path.join(self.folder, "record"),
                            os.path.join(self.folder, "indexical.h"), *options)

    def test_bodies_and_what_is_private_may_change(self):
        self.write("a.h", HEADER.replace("return a_;", "return 2;")
                   .replace("void f();", "void g(int);"))
        self.assertEqual(self.check(), 0)

    def test_a_change_needs_the_version(self):
        self.write("a.h", HEADER.replace("int most = 4", "long most = 4"))
        self.assertEqual(self.check(), 1)
        self.assertEqual(self.check("--write"), 1)
        self.version("0 2")
        self.assertEqual(self.check(), 1)
        self.assertEqual(self.check("--write"), 0)
        self.assertEqual(self.check(), 0)

    def test_what_is_added_needs_the_record_alone(self):
        self.write("a.h", HEADER.replace("int count", "int more();\nint count"))
        self.assertEqual(self.check(), 1)
        self.assertEqual(self.check("--write"), 0)
        self.assertEqual(self.check(), 0)

    def test_a_last_value_of_an_enum_is_added(self):
        self.write("a.h", HEADER.replace("{ One, Two }", "{ One, Two, Three, }"))
        self.assertEqual(self.check("--write"), 0)
        self.write("a.h", HEADER.replace("{ One, Two }",
                                         "{ One, Two, Three, Four }"))
        self.assertEqual(self.check("--write"), 0)
        for values in ("{ Zero, One, Two, Three, Four }", "{ One, Two, Three }",
                       "{ One, Two, Three, Fourth }"):
            self.write("a.h", HEADER.replace("{ One, Two }", values))
            self.assertEqual(self.check("--write"), 1, values)


class Record(unittest.TestCase):

    def test_it_is_that_of_the_headers(self):
        self.assertEqual(surface.main(*sys.argv[2:4]), 0)

    def test_who_asks_for_a_package_asks_for_its_version(self):
        with open(sys.argv[2]) as file:
            version = file.readline().split()[1]
        self.assertEqual(len(sys.argv), 7)
        for path in sys.argv[4:]:
            with open(path) as file:
                asked = re.findall(r"find_package\(Indexical (\S*)", file.read())
            self.assertEqual(asked, [version], path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
